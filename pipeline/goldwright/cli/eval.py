"""``goldwright eval``: a retriever against a golden dataset."""

from pathlib import Path
from typing import Any

import click

from goldwright.app.environment import current_environment
from goldwright.app.evaluate import EvalRequest, evaluate
from goldwright.app.evaluation_outputs import as_json_text, check_outputs, save
from goldwright.cli import options
from goldwright.cli.evaluation_text import lines
from goldwright.cli.progress_bars import watching
from goldwright.evaluation.gates import choose_gates


@click.command("eval")
@options.evaluation
@click.option(
    "--gates",
    "profile",
    is_flag=True,
    help="Hold it against the gates of the profile; exit 1 below one.",
)
@click.option(
    "--without-gate",
    "without",
    multiple=True,
    metavar="NAME",
    help="Leave a gate of the profile out.",
)
@click.option(
    "--gate",
    "further",
    multiple=True,
    metavar="RULE",
    help="A gate of your own: 'locate: MRR >= 0.6'.",
)
@click.option("--threshold", type=options.FiniteNumber(0, 1, min_open=True, max_open=True), default=0.8, show_default=True,
              help="The sufficiency score from which on the retriever answers by itself.")  # fmt: skip
@click.option("--target", type=options.FiniteNumber(0, 1, min_open=True, max_open=True),
              help="The share of right answers to find a threshold for.  [default: the threshold]")  # fmt: skip
@click.option(
    "--judge",
    is_flag=True,
    help="Have the judge's model of the settings say which answers are correct.",
)
@click.option(
    "--config",
    type=options.a_path,
    metavar="FILE",
    help="The settings.  [default: goldwright.toml, if there]",
)
@click.option(
    "--budget-usd",
    type=float,
    metavar="USD",
    help="Stop judging before a call that could pass this ceiling.",
)
@click.option("--html", type=options.a_path, metavar="FILE", help="Draw the evaluation as a page.")
@click.option(
    "--out", type=options.a_path, metavar="FILE", help="Write the evaluation as JSON, for compare."
)
@click.option(
    "--junit", type=options.a_path, metavar="FILE", help="Write queries and gates as JUnit XML."
)
@click.option(
    "--run-out", type=options.a_path, metavar="FILE", help="Write what was retrieved as a TREC run."
)
@options.as_json
def command(
    *,
    profile: bool,
    without: tuple[str, ...],
    further: tuple[str, ...],
    html: Path | None,
    junit: Path | None,
    run_out: Path | None,
    out: Path | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Score a retriever against DATASET, a file or a version in golden/ (or latest).

    Prints each measure with its 95 % interval, in all and by stratum. A query on which the
    retriever fails ends it. With gates, exits with 1 where one of them is not reached.
    """
    gates = choose_gates(without, further, profile=profile or bool(without))
    check_outputs(html=html, junit_xml=junit, run=run_out, out=out)
    with watching() as progress:
        done = evaluate(EvalRequest(**given, gates=gates), current_environment(), progress)
    save(done, html=html, junit_xml=junit, run=run_out, out=out)
    click.echo(f"dataset: {done.report.dataset}, {done.report.dataset_status}", err=True)
    if as_json:
        click.echo(as_json_text(done), nl=False)
    else:
        for line in lines(done):
            click.echo(line)
    return 0 if done.passes else 1
