"""An Adversary that canaries showed to be weak, and who took its place."""

from typing import Literal

from pydantic import Field

from goldwright.records.base import Record

Reaction = Literal["swap", "double"]
"""Whether another Adversary attacks all answers in the place of a weak one, or beside it."""


class WeakAdversary(Record):
    """An Adversary below the power that was stated for it, and what followed.

    Attributes:
        agent: Who played.
        caught: How many falsified answers it caught.
        released: How many it was given.
        reaction: What was done.
        followed_by: Who has played since; both of them, where both attack.
    """

    agent: str
    caught: int = Field(ge=0)
    released: int = Field(ge=0)
    reaction: Reaction
    followed_by: str
