"""How far people are with each record: which verdicts still hold, and what is settled."""

from collections.abc import Iterator
from functools import cached_property
from typing import Final, get_args

from goldwright.records import (
    ChangedClaim,
    DecisionEvent,
    HumanVerdict,
    ReviewPass,
    VerdictEvent,
)
from goldwright.review.folded_events import RecordInPass, ReviewEvents
from goldwright.review.passes import ADJUDICATION, FIRST, SECOND
from goldwright.review.record_content import RecordContent
from goldwright.review.settlement import (
    Settlement,
    differ,
    settle_by_one,
    settle_by_two,
    settle_difference,
)
from goldwright.stages.cell_places import HumanRulings
from goldwright.stages.stage_files import StageFiles

VERDICTS: Final[tuple[HumanVerdict, ...]] = get_args(HumanVerdict)
"""All verdicts, the best first."""
REJECTING_VERDICTS: Final[frozenset[HumanVerdict]] = frozenset({"major_issue", "wrong"})
"""The verdicts that keep a record out of the dataset once they are settled."""

Versions = dict[str, RecordContent]


class ReviewState:
    """The records of a batch with the review events about them, at one moment.

    Contents are computed once: when answers or events change, make a new one.
    """

    def __init__(self, stage_files: StageFiles, events: ReviewEvents) -> None:
        self.stage_files = stage_files
        self.events = events
        self._originals: dict[str, RecordContent | None] = {}
        self._seen: dict[RecordInPass, RecordContent | None] = {}

    def original(self, query_id: str) -> RecordContent | None:
        """The record before any edit; for a canary, the falsified one. None without an answer."""
        if query_id not in self._originals:
            self._originals[query_id] = self._original(query_id)
        return self._originals[query_id]

    def without_canary(self, query_id: str) -> RecordContent | None:
        """The record as the agents left it, even where a canary takes its place in the sample."""
        candidate = self.stage_files.candidates.done.get(query_id)
        answer = self.stage_files.answers.done.get(query_id)
        if candidate is None or answer is None:
            return None
        return RecordContent(candidate, answer)

    def seen_by(self, query_id: str, review_pass: ReviewPass) -> RecordContent | None:
        """The record as a reviewer of this pass sees it: with the edits of no other pass."""
        key = (query_id, review_pass)
        if key not in self._seen:
            self._seen[key] = self._seen_by(query_id, review_pass)
        return self._seen[key]

    def versions(self, query_id: str) -> Versions:
        """The contents an adjudicator may choose from, by digest; the one to begin with is last."""
        original = self.original(query_id)
        if original is None:
            return {}
        versions = {original.digest: original}
        # The first reviewer's text after the second's, because an adjudicator begins with it.
        for review_pass in (SECOND, FIRST):
            edits = self.events.edits_of(query_id, review_pass)
            _put_last(versions, original.with_edits(edits))
        for edit in self.events.edits_of(query_id, ADJUDICATION):
            edited = versions.get(edit.content)
            if edited is not None:
                _put_last(versions, edited.with_edits([edit]))
        return versions

    def verdict(self, query_id: str, review_pass: ReviewPass) -> VerdictEvent | None:
        """The verdict of a pass that still holds: on the content as it is, after the draw."""
        event = self.events.verdicts.get((query_id, review_pass))
        if event is None or not self._is_after_draw(event):
            return None
        if review_pass == ADJUDICATION:
            is_current = event.content in self.versions(query_id)
        else:
            content = self.seen_by(query_id, review_pass)
            is_current = _has_digest(content, event.content)
        if not is_current:
            return None
        return event

    def settlement(self, query_id: str, *, twice: bool) -> Settlement | None:
        """How far people are with a record; None when it has no answer.

        Args:
            query_id: The record.
            twice: Whether two reviewers judge it, as those of the sample, or one.
        """
        content = self.seen_by(query_id, FIRST)
        if content is None:
            return None
        first = self.verdict(query_id, FIRST)
        if not twice:
            return settle_by_one(content, first)
        second = self.verdict(query_id, SECOND)
        if first is None or second is None or not differ(first, second):
            return settle_by_two(content, first, second)
        adjudication = self.verdict(query_id, ADJUDICATION)
        versions = self.versions(query_id)
        return settle_difference(content, first, second, adjudication, versions)

    @cached_property
    def rulings(self) -> HumanRulings:
        """What settled verdicts and decisions mean for the fates of records."""
        sampled = frozenset(self.events.sampled)
        dropped = set(self._rejected_by_verdict(sampled))
        kept_records: set[str] = set()
        for query_id, event in self.events.decisions.items():
            if not self._still_holds(event):
                continue
            if event.decision == "keep":
                kept_records.add(query_id)
            elif event.decision == "drop":
                dropped.add(query_id)
        # A record that was kept and then judged wrong is out.
        kept_records -= dropped
        return HumanRulings(frozenset(kept_records), sampled, frozenset(dropped))

    def changed_claims(self, query_id: str) -> tuple[ChangedClaim, ...]:
        """The claims of a record from another commit whose code is not what it was there."""
        queued = self.stage_files.queue.done.get(query_id)
        if queued is not None:
            return queued.changed_claims
        failure = self.stage_files.failures.done.get(query_id)
        if failure is not None:
            return failure.changed_claims
        return ()

    def retries(self) -> dict[str, str]:
        """The hints of records that a person sent back and no runner has tried again yet, by id."""
        hints: dict[str, str] = {}
        rejected = self.stage_files.rejected.done
        for query_id, event in self.events.decisions.items():
            # The runner files a record under the rejected ones when it starts the new attempt.
            if event.decision != "retry" or query_id in rejected:
                continue
            if self._still_holds(event):
                hints[query_id] = event.words
        return hints

    def _original(self, query_id: str) -> RecordContent | None:
        canary = self.events.canaries.get(query_id)
        if canary is None:
            return self.without_canary(query_id)
        candidate = self.stage_files.candidates.done.get(query_id)
        if candidate is None:
            return None
        return RecordContent(candidate, canary.answer)

    def _seen_by(self, query_id: str, review_pass: ReviewPass) -> RecordContent | None:
        original = self.original(query_id)
        if original is None:
            return None
        if review_pass == ADJUDICATION:
            versions = list(self.versions(query_id).values())
            return versions[-1]
        edits = self.events.edits_of(query_id, review_pass)
        return original.with_edits(edits)

    def _is_after_draw(self, event: VerdictEvent) -> bool:
        """Whether a verdict came after the sample was fixed; earlier ones do not count."""
        # Records outside the sample are looked at once it is drawn for the first time.
        drawn_at = self.events.drawn_numbers.get(event.query_id, self.events.first_draw)
        return drawn_at is not None and event.number >= drawn_at

    def _rejected_by_verdict(self, sampled: frozenset[str]) -> Iterator[str]:
        judged = {query_id for query_id, _ in self.events.verdicts}
        # What people say of a canary is no verdict on the record whose place it takes.
        for query_id in judged.difference(self.events.canaries):
            settlement = self.settlement(query_id, twice=query_id in sampled)
            if settlement is None or settlement.stage != "settled":
                continue
            if settlement.verdict in REJECTING_VERDICTS:
                yield query_id

    def _still_holds(self, decision: DecisionEvent) -> bool:
        content = self.seen_by(decision.query_id, FIRST)
        return _has_digest(content, decision.content)


def _has_digest(content: RecordContent | None, digest: str) -> bool:
    return content is not None and content.digest == digest


def _put_last(versions: Versions, content: RecordContent) -> None:
    versions.pop(content.digest, None)
    versions[content.digest] = content
