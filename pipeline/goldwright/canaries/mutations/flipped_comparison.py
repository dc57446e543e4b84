"""Facts with a comparison the wrong way round."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from goldwright.canaries.mutations.case import MutationCase
from goldwright.canaries.mutations.code_text import count
from goldwright.canaries.mutations.fact_entities import FactUnderMutation, outcomes
from goldwright.canaries.mutations.fact_wording import FactWording

_OPERAND: Final = r"(?= (?:`|\d|zero\b|one\b|two\b|three\b|the\b|its\b|that\b))"
_TURNED: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
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
)
_STATED: Final = re.compile(r"(?:\b(?:is|are|be|equals?|has|have)|`) $")
_OPERATOR: Final = re.compile(
    r"(?<![<>=!\-])(?:<=|>=|==|!=|<|>)(?![<>=])|\bis not\b|\bis\b|\bnot in\b|\bin\b"
)
_OPPOSITE: Final[Mapping[str, str]] = {
    "<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==",
    "is": "is not", "is not": "is", "in": "not in", "not in": "in",
}  # fmt: skip
_TANGLED: Final = re.compile(r"\b(?:and|or|if|else|for|lambda|not(?! in\b))\b|[\"'{}]|:=")
_LITERALS: Final[Mapping[str, str]] = {"True": "False", "False": "True"}


class _ComparisonFlip(NamedTuple):
    start: int
    end: int
    before: str
    after: str
    is_code: bool


def flipped(case: MutationCase, fact: FactUnderMutation) -> Iterator[str]:
    """Yield wordings with one comparison reversed."""
    wording = FactWording(fact.text)
    if wording.is_doubtful:
        return
    for flip in case.mixed([*_turned_words(wording), *_turned_code(wording)]):
        if _has_own_operand(wording, flip) and _is_certain(case, fact, wording, flip):
            yield fact.text[: flip.start] + flip.after + fact.text[flip.end :]


def _turned_words(wording: FactWording) -> Iterator[_ComparisonFlip]:
    for pattern, words in _TURNED:
        for match in pattern.finditer(wording.text):
            if "\0" not in wording.plain[match.start() : match.end()]:
                yield _ComparisonFlip(match.start(), match.end(), match[0], words, is_code=False)


def _turned_code(wording: FactWording) -> Iterator[_ComparisonFlip]:
    for match in re.finditer(r"`([^`]+)`", wording.text):
        opposite = _LITERALS.get(match[1]) or _turned(match[1])
        if opposite:
            yield _ComparisonFlip(match.start(1), match.end(1), match[1], opposite, is_code=True)


def _turned(code: str) -> str | None:
    """Reverse a piece of code that is one comparison and nothing else."""
    found = list(_OPERATOR.finditer(code))
    if len(found) != 1 or _TANGLED.search(code.replace("is not", "is").replace("not in", "in")):
        return None
    start, end = found[0].span()
    return f"{code[:start]}{_OPPOSITE[found[0][0]]}{code[end:]}"


def _has_own_operand(wording: FactWording, flip: _ComparisonFlip) -> bool:
    """Tell whether the fact says nothing else of what is compared, which the reversal might
    contradict.
    """
    pieces = [
        match[0] for match in re.finditer(r"`[^`]+`", wording.text) if match.start() < flip.start
    ]
    return not pieces or wording.text.count(pieces[-1]) == 1


def _is_certain(
    case: MutationCase, fact: FactUnderMutation, wording: FactWording, flip: _ComparisonFlip
) -> bool:
    """Tell whether a reversed comparison makes the fact false.

    It does where the fact is that comparison and no more, or where what happens under it has one
    place in the code.
    """
    code = case.code.of(fact.around)
    if not wording.is_conditional(flip.start):
        if flip.is_code:
            return count(flip.before, code) > 0 and (
                _is_default(wording, flip) or not count(flip.after, code)
            )
        if not wording.conditions and _STATED.search(wording.text[: flip.start]):
            return True
    written = case.code.written(fact.around)
    return any(
        count(piece, code) == 1 or (" " in piece and written.count(piece) == 1)
        for place, piece in outcomes(fact, wording)
        if not place <= flip.start < place + len(piece) + 2
    )


def _is_default(wording: FactWording, flip: _ComparisonFlip) -> bool:
    return re.search(r"\bdefaults? (?:to|is) `$", wording.text[: flip.start]) is not None
