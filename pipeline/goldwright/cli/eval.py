"""``goldwright eval``: a retriever against a golden dataset."""

from pathlib import Path
from typing import Any

import click

from goldwright.app.environment import current_environment
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.app.scoring.evaluate import evaluate_retriever
from goldwright.app.scoring.evaluation_outputs import EvaluationOutputs, as_json_text
from goldwright.cli import options
from goldwright.cli.evaluation_text import evaluation_lines
from goldwright.cli.gate_exit_code import gate_exit_code
from goldwright.cli.printing import print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.evaluation.calibration.sufficiency import THRESHOLD
from goldwright.evaluation.gates import choose_gates


@click.command("eval", cls=SettingsCommand)
@options.evaluation
@click.option(
    "--gates",
    "uses_profile",
    is_flag=True,
    help="Hold it against the gates of the profile; exit 1 below one.",
)
@click.option(
    "--without-gate",
    "gates_left_out",
    multiple=True,
    metavar="NAME",
    help="Leave a gate of the profile out.",
)
@click.option(
    "--gate",
    "further_gates",
    multiple=True,
    metavar="RULE",
    help="A gate of your own: 'locate: MRR >= 0.6'.",
)
@click.option(
    "--threshold",
    type=options.FiniteNumber(0, 1, min_open=True, max_open=True),
    default=THRESHOLD,
    show_default=True,
    help="The sufficiency score from which on the retriever answers by itself.",
)
@click.option(
    "--target",
    type=options.FiniteNumber(0, 1, min_open=True, max_open=True),
    help="The share of right answers to find a threshold for.  [default: the threshold]",
)
@click.option(
    "--judge",
    is_flag=True,
    help="Have the judge's model of the settings say which answers are correct.",
)
@options.config
@click.option(
    "--budget-usd",
    type=float,
    metavar="USD",
    help="Stop judging before a call that could pass this ceiling.",
)
@click.option(
    "--html", type=options.path_type, metavar="FILE", help="Draw the evaluation as a page."
)
@click.option(
    "--out",
    type=options.path_type,
    metavar="FILE",
    help="Write the evaluation as JSON, for compare.",
)
@click.option(
    "--junit", type=options.path_type, metavar="FILE", help="Write queries and gates as JUnit XML."
)
@click.option(
    "--markdown",
    type=options.path_type,
    metavar="FILE",
    help="Write a comment for a pull request.",
)
@click.option(
    "--run-out",
    type=options.path_type,
    metavar="FILE",
    help="Write what was retrieved as a TREC run.",
)
@options.as_json
def command(
    *,
    uses_profile: bool,
    gates_left_out: tuple[str, ...],
    further_gates: tuple[str, ...],
    html: Path | None,
    junit: Path | None,
    markdown: Path | None,
    run_out: Path | None,
    out: Path | None,
    as_json: bool,
    **request_fields: Any,
) -> int:
    """Score a retriever against DATASET: a version in golden/ (or latest), or a file or folder of
    any format: a list of queries and what each should find, in YAML, JSON, CSV, BEIR or TREC.

    Prints each measure with its 95 % interval, in all and by stratum. A query on which the
    retriever fails ends it. With gates, exits with 1 where one of them is not reached.
    """
    # Leaving out a gate of the profile makes sense only with the others of the profile.
    profile = uses_profile or bool(gates_left_out)
    gates = choose_gates(gates_left_out, further_gates, profile=profile)
    outputs = EvaluationOutputs(
        html=html, junit_xml=junit, json=out, trec_run=run_out, markdown=markdown
    )
    # Before the retriever is asked: an hour of work must not end at a path that cannot be written.
    outputs.check()
    request = EvalRequest(gates=gates, **request_fields)
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        evaluation = evaluate_retriever(request, environment, progress)
    outputs.write(evaluation)
    report = evaluation.report
    dataset = f"{report.dataset}, {report.dataset_status}"
    # On stderr: stdout holds the result alone, for pipes.
    click.echo(f"dataset: {dataset}", err=True)
    if as_json:
        click.echo(as_json_text(evaluation), nl=False)
    else:
        print_lines(evaluation_lines(evaluation))
    return gate_exit_code(passes=evaluation.passes)
