"""What comes before what, as a sentence says it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.evaluation.answer_code import Atom, is_number, names
from goldwright.evaluation.answer_tokens import Sentence, Token

# What stands left of these comes first, and right of the others.
_FORWARD: Final = frozenset("before ahead prior precedes then afterwards subsequently".split())
_BACKWARD: Final = frozenset("after following follows behind".split())
_MARKERS: Final = _FORWARD | _BACKWARD


@dataclass(frozen=True, slots=True)
class Order:
    """Names in the order of time."""

    earlier: tuple[Atom, ...]
    later: tuple[Atom, ...]

    def agrees(self, other: "Order") -> bool:
        """Tell whether another order says the same of what both sides name."""
        return _have_common(self.earlier, other.earlier) and _have_common(self.later, other.later)


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
        if not _names(left):
            # "Before it calls a, it calls b": the main clause stands behind the comma.
            if token.text == "then":
                left = before
            else:
                right, left = _at_comma(right)
        order = _order(token.text, _names(left), _names(right))
        if order is not None:
            return order
    return None


def _order(marker: str, left: tuple[Atom, ...], right: tuple[Atom, ...]) -> Order | None:
    shared = [atom for atom in right if names(atom, left)]
    right_only = tuple(atom for atom in right if atom not in shared)
    if not left or not right_only:
        return None
    if marker in _FORWARD:
        return Order(left, right_only)
    return Order(right_only, left)


def _at_comma(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
    for place, token in enumerate(tokens):
        if token.text == ",":
            return tokens[:place], tokens[place + 1 :]
    return tokens, ()


def _names(tokens: Sequence[Token]) -> tuple[Atom, ...]:
    found = [atom for token in tokens if token.code for atom in token.code.atoms]
    return tuple(atom for atom in found if not is_number(atom))


def _have_common(first: Sequence[Atom], second: Sequence[Atom]) -> bool:
    return any(names(atom, second) for atom in first)
