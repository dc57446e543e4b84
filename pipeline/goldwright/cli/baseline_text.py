"""A check against a baseline as a page of text, and as JUnit XML."""

from collections.abc import Iterable, Iterator
from typing import Final

from goldwright.app.baselines import BaselineCheck
from goldwright.evaluation import junit
from goldwright.evaluation.adjusted_differences import SIGNIFICANCE_LEVEL
from goldwright.evaluation.regression import RegressionVerdict, WatchedMeasure
from goldwright.evaluation.regression_rules import QueryFall
from goldwright.text import make_visible

MAX_QUERIES_NAMED: Final = 20


def check_lines(check: BaselineCheck) -> Iterator[str]:
    """Write a check: what was compared, every measure, what fell, and two conclusions."""
    verdict = check.verdict
    yield from _heading(check)
    yield ""
    yield _counts_line(check)
    yield from _measure_table(verdict.watched)
    yield ""
    rule = f"{verdict.mode}, tolerance {verdict.tolerance:g}"
    yield f"rule: {rule}; {_false_alarm_sentence(check)}"
    yield from _fall_lines(verdict)
    for note in check.notes:
        yield f"note: {make_visible(note)}"
    outcome = "worse than the baseline"
    if verdict.ok:
        outcome = f"no {outcome}"
    yield f"on these queries: {outcome}"
    yield f"beyond these queries: {_population_conclusion(verdict)}"


def check_as_junit(check: BaselineCheck) -> bytes:
    """Write a check as JUnit XML: a case for every measure, and one for every query."""
    falls = check.verdict.regressions
    cases = []
    for measure in check.baseline.measures:
        overall = [fall for fall in falls if fall.query_id is None and fall.measure == measure]
        cases.append(junit.JUnitCase("goldwright.baseline", measure, _failure_text(overall)))
    for query in check.baseline.queries:
        of_query = [fall for fall in falls if fall.query_id == query.query_id]
        failure = _failure_text(of_query)
        cases.append(junit.JUnitCase("goldwright.query", query.query_id, failure))
    properties = [("mode", check.verdict.mode), ("commit", check.report.commit)]
    return junit.render_suite(check.report.retriever, cases, properties)


def _heading(check: BaselineCheck) -> Iterator[str]:
    baseline = check.baseline
    report = check.report
    yield f"baseline  {make_visible(baseline.retriever)} at {baseline.commit[:12]}"
    yield f"now       {make_visible(report.retriever)} at {report.commit[:12]}"


def _counts_line(check: BaselineCheck) -> str:
    queries = f"{len(check.baseline.queries)} queries"
    if check.runs > 1:
        queries = f"{queries}, means of {check.runs} runs"
    measure_count = len(check.verdict.watched)
    return f"{queries}; p by sign flips, after Holm over {measure_count} measures"


def _measure_table(measures: Iterable[WatchedMeasure]) -> Iterator[str]:
    yield f"{'':<16}{'before':>8}{'now':>8}{'fails below':>13}{'could show':>12}{'p':>8}"
    for watched in measures:
        could_show = "-"
        if watched.population.smallest_detectable is not None:
            could_show = f"{watched.population.smallest_detectable:.3f}"
        means = f"{watched.before:>8.3f}{watched.after:>8.3f}{watched.fails_below:>13.3f}"
        yield f"{watched.measure:<16}{means}{could_show:>12}{watched.adjusted_p:>8.3f}"


def _false_alarm_sentence(check: BaselineCheck) -> str:
    """Say how often the rule fires where nothing changed: between runs of the baseline itself."""
    runs = check.baseline.runs
    if check.false_alarms is None:
        return "with one run, how often it fires without a change cannot be told"
    if check.baseline.is_steady:
        return f"all {runs} runs of the baseline are the same, so what differs now has changed"
    alarms, tries = check.false_alarms
    return f"between the {runs} runs of the baseline itself it fires {alarms} of {tries} times"


def _fall_lines(verdict: RegressionVerdict) -> Iterator[str]:
    """Write what fell: first over all queries, then query by query, a line each."""
    for fall in verdict.regressions:
        if fall.query_id is None:
            yield f"WORSE  {fall}"
    yield from _query_fall_lines("WORSE", verdict.regressions)
    # Padded to the width of WORSE.
    yield from _query_fall_lines("look ", verdict.warnings)


def _query_fall_lines(label: str, falls: Iterable[QueryFall]) -> Iterator[str]:
    by_query: dict[str, list[QueryFall]] = {}
    for fall in falls:
        if fall.query_id is not None:
            by_query.setdefault(fall.query_id, []).append(fall)
    for query_id in list(by_query)[:MAX_QUERIES_NAMED]:
        of_query = by_query[query_id]
        changes = ", ".join(fall.change for fall in of_query)
        yield f"{label}  {make_visible(query_id)}: {changes}; {of_query[0].why}"
    hidden_count = len(by_query) - MAX_QUERIES_NAMED
    if hidden_count > 0:
        yield f"{label}  {hidden_count} more queries; --json names them all"


def _population_conclusion(verdict: RegressionVerdict) -> str:
    shown = [
        watched.measure for watched in verdict.watched if watched.adjusted_p < SIGNIFICANCE_LEVEL
    ]
    if not shown:
        return "no difference is shown"
    return f"a difference is shown in {', '.join(shown)}"


def _failure_text(falls: Iterable[QueryFall]) -> str | None:
    text = "\n".join(str(fall) for fall in falls)
    return text or None
