"""``goldwright run``: a batch run through every stage up to the people."""

import json
from pathlib import Path

import click

from goldwright.app.running import Estimate, RunRequest, estimate, start
from goldwright.app.surroundings import here
from goldwright.cli import options
from goldwright.cli.funnel import watching
from goldwright.cli.summary import print_summary


@click.command("run")
@click.argument("plan", metavar="PLAN")
@options.repo
@options.rev
@click.option("--config", type=options.a_path, metavar="FILE", help="Settings. [default: goldwright.toml, if there]")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Choose other queries of the same kinds. [default: 0]")
@click.option("--budget-usd", type=float, metavar="X", help="Never spend more than this many dollars.")
@click.option("--dry-run", is_flag=True, help="Say what would be done and what it would cost.")
@options.allow_dirty
@options.as_json
def command(
    plan: str,
    repo: Path,
    rev: str | None,
    config: Path | None,
    seed: int | None,
    budget_usd: float | None,
    *,
    dry_run: bool,
    allow_dirty: bool,
    as_json: bool,
) -> int:
    """Curate a dataset of a codebase by PLAN (a file, or one of: phase1, smoke).

    Prints the run's name on stdout. Exits with 1 when the codebase can not fill the plan.
    """
    request = RunRequest(plan, repo, rev, config, seed, budget_usd, allow_dirty)
    around = here()
    with watching() as progress:
        if dry_run:
            planned = estimate(request, around, progress)
        else:
            report = start(request, around, progress, progress.announce)
    if dry_run:
        _print_estimate(planned, as_json=as_json)
        return 0
    click.echo(json.dumps(report.as_json(), indent=2) if as_json else report.name)
    return print_summary(report)


def _print_estimate(planned: Estimate, *, as_json: bool) -> None:
    if as_json:
        content = {
            "plan": planned.plan.name,
            "target": planned.plan.total,
            "commit": planned.commit,
            "python_files": planned.files,
            "calls": planned.calls,
            "usd": planned.usd,
        }
        click.echo(json.dumps(content, indent=2))
        return
    cells = sum(1 for _ in planned.plan.filled_cells())
    click.echo(f"plan      {planned.plan.name}: {planned.plan.total} records in {cells} cells")
    click.echo(f"snapshot  {planned.commit[:12]}, {planned.files} Python files")
    for role, count in planned.calls.items():
        click.echo(f"{role:<9} {count} {'call' if count == 1 else 'calls'}, offline, $0.00")
    click.echo("Before top-ups; nothing was written.")
