"""Having a model judge whether a retriever's answers are correct."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom

from goldwright.agents.roles import RoleRefusedError
from goldwright.app.environment import Environment
from goldwright.app.model_setup import RoleModel, set_up_models
from goldwright.app.run_preparation import checked_budget, micro_usd
from goldwright.config import FILE_NAME, OFFLINE, Config, read_config
from goldwright.engine.progress import Progress
from goldwright.errors import GoldwrightError, InputError, QuarantineError
from goldwright.live_agents.answer_judge import PROMPT, AnswerWork, LiveAnswerJudge
from goldwright.llm.budget import MICRO, Budget, BudgetedProvider
from goldwright.llm.catalog import open_adapter
from goldwright.llm.concurrency import ConcurrencyLimit, LimitedProvider
from goldwright.llm.model_identity import SameModelProvider
from goldwright.llm.retry import RetryingProvider
from goldwright.prompts import PromptLibrary
from goldwright.workspace import find_prompts


@dataclass(frozen=True, slots=True)
class AnswerJudgements:
    """Whether each answer is correct, None where the model gave no verdict; who judged, and what it
    cost in dollars.
    """

    by: str
    correct: Mapping[str, bool | None]
    usd: float


@dataclass(frozen=True, slots=True)
class AnswerJudgeSetup:
    """The model that judges, found and priced before anything is asked; ``ceiling`` is in
    micro-dollars.
    """

    part: RoleModel
    prompts: PromptLibrary
    ceiling: int | None


def find_judge(
    config_path: Path | None, budget_usd: float | None, around: Environment
) -> AnswerJudgeSetup:
    """Find the model that plays the judge in the settings.

    Raises:
        InputError: The settings are wrong, name no model for the judge, or its key is missing.
    """
    config, base = read_config(config_path, root=around.root)
    source = str(config_path or FILE_NAME)
    if config.agents.judge == OFFLINE:
        raise InputError(f"{source}: agents.judge names no model; name one, or leave --judge out")
    agents = config.agents.model_copy(
        update={"author": OFFLINE, "oracle": OFFLINE, "adversary": OFFLINE}
    )
    alone: Config = config.model_copy(update={"agents": agents})
    part = set_up_models(alone, around.environment, source=source).parts["judge"]
    prompts = PromptLibrary.load(find_prompts(config.paths.prompts, base), names=(PROMPT,))
    ceiling = checked_budget(budget_usd)
    return AnswerJudgeSetup(
        part, prompts, micro_usd(config.run.budget_usd) if ceiling is None else ceiling
    )


def judge_answers(
    work: Sequence[AnswerWork], bench: AnswerJudgeSetup, around: Environment, progress: Progress
) -> AnswerJudgements:
    """Have every answer judged, several at once.

    Raises:
        BudgetError: The next call could pass the ceiling.
        ProviderError: The provider is out of reach.
    """
    return asyncio.run(_judge_all(work, bench, around, progress))


async def _judge_all(
    work: Sequence[AnswerWork], bench: AnswerJudgeSetup, around: Environment, progress: Progress
) -> AnswerJudgements:
    part = bench.part
    budget = Budget(bench.ceiling)
    adapter = open_adapter(part.api, key=part.key, base_url=part.base_url, seconds=part.seconds)
    pace = ConcurrencyLimit(part.at_once, seconds=around.clock.seconds, sleep=asyncio.sleep)
    line = BudgetedProvider(LimitedProvider(SameModelProvider(adapter), pace), budget, part.tariff)
    judge = LiveAnswerJudge(
        part.model,
        RetryingProvider(line, name=part.name, sleep=asyncio.sleep, chance=SystemRandom()),
        bench.prompts,
    )
    progress.phase(f"{part.name} judges {len(work)} answers")
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_judge(judge, one)) for one in work]
    except* GoldwrightError as errors:
        raise errors.exceptions[0] from None
    finally:
        await adapter.close()
    return AnswerJudgements(
        part.identity, dict(task.result() for task in tasks), budget.settled / MICRO
    )


async def _judge(judge: LiveAnswerJudge, work: AnswerWork) -> tuple[str, bool | None]:
    try:
        verdict = await judge.play(work)
    except (QuarantineError, RoleRefusedError):
        return work.query_id, None
    return work.query_id, all(verdict.stated) and not any(verdict.asserted)
