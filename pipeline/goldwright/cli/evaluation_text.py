"""An evaluation as a page of text."""

import shutil
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.app.evaluate import Evaluation
from goldwright.evaluation.gates import GateResult
from goldwright.evaluation.strata import MeanWithInterval, Stratum, dimensions
from goldwright.text import make_visible

NAME_WIDTH: Final = 22
COLUMN_WIDTH: Final = 19
MOST_BELOW: Final = 6


def lines(done: Evaluation) -> Iterator[str]:
    """Every measure with its interval, the strata, the gates, and what is to be said of them."""
    whole = done.strata[0]
    yield f"{make_visible(done.report.retriever)} on {whole.n} queries at {done.report.commit[:12]}"
    yield ""
    for name, mean in whole.means.items():
        yield f"{name:<16}{told(mean)}"
    for dimension in dimensions(done.strata):
        rows = [stratum for stratum in done.strata if stratum.dimension == dimension]
        yield from ("", *_table(f"by {dimension.replace('_', ' ')}", rows))
    if done.gates:
        yield ""
    yield from (line for one in done.gates for line in _gate(one))
    if done.sufficiency:
        yield ""
        yield f"sufficiency scores: {done.sufficiency.finding}"
        yield f"right is decided by {done.sufficiency.judged_by}"
        if done.sufficiency.beyond:
            yield f"{done.sufficiency.beyond} routed queries came without an answer that could be judged"
    if done.report.notes:
        yield ""
    yield from (f"note: {make_visible(note)}" for note in done.report.notes)


def told(mean: MeanWithInterval) -> str:
    """A mean with its interval."""
    if mean.interval is None:
        return f"{mean.value:.3f}   all alike, so no interval"
    low, high = mean.interval
    return f"{mean.value:.3f}   [{low:.3f}, {high:.3f}]"


def _table(title: str, rows: Sequence[Stratum]) -> Iterator[str]:
    names = list(rows[0].means)
    fitting = names[: max((shutil.get_terminal_size().columns - NAME_WIDTH) // COLUMN_WIDTH, 1)]
    yield f"{title:<18}{'n':>4}" + "".join(f"{name:>{COLUMN_WIDTH}}" for name in fitting)
    for row in rows:
        yield f"{row.name:<18}{row.n:>4}" + "".join(
            f"{_brief(row.means[name]):>{COLUMN_WIDTH}}" for name in fitting
        )


def _brief(mean: MeanWithInterval) -> str:
    if mean.interval is None:
        return f"{mean.value:.2f}            "
    low, high = mean.interval
    return f"{mean.value:.2f} [{low:.2f},{high:.2f}]"


def _gate(one: GateResult) -> Iterator[str]:
    outcome = "passes" if one.passed else "FAILS"
    if one.mean is None:
        reached = "no query of this stratum"
    elif one.gate.each:
        reached = f"{one.of - len(one.below)} of {one.of} do, the least {one.mean.value:.3f}"
    else:
        reached = told(one.mean) + ("; other queries could turn it" if one.is_close else "")
    name = "" if one.gate.name == one.gate.rule else one.gate.name
    yield f"gate  {outcome:<7} {name:<15} {one.gate.rule:<26} {reached}"
    if one.below:
        more = f" and {len(one.below) - MOST_BELOW} more" if len(one.below) > MOST_BELOW else ""
        yield f"{'':<30}below: {', '.join(one.below[:MOST_BELOW])}{more}"
