"""Confidence intervals, tests and agreement measures, each with the source of its formula."""
