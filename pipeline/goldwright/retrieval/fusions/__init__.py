"""Ways to make one ranking of several: each in a file, all in ``catalog``."""
