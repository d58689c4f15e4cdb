"""Verdicts on given tables."""
