"""Sphinx settings: MyST Markdown, the furo theme; the version is the package's own."""

from exactspec import __version__

project = "exactspec"
author = "the exactspec contributors"
version = release = __version__
extensions = ["myst_parser"]
html_theme = "furo"
html_title = f"exactspec {__version__}"
exclude_patterns = ["_build"]
myst_heading_anchors = 3
html_show_copyright = False
