"""``goldwright spot-check``: what people's sample says about a batch."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

import click

from goldwright.app.datasets.export_suggestion import suggest_export_command
from goldwright.app.environment import Environment, current_environment
from goldwright.app.runs.run_report import RunReport
from goldwright.app.runs.run_status import run_status
from goldwright.cli import options
from goldwright.cli.gate_exit_code import gate_exit_code
from goldwright.cli.next_steps import needed_phrase
from goldwright.cli.printing import folded_lines, print_json, print_lines
from goldwright.review.ceilings import Ceiling
from goldwright.review.disagreement_subjects import prevalence_sentence, taxonomy_sentences
from goldwright.review.passes import ADJUDICATION, FIRST, SECOND
from goldwright.review.remaining_work import work_sentences
from goldwright.review.sample_statements import sample_statements
from goldwright.review.spot_check import SpotCheck
from goldwright.text import counted, make_visible

OUTCOMES: Final = {
    "no_sample": "no sample yet: it is drawn when a finished run is first reviewed",
    "incomplete": "not finished",
    "at_risk": "not finished, and a ceiling is passed so far",
    "breached": "breached: this batch cannot be blessed",
    "unproven": "keeps every ceiling and proves nothing: this batch cannot be blessed",
    "holds": "holds: no ceiling is breached and nothing is missing, so the batch is blessed",
}

PLAYED: Final = (
    "holds, but a script played the people: no ceiling is breached and nothing is missing; the "
    "batch is for trying out only"
)

_RISK: Final = (
    "what one person found counts against the batch unless a second reviewer and whoever settles "
    "the difference see it otherwise; requeue would give it up before that"
)

_TOO_SHORT: Final = (
    "whatever people say, this batch cannot be blessed as it is: it holds fewer records than its "
    "plan wants; goldwright resume {run} --as-filled takes what it holds for its plan as long as "
    "nobody has judged it (u in the review takes a verdict back)"
)


@click.command("spot-check")
@options.run_argument
@options.as_json
def command(run: str, *, as_json: bool) -> int:
    """Show the verdicts on the sample of RUN, its ceilings, what they prove, and what is still
    missing.

    A batch is blessed when all that were to judge the sample have, no ceiling is breached, and the
    sample proves something: what reviewers caught of the falsified answers hidden in it widens the
    bound of bad records, which has to leave some of the batch good. With few records in a cell no
    review can do that; plan more, or set sample_share in the plan to draw more of them.

    Exits with 1 when a ceiling is breached, or when the reviewers let most canaries pass.
    """
    environment = current_environment()
    report = run_status(run, environment, may_be_empty=False)
    if as_json:
        print_json(_as_json(report))
    else:
        print_lines(_lines(report, environment))
    return gate_exit_code(passes=report.check.outcome not in ("breached", "unproven"))


def _as_json(report: RunReport) -> dict[str, object]:
    check = report.check
    ceilings = []
    for ceiling in check.ceilings:
        row = asdict(ceiling)
        row["holds"] = ceiling.holds
        ceilings.append(row)
    return {
        "run": report.name,
        **asdict(check),
        "ceilings": ceilings,
        "failure_modes": check.failure_modes,
        "claims": list(sample_statements(check)),
    }


def _lines(report: RunReport, environment: Environment) -> Iterator[str]:
    check = report.check
    is_played = check.outcome == "holds" and check.scripted > 0
    outcome = PLAYED if is_played else OUTCOMES[check.outcome]
    yield f"{report.name}: {outcome}"
    if report.state == "complete" and not report.plan.is_return and not report.is_complete_enough:
        yield from folded_lines("short", _TOO_SHORT.format(run=report.name))
    if report.state == "complete" and check.needed != 0:
        yield from folded_lines("short", needed_phrase(report))
    if report.state != "complete":
        yield f"next    goldwright resume {report.name}   (the sample is drawn from a finished run)"
    elif check.sampled:
        yield from _sample_lines(check)
        yield from _next_steps(report, environment)
    elif check.outcome == "holds":
        yield (
            "        there was nothing to draw a sample from: "
            "each record came back and was decided by itself"
        )
        yield from _next_steps(report, environment)
    else:
        yield f"next    goldwright review {report.name} --reviewer NAME"


def _sample_lines(check: SpotCheck) -> Iterator[str]:
    size = f"{check.sampled} of {check.population} records"
    if check.round > 1:
        size = f"{size}, look number {check.round}"
    yield f"sample  {size}"
    yield from _reviewer_lines(check)
    yield ""
    for ceiling in check.ceilings:
        state = _ceiling_state(ceiling, check)
        count = f"{ceiling.found} found, at most {ceiling.most} pass"
        yield f"{state:<8}{ceiling.name}: {count}"
    yield ""
    for statement in sample_statements(check):
        yield from folded_lines("", statement, width=0)
    for sentence in check.missing:
        yield from folded_lines("open", sentence)
    if check.disagreements:
        yield prevalence_sentence(check.confusion) or ""
    for sentence in taxonomy_sentences(check.disagreements):
        yield from folded_lines("differ", sentence)
    for sentence in work_sentences(check.work_left):
        yield from folded_lines("ahead", sentence)


def _reviewer_lines(check: SpotCheck) -> Iterator[str]:
    for review_pass, names in check.reviewers.items():
        # Many samples need no adjudication, so nobody is missed there.
        if review_pass == ADJUDICATION and not names:
            continue
        verdicts = counted(check.judged[review_pass], "verdict")
        if names:
            verdicts = f"{verdicts} by {', '.join(names)}"
        if check.canaries:
            verdicts = f"{verdicts}, those on falsified answers among them"
        yield f"        {review_pass}: {verdicts}"


def _ceiling_state(ceiling: Ceiling, check: SpotCheck) -> str:
    # A breach need not wait for the verdicts that are missing; a ceiling that holds has to.
    if not ceiling.holds:
        return "at risk" if check.outcome == "at_risk" else "BREACH"
    judged = sum(check.counts.values())
    if judged < check.sampled:
        return "so far"
    return "ok"


def _next_steps(report: RunReport, environment: Environment) -> Iterator[str]:
    check = report.check
    if check.outcome == "breached":
        yield from _finding_lines(check)
        yield f"next    goldwright requeue {report.name}"
    elif check.outcome == "unproven":
        for reason in check.unproven:
            yield from folded_lines("unproven", reason, width=10)
        yield from _remedy_lines(report)
    elif check.outcome == "holds":
        yield f"next    {suggest_export_command(report, environment)}"
    else:
        if check.outcome == "at_risk":
            yield from folded_lines("risk", _RISK)
        yield f"next    {_next_review_command(report)}"


def _remedy_lines(report: RunReport) -> Iterator[str]:
    """Say what could still prove something of a batch that nothing is wrong with so far."""
    requeue = f"goldwright requeue {report.name}"
    count = report.check.further
    if count is None:
        yield f"next    {requeue}"
        yield "        (no further sample of this batch could prove anything; plan more records)"
        return
    yield f"next    goldwright review {report.name} --reviewer NAME --more {count}"
    records = counted(count, "further record")
    yield f"        ({records}, and more falsified answers among them: proves something"
    yield "        where all of these are judged right, by NAME and by a second reviewer)"
    yield f"        or  {requeue}"


def _finding_lines(check: SpotCheck) -> Iterator[str]:
    for query_id, modes in check.findings.items():
        name = make_visible(query_id)
        for mode in modes:
            finding = f"{name}, {make_visible(mode)}"
            yield from folded_lines("found", finding)


def _next_review_command(report: RunReport) -> str:
    """Give the command for the review pass that is behind: adjudication, first, second."""
    check = report.check
    if check.disputed:
        return f"goldwright review {report.name} --reviewer NAME --adjudicate"
    # Two reviewers may work at once, so the one who lags behind is called for first.
    first_count = check.judged[FIRST]
    second_count = check.judged[SECOND]
    is_first_behind = not second_count or first_count <= second_count
    if first_count < check.to_judge and is_first_behind:
        name = _name_of(check.reviewers[FIRST], "NAME")
        return f"goldwright review {report.name} --reviewer {name}"
    name = _name_of(check.reviewers[SECOND], "ANOTHER-NAME")
    return f"goldwright review {report.name} --reviewer {name} --second"


def _name_of(reviewers: Sequence[str], default: str) -> str:
    return shlex.quote(reviewers[0]) if reviewers else default
