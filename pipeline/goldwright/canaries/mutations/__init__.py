"""Answers falsified by rule: an Adversary who lets them through did not look.

In most kinds one claim is false. In kinds of meaning the answer hangs together and still is none:
it answers a sibling question, lacks a member of a set, or tells a condition the wrong way round.

Every rule holds by the source alone: a fact is touched only where the code around its lines shows
that the new wording cannot be true. Where that is not certain, an answer gives no ground for the
kind.
"""

from goldwright.canaries.mutations.case import AnsweredCandidate
from goldwright.canaries.mutations.catalog import FalsifiedAnswer, falsify

__all__ = ["AnsweredCandidate", "FalsifiedAnswer", "falsify"]
