"""The review by people: the sample, their verdicts and edits, and what these show of a batch."""
