"""One person's review of a run: what is shown, and how verdicts, edits and decisions are written.

Every event is checked against the record as it is now, and is on disk when the call returns. A
session holds nothing in memory that is not in the files, so one that is killed and opened again
goes on where it was.
"""

from collections.abc import Callable

from goldwright.errors import InputError
from goldwright.journal import ReviewLog
from goldwright.records import (
    AnyReviewEvent,
    CheckFailure,
    Decision,
    DecisionEvent,
    EditedField,
    EditEvent,
    Evidence,
    FactCitation,
    FileRange,
    HumanVerdict,
    LookEvent,
    ReviewPass,
    SampleEvent,
    UndoEvent,
    VerdictEvent,
)
from goldwright.records.label import EditedValue
from goldwright.review.practice_desk import PracticeDesk, TrainingMode
from goldwright.review.queues import VERDICT_QUEUES
from goldwright.review.record_content import RecordContent
from goldwright.review.review_files import ReviewFiles
from goldwright.review.review_rules import (
    RETRY_OF_ADOPTED,
    check_citations,
    check_gate,
    check_looked_at,
    check_note,
    check_reason,
    check_text,
    check_undo,
    check_verdict,
    current_content,
    record_failures,
)
from goldwright.review.reviewer_independence import check_independence
from goldwright.review.sample_event import (
    SampleDraw,
    SampleRequest,
    add_to_sample,
    draw_sample_with_canaries,
)
from goldwright.review.session_view import RecordView, ReviewBatch, SessionView
from goldwright.review.spot_check import sample_to_add_to
from goldwright.snapshot import Snapshot
from goldwright.stages.gate.cited_text import cited_digests


class ReviewSession:
    """One review pass of one person over one run.

    Every method that writes takes a key that its caller draws. A second call with the same key, for
    instance because the first answer was lost on the way, writes nothing and gives the same event.
    """

    def __init__(
        self,
        read_batch: Callable[[], ReviewBatch],
        reviews: ReviewLog,
        snapshot: Snapshot,
        *,
        reviewer: str,
        review_pass: ReviewPass,
        read_time: Callable[[], str],
        canaries: int = 0,
        scripted: bool = False,
        training: TrainingMode = "off",
    ) -> None:
        """Open a session; nothing is read before the first look.

        Args:
            read_batch: Reads the run again; gives the same object while nothing changed.
            reviews: The file of review events.
            snapshot: The codebase of the run.
            reviewer: The person's name.
            review_pass: The pass they take part in.
            read_time: The current time, as records write it.
            canaries: How many falsified answers to hide in the sample, should this session draw it.
            scripted: Whether what is said comes through a pipe; every event then says so.
            training: Whether practice records come before the first verdict of who is new.
        """
        self.reviewer = reviewer
        self.review_pass = review_pass
        self.snapshot = snapshot
        self._files = ReviewFiles(read_batch, reviews, review_pass)
        self._now = read_time
        self._canaries = canaries
        self._scripted = scripted
        self.practice = PracticeDesk(
            self._files,
            snapshot,
            reviewer=reviewer,
            review_pass=review_pass,
            read_time=read_time,
            mode=training,
            scripted=scripted,
        )

    def look(self) -> SessionView:
        """Read what is new in the files and show the review as it is."""
        return self._files.look()

    def draw_sample(self, *, key: str) -> SessionView:
        """Draw the sample if the run is complete and none is drawn yet."""
        view = self.look()
        if view.review_state.events.sample is None and view.batch.is_complete:
            self._draw_sample(view, key)
        return self._files.look_again()

    def draw_more(self, count: int, *, key: str) -> SessionView:
        """Draw more records to a sample that proved nothing, and hide more canaries among them.

        Raises:
            InputError: No sample is drawn, it is not judged completely, or proves something.
        """
        view = self.look()
        batch = view.batch
        sample = sample_to_add_to(batch.plan, view.review_state, seed=batch.seed)
        request = SampleRequest(
            plan=batch.plan,
            review_state=view.review_state,
            run=batch.run,
            round=sample.round + 1,
            canaries=self._canaries,
        )
        larger_sample = add_to_sample(sample, count, request, self.snapshot)
        self._write_sample(larger_sample, key)
        return self._files.look_again()

    def give_verdict(
        self,
        query_id: str,
        on_screen: RecordView,
        verdict: HumanVerdict,
        *,
        key: str,
        note: str | None = None,
        disputed: tuple[str, ...] = (),
        seconds: float = 0.0,
    ) -> AnyReviewEvent:
        """Write a verdict on a record.

        Args:
            query_id: The record.
            on_screen: What the person saw of it.
            verdict: The verdict.
            key: The key of this call.
            note: What is wrong, as the person put it.
            disputed: The ids of the claims at fault.
            seconds: How long the record was on screen.

        Raises:
            StaleReviewError: The record is not as the person saw it any more.
            InputError: This verdict cannot be given on it, or condemns it without a reason.
        """
        check_note(note or "")
        check_reason(verdict, note, disputed)

        def make_event(view: SessionView, number: int) -> VerdictEvent:
            if view.item(query_id).queue not in VERDICT_QUEUES:
                raise InputError(f"{query_id}: is to be kept, dropped or tried again, not judged")
            check_independence(view, query_id, self.reviewer)
            content = current_content(view, query_id, on_screen)
            check_verdict(view, content, verdict, self.snapshot)
            return VerdictEvent(
                number=number,
                key=key,
                reviewer=self.reviewer,
                reviewed_at=self._now(),
                scripted=self._scripted,
                query_id=query_id,
                sitting=self.review_pass,
                content=content.digest,
                verdict=verdict,
                note=note,
                disputed=disputed,
                seconds=seconds,
            )

        return self._files.write(key, make_event)

    def edit(
        self,
        query_id: str,
        on_screen: RecordView,
        field: EditedField,
        after: EditedValue,
        citations: tuple[FactCitation, ...],
        *,
        key: str,
        files: tuple[str, ...] | None = None,
        evidence: tuple[Evidence, ...] | None = None,
        named_lines: tuple[FileRange, ...] = (),
    ) -> AnyReviewEvent:
        """Write an edit of one field of a record.

        Args:
            query_id: The record.
            on_screen: What the person saw of it.
            field: The field.
            after: Its new value.
            citations: The citations of all facts afterwards.
            key: The key of this call.
            files: The expected files afterwards; None where they stay.
            evidence: The evidence afterwards; None where it stays.
            named_lines: The lines that the person named; the digests of their text are kept.

        Raises:
            StaleReviewError: The record is not as the person saw it any more.
            InputError: A text is empty or too long, a fact has no lines, or nothing would change.
        """
        check_text(field, after)

        def make_event(view: SessionView, number: int) -> EditEvent:
            # Raises for a record that is in no queue of this pass.
            view.item(query_id)
            content = current_content(view, query_id, on_screen)
            check_citations(content, field, after, citations)
            before = content.value(field)
            has_same_citations = content.answer.fact_citations == citations
            if before == after and has_same_citations:
                raise InputError(f"{query_id}: nothing is changed by that")
            return EditEvent(
                number=number,
                key=key,
                reviewer=self.reviewer,
                reviewed_at=self._now(),
                scripted=self._scripted,
                query_id=query_id,
                sitting=self.review_pass,
                content=content.digest,
                field=field,
                before=before,
                after=after,
                citations=citations,
                files=files,
                evidence=evidence,
                cited_text=cited_digests(named_lines, self.snapshot),
            )

        return self._files.write(key, make_event)

    def decide(
        self, query_id: str, on_screen: RecordView, decision: Decision, *, key: str, words: str = ""
    ) -> AnyReviewEvent:
        """Write a decision on a record that the gate or agreement stopped.

        Args:
            query_id: The record.
            on_screen: What the person saw of it.
            decision: Whether to keep it, drop it or have it tried again.
            key: The key of this call.
            words: The reason, or the hint for the Oracle.

        Raises:
            StaleReviewError: The record is not as the person saw it any more.
            InputError: The decision cannot be taken, for instance because a record that is to be
                kept still fails the gate.
        """
        check_note(words)

        def make_event(view: SessionView, number: int) -> DecisionEvent:
            if view.item(query_id).queue in VERDICT_QUEUES:
                raise InputError(f"{query_id}: wants a verdict, not a decision")
            content = current_content(view, query_id, on_screen)
            if decision == "keep":
                check_looked_at(view, query_id, self.reviewer)
                check_gate(content, self.snapshot)
            if decision == "retry" and view.batch.plan.is_adopted:
                raise InputError(f"{query_id}: {RETRY_OF_ADOPTED}")
            if decision == "retry" and not words.strip():
                raise InputError(f"{query_id}: to try again wants a hint for the Oracle")
            return DecisionEvent(
                number=number,
                key=key,
                reviewer=self.reviewer,
                reviewed_at=self._now(),
                scripted=self._scripted,
                query_id=query_id,
                sitting=self.review_pass,
                content=content.digest,
                decision=decision,
                words=words,
            )

        return self._files.write(key, make_event)

    def note_look(self, query_id: str, claims: tuple[str, ...], *, key: str) -> AnyReviewEvent:
        """Write down that a person had the code of changed claims on screen.

        Raises:
            InputError: The record is not among those of this review, or none of these claims of it
                has changed.
        """

        def make_event(view: SessionView, number: int) -> LookEvent:
            view.item(query_id)
            changes = view.review_state.changed_claims(query_id)
            changed_ids = {change.claim_id for change in changes}
            looked_at = tuple(claim for claim in claims if claim in changed_ids)
            if not looked_at:
                raise InputError(f"{query_id}: no code of these claims has changed")
            return LookEvent(
                number=number,
                key=key,
                reviewer=self.reviewer,
                reviewed_at=self._now(),
                scripted=self._scripted,
                query_id=query_id,
                sitting=self.review_pass,
                claims=looked_at,
            )

        return self._files.write(key, make_event)

    def undo(self, *, key: str) -> str:
        """Undo the last verdict, edit or decision of this reviewer in this pass.

        Returns:
            The id of the record it was about.

        Raises:
            InputError: There is nothing to undo, or a runner has acted on it already.
        """

        def make_event(view: SessionView, number: int) -> UndoEvent:
            latest = view.review_state.events.undoable_by(self.reviewer, self.review_pass)
            if latest is None:
                raise InputError("there is nothing to take back")
            check_undo(view, latest)
            return UndoEvent(
                number=number,
                key=key,
                reviewer=self.reviewer,
                reviewed_at=self._now(),
                undoes=latest.key,
            )

        event = self._files.write(key, make_event)
        if isinstance(event, UndoEvent):
            undone_event = self._files.find(event.undoes)
            if isinstance(undone_event, VerdictEvent | EditEvent | DecisionEvent):
                return undone_event.query_id
        raise InputError(f"the key {key} was used for something else")

    def is_written(self, key: str) -> bool:
        """Whether the event of a key is in the file already."""
        self.look()
        return self._files.find(key) is not None

    def failures(self, content: RecordContent) -> tuple[CheckFailure, ...]:
        """Run the gate over a content, for people who look at it."""
        return record_failures(content, self.snapshot)

    def _draw_sample(self, view: SessionView, key: str) -> None:
        request = SampleRequest(
            plan=view.batch.plan,
            review_state=view.review_state,
            run=view.batch.run,
            round=view.batch.round,
            canaries=self._canaries,
        )
        self._write_sample(draw_sample_with_canaries(request, self.snapshot), key)

    def _write_sample(self, draw: SampleDraw, key: str) -> None:
        def make_event(number: int) -> SampleEvent:
            return draw.as_event(number, key, self.reviewer, self._now())

        self._files.write_sample(make_event, extends=draw.extends)
