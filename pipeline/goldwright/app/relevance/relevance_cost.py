"""What the trials of a registry come to, before any of them is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.relevance.relevance import (
    CONTROLS_FILE,
    TRIALS_FILE,
    RelevanceRequest,
    read_registry,
)
from goldwright.app.relevance.relevance_pools import PoolMaker
from goldwright.app.relevance.relevance_solvers import find_solver
from goldwright.engine.progress import Progress
from goldwright.journal.stage_file import StageFile
from goldwright.live_agents.context_solver import MOST_OUTPUT_TOKENS
from goldwright.llm.budget import MICRO
from goldwright.llm.port import Usage
from goldwright.relevance.asked_sentences import asked_sentences, leave_sentences_out
from goldwright.relevance.contexts import PoolDocument, render_context
from goldwright.relevance.control_trials import ControlRecord
from goldwright.relevance.fixed_design import FixedRule
from goldwright.relevance.task_search import TrialRecord
from goldwright.retrieval.source_tokens import count_tokens
from goldwright.snapshot import open_snapshot

# Measured over 1,000 made-up pools of effects of at least .35: trials a task, on average.
_TRIALS_OF_TASK: Final = 96
# Arms after the search for one relevant document: none, it alone, a placebo and a mutated text.
_LIKELY_ARMS: Final = 4
# Were every document relevant: none, all, and for each one it alone, all but it, and two shams.
_ARMS_OF_POOL: Final = 2
_ARMS_OF_DOCUMENT: Final = 4
# Words and marks are fewer than tokens; measured on Python and English, 1.1 to 1.4 of them.
_TOKENS_OF_WORD: Final = 1.4
# The rules of the solver's prompt.
_PROMPT_TOKENS: Final = 350
# A function or two.
_ANSWER_TOKENS: Final = 400


@dataclass(frozen=True, slots=True)
class RelevanceCost:
    """What a call takes.

    Attributes:
        tasks: Tasks of the registry, or of a share of it.
        documents: Documents of their pools together.
        logged: Trials that the directory holds already.
        likely: Trials, as they were in made-up pools; logged ones are counted in.
        most: Trials at most, each one call of the solver.
        tokens_of_call: Input and output of a call, about; 0 for the embedded solver.
        likely_usd: Dollars of the likely trials.
        most_usd: Dollars of the most trials with answers as long as may be.
    """

    tasks: int
    documents: int
    logged: int
    likely: int
    most: int
    tokens_of_call: int
    likely_usd: float
    most_usd: float


def estimate_relevance(
    request: RelevanceRequest, environment: Environment, progress: Progress
) -> RelevanceCost:
    """Estimate trials, calls and dollars; nothing is asked, run or written.

    Raises:
        InputError: Registry, codebase or solver is wrong.
    """
    registry = read_registry(request.tasks)
    setup = find_solver(request.solver, request.config, request.budget_usd, environment)
    progress.phase("reading the codebase")
    snapshot = open_snapshot(request.repo, rev=request.rev, cache=environment.cache)
    # Of all tasks, whatever the share: every shard has the same documents.
    leave_sentences_out(snapshot, asked_sentences(registry.tasks))
    maker = PoolMaker(snapshot, request.pool, seed=request.seed)
    tasks = request.share_of(registry)
    pools = [maker.pool_of(task) for task in tasks]
    trials = [_trials_of_task(request, len(pool)) for pool in pools]
    likely = sum(of_task[0] for of_task in trials)
    most = sum(of_task[1] for of_task in trials)
    tokens, likely_usd, most_usd = 0, 0.0, 0.0
    if setup is not None and pools:
        contexts = [_whole_context(pool) for pool in pools]
        words = fmean(count_tokens(context) for context in contexts)
        prompt_tokens = round(words * _TOKENS_OF_WORD) + _PROMPT_TOKENS
        tokens = prompt_tokens + _ANSWER_TOKENS
        pricing = setup.role_model.pricing
        likely_usage = Usage(fresh=prompt_tokens, output=_ANSWER_TOKENS)
        likely_usd = likely * pricing.cost(likely_usage) / MICRO
        most_usage = Usage(fresh=prompt_tokens, output=MOST_OUTPUT_TOKENS)
        most_usd = most * pricing.cost(most_usage) / MICRO
    task_count = len(pools)
    documents = sum(map(len, pools))
    logged = _logged(request)
    return RelevanceCost(task_count, documents, logged, likely, most, tokens, likely_usd, most_usd)


def _trials_of_task(request: RelevanceRequest, documents: int) -> tuple[int, int]:
    """Return how many trials are likely, and how many there are at most."""
    settings = request.search_settings
    likely_controls = _LIKELY_ARMS * request.control_trials
    most_controls = (_ARMS_OF_POOL + _ARMS_OF_DOCUMENT * documents) * request.control_trials
    if isinstance(settings, FixedRule):
        return settings.trials + likely_controls, settings.trials + most_controls
    likely = min(_TRIALS_OF_TASK, settings.budget)
    return likely + likely_controls, settings.budget + most_controls


def _logged(request: RelevanceRequest) -> int:
    search = StageFile.open(request.out / TRIALS_FILE, TrialRecord, writable=False)
    controls = StageFile.open(request.out / CONTROLS_FILE, ControlRecord, writable=False)
    return len(search.records) + len(controls.records)


def _whole_context(pool: Sequence[PoolDocument]) -> str:
    return render_context(pool, [True] * len(pool), seed=0)
