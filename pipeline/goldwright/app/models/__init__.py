"""The models of a run: from settings to a cast, what they cost, and how they are tried out."""
