"""The pages without a record, as plain values for their templates: the overview and the end."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from goldwright.records import ReviewPass
from goldwright.review.ceilings import Ceiling
from goldwright.review.passes import FIRST, SECOND
from goldwright.review.session_view import SessionView
from goldwright.review.spot_check import SpotCheck, spot_check
from goldwright.stages.fates import record_fates
from goldwright.text import counted
from goldwright.trust_card.presentation import (
    COLUMNS,
    FigureRow,
    card_summary_lines,
    figure_rows,
)
from goldwright.web.page_controls import END_TOOLS, OVERVIEW_TOOLS, ToolButton


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """All records of a review pass.

    Attributes:
        questions: The question of each record, by its id.
        tools: The buttons.
        answers: How many records of the run have an answer, those that nobody reviews too.
        trust_card: The rows of the trust card, its heading first; none where there is no card.
        trust_summary: The same in a sentence or two.
    """

    questions: Mapping[str, str]
    tools: tuple[ToolButton, ...]
    answers: int
    trust_card: tuple[FigureRow, ...] = ()
    trust_summary: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EndPage:
    """What comes next where no record is open.

    Attributes:
        tools: The buttons.
        has_sample: Whether a sample is drawn.
        breaches: The ceilings that the sample does not keep, whatever others say of it.
        missing: What is missing before the batch can be blessed.
        retries: How many records wait to be tried again.
        needs_second: Whether a second reviewer has judged fewer records than the first.
    """

    tools: tuple[ToolButton, ...]
    has_sample: bool
    breaches: tuple[Ceiling, ...]
    missing: tuple[str, ...]
    retries: int
    needs_second: bool


def make_overview_page(view: SessionView) -> OverviewPage:
    """Put together what the overview shows besides the queues."""
    stage_files = view.batch.stage_files
    questions: dict[str, str] = {}
    for item in view.items:
        candidate = stage_files.candidates.done[item.query_id]
        questions[item.query_id] = candidate.query_text
    rows: list[FigureRow] = []
    summary: tuple[str, ...] = ()
    card = view.batch.trust_card
    if card is not None:
        rows = [COLUMNS, *figure_rows(card.figures)]
        summary = tuple(card_summary_lines(card.figures))
    return OverviewPage(
        questions=questions,
        tools=OVERVIEW_TOOLS,
        answers=len(stage_files.answers.done),
        trust_card=tuple(rows),
        trust_summary=summary,
    )


def make_end_page(view: SessionView) -> EndPage:
    """Put together what is shown where no record is open."""
    has_sample = view.review_state.events.sample is not None
    # Whoever judges independently must not learn from this page what the other reviewer said.
    if view.review_pass == SECOND and view.done < len(view.items):
        return EndPage(END_TOOLS, has_sample, (), (), retries=0, needs_second=False)
    check = check_view(view)
    is_breached = check.outcome == "breached"
    retries = 0
    # A batch that breaches a ceiling starts over, and a second reviewer decides nothing.
    if not is_breached and view.review_pass != SECOND:
        retries = len(view.review_state.retries())
    needs_second = check.judged[SECOND] < check.judged[FIRST]
    breaches = check.breaches if is_breached else ()
    return EndPage(
        tools=END_TOOLS,
        has_sample=has_sample,
        breaches=breaches,
        missing=(*check.missing, *check.unproven, *_remedies(check)),
        retries=retries,
        needs_second=needs_second,
    )


def _remedies(check: SpotCheck) -> Iterator[str]:
    """Say how a sample that proved nothing can be made to, where it can."""
    if check.further is not None:
        records = counted(check.further, "record")
        yield (
            f"{records} more could prove it: end this review, and begin it again with "
            f"--more {check.further}"
        )


def check_view(view: SessionView, people: Mapping[ReviewPass, str] | None = None) -> SpotCheck:
    """Sum up the review as it is now; ``people`` are who works on which pass."""
    plan, state = view.batch.plan, view.review_state
    fates = record_fates(plan, state.stage_files, state.rulings)
    return spot_check(plan, state, fates, seed=view.batch.seed, people=people)
