"""``goldwright bench``: several retrievers against one dataset."""

from pathlib import Path
from typing import Any

import click

from goldwright.app.environment import current_environment
from goldwright.app.scoring.bench import BenchRequest, as_json_text, bench, name_retrievers
from goldwright.app.scoring.bench_outputs import BenchOutputs
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.cli import options
from goldwright.cli.printing import print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings import SettingsCommand
from goldwright.evaluation.bench_text import bench_lines, bench_markdown


@click.command("bench", cls=SettingsCommand)
@options.asking
@click.option(
    "--retriever",
    "retrievers",
    multiple=True,
    required=True,
    metavar="[NAME=]SPEC",
    help="A system to compare; to be repeated.  " + options.RETRIEVER_FORMS,
)
@click.option(
    "--refresh", is_flag=True, help="Ask everything again instead of taking kept replies."
)
@click.option("--html", type=options.path_type, metavar="FILE", help="Draw the comparison.")
@click.option(
    "--markdown", type=options.path_type, metavar="FILE", help="Write it for a pull request."
)
@click.option(
    "--out", type=options.path_type, metavar="FILE", help="Write it as JSON, with every report."
)
@options.as_json
def command(
    *,
    retrievers: tuple[str, ...],
    html: Path | None,
    markdown: Path | None,
    out: Path | None,
    as_json: bool,
    **request_fields: Any,
) -> int:
    """Compare retrievers on DATASET, a file of any known format or a version in golden/.

    The first --measure decides (MRR where there is none). Prints who cannot be told apart, every
    pair with its p-value alone and over all pairs, wins by query, latencies and costs. Replies of
    py:, cmd:, mcp: and http retrievers are kept for the next bench. A retriever that fails costs
    itself alone; its exit code is that of the command.
    """
    retriever_by_name = name_retrievers(retrievers)
    outputs = BenchOutputs(html=html, markdown=markdown, json=out)
    # Before any retriever is asked: an hour of work must not end at a path that cannot be written.
    outputs.check()
    evaluation = EvalRequest(
        retriever=next(iter(retriever_by_name.values())), keeps_replies=True, **request_fields
    )
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        result = bench(BenchRequest(evaluation, retriever_by_name), environment, progress)
    outputs.write(result, markdown=bench_markdown(result))
    if as_json:
        click.echo(as_json_text(result), nl=False)
    else:
        print_lines(bench_lines(result))
    return max((error.exit_code for error in result.failures.values()), default=0)
