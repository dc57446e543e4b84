"""An evaluation as a page of text."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from goldwright.app.scoring.evaluate import Evaluation
from goldwright.cli.number_text import mean_text
from goldwright.evaluation.calibration.sufficiency import Sufficiency
from goldwright.evaluation.gates import GateResult
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.strata import MeanWithInterval, Stratum, dimensions
from goldwright.text import counted, make_visible

# Columns of a table: the name of a stratum and its number of queries, then one for each measure.
STRATUM_COLUMNS: Final = "{:<18}{:>4}"
STRATUM_WIDTH: Final = 22
MEASURE_WIDTH: Final = 19
# In a table, the interval of fewer queries is not shown; it stands in the JSON.
FEWEST_WITH_INTERVAL: Final = 5
# Names below a gate that are written out; more of them do not fit on a line.
MAX_NAMES_BELOW: Final = 6
# The columns of a gate: whether it passes, its name, its rule, and the value it was held against.
GATE_ROW: Final = "gate  {:<7} {:<15} {:<26} {}"
GATE_INDENT: Final = " " * 30


def evaluation_lines(evaluation: Evaluation) -> Iterator[str]:
    """Write every measure with its interval, the strata, the gates, and the notes."""
    report = evaluation.report
    # The first stratum holds all queries, and every other one belongs to a dimension.
    overall = evaluation.strata[0]
    yield from _heading_lines(report)
    for measure, mean in overall.means.items():
        yield f"{measure:<16}{mean_text(mean)}"
    for dimension in dimensions(evaluation.strata):
        rows = [stratum for stratum in evaluation.strata if stratum.dimension == dimension]
        yield ""
        yield from _table(dimension.replace("_", " "), rows)
    if evaluation.gates:
        yield ""
        for result in evaluation.gates:
            yield from _gate_lines(result)
    if evaluation.sufficiency:
        yield ""
        yield from _sufficiency_lines(evaluation.sufficiency)
    yield from _note_lines(report)


def _heading_lines(report: EvaluationReport) -> Iterator[str]:
    yield _heading(report)
    yield ""
    if report.warning:
        yield f"warning: {make_visible(report.warning)}"
        yield ""


def _note_lines(report: EvaluationReport) -> Iterator[str]:
    notes = [note for note in report.notes if note != report.warning]
    if notes:
        yield ""
    for note in notes:
        yield f"note: {make_visible(note)}"


def _heading(report: EvaluationReport) -> str:
    retriever = make_visible(report.retriever)
    size = counted(len(report.queries), "query")
    heading = f"{retriever} on {size}"
    if report.commit:
        commit = report.commit[:12]
        heading = f"{heading} at {commit}"
    if report.searched:
        heading = f"{heading}, among {report.searched}"
    if report.blank_docstrings:
        heading = f"{heading}, without docstrings"
    return f"{heading}, results in product code alone" if report.product_code else heading


def _table(dimension: str, rows: Sequence[Stratum]) -> Iterator[str]:
    """Write the strata of one dimension, with as many measures as the terminal is wide."""
    width = shutil.get_terminal_size().columns - STRATUM_WIDTH
    measure_count = max(width // MEASURE_WIDTH, 1)
    measures = list(rows[0].means)[:measure_count]
    heading = STRATUM_COLUMNS.format(f"by {dimension}", "n")
    yield heading + _measure_columns(measures)
    for row in rows:
        means = [_short_mean_text(row.means[measure]) for measure in measures]
        name_and_size = STRATUM_COLUMNS.format(row.name, row.n)
        yield name_and_size + _measure_columns(means)


def _measure_columns(texts: Iterable[str]) -> str:
    columns = [text.rjust(MEASURE_WIDTH) for text in texts]
    return "".join(columns)


def _short_mean_text(mean: MeanWithInterval) -> str:
    value = f"{mean.value:.2f}"
    # A few values that happen to lie together would look like a sure thing.
    if mean.interval is None or mean.n < FEWEST_WITH_INTERVAL:
        # As wide as an interval, so that the means of a column stand under one another.
        why = "one query" if mean.n == 1 else "few queries"
        if mean.interval is None and mean.n > 1:
            why = "all alike"
        return f"{value} {why:<11}"
    low, high = mean.interval
    return f"{value} [{low:.2f},{high:.2f}]"


def _gate_lines(result: GateResult) -> Iterator[str]:
    gate = result.gate
    outcome = "passes" if result.passed else "FAILS"
    name = gate.name
    # A gate of the user's own is named by its rule, which stands beside it anyway.
    if name == gate.rule:
        name = ""
    value = _value_text(result)
    yield GATE_ROW.format(outcome, name, gate.rule, value)
    if result.below:
        names = ", ".join(result.below[:MAX_NAMES_BELOW])
        hidden_count = len(result.below) - MAX_NAMES_BELOW
        if hidden_count > 0:
            names = f"{names} and {hidden_count} more"
        yield f"{GATE_INDENT}below: {names}"


def _value_text(result: GateResult) -> str:
    """Write the value that a gate was held against."""
    if result.mean is None:
        return "no query of this stratum"
    if result.gate.each:
        count = result.of - len(result.below)
        return f"{count} of {result.of} do, the least {result.reached}"
    text = mean_text(result.mean)
    if result.reached not in text:
        text = f"{text}; more exactly {result.reached}"
    if result.is_close:
        return f"{text}; other queries could turn it"
    return text


def _sufficiency_lines(sufficiency: Sufficiency) -> Iterator[str]:
    yield f"sufficiency scores: {sufficiency.finding}"
    yield f"right is decided by {sufficiency.judged_by}"
    if sufficiency.beyond:
        yield (
            f"{counted(sufficiency.beyond, 'routed query')} came without an answer that could "
            "be judged"
        )
