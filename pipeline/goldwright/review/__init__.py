"""People's part: the sample, their verdicts and edits, and what both say about the batch."""
