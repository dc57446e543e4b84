"""The solvers of relevance trials: the embedded one, or a model whose every call is journalled."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from goldwright.agents.roles import RoleRefusedError
from goldwright.app.environment import Environment
from goldwright.app.models.journalled_provider import journalled_provider
from goldwright.app.models.provider_stack import open_role_adapter
from goldwright.app.scoring.answer_judging import AnswerJudgeSetup, find_judge
from goldwright.errors import QuarantineError
from goldwright.journal import CallLog
from goldwright.live_agents.context_solver import PROMPT, LiveContextSolver
from goldwright.llm.budget import MICRO
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.port import Adapter
from goldwright.relevance.solvers import ExtractiveSolver, Solution, Solver, UnsolvedError

EXTRACTIVE: Final = "offline"
CALLS_FILE: Final = "calls.jsonl"


def find_solver(
    spec: str, config_path: Path | None, budget_usd: float | None, environment: Environment
) -> AnswerJudgeSetup | None:
    """Find a solver: ``offline``, or ``provider:model``.

    Returns:
        The model, priced and with its key; None for the embedded solver.

    Raises:
        InputError: There is no such provider or model, or its key is missing.
    """
    if spec == EXTRACTIVE:
        return None
    return find_judge(config_path, budget_usd, environment, prompt=PROMPT, model=spec)


def solver_name(setup: AnswerJudgeSetup | None) -> str:
    """Name a solver as results record it; a model together with its prompt."""
    if setup is None:
        return ExtractiveSolver().name
    prompt = setup.prompts.prompts[PROMPT]
    short_digest = prompt.digest[:12]
    return f"{setup.role_model.name} with prompt {short_digest}"


class LiveSolver:
    """A model behind the port of solvers."""

    def __init__(self, player: LiveContextSolver, journal: CallJournal, *, name: str) -> None:
        """Take the model, and the journal of its calls."""
        self._player = player
        self._journal = journal
        self.name = name

    async def solve(self, query: str, context: str, *, seed: int) -> Solution:
        """Answer.

        Raises:
            UnsolvedError: The model gave no answer that can be read, or refuses.
            BudgetError: The next call could pass the ceiling.
            ProviderError: The provider refuses or is out of reach.
        """
        item = f"solver:{seed}"
        try:
            answer = await self._player.answer(item, query, context)
        except RoleRefusedError as error:
            raise self._unsolved(item, f"the model refuses: {error}") from error
        except QuarantineError as error:
            # A second try starts a new conversation in place of the replies of this one.
            self._journal.quarantine(item, str(error))
            raise self._unsolved(item, str(error)) from error
        spend = self._journal.spent(item)
        return Solution(answer, spend.tokens, spend.micro_usd / MICRO)

    def _unsolved(self, item: str, reason: str) -> UnsolvedError:
        spend = self._journal.spent(item)
        usd = spend.micro_usd / MICRO
        return UnsolvedError(reason, total_tokens=spend.tokens, usd=usd)


@asynccontextmanager
async def opened_solver(
    setup: AnswerJudgeSetup | None, directory: Path, environment: Environment
) -> AsyncIterator[Solver]:
    """Open a solver; replies that the directory's journal holds are not paid for again."""
    if setup is None:
        yield ExtractiveSolver()
        return
    log = CallLog.open(directory / CALLS_FILE, directory.name, writable=True)
    adapter = open_role_adapter(setup.role_model)
    try:
        call_journal = CallJournal(log, lambda _stage: ())
        yield _live_solver(setup, adapter, call_journal, environment)
    finally:
        await adapter.close()
        log.close()


def _live_solver(
    setup: AnswerJudgeSetup, adapter: Adapter, journal: CallJournal, environment: Environment
) -> LiveSolver:
    provider = journalled_provider(
        setup.role_model, adapter, journal, ceiling=setup.ceiling, environment=environment
    )
    player = LiveContextSolver(setup.role_model.model, provider, setup.prompts)
    return LiveSolver(player, journal, name=solver_name(setup))
