"""``goldwright spot-check``: what people's sample says about a batch."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

import click

from goldwright.app.reporting import RunReport
from goldwright.app.reviewing import spot_check_of
from goldwright.app.surroundings import here
from goldwright.cli import options
from goldwright.stages.review.claims import claims

OUTCOMES: Final = {
    "no_sample": "no sample yet: it is drawn when a finished run is first reviewed",
    "incomplete": "not finished",
    "breached": "breached: this batch can not be blessed",
    "holds": "holds: the batch is blessed",
}


@click.command("spot-check")
@options.a_run
@options.as_json
def command(run: str, *, as_json: bool) -> int:
    """Tell the verdicts on the sample of RUN, its ceilings, what they prove, and what is still missing.

    Exits with 1 when a ceiling is breached.
    """
    report = spot_check_of(run, here())
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
    return {"run": report.name, **asdict(check), "ceilings": limits, "claims": list(claims(check))}


def lines(report: RunReport) -> Iterator[str]:
    """The spot check as a page of text."""
    check = report.check
    yield f"{report.name}: {OUTCOMES[check.outcome]}"
    if not check.sampled and check.outcome != "holds":
        yield f"next    goldwright review {report.name} --reviewer NAME"
        return
    drawn = f"{check.sampled} of {check.population} records"
    yield f"sample  {drawn}{f', look number {check.round}' if check.round > 1 else ''}"
    for sitting, names in check.reviewers.items():
        if names or sitting != "adjudication":
            who = f" by {', '.join(names)}" if names else ""
            yield f"        {sitting}: {check.judged[sitting]} verdicts{who}"
    yield ""
    for one in check.ceilings:
        yield f"{'ok' if one.holds else 'BREACH':<8}{one.name}: {one.found} found, at most {one.most} pass"
    yield ""
    yield from claims(check)
    for lack in check.missing:
        yield f"missing {lack}"
    yield from _next(report)


def _next(report: RunReport) -> Iterator[str]:
    check, name = report.check, report.name
    if check.outcome == "breached":
        for mode in check.failure_modes:
            yield f"found   {mode}"
        yield f"next    goldwright requeue {name}"
    elif check.outcome == "holds":
        yield f"next    goldwright export {name} --version 1.0"
    elif check.disputed:
        yield f"next    goldwright review {name} --reviewer NAME --adjudicate"
    elif check.judged["first"] < check.judged["second"] or not check.judged["first"]:
        yield f"next    goldwright review {name} --reviewer NAME"
    else:
        yield f"next    goldwright review {name} --reviewer ANOTHER-NAME --second"
