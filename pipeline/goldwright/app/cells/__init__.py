"""Model and chunking for one source, decided once and written down."""
