"""Claims of narratives about the whole codebase: which lines bear them, and are they true?"""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.trust_card.entity_names import called_by
from goldwright.trust_card.estimates import share
from goldwright.trust_card.figures.callers import is_covered
from goldwright.trust_card.material import AnsweredQuery, CardMaterial
from goldwright.trust_card.measure import NO_FAULT, FigureMeasure, FigureText, Observation
from goldwright.trust_card.prose.sentences import code_marks, sentences
from goldwright.trust_card.source.callers import CallPlace

_NUMBER_WORDS: Final = "one two three four five six seven eight nine ten eleven twelve".split()
_NUMBERS: Final = {word: number for number, word in enumerate(_NUMBER_WORDS, start=1)}
_NUMBER: Final = rf"(?P<number>\d+|{'|'.join(_NUMBERS)}|a single|only)"
# Claims that nothing calls or uses the subject.
_NONE: Final = re.compile(
    r"""
    \b(?: no\ (?:direct\ |other\ )?(?:callers?|calls?|call\ sites?|users?|uses?)\b
        | (?:nothing|nobody)(?:\ else)?(?:\ in\ the\ \w+)?\ (?:calls|uses)\b
        | (?:never|not)\ (?:directly\ )?(?:called|used)(?:\ directly)?
          \ (?:anywhere|elsewhere|by\ any)
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Claims that this many places or callers there are.
_COUNTED: Final = re.compile(
    rf"""
    \b{_NUMBER}\ (?:other\ )?(?:direct\ )? (?P<counted> places? | callers? | call\ sites? )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Claims about everything that say nothing of callers.
_EVERYTHING: Final = re.compile(
    r"""
    \b(?: (?:nowhere|nothing|nobody|no\ one|anywhere)\ else | only\ place | in\ one\ place
        | (?:nothing|nowhere)\ in\ the\ (?:repository|codebase|project|code)
        | throughout\ the\ (?:repository|codebase|project)
        | (?:in|of|within)\ the\ (?:whole\ |entire\ )(?:repository|codebase|project) )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NOWHERE_ELSE: Final = re.compile(r"\bnowhere else\b", re.IGNORECASE)
# Small letters in front: a name of a module, where classes of the codebase have capitals.
_LIBRARY_NAME: Final = re.compile(r"[a-z_]\w*(?:\.\w+)+")
_LITERAL: Final = re.compile(r"\"[^\"]+\"|'[^']+'")
_ABOUT_CALLS: Final = re.compile(
    r"\b(?:call|caller|use|user|rel(?:y|ies)|depend)\w*\b", re.IGNORECASE
)
_OTHERS: Final = re.compile(r"\b(?:else|other)\b", re.IGNORECASE)
_CONSTRUCTORS: Final = (".__init__", ".__new__")


@dataclass(frozen=True, slots=True)
class _RepositoryClaim:
    """A sentence about the whole codebase.

    Attributes:
        query_id: The record.
        sentence: The sentence.
        most: How many places or callers it says there are at most; None where it counts none.
        counts_callers: Whether it counts callers and not places.
        excepts_expected: Whether it speaks of what is not named already: "nothing else".
        subject_id: The expected entity that it is about; None where it names none.
    """

    query_id: str
    sentence: str
    most: int | None
    counts_callers: bool
    excepts_expected: bool
    subject_id: str | None


def _claims(record: AnsweredQuery) -> Iterator[_RepositoryClaim]:
    for sentence in sentences(record.prose):
        counted = _COUNTED.search(sentence)
        most: int | None = None
        counts_callers = False
        if _NONE.search(sentence):
            most = 0
        elif counted is not None and _ABOUT_CALLS.search(sentence):
            most = _number(counted["number"])
            counts_callers = "caller" in counted["counted"].lower()
        elif not _EVERYTHING.search(sentence):
            continue
        excepts_expected = _OTHERS.search(sentence) is not None
        subject_id = _subject(sentence, record)
        yield _RepositoryClaim(
            query_id=record.query_id,
            sentence=sentence,
            most=most,
            counts_callers=counts_callers,
            excepts_expected=excepts_expected,
            subject_id=subject_id,
        )


def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    return _NUMBERS.get(text.lower(), 1)


def _subject(sentence: str, record: AnsweredQuery) -> str | None:
    """The first expected entity whose name stands in code marks; None where two share a name."""
    for mark in code_marks(sentence):
        namesakes = called_by(mark, record.entity_ids)
        if len(namesakes) == 1:
            return namesakes[0]
        if namesakes:
            return None
    return None


def _places(
    claim: _RepositoryClaim, record: AnsweredQuery, material: CardMaterial
) -> list[CallPlace] | None:
    """The sure places that a claim about calls speaks of; None where they are unknown."""
    subject_id = claim.subject_id
    if claim.most is None or subject_id is None or subject_id.endswith(_CONSTRUCTORS):
        return None
    places = material.callers.places(subject_id)
    if places is None:
        return None
    if claim.excepts_expected:
        return [place for place in places if not _is_named(place, record)]
    return list(places)


def _is_named(place: CallPlace, record: AnsweredQuery) -> bool:
    return place.caller_id is not None and is_covered(place.caller_id, record)


def _is_borne(claim: _RepositoryClaim, record: AnsweredQuery, material: CardMaterial) -> bool:
    """Whether what a claim counts, or calls complete, stands among the expected entities."""
    if claim.most is None and _NOWHERE_ELSE.search(claim.sentence):
        return _is_literal_borne(claim, record, material)
    if not claim.most or claim.subject_id is None:
        return False
    callers = material.callers.callers(claim.subject_id)
    if not callers or not all(is_covered(caller, record) for caller in callers):
        return False
    places = material.callers.places(claim.subject_id) or ()
    return claim.most in {len(callers), len(places)}


def _is_literal_borne(
    claim: _RepositoryClaim, record: AnsweredQuery, material: CardMaterial
) -> bool:
    """Whether a string that is said to stand in one place stands in expected entities alone.

    The same of a function of a library that is said to be called in one place: whatever bears the
    last of its names counts.
    """
    marks = code_marks(claim.sentence)
    literals = [mark for mark in marks if _LITERAL.fullmatch(mark)]
    functions = [mark for mark in marks if _LIBRARY_NAME.fullmatch(mark)]
    lines_of: Callable[[str, ast.Module], Iterator[int]]
    if len(literals) == 1:
        value = literals[0].strip("\"'")
        lines_of = _lines_with
    elif functions and not literals:
        value = functions[0].rpartition(".")[2]
        lines_of = _lines_naming
    else:
        return False
    for path in material.code.product_paths:
        is_mentioned = value in material.code.text(path)
        tree = material.code.parsed(path) if is_mentioned else None
        if tree is None:
            continue
        lines = lines_of(value, tree)
        if not all(_is_expected(path, line, record) for line in lines):
            return False
    return True


def _lines_naming(name: str, tree: ast.Module) -> Iterator[int]:
    """Yield the lines that name something, but for imports."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=used) | ast.Attribute(attr=used) if used == name:
                yield node.lineno
            case _:
                continue


def _lines_with(value: str, tree: ast.Module) -> Iterator[int]:
    """Yield the lines on which a string stands; a list of what a module exports uses nothing."""
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and node.value == value:
                yield node.lineno


def _is_expected(path: str, line: int, record: AnsweredQuery) -> bool:
    for lines in record.answer.expected_line_ranges:
        if lines.file == path and lines.start <= line <= lines.end:
            return True
    return False


def _observe_narratives(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        problem = ""
        for claim in _claims(record):
            if not _is_borne(claim, record, material):
                problem = f"no cited line bears: {claim.sentence}"
                break
        yield Observation.of_fault(record.query_id, problem)


def _observe_claims(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        for claim in _claims(record):
            places = _places(claim, record, material)
            if places is not None:
                yield Observation.of_fault(record.query_id, _contradiction(claim, places))


def _contradiction(claim: _RepositoryClaim, places: Sequence[CallPlace]) -> str:
    """Why a claim is false; empty where the sure places do not show it."""
    count = len(places)
    if claim.counts_callers:
        callers = {place.caller_id for place in places}
        count = len(callers)
    if claim.most is None or count <= claim.most:
        return ""
    first_call = places[0]
    first_place = f"{first_call.path}:{first_call.line}"
    return f"{count} are sure, as {first_place}: {claim.sentence}"


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "repository_claims",
            "narratives that claim of the whole codebase what nothing bears out",
            "Narratives with a sentence such as `no direct caller`, `nowhere else`, `only place`, "
            "`three places`, unless it counts callers that all stand among the expected entities, "
            "or says of a string or of a library's function that it stands or is called nowhere "
            "else, and no other product code has it.",
            goal=NO_FAULT,
        ),
        _observe_narratives,
        share,
    ),
    FigureMeasure(
        FigureText(
            "repository_claims_false",
            "of such claims about callers, contradicted by the code",
            "Of the claims that something has no caller, or so many: those that more sure calls "
            "outside tests contradict.",
            goal=NO_FAULT,
        ),
        _observe_claims,
        share,
    ),
)
