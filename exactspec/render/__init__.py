"""From results to text: decides nothing, computes nothing."""
