"""``python -m exactspec``."""

from exactspec.cli import main

if __name__ == "__main__":
    main()
