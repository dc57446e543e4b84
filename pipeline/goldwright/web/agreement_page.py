"""The page that shows how far two reviewers agree, as plain values for its template."""

from dataclasses import dataclass

from goldwright.records import TASK_TYPES, HumanVerdict
from goldwright.review.agreement_access import may_see_agreement
from goldwright.review.disagreement_counts import parting_sentence
from goldwright.review.disagreement_subjects import (
    SEVERITIES,
    SUBJECTS,
    Disagreement,
    Subject,
    prevalence_sentence,
)
from goldwright.review.passes import ADJUDICATION
from goldwright.review.remaining_work import (
    WorkLeft,
    open_passes,
    own_work_left,
    work_sentences,
)
from goldwright.review.review_state import VERDICTS, ReviewState
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import SessionView
from goldwright.review.spot_check import SpotCheck
from goldwright.web.notice_pages import check_view
from goldwright.web.page_controls import AGREEMENT_TOOLS, ToolButton

_TITLES: dict[Subject, str] = {
    "question": "Wording of the question",
    "entities": "Entities",
    "facts": "Facts",
    "must-nots": "Must-nots",
    "ranges": "Lines",
    "tier": "Tier",
    "narrative": "Narrative",
    "files": "Files",
    "unnamed": "Nothing marked, changed or named",
}


@dataclass(frozen=True, slots=True)
class SubjectGroup:
    """The records that differ in one part."""

    title: str
    disagreements: tuple[Disagreement, ...]


@dataclass(frozen=True, slots=True)
class TaskRow:
    """How many records of a task type differ, by what kind of difference."""

    task_type: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AgreementPage:
    """How far two reviewers agree.

    Attributes:
        tools: The buttons.
        state: What the page names to learn whether it shows all that was said; of others, in a
            blind pass, it says nothing.
        work: What is left, a sentence each.
        check: Everything about the sample; None for somebody who may not see it yet.
        is_partial: Whether a blind pass is still open, so that figures will change.
        explanation: Where kappa and AC1 part, and why; a sentence each.
        verdicts: The heads of the confusion table.
        groups: The records that differ, by what differs; one may stand in several.
        severities: The heads of the table by task type.
        tasks: Its rows.
        shown: The ids of the records that can be opened from here.
        opened: The number of the last word when the person opened the view; None while it is
            closed to them.
        changed: The ids of the records on which somebody spoke since, in order.
    """

    tools: tuple[ToolButton, ...]
    state: str
    work: tuple[str, ...]
    check: SpotCheck | None = None
    is_partial: bool = False
    explanation: tuple[str, ...] = ()
    verdicts: tuple[HumanVerdict, ...] = VERDICTS
    groups: tuple[SubjectGroup, ...] = ()
    severities: tuple[str, ...] = tuple(SEVERITIES.values())
    tasks: tuple[TaskRow, ...] = ()
    shown: frozenset[str] = frozenset()
    opened: int | None = None
    changed: tuple[str, ...] = ()


def agreement_state(session: ReviewSession, view: SessionView) -> str:
    """Name what the view shows now; another name means that it would show something else."""
    state, sitting = view.review_state, view.review_pass
    if may_see_agreement(state, sitting, session.reviewer):
        return str(_last_number(state))
    left_count = sum(work.left for work in _own_work(session, view))
    return f"closed-{left_count}"


def make_agreement_page(
    session: ReviewSession, view: SessionView, opened: int | None = None
) -> AgreementPage:
    """Put together what this person may see now.

    While a blind pass is open, its page is made of nothing but its reader's own verdicts.

    Args:
        session: The session.
        view: What it sees.
        opened: The number of the last word when the person opened the view; None if that is now.
    """
    state, sitting = view.review_state, view.review_pass
    name = agreement_state(session, view)
    if not may_see_agreement(state, sitting, session.reviewer):
        work = tuple(work_sentences(_own_work(session, view)))
        return AgreementPage(AGREEMENT_TOOLS, name, work)
    check = check_view(view, {sitting: session.reviewer})
    since = _last_number(state) if opened is None else opened
    return AgreementPage(
        tools=AGREEMENT_TOOLS,
        state=name,
        work=tuple(work_sentences(check.work_left)),
        check=check,
        is_partial=bool(open_passes(state)),
        explanation=_explanation(check),
        groups=tuple(_groups(check.disagreements)),
        tasks=tuple(_task_rows(check.disagreements)),
        shown=frozenset(item.query_id for item in view.items),
        opened=since,
        changed=tuple(_changed_since(state, since)),
    )


def _own_work(session: ReviewSession, view: SessionView) -> tuple[WorkLeft, ...]:
    if view.review_pass == ADJUDICATION:
        return ()
    return own_work_left(view.review_state, view.review_pass, session.reviewer)


def _last_number(state: ReviewState) -> int:
    return max(state.events.last_numbers.values(), default=0)


def _changed_since(state: ReviewState, number: int) -> list[str]:
    sampled = frozenset(state.events.sampled)
    last_numbers = state.events.last_numbers.items()
    changed = {query_id for (query_id, _), last in last_numbers if last > number}
    return sorted(changed & sampled)


def _explanation(check: SpotCheck) -> tuple[str, ...]:
    if check.agreement is None:
        return ()
    parting = parting_sentence(check.agreement.kappa, check.agreement.ac1)
    prevalence = prevalence_sentence(check.confusion)
    sentences = (prevalence, parting, check.agreement.remark)
    return tuple(sentence for sentence in sentences if sentence)


def _groups(disagreements: tuple[Disagreement, ...]) -> list[SubjectGroup]:
    groups = []
    for subject in SUBJECTS:
        records = tuple(
            disagreement for disagreement in disagreements if subject in disagreement.subjects
        )
        if records:
            groups.append(SubjectGroup(_TITLES[subject], records))
    return groups


def _task_rows(disagreements: tuple[Disagreement, ...]) -> list[TaskRow]:
    rows = []
    for task_type in TASK_TYPES:
        kinds = [
            disagreement.severity
            for disagreement in disagreements
            if disagreement.cell.task_type == task_type
        ]
        if kinds:
            rows.append(TaskRow(task_type, tuple(kinds.count(kind) for kind in SEVERITIES)))
    return rows
