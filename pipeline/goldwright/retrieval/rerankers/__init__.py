"""Second stages, which order the first results of a search again: each in a file."""
