"""NumPy under an audit: exact arrays, open tokens, and generators whose numbers the audit gives."""
