"""What comes before what, as a sentence says it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.evaluation.answer_code import is_value
from goldwright.evaluation.answer_tokens import Sentence, Token
from goldwright.evaluation.answer_vocabulary import is_verb

# What stands left of these comes first, and right of the others.
_FORWARD: Final = frozenset("before ahead prior precedes then afterwards subsequently".split())
_BACKWARD: Final = frozenset("after following follows behind".split())
_CATCHING: Final = frozenset({"catching", "handling"})
# Words behind a marker that are looked at to see what it puts in order.
_MOST_LOOKED_AT: Final = 4
_MARKERS: Final = _FORWARD | _BACKWARD


@dataclass(frozen=True, slots=True)
class Order:
    """What is named and said on either side, by the last parts of names and by concepts.

    Attributes:
        earlier: What comes first, and is not said of what comes later as well.
        later: What comes later.
    """

    earlier: frozenset[str]
    later: frozenset[str]

    def agrees(self, other: "Order") -> bool:
        """Tell whether another order puts on each side what this one puts there."""
        in_order = len(self.earlier & other.earlier), len(self.later & other.later)
        turned_round = len(self.earlier & other.later), len(self.later & other.earlier)
        return min(in_order) > 0 and sum(in_order) > sum(turned_round)


def find_order(sentence: Sentence, *, before: Sentence = ()) -> Order | None:
    """Find what a sentence says of order; None where it says nothing.

    Args:
        sentence: Its tokens.
        before: The sentence in front of it, which "then" continues.
    """
    for place, token in enumerate(sentence):
        if token.kind != "word" or token.text not in _MARKERS:
            continue
        left = sentence[:place]
        right = sentence[place + 1 :]
        if not _has_action(right):
            # "After 30 redirects" is how often, and "after catching" is a condition.
            continue
        if not any(_keys(left)):
            # "Before it calls a, it calls b": the main clause stands behind the comma.
            if token.text == "then":
                left = before
            else:
                right, left = _at_comma(right)
        order = _order(token.text, left, right)
        if order is not None:
            return order
    return None


def _has_action(tokens: Sequence[Token]) -> bool:
    """Whether something is named or done there that can come before something else."""
    for token in tokens[:_MOST_LOOKED_AT]:
        if token.text in _CATCHING:
            return False
        if token.code and not all(map(is_value, token.code.atoms)):
            return True
        if token.kind == "word" and is_verb(token.text):
            return True
    return False


def _order(marker: str, left: Sequence[Token], right: Sequence[Token]) -> Order | None:
    left_keys = frozenset(_keys(left))
    right_keys = frozenset(_keys(right))
    shared = left_keys & right_keys
    first, second = left_keys - shared, right_keys - shared
    if not first or not second:
        return None
    if marker in _FORWARD:
        return Order(first, second)
    return Order(second, first)


def _at_comma(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
    for place, token in enumerate(tokens):
        if token.text == ",":
            return tokens[:place], tokens[place + 1 :]
    return tokens, ()


def _keys(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.code:
            yield from (atom[-1] for atom in token.code.atoms)
        elif token.concept:
            yield token.concept
