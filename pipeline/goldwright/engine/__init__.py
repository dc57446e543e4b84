"""Runs the cases of a batch to their end and writes the results in order, whatever they are."""
