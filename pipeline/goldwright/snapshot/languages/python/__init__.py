"""How Python files are read: definitions, references, scopes, and code in its normal form."""
