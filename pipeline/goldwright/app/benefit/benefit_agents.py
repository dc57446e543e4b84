"""The agents of benefit trials: the embedded one, or a model whose every call is journalled."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from goldwright.agents.toolset import Toolset
from goldwright.app.environment import Environment
from goldwright.app.models.journalled_provider import journalled_provider
from goldwright.app.models.provider_stack import open_role_adapter
from goldwright.app.scoring.answer_judging import AnswerJudgeSetup, find_judge
from goldwright.benefit.attempts import Agent, Attempt
from goldwright.benefit.ledger import count_tokens_of
from goldwright.benefit.searcher import EmbeddedSearcher
from goldwright.benefit.surface import SearchTool, ToolSurface
from goldwright.benefit.tasks import BenefitTask
from goldwright.benefit.trials import ArmTrial
from goldwright.config import OFFLINE
from goldwright.journal import CallLog
from goldwright.live_agents.code_searcher import NATIVE_TOOLS, PROMPT, LiveCodeSearcher
from goldwright.live_agents.searcher_tools import ToolsUnderTest
from goldwright.llm.budget import MICRO
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.port import Adapter
from goldwright.retrieval.connections.daemon_threads import EventLoopThread
from goldwright.snapshot import Snapshot

CALLS_FILE: Final = "calls.jsonl"
EMBEDDED: Final = OFFLINE
"""What names the embedded agent."""


def find_agent(
    spec: str, config_path: Path | None, budget_usd: float | None, environment: Environment
) -> AnswerJudgeSetup | None:
    """Find an agent: ``offline``, or ``provider:model``.

    Returns:
        The model, priced and with its key; None for the embedded agent.

    Raises:
        InputError: There is no such provider or model, or its key is missing.
    """
    if spec == EMBEDDED:
        return None
    return find_judge(config_path, budget_usd, environment, prompt=PROMPT, model=spec)


def agent_name(setup: AnswerJudgeSetup | None) -> str:
    """Name an agent as results record it; a model together with its prompt."""
    if setup is None:
        return EmbeddedSearcher.name
    prompt = setup.prompts.prompts[PROMPT]
    short_digest = prompt.digest[:12]
    return f"{setup.role_model.name} with prompt {short_digest}"


@contextmanager
def opened_agent(
    setup: AnswerJudgeSetup | None, directory: Path, secret: str, environment: Environment
) -> Iterator[Agent]:
    """Open an agent; replies that the directory's journal holds are not paid for again."""
    if setup is None:
        yield EmbeddedSearcher()
        return
    log = CallLog.open(directory / CALLS_FILE, directory.name, writable=True)
    # An SDK's connections belong to one event loop, whichever thread plays a trial.
    event_loop = EventLoopThread()
    adapter = open_role_adapter(setup.role_model)
    try:
        journal = CallJournal(log, lambda _stage: ())
        yield _ModelAgent(setup, adapter, journal, event_loop, secret, environment)
    finally:
        event_loop.start(adapter.close).result()
        event_loop.close()
        log.close()


class _ThreadedServer:
    """Waits for a tool in a thread of its own, so that other conversations go on meanwhile."""

    def __init__(self, tool: SearchTool) -> None:
        self._tool = tool

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        return await asyncio.to_thread(self._tool.call, name, arguments)


def _under_test(surface: ToolSurface | None) -> ToolsUnderTest | None:
    if surface is None:
        return None
    return ToolsUnderTest(surface.offers, _ThreadedServer(surface.tool))


class _ModelAgent:
    """A model, asked from any thread."""

    def __init__(
        self,
        setup: AnswerJudgeSetup,
        adapter: Adapter,
        journal: CallJournal,
        event_loop: EventLoopThread,
        secret: str,
        environment: Environment,
    ) -> None:
        role_model = setup.role_model
        provider = journalled_provider(
            role_model,
            adapter,
            journal,
            ceiling=setup.ceiling,
            environment=environment,
        )
        self.name = agent_name(setup)
        self._journal = journal
        self._searcher = LiveCodeSearcher(
            role_model.model, provider, journal, setup.prompts, secret
        )
        self._event_loop = event_loop

    def attempt(
        self,
        trial: ArmTrial,
        task: BenefitTask,
        surface: ToolSurface | None,
        open_snapshot: Callable[[], Snapshot],
    ) -> Attempt:
        """Try a task."""

        async def play() -> Attempt:
            item = f"searcher:{trial.task_id}:{trial.seed}:{trial.arm}"
            # Opened here, for a snapshot belongs to the thread that reads it.
            toolset = Toolset(open_snapshot(), NATIVE_TOOLS)
            under_test = _under_test(surface)
            outcome = await self._searcher.search(item, task.question, toolset, under_test)
            spend = self._journal.spent(item)
            # Every request holds the schemas again.
            schema_tokens = count_tokens_of(outcome.schema_characters) * spend.calls
            result_tokens = count_tokens_of(outcome.result_characters)
            shown_files = {evidence.file for evidence in toolset.shown}
            usd = spend.micro_usd / MICRO
            is_reached = not shown_files.isdisjoint(task.files)
            return Attempt(
                answer=outcome.answer,
                total_tokens=spend.tokens,
                schema_tokens=schema_tokens,
                result_tokens=result_tokens,
                turns=spend.calls,
                usd=usd,
                tool_calls=outcome.calls,
                tool_uptake=outcome.uptake,
                tool_errors=outcome.errors,
                reached=is_reached,
            )

        return self._event_loop.start(play).result()
