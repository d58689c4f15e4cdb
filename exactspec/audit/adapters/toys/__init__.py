"""Models that answer from an audit's tables, in the shapes in which packages call their models."""
