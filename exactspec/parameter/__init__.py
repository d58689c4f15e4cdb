"""One number of a table left open: expressions in it, where they change sign, and numbers on a part of its range."""
