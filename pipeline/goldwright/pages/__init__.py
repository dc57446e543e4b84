"""Pages that stand alone: one file, no script, nothing fetched."""
