"""The page of one record, as plain values for its template."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.records import CheckFailure, ReviewPass
from goldwright.review.guidelines import VERDICT_GUIDELINES
from goldwright.review.passes import ADJUDICATION, FIRST, SECOND
from goldwright.review.practice_answers import PracticeFeedback
from goldwright.review.queues import VERDICT_QUEUES, QueueItem
from goldwright.review.record_content import RecordContent
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import SessionView
from goldwright.web.change_rows import ChangeView, change_views
from goldwright.web.claim_rows import ClaimGroup, cited_ranges, claim_groups
from goldwright.web.found_entities import FoundEntity, found_entities
from goldwright.web.page_controls import (
    ADOPTED_CHOICES,
    ALSO_RIGHT,
    CONFIRM_LOOK,
    DECISION_CHOICES,
    DECISION_TOOLS,
    VERDICT_CHOICES,
    VERDICT_TOOLS,
    ChoiceButton,
    ToolButton,
)
from goldwright.web.source_view import SourcePane, SourceView

_VERSION_LABELS: Final = {
    "a": "First reviewer's text",
    "b": "Second reviewer's text",
    "c": "The agents' text",
}
_PASSES: Final[Mapping[str, ReviewPass]] = {"a": FIRST, "b": SECOND}


@dataclass(frozen=True, slots=True)
class TextVersion:
    """A version of a record that an adjudicator may judge; ``key`` is the key that shows it."""

    key: str
    label: str
    content: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class RecordPage:
    """One record, ready to be judged.

    Attributes:
        item: The record in its queue.
        place: Its place in that queue, from 1.
        count: The records of that queue.
        content: The content on screen.
        digest: Its digest.
        last: The number of the last event on the record in this pass.
        groups: Its claims.
        disputed: The ids of what this pass marked as at fault, ``question`` and ``tier`` too.
        panes: The cited source.
        choices: The buttons that judge or decide.
        tools: The other buttons.
        is_decision: Whether the record gets a decision instead of a verdict.
        guidelines: What makes an issue minor or major, a sentence each; none for a decision.
        failures: What the gate says against it.
        versions: The versions an adjudicator may choose from; empty in other passes.
        note: What the person wrote with their last verdict or decision.
        changes: The claims whose code changed since people blessed the record, old beside new.
        found: What searches found beside the expected entities, and nobody called wrong.
        previous: The id of the record before it, of any queue.
        following: The id of the record after it, of any queue.
        feedback: What is told of a word on a practice record; None before there is one.
    """

    item: QueueItem
    place: int
    count: int
    content: RecordContent
    digest: str
    last: int
    groups: tuple[ClaimGroup, ...]
    disputed: frozenset[str]
    panes: tuple[SourcePane, ...]
    choices: tuple[ChoiceButton, ...]
    tools: tuple[ToolButton, ...]
    is_decision: bool
    guidelines: tuple[str, ...]
    failures: tuple[CheckFailure, ...]
    versions: tuple[TextVersion, ...]
    note: str
    changes: tuple[ChangeView, ...]
    found: tuple[FoundEntity, ...]
    previous: str | None
    following: str | None
    feedback: PracticeFeedback | None = None

    @property
    def is_practice(self) -> bool:
        """Whether no word on it counts, and nothing of it can be changed."""
        return self.item.queue == "practice"

    @property
    def unseen_changes(self) -> int:
        """How many changed claims this person has not confirmed to have looked at."""
        return sum(not change.is_seen for change in self.changes)


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """What a person asked to see of a record.

    Attributes:
        whole_file: The file to show in full, cited or not; None for excerpts alone.
        version: The digest of the version that an adjudicator chose.
        line: The line of that file that is wanted; a very long file is cut around it.
    """

    whole_file: str | None = None
    version: str | None = None
    line: int = 1


NO_OPTIONS: Final = DisplayOptions()


@dataclass(frozen=True, slots=True)
class _PagePosition:
    """Where a record stands among the others; the fields are those of ``RecordPage``."""

    place: int
    count: int
    previous: str | None
    following: str | None


def make_record_page(
    session: ReviewSession,
    view: SessionView,
    item: QueueItem,
    source: SourceView,
    options: DisplayOptions,
) -> RecordPage:
    """Put the page of one record together."""
    query_id, snapshot = item.query_id, session.snapshot
    content = _content(view, query_id, options.version)
    disputed = _disputed(view, query_id)
    groups = claim_groups(content.answer, snapshot, disputed)
    ranges = cited_ranges(content.answer, snapshot)
    panes = source.panes(ranges, whole_file=options.whole_file, line=options.line)
    place = _place(view, item)
    is_decision = item.queue not in VERDICT_QUEUES
    choices: tuple[ChoiceButton, ...] = VERDICT_CHOICES
    tools: tuple[ToolButton, ...] = VERDICT_TOOLS
    changes = _changes(session, view, query_id)
    if is_decision:
        choices, tools = DECISION_CHOICES, DECISION_TOOLS
        if view.batch.plan.is_adopted:
            choices = ADOPTED_CHOICES
    if changes:
        tools = (CONFIRM_LOOK, *tools)
    report = view.batch.stage_files.completeness.done.get(query_id)
    further_entities = found_entities(report, content, snapshot)
    if further_entities:
        tools = (*tools[:-1], ALSO_RIGHT, tools[-1])
    return RecordPage(
        item=item,
        place=place.place,
        count=place.count,
        content=content,
        digest=content.digest,
        last=view.record_view(query_id).last,
        groups=groups,
        disputed=disputed,
        panes=panes,
        choices=choices,
        tools=tools,
        is_decision=is_decision,
        guidelines=() if is_decision else VERDICT_GUIDELINES,
        failures=_failures(session, view, item, content),
        versions=tuple(_versions(view, query_id, content)),
        note=_note(view, item),
        changes=changes,
        found=further_entities,
        previous=place.previous,
        following=place.following,
    )


def _content(view: SessionView, query_id: str, version: str | None) -> RecordContent:
    if view.review_pass == ADJUDICATION and version is not None:
        versions = view.review_state.versions(query_id)
        if version in versions:
            return versions[version]
    return view.content(query_id)


def _place(view: SessionView, item: QueueItem) -> _PagePosition:
    items = view.items
    queue_items = [queue_item for queue_item in items if queue_item.queue == item.queue]
    place = queue_items.index(item) + 1
    # Previous and following lead through all queues, so that nobody has to open each of them.
    index = items.index(item)
    previous = following = None
    if index > 0:
        previous = items[index - 1].query_id
    if index + 1 < len(items):
        following = items[index + 1].query_id
    return _PagePosition(place, len(queue_items), previous, following)


def _disputed(view: SessionView, query_id: str) -> frozenset[str]:
    verdict = view.review_state.verdict(query_id, view.review_pass)
    if verdict is None:
        return frozenset()
    return frozenset(verdict.disputed)


def _changes(session: ReviewSession, view: SessionView, query_id: str) -> tuple[ChangeView, ...]:
    changes = view.review_state.changed_claims(query_id)
    looked_at = view.review_state.events.looks.get((query_id, session.reviewer), set())
    return change_views(changes, looked_at, session.snapshot)


def _failures(
    session: ReviewSession, view: SessionView, item: QueueItem, content: RecordContent
) -> tuple[CheckFailure, ...]:
    """What the gate says of a record that failed it or that a person edited; others pass it."""
    original = view.review_state.original(item.query_id)
    is_edited = original is not None and original.digest != content.digest
    if is_edited or item.queue == "failed_gate":
        return session.failures(content)
    return ()


def _versions(view: SessionView, query_id: str, on_screen: RecordContent) -> Iterator[TextVersion]:
    """The versions of the reviewers and of the agents; where two are the same, the first counts."""
    if view.review_pass != ADJUDICATION:
        return
    state = view.review_state
    contents = {
        "a": state.seen_by(query_id, FIRST),
        "b": state.seen_by(query_id, SECOND),
        "c": state.original(query_id),
    }
    digests: set[str] = set()
    for key, content in contents.items():
        if content is None or content.digest in digests:
            continue
        digests.add(content.digest)
        is_shown = content.digest == on_screen.digest
        label = _VERSION_LABELS[key] + _editor_in_brackets(view, query_id, key)
        yield TextVersion(key, label, content.digest, is_shown)


def _editor_in_brackets(view: SessionView, query_id: str, key: str) -> str:
    """Name who changed the text of a version; empty for the text of the agents."""
    edits = () if key == "c" else view.review_state.events.edits_of(query_id, _PASSES[key])
    names = dict.fromkeys(edit.reviewer for edit in edits)
    return f" ({', '.join(names)})" if names else ""


def _note(view: SessionView, item: QueueItem) -> str:
    verdict = view.review_state.verdict(item.query_id, view.review_pass)
    if verdict is not None:
        return verdict.note or ""
    decision = view.review_state.events.decisions.get(item.query_id)
    # A decision on a content that has changed since does not hold, nor does its reason.
    if decision is None or item.is_open:
        return ""
    return decision.words
