"""The rules by which a candidate is accepted, one function each; the first that objects decides."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from goldwright.code_reading.docstrings import content_words, docstring_of
from goldwright.code_reading.requirements import requirements_of
from goldwright.code_reading.target_tiers import tier_objection
from goldwright.plan import Cell
from goldwright.records import FileRange, opening
from goldwright.snapshot.file_names import is_told_by_file_name
from goldwright.snapshot.identifier_leaks import leaked_identifiers, split_identifiers
from goldwright.snapshot.identifiers import code_spans
from goldwright.snapshot.product_code import is_product_code
from goldwright.stages.line_coverage import LineCoverage
from goldwright.stages.screen.near_repeats import repeats
from goldwright.stages.screen.screening_case import ScreeningCase, ScreenRefusal, count_in_cell
from goldwright.stages.screen.twins import twin_of
from goldwright.task_types import definition_of

# The largest share of a query's content words that may stand in a target's docstring, and how many
# they must be to be no chance.
LARGEST_DOCSTRING_SHARE: Final = 0.6
FEWEST_SHARED: Final = 3
# How many queries may open with the same three words.
SAME_OPENING_IN_CELL: Final = 2
SAME_OPENING_IN_BATCH: Final = 8

Rule = Callable[[ScreeningCase], str | None]
"""Returns what is wrong with a draft, or None."""


def screen(case: ScreeningCase) -> ScreenRefusal | None:
    """Apply every rule in turn; None means that the candidate is accepted."""
    for reason, rule in RULES:
        message = rule(case)
        if message is not None:
            return ScreenRefusal(reason, message)
    return None


def leaked_names(case: ScreeningCase) -> tuple[str, ...]:
    """The identifiers of its targets that a query gives away."""
    return leaked_identifiers(case.draft.query_text, case.draft.target_entity_ids)


def may_name_its_target(cell: Cell) -> bool:
    """Whether a query of this cell may hold an identifier of its target."""
    is_allowed = definition_of(cell.task_type).may_name_target_when_easy
    return cell.difficulty == "easy" and is_allowed


def _overflow(case: ScreeningCase) -> str | None:
    if case.room > 0:
        return None
    return f"the cell {case.cell} has no room left"


def _no_target(case: ScreeningCase) -> str | None:
    if case.draft.target_entity_ids:
        return None
    return "no target entity is named"


def _unresolved_target(case: ScreeningCase) -> str | None:
    for target_id in case.draft.target_entity_ids:
        if case.snapshot.entity(target_id) is None:
            return f"{target_id} is no entity of the snapshot"
    return None


def _unread_target(case: ScreeningCase) -> str | None:
    """A question grows out of lines that its Author was shown, and not out of its memory."""
    if case.shown_lines is None:
        return None
    coverage = LineCoverage(case.shown_lines)
    for target in case.targets:
        spans = (FileRange(file=target.path, start=s.first, end=s.last) for s in target.spans)
        if not any(coverage.touches(span) for span in spans):
            return f"no line of {target.entity_id} was read"
    intent = case.draft.intent
    if intent is not None and not coverage.covers(intent.lines):
        return f"the lines of its reason, {intent.lines}, were not read"
    return None


def _identifier_leak(case: ScreeningCase) -> str | None:
    leaked = leaked_names(case)
    if not leaked or may_name_its_target(case.cell):
        return None
    return f"the query holds {leaked[0]!r}, an identifier of its target"


def _split_identifier(case: ScreeningCase) -> str | None:
    """The words of a name in their order are found by any search that splits names."""
    if may_name_its_target(case.cell):
        return None
    split = split_identifiers(case.draft.query_text, case.draft.target_entity_ids)
    return f"the query holds {split[0]!r} word by word" if split else None


def _docstring_wording(case: ScreeningCase) -> str | None:
    """A search of docstrings alone would answer a query that was copied out of one."""
    query_words = content_words(case.draft.query_text)
    word_count = len(query_words)
    for target in case.targets:
        docstring_words = content_words(docstring_of(case.snapshot, target.entity_id))
        shared_count = len(query_words & docstring_words)
        is_large_share = shared_count > LARGEST_DOCSTRING_SHARE * word_count
        if shared_count >= FEWEST_SHARED and is_large_share:
            count = f"{shared_count} of its {word_count} words"
            return f"{count} are those of {target.name}'s docstring"
    return None


def _file_structure(case: ScreeningCase) -> str | None:
    """The list of files would answer a query for the only symbol of a file named after it."""
    if not definition_of(case.cell.task_type).hides_file_named_after_target:
        return None
    for target in case.targets:
        if is_told_by_file_name(target, case.snapshot):
            return f"{target.entity_id} is the only public symbol of a file named after it"
    return None


def _tier(case: ScreeningCase) -> str | None:
    named_entities = tuple(_named_entities(case))
    return tier_objection(case.cell, case.targets, case.snapshot, named_entities)


def _named_entities(case: ScreeningCase) -> Iterator[str]:
    """Yield the ids of what a query names in code marks and does not ask for.

    A name of several definitions names none. Whoever names a class may mean that it is called.
    """
    for mark in code_spans(case.draft.query_text):
        name = mark.removesuffix("()")
        last_name = name.rpartition(".")[2]
        namesakes = case.snapshot.named(last_name)
        meant = [entity for entity in namesakes if f".{entity.name}".endswith(f".{name}")]
        entities = [entity for entity in meant if is_product_code(case.snapshot, entity.path)]
        if len(entities) == 1 and entities[0].entity_id not in case.draft.target_entity_ids:
            yield entities[0].entity_id
            yield f"{entities[0].entity_id}.__init__"


def _unfounded_intent(case: ScreeningCase) -> str | None:
    """No answer would pass the gate for a reason that the code does not show."""
    intent = case.draft.intent
    if intent is None:
        return None
    if case.snapshot.entity(intent.subject) is None:
        return f"the reason is about {intent.subject}, which is no entity of the snapshot"
    if requirements_of(intent, case.snapshot) is None:
        return f"{intent.lines} shows no {intent.kind}"
    return None


def _twin(case: ScreeningCase) -> str | None:
    """No answer is the answer to a question that fits other code just as well."""
    twin = twin_of(case.draft.query_text, case.targets, case.snapshot)
    if twin is None:
        return None
    return f"it fits {twin.entity_id} just as well"


def _spent_target(case: ScreeningCase) -> str | None:
    for target_id in case.draft.target_entity_ids:
        if target_id in case.accepted.spent_targets:
            return f"people turned down a record about {target_id} in an earlier round"
    return None


def _duplicate(case: ScreeningCase) -> str | None:
    question = (case.draft.query_text, case.draft.target_entity_ids)
    # Candidates of all cells: a duplicate in another cell is one as well.
    for candidate in case.accepted.candidates:
        earlier = (candidate.query_text, candidate.target_entity_ids)
        message = repeats(question, earlier)
        if message is not None:
            return f"{message} {candidate.query_id}"
    return None


def _phrasing(case: ScreeningCase) -> str | None:
    """Openings that come again and again would give the task type away."""
    first_words = opening(case.draft.query_text)
    accepted = case.accepted.candidates
    same_opening = [candidate for candidate in accepted if candidate.opening == first_words]
    words = " ".join(first_words)
    in_cell = count_in_cell(same_opening, case.cell)
    if in_cell >= SAME_OPENING_IN_CELL:
        return f"{in_cell} candidates of {case.cell} already open with {words!r}"
    in_batch = len(same_opening)
    if in_batch >= SAME_OPENING_IN_BATCH:
        return f"{in_batch} candidates of the batch already open with {words!r}"
    return None


# Every rule with the reason that rejected records carry. The cheap rules come first, and the later
# ones rely on the earlier: the tier is computed from targets that resolve.
RULES: Final[Sequence[tuple[str, Rule]]] = (
    ("overflow", _overflow),
    ("no_target", _no_target),
    ("unresolved_target", _unresolved_target),
    ("unread_target", _unread_target),
    ("identifier_leak", _identifier_leak),
    ("split_identifier", _split_identifier),
    ("docstring_wording", _docstring_wording),
    ("file_structure", _file_structure),
    ("tier", _tier),
    ("unfounded_intent", _unfounded_intent),
    ("twin", _twin),
    ("spent_target", _spent_target),
    ("duplicate", _duplicate),
    ("phrasing", _phrasing),
)
