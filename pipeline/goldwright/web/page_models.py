"""What the templates show, as plain values: one page for a record, one for all lanes, one for the
end.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.plan import Cell, Plan
from goldwright.records import (
    DIFFICULTIES,
    TASK_TYPES,
    AnswerDraft,
    CheckFailure,
    FileRange,
    claims_of,
)
from goldwright.records.answer import ClaimType
from goldwright.review.queues import VERDICT_LANES, QueueItem, ReviewQueue
from goldwright.review.record_content import RecordContent
from goldwright.review.session import ReviewSession, SessionView
from goldwright.review.spot_check import Ceiling, SpotCheck, spot_check
from goldwright.stages.fates import record_fates
from goldwright.web.source_view import SourcePane, SourceView

GROUPS: Final[tuple[tuple[ClaimType, str], ...]] = (
    ("must_mention_fact", "An answer must mention"),
    ("must_not_mention_fact", "An answer must not say"),
    ("entity", "Expected entities"),
    ("file", "Expected files"),
    ("line_range", "Expected lines"),
    ("narrative", "Narrative"),
)


@dataclass(frozen=True, slots=True)
class VerdictChoice:
    """A button that decides and goes on: its key, its word for the server, its label, and what the
    help says of it.

    ``wants`` is what has to be written first, if anything has.
    """

    key: str
    word: str
    label: str
    meaning: str
    wants: str | None = None


@dataclass(frozen=True, slots=True)
class PageTool:
    """Any other button with a key: what the script does, its label, and what the help says of it.

    ``name`` is for those who hear the button and do not see what stands around it.
    """

    key: str
    does: str
    label: str
    meaning: str
    name: str | None = None


VERDICT_CHOICES: Final = (
    VerdictChoice("1", "correct", "Correct", "nothing in it is wrong"),
    VerdictChoice("2", "minor_issue", "Minor issue", "right in substance, something small to mend"),
    VerdictChoice("3", "major_issue", "Major issue", "a claim misleads"),
    VerdictChoice("4", "wrong", "Wrong", "it does not answer the question"),
)
DECISION_CHOICES: Final = (
    VerdictChoice("1", "keep", "Keep", "it is good as it stands, and takes its place in the batch"),
    VerdictChoice(
        "3", "retry", "Try again with a hint", "the Oracle answers anew, and is told your hint",
        "Write a hint for the Oracle first, then press 3 again.",
    ),
    VerdictChoice("4", "drop", "Drop", "it is taken out, for the reason you write", "Write why it goes, then press 4 again."),
)  # fmt: skip
_DISPUTE: Final = PageTool(
    "x",
    "dispute",
    "at fault",
    "this claim is at fault: kept with your verdict, and told to the agents after a breach",
)
_VERDICT_EDIT: Final = PageTool(
    "e",
    "edit",
    "edit",
    "edit the fact or the narrative you are at; a changed record is a minor issue at the least",
)
_DECISION_EDIT: Final = PageTool("e", "edit", "edit", "edit the fact or the narrative you are at")
_HELP: Final = PageTool("?", "help", "help", "this help; Esc closes it")
_BEFORE: Final = (
    PageTool(
        "j", "next-claim", "next", "next claim; its lines are marked in the source", "next claim"
    ),
    PageTool("k", "previous-claim", "prev.", "previous claim", "previous claim"),
)
_AFTER: Final = (
    PageTool("u", "undo", "undo", "take your last word back"),
    PageTool("p", "previous", "back", "the record before, without a word on this one"),
    PageTool("s", "following", "skip", "the record after, without a word on this one"),
    _HELP,
)
VERDICT_TOOLS: Final = (*_BEFORE, _DISPUTE, _VERDICT_EDIT, *_AFTER)
DECISION_TOOLS: Final = (*_BEFORE, _DECISION_EDIT, *_AFTER)
OVERVIEW_TOOLS: Final = (
    PageTool("s", "resume", "on with the next open record", "the next record without a word"),
    _HELP,
)
END_TOOLS: Final = (
    PageTool("u", "undo", "undo the last word", "take your last word back"),
    PageTool("o", "overview", "overview", "overview of the records to review"),
    PageTool("s", "resume", "look again", "look whether there is more by now"),
    _HELP,
)


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim with the lines that bear it; ``badge`` is an entity's role, ``is_disputed`` what a
    person marked.
    """

    claim_id: str
    text: str
    badge: str | None
    note: str | None
    lines: tuple[FileRange, ...]
    can_edit: bool
    is_disputed: bool


@dataclass(frozen=True, slots=True)
class ClaimGroup:
    """Claims of one kind under a heading; ``adds`` is the id to ask for one more with, if one may."""

    title: str
    claims: tuple[ClaimRow, ...]
    adds: str | None


@dataclass(frozen=True, slots=True)
class TextVersion:
    """A text that an adjudicator may judge."""

    key: str
    label: str
    content: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class CellSquare:
    """One cell of the plan in the little map: how many of this lane's records stand in it, and how
    many are done.
    """

    cell: Cell
    done: int
    wanted: int
    is_here: bool

    @property
    def state(self) -> str:
        """How the square is drawn."""
        if not self.wanted:
            return "none"
        return "done" if self.done == self.wanted else "begun" if self.done else "open"


@dataclass(frozen=True, slots=True)
class PageFrame:
    """What every page has: who reviews what, the lanes, and how far it is."""

    run: str
    reviewer: str
    sitting: str
    lanes: tuple[ReviewQueue, ...]
    squares: tuple[tuple[CellSquare, ...], ...]
    covered: int
    cells: int
    done: int
    wanted: int


@dataclass(frozen=True, slots=True)
class RecordPage:
    """One record, ready to be judged."""

    item: QueueItem
    place: int
    count: int
    content: RecordContent
    digest: str
    last: int
    groups: tuple[ClaimGroup, ...]
    panes: tuple[SourcePane, ...]
    choices: tuple[VerdictChoice, ...]
    tools: tuple[PageTool, ...]
    is_decision: bool
    failures: tuple[CheckFailure, ...]
    versions: tuple[TextVersion, ...]
    note: str
    is_edited: bool
    previous: str | None
    following: str | None


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """All records of a sitting: the question of each by its id, and how many records the run holds
    in all.
    """

    questions: Mapping[str, str]
    tools: tuple[PageTool, ...]
    held: int


@dataclass(frozen=True, slots=True)
class EndPage:
    """What comes next where no record is open.

    ``breaches`` are the ceilings that the sample does not keep, ``missing`` what is still to be
    said before it can be blessed, ``retries`` how many records wait to be tried again. A second
    reviewer who is not through is told none.
    """

    tools: tuple[PageTool, ...]
    has_sample: bool
    breaches: tuple[Ceiling, ...]
    missing: tuple[str, ...]
    retries: int
    wants_second: bool


def frame(
    session: ReviewSession, scene: SessionView, here: QueueItem | None, *, run: str
) -> PageFrame:
    """Put together what stands around every page."""
    items = [one for lane in scene.lanes if lane.name in VERDICT_LANES for one in lane.items]
    squares = _squares(scene.batch.plan, items, here)
    flat = [one for row in squares for one in row if one.wanted]
    return PageFrame(
        run=run,
        reviewer=session.reviewer,
        sitting=session.sitting,
        lanes=scene.lanes,
        squares=squares,
        covered=sum(one.done > 0 for one in flat),
        cells=len(flat),
        done=sum(one.said is not None for one in scene.items),
        wanted=len(scene.items),
    )


def record_page(
    session: ReviewSession,
    scene: SessionView,
    item: QueueItem,
    view: SourceView,
    *,
    whole: str | None = None,
    version: str | None = None,
) -> RecordPage:
    """Put together the page of one record; ``version`` is the digest of the text an adjudicator
    chose.
    """
    versions = scene.review_state.versions(item.query_id) if scene.sitting == "adjudication" else {}
    content = versions.get(version or "") or scene.content(item.query_id)
    original = scene.review_state.original(item.query_id)
    is_edited = original is not None and original.digest != content.digest
    items = scene.items
    place = items.index(item)
    lane = next(one for one in scene.lanes if one.name == item.lane)
    given = scene.review_state.verdict(item.query_id, scene.sitting)
    disputed = frozenset(given.disputed) if given else frozenset()
    is_decision = item.lane not in VERDICT_LANES
    return RecordPage(
        item=item,
        place=lane.items.index(item) + 1,
        count=len(lane.items),
        content=content,
        digest=content.digest,
        last=scene.seen(item.query_id).last,
        groups=tuple(_groups(content.answer, session, disputed)),
        panes=view.panes(_ranges(content.answer, session), whole=whole),
        choices=DECISION_CHOICES if is_decision else VERDICT_CHOICES,
        tools=DECISION_TOOLS if is_decision else VERDICT_TOOLS,
        is_decision=is_decision,
        failures=session.failures(content) if is_edited or item.lane == "failed_gate" else (),
        versions=tuple(_versions(scene, item.query_id, content)),
        note=_note(scene, item),
        is_edited=is_edited,
        previous=items[place - 1].query_id if place else None,
        following=items[place + 1].query_id if place + 1 < len(items) else None,
    )


def overview_page(scene: SessionView) -> OverviewPage:
    """Put together what the overview shows besides the lanes."""
    candidates = scene.batch.stage_files.candidates.done
    return OverviewPage(
        questions={item.query_id: candidates[item.query_id].query_text for item in scene.items},
        tools=OVERVIEW_TOOLS,
        held=len(scene.batch.stage_files.answers.done),
    )


def end_page(scene: SessionView) -> EndPage:
    """Put together what is said where no record is open."""
    check = _check_to_tell(scene)
    is_breached = check is not None and check.outcome == "breached"
    return EndPage(
        tools=END_TOOLS,
        has_sample=scene.review_state.events.sample is not None,
        breaches=check.breaches if check is not None and is_breached else (),
        missing=check.missing if check is not None else (),
        retries=len(scene.review_state.retries())
        if scene.sitting != "second" and not is_breached
        else 0,
        wants_second=check is not None and check.judged["second"] < check.judged["first"],
    )


def _check_to_tell(scene: SessionView) -> SpotCheck | None:
    """Sum the sample up, unless that would tell a second reviewer what the first one said."""
    if scene.sitting == "second" and any(one.said is None for one in scene.items):
        return None
    plan, cases = scene.batch.plan, scene.review_state
    return spot_check(
        plan, cases, record_fates(plan, cases.stage_files, cases.rulings), seed=scene.batch.seed
    )


def _note(scene: SessionView, item: QueueItem) -> str:
    given = scene.review_state.verdict(item.query_id, scene.sitting)
    if given is not None:
        return given.note or ""
    decided = scene.review_state.events.decisions.get(item.query_id)
    return decided.words if decided is not None and item.said is not None else ""


def _groups(
    answer: AnswerDraft, session: ReviewSession, disputed: frozenset[str]
) -> Iterator[ClaimGroup]:
    claims = list(claims_of(answer))
    adds = {"must_mention_fact": "fact-new", "must_not_mention_fact": "not-fact-new"}
    for kind, title in GROUPS:
        rows = tuple(
            _row(answer, session, claim.claim_id, kind, claim.claim, disputed)
            for claim in claims
            if claim.claim_type == kind
        )
        if rows or kind in adds:
            yield ClaimGroup(title, rows, adds.get(kind))


def _row(
    answer: AnswerDraft,
    session: ReviewSession,
    claim_id: str,
    kind: ClaimType,
    text: str,
    disputed: frozenset[str],
) -> ClaimRow:
    badge = note = None
    if kind == "entity":
        entity = answer.expected_entities[int(claim_id.rpartition("-")[2]) - 1]
        badge, note = entity.role, entity.rationale
    lines = tuple(_lines(answer, session, claim_id, kind, text))
    can_edit = kind in {"must_mention_fact", "must_not_mention_fact", "narrative"}
    return ClaimRow(claim_id, text, badge, note, lines, can_edit, claim_id in disputed)


def _lines(
    answer: AnswerDraft, session: ReviewSession, claim_id: str, kind: ClaimType, text: str
) -> Iterator[FileRange]:
    """The lines to mark for a claim."""
    if kind in {"must_mention_fact", "must_not_mention_fact"}:
        yield from (one for one in answer.fact_citations if one.claim_id == claim_id)
    elif kind == "line_range":
        yield answer.expected_line_ranges[int(claim_id.rpartition("-")[2]) - 1]
    elif kind == "file":
        yield from (one for one in answer.expected_line_ranges if one.file == text)
    elif kind == "narrative":
        yield from answer.expected_line_ranges
    else:
        entity = session.snapshot.entity(text)
        for span in entity.spans if entity else ():
            yield FileRange(file=text.partition("::")[0], start=span.first, end=span.last)


def _ranges(answer: AnswerDraft, session: ReviewSession) -> Iterator[FileRange]:
    for claim in claims_of(answer):
        yield from _lines(answer, session, claim.claim_id, claim.claim_type, claim.claim)
    for file in answer.expected_files:
        yield FileRange(file=file, start=1, end=0)


def _versions(scene: SessionView, query_id: str, shown: RecordContent) -> Iterator[TextVersion]:
    if scene.sitting != "adjudication":
        return
    original = scene.review_state.original(query_id)
    named = (
        ("a", "First reviewer's text", scene.review_state.seen_by(query_id, "first")),
        ("b", "Second reviewer's text", scene.review_state.seen_by(query_id, "second")),
        ("c", "Text as it was", original),
    )
    seen: set[str] = set()
    for key, label, content in named:
        if content is not None and content.digest not in seen:
            seen.add(content.digest)
            yield TextVersion(key, label, content.digest, content.digest == shown.digest)


def _squares(
    plan: Plan, items: list[QueueItem], here: QueueItem | None
) -> tuple[tuple[CellSquare, ...], ...]:
    def square(cell: Cell) -> CellSquare:
        inside = [one for one in items if one.cell == cell]
        done = sum(one.said is not None for one in inside)
        return CellSquare(cell, done, len(inside), here is not None and here.cell == cell)

    rows = [
        task for task in TASK_TYPES if any(plan.target(Cell(task, one)) for one in DIFFICULTIES)
    ]
    return tuple(tuple(square(Cell(task, one)) for one in DIFFICULTIES) for task in rows)
