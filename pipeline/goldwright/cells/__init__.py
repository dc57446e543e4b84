"""Model and chunking for one source: cells on pooled labels, a decision, and a frozen set."""
