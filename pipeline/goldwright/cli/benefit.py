"""``goldwright benefit``: does an agent do better with a retrieval tool, net of its cost?"""

from collections.abc import Iterator
from pathlib import Path

import click

from goldwright.app.benefit.benefit import (
    BenefitRequest,
    BenefitResult,
    measure_benefit,
    read_tasks,
)
from goldwright.app.benefit.benefit_agents import EMBEDDED, find_agent
from goldwright.app.benefit.benefit_cost import estimate_trials
from goldwright.app.benefit.benefit_outputs import (
    RESULT_FILE,
    benefit_notes,
    benefit_rows,
    write_benefit,
)
from goldwright.app.environment import Environment, current_environment
from goldwright.benefit.simulation import (
    PlantedTruth,
    SimulatedVerdicts,
    simulate,
    smallest_detectable,
)
from goldwright.cli import options
from goldwright.cli.command_group import CommandGroup
from goldwright.cli.printing import print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.engine.shards import Shard
from goldwright.errors import RetrieverError
from goldwright.llm.budget import dollars
from goldwright.text import counted, make_visible, shorten

_LONGEST_STRATUM = 26
_NO_STRATUM = " " * _LONGEST_STRATUM


@click.group("benefit", cls=CommandGroup)
def command() -> None:
    """Measure what a retrieval tool does for an agent, net of its cost."""


@command.command("run", cls=SettingsCommand, section="benefit")
@click.argument("dataset", metavar="DATASET")
@options.repo
@options.rev
@click.option("--tool", required=True, metavar="SPEC", help="mcp:COMMAND, or any retriever.")
@click.option(
    "--out",
    type=options.path_type,
    required=True,
    metavar="DIR",
    help="Where the journal and the results go; trials that it holds are not repeated.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    help="Repetitions of each task; fewer than 3 show no effect.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Settles every draw.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Pairs of trials under way at a time.",
)
@click.option(
    "--timeout",
    type=options.FiniteNumber(0.1, 3600),
    default=30.0,
    show_default=True,
    help="Seconds for the tool to start, and to answer.",
)
@click.option(
    "--agent",
    default=EMBEDDED,
    show_default=True,
    metavar="MODEL",
    help="Who tries: the embedded agent, or PROVIDER:MODEL.",
)
@click.option(
    "--budget-usd",
    type=options.FiniteNumber(min=0),
    metavar="USD",
    help="What a model may cost in all.",
)
@click.option("--dry-run", is_flag=True, help="Say how many trials it takes, and stop.")
@options.shard("tasks")
@options.config
def run(
    *,
    dataset: str,
    repo: Path,
    rev: str | None,
    tool: str,
    out: Path,
    seeds: int,
    seed: int,
    workers: int,
    timeout: float,
    agent: str,
    budget_usd: float | None,
    dry_run: bool,
    shard: Shard | None,
    config: Path | None,
) -> None:
    """Try the questions of DATASET with and without a tool; all else is the same.

    The embedded agent, or a model, can list, grep and read in both arms. Answers are judged by the
    facts of the dataset, by code that is not told the arm. A tool that does not start, or that
    nobody calls, is not measured. Writes benefit_v1.0.json and benefit.html into --out.
    """
    environment = current_environment()
    model = find_agent(agent, config, budget_usd, environment)
    request = BenefitRequest(
        dataset, repo, tool, out, rev, seeds, seed, workers, timeout, model, shard
    )
    if dry_run:
        print_lines(estimate_lines(request, environment))
        return
    with progress_on_stderr(environment.clock) as progress:
        result = measure_benefit(request, environment, progress)
    if shard is None:
        write_benefit(result, out)
    if result.handshake is None:
        raise RetrieverError(f"not measured: {result.fault}")
    if shard is not None:
        print_lines(shard_lines(result, shard, out))
        return
    print_lines(benefit_lines(result))
    click.echo(out / RESULT_FILE)


def shard_lines(result: BenefitResult, shard: Shard, out: Path) -> Iterator[str]:
    """Say how far a share is; what it comes to is told of all shares together."""
    trials = counted(len(result.trials), "trial")
    progress = f"{result.made} of them made now"
    unfinished = ""
    if result.unfinished:
        unfinished = f", {result.unfinished} unfinished"
    yield f"shard {shard}: {trials} in {out}, {progress}{unfinished}"
    yield "goldwright merge brings shards together; the same command without --shard sums them up"


def estimate_lines(request: BenefitRequest, environment: Environment) -> Iterator[str]:
    """Say how many trials there are, and what they cost."""
    tasks = read_tasks(request, environment).tasks
    if request.shard is not None:
        tasks = request.shard.share_of(tasks)
    count = len(tasks)
    trials = 2 * count * request.seeds
    task_text = counted(count, "task")
    seed_text = counted(request.seeds, "seed")
    trial_text = counted(trials, "trial")
    size = f"{task_text}, {seed_text}, 2 arms: {trial_text}"
    if request.agent is None:
        yield f"{size}; $0.00"
        yield "tokens of embedded agents are counted by rule, and asked of nobody"
        return
    cost = estimate_trials(trials, request.agent)
    likely = dollars(cost.likely)
    low = dollars(cost.low)
    high = dollars(cost.high)
    span = f"{low} to {high}"
    yield f"{size}; about {likely} ({span})"
    yield f"assumed: {cost.assumption}; without what the tool's descriptions and results add"


@command.command("simulate", cls=SettingsCommand, section="benefit")
@click.option("--tasks", type=click.IntRange(2, 10_000), default=60, show_default=True)
@click.option("--seeds", type=click.IntRange(1, 100), default=3, show_default=True)
@click.option("--worlds", type=click.IntRange(10, 10_000), default=200, show_default=True)
@click.option(
    "--without",
    type=options.FiniteNumber(0, 1),
    default=0.5,
    show_default=True,
    help="The rate of success without the tool.",
)
@click.option(
    "--lift",
    type=options.FiniteNumber(-1, 1),
    default=0.1,
    show_default=True,
    help="What the tool adds to it.",
)
@click.option(
    "--spread",
    type=options.FiniteNumber(0, 1),
    default=0.1,
    show_default=True,
    help="How far the lifts of single tasks lie apart, as a standard deviation.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Settles every draw.")
def simulate_command(
    *, tasks: int, seeds: int, worlds: int, without: float, lift: float, spread: float, seed: int
) -> None:
    """Show what so many tasks and seeds would find, before anything is paid."""
    truth = PlantedTruth(tasks, seeds, without, lift, spread)
    lift_outcome = simulate(truth, worlds=worlds, seed=seed)
    no_effect = PlantedTruth(tasks, seeds, without, 0.0, spread)
    none = simulate(no_effect, worlds=worlds, seed=seed)
    smallest = smallest_detectable(truth, worlds=worlds, seed=seed)
    task_text = counted(tasks, "task")
    seed_text = counted(seeds, "seed")
    size = f"{task_text}, {seed_text}"
    click.echo(f"{size}, {worlds} made-up comparisons")
    lift_shares = _verdict_shares(lift_outcome)
    click.echo(f"a lift of {lift:+.2f}: {lift_shares}")
    no_lift_shares = _verdict_shares(none)
    click.echo(f"no lift: {no_lift_shares}")
    if smallest is None:
        click.echo("no lift would be shown in 4 of 5 comparisons")
    else:
        click.echo(f"smallest lift shown in 4 of 5: {smallest:.2f}")


def _verdict_shares(verdicts: SimulatedVerdicts) -> str:
    return f"helps {verdicts.helps:.3f}, hurts {verdicts.hurts:.3f}"


def benefit_lines(result: BenefitResult) -> Iterator[str]:
    """Put the findings into words: two lines a stratum, and what they rest on."""
    for row in benefit_rows(result)[1:]:
        stratum, task_count, success, lift, saved = row[:5]
        per_success, verdict, cost_verdict = row[8], row[10], row[11]
        name = shorten(make_visible(stratum), _LONGEST_STRATUM)
        start = f"{name:<{_LONGEST_STRATUM}}{task_count:>4} tasks"
        yield f"{start}  success {success}  {lift}: {verdict}"
        yield f"{_NO_STRATUM}tokens saved {saved}: {cost_verdict}; per success {per_success}"
    yield from benefit_notes(result)
