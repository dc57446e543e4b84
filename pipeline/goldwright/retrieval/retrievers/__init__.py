"""The retrievers that come with the program, one in a file."""
