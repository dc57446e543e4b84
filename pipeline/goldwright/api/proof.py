"""Proving which documents make tasks succeed, and what a tool does for an agent."""

from pathlib import Path

from goldwright.api.arguments import StrPath, at_least_one, environment_in
from goldwright.app.benefit import benefit as benefit_use_case
from goldwright.app.benefit.benefit import BenefitRequest, BenefitResult
from goldwright.app.benefit.benefit_agents import EMBEDDED, find_agent
from goldwright.app.relevance import relevance as relevance_use_case
from goldwright.app.relevance.relevance import RelevanceRequest, RelevanceResult
from goldwright.app.relevance.relevance_solvers import EXTRACTIVE
from goldwright.engine.progress import Progress, SilentProgress


def measure_benefit(
    dataset: StrPath,
    tool: str,
    *,
    repo: StrPath,
    out: StrPath,
    rev: str | None = None,
    seeds: int = 3,
    seed: int = 0,
    workers: int = 2,
    timeout: float = 30.0,
    agent: str = EMBEDDED,
    budget_usd: float | None = None,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> BenefitResult:
    """Try every question of a dataset with and without a tool, all else the same.

    Args:
        dataset: A golden dataset, or any list of questions with facts.
        tool: ``mcp:COMMAND``, or any retriever as in ``evaluate``.
        repo: The codebase.
        out: A directory for the journal; trials that it holds are not made again.
        rev: The commit; HEAD when none is named.
        seeds: Repetitions of each task and arm, at least 1; fewer than 3 show no effect.
        seed: Settles every draw.
        workers: Pairs of trials under way at a time, at least 1.
        timeout: Seconds for the tool to start, and to answer.
        agent: ``offline`` for the embedded one, or ``provider:model``.
        budget_usd: A ceiling in dollars, in place of that of the settings.
        workspace: Where ``golden/`` and relative names of tools start.
        progress: Is told what goes on.

    Returns:
        The findings by stratum and over all tasks; ``fault`` says why nothing was measured.

    Raises:
        InputError: Dataset, codebase, tool or directory is wrong.
        BudgetError: The next call could pass the ceiling.
        ProviderError: The provider refuses or is out of reach.
        DamagedStateError: The journal is no longer what was written.

    Examples:
        >>> goldwright.measure_benefit("queries.csv", "bm25", repo="shop", out="benefit")
        Traceback (most recent call last):
        goldwright.errors.InputError: queries.csv: no query has must-mention facts to judge by
    """
    environment = environment_in(workspace)
    request = BenefitRequest(
        dataset=str(dataset),
        repo=Path(repo),
        tool=tool,
        out=Path(out),
        rev=rev,
        seeds=at_least_one(seeds, "seeds"),
        seed=seed,
        workers=at_least_one(workers, "workers"),
        seconds=timeout,
        agent=find_agent(agent, None, budget_usd, environment),
    )
    return benefit_use_case.measure_benefit(request, environment, progress or SilentProgress())


def prove_relevance(
    tasks: StrPath,
    *,
    repo: StrPath,
    out: StrPath,
    rev: str | None = None,
    seed: int = 0,
    concurrency: int = 2,
    solver: str = EXTRACTIVE,
    control_trials: int = 3,
    budget_usd: float | None = None,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> RelevanceResult:
    """Prove by trials which documents make tasks succeed.

    Args:
        tasks: A registry of tasks, YAML or JSON.
        repo: The codebase whose entities are the documents.
        out: A directory for the log of trials; what it holds is not tried again.
        rev: The commit; HEAD when none is named.
        seed: Chooses random documents, trials and places.
        concurrency: How many tasks have a trial under way at a time, at least 1.
        solver: ``offline``, or ``provider:model``.
        control_trials: Trials of each arm after the search; 0 for none.
        budget_usd: A ceiling in dollars, in place of that of the settings.
        workspace: Where settings and relative names start.
        progress: Is told what goes on.

    Returns:
        A finding a task, and the tasks whose checks cannot be relied on.

    Raises:
        InputError: Registry, codebase or directory is wrong, or no sandbox works here.
        DamagedStateError: The log holds other trials than these tasks would have.
        BudgetError: The next call of a model could pass the ceiling.
        ProviderError: The model's provider is out of reach.

    Examples:
        >>> try:
        ...     goldwright.prove_relevance("none.yaml", repo="shop", out="trials")
        ... except goldwright.InputError as error:
        ...     print(error.exit_code)
        2
    """
    request = RelevanceRequest(
        tasks=Path(tasks),
        repo=Path(repo),
        out=Path(out),
        rev=rev,
        seed=seed,
        concurrency=at_least_one(concurrency, "concurrency"),
        solver=solver,
        control_trials=control_trials,
        budget_usd=budget_usd,
    )
    environment = environment_in(workspace)
    return relevance_use_case.prove_relevance(request, environment, progress or SilentProgress())
