"""The room in which one person reviews: what is shown, what may be said, and how it is written
down.

Every word is checked against the record as it is now and is on disk when the call returns. Nothing
is kept in memory that is not in the file, so a room that is killed and opened again is the same
room.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from unicodedata import normalize

from goldwright.errors import InputError
from goldwright.journal import ReviewLog
from goldwright.plan import Plan
from goldwright.records import (
    AnyReviewEvent,
    CheckFailure,
    Decision,
    DecisionEvent,
    EditedField,
    EditEvent,
    FactCitation,
    HumanVerdict,
    ReviewPass,
    UndoEvent,
    VerdictEvent,
)
from goldwright.records.review_events import LONGEST_NOTE
from goldwright.review.canary_sampling import SampleDraw, draw
from goldwright.review.events import fold_review_events
from goldwright.review.queues import VERDICT_LANES, QueueItem, ReviewQueue, lanes_of
from goldwright.review.record_content import RecordContent
from goldwright.review.review_state import OUT, ReviewState
from goldwright.snapshot import Snapshot
from goldwright.stages.gate import run_gate
from goldwright.stages.stage_files import StageFiles
from goldwright.text import without_hidden

LONGEST_FACT: Final = 2000
LONGEST_NARRATIVE: Final = 8000
MOST_FACTS: Final = 20


class StaleReviewError(InputError):
    """The record is no longer as the person saw it: another tab or reviewer spoke in between."""


@dataclass(frozen=True, slots=True)
class ReviewBatch:
    """The run under review as its files are now; ``is_complete`` once it has done all it can by
    itself.
    """

    plan: Plan
    stage_files: StageFiles
    seed: int
    round: int
    is_complete: bool


@dataclass(frozen=True, slots=True)
class RecordView:
    """What a person had on screen: the digest of the content, and the number of the last word on
    the record.
    """

    content: str
    last: int


@dataclass
class SessionView:
    """The batch and people's words at one moment, as one sitting may see them."""

    batch: ReviewBatch
    review_state: ReviewState
    sitting: ReviewPass

    @cached_property
    def lanes(self) -> tuple[ReviewQueue, ...]:
        """The lanes of this sitting."""
        return lanes_of(self.batch.plan, self.review_state, self.sitting)

    @property
    def items(self) -> tuple[QueueItem, ...]:
        """Every record of every lane, in order."""
        return tuple(item for lane in self.lanes for item in lane.items)

    def item(self, query_id: str) -> QueueItem:
        """Find a record of this sitting.

        Raises:
            InputError: It is not in any of its lanes.
        """
        for item in self.items:
            if item.query_id == query_id:
                return item
        raise InputError(f"{query_id}: is not among the records of this review")

    def next_open(self, after: str | None) -> QueueItem | None:
        """Find the next record without a word: behind the given one, else from the beginning."""
        items = self.items
        place = next((number for number, one in enumerate(items) if one.query_id == after), -1)
        turned = (*items[place + 1 :], *items[: place + 1])
        return next((one for one in turned if one.said is None), None)

    def content(self, query_id: str) -> RecordContent:
        """The record as this sitting sees it.

        Raises:
            InputError: It has no answer.
        """
        content = self.review_state.seen_by(query_id, self.sitting)
        if content is None:
            raise InputError(f"{query_id}: has no answer to review")
        return content

    def seen(self, query_id: str) -> RecordView:
        """What somebody who looks now has seen."""
        last = self.review_state.events.last.get((query_id, self.sitting), 0)
        return RecordView(self.content(query_id).digest, last)


class ReviewSession:
    """One person's sitting over one run."""

    def __init__(
        self,
        read_batch: Callable[[], ReviewBatch],
        reviews: ReviewLog,
        snapshot: Snapshot,
        *,
        reviewer: str,
        sitting: ReviewPass,
        now: Callable[[], str],
        canaries: int = 0,
    ) -> None:
        self.reviewer = reviewer
        self.sitting = sitting
        self.snapshot = snapshot
        self._read_batch = read_batch
        self._reviews = reviews
        self._now = now
        self._canaries = canaries
        self._scene: SessionView | None = None
        self._batch: ReviewBatch | None = None

    def look(self) -> SessionView:
        """Read what is new and give the state of things."""
        batch = self._read_batch()
        changed = self._reviews.refresh()
        if self._scene is None or changed or batch is not self._batch:
            self._batch = batch
            self._scene = SessionView(
                batch,
                ReviewState(batch.stage_files, fold_review_events(self._reviews.events)),
                self.sitting,
            )
        return self._scene

    def draw_sample(self, *, key: str) -> SessionView:
        """Draw the sample if the batch is ready for it and none is drawn; a second call changes
        nothing.
        """
        scene = self.look()
        if scene.review_state.events.sample is None and scene.batch.is_complete:
            drawing = SampleDraw(
                scene.batch.plan,
                scene.review_state,
                scene.batch.seed,
                scene.batch.round,
                self._canaries,
            )
            event = draw(drawing, self.snapshot)
            with self._reviews.turn() as write:
                if fold_review_events(self._reviews.events).sample is None:
                    write(lambda number: event(number, key, self.reviewer, self._now()))
        return self._fresh()

    def give_verdict(
        self,
        query_id: str,
        seen: RecordView,
        verdict: HumanVerdict,
        *,
        key: str,
        note: str | None = None,
        disputed: tuple[str, ...] = (),
        seconds: float = 0.0,
    ) -> AnyReviewEvent:
        """Write a verdict on a record of a verdict lane.

        Raises:
            StaleError: The record is not as the person saw it any more.
            InputError: This verdict cannot be given on it.
        """
        _check_note(note or "")

        def word(scene: SessionView) -> Callable[[int], AnyReviewEvent]:
            item = scene.item(query_id)
            if item.lane not in VERDICT_LANES:
                raise InputError(f"{query_id}: is to be kept, dropped or tried again, not judged")
            self._check_independent(scene, query_id)
            content = self._chosen(scene, query_id, seen)
            self._check_verdict(scene, content, verdict)
            return lambda number: VerdictEvent(
                number=number, key=key, reviewer=self.reviewer, reviewed_at=self._now(), query_id=query_id,
                sitting=self.sitting, content=content.digest, verdict=verdict, note=note, disputed=disputed,
                seconds=seconds,
            )  # fmt: skip

        return self._say(key, word)

    def edit(
        self,
        query_id: str,
        seen: RecordView,
        field: EditedField,
        after: str | tuple[str, ...],
        citations: tuple[FactCitation, ...],
        *,
        key: str,
    ) -> AnyReviewEvent:
        """Change one field of a record as this sitting sees it; ``citations`` are those of all its
        facts afterwards.

        Raises:
            StaleError: The record is not as the person saw it any more.
            InputError: The text is empty or too long, or a fact has no lines.
        """
        _check_text(field, after)

        def word(scene: SessionView) -> Callable[[int], AnyReviewEvent]:
            scene.item(query_id)
            content = self._chosen(scene, query_id, seen)
            _check_citations(content, field, after, citations)
            before = getattr(content.answer, field)
            if before == after and content.answer.fact_citations == citations:
                raise InputError(f"{query_id}: nothing is changed by that")
            return lambda number: EditEvent(
                number=number, key=key, reviewer=self.reviewer, reviewed_at=self._now(), query_id=query_id,
                sitting=self.sitting, content=content.digest, field=field, before=before, after=after,
                citations=citations,
            )  # fmt: skip

        return self._say(key, word)

    def decide(
        self, query_id: str, seen: RecordView, decision: Decision, *, key: str, words: str = ""
    ) -> AnyReviewEvent:
        """Keep, drop or send back a record that the gate or agreement stopped.

        Raises:
            StaleError: The record is not as the person saw it any more.
            InputError: The decision cannot be taken, as when what the gate found still stands.
        """
        _check_note(words)

        def word(scene: SessionView) -> Callable[[int], AnyReviewEvent]:
            if scene.item(query_id).lane in VERDICT_LANES:
                raise InputError(f"{query_id}: wants a verdict, not a decision")
            content = self._chosen(scene, query_id, seen)
            if decision == "keep":
                self._check_gate(content)
            if decision == "retry" and not words.strip():
                raise InputError(f"{query_id}: to try again wants a hint for the Oracle")
            return lambda number: DecisionEvent(
                number=number, key=key, reviewer=self.reviewer, reviewed_at=self._now(), query_id=query_id,
                sitting=self.sitting, content=content.digest, decision=decision, words=words,
            )  # fmt: skip

        return self._say(key, word)

    def undo(self, *, key: str) -> str:
        """Take back the last word of this reviewer in this sitting.

        Returns:
            The id of the record it was about.

        Raises:
            InputError: There is none, or a runner acted on it already.
        """

        def word(scene: SessionView) -> Callable[[int], AnyReviewEvent]:
            last = scene.review_state.events.undoable_by(self.reviewer, self.sitting)
            if last is None:
                raise InputError("there is nothing to take back")
            if (
                isinstance(last, DecisionEvent)
                and last.query_id in scene.review_state.stage_files.rejected.done
            ):
                raise InputError(
                    f"{last.query_id}: the run acted on this already; it cannot be taken back"
                )
            return lambda number: UndoEvent(
                number=number,
                key=key,
                reviewer=self.reviewer,
                reviewed_at=self._now(),
                undoes=last.key,
            )

        event = self._say(key, word)
        undone = self._reviews.find(event.undoes) if isinstance(event, UndoEvent) else None
        if not isinstance(undone, VerdictEvent | EditEvent | DecisionEvent):
            raise InputError(f"the key {key} was used for something else")
        return undone.query_id

    def has_heard(self, key: str) -> bool:
        """Tell whether what was asked for with a key is written already."""
        self.look()
        return self._reviews.find(key) is not None

    def failures(self, content: RecordContent) -> tuple[CheckFailure, ...]:
        """What the gate says against a content that a person changed, or that it failed before."""
        return run_gate(content.answer, self.snapshot)

    def _say(
        self, key: str, word: Callable[[SessionView], Callable[[int], AnyReviewEvent]]
    ) -> AnyReviewEvent:
        """Write one event, once for a key: the whole check is made in the file's own turn."""
        with self._reviews.turn() as write:
            known = self._reviews.find(key)
            if known is not None:
                return known
            event = write(word(self._fresh()))
        self._fresh()
        return event

    def _fresh(self) -> SessionView:
        self._scene = None
        return self.look()

    def _chosen(self, scene: SessionView, query_id: str, seen: RecordView) -> RecordContent:
        now = scene.seen(query_id)
        if seen.last != now.last:
            raise StaleReviewError(
                f"{query_id}: somebody else has spoken on it meanwhile; look again"
            )
        if scene.sitting == "adjudication":
            versions = scene.review_state.versions(query_id)
            if seen.content in versions:
                return versions[seen.content]
        elif seen.content == now.content:
            return scene.content(query_id)
        raise StaleReviewError(f"{query_id}: changed meanwhile; look again")

    def _check_independent(self, scene: SessionView, query_id: str) -> None:
        other: dict[ReviewPass, ReviewPass] = {"first": "second", "second": "first"}
        if self.sitting == "adjudication":
            return
        for said in scene.review_state.events.said:
            in_other = said.query_id == query_id and said.sitting == other[self.sitting]
            if in_other and same_person(said.reviewer, self.reviewer):
                raise InputError(
                    f"{query_id}: {said.reviewer} judged it already; the second look wants another person"
                )

    def _check_verdict(
        self, scene: SessionView, content: RecordContent, verdict: HumanVerdict
    ) -> None:
        original = scene.review_state.original(content.candidate.query_id)
        is_edited = original is not None and original.digest != content.digest
        if is_edited and verdict == "correct":
            raise InputError(
                "somebody changed this record, so it was not correct as it stood: a minor issue at the least"
            )
        if is_edited and verdict not in OUT:
            self._check_gate(content)

    def _check_gate(self, content: RecordContent) -> None:
        failures = self.failures(content)
        if failures:
            first = failures[0]
            more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
            raise InputError(
                f"as it stands, the gate stops it: {first.check}: {first.claim}: {first.message}{more}"
            )


def same_person(one: str, other: str) -> bool:
    """Tell whether two names are one person's, whatever their case, spaces and way of writing
    letters.
    """
    first, second = (normalize("NFKC", without_hidden(name)).casefold() for name in (one, other))
    return first.split() == second.split()


def _check_note(text: str) -> None:
    if len(text) > LONGEST_NOTE:
        raise InputError(f"the note: {len(text)} characters; the most is {LONGEST_NOTE}")


def _check_text(field: EditedField, after: str | tuple[str, ...]) -> None:
    if (field == "canonical_narrative") != isinstance(after, str):
        raise InputError(
            f"{field}: wanted {'one text' if field == 'canonical_narrative' else 'a list of texts'}"
        )
    texts, longest = (
        ((after,), LONGEST_NARRATIVE) if isinstance(after, str) else (after, LONGEST_FACT)
    )
    if len(texts) > MOST_FACTS:
        raise InputError(f"{field}: {len(texts)} facts; the most is {MOST_FACTS}")
    for text in texts:
        if not text.strip():
            raise InputError(f"{field}: a text is empty")
        if len(text) > longest:
            raise InputError(f"{field}: {len(text)} characters; the most is {longest}")


def _check_citations(
    content: RecordContent,
    field: EditedField,
    after: str | tuple[str, ...],
    citations: tuple[FactCitation, ...],
) -> None:
    answer = content.answer.model_copy(update={field: after})
    wanted = [f"fact-{number}" for number in range(1, len(answer.must_mention_facts) + 1)]
    wanted += [f"not-fact-{number}" for number in range(1, len(answer.must_not_mention_facts) + 1)]
    known = {citation.claim_id for citation in citations}
    if missing := [claim_id for claim_id in wanted if claim_id not in known]:
        raise InputError(f"{missing[0]}: has no lines that bear it")
    if extra := sorted(known - set(wanted)):
        raise InputError(f"{extra[0]}: lines of a fact that is not there")
