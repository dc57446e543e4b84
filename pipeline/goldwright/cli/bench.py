"""``goldwright bench``: several retrievers against one dataset."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from goldwright.app.environment import current_environment
from goldwright.app.scoring.bench import BenchRequest, as_json_text, bench, name_retrievers
from goldwright.app.scoring.bench_outputs import BenchOutputs
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.app.shards.bench_merge import begun_bench
from goldwright.cli import options
from goldwright.cli.printing import print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.engine.shards import Shard
from goldwright.evaluation.bench import Bench, BenchedSystem
from goldwright.evaluation.bench_text import bench_lines, bench_markdown
from goldwright.text import make_visible


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
@options.shard("retrievers")
@options.as_json
def command(
    *,
    retrievers: tuple[str, ...],
    html: Path | None,
    markdown: Path | None,
    out: Path | None,
    shard: Shard | None,
    as_json: bool,
    **request_fields: Any,
) -> int:
    """Compare retrievers on DATASET, a file of any known format or a version in golden/.

    The first --measure decides (MRR where there is none). Prints who cannot be told apart, every
    pair with its p-value alone and over all pairs, wins by query, latencies and costs. Replies of
    py:, cmd:, mcp: and http retrievers are kept for the next bench. A retriever that fails costs
    itself alone; its exit code is that of the command. Where --out holds merged shards, only those
    retrievers are asked that they lack.
    """
    if shard is not None and (out is None or html or markdown):
        raise click.UsageError("--shard: wants --out FILE, and merge draws what all shards hold")
    retriever_by_name = name_retrievers(retrievers)
    outputs = BenchOutputs(html=html, markdown=markdown, json=out)
    # Before any retriever is asked: an hour of work must not end at a path that cannot be written.
    outputs.check()
    first_retriever = next(iter(retriever_by_name.values()))
    evaluation = EvalRequest(retriever=first_retriever, keeps_replies=True, **request_fields)
    environment = current_environment()
    merged_systems: Mapping[str, BenchedSystem] = {}
    if out is not None and shard is None and not evaluation.refresh:
        merged_systems = begun_bench(out, tuple(retriever_by_name))
    with progress_on_stderr(environment.clock) as progress:
        request = BenchRequest(evaluation, retriever_by_name, shard, merged_systems)
        result = bench(request, environment, progress)
    if shard is not None:
        outputs.write(result, markdown="", retrievers=tuple(retriever_by_name))
        print_lines(_share_lines(result, shard, len(retriever_by_name)))
        return _exit_code(result)
    outputs.write(result, markdown=bench_markdown(result))
    if as_json:
        click.echo(as_json_text(result), nl=False)
    else:
        print_lines(bench_lines(result))
    return _exit_code(result)


def _exit_code(result: Bench) -> int:
    exit_codes = [error.exit_code for error in result.failures.values()]
    return max(exit_codes, default=0)


def _share_lines(result: Bench, shard: Shard, retrievers: int) -> Iterator[str]:
    for name, error in result.failures.items():
        reason = make_visible(str(error))
        yield f"{make_visible(name)}: failed: {reason}"
    count = len(result.systems)
    yield f"shard {shard}: {count} of {retrievers} retrievers answered every query"
    yield "goldwright merge compares what the files of all shards hold"
