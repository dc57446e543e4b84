"""A mirror of our own of each codebase, and the work tree that one may be made of."""
