"""Statistics of agreement and of trust, each with the source of its formula."""
