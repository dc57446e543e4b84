"""Golden datasets for code retrieval that people can trust."""

__version__ = "0.1.0"
