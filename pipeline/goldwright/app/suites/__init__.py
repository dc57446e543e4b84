"""One dataset over many codebases: run in pieces, merged, scored."""
