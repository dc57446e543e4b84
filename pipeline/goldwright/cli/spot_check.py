"""``goldwright spot-check``: what people's sample says about a batch."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

import click

from goldwright.app.environment import current_environment
from goldwright.app.export_suggestion import suggest_export_command
from goldwright.app.review import spot_check_run
from goldwright.app.run_report import RunReport
from goldwright.cli import options
from goldwright.review.sample_statements import sample_statements
from goldwright.text import make_visible

OUTCOMES: Final = {
    "no_sample": "no sample yet: it is drawn when a finished run is first reviewed",
    "incomplete": "not finished",
    "breached": "breached: this batch cannot be blessed",
    "holds": "holds: no ceiling is breached and nothing is missing, so the batch is blessed",
}


@click.command("spot-check")
@options.a_run
@options.as_json
def command(run: str, *, as_json: bool) -> int:
    """Tell the verdicts on the sample of RUN, its ceilings, what they prove, and what is still
    missing.

    Exits with 1 when a ceiling is breached.
    """
    report = spot_check_run(run, current_environment())
    if as_json:
        click.echo(json.dumps(as_dict(report), indent=2))
    else:
        for line in lines(report):
            click.echo(line)
    return 1 if report.check.outcome == "breached" else 0


def as_dict(report: RunReport) -> dict[str, object]:
    """The spot check as JSON types."""
    check = report.check
    limits = [{**asdict(one), "holds": one.holds} for one in check.ceilings]
    found = {**asdict(check), "ceilings": limits, "failure_modes": check.failure_modes}
    return {"run": report.name, **found, "claims": list(sample_statements(check))}


def lines(report: RunReport) -> Iterator[str]:
    """The spot check as a page of text."""
    check = report.check
    yield f"{report.name}: {OUTCOMES[check.outcome]}"
    if report.state != "complete":
        yield f"next    goldwright resume {report.name}   (the sample is drawn from a finished run)"
        return
    if not check.sampled and check.outcome != "holds":
        yield f"next    goldwright review {report.name} --reviewer NAME"
        return
    if not check.sampled:
        yield "        there was nothing to draw a sample from: each record came back and was decided by itself"
        yield from _next(report)
        return
    drawn = f"{check.sampled} of {check.population} records"
    yield f"sample  {drawn}{f', look number {check.round}' if check.round > 1 else ''}"
    for sitting, names in check.reviewers.items():
        if names or sitting != "adjudication":
            who = f" by {', '.join(names)}" if names else ""
            among = ", those on falsified answers among them" if check.canaries else ""
            yield f"        {sitting}: {check.judged[sitting]} verdicts{who}{among}"
    yield ""
    for one in check.ceilings:
        word = (
            "BREACH"
            if not one.holds
            else "ok"
            if sum(check.counts.values()) == check.sampled
            else "so far"
        )
        yield f"{word:<8}{one.name}: {one.found} found, at most {one.most} pass"
    yield ""
    yield from sample_statements(check)
    for lack in check.missing:
        yield f"open    {lack}"
    yield from _next(report)


def _next(report: RunReport) -> Iterator[str]:
    check, name = report.check, report.name
    if check.outcome == "breached":
        for query_id, modes in check.findings.items():
            yield from (f"found   {make_visible(query_id)}, {make_visible(mode)}" for mode in modes)
        yield f"next    goldwright requeue {name}"
    elif check.outcome == "holds":
        yield f"next    {suggest_export_command(report, current_environment())}"
    elif check.disputed:
        yield f"next    goldwright review {name} --reviewer NAME --adjudicate"
    elif check.judged["first"] < check.judged["second"] or not check.judged["first"]:
        yield f"next    goldwright review {name} --reviewer NAME"
    else:
        yield f"next    goldwright review {name} --reviewer ANOTHER-NAME --second"
