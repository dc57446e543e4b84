"""``goldwright cost``: what a run cost, and what the money went to."""

from collections.abc import Iterator, Mapping
from typing import Final

import click

from goldwright.app.environment import current_environment
from goldwright.app.runs.run_costs import RunCosts, cost_run
from goldwright.app.runs.run_report import spend_json
from goldwright.cli import options
from goldwright.cli.money import presumed_sentence
from goldwright.cli.printing import print_json, print_lines
from goldwright.llm.budget import dollars
from goldwright.llm.spend import Spend
from goldwright.text import counted, make_visible

_HEADER: Final = f"{'calls':>7}{'tokens in':>13}{'cached':>8}{'tokens out':>12}{'cost':>12}{'':>6}"


@click.command("cost")
@click.argument("run", metavar="[RUN]", default="latest", shell_complete=options.complete_run)
@options.as_json
def command(run: str, *, as_json: bool) -> None:
    """Show what RUN (latest, when none is named) cost: by role, model, cell and fate of records.

    What was sent and whose bill nobody saw counts with what such requests have cost, and is named
    as presumed, with the most that it can have cost.
    """
    costs = cost_run(run, current_environment())
    if as_json:
        print_json(_as_json(costs))
    else:
        print_lines(_lines(costs))


def _lines(costs: RunCosts) -> Iterator[str]:
    total = costs.total
    if not total.calls and not total.micro_usd:
        yield f"{costs.name}: no model was asked, so it cost nothing"
        return
    calls = counted(total.calls, "call")
    yield f"{costs.name}: {dollars(total.micro_usd)} in {calls}"
    if total.presumed_micro_usd:
        yield presumed_sentence(total)
    for title, spends in (
        ("by role", costs.by_role),
        ("by model", costs.by_model),
        ("by cell", costs.by_cell),
        ("by fate", costs.by_fate),
    ):
        yield ""
        yield from _table(title, spends, total)
    yield ""
    for fate, count in costs.records_by_fate.items():
        spend = costs.by_fate.get(fate, Spend())
        dollars_each = dollars(spend.micro_usd // count)
        yield f"{count} {fate}: {dollars_each} each, without its question"
    if costs.survivors:
        dollars_each = dollars(total.micro_usd // costs.survivors)
        survivors = counted(costs.survivors, "record")
        yield f"{survivors} survived: {dollars_each} each, with all that did not"


def _table(title: str, spends: Mapping[str, Spend], total: Spend) -> Iterator[str]:
    first_column = [title, *spends]
    width = max(map(len, first_column)) + 2
    heading = f"{title:<{width}}{_HEADER}"
    yield heading.rstrip()
    for name, spend in sorted(spends.items(), key=_by_cost):
        share = spend.micro_usd / total.micro_usd if total.micro_usd else 0.0
        cached = spend.cached_tokens / spend.input_tokens if spend.input_tokens else 0.0
        row_title = f"{make_visible(name):<{width}}"
        tokens = f"{spend.input_tokens:>13,}{cached:>8.0%}{spend.output_tokens:>12,}"
        cost = f"{dollars(spend.micro_usd):>12}{share:>6.0%}"
        yield f"{row_title}{spend.calls:>7}{tokens}{cost}"


def _by_cost(named_spend: tuple[str, Spend]) -> tuple[int, str]:
    name, spend = named_spend
    return -spend.micro_usd, name


def _as_json(costs: RunCosts) -> dict[str, object]:
    return {
        "run": costs.name,
        "total": spend_json(costs.total),
        "by_role": _spends_json(costs.by_role),
        "by_model": _spends_json(costs.by_model),
        "by_cell": _spends_json(costs.by_cell),
        "by_fate": _spends_json(costs.by_fate),
        "records_by_fate": dict(costs.records_by_fate),
        "survivors": costs.survivors,
    }


def _spends_json(spends: Mapping[str, Spend]) -> dict[str, object]:
    return {name: spend_json(spend) for name, spend in spends.items()}
