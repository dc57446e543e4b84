"""``goldwright run``: a batch run through every stage up to the people."""

import json
from pathlib import Path

import click

from goldwright.app.cost_estimate import RoleEstimate
from goldwright.app.environment import current_environment
from goldwright.app.run import DryRun, dry_run, start_run
from goldwright.app.run_preparation import RunRequest
from goldwright.cli import options
from goldwright.cli.progress_bars import watching
from goldwright.cli.summary import print_summary
from goldwright.llm.budget import MICRO, dollars


@click.command("run")
@click.argument("plan", metavar="PLAN")
@options.repo
@options.rev
@click.option(
    "--config",
    type=options.a_path,
    metavar="FILE",
    help="Settings. [default: goldwright.toml, if there]",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    help="Choose other queries of the same kinds. [default: 0]",
)
@click.option(
    "--budget-usd", type=float, metavar="X", help="Never spend more than this many dollars."
)
@click.option(
    "--dry-run", "is_dry", is_flag=True, help="Say what would be done and what it would cost."
)
@click.option(
    "--canaries",
    type=click.IntRange(0, 1000),
    default=0,
    metavar="N",
    help="Slip N falsified answers to the Adversary, and report how many it catches.",
)
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
    is_dry: bool,
    canaries: int,
    allow_dirty: bool,
    as_json: bool,
) -> int:
    """Curate a dataset of a codebase by PLAN (a file, or one of: phase1, phase2, smoke).

    Prints the run's name on stdout. Exits with 1 when the codebase cannot fill the plan.
    """
    request = RunRequest(plan, repo, rev, config, seed, budget_usd, allow_dirty, canaries)
    environment = current_environment()
    with watching() as progress:
        if is_dry:
            planned = dry_run(request, environment, progress)
        else:
            report = start_run(request, environment, progress, progress.announce)
    if is_dry:
        _print_dry_run(planned, as_json=as_json)
        return 0
    click.echo(json.dumps(report.as_json(), indent=2) if as_json else report.name)
    return print_summary(report)


def _print_dry_run(planned: DryRun, *, as_json: bool) -> None:
    expected = planned.estimate
    if as_json:
        content = {
            "plan": expected.plan.name,
            "target": expected.plan.total,
            "commit": planned.commit,
            "python_files": planned.files,
            "calls": {one.role: one.requests for one in expected.roles},
            "usd": expected.micro_usd / MICRO,
            "roles": [_role_json(one) for one in expected.roles],
            "prices_of": expected.prices_of,
            "assumptions": list(expected.assumptions),
        }
        click.echo(json.dumps(content, indent=2))
        return
    cells = sum(1 for _ in expected.plan.filled_cells())
    click.echo(f"plan      {expected.plan.name}: {expected.plan.total} records in {cells} cells")
    click.echo(f"snapshot  {planned.commit[:12]}, {planned.files} Python files")
    for one in expected.roles:
        click.echo(f"{one.role:<9} {_role_text(one)}")
    if expected.is_live:
        click.echo(
            f"total     about {dollars(expected.micro_usd)}, by the prices of {expected.prices_of}"
        )
        for line in expected.assumptions:
            click.echo(f"assumed   {line}")
    click.echo("Before top-ups; nothing was written.")


def _role_text(one: RoleEstimate) -> str:
    if one.model == "offline":
        return f"{one.items} {'call' if one.items == 1 else 'calls'}, offline, $0.00"
    read = f"{one.input_tokens:,} tokens in ({one.cached_tokens / one.input_tokens:.0%} cached)"
    written = f"{one.output_tokens:,} out"
    return f"{one.items} items, {one.requests} requests, {read}, {written}, {dollars(one.micro_usd)}  {one.model}"


def _role_json(one: RoleEstimate) -> dict[str, object]:
    return {
        "role": one.role,
        "model": one.model,
        "items": one.items,
        "requests": one.requests,
        "input_tokens": one.input_tokens,
        "cached_tokens": one.cached_tokens,
        "output_tokens": one.output_tokens,
        "usd": one.micro_usd / MICRO,
    }
