"""Triton kernels in Triton's interpreter, on elements that are random, undecided or exact."""
