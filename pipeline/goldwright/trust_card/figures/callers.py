"""Whether questions about the callers of something expect all of them."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from goldwright.trust_card.entity_names import called_by
from goldwright.trust_card.estimates import share
from goldwright.trust_card.expected_sets import ExpectedSet, observe_members, observe_sets
from goldwright.trust_card.material import AnsweredQuery, CardMaterial
from goldwright.trust_card.measure import FigureGoal, FigureMeasure, FigureText, Observation
from goldwright.trust_card.prose.sentences import code_marks, quotations

_ASKS_FOR_CALLERS: Final = re.compile(
    r"""
    \b(?: callers | call\ sites?
        | (?:who|what)\ (?:else\ )?(?:calls|uses|depends\ on|relies\ on)\ (?!that\b)
        | (?:is|are)\ (?:it|they)\ (?:used|called)(?!\ for)
        | which\ calls | who\ instantiates
        | (?:where|when)\ (?:is|do\ we)\ (?:the\ )?(?:call|calls|instantiate)
        | (?:where|when)\ is\ [\w.]+\ (?:called|instantiated)
        | who\ (?:else\ )?is\ affected | hand\ it\ down | pass\ it\ on
        | (?:be\ threaded|thread\ .{1,40})\ through
        | which\ (?:functions|code|places|methods)\ (?:would|get|has|have|need|call|use|depend)
    )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)

_SAYS_IT: Final = re.compile(r"\bthat (?:raises|logs|gives|says) [\"“]")
# Shorter texts stand in many places.
_SHORTEST_QUOTATION: Final = 8
_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.\w+)*(?:\(\))?")
# What callers notice is asked of the function alone, and a value is not a function.
_ASKS_FOR_OTHERS: Final = re.compile(
    r"""
    \b(?: (?:do|will|can|are)\ callers | (?:without|to)\ its\ callers | the\ callers\ see
        | take\ .{1,60}\ and\ pass\ it\ on | is\ .{1,60}\ passed,\ and\ where\ is\ it\ used
    )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)


def _caller_sets(material: CardMaterial) -> Iterator[ExpectedSet]:
    for record in material.records:
        if not _asks_for_callers(record.query):
            continue
        subject_id = _subject(record, material)
        if subject_id is None:
            continue
        callers = sorted(material.callers.callers(subject_id) or ())
        missing = [caller for caller in callers if not is_covered(caller, record)]
        title = f"callers of {subject_id}"
        yield ExpectedSet(record.query_id, title, tuple(callers), tuple(missing))


def _asks_for_callers(query: str) -> bool:
    # A name in code marks is asked for as one without.
    plain = query.replace("`", "")
    is_about_callers = _ASKS_FOR_CALLERS.search(plain) is not None
    return is_about_callers and not _ASKS_FOR_OTHERS.search(plain)


def is_covered(entity_id: str, record: AnsweredQuery) -> bool:
    """Whether a record expects an entity, something around it or something inside it."""
    for accepted_id in record.accepted_ids:
        if entity_id == accepted_id:
            return True
        if entity_id.startswith(f"{accepted_id}.") or accepted_id.startswith(f"{entity_id}."):
            return True
    return False


def _subject(record: AnsweredQuery, material: CardMaterial) -> str | None:
    """What the callers are asked of.

    That is what the question names; else the only expected entity that holds what it quotes, such
    as a message; else the one that most of the others call, or the first one that anything calls.
    """
    names = [mark for mark in code_marks(record.query) if _NAME.fullmatch(mark)]
    named_ids = list(_named_subjects(names, material))
    if names:
        # What is named is meant, though nobody may know who calls it: its file may be written in
        # newer syntax than the interpreter's.
        called_ids = (named_id for named_id in named_ids if material.callers.callers(named_id))
        return next(called_ids, None)
    quoted_id = _holder_of_quotation(record, material)
    if quoted_id is not None:
        return quoted_id
    best_id = None
    most_expected = -1
    # What a question describes supports the answer, and its callers are what is asked for.
    for entity_id in record.targets:
        callers = material.callers.callers(entity_id)
        if not callers:
            continue
        expected = sum(is_covered(caller, record) for caller in callers)
        if expected > most_expected:
            best_id = entity_id
            most_expected = expected
    # Of several entities of which none is known to call another, nobody knows whose callers the
    # others are.
    is_clear = most_expected > 0 or len(record.targets) == 1
    return best_id if is_clear else None


def _holder_of_quotation(record: AnsweredQuery, material: CardMaterial) -> str | None:
    """Find the one expected entity that has the text in which a question quotes something."""
    pieces = [piece.strip() for text in quotations(record.query) for piece in text.split("…")]
    longest = max(pieces, key=len, default="")
    # Of who catches what is quoted, the callers are asked, and not of who raises it.
    is_meant = _SAYS_IT.search(record.query) is not None
    if not is_meant or len(longest) < _SHORTEST_QUOTATION:
        return None
    holders: list[str] = []
    for definition in material.code.definitions(material.code.product_paths):
        if definition.entity_id in record.targets:
            span = definition.span
            file_lines = material.code.lines(definition.path)
            code_lines = file_lines[span.first - 1 : span.last]
            if longest in "\n".join(code_lines):
                holders.append(definition.entity_id)
    return holders[0] if len(holders) == 1 else None


def _named_subjects(names: Iterable[str], material: CardMaterial) -> Iterator[str]:
    """Yield the functions and classes that go by some names, each of which means one alone."""
    definitions = material.code.definitions(material.code.product_paths)
    entity_ids = [definition.entity_id for definition in definitions]
    for name in names:
        ids = called_by(name, entity_ids)
        if len(ids) == 1:
            yield ids[0]


def _observe_complete(material: CardMaterial) -> Iterator[Observation]:
    return observe_sets(_caller_sets(material))


def _observe_callers(material: CardMaterial) -> Iterator[Observation]:
    return observe_members(_caller_sets(material))


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "callers_complete",
            "callers complete",
            "Of the questions that ask who calls or uses something, where all callers go or which "
            "of them would have to change: those that expect every sure caller outside tests. A "
            "call is sure where imports, ``self`` or the class of a local name settle it.",
            goal=FigureGoal("at least", 0.95),
        ),
        _observe_complete,
        share,
    ),
    FigureMeasure(
        FigureText(
            "caller_recall",
            "these callers expected",
            "Of all sure callers of these questions together: those that are expected.",
        ),
        _observe_callers,
        share,
    ),
)
