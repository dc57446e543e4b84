"""What a text names in a codebase, and whether it may."""
