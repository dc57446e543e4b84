"""What the tools of a desk find and how they show it."""
