"""Facts with a comparison the wrong way round."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.canaries.mutations.case import MutationCase
from goldwright.canaries.mutations.code_text import count_occurrences
from goldwright.canaries.mutations.fact_wording import HIDDEN, FactWording, replace_span
from goldwright.canaries.mutations.facts_under_mutation import (
    FactUnderMutation,
    pieces_besides_entities,
)

# What a comparison in words may be with, behind its preposition.
_OPERAND: Final = r"(?= (?:`|\d|zero\b|one\b|two\b|three\b|the\b|its\b|that\b))"
# Phrases and their reversals. A reversal must read well and be false, never merely odd: hence the
# conditions on what stands around a phrase.
_WORD_REVERSALS: Final = (
    (r"(?<=` )is not(?= `)", "is"),
    (r"(?<=` )is(?= `(?:None|True|False)`)", "is not"),
    (r"\bis not(?= (?:in|set|given|empty|equal to|an instance of)\b)", "is"),
    (r"\bis(?= (?:in `|set\b|given\b|empty\b|equal to\b))", "is not"),
    (r"\bare not(?= (?:set|given|empty|equal)\b)", "are"),
    (r"\bare(?= (?:set|given|empty|equal)\b)", "are not"),
    (r"(?<=is )no(?= instance of\b)", "an"),
    (r"(?<=is )an(?= instance of\b)", "no"),
    (r"\btruthy\b", "falsy"),
    (r"\bfalsy\b", "truthy"),
    (r"(?<=is )true\b", "false"),
    (r"(?<=is )false\b", "true"),
    (r"(?<=is )missing\b", "present"),
    (r"(?<=is )present\b", "missing"),
    (r"\bdoes not exist\b", "exists"),
    (r"(?<!not )\bexists\b", "does not exist"),
    (r"(?<=` )does not hold\b", "holds"),
    (r"(?<=` )holds(?=$|[,.;]| and\b)", "does not hold"),
    (r"(?<=` )equals(?= `)", "differs from"),
    (r"(?<=` )differs from(?= `)", "equals"),
    (r"\bno(?:t)? (?:more|greater|larger) than\b", "more than"),
    (r"\bno(?:t)? (?:less|fewer|smaller) than\b", "less than"),
    (r"(?<!no )(?<!not )\b(?:more|greater|larger) than\b", "at most"),
    (r"(?<!no )(?<!not )\b(?:less|fewer|smaller) than\b", "at least"),
    (r"(?<!not )\bat least\b", "less than"),
    (r"(?<!not )\bat most\b", "more than"),
    (rf"(?<!not )\bbelow{_OPERAND}", "at or above"),
    (rf"(?<!not )\babove{_OPERAND}", "at or below"),
    (r"\bdoes not exceed\b", "exceeds"),
    (r"(?<!not )\bexceeds\b", "does not exceed"),
    (r"\bunless\b", "when"),
    (r"\bUnless\b", "When"),
)
_WORD_PATTERNS: Final = tuple(
    (re.compile(pattern), replacement) for pattern, replacement in _WORD_REVERSALS
)
_CODE: Final = re.compile(r"`([^`]+)`")
# What stands before a comparison when the fact is that comparison and nothing else.
_STATED: Final = re.compile(r"(?:\b(?:is|are|be|equals?|has|have)|`) $")
_STATED_DEFAULT: Final = re.compile(r"\bdefaults? (?:to|is) `$")
_OPERATOR: Final = re.compile(
    r"(?<![<>=!\-])(?:<=|>=|==|!=|<|>)(?![<>=])|\bis not\b|\bis\b|\bnot in\b|\bin\b"
)
_OPPOSITES: Final[Mapping[str, str]] = {
    "<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==",
    "is": "is not", "is not": "is", "in": "not in", "not in": "in",
}  # fmt: skip
_COMPOUND: Final = re.compile(r"\b(?:and|or|if|else|for|lambda|not(?! in\b))\b|[\"'{}]|:=")
_LITERALS: Final[Mapping[str, str]] = {"True": "False", "False": "True"}


@dataclass(frozen=True, slots=True)
class ComparisonFlip:
    """A comparison in the text of a fact and its reversal.

    Attributes:
        start: The offset where it begins.
        end: The offset behind it.
        before: What stands there.
        after: What says the opposite.
        is_code: Whether it stands between backticks.
    """

    start: int
    end: int
    before: str
    after: str
    is_code: bool


def flip_comparisons(case: MutationCase, fact: FactUnderMutation) -> Iterator[str]:
    """Yield wordings with one comparison reversed."""
    wording = FactWording(fact.text)
    if wording.is_doubtful:
        return
    flips = list(_flips_of_words(wording))
    flips += _flips_of_code(wording)
    for flip in case.shuffled(flips):
        if _is_only_mention(wording, flip) and _is_certain(case, fact, wording, flip):
            yield replace_span(fact.text, flip.start, flip.end, flip.after)


def _flips_of_words(wording: FactWording) -> Iterator[ComparisonFlip]:
    for pattern, replacement in _WORD_PATTERNS:
        for match in pattern.finditer(wording.text):
            start, end = match.span()
            if HIDDEN not in wording.plain[start:end]:
                yield ComparisonFlip(start, end, match[0], replacement, is_code=False)


def _flips_of_code(wording: FactWording) -> Iterator[ComparisonFlip]:
    for match in _CODE.finditer(wording.text):
        code = match[1]
        opposite = _LITERALS.get(code) or _reverse(code)
        if opposite:
            start, end = match.span(1)
            yield ComparisonFlip(start, end, code, opposite, is_code=True)


def _reverse(code: str) -> str | None:
    """Reverse a piece of code that is one comparison and nothing else."""
    operators = list(_OPERATOR.finditer(code))
    # These operators hold the word "not", which else is a sign of a compound condition.
    without_negations = code.replace("is not", "is").replace("not in", "in")
    if len(operators) != 1 or _COMPOUND.search(without_negations):
        return None
    operator = operators[0]
    opposite = _OPPOSITES[operator[0]]
    return replace_span(code, operator.start(), operator.end(), opposite)


def _is_only_mention(wording: FactWording, flip: ComparisonFlip) -> bool:
    """Whether the fact names what is compared once only.

    A second mention might contradict the reversal, so that the whole is nonsense instead of false.
    """
    compared: str | None = None
    for match in _CODE.finditer(wording.text):
        if match.start() < flip.start:
            compared = match[0]
    if compared is None:
        return True
    return wording.text.count(compared) == 1


def _is_certain(
    case: MutationCase, fact: FactUnderMutation, wording: FactWording, flip: ComparisonFlip
) -> bool:
    """Whether a reversed comparison makes the fact false.

    It does where the fact is that comparison and nothing else, and where what happens under the
    comparison has one place in the code.
    """
    text_before = wording.text[: flip.start]
    if not wording.is_conditional(flip.start):
        if flip.is_code:
            is_default = _STATED_DEFAULT.search(text_before) is not None
            return _is_one_way(case, fact, flip, is_default=is_default)
        if not wording.conditions and _STATED.search(text_before):
            return True
    return _has_single_place(case, fact, wording, flip)


def _is_one_way(
    case: MutationCase, fact: FactUnderMutation, flip: ComparisonFlip, *, is_default: bool
) -> bool:
    """Whether the code holds a comparison and not its opposite; a default has one value anyway."""
    code = case.code.code_of(fact.entities)
    if not count_occurrences(flip.before, code):
        return False
    return is_default or not count_occurrences(flip.after, code)


def _has_single_place(
    case: MutationCase, fact: FactUnderMutation, wording: FactWording, flip: ComparisonFlip
) -> bool:
    """Whether something else that the fact names stands once in its code, or once as a phrase."""
    code = case.code.code_of(fact.entities)
    text = case.code.text_of(fact.entities)
    for piece in pieces_besides_entities(fact, wording):
        end = piece.place + len(piece.text) + len("``")
        # The piece that is reversed does not count.
        if piece.place <= flip.start < end:
            continue
        is_phrase = " " in piece.text
        if count_occurrences(piece.text, code) == 1:
            return True
        # Quotations from comments and messages are found in the text as it is written.
        if is_phrase and text.count(piece.text) == 1:
            return True
    return False
