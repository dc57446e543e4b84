"""What comes before what, as a sentence says it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.evaluation.answers.answer_code import is_value
from goldwright.evaluation.answers.answer_tokens import Sentence, Token
from goldwright.evaluation.answers.answer_words import is_verb

# What stands left of these comes first, and right of the others.
_FORWARD: Final = frozenset("before ahead prior precedes then afterwards subsequently".split())
_BACKWARD: Final = frozenset("after following follows behind".split())
_CATCHING: Final = frozenset({"catching", "handling"})
# Words behind a marker that are looked at to see what it puts in order.
_MOST_LOOKED_AT: Final = 4
_MARKERS: Final = _FORWARD | _BACKWARD


@dataclass(frozen=True, slots=True)
class Order:
    """What is named and said on either side, but for what is said on both.

    Attributes:
        earlier: The last parts of the names of what comes first.
        later: Those of what comes later.
        earlier_words: The concepts of what comes first.
        later_words: Those of what comes later.
    """

    earlier: frozenset[str]
    later: frozenset[str]
    earlier_words: frozenset[str]
    later_words: frozenset[str]

    def agrees(self, other_order: "Order") -> bool:
        """Return whether another order puts on each side what this one puts there."""
        if self.earlier and self.later:
            return _agree(self.earlier, self.later, other_order.earlier, other_order.later)
        # Without names on both sides, words have to tell.
        earlier = self.earlier | self.earlier_words
        later = self.later | self.later_words
        other_earlier = other_order.earlier | other_order.earlier_words
        other_later = other_order.later | other_order.later_words
        return _agree(earlier, later, other_earlier, other_later)


def find_order(sentence: Sentence, *, before: Sentence = ()) -> Order | None:
    """Find what a sentence says of order; None where it says nothing.

    Args:
        sentence: Its tokens.
        before: The sentence in front of it, which "then" continues.
    """
    for place, token in enumerate(sentence):
        if token.kind != "word" or token.text not in _MARKERS:
            continue
        left_side = sentence[:place]
        right = sentence[place + 1 :]
        if not _has_action(right):
            # "After 30 redirects" is how often, and "after catching" is a condition.
            continue
        if not any(_names(left_side)) and not any(_concepts(left_side)):
            # "Before it calls a, it calls b": the main clause stands behind the comma.
            if token.text == "then":
                left_side = before
            else:
                right, left_side = _at_comma(right)
        order = _order(token.text, left_side, right)
        if order is not None:
            return order
    return None


def steps_of(sentence: Sentence, *, before: Sentence = ()) -> Sequence[str]:
    """Find what is done one after the other: "`a`, then `b` and then `c`".

    Args:
        sentence: Its tokens.
        before: The sentence in front of it, which "then" continues.

    Returns:
        The last parts of the names, in their order; none where "then" does not give it.
    """
    texts = [token.text for token in sentence if token.kind == "word"]
    if "then" not in texts or not _BACKWARD.isdisjoint(texts) or texts[0] == "before":
        return ()
    if texts[0] == "then":
        earlier = _names(_from_verb(before))
        return [*earlier, *_names(_from_verb(sentence))]
    return list(_names(_from_verb(sentence)))


def _from_verb(sentence: Sentence) -> Sentence:
    """Leave out who does it."""
    for place, token in enumerate(sentence):
        if token.kind == "word" and is_verb(token.text):
            return sentence[place:]
    return sentence


def keeps_steps(fact: Sequence[str], answer: Sequence[str]) -> bool:
    """Return whether what both name comes in the same order, where both give one."""
    names = dict.fromkeys(fact)
    places = [answer.index(name) for name in names if name in answer]
    return not answer or places == sorted(places)


def _has_action(tokens: Sequence[Token]) -> bool:
    """Whether something is named or done there that can come before something else."""
    for place, token in enumerate(tokens[:_MOST_LOOKED_AT]):
        # Behind a comma stands what happens then; "then" itself may have one right behind it.
        is_over = place > 0 and token.text == ","
        if is_over or token.text in _CATCHING:
            return False
        if token.code and not all(map(is_value, token.code.atoms)):
            return True
        if token.kind == "word" and is_verb(token.text):
            return True
    return False


def _order(marker: str, left_side: Sequence[Token], right: Sequence[Token]) -> Order | None:
    if marker in _BACKWARD:
        left_side, right = right, left_side
    earlier, later = _apart(_names(left_side), _names(right))
    earlier_words, later_words = _apart(_concepts(left_side), _concepts(right))
    if not (earlier or earlier_words) or not (later or later_words):
        return None
    return Order(earlier, later, earlier_words, later_words)


def _apart(first: Iterator[str], second: Iterator[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Leave out what both have."""
    first_keys = frozenset(first)
    second_keys = frozenset(second)
    return first_keys - second_keys, second_keys - first_keys


def _agree(
    earlier: frozenset[str],
    later: frozenset[str],
    other_earlier: frozenset[str],
    other_later: frozenset[str],
) -> bool:
    earlier_alike = len(earlier & other_earlier)
    later_alike = len(later & other_later)
    turned_round = len(earlier & other_later) + len(later & other_earlier)
    has_both = earlier_alike > 0 and later_alike > 0
    return has_both and earlier_alike + later_alike > turned_round


def _at_comma(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
    for place, token in enumerate(tokens):
        if token.text == ",":
            return tokens[:place], tokens[place + 1 :]
    return tokens, ()


def _names(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.code:
            atoms = token.code.atoms
            yield from (atom[-1] for atom in atoms if not is_value(atom))


def _concepts(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.concept:
            yield token.concept
