"""What to do next with a run, as the end of its summary."""

from collections.abc import Iterator
from typing import Final

from goldwright.app.datasets.export_suggestion import suggest_draft_command, suggest_export_command
from goldwright.app.environment import Environment
from goldwright.app.runs.run_report import RunReport
from goldwright.cli.printing import folded_lines
from goldwright.engine.scheduler import is_given_up
from goldwright.plan import Cell
from goldwright.text import counted, name_some

_MOST_SET_ASIDE: Final = 5
# What keeps a record out that a question was written for, beside a rejection.
_LOST: Final[dict[str, str]] = {
    "failed_gate": "failed the gate",
    "queued": "wait for a person",
}
SHORT_OFFLINE: Final = "The code did not give enough for them"
SHORT_LIVE: Final = "Too few of their records were written, or came through the gate and agreement"
SHORT_SCREEN: Final = "Too few of their questions passed the screen, the gate and agreement"
# What a cell lacks may be what another one took.
_OTHER_SEED: Final = "another --seed deals the questions otherwise, and may fill such a cell"


# Another attempt would be an answer of the Oracle, in place of what the authors of the list wrote.
_ADVICE_ON_ADOPTED: Final = (
    "what is wrong in one of them is mended where it came from: correct the list, then adopt it "
    "again with --replace"
)


def next_step_lines(report: RunReport, environment: Environment) -> Iterator[str]:
    """Say what to do next: carry it on, decide on records, review it, export it."""
    if report.state != "complete":
        if report.stopped_by:
            yield from folded_lines("stopped", report.stopped_by)
        yield f"next    goldwright resume {report.name}   (it is not finished)"
        # Trying it again would fail again, and the run stays open until the record is out.
        if any(is_given_up(failure) for failure in report.failed):
            yield f"        or  goldwright drop {report.name} QUERY_ID  for what cannot be finished"
        return
    yield from _short_cell_lines(report)
    yield from _set_aside_lines(report)
    yield from _open_record_lines(report)
    stopped_count = report.fates["queued"] + report.fates["failed_gate"]
    is_undecided = stopped_count > 0
    if report.plan.is_return and is_undecided and report.selected:
        # Each record of such a list is decided by itself, and what is to be done was just said.
        return
    if report.check.outcome == "holds":
        yield f"next    {suggest_export_command(report, environment)}"
    elif report.check.outcome == "breached" or any(report.check.judged.values()):
        yield f"next    goldwright spot-check {report.name}"
    else:
        yield from _first_steps(report, suggest_draft_command(report, environment))


def _first_steps(report: RunReport, draft_command: str | None) -> Iterator[str]:
    """Say what to do with a batch that nobody has judged yet."""
    if not report.record_fates:
        yield from folded_lines(
            "next",
            "nothing was asked, so there is nothing to look at: run it over more code, or with a "
            "plan of your own for other task types (a JSON file in the place of the plan's name)",
            width=8,
        )
        return
    if not report.selected:
        yield f"next    goldwright trace {report.name}   (no record stands; what became of each)"
        return
    if draft_command and report.check.needed != 0:
        yield f"next    {draft_command}"
        needed = needed_phrase(report)
        yield from folded_lines("", f"to bless one: {needed} (goldwright spot-check --help)")
        return
    if draft_command and any(cell in report.shortfalls for cell in report.short_cells):
        # People's work would be lost on it: what the code cannot fill is not blessed.
        yield f"next    {draft_command}"
        yield "        to bless one: what this batch holds, in place of its plan:"
        yield f"        goldwright resume {report.name} --as-filled"
        return
    yield f"next    goldwright review {report.name} --reviewer NAME"
    if draft_command:
        yield f"        or  {draft_command}"


def _short_sentence(report: RunReport) -> str:
    """Count the cells that are short, by the rule that marks them in the table, and the others."""
    short_cells = counted(len(report.short_cells), "cell")
    text = f"{short_cells} (!), below {report.plan.minimum_cell_share:.0%} of the target"
    cells = report.plan.filled_cells()
    below = [cell for cell in cells if report.filled(cell) < report.plan.target(cell)]
    passing = len(below) - len(report.short_cells)
    if passing:
        verb = "holds" if passing == 1 else "hold"
        text = f"{text}; {passing} more {verb} less than the target, and enough"
    return text


def needed_phrase(report: RunReport) -> str:
    """Say of how many records a flawless review would prove anything."""
    needed = report.check.needed
    records = "more records"
    if needed is not None:
        records = f"about {needed} records of such cells"
    selected = report.selected
    if not any(cell in report.shortfalls for cell in report.short_cells):
        return f"plan {records}; of {selected}, no review proves anything"
    # The code was looked through: planning more of the same would bring nothing.
    limit_clause = f"this code gave no more than {selected}, of which no review proves anything"
    if needed is not None and report.plan.total < needed:
        return f"it takes {records}; the plan asks for {report.plan.total}, and {limit_clause}"
    return f"it takes {records}, and {limit_clause}"


def _short_cell_lines(report: RunReport) -> Iterator[str]:
    if not report.short_cells:
        return
    # Static analysis says where it wrote less than was asked; there it has looked at everything.
    lacking = [cell for cell in report.short_cells if cell in report.shortfalls]
    other_cells = [cell for cell in report.short_cells if cell not in report.shortfalls]
    reason = SHORT_LIVE if report.takes_hints else SHORT_SCREEN
    if lacking:
        reason = SHORT_OFFLINE
    shortage = f"{_short_sentence(report)}. {reason}; nothing was padded."
    yield from folded_lines("short", shortage)
    for cell in lacking:
        # Why each kind of question fell short stands in the JSON of ``status``.
        fates, *_ = report.shortfalls[cell]
        short_cell = _short_cell(report, cell)
        yield from folded_lines("", f"{short_cell}: {fates}")
    if other_cells:
        losses = "; ".join(_losses(report, cell) for cell in other_cells)
        yield from folded_lines("", losses)
    if lacking:
        yield from folded_lines("", _OTHER_SEED)


def _short_cell(report: RunReport, cell: Cell) -> str:
    filled = report.filled(cell)
    target = report.plan.target(cell)
    return f"{cell} ({filled} of {target})"


def _losses(report: RunReport, cell: Cell) -> str:
    """Say what became of the other questions of a cell for which as many were asked as wanted."""
    short_cell = _short_cell(report, cell)
    fates = report.in_cell(cell)
    lost: list[str] = []
    for fate, count in fates.items():
        if fate in _LOST:
            lost.append(f"{count} {_LOST[fate]}")
    reasons = report.cell_rejections.get(cell, {})
    if reasons:
        by_reason = sorted(reasons.items())
        listed = ", ".join(f"{count} {reason}" for reason, count in by_reason)
        total = sum(reasons.values())
        lost.append(f"{total} rejected ({listed})")
    if not lost:
        return short_cell
    questions = fates.total()
    all_lost = ", ".join(lost)
    return f"{short_cell}: of {questions} questions {all_lost}"


def _open_record_lines(report: RunReport) -> Iterator[str]:
    """Say which records wait for a runner, and which for a person."""
    if report.retries:
        records = "the record"
        if report.retries > 1:
            records = f"the {report.retries} records"
        yield f"next    goldwright resume {report.name}   ({records} to be tried again)"
    # People have spoken on those to be retried already; a runner has to take them up.
    stopped = report.fates["queued"] + report.fates["failed_gate"]
    waiting = stopped - report.retries
    if waiting > 0:
        records = counted(waiting, "record")
        record_fates = report.record_fates
        stopped_records = [
            record for record in record_fates if record.fate in ("queued", "failed_gate")
        ]
        stopped_ids = [record.query_id for record in stopped_records]
        names = name_some(stopped_ids)
        yield f"next    decide on {records} in review ({names}), or by"
        drop = f'goldwright drop {report.name} QUERY_ID --why "…"'
        if report.plan.is_adopted:
            yield f"        {drop}"
            yield from folded_lines("", _ADVICE_ON_ADOPTED)
        elif not report.takes_hints:
            # Static analysis would answer the same again.
            yield f"        {drop}"
        else:
            yield f'        goldwright retry {report.name} QUERY_ID --hint "look at …"'
            yield f"        {drop}"


def _set_aside_lines(report: RunReport) -> Iterator[str]:
    if not report.set_aside:
        return
    pieces = counted(len(report.set_aside), "piece")
    yield f"aside   {pieces} of work given up; resume tries them again, and nothing else:"
    for item in report.set_aside[:_MOST_SET_ASIDE]:
        yield f"        {item}"
