"""Which documents make tasks succeed, from tasks to a dataset of proven relevance."""
