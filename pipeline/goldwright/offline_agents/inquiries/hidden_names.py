"""Whether the words of a question give its targets away although they hold no identifier."""

import re
from collections.abc import Iterable
from typing import Final

from goldwright.offline_agents.code_context import name_of

_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def gives_away(text: str, targets: Iterable[str]) -> bool:
    """Find out whether a text holds the words of a target's name, one behind the other.

    A name of a single word counts in code marks only, which wording takes care of.
    """
    spoken = " ".join(_words(text))
    for target in targets:
        for part in name_of(target).split("."):
            words = _words(part)
            if len(words) > 1 and f" {' '.join(words)} " in f" {spoken} ":
                return True
    return False


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
