"""Sentences about money that commands share."""

from goldwright.llm.budget import dollars
from goldwright.llm.spend import Spend


def presumed_sentence(spend: Spend) -> str:
    """Say which part of a cost rests on no bill, and what all of it can have come to."""
    presumed = dollars(spend.presumed_micro_usd)
    most = dollars(spend.most_micro_usd)
    return f"{presumed} of it presumed: sent, and no bill seen; at most {most} in all"
