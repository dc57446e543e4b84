"""Answers with one claim made false by rule: an Adversary who lets them through did not look.

Every rule holds by the source alone: a fact is touched only where the code around its lines shows
that the new wording cannot be true. Where that is not certain, an answer gives no ground for the
kind.
"""

from goldwright.canaries.mutations.catalog import KINDS, FalsifiedAnswer, falsify

__all__ = ["KINDS", "FalsifiedAnswer", "falsify"]
