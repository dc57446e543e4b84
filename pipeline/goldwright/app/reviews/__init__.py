"""Review sessions, of one person here or of several over a network."""
