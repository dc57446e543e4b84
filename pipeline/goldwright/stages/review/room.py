"""The room in which one person reviews: what is shown, what may be said, and how it is written down.

Every word is checked against the record as it is now and is on disk when the call returns. Nothing is kept
in memory that is not in the file, so a room that is killed and opened again is the same room.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from unicodedata import normalize

from goldwright.errors import InputError
from goldwright.journal import ReviewsFile
from goldwright.plan import Plan
from goldwright.records import (
    Decision,
    EditedField,
    FactCitation,
    Failure,
    FieldEdited,
    HumanReview,
    PersonVerdict,
    RecordDecided,
    Sitting,
    Undone,
    VerdictGiven,
)
from goldwright.records.person import LONGEST_NOTE
from goldwright.snapshot import Snapshot
from goldwright.snapshot.visible import without_hidden
from goldwright.stages.casework import Books
from goldwright.stages.gate import gate
from goldwright.stages.review.cases import OUT, Cases
from goldwright.stages.review.content import Content
from goldwright.stages.review.lanes import VERDICT_LANES, Item, Lane, lanes_of
from goldwright.stages.review.planting import Drawing, draw
from goldwright.stages.review.words import words_of

LONGEST_FACT: Final = 2000
LONGEST_NARRATIVE: Final = 8000
MOST_FACTS: Final = 20


class StaleError(InputError):
    """The record is no longer as the person saw it: another tab or reviewer spoke in between."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The run under review as its files are now; ``is_complete`` once it has done all it can by itself."""

    plan: Plan
    books: Books
    seed: int
    round: int
    is_complete: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """What a person had on screen: the digest of the content, and the number of the last word on the record."""

    content: str
    last: int


@dataclass
class Scene:
    """The batch and people's words at one moment, as one sitting may see them."""

    batch: Batch
    cases: Cases
    sitting: Sitting

    @cached_property
    def lanes(self) -> tuple[Lane, ...]:
        """The lanes of this sitting."""
        return lanes_of(self.batch.plan, self.cases, self.sitting)

    @property
    def items(self) -> tuple[Item, ...]:
        """Every record of every lane, in order."""
        return tuple(item for lane in self.lanes for item in lane.items)

    def item(self, query_id: str) -> Item:
        """Find a record of this sitting.

        Raises:
            InputError: It is not in any of its lanes.
        """
        for item in self.items:
            if item.query_id == query_id:
                return item
        raise InputError(f"{query_id}: is not among the records of this review")

    def next_open(self, after: str | None) -> Item | None:
        """Find the next record without a word: behind the given one, else from the beginning."""
        items = self.items
        place = next((number for number, one in enumerate(items) if one.query_id == after), -1)
        turned = (*items[place + 1 :], *items[: place + 1])
        return next((one for one in turned if one.said is None), None)

    def content(self, query_id: str) -> Content:
        """The record as this sitting sees it.

        Raises:
            InputError: It has no answer.
        """
        content = self.cases.seen_by(query_id, self.sitting)
        if content is None:
            raise InputError(f"{query_id}: has no answer to review")
        return content

    def seen(self, query_id: str) -> Seen:
        """What somebody who looks now has seen."""
        last = self.cases.words.last.get((query_id, self.sitting), 0)
        return Seen(self.content(query_id).digest, last)


class Room:
    """One person's sitting over one run."""

    def __init__(
        self,
        read_batch: Callable[[], Batch],
        reviews: ReviewsFile,
        snapshot: Snapshot,
        *,
        reviewer: str,
        sitting: Sitting,
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
        self._scene: Scene | None = None
        self._batch: Batch | None = None

    def look(self) -> Scene:
        """Read what is new and give the state of things."""
        batch = self._read_batch()
        changed = self._reviews.refresh()
        if self._scene is None or changed or batch is not self._batch:
            self._batch = batch
            self._scene = Scene(batch, Cases(batch.books, words_of(self._reviews.events)), self.sitting)
        return self._scene

    def draw_sample(self, *, key: str) -> Scene:
        """Draw the sample if the batch is ready for it and none is drawn; a second call changes nothing."""
        scene = self.look()
        if scene.cases.words.sample is None and scene.batch.is_complete:
            drawing = Drawing(scene.batch.plan, scene.cases, scene.batch.seed, scene.batch.round, self._canaries)
            event = draw(drawing, self.snapshot)
            with self._reviews.turn() as write:
                if words_of(self._reviews.events).sample is None:
                    write(lambda number: event(number, key, self.reviewer, self._now()))
        return self._fresh()

    def give_verdict(
        self,
        query_id: str,
        seen: Seen,
        verdict: PersonVerdict,
        *,
        key: str,
        note: str | None = None,
        disputed: tuple[str, ...] = (),
        seconds: float = 0.0,
    ) -> HumanReview:
        """Write a verdict on a record of a verdict lane.

        Raises:
            StaleError: The record is not as the person saw it any more.
            InputError: This verdict can not be given on it.
        """
        _check_note(note or "")

        def word(scene: Scene) -> Callable[[int], HumanReview]:
            item = scene.item(query_id)
            if item.lane not in VERDICT_LANES:
                raise InputError(f"{query_id}: is to be kept, dropped or tried again, not judged")
            self._check_independent(scene, query_id)
            content = self._chosen(scene, query_id, seen)
            self._check_verdict(scene, content, verdict)
            return lambda number: VerdictGiven(
                number=number, key=key, reviewer=self.reviewer, reviewed_at=self._now(), query_id=query_id,
                sitting=self.sitting, content=content.digest, verdict=verdict, note=note, disputed=disputed,
                seconds=seconds,
            )  # fmt: skip

        return self._say(key, word)

    def edit(
        self,
        query_id: str,
        seen: Seen,
        field: EditedField,
        after: str | tuple[str, ...],
        citations: tuple[FactCitation, ...],
        *,
        key: str,
    ) -> HumanReview:
        """Change one field of a record as this sitting sees it; ``citations`` are those of all its facts afterwards.

        Raises:
            StaleError: The record is not as the person saw it any more.
            InputError: The text is empty or too long, or a fact has no lines.
        """
        _check_text(field, after)

        def word(scene: Scene) -> Callable[[int], HumanReview]:
            scene.item(query_id)
            content = self._chosen(scene, query_id, seen)
            _check_citations(content, field, after, citations)
            before = getattr(content.answer, field)
            if before == after and content.answer.fact_citations == citations:
                raise InputError(f"{query_id}: nothing is changed by that")
            return lambda number: FieldEdited(
                number=number, key=key, reviewer=self.reviewer, reviewed_at=self._now(), query_id=query_id,
                sitting=self.sitting, content=content.digest, field=field, before=before, after=after,
                citations=citations,
            )  # fmt: skip

        return self._say(key, word)

    def decide(self, query_id: str, seen: Seen, decision: Decision, *, key: str, words: str = "") -> HumanReview:
        """Keep, drop or send back a record that the gate or agreement stopped.

        Raises:
            StaleError: The record is not as the person saw it any more.
            InputError: The decision can not be taken, as when what the gate found still stands.
        """
        _check_note(words)

        def word(scene: Scene) -> Callable[[int], HumanReview]:
            if scene.item(query_id).lane in VERDICT_LANES:
                raise InputError(f"{query_id}: wants a verdict, not a decision")
            content = self._chosen(scene, query_id, seen)
            if decision == "keep":
                self._check_gate(content)
            if decision == "retry" and not words.strip():
                raise InputError(f"{query_id}: to try again wants a hint for the Oracle")
            return lambda number: RecordDecided(
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

        def word(scene: Scene) -> Callable[[int], HumanReview]:
            last = scene.cases.words.undoable_by(self.reviewer, self.sitting)
            if last is None:
                raise InputError("there is nothing to take back")
            if isinstance(last, RecordDecided) and last.query_id in scene.cases.books.rejected.done:
                raise InputError(f"{last.query_id}: the run acted on this already; it can not be taken back")
            return lambda number: Undone(
                number=number, key=key, reviewer=self.reviewer, reviewed_at=self._now(), undoes=last.key
            )

        event = self._say(key, word)
        undone = self._reviews.find(event.undoes) if isinstance(event, Undone) else None
        if not isinstance(undone, VerdictGiven | FieldEdited | RecordDecided):
            raise InputError(f"the key {key} was used for something else")
        return undone.query_id

    def has_heard(self, key: str) -> bool:
        """Tell whether what was asked for with a key is written already."""
        self.look()
        return self._reviews.find(key) is not None

    def failures(self, content: Content) -> tuple[Failure, ...]:
        """What the gate says against a content that a person changed, or that it failed before."""
        return gate(content.answer, self.snapshot)

    def _say(self, key: str, word: Callable[[Scene], Callable[[int], HumanReview]]) -> HumanReview:
        """Write one event, once for a key: the whole check is made in the file's own turn."""
        with self._reviews.turn() as write:
            known = self._reviews.find(key)
            if known is not None:
                return known
            event = write(word(self._fresh()))
        self._fresh()
        return event

    def _fresh(self) -> Scene:
        self._scene = None
        return self.look()

    def _chosen(self, scene: Scene, query_id: str, seen: Seen) -> Content:
        now = scene.seen(query_id)
        if seen.last != now.last:
            raise StaleError(f"{query_id}: somebody else has spoken on it meanwhile; look again")
        if scene.sitting == "adjudication":
            versions = scene.cases.versions(query_id)
            if seen.content in versions:
                return versions[seen.content]
        elif seen.content == now.content:
            return scene.content(query_id)
        raise StaleError(f"{query_id}: changed meanwhile; look again")

    def _check_independent(self, scene: Scene, query_id: str) -> None:
        other: dict[Sitting, Sitting] = {"first": "second", "second": "first"}
        if self.sitting == "adjudication":
            return
        for said in scene.cases.words.said:
            in_other = said.query_id == query_id and said.sitting == other[self.sitting]
            if in_other and same_person(said.reviewer, self.reviewer):
                raise InputError(f"{query_id}: {said.reviewer} judged it already; the second look wants another person")

    def _check_verdict(self, scene: Scene, content: Content, verdict: PersonVerdict) -> None:
        original = scene.cases.original(content.candidate.query_id)
        is_edited = original is not None and original.digest != content.digest
        if is_edited and verdict == "correct":
            raise InputError(
                "somebody changed this record, so it was not correct as it stood: a minor issue at the least"
            )
        if is_edited and verdict not in OUT:
            self._check_gate(content)

    def _check_gate(self, content: Content) -> None:
        failures = self.failures(content)
        if failures:
            first = failures[0]
            more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
            raise InputError(f"as it stands, the gate stops it: {first.check}: {first.claim}: {first.message}{more}")


def same_person(one: str, other: str) -> bool:
    """Tell whether two names are one person's, whatever their case, spaces and way of writing letters."""
    first, second = (normalize("NFKC", without_hidden(name)).casefold() for name in (one, other))
    return first.split() == second.split()


def _check_note(text: str) -> None:
    if len(text) > LONGEST_NOTE:
        raise InputError(f"the note: {len(text)} characters; the most is {LONGEST_NOTE}")


def _check_text(field: EditedField, after: str | tuple[str, ...]) -> None:
    if (field == "canonical_narrative") != isinstance(after, str):
        raise InputError(f"{field}: wanted {'one text' if field == 'canonical_narrative' else 'a list of texts'}")
    texts, longest = ((after,), LONGEST_NARRATIVE) if isinstance(after, str) else (after, LONGEST_FACT)
    if len(texts) > MOST_FACTS:
        raise InputError(f"{field}: {len(texts)} facts; the most is {MOST_FACTS}")
    for text in texts:
        if not text.strip():
            raise InputError(f"{field}: a text is empty")
        if len(text) > longest:
            raise InputError(f"{field}: {len(text)} characters; the most is {longest}")


def _check_citations(
    content: Content, field: EditedField, after: str | tuple[str, ...], citations: tuple[FactCitation, ...]
) -> None:
    answer = content.answer.model_copy(update={field: after})
    wanted = [f"fact-{number}" for number in range(1, len(answer.must_mention_facts) + 1)]
    wanted += [f"not-fact-{number}" for number in range(1, len(answer.must_not_mention_facts) + 1)]
    known = {citation.claim_id for citation in citations}
    if missing := [claim_id for claim_id in wanted if claim_id not in known]:
        raise InputError(f"{missing[0]}: has no lines that bear it")
    if extra := sorted(known - set(wanted)):
        raise InputError(f"{extra[0]}: lines of a fact that is not there")
