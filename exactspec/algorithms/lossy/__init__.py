"""Rules that are lossy by design: they accept more than the target's law allows, and say so."""
