"""Choosing practice records: some as the agents left them, some falsified, none of the sample."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from goldwright.canaries.kinds import KINDS
from goldwright.canaries.mutations import AnsweredCandidate, FalsifiedAnswer
from goldwright.records import (
    AnswerDraft,
    CanaryKind,
    FileRange,
    OracleAnswer,
    PracticeRecord,
)
from goldwright.review.outside_the_sample import needing_a_look
from goldwright.review.review_state import ReviewState
from goldwright.review.sample_event import falsify_by_first_kind
from goldwright.review.session_view import ReviewBatch
from goldwright.snapshot import Snapshot
from goldwright.stages.context import without_authorship
from goldwright.stages.fates import SURVIVING_FATES, Fate, record_fates

ROUND_SIZE: Final = 5
"""How many records a round has, where the batch holds that many beside its sample."""

# One sound and one falsified: with fewer, a round teaches that every record is alike.
FEWEST_RECORDS: Final = 2
# Of five, so that nobody can work out the last word from the first four.
_FALSIFIED_OF_FIVE: Final = (2, 3)


@dataclass(frozen=True, slots=True)
class PracticeRequest:
    """What practice records are chosen from.

    Attributes:
        batch: The batch; its sample is drawn.
        review_state: The records and the review events so far.
        attempt: Which round of the person it is, from 1; each round is another choice.
        known_ids: The records that the person has practised on before.
    """

    batch: ReviewBatch
    review_state: ReviewState
    attempt: int
    known_ids: frozenset[str] = frozenset()


def practice_pool(batch: ReviewBatch, review_state: ReviewState) -> dict[str, Fate]:
    """The records that may be practised on, by id: no word on them is wanted that counts.

    Canaries stand for records outside the sample, and to show such a record would give them away.
    """
    events = review_state.events
    answers = review_state.stage_files.answers.done
    fates = record_fates(batch.plan, review_state.stage_files, review_state.rulings)
    spoken_for = {*events.sampled, *events.canaries, *events.decisions}
    spoken_for.update(query_id for query_id, _ in events.verdicts)
    spoken_for.update(needing_a_look(review_state, fates))
    pool: dict[str, Fate] = {}
    for record in fates:
        query_id = record.query_id
        if record.fate not in SURVIVING_FATES or query_id in spoken_for:
            continue
        # An answer its Oracle was unsure of may be wrong already, in reserve too.
        if answers[query_id].confidence != "low":
            pool[query_id] = record.fate
    return pool


def round_size(batch: ReviewBatch, review_state: ReviewState) -> int:
    """How many records a round of a batch has; 0 where the batch holds too few."""
    size = min(ROUND_SIZE, len(practice_pool(batch, review_state)))
    return size if size >= FEWEST_RECORDS else 0


def choose_practice(request: PracticeRequest, snapshot: Snapshot) -> tuple[PracticeRecord, ...]:
    """Choose the records of a round by the name of the run.

    Returns:
        The records in the order in which they are shown; none where the batch holds too few beside
        its sample, or gives no ground to falsify any of them.
    """
    batch = request.batch
    seed = f"{batch.run}:training:{batch.round}:{request.attempt}"
    chance = Random(seed)  # noqa: S311  # draws practice records, no secret
    fates = practice_pool(batch, request.review_state)
    pool = list(fates)
    chance.shuffle(pool)

    def rank(query_id: str) -> tuple[bool, bool]:
        # What the person knows comes last; before it what is in reserve, for it may yet come in,
        # and wants a look then.
        return query_id in request.known_ids, fates[query_id] == "reserve"

    pool.sort(key=rank)
    size = min(ROUND_SIZE, len(pool))
    if size < FEWEST_RECORDS:
        return ()
    falsified_count = chance.choice(_FALSIFIED_OF_FIVE) if size == ROUND_SIZE else size // 2
    falsified = _falsify(request.review_state, pool, falsified_count, snapshot, chance)
    if not falsified:
        return ()
    sound_ids = [query_id for query_id in pool if query_id not in falsified]
    sound_count = size - len(falsified)
    shown_ids = [*falsified, *sound_ids[:sound_count]]
    chance.shuffle(shown_ids)
    answers = request.review_state.stage_files.answers.done
    records: list[PracticeRecord] = []
    for place, query_id in enumerate(shown_ids, start=1):
        lie = falsified.get(query_id)
        record = _record(place, answers[query_id], lie, snapshot)
        records.append(record)
    return tuple(records)


def _falsify(
    review_state: ReviewState,
    pool: Sequence[str],
    count: int,
    snapshot: Snapshot,
    chance: Random,
) -> dict[str, FalsifiedAnswer]:
    """Falsify some of the first records that give ground for it, each in another way."""
    candidates = review_state.stage_files.candidates.done
    answers = review_state.stage_files.answers.done
    falsified: dict[str, FalsifiedAnswer] = {}
    kinds = deque(_kinds(chance))
    for query_id in pool:
        if len(falsified) == count:
            break
        record = AnsweredCandidate(candidates[query_id], answers[query_id])
        lie = falsify_by_first_kind(record, snapshot, kinds, chance)
        if lie is not None:
            falsified[query_id] = lie
            kinds.remove(lie.kind)
            kinds.append(lie.kind)
    return falsified


def _kinds(chance: Random) -> list[CanaryKind]:
    """The order in which kinds are tried: an answer that misses its question is hardest to see."""
    kinds: list[CanaryKind] = [kind for kind in KINDS if kind != "missed_question"]
    chance.shuffle(kinds)
    return ["missed_question", *kinds]


def _record(
    place: int, answer: OracleAnswer, lie: FalsifiedAnswer | None, snapshot: Snapshot
) -> PracticeRecord:
    if lie is None:
        return PracticeRecord(
            place=place, query_id=answer.query_id, kind=None, answer=without_authorship(answer)
        )
    seen_at = _seen_at(answer, lie, snapshot)
    shown_answer = without_authorship(lie.answer)
    return PracticeRecord(
        place=place,
        query_id=answer.query_id,
        kind=lie.kind,
        claim_id=lie.claim_id,
        before=lie.before,
        after=lie.after,
        seen_at=seen_at,
        answer=shown_answer,
    )


def _seen_at(
    answer: OracleAnswer, lie: FalsifiedAnswer, snapshot: Snapshot
) -> tuple[FileRange, ...]:
    """The lines that show what is wrong."""
    left_out = snapshot.entity(lie.left_out) if lie.left_out else None
    if left_out is not None:
        path = left_out.path
        return tuple(FileRange(file=path, start=at.first, end=at.last) for at in left_out.spans)
    kind, _, number = lie.claim_id.rpartition("-")
    if kind == "range":
        return (answer.expected_line_ranges[int(number) - 1],)
    # Lines that were shifted are the ones to compare with; other claims keep theirs, except one
    # that was put in the place of another.
    cited: AnswerDraft = lie.answer if lie.kind == "false_fact" else answer
    citations = [cite for cite in cited.fact_citations if cite.claim_id == lie.claim_id]
    lines = [FileRange(file=cite.file, start=cite.start, end=cite.end) for cite in citations]
    return tuple(lines) or answer.expected_line_ranges
