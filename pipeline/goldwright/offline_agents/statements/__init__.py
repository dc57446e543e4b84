"""Statements about code in plain English that code can write, read back and check.

One file a kind: how it is worded, how the Oracle finds it in a syntax tree, how the Adversary finds
it in lines of tokens, and the false statements that somebody could be tempted to make instead.
"""
