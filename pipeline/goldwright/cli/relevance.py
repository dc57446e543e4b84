"""``goldwright relevance``: prove by trials which documents make tasks succeed."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.relevance.relevance import RelevanceRequest, prove_relevance
from goldwright.app.relevance.relevance_cost import estimate_relevance
from goldwright.app.relevance.relevance_dataset import DATASET_FILE, write_relevance_dataset
from goldwright.app.relevance.relevance_pools import PoolSettings
from goldwright.cli import options, relevance_make, relevance_score
from goldwright.cli.command_group import CommandGroup
from goldwright.cli.printing import print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.relevance_text import cost_lines, relevance_lines, shard_lines
from goldwright.cli.settings_command import SettingsCommand
from goldwright.engine.shards import Shard
from goldwright.errors import InputError
from goldwright.relevance.adaptive_design import DesignSettings
from goldwright.relevance.fixed_design import FixedRule
from goldwright.relevance.planted_worlds import SIZES, planting
from goldwright.relevance.simulation import SimulatedDesign, simulate_adaptive, simulate_fixed
from goldwright.text import counted

_SIMULATION_HEADER = f"{'design':<15}{'calls':>7}{'9 of 10':>9}{'false':>8}{'found':>8}{'exact':>8}"


@click.group("relevance", cls=CommandGroup)
def command() -> None:
    """Prove by trials which documents make tasks succeed."""


command.add_command(relevance_make.command)
command.add_command(relevance_score.command)


@command.command("run", cls=SettingsCommand, section="relevance")
@click.argument("tasks", type=options.path_type, metavar="TASKS")
@options.repo
@options.rev
@click.option(
    "--out",
    type=options.path_type,
    required=True,
    metavar="DIR",
    help="Where the log of trials and the results go; trials that it holds are not repeated.",
)
@click.option(
    "--alpha",
    type=options.FiniteNumber(0.001, 0.5),
    default=0.05,
    show_default=True,
    help="Expected share of documents called relevant that are not.",
)
@click.option(
    "--most-trials",
    type=click.IntRange(1, 10_000),
    default=DesignSettings().budget,
    show_default=True,
    help="Most trials of a task.",
)
@click.option(
    "--design",
    type=click.Choice(["adaptive", "fixed"]),
    default="adaptive",
    show_default=True,
    help="Trials until every document is decided, or a fixed number with a threshold.",
)
@click.option(
    "--trials",
    type=click.IntRange(1, 10_000),
    default=FixedRule().trials,
    show_default=True,
    help="Trials of a task under the fixed design.",
)
@click.option(
    "--threshold",
    type=options.FiniteNumber(0, 0.99),
    default=FixedRule().threshold,
    show_default=True,
    help="Above this difference of success rates, the fixed design calls a document relevant.",
)
@click.option(
    "--control-trials",
    type=click.IntRange(0, 500),
    default=3,
    show_default=True,
    help="Trials, after the search, of each relevant document alone, left out and replaced.",
)
@click.option(
    "--solver",
    default="offline",
    show_default=True,
    metavar="SPEC",
    help="Who answers: offline, or PROVIDER:MODEL of the settings.",
)
@click.option(
    "--budget-usd",
    type=options.FiniteNumber(0, 1_000_000),
    help="The most that all trials of --out may cost; without it, run.budget_usd of the settings.",
)
@click.option("--dry-run", is_flag=True, help="Say what it takes, and try nothing.")
@click.option(
    "--screening",
    is_flag=True,
    help="About a tenth fewer trials, without a promise that holds for every solver.",
)
@click.option(
    "--retrieved",
    type=click.IntRange(0, 100),
    default=5,
    show_default=True,
    help="Documents of a pool that a lexical search brings.",
)
@click.option(
    "--random",
    "random_count",
    type=click.IntRange(0, 100),
    default=6,
    show_default=True,
    help="Documents of a pool that are drawn from the whole codebase.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Settles every draw.")
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Tasks that have a trial under way at a time.",
)
@click.option(
    "--unsafe-no-sandbox", is_flag=True, help="Run answers unconfined where no sandbox works."
)
@options.shard("tasks")
@options.config
def run(
    *,
    tasks: Path,
    repo: Path,
    rev: str | None,
    out: Path,
    alpha: float,
    most_trials: int,
    design: str,
    trials: int,
    threshold: float,
    control_trials: int,
    solver: str,
    budget_usd: float | None,
    dry_run: bool,
    screening: bool,
    retrieved: int,
    random_count: int,
    seed: int,
    concurrency: int,
    unsafe_no_sandbox: bool,
    shard: Shard | None,
    config: Path | None,
) -> None:
    """Try each task of TASKS with some of its documents left out, until each one is decided.

    Whatever the solver, an expected share of at most --alpha of the documents called relevant is
    not. Writes retrieval_dataset.yaml into --out. A stopped call goes on where it was.
    """
    pool = PoolSettings(retrieved=retrieved, random=random_count)
    search_design = DesignSettings(alpha=alpha, budget=most_trials, screening=screening)
    fixed_rule = FixedRule(trials, threshold) if design == "fixed" else None
    request = RelevanceRequest(
        tasks=tasks,
        repo=repo,
        out=out,
        rev=rev,
        pool=pool,
        design=search_design,
        seed=seed,
        concurrency=concurrency,
        allows_no_sandbox=unsafe_no_sandbox,
        fixed=fixed_rule,
        control_trials=control_trials,
        solver=solver,
        config=config,
        budget_usd=budget_usd,
        shard=shard,
    )
    environment = current_environment()
    if dry_run:
        with progress_on_stderr(environment.clock) as progress:
            print_lines(cost_lines(estimate_relevance(request, environment, progress)))
        return
    with progress_on_stderr(environment.clock) as progress:
        result = prove_relevance(request, environment, progress)
    if shard is not None:
        # What is called relevant takes all tasks into account, so no share is summed up.
        print_lines(shard_lines(result, shard))
        return
    write_relevance_dataset(result, out)
    print_lines(relevance_lines(result))
    click.echo(out / DATASET_FILE)


@command.command("simulate", cls=SettingsCommand, section="relevance")
@click.option(
    "--worlds",
    type=click.IntRange(10, 100_000),
    default=100,
    show_default=True,
    help="How many made-up pools.",
)
@click.option(
    "--documents",
    type=click.IntRange(1, 60),
    default=12,
    show_default=True,
    help="Documents of a pool.",
)
@click.option(
    "--combination",
    type=click.Choice(sorted(SIZES)),
    default="one",
    show_default=True,
    help="How the relevant documents act together.",
)
@click.option(
    "--without",
    type=options.FiniteNumber(0, 1),
    default=0.1,
    show_default=True,
    help="The rate of success without them.",
)
@click.option(
    "--with",
    "with_them",
    type=options.FiniteNumber(0, 1),
    default=0.9,
    show_default=True,
    help="The rate of success with them.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Settles every draw.")
def simulate(
    *, worlds: int, documents: int, combination: str, without: float, with_them: float, seed: int
) -> None:
    """Show what the designs would find, and for how many calls, were effects as you say."""
    if SIZES[combination] > documents:
        raise InputError(f"{combination}: takes more documents than the pool has")
    draw_world = planting(documents, combination, (without, with_them))
    adaptive = simulate_adaptive(draw_world, DesignSettings(), worlds=worlds, seed=seed)
    fixed = simulate_fixed(draw_world, FixedRule(), worlds=worlds, seed=seed)
    print_lines(simulation_lines({"adaptive": adaptive, "10 trials, .1": fixed}, worlds))


def simulation_lines(designs: Mapping[str, SimulatedDesign], worlds: int) -> Iterator[str]:
    """Lay designs out as a table, a line each."""
    yield _SIMULATION_HEADER
    for name, design in designs.items():
        share = design.found_share
        found_text = "-" if share is None else f"{share:.3f}"
        calls = f"{design.calls:>7.1f}{design.calls_of_most:>9.0f}"
        shares = f"{design.false_share:>8.3f}{found_text:>8}{design.exact_share:>8.3f}"
        yield f"{name:<15}{calls}{shares}"
    yield (
        f"{counted(worlds, 'pool')}; false: share of documents called relevant that are not; "
        "found: share of relevant ones called so"
    )
