"""What Python code does, read from its syntax tree: conditions, errors, calls, closed sets.

The gate holds answers against these readings, and the offline Author and Oracle work from them. The
offline Adversary does not: it reads tokens and lines by itself.
"""
