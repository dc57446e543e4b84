"""``goldwright run``: a batch run through every stage up to the people."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from goldwright.app.environment import Environment, current_environment
from goldwright.app.models.cost_estimate import Estimate, RoleEstimate
from goldwright.app.models.time_estimate import (
    READ_PER_SECOND,
    WRITTEN_PER_SECOND,
    free_hours,
)
from goldwright.app.runs.run import (
    DryRun,
    ceiling_verdict,
    cost_without_ceiling,
    dry_run,
    start_run,
)
from goldwright.app.runs.run_preparation import RunRequest
from goldwright.cli import options
from goldwright.cli.printing import folded_lines, print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.run_in_progress import take_up_run
from goldwright.cli.settings_command import SettingsCommand
from goldwright.cli.summary import print_summary
from goldwright.errors import InputError
from goldwright.llm.budget import MICRO, dollars
from goldwright.text import counted

_OFFLINE_HEADER = f"{'role':<12} {'items':>6}"
_LIVE_COLUMNS = f"{'requests':>8} {'tokens in':>11} {'cached':>6} {'out':>9} {'cost':>9}  model"
_LIVE_HEADER = f"{_OFFLINE_HEADER} {_LIVE_COLUMNS}"
# What stands behind the items of a role that no model plays.
_OFFLINE_COLUMNS = f"{'':>8} {'':>11} {'':>6} {'':>9} {'$0.00':>9}  offline"


@click.command("run", cls=SettingsCommand)
@click.argument("plan", metavar="PLAN", shell_complete=options.complete_plan)
@options.repo
@options.rev
@options.config
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
    metavar="N",
    help="Slip N falsified answers to the Adversary, and report how many it catches; 0 for none. "
    "[default: by the plan's size where a model plays it]",
)
@click.option(
    "--adversary-power",
    type=click.FloatRange(0, 1, max_open=True),
    metavar="SHARE",
    help="Exit with 1 where the Adversary surely catches fewer of them.  [default: 0.5]",
)
@click.option(
    "--batch/--no-batch",
    "batch",
    default=None,
    help="Ask the models of Adversary, completeness and judge in batches, at half the price; each "
    "turn may take up to a day.",
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
    canaries: int | None,
    adversary_power: float | None,
    batch: bool | None,
    allow_dirty: bool,
    as_json: bool,
) -> int:
    """Curate a dataset of a codebase by PLAN (a file, or one of: phase1, phase2, smoke).

    Prints the run's name on stdout. Exits with 1 when the codebase cannot fill the plan, or when
    falsified answers show the Adversary to be weaker than was stated.
    """
    request = RunRequest(
        plan,
        repo,
        rev,
        config,
        seed,
        budget_usd,
        allow_dirty=allow_dirty,
        canaries=canaries,
        adversary_power=adversary_power,
        batch=batch,
    )
    environment = current_environment()
    if is_dry:
        return _dry_run(request, environment, as_json=as_json)
    return _start(request, environment, as_json=as_json)


def _start(request: RunRequest, environment: Environment, *, as_json: bool) -> int:
    _ask_for_ceiling(request, environment)
    # The name shows on stderr at once, for whoever has to stop the run, and on stdout at the end.
    with progress_on_stderr(environment.clock) as progress:

        def announce(name: str) -> None:
            take_up_run(name)
            progress.announce(name)

        report = start_run(request, environment, progress, announce)
    if as_json:
        print_json(report.as_json())
    else:
        click.echo(report.name)
    return print_summary(report, environment)


def _ask_for_ceiling(request: RunRequest, environment: Environment) -> None:
    """Ask once whether models may spend without a ceiling; scripts are told, and not asked."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    sentence = cost_without_ceiling(request, environment)
    if sentence and not click.confirm(f"{sentence}. Go on without one?", err=True):
        raise InputError("nothing was begun; give a ceiling with --budget-usd")


def _dry_run(request: RunRequest, environment: Environment, *, as_json: bool) -> int:
    with progress_on_stderr(environment.clock) as progress:
        planned = dry_run(request, environment, progress)
    if as_json:
        print_json(_as_json(planned))
    else:
        print_lines(_lines(planned))
    return 0


def _as_json(planned: DryRun) -> dict[str, object]:
    estimate = planned.estimate
    calls = {role.role: role.requests for role in estimate.roles}
    roles = [_role_json(role) for role in estimate.roles]
    return {
        "plan": estimate.plan.name,
        "target": estimate.plan.total,
        "commit": planned.commit,
        "python_files": planned.file_count,
        "calls": calls,
        "usd": estimate.micro_usd / MICRO,
        "low_usd": estimate.low_micro_usd / MICRO,
        "high_usd": estimate.high_micro_usd / MICRO,
        "roles": roles,
        "free_hours": free_hours(estimate.roles),
        "prices_of": estimate.price_date,
        "assumptions": list(estimate.assumptions),
    }


def _role_json(role: RoleEstimate) -> dict[str, object]:
    return {
        "role": role.role,
        "model": role.model,
        "items": role.items,
        "requests": role.requests,
        "input_tokens": role.input_tokens,
        "cached_tokens": role.cached_tokens,
        "output_tokens": role.output_tokens,
        "usd": role.micro_usd / MICRO,
        "low_usd": role.low_micro_usd / MICRO,
        "high_usd": role.high_micro_usd / MICRO,
        "measured_items": role.measured_items,
        "in_batches": role.in_batches,
        "follower": role.follower,
    }


def _lines(planned: DryRun) -> Iterator[str]:
    estimate = planned.estimate
    plan = estimate.plan
    cell_count = len(list(plan.filled_cells()))
    records = counted(plan.total, "record")
    cells = counted(cell_count, "cell")
    commit = planned.commit[:12]
    yield f"plan      {plan.name}: {records} in {cells}"
    yield f"snapshot  {commit}, {planned.file_count} Python files"
    yield ""
    yield from _role_table(estimate.roles, is_live=estimate.is_live)
    yield ""
    yield from folded_lines("items", estimate.items_sentence, width=10)
    if estimate.is_live:
        cost = dollars(estimate.micro_usd)
        low = dollars(estimate.low_micro_usd)
        high = dollars(estimate.high_micro_usd)
        yield f"total     about {cost} ({low} to {high}), by the prices of {estimate.price_date}"
        verdict = ceiling_verdict(estimate)
        if verdict:
            yield f"ceiling   {verdict}; a run that reaches it stops, and is carried on by resume"
        yield from _time_lines(estimate)
        assumptions = list(estimate.assumptions)
        for assumption in assumptions:
            yield from folded_lines("assumed", assumption, width=10)
        if assumptions:
            yield "What is assumed is the same for any codebase: yours was not read for it."
        yield "Top-ups, and what is lost on the way, are in the range; nothing was written."
    else:
        yield "Offline, so it costs nothing. Top-ups come on top where cells end short."
        yield "Nothing was written."


def _time_lines(estimate: Estimate) -> Iterator[str]:
    """Say how long models take that cost nothing: a server of one's own is paid in hours."""
    hours = free_hours(estimate.roles)
    if hours is None:
        return
    span = f"{hours:.1f} hours"
    if hours < 1:
        minutes = max(1, round(60 * hours))
        span = counted(minutes, "minute")
    yield from folded_lines(
        "time",
        f"about {span} for the models that cost nothing, one request after the other on "
        f"a server that writes {WRITTEN_PER_SECOND} tokens a second and reads {READ_PER_SECOND:,}; "
        "yours may be several times as fast or slow",
        width=10,
    )


def _role_table(roles: Sequence[RoleEstimate], *, is_live: bool) -> Iterator[str]:
    """Write a row for each role: what it is asked, and what that takes."""
    if not is_live:
        yield _OFFLINE_HEADER
        yield from (f"{role.role:<12} {role.items:>6}" for role in roles)
        return
    yield _LIVE_HEADER
    for role in roles:
        start = f"{role.role:<12} {role.items:>6}"
        if not role.is_live:
            yield f"{start} {_OFFLINE_COLUMNS}"
            continue
        cached_share = role.cached_tokens / role.input_tokens
        tokens = f"{role.input_tokens:>11,} {cached_share:>6.0%} {role.output_tokens:>9,}"
        requests_and_tokens = f"{role.requests:>8} {tokens}"
        cost = dollars(role.micro_usd)
        model = f"{role.model}, in batches" if role.in_batches else role.model
        yield f"{start} {requests_and_tokens} {cost:>9}  {model}"
