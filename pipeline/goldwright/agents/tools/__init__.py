"""What the tools of a toolset find and how they show it."""
