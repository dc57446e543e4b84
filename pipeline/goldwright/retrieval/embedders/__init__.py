"""Models that turn texts into vectors: each way of reaching one in a file, all in ``catalog``."""
