"""On what two reviewers differ: the part of the record, the kind of difference, the verdicts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from goldwright.plan import Cell
from goldwright.records import HumanVerdict
from goldwright.review.record_content import RecordContent
from goldwright.review.review_state import REJECTING_VERDICTS, VERDICTS, ReviewState
from goldwright.review.settlement import Settlement, Settlements, differ

Subject = Literal[
    "question", "entities", "facts", "must-nots", "ranges", "tier", "narrative", "files", "unnamed"
]
"""What differs; ``unnamed`` where neither reviewer pointed at anything that the other did not."""
Severity = Literal["standing", "gravity", "text"]
"""Whether the record may stand, how grave a finding is, or the text alone."""

SUBJECTS: Final[tuple[Subject, ...]] = get_args(Subject)
SEVERITIES: Final[dict[Severity, str]] = {
    "standing": "whether the record may stand",
    "gravity": "how grave a finding is",
    "text": "the text alone, at the same verdict",
}

_SUBJECTS_OF_CLAIMS: Final[dict[str, Subject]] = {
    "question": "question",
    "tier": "tier",
    "entity": "entities",
    "fact": "facts",
    "not-fact": "must-nots",
    "range": "ranges",
    "narrative": "narrative",
    "file": "files",
}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One record on which two reviewers differ, in verdict or in text.

    Attributes:
        query_id: The record.
        cell: Its cell.
        first: The verdict of the first reviewer.
        second: That of the second.
        severity: What kind of difference it is.
        subjects: What differs, each once, in the order of ``SUBJECTS``; at least one.
        claims: The claims that one of the two marked as at fault and the other did not.
        is_settled: Whether an adjudicator has decided.
    """

    query_id: str
    cell: Cell
    first: HumanVerdict
    second: HumanVerdict
    severity: Severity
    subjects: tuple[Subject, ...]
    claims: tuple[str, ...]
    is_settled: bool


@dataclass(frozen=True, slots=True)
class ConfusionRow:
    """How often the second reviewer gave each verdict where the first gave this one."""

    verdict: HumanVerdict
    counts: tuple[int, ...]


def disagreements_of(
    review_state: ReviewState, settlements: Settlements
) -> tuple[Disagreement, ...]:
    """List the records of a sample on which two reviewers differ, by id.

    A record may differ in several parts: in those that one reviewer marked and the other did not,
    and in those of which they left other texts. What a note says is not read.
    """
    disagreements = []
    for query_id, settlement in sorted(settlements.items()):
        if settlement is None:
            continue
        disagreement = _disagreement(review_state, query_id, settlement)
        if disagreement is not None:
            disagreements.append(disagreement)
    return tuple(disagreements)


def confusion_of(pairs: Sequence[tuple[HumanVerdict, HumanVerdict]]) -> tuple[ConfusionRow, ...]:
    """Count pairs of verdicts: a row for each of the first reviewer's, the best first."""
    counts = Counter(pairs)
    rows = []
    for first in VERDICTS:
        row = tuple(counts[first, second] for second in VERDICTS)
        rows.append(ConfusionRow(first, row))
    return tuple(rows)


def prevalence_sentence(rows: Sequence[ConfusionRow]) -> str | None:
    """Say how large a share of all verdicts the most frequent one has; None without verdicts."""
    verdict_counts: Counter[HumanVerdict] = Counter()
    for row in rows:
        verdict_counts[row.verdict] += sum(row.counts)
        counts_of_row = dict(zip(VERDICTS, row.counts, strict=True))
        verdict_counts.update(counts_of_row)
    total = verdict_counts.total()
    if not total:
        return None
    verdict, count = verdict_counts.most_common(1)[0]
    words = verdict.replace("_", " ")
    share = count / total
    return f"Of the {total} verdicts of both {count} are “{words}” ({share:.0%})."


def taxonomy_sentences(disagreements: Sequence[Disagreement]) -> Iterator[str]:
    """Say in how many records each part differs, and name them; nothing where none differs."""
    for subject in SUBJECTS:
        records = [record for record in disagreements if subject in record.subjects]
        if records:
            count = len(records)
            names = ", ".join(map(_name, records))
            yield f"{subject}: {count} ({names})"


def _name(disagreement: Disagreement) -> str:
    if not disagreement.claims:
        return disagreement.query_id
    claims = " ".join(disagreement.claims)
    return f"{disagreement.query_id} at {claims}"


def _disagreement(
    review_state: ReviewState, query_id: str, settlement: Settlement
) -> Disagreement | None:
    first, second = settlement.first, settlement.second
    if first is None or second is None:
        return None
    if not differ(first, second):
        return None
    disputed_by_one = set(first.disputed) ^ set(second.disputed)
    claims = tuple(sorted(disputed_by_one))
    parts = {*_marked(claims), *_edited(review_state, query_id)}
    subjects = tuple(subject for subject in SUBJECTS if subject in parts)
    cell = review_state.stage_files.cell_of(query_id)
    severity = _severity(first.verdict, second.verdict)
    is_settled = settlement.stage == "settled"
    return Disagreement(
        query_id=query_id,
        cell=cell,
        first=first.verdict,
        second=second.verdict,
        severity=severity,
        subjects=subjects or ("unnamed",),
        claims=claims,
        is_settled=is_settled,
    )


def _severity(first: HumanVerdict, second: HumanVerdict) -> Severity:
    if first == second:
        return "text"
    if (first in REJECTING_VERDICTS) != (second in REJECTING_VERDICTS):
        return "standing"
    return "gravity"


def _marked(claims: Sequence[str]) -> Iterator[Subject]:
    for claim in claims:
        kind = claim.rpartition("-")[0] or claim
        if kind in _SUBJECTS_OF_CLAIMS:
            yield _SUBJECTS_OF_CLAIMS[kind]


def _edited(review_state: ReviewState, query_id: str) -> Iterator[Subject]:
    first = review_state.seen_by(query_id, "first")
    second = review_state.seen_by(query_id, "second")
    if first is None or second is None:
        return
    parts = _parts(second)
    for subject, value in _parts(first).items():
        if value != parts[subject]:
            yield subject


def _parts(content: RecordContent) -> dict[Subject, object]:
    answer = content.answer
    citations = answer.fact_citations
    false = [citation for citation in citations if citation.claim_id.startswith("not-")]
    true = [citation for citation in citations if citation not in false]
    facts = (answer.must_mention_facts, true)
    must_nots = (answer.must_not_mention_facts, false)
    return {
        "question": content.candidate.query_text,
        "entities": answer.expected_entities,
        "facts": facts,
        "must-nots": must_nots,
        "ranges": answer.expected_line_ranges,
        "narrative": answer.canonical_narrative,
    }
