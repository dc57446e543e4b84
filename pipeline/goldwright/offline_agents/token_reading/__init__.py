"""The Adversary's reading of code: names, indentation and tokens, and no parser.

What the Oracle finds in syntax trees is looked up here by other means; the two readings share
nothing but the shape of a condition.
"""
