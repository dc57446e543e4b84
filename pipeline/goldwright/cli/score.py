"""``goldwright score``: a TREC run against TREC judgements."""

import json
from pathlib import Path

import click

from goldwright.app.score_trec import score_files
from goldwright.cli import options
from goldwright.cli.evaluation_text import told
from goldwright.evaluation.strata import mean_of
from goldwright.retrieval.hit_order import Ties


@click.command("score")
@click.argument("qrels", type=options.a_path, metavar="QRELS")
@click.argument("run", type=options.a_path, metavar="RUN")
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="MRR, R@10, nDCG@20 …; may be repeated.",
)
@click.option("--ties", type=click.Choice(["trec", "id"]), default="trec", show_default=True,
              help="How equal scores are told apart.")  # fmt: skip
@click.option(
    "--missing-as-zero", is_flag=True, help="Count a query that the run does not hold as not found."
)
@click.option(
    "--each", is_flag=True, help="Print every query's values as well, one JSON line each."
)
@options.as_json
def command(
    qrels: Path,
    run: Path,
    measures: tuple[str, ...],
    ties: Ties,
    *,
    missing_as_zero: bool,
    each: bool,
    as_json: bool,
) -> None:
    """Score RUN against QRELS, both TREC files, of any size: one query is held at a time.

    Prints the mean of each measure over all queries with its 95 % interval. Every query must be in
    both files.
    """
    found = score_files(qrels, run, measures, ties=ties, missing_as_zero=missing_as_zero)
    means = {name: mean_of(values) for name, values in found.columns.items()}
    if each:
        for place, query in enumerate(found.queries):
            row = {name: values[place] for name, values in found.columns.items()}
            click.echo(json.dumps({"query_id": query, "values": row}))
    if as_json:
        rows = {
            name: {"value": one.value, "interval": one.interval, "n": one.n}
            for name, one in means.items()
        }
        click.echo(json.dumps({"queries": len(found.queries), "means": rows}))
        return
    click.echo(f"{run} on {len(found.queries)} queries")
    for name, mean in means.items():
        click.echo(f"{name:<16}{told(mean)}")
