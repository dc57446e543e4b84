"""What happened in a run, record by record, for people and for other programs."""
