"""Ways to cut documents into chunks, each in a file, all in ``catalog``."""
