"""The queues of records that wait for a person, and why each record is in its queue."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.plan import Cell, Plan
from goldwright.records import GateFailure, ReviewPass, VerdictEvent
from goldwright.review.outside_the_sample import needing_a_look
from goldwright.review.passes import ADJUDICATION, FIRST, SECOND
from goldwright.review.review_state import ReviewState
from goldwright.stages.fates import RecordFate, record_fates
from goldwright.text import counted

QueueName = Literal["sample", "look", "queued", "failed_gate", "adjudication", "practice"]

TITLES: Final[dict[QueueName, str]] = {
    "sample": "Sample",
    "look": "Look at each",
    "queued": "Queued",
    "failed_gate": "Failed the gate",
    "adjudication": "Reviewers differ",
    "practice": "Practice",
}
VERDICT_QUEUES: Final[frozenset[QueueName]] = frozenset({"sample", "look", "adjudication"})
"""The queues whose records get a verdict; those of the others get a decision."""


@dataclass(frozen=True, slots=True)
class QueueItem:
    """One record of a queue.

    Attributes:
        query_id: The record.
        cell: Its cell.
        queue: The queue it is in.
        why: The reasons why it is there, for people.
        judgement: The verdict or decision of this pass; None while there is none.
    """

    query_id: str
    cell: Cell
    queue: QueueName
    why: tuple[str, ...]
    judgement: str | None

    @property
    def is_open(self) -> bool:
        """Whether the record still waits for a verdict or decision of this pass."""
        return self.judgement is None


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """Records that wait for one reason, in the order in which they are shown."""

    name: QueueName
    items: tuple[QueueItem, ...]

    @property
    def title(self) -> str:
        """The name of the queue for people."""
        return TITLES[self.name]

    @property
    def done(self) -> int:
        """How many records have a verdict or decision of this pass."""
        return sum(not item.is_open for item in self.items)


def review_queues(
    plan: Plan, review_state: ReviewState, review_pass: ReviewPass
) -> tuple[ReviewQueue, ...]:
    """Sort the records that wait for a person into the queues of a pass.

    A second reviewer sees nothing but the sample, an adjudicator nothing but disputed records.
    """
    if review_pass == ADJUDICATION:
        disputed = tuple(_disputed(review_state))
        return (ReviewQueue("adjudication", disputed),)
    sampled = tuple(_sampled(review_state, review_pass))
    sample = ReviewQueue("sample", sampled)
    if review_pass == SECOND:
        return (sample,)
    to_look_at = tuple(_to_look_at(plan, review_state))
    # Fates before people decided: a stopped record stays in its queue, to be decided again.
    fates = record_fates(plan, review_state.stage_files)
    queued = tuple(_stopped(review_state, fates, "queued"))
    failed_gate = tuple(_stopped(review_state, fates, "failed_gate"))
    return (
        sample,
        ReviewQueue("look", to_look_at),
        ReviewQueue("queued", queued),
        ReviewQueue("failed_gate", failed_gate),
    )


def _sampled(review_state: ReviewState, review_pass: ReviewPass) -> Iterator[QueueItem]:
    events = review_state.events
    rejected = review_state.stage_files.rejected.done
    standing = {query_id for query_id in events.sampled if query_id not in rejected}
    sizes = _population_by_cell(review_state)
    # One order and one reason for all, so that canaries do not stand out.
    for query_id in sorted(standing | events.canaries.keys()):
        cell = review_state.stage_files.cell_of(query_id)
        stratum = counted(sizes[cell], "record")
        why = f"drawn by chance to stand for the {stratum} of {cell}"
        verdict = _verdict(review_state, query_id, review_pass)
        yield QueueItem(query_id, cell, "sample", (why,), verdict)


def _population_by_cell(review_state: ReviewState) -> Counter[Cell]:
    sizes: Counter[Cell] = Counter()
    sample = review_state.events.sample
    if sample is None:
        return sizes
    for record in sample.population:
        sizes[review_state.stage_files.cell_of(record.query_id)] += 1
    return sizes


def _to_look_at(plan: Plan, review_state: ReviewState) -> Iterator[QueueItem]:
    """The records outside the sample that one reviewer looks at, or has looked at."""
    if review_state.events.sample is None:
        return
    reasons: dict[str, str] = {}
    for query_id in _looked_at(review_state):
        reasons[query_id] = "it wanted a look, and has had one"
    fates = record_fates(plan, review_state.stage_files, review_state.rulings)
    # The reason why a record needs a look stays with it after the look, and replaces the other.
    reasons.update(needing_a_look(review_state, fates))
    for query_id, reason in sorted(reasons.items()):
        cell = review_state.stage_files.cell_of(query_id)
        verdict = _verdict(review_state, query_id, FIRST)
        yield QueueItem(query_id, cell, "look", (reason,), verdict)


def _looked_at(review_state: ReviewState) -> set[str]:
    """The records outside the sample that a first reviewer has judged.

    One that they turned down has no place in the dataset any more, but stays here to be corrected.
    """
    events = review_state.events
    judged = {query_id for query_id, review_pass in events.verdicts if review_pass == FIRST}
    return judged.difference(events.sampled, events.canaries)


def _stopped(
    review_state: ReviewState,
    fates: tuple[RecordFate, ...],
    queue: Literal["queued", "failed_gate"],
) -> Iterator[QueueItem]:
    for record in fates:
        query_id = record.query_id
        if record.fate == queue and review_state.original(query_id) is not None:
            why = stop_reasons(review_state, query_id)
            decision = _decision(review_state, query_id)
            yield QueueItem(query_id, record.cell, queue, why, decision)


def stop_reasons(review_state: ReviewState, query_id: str) -> tuple[str, ...]:
    """Say why a record stopped at the gate, or what agreement or a judge had against it."""
    gate_failure = review_state.stage_files.failures.done.get(query_id)
    if gate_failure is not None:
        return tuple(_describe_failures(gate_failure))
    queued = review_state.stage_files.queue.done.get(query_id)
    if queued is None:
        return ()
    return distinct_reasons(queued.reasons)


def distinct_reasons(reasons: Sequence[str]) -> tuple[str, ...]:
    """Leave out what is said of the same claim in the same words under another code."""
    by_words: dict[str, str] = {}
    for reason in reasons:
        code, separator, words = reason.partition(": ")
        has_code = separator != "" and code.isidentifier()
        by_words.setdefault(words if has_code else reason, reason)
    return tuple(by_words.values())


def _describe_failures(gate_failure: GateFailure) -> Iterator[str]:
    for failure in gate_failure.failures:
        yield f"{failure.check}: {failure.claim}: {failure.message}"


def _disputed(review_state: ReviewState) -> Iterator[QueueItem]:
    """The records on which two reviewers differ, those that an adjudicator settled too."""
    for query_id in review_state.events.sampled:
        settlement = review_state.settlement(query_id, twice=True)
        if settlement is None or settlement.first is None or settlement.second is None:
            continue
        if settlement.stage != "disputed" and settlement.adjudication is None:
            continue
        cell = review_state.stage_files.cell_of(query_id)
        first = _describe_verdict(review_state, "First", settlement.first)
        second = _describe_verdict(review_state, "Second", settlement.second)
        verdict = _word_of(settlement.adjudication)
        yield QueueItem(query_id, cell, "adjudication", (first, second), verdict)


def _describe_verdict(review_state: ReviewState, who: str, event: VerdictEvent) -> str:
    """What a reviewer said, as in ``First reviewer (Ada): minor issue; too short; edits: 1``."""
    word = event.verdict.replace("_", " ")
    parts = [f"{who} reviewer ({event.reviewer}): {word}"]
    if event.note:
        parts.append(event.note)
    edits = review_state.events.edits_of(event.query_id, event.sitting)
    if edits:
        parts.append(f"edits: {len(edits)}")
    if event.disputed:
        claim_ids = ", ".join(event.disputed)
        parts.append(f"points at {claim_ids}")
    return "; ".join(parts)


def _verdict(review_state: ReviewState, query_id: str, review_pass: ReviewPass) -> str | None:
    return _word_of(review_state.verdict(query_id, review_pass))


def _word_of(event: VerdictEvent | None) -> str | None:
    if event is None:
        return None
    return event.verdict


def _decision(review_state: ReviewState, query_id: str) -> str | None:
    """The decision on a stopped record, if it was taken on the content as it is."""
    event = review_state.events.decisions.get(query_id)
    content = review_state.seen_by(query_id, FIRST)
    if event is None or content is None or event.content != content.digest:
        return None
    return event.decision
