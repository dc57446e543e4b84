"""``goldwright score``: a TREC run against TREC judgements."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from goldwright.app.scoring.score_trec import score_files
from goldwright.cli import options
from goldwright.cli.number_text import mean_text
from goldwright.cli.printing import print_json
from goldwright.cli.settings_command import SettingsCommand
from goldwright.evaluation.strata import MeanWithInterval, mean_of
from goldwright.evaluation.trec_scoring import RunScores
from goldwright.retrieval.hit_order import Ties
from goldwright.text import counted


@click.command("score", cls=SettingsCommand)
@click.argument("qrels", type=options.path_type, metavar="QRELS")
@click.argument("run", type=options.path_type, metavar="RUN")
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="MRR, R@10, nDCG@20 …; may be repeated.",
)
@click.option(
    "--ties",
    type=click.Choice(["trec", "id"]),
    default="trec",
    show_default=True,
    help="How equal scores are told apart.",
)
@click.option(
    "--missing-as-zero", is_flag=True, help="Count a query that the run does not hold as not found."
)
@click.option(
    "--each",
    "prints_each",
    is_flag=True,
    help="Print every query's values as well, one JSON line each.",
)
@options.as_json
def command(
    qrels: Path,
    run: Path,
    measures: tuple[str, ...],
    ties: Ties,
    *,
    missing_as_zero: bool,
    prints_each: bool,
    as_json: bool,
) -> None:
    """Score RUN against QRELS, both TREC files, of any size: one query is held at a time.

    Only where the lines of a query do not stand together, the whole run is held.

    Prints the mean of each measure over all queries with its 95 % interval. Every query must be in
    both files.
    """
    scores = score_files(qrels, run, measures, ties=ties, missing_as_zero=missing_as_zero)
    means = {name: mean_of(values) for name, values in scores.columns.items()}
    if prints_each:
        for row in _query_rows(scores):
            print_json(row, indent=None)
    # On one line like the rows of --each, so that all of stdout is JSON Lines.
    if as_json:
        print_json(_as_json(scores, means), indent=None)
        return
    size = counted(len(scores.queries), "query")
    click.echo(f"{run} on {size}")
    for name, mean in means.items():
        figures = mean_text(mean)
        click.echo(f"{name:<16}{figures}")


def _query_rows(scores: RunScores) -> Iterator[dict[str, object]]:
    for position, query_id in enumerate(scores.queries):
        values = {name: column[position] for name, column in scores.columns.items()}
        yield {"query_id": query_id, "values": values}


def _as_json(scores: RunScores, means: Mapping[str, MeanWithInterval]) -> dict[str, object]:
    rows = {}
    for name, mean in means.items():
        rows[name] = {"value": mean.value, "interval": mean.interval, "n": mean.n}
    return {"queries": len(scores.queries), "means": rows}
