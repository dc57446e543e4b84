"""``goldwright baseline``: keep what a retriever came to, and fail when it becomes worse."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from goldwright.app.baselines import BaselineCheck, as_dict, check_baseline, save_baseline
from goldwright.app.environment import current_environment
from goldwright.app.evaluate import EvalRequest
from goldwright.atomic_files import replace_report
from goldwright.cli import options
from goldwright.cli.progress_bars import watching
from goldwright.evaluation import junit
from goldwright.evaluation.adjusted_differences import SIGNIFICANCE_LEVEL
from goldwright.evaluation.regression import RegressionVerdict
from goldwright.evaluation.regression_rules import TOLERANCE, Mode, QueryFall
from goldwright.text import make_visible

RUNS: Final = 5
MOST_TOLD: Final = 20


@click.group("baseline")
def command() -> None:
    """Keep what a retriever came to, and fail when it becomes worse."""


@command.command("save")
@click.argument("file", type=options.a_path, metavar="FILE")
@options.evaluation
@click.option("--runs", type=click.IntRange(1, 100), default=RUNS, show_default=True,
              help="How often to ask: the spread of the runs tells jitter from change.")  # fmt: skip
@click.option(
    "--replace",
    is_flag=True,
    help="Put it in the place of an earlier baseline; prints what changes.",
)
def save(file: Path, *, runs: int, replace: bool, **given: Any) -> None:
    """Ask a retriever every query of DATASET several times, and keep the outcome in FILE.

    Commit FILE, and hold later states of the retriever against it with goldwright baseline check.
    """
    with watching() as progress:
        done = save_baseline(
            file, EvalRequest(**given), current_environment(), progress, runs=runs, over=replace
        )
    click.echo(
        f"{file}: {make_visible(done.baseline.retriever)}, {len(done.baseline.queries)} queries, {runs} runs"
    )
    for name, before, now in done.changes:
        values = done.baseline.means[name]
        spread = (
            f"   runs {min(values):.3f} to {max(values):.3f}" if max(values) > min(values) else ""
        )
        was = f"   was {before:.3f}" if before is not None else ""
        click.echo(f"{name:<16}{now:.3f}{spread}{was}")


@command.command("check")
@click.argument("file", type=options.a_path, metavar="FILE")
@options.evaluation
@click.option("--mode", type=click.Choice(["jitter", "spec"]), default="jitter", show_default=True,
              help="Tell a fall from jitter, or fail at any fall beyond the tolerance, of any query.")  # fmt: skip
@click.option("--tolerance", type=options.FiniteNumber(0, 1), default=TOLERANCE, show_default=True,
              help="How far a measure may fall.")  # fmt: skip
@click.option(
    "--runs",
    type=click.IntRange(1, 100),
    help="How often to ask.  [default: as the baseline needs]",
)
@click.option(
    "--junit",
    "junit_xml",
    type=options.a_path,
    metavar="XML",
    help="Write the outcome as JUnit XML.",
)
@options.as_json
def check(
    file: Path,
    *,
    mode: Mode,
    tolerance: float,
    runs: int | None,
    junit_xml: Path | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Ask a retriever again, and exit with 1 where it became worse than the baseline in FILE.

    To become better never fails; save the baseline anew when a change is meant to stay.
    """
    with watching() as progress:
        done = check_baseline(
            file,
            EvalRequest(**given),
            current_environment(),
            progress,
            runs=runs,
            mode=mode,
            tolerance=tolerance,
        )
    if junit_xml is not None:
        replace_report(junit_xml, as_junit(done), head=junit.HEAD)
    if as_json:
        click.echo(json.dumps(as_dict(done), indent=2))
    else:
        for line in lines(done):
            click.echo(line)
    return 0 if done.verdict.ok else 1


def lines(done: BaselineCheck) -> Iterator[str]:
    """The check as a page of text."""
    verdict = done.verdict
    yield f"baseline  {make_visible(done.baseline.retriever)} at {done.baseline.commit[:12]}"
    yield f"now       {make_visible(done.report.retriever)} at {done.report.commit[:12]}"
    yield ""
    runs = "" if done.runs == 1 else f", means of {done.runs} runs"
    count = len(done.baseline.queries)
    yield f"{count} queries{runs}; p by sign flips, after Holm over {len(verdict.watched)} measures"
    yield f"{'':<16}{'before':>8}{'now':>8}{'fails below':>13}{'could show':>12}{'p':>8}"
    for one in verdict.watched:
        least = one.population.smallest_detectable
        shown = f"{least:.3f}" if least is not None else "-"
        yield (
            f"{one.measure:<16}{one.before:>8.3f}{one.after:>8.3f}{one.fails_below:>13.3f}"
            f"{shown:>12}{one.adjusted_p:>8.3f}"
        )
    yield ""
    yield f"rule: {verdict.mode}, tolerance {verdict.tolerance:g}; {_alarms(done)}"
    yield from _told(verdict)
    yield from (f"note: {make_visible(note)}" for note in done.notes)
    yield f"on these queries: {'no worse than the baseline' if verdict.ok else 'worse than the baseline'}"
    moved = [one.measure for one in verdict.watched if one.adjusted_p < SIGNIFICANCE_LEVEL]
    named = f"a difference is shown in {', '.join(moved)}" if moved else "no difference is shown"
    yield f"beyond these queries: {named}"


def as_junit(done: BaselineCheck) -> bytes:
    """The check as JUnit XML: a case for every measure, and one for every query."""
    falls = done.verdict.regressions

    def why(query: str | None, measure: str | None = None) -> str | None:
        found = [
            str(one) for one in falls if one.query_id == query and measure in {None, one.measure}
        ]
        return "\n".join(found) or None

    review_state = [
        junit.JUnitCase("goldwright.baseline", one, why(None, one))
        for one in done.baseline.measures
    ]
    review_state += [
        junit.JUnitCase("goldwright.query", one.query_id, why(one.query_id))
        for one in done.baseline.queries
    ]
    return junit.render_suite(
        done.report.retriever,
        review_state,
        [("mode", done.verdict.mode), ("commit", done.report.commit)],
    )


def _alarms(done: BaselineCheck) -> str:
    if done.false_alarms is None:
        return "with one run, how often it fires without a change cannot be told"
    alarms, tries = done.false_alarms
    if done.baseline.is_steady:
        return f"all {done.baseline.runs} runs of the baseline are the same, so what differs now has changed"
    return f"between the {done.baseline.runs} runs of the baseline itself it fires {alarms} of {tries} times"


def _told(verdict: RegressionVerdict) -> Iterator[str]:
    """What fell: first over all queries, then query by query, a line each."""
    yield from (f"WORSE  {one}" for one in verdict.regressions if one.query_id is None)
    for word, falls in (("WORSE", verdict.regressions), ("look ", verdict.warnings)):
        by_query: dict[str, list[QueryFall]] = {}
        for one in falls:
            if one.query_id is not None:
                by_query.setdefault(one.query_id, []).append(one)
        for query, found in list(by_query.items())[:MOST_TOLD]:
            yield f"{word}  {make_visible(query)}: {', '.join(one.change for one in found)}; {found[0].why}"
        if len(by_query) > MOST_TOLD:
            yield f"{word}  {len(by_query) - MOST_TOLD} more queries; --json names them all"
