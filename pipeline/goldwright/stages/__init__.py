"""The stages of a run that agents and code go through, from the Author to agreement."""
