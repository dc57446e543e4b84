"""The roles, and the toolset with which they read a codebase."""
