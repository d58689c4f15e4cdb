"""PyTorch tensors whose elements are random, undecided or exact: what ``from_torch`` is made of."""
