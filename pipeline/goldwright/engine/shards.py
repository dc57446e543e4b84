"""One of several equal shares of independent pieces: what a job of an array works on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from goldwright.errors import InputError

_FORM: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")

SharedPiece = TypeVar("SharedPiece")


@dataclass(frozen=True, slots=True)
class Shard:
    """A share of pieces; the shares of one count hold every piece once.

    Attributes:
        number: Which share, from 1.
        count: How many there are.
    """

    number: int
    count: int

    def __post_init__(self) -> None:
        """Refuse a share that there is not.

        Raises:
            InputError: The number is not one of 1 to the count.
        """
        if not 1 <= self.number <= self.count:
            raise InputError(f"--shard {self}: wanted I/N with I from 1 to N")

    def share_of(self, pieces: Sequence[SharedPiece]) -> tuple[SharedPiece, ...]:
        """Take every count-th piece, from this one's number on.

        Neighbours in a list tend to be of like size, so they go to different shares.
        """
        return tuple(pieces[self.number - 1 :: self.count])

    def __str__(self) -> str:
        """Write it as it is read."""
        return f"{self.number}/{self.count}"


def read_shard(text: str) -> Shard:
    """Read ``I/N``.

    Raises:
        InputError: It is none.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        raise InputError(f"--shard {text}: wanted I/N, as in 2/4")
    return Shard(int(match[1]), int(match[2]))
