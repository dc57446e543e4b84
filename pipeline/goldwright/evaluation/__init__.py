"""Scoring retrievers against a golden dataset, and what the scores can be taken for."""
