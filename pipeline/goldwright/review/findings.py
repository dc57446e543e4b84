"""What people found at fault, as sentences that the agents of a next round are told."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from goldwright.records import VerdictEvent, claims_of
from goldwright.review.review_state import ReviewState
from goldwright.text import shorten

# Characters of a claim that a finding quotes: enough to tell it from the other claims.
_LONGEST_CLAIM: Final = 120
_CLAIM_NAMES: Final = {
    "fact": "the must-mention fact",
    "not-fact": "the must-not-mention fact",
    "entity": "the entity",
    "file": "the file",
    "range": "the lines",
    "narrative": "the narrative",
}

# Lessons stand in every prompt of the new run, so there is a limit to them.
MAX_LESSONS: Final = 40

# A dictionary without values, because a set would forget the order.
_OrderedSet = dict[str, None]


def findings_by_record(review_state: ReviewState) -> dict[str, tuple[str, ...]]:
    """The findings on each record that somebody called less than correct, each finding once.

    Canaries are left out: what is wrong with them, the program has put there.
    """
    findings: dict[str, _OrderedSet] = {}
    for (query_id, _), event in sorted(review_state.events.verdicts.items()):
        if event.verdict == "correct" or query_id in review_state.events.canaries:
            continue
        finding = _finding(review_state, event)
        findings.setdefault(query_id, {})[finding] = None
    return {query_id: tuple(ordered) for query_id, ordered in findings.items()}


def failure_modes(findings: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Give all findings, each once: people often note the same fault on several records."""
    unique: _OrderedSet = {}
    for findings_of_record in findings.values():
        unique.update(dict.fromkeys(findings_of_record))
    return tuple(unique)


def lessons_of(findings: Mapping[str, Sequence[str]], shifts: Sequence[str]) -> tuple[str, ...]:
    """Choose what the agents of the batch that replaces another are told was wrong with that one.

    Args:
        findings: What people found on each of its records.
        shifts: Where it differs from the golden dataset, a sentence each.
    """
    lessons = dict.fromkeys([*shifts, *failure_modes(findings)])
    return tuple(lessons)[:MAX_LESSONS]


def _finding(review_state: ReviewState, event: VerdictEvent) -> str:
    cell = review_state.stage_files.cell_of(event.query_id)
    verdict = event.verdict.replace("_", " ")
    heading = f"{cell}, {verdict}"
    texts = _claim_texts(review_state, event.query_id)
    details = list(_disputed_claims(event, texts))
    if event.note:
        details.insert(0, event.note)
    if not details:
        return heading
    explanation = "; ".join(details)
    return f"{heading}: {explanation}"


def _claim_texts(review_state: ReviewState, query_id: str) -> dict[str, str]:
    """The claims of a record by their ids, as the agents wrote them."""
    original = review_state.original(query_id)
    if original is None:
        return {}
    return {claim.claim_id: claim.claim for claim in claims_of(original.answer)}


def _disputed_claims(event: VerdictEvent, texts: Mapping[str, str]) -> Iterator[str]:
    for claim_id in event.disputed:
        # ``not-fact-2`` is of the kind ``not-fact``; ``narrative`` has no number.
        kind = claim_id.rpartition("-")[0] or claim_id
        name = _CLAIM_NAMES.get(kind, kind)
        text = texts.get(claim_id)
        if text is None or kind == "narrative":
            yield f"{name} is at fault"
        else:
            excerpt = shorten(text, _LONGEST_CLAIM)
            yield f"{name} {excerpt!r} is at fault"
