"""Showing material so that it stands apart from what we say: fenced by a mark nobody can guess,
every line prefixed.

The mark is drawn for the run and differs from result to result, so text in a repository cannot
close the fence it stands in.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar, cast

from goldwright.scanners.injection import find_suspicions
from goldwright.scanners.secrets import mask_secrets
from goldwright.text import make_visible

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MarkSource:
    """The source of one work item's marks: the run's secret number and the name of the item."""

    secret: str
    item: str

    def at(self, step: int) -> str:
        """Give the mark of one result: 12 hexadecimal digits."""
        return hmac.digest(self.secret.encode(), f"{self.item}#{step}".encode(), "sha256").hex()[
            :12
        ]


def fenced(title: str, body: str, mark: str) -> str:
    """Put material between two lines that carry its mark."""
    return f"{title}\n<<<{mark}\n{body}\n{mark}>>>"


def suspected(where: str, text: str) -> tuple[str, ...]:
    """Say which lines of some material speak to a model, for a person to look at."""
    return tuple(
        f"{where} line {one.line}: {one.rule}: {make_visible(one.excerpt)[:120]}"
        for one in find_suspicions(text)
    )


def masked(value: T) -> T:
    """Give a JSON value with the secrets in its texts masked; nobody may put one into a prompt."""
    match value:
        case str():
            return cast("T", mask_secrets(value))
        case list():
            return cast("T", [masked(one) for one in value])
        case dict():
            return cast("T", {key: masked(one) for key, one in value.items()})
        case _:
            return value


def strings_of(value: object) -> Iterator[str]:
    """Yield every text in a JSON value, in its order."""
    match value:
        case str():
            yield value
        case list() | tuple():
            for one in value:
                yield from strings_of(one)
        case dict():
            for one in value.values():
                yield from strings_of(one)
