"""What a batch must hold, and what people must have said of it, before a version is blessed."""

from collections.abc import Iterator
from typing import Final

from goldwright.app.runs.run_report import RunReport
from goldwright.review.spot_check import SpotCheck
from goldwright.text import counted, name_some

_UNDECIDED: Final = frozenset({"queued", "failed_gate"})


def missing_for_blessing(report: RunReport) -> Iterator[str]:
    """List everything for which a run cannot be exported as a blessed version."""
    if report.state != "complete":
        yield f"the run is not finished (goldwright resume {report.name})"
    minimum = report.plan.minimum_total
    if report.selected < minimum:
        selected_records = counted(report.selected, "record")
        yield f"{selected_records}, where at least {minimum} are wanted"
    for cell in report.short_cells:
        target = report.plan.target(cell)
        filled = report.filled(cell)
        yield f"{cell} holds {filled} of {target}"
    # Of a list that was adopted, or came back, people decide on each record.
    waiting = [record.query_id for record in report.record_fates if record.fate in _UNDECIDED]
    if report.plan.is_return and waiting:
        verb = "waits" if len(waiting) == 1 else "wait"
        records = counted(len(waiting), "record")
        names = name_some(waiting)
        yield f"{records} {verb} to be kept or dropped ({names})"
        # Then each is decided by itself, and no sample is judged.
        return
    yield from blessing_objections(report.check)


def blessing_objections(check: SpotCheck) -> Iterator[str]:
    """List everything that people still have to do or mend before a blessing."""
    for ceiling in check.breaches:
        count = f"{ceiling.found}, where at most {ceiling.most} pass"
        # What one person found may be seen otherwise by those who come after.
        so_far = " so far" if check.outcome == "at_risk" else ""
        yield f"the sample breaches a ceiling{so_far}: {ceiling.name}: {count}"
    for task in check.missing:
        yield f"open: {task}"
    # What follows is judged once everybody has said what they had to say.
    if not check.missing:
        yield from check.unproven
