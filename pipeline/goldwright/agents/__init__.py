"""The four roles, and the desk at which they read a codebase."""
