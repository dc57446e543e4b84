"""Which documents make a task succeed, found by trials with some of them left out."""
