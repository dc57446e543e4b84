"""Showing untrusted material so that it stands apart from what we say.

Material stands between two lines with a mark that nobody can guess, and every line of it has a
prefix. The mark is drawn for the run and differs from result to result, so no text in a repository
can close the fence it stands in.
"""

import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from goldwright.scanners.injection import Suspicion, find_suspicions
from goldwright.scanners.secrets import mask_secrets
from goldwright.text import make_visible

# 48 bits: nobody guesses the mark within a run.
_MARK_DIGITS: Final = 12
_LONGEST_EXCERPT: Final = 120


@dataclass(frozen=True, slots=True)
class MarkSource:
    """The source of one work item's marks.

    Attributes:
        secret: The run's secret number.
        item: The name of the work item.
    """

    secret: str
    item: str

    def at(self, step: int) -> str:
        """Give the mark of one result: 12 hexadecimal digits."""
        key = self.secret.encode()
        message = f"{self.item}#{step}".encode()
        digest = hmac.digest(key, message, "sha256")
        return digest.hex()[:_MARK_DIGITS]


def fence(title: str, body: str, mark: str) -> str:
    """Put material between two lines that carry its mark."""
    return f"{title}\n<<<{mark}\n{body}\n{mark}>>>"


def describe_suspicions(source: str, text: str) -> Iterator[str]:
    """Describe for a person what in some material is addressed to a model."""
    for suspicion in find_suspicions(text):
        yield describe_suspicion(source, suspicion)


def describe_suspicion(source: str, suspicion: Suspicion) -> str:
    """Describe one suspicion in one line.

    Args:
        source: What the text is of: a path, a step, a part of an answer.
        suspicion: The suspicion.
    """
    visible_source = make_visible(source)
    excerpt = make_visible(suspicion.excerpt)[:_LONGEST_EXCERPT]
    return f"{visible_source} line {suspicion.line}: {suspicion.rule}: {excerpt}"


def mask_secrets_in(value: Any) -> Any:
    """Give a JSON value with the secrets in its texts masked, as it may stand in a prompt."""
    match value:
        case str():
            return mask_secrets(value)
        case list():
            return [mask_secrets_in(element) for element in value]
        case dict():
            return {key: mask_secrets_in(element) for key, element in value.items()}
        case _:
            return value


def masked_json(value: object) -> str:
    """Write a value as JSON for a prompt, with the secrets in its texts masked.

    As JSON, no text of others can pass for one of ours.
    """
    return json.dumps(mask_secrets_in(value))


def strings_in(value: object) -> Iterator[str]:
    """Yield every text in a JSON value, in its order, but not the keys of objects."""
    match value:
        case str():
            yield value
        case list():
            for element in value:
                yield from strings_in(element)
        case dict():
            for element in value.values():
                yield from strings_in(element)
