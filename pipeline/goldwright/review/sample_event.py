"""What a sample event records: the population, who is drawn, and the canaries hidden among them."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from goldwright.canaries.kinds import KINDS
from goldwright.canaries.mutations import AnsweredCandidate, FalsifiedAnswer, falsify
from goldwright.plan import Cell, Plan
from goldwright.records import CanaryKind, ReviewCanary, SampledRecord, SampleEvent
from goldwright.review.review_state import ReviewState
from goldwright.review.sampling import draw_further, draw_sample
from goldwright.snapshot import Snapshot
from goldwright.stages.context import without_authorship
from goldwright.stages.fates import record_fates

# What the rest of an answer does not give away: narrative and facts agree, or the claim is what it
# was and its lines are others. The other kinds falsify one fact of several, which who holds it
# against the narrative notices without a look at the code.
_COHERENT_KINDS: Final[tuple[CanaryKind, ...]] = (
    "inverted_guard",
    "shifted_lines",
    "missing_member",
    "missed_question",
)


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """What a sample is drawn from.

    Attributes:
        plan: The plan of the run; it sets the size of the sample.
        review_state: The records and the review events so far.
        run: The name of the run, which decides what is drawn: another run of the same plan, seed
            and codebase draws other records, or whoever knew its sample would know theirs.
        round: The number of this look at the batch, from 1.
        canaries: The number of falsified answers to hide in the sample, as far as the answers
            outside it allow.
    """

    plan: Plan
    review_state: ReviewState
    run: str
    round: int
    canaries: int


@dataclass(frozen=True, slots=True)
class SampleDraw:
    """A drawn sample, before it becomes an event.

    Attributes:
        round: The number of this look at the batch, from 1.
        population: All selected records, in the order of their ids.
        drawn: Those of the population that people review.
        canaries: Falsified answers of records outside the sample.
        extends: The number of the sample event that it adds to; None for a draw of its own.
    """

    round: int
    population: tuple[SampledRecord, ...]
    drawn: tuple[SampledRecord, ...]
    canaries: tuple[ReviewCanary, ...]
    extends: int | None = None

    def as_event(self, number: int, key: str, reviewer: str, reviewed_at: str) -> SampleEvent:
        """Make the event that records this draw."""
        return SampleEvent(
            number=number,
            key=key,
            reviewer=reviewer,
            reviewed_at=reviewed_at,
            round=self.round,
            population=self.population,
            drawn=self.drawn,
            canaries=self.canaries,
            extends=self.extends,
        )


def draw_sample_with_canaries(request: SampleRequest, snapshot: Snapshot) -> SampleDraw:
    """Draw the sample of a batch and falsify answers to hide among it."""
    selected = _selected(request)
    # Round and purpose are part of every seed, so no draw says anything about another one.
    seed = f"{request.run}:sample:{request.round}"
    cells = list(selected.items())
    drawn_ids = frozenset(draw_sample(cells, request.plan, seed=seed))
    population: list[SampledRecord] = []
    drawn: list[SampledRecord] = []
    outside_ids: list[str] = []
    for query_id in sorted(selected):
        record = _sampled_record(request.review_state, query_id)
        population.append(record)
        if query_id in drawn_ids:
            drawn.append(record)
        else:
            outside_ids.append(query_id)
    canaries = _falsify_some(request, outside_ids, snapshot)
    return SampleDraw(request.round, tuple(population), tuple(drawn), tuple(canaries))


def add_to_sample(
    sample: SampleEvent, count: int, request: SampleRequest, snapshot: Snapshot
) -> SampleDraw:
    """Draw more records of the same batch, and hide more falsified answers among them.

    Args:
        sample: The sample so far; what people said of it counts on.
        count: How many records to add.
        request: As for the first draw; its round is that of the larger sample.
        snapshot: The codebase.
    """
    stage_files = request.review_state.stage_files
    planted = {canary.query_id for canary in sample.canaries}
    drawn_ids = {record.query_id for record in sample.drawn}
    # A record whose answer was falsified cannot be shown as it is to those who saw it falsified.
    sound_ids = [record.query_id for record in sample.population if record.query_id not in planted]
    population = [(query_id, stage_files.cell_of(query_id)) for query_id in sound_ids]
    seed = f"{request.run}:sample:{request.round}"
    further_ids = draw_further(population, drawn_ids, request.plan, count, seed=seed)
    drawn_ids.update(further_ids)
    drawn = tuple(record for record in sample.population if record.query_id in drawn_ids)
    outside_ids = [query_id for query_id, _ in population if query_id not in drawn_ids]
    more_canaries = _falsify_some(request, outside_ids, snapshot)
    canaries = (*sample.canaries, *more_canaries)
    return SampleDraw(request.round, sample.population, drawn, canaries, extends=sample.number)


def _selected(request: SampleRequest) -> dict[str, Cell]:
    """The records that the run itself selected; those that a person kept were looked at already."""
    rulings = request.review_state.rulings
    fates = record_fates(request.plan, request.review_state.stage_files, rulings)
    selected: dict[str, Cell] = {}
    for record in fates:
        if record.fate == "pending" and record.query_id not in rulings.reinstated:
            selected[record.query_id] = record.cell
    return selected


def _sampled_record(review_state: ReviewState, query_id: str) -> SampledRecord:
    content = review_state.original(query_id)
    if content is None:
        raise ValueError(f"{query_id} was selected without an answer")
    return SampledRecord(query_id=query_id, content=content.digest)


def _falsify_some(
    request: SampleRequest, query_ids: Sequence[str], snapshot: Snapshot
) -> list[ReviewCanary]:
    seed = f"{request.run}:canaries:{request.round}"
    chance = Random(seed)  # noqa: S311  # draws a sample, no secret
    stage_files = request.review_state.stage_files
    answers = stage_files.answers.done
    # An answer its Oracle was unsure of may be wrong already, so it would prove nothing.
    confident_ids = [query_id for query_id in query_ids if answers[query_id].confidence != "low"]
    chance.shuffle(confident_ids)
    canaries: dict[str, ReviewCanary] = {}
    other_kinds = tuple(kind for kind in KINDS if kind not in _COHERENT_KINDS)
    for kinds in (deque(_COHERENT_KINDS), deque(other_kinds)):
        for query_id in confident_ids:
            if len(canaries) == request.canaries:
                break
            if query_id in canaries:
                continue
            candidate = stage_files.candidates.done[query_id]
            record = AnsweredCandidate(candidate, answers[query_id])
            falsified = falsify_by_first_kind(record, snapshot, kinds, chance)
            if falsified is not None:
                canaries[query_id] = _review_canary(query_id, falsified)
                # Each canary begins with the next kind: all come up about equally often.
                kinds.rotate(-1)
    return list(canaries.values())


def falsify_by_first_kind(
    record: AnsweredCandidate, snapshot: Snapshot, kinds: Iterable[CanaryKind], chance: Random
) -> FalsifiedAnswer | None:
    """Falsify an answer by the first kind that it gives ground for; None where there is none."""
    for kind in kinds:
        falsified = falsify(record, snapshot, kind, chance)
        # What the gate stops never comes before people.
        if falsified is not None and not falsified.gate_failures:
            return falsified
    return None


def _review_canary(query_id: str, falsified: FalsifiedAnswer) -> ReviewCanary:
    answer = without_authorship(falsified.answer)
    return ReviewCanary(
        query_id=query_id,
        kind=falsified.kind,
        claim_id=falsified.claim_id,
        what=falsified.what,
        answer=answer,
    )
