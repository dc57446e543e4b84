"""The figures of the trust card, one or a few that belong together in each file."""
