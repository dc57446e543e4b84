"""Reading a codebase for leads: what may be asked about."""
