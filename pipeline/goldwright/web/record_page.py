"""The page of one record, as plain values for its template."""

from collections.abc import Iterator
from dataclasses import dataclass

from goldwright.records import CheckFailure
from goldwright.review.queues import VERDICT_QUEUES, QueueItem
from goldwright.review.record_content import RecordContent
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import SessionView
from goldwright.web.claim_rows import ClaimGroup, cited_ranges, claim_groups
from goldwright.web.page_controls import (
    DECISION_CHOICES,
    DECISION_TOOLS,
    VERDICT_CHOICES,
    VERDICT_TOOLS,
    ChoiceButton,
    ToolButton,
)
from goldwright.web.source_view import SourcePane, SourceView


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
        panes: The cited source.
        choices: The buttons that judge or decide.
        tools: The other buttons.
        is_decision: Whether the record gets a decision instead of a verdict.
        failures: What the gate says against it.
        versions: The versions an adjudicator may choose from; empty in other passes.
        note: What the person wrote with their last verdict or decision.
        previous: The id of the record before it, of any queue.
        following: The id of the record after it, of any queue.
    """

    item: QueueItem
    place: int
    count: int
    content: RecordContent
    digest: str
    last: int
    groups: tuple[ClaimGroup, ...]
    panes: tuple[SourcePane, ...]
    choices: tuple[ChoiceButton, ...]
    tools: tuple[ToolButton, ...]
    is_decision: bool
    failures: tuple[CheckFailure, ...]
    versions: tuple[TextVersion, ...]
    note: str
    previous: str | None
    following: str | None


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """What a person asked to see of a record.

    Attributes:
        whole_file: The file to show in full; None for excerpts alone.
        version: The digest of the version that an adjudicator chose.
    """

    whole_file: str | None = None
    version: str | None = None


def make_record_page(
    session: ReviewSession,
    view: SessionView,
    item: QueueItem,
    source: SourceView,
    options: DisplayOptions,
) -> RecordPage:
    """Put the page of one record together."""
    content = _content(view, item.query_id, options.version)
    snapshot = session.snapshot
    siblings = next(queue.items for queue in view.queues if queue.name == item.queue)
    previous, following = _neighbours(view, item)
    is_decision = item.queue not in VERDICT_QUEUES
    return RecordPage(
        item=item,
        place=siblings.index(item) + 1,
        count=len(siblings),
        content=content,
        digest=content.digest,
        last=view.record_view(item.query_id).last,
        groups=claim_groups(content.answer, snapshot, _disputed(view, item.query_id)),
        panes=source.panes(cited_ranges(content.answer, snapshot), whole_file=options.whole_file),
        choices=DECISION_CHOICES if is_decision else VERDICT_CHOICES,
        tools=DECISION_TOOLS if is_decision else VERDICT_TOOLS,
        is_decision=is_decision,
        failures=_failures(session, view, item, content),
        versions=tuple(_versions(view, item.query_id, content)),
        note=_note(view, item),
        previous=previous,
        following=following,
    )


def _content(view: SessionView, query_id: str, version: str | None) -> RecordContent:
    if view.review_pass == "adjudication" and version is not None:
        versions = view.review_state.versions(query_id)
        if version in versions:
            return versions[version]
    return view.content(query_id)


def _neighbours(view: SessionView, item: QueueItem) -> tuple[str | None, str | None]:
    query_ids = [other.query_id for other in view.items]
    place = view.items.index(item)
    previous = query_ids[place - 1] if place > 0 else None
    following = query_ids[place + 1] if place + 1 < len(query_ids) else None
    return previous, following


def _disputed(view: SessionView, query_id: str) -> frozenset[str]:
    verdict = view.review_state.verdict(query_id, view.review_pass)
    return frozenset(verdict.disputed) if verdict else frozenset()


def _failures(
    session: ReviewSession, view: SessionView, item: QueueItem, content: RecordContent
) -> tuple[CheckFailure, ...]:
    """What the gate says of a record that failed it or that a person edited; others pass it."""
    original = view.review_state.original(item.query_id)
    is_edited = original is not None and original.digest != content.digest
    if is_edited or item.queue == "failed_gate":
        return session.failures(content)
    return ()


def _versions(view: SessionView, query_id: str, shown: RecordContent) -> Iterator[TextVersion]:
    """The versions of the reviewers and of the agents; where two are the same, the first counts."""
    if view.review_pass != "adjudication":
        return
    state = view.review_state
    labelled_versions = (
        ("a", "First reviewer's text", state.seen_by(query_id, "first")),
        ("b", "Second reviewer's text", state.seen_by(query_id, "second")),
        ("c", "Text as it was", state.original(query_id)),
    )
    digests: set[str] = set()
    for key, label, content in labelled_versions:
        if content is None or content.digest in digests:
            continue
        digests.add(content.digest)
        is_shown = content.digest == shown.digest
        yield TextVersion(key, label, content.digest, is_shown)


def _note(view: SessionView, item: QueueItem) -> str:
    verdict = view.review_state.verdict(item.query_id, view.review_pass)
    if verdict is not None:
        return verdict.note or ""
    decision = view.review_state.events.decisions.get(item.query_id)
    return decision.words if decision is not None and not item.is_open else ""
