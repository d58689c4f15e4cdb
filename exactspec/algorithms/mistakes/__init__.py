"""Wrong variants of right rules, each one step from its right rule, and seen or feared."""
