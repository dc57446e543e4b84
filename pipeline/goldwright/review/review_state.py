"""Where people stand on each record: whose word still holds, and what was settled."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from goldwright.records import DecisionEvent, HumanVerdict, ReviewPass, VerdictEvent
from goldwright.review.events import ReviewEvents
from goldwright.review.record_content import RecordContent
from goldwright.stages.fates import HumanRulings
from goldwright.stages.stage_files import StageFiles

OUT: Final[frozenset[HumanVerdict]] = frozenset({"major_issue", "wrong"})

Stage = Literal["unreviewed", "once", "disputed", "settled"]


@dataclass(frozen=True, slots=True)
class Settlement:
    """How far people are with one record: ``verdict`` and ``content`` are what holds so far.

    ``once`` is a record that one of two reviewers has judged, ``disputed`` one on which they
    differ, in the verdict or in the text they would leave.
    """

    stage: Stage
    verdict: HumanVerdict | None
    content: RecordContent
    first: VerdictEvent | None = None
    second: VerdictEvent | None = None
    adjudication: VerdictEvent | None = None


class ReviewState:
    """The records of a batch with people's words on them, as both were when this was made."""

    def __init__(self, stage_files: StageFiles, events: ReviewEvents) -> None:
        self.stage_files = stage_files
        self.events = events
        self._originals: dict[str, RecordContent | None] = {}
        self._seen: dict[tuple[str, ReviewPass], RecordContent | None] = {}

    def original(self, query_id: str) -> RecordContent | None:
        """The record as the agents left it, or the falsified one that stands under its id; None
        without an answer.
        """
        if query_id not in self._originals:
            self._originals[query_id] = self._original(query_id)
        return self._originals[query_id]

    def behind(self, query_id: str) -> RecordContent | None:
        """The record itself, also where a falsified answer stands under its id."""
        candidate = self.stage_files.candidates.done.get(query_id)
        answer = self.stage_files.answers.done.get(query_id)
        return RecordContent(candidate, answer) if candidate and answer else None

    def _original(self, query_id: str) -> RecordContent | None:
        candidate = self.stage_files.candidates.done.get(query_id)
        canary = self.events.canaries.get(query_id)
        answer = canary.answer if canary else self.stage_files.answers.done.get(query_id)
        return RecordContent(candidate, answer) if candidate and answer else None

    def seen_by(self, query_id: str, sitting: ReviewPass) -> RecordContent | None:
        """The record as somebody sees it in a sitting: with the edits of that sitting and of no
        other.
        """
        case = (query_id, sitting)
        if case not in self._seen:
            self._seen[case] = self._seen_by(query_id, sitting)
        return self._seen[case]

    def _seen_by(self, query_id: str, sitting: ReviewPass) -> RecordContent | None:
        original = self.original(query_id)
        if original is None:
            return None
        if sitting == "adjudication":
            versions = self._versions(query_id, original)
            return list(versions.values())[-1]
        return original.changed(self.events.edits_of(query_id, sitting))

    def verdict(self, query_id: str, sitting: ReviewPass) -> VerdictEvent | None:
        """The verdict of a sitting, if there is one on the content as it is."""
        given = self.events.verdicts.get((query_id, sitting))
        original = self.original(query_id)
        sample = self.events.sample
        if given is None or original is None or sample is None or given.number < sample.number:
            return None
        if sitting == "adjudication":
            return given if given.content in self._versions(query_id, original) else None
        content = self.seen_by(query_id, sitting)
        return given if content is not None and content.digest == given.content else None

    def settlement(self, query_id: str, *, twice: bool) -> Settlement | None:
        """Say how far people are with a record that one or two of them are to judge."""
        seen = self.seen_by(query_id, "first")
        if seen is None:
            return None
        first = self.verdict(query_id, "first")
        if not twice:
            return Settlement(
                "settled" if first else "unreviewed", first.verdict if first else None, seen, first
            )
        second = self.verdict(query_id, "second")
        if first is None or second is None:
            one = first or second
            return Settlement(
                "once" if one else "unreviewed", one.verdict if one else None, seen, first, second
            )
        if (first.verdict, first.content) == (second.verdict, second.content):
            return Settlement("settled", first.verdict, seen, first, second)
        return self._adjudicated(query_id, first, second, seen)

    @cached_property
    def rulings(self) -> HumanRulings:
        """What people's settled words mean for the fates: who is out, and who is in after all."""
        sampled = frozenset(self.events.sampled)
        out = {query_id for query_id, _ in self._condemned(sampled)}
        kept: set[str] = set()
        for query_id, decision in self.events.decisions.items():
            if not self._still_holds(decision):
                continue
            if decision.decision == "keep":
                kept.add(query_id)
            elif decision.decision == "drop":
                out.add(query_id)
        return HumanRulings(kept=frozenset(kept - out), sampled=sampled, dropped=frozenset(out))

    def retries(self) -> dict[str, str]:
        """The records that a person wants tried again and no runner has yet, each with the hint."""
        return {
            query_id: one.words
            for query_id, one in self.events.decisions.items()
            if one.decision == "retry"
            and query_id not in self.stage_files.rejected.done
            and self._still_holds(one)
        }

    def _still_holds(self, decision: DecisionEvent) -> bool:
        content = self.seen_by(decision.query_id, "first")
        return content is not None and content.digest == decision.content

    def _condemned(self, sampled: frozenset[str]) -> Iterator[tuple[str, HumanVerdict]]:
        judged = {query_id for query_id, _ in self.events.verdicts} - self.events.canaries.keys()
        for query_id in sorted(judged):
            case = self.settlement(query_id, twice=query_id in sampled)
            if case is not None and case.stage == "settled" and case.verdict in OUT:
                yield query_id, case.verdict

    def _adjudicated(
        self, query_id: str, first: VerdictEvent, second: VerdictEvent, seen: RecordContent
    ) -> Settlement:
        last = self.verdict(query_id, "adjudication")
        if last is None or last.number < max(first.number, second.number):
            # What was settled before one of them spoke anew was another difference.
            return Settlement("disputed", None, seen, first, second)
        original = self.original(query_id)
        content = self._versions(query_id, original).get(last.content, seen) if original else seen
        return Settlement("settled", last.verdict, content, first, second, last)

    def versions(self, query_id: str) -> dict[str, RecordContent]:
        """The contents an adjudicator may choose from, by digest; the one to begin with comes last."""
        original = self.original(query_id)
        return self._versions(query_id, original) if original else {}

    def _versions(self, query_id: str, original: RecordContent) -> dict[str, RecordContent]:
        found = {original.digest: original}
        for sitting in ("second", "first"):
            content = original.changed(
                self.events.edits_of(query_id, "first" if sitting == "first" else "second")
            )
            found.pop(content.digest, None)
            found[content.digest] = content
        for edit in self.events.edits_of(query_id, "adjudication"):
            if edit.content in found:
                content = found[edit.content].changed([edit])
                found.pop(content.digest, None)
                found[content.digest] = content
        return found
