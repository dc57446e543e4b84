"""``goldwright merge``: bring shards together."""

from collections.abc import Iterator
from pathlib import Path

import click

from goldwright.app.scoring.bench import bench_json
from goldwright.app.shards.bench_merge import MergedBench
from goldwright.app.shards.cells_merge import MergedCells
from goldwright.app.shards.merge import merge
from goldwright.app.shards.trial_merge import MergedTrials
from goldwright.app.suites.suite_run import SuiteState
from goldwright.cli import options
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.settings_command import SettingsCommand
from goldwright.cli.suite import print_state
from goldwright.evaluation.bench_text import bench_lines
from goldwright.text import counted, make_visible


@click.command("merge", cls=SettingsCommand)
@click.argument("shards", type=options.path_type, nargs=-1, required=True, metavar="SHARD...")
@click.option(
    "--out", type=options.path_type, required=True, metavar="PATH", help="Where all of it goes."
)
@options.as_json
def command(*, shards: tuple[Path, ...], out: Path, as_json: bool) -> int:
    """Bring shards of a suite, relevance, benefit, cells or bench together.

    A SHARD is the directory that a command with --shard wrote, or the file of bench. What is valid
    is reused, what is missing is named or left to the command without --shard, which goes on in
    --out; shards that conflict are refused. Exits with 1 when something is known to be missing.
    """
    merged = merge(shards, out)
    if isinstance(merged, SuiteState):
        return print_state(merged, as_json=as_json)
    if isinstance(merged, MergedBench):
        return _print_bench(merged, out, as_json=as_json)
    if as_json:
        print_json(merged.as_json())
    else:
        print_lines(_lines(merged, out))
    return 0


def _lines(merged: MergedTrials | MergedCells, out: Path) -> Iterator[str]:
    if isinstance(merged, MergedCells):
        ranked = counted(merged.ranked, "cell")
        yield f"{ranked} ranked in {merged.draft}, {merged.added} of them new"
        yield f"goldwright cells … --out {out.parent} ranks what is missing, judges and decides"
        return
    cost = ""
    if merged.usd:
        cost = f"; ${merged.usd:.4f} in all"
    trials = counted(merged.trials, "trial")
    news = f"{merged.added} of them new{cost}"
    yield f"{merged.kind}: {trials} of {merged.tasks} tasks in {out}, {news}"
    yield f"goldwright {merged.kind} run … --out {out} makes what is missing and sums all up"


def _print_bench(merged: MergedBench, out: Path, *, as_json: bool) -> int:
    if as_json:
        document = bench_json(merged.bench)
        print_json({**document, "missing": list(merged.missing)})
    else:
        print_lines(bench_lines(merged.bench))
        missing_names = map(make_visible, merged.missing)
        print_lines(f"{name}: not asked by any shard" for name in missing_names)
        if merged.missing:
            print_lines([f"goldwright bench … --out {out} asks what is missing, and compares all"])
    return 1 if merged.missing or merged.bench.failures else 0
