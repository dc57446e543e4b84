"""A check against a baseline as a page of text, and as JUnit XML."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from goldwright.app.scoring.baselines import BaselineCheck
from goldwright.cli.number_text import number_or_dash
from goldwright.evaluation import junit
from goldwright.evaluation.adjusted_differences import SIGNIFICANCE_LEVEL
from goldwright.evaluation.baselines.regression import RegressionVerdict, WatchedMeasure
from goldwright.evaluation.baselines.regression_rules import QueryFall
from goldwright.text import counted, make_visible

# More would bury the conclusions, which stand last; the JSON names every query.
MAX_QUERIES_NAMED: Final = 20
# As many changes of one query fit into a line of 100 columns; they are of one and the same ranking.
MAX_CHANGES_NAMED: Final = 3
HEADING: Final = "                  before     now  fails below  could show       p"
ROW: Final = "{:<16}{:>8.3f}{:>8.3f}{:>13.3f}{:>12}{:>8.3f}"


def check_lines(check: BaselineCheck) -> Iterator[str]:
    """Write a check: what was compared, every measure, what fell, and two conclusions."""
    verdict = check.verdict
    yield from _heading(check)
    yield ""
    yield _counts_line(check)
    yield from _measure_table(verdict.watched)
    yield ""
    yield _rule_line(check)
    yield from _fall_lines(verdict)
    for note in check.notes:
        yield f"note: {make_visible(note)}"
    if not verdict.ok:
        yield _moves_note(verdict.watched[0])
        yield "note: Where the change is meant to stay, save the baseline again with --replace."
    yield f"on these queries: {_outcome(verdict)}"
    yield f"beyond these queries: {_population_conclusion(verdict)}"


def _outcome(verdict: RegressionVerdict) -> str:
    if verdict.ok:
        return "no worse than the baseline"
    outcome = "worse than the baseline"
    fallen = {fall.query_id for fall in verdict.regressions}
    if None in fallen:
        return outcome
    # A search that is better on the whole fails by the strict rule, too.
    queries = counted(len(fallen), "query")
    return f"{outcome}: {queries} fell, and no mean did (--mode jitter goes by the means)"


def check_as_junit(check: BaselineCheck) -> bytes:
    """Write a check as JUnit XML: a case for every measure, and one for every query."""
    verdict = check.verdict
    report = check.report
    overall_falls = [fall for fall in verdict.regressions if fall.query_id is None]
    cases = []
    for measure in check.baseline.measures:
        falls = [fall for fall in overall_falls if fall.measure == measure]
        failure = _failure_text(falls)
        cases.append(junit.JUnitCase("goldwright.baseline", measure, failure))
    falls_by_query = _group_by_query(verdict.regressions)
    for query in check.baseline.queries:
        failure = _failure_text(falls_by_query.get(query.query_id, []))
        cases.append(junit.JUnitCase("goldwright.query", query.query_id, failure))
    properties = [("mode", verdict.mode), ("commit", report.commit)]
    return junit.render_suite(report.retriever, cases, properties)


def _heading(check: BaselineCheck) -> Iterator[str]:
    baseline = check.baseline
    report = check.report
    retriever_then = make_visible(baseline.retriever)
    retriever_now = make_visible(report.retriever)
    commit_then = baseline.commit[:12]
    commit_now = report.commit[:12]
    yield f"baseline  {retriever_then} at {commit_then}"
    yield f"now       {retriever_now} at {commit_now}"


def _counts_line(check: BaselineCheck) -> str:
    queries = counted(len(check.baseline.queries), "query")
    if check.runs > 1:
        queries = f"{queries}, means of {check.runs} runs"
    measure_count = len(check.verdict.watched)
    return f"{queries}; p by sign flips, by max-T over {counted(measure_count, 'measure')}"


def _measure_table(measures: Iterable[WatchedMeasure]) -> Iterator[str]:
    yield HEADING
    for watched in measures:
        could_show = number_or_dash(watched.population.smallest_detectable, ".3f")
        yield ROW.format(
            watched.measure,
            watched.before,
            watched.after,
            watched.fails_below,
            could_show,
            watched.adjusted_p,
        )


def _rule_line(check: BaselineCheck) -> str:
    verdict = check.verdict
    rule = f"{verdict.mode}, tolerance {verdict.tolerance:g}"
    if verdict.mode == "exact":
        # Where no query may fall, how far the means may plays no part.
        rule = "exact, any fall of any query"
    return f"rule: {rule}; {_false_alarm_sentence(check)}"


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
    latest_first = reversed(verdict.regressions)
    overall = {fall.measure: fall for fall in latest_first if not fall.query_id}
    for fall in reversed(overall.values()):
        # The first reason of a measure is the plainest; all of them are in the JSON.
        yield f"WORSE  {fall}"
    yield from _query_fall_lines("WORSE", verdict.regressions)
    # Padded to the width of WORSE.
    yield from _query_fall_lines("look ", verdict.warnings)


def _query_fall_lines(label: str, falls: Iterable[QueryFall]) -> Iterator[str]:
    falls_by_query = _group_by_query(falls)
    last_reason = ""
    for query_id in list(falls_by_query)[:MAX_QUERIES_NAMED]:
        query_falls = falls_by_query[query_id]
        # Each fall has a reason; that of the first stands for all, to keep to one line.
        reason = query_falls[0].why
        if reason != last_reason:
            yield f"{label}  {reason}:"
            last_reason = reason
        name = make_visible(query_id)
        changes = _changes_text(query_falls)
        yield f"{label}  {name}: {changes}"
    hidden_count = len(falls_by_query) - MAX_QUERIES_NAMED
    if hidden_count > 0:
        noun = "query" if hidden_count == 1 else "queries"
        yield f"{label}  {hidden_count} more {noun}; --json names them all"


def _changes_text(falls: Sequence[QueryFall]) -> str:
    named_falls = falls[:MAX_CHANGES_NAMED]
    changes = ", ".join(fall.change for fall in named_falls)
    unnamed = len(falls) - MAX_CHANGES_NAMED
    if unnamed > 0:
        return f"{changes} and {unnamed} more"
    return changes


def _moves_note(watched: WatchedMeasure) -> str:
    moves = watched.population
    not_risen = f"{moves.losses} fell and {moves.ties} stayed"
    return f"note: By {watched.measure}, {moves.wins} of {moves.n} queries rose, {not_risen}."


def _group_by_query(falls: Iterable[QueryFall]) -> dict[str, list[QueryFall]]:
    """Group the falls of single queries; those over all queries are left out."""
    groups: dict[str, list[QueryFall]] = {}
    for fall in falls:
        if fall.query_id is not None:
            groups.setdefault(fall.query_id, []).append(fall)
    return groups


def _population_conclusion(verdict: RegressionVerdict) -> str:
    differing = [watched for watched in verdict.watched if watched.adjusted_p < SIGNIFICANCE_LEVEL]
    higher = [watched.measure for watched in differing if watched.after > watched.before]
    lower = [watched.measure for watched in differing if watched.after <= watched.before]
    directions = []
    if higher:
        directions.append(f"shown to be higher in {', '.join(higher)}")
    if lower:
        directions.append(f"shown to be lower in {', '.join(lower)}")
    return "; ".join(directions) or "no difference is shown"


def _failure_text(falls: Iterable[QueryFall]) -> str | None:
    text = "\n".join(str(fall) for fall in falls)
    return text or None
