"""TypeScript behind the port of a language."""
