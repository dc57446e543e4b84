"""Whether the words of a question give its targets away although they hold no identifier."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from goldwright.offline_agents.code_context import name_of

_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")

# "parses a Cookie header" speaks `parse_cookie_header` for everybody who reads it.
_MOST_BETWEEN: Final = 1


def gives_away(text: str, targets: Iterable[str]) -> bool:
    """Find out whether a text holds the words of a target's name, in their order.

    A word more between two of them hides nothing, nor does the "s" of a verb or a plural. A name of
    a single word counts in code marks only, which wording takes care of.
    """
    spoken = _words(text)
    for target in targets:
        for part in name_of(target).split("."):
            words = _words(part)
            if len(words) > 1 and _holds(spoken, words):
                return True
    return False


def _holds(spoken: Sequence[str], words: Sequence[str]) -> bool:
    first, *others = words
    starts = [start for start, word in enumerate(spoken) if word == first]
    return any(_goes_on(spoken, start, others) for start in starts)


def _goes_on(spoken: Sequence[str], position: int, words: Sequence[str]) -> bool:
    for word in words:
        end_of_reach = position + 2 + _MOST_BETWEEN
        within_reach = spoken[position + 1 : end_of_reach]
        if word not in within_reach:
            return False
        position += 1 + within_reach.index(word)
    return True


def _words(text: str) -> list[str]:
    return [word.lower().removesuffix("s") for word in _WORD.findall(text)]
