"""A reading of Python code that is the trust card's own."""
