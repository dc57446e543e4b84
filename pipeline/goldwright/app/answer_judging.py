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

    role_model: RoleModel
    prompts: PromptLibrary
    ceiling: int | None


def find_judge(
    config_path: Path | None, budget_usd: float | None, environment: Environment
) -> AnswerJudgeSetup:
    """Find the model that plays the judge in the settings.

    Raises:
        InputError: The settings are wrong, name no model for the judge, or its key is missing.
    """
    config, base = read_config(config_path, root=environment.root)
    source = str(config_path or FILE_NAME)
    if config.agents.judge == OFFLINE:
        raise InputError(f"{source}: agents.judge names no model; name one, or leave --judge out")
    agents = config.agents.model_copy(
        update={"author": OFFLINE, "oracle": OFFLINE, "adversary": OFFLINE}
    )
    alone: Config = config.model_copy(update={"agents": agents})
    role_model = set_up_models(alone, environment.variables, source=source).role_models["judge"]
    prompts = PromptLibrary.load(find_prompts(config.paths.prompts, base), names=(PROMPT,))
    ceiling = checked_budget(budget_usd)
    return AnswerJudgeSetup(
        role_model, prompts, micro_usd(config.run.budget_usd) if ceiling is None else ceiling
    )


def judge_answers(
    work: Sequence[AnswerWork],
    setup: AnswerJudgeSetup,
    environment: Environment,
    progress: Progress,
) -> AnswerJudgements:
    """Have every answer judged, several at once.

    Raises:
        BudgetError: The next call could pass the ceiling.
        ProviderError: The provider is out of reach.
    """
    return asyncio.run(_judge_all(work, setup, environment, progress))


async def _judge_all(
    work: Sequence[AnswerWork],
    setup: AnswerJudgeSetup,
    environment: Environment,
    progress: Progress,
) -> AnswerJudgements:
    role_model = setup.role_model
    budget = Budget(setup.ceiling)
    adapter = open_adapter(
        role_model.api, key=role_model.key, base_url=role_model.base_url, seconds=role_model.seconds
    )
    pace = ConcurrencyLimit(
        role_model.at_once, seconds=environment.clock.seconds, sleep=asyncio.sleep
    )
    line = BudgetedProvider(
        LimitedProvider(SameModelProvider(adapter), pace), budget, role_model.tariff
    )
    judge = LiveAnswerJudge(
        role_model.model,
        RetryingProvider(line, name=role_model.name, sleep=asyncio.sleep, chance=SystemRandom()),
        setup.prompts,
    )
    progress.phase(f"{role_model.name} judges {len(work)} answers")
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_judge(judge, one)) for one in work]
    except* GoldwrightError as errors:
        raise errors.exceptions[0] from None
    finally:
        await adapter.close()
    return AnswerJudgements(
        role_model.identity, dict(task.result() for task in tasks), budget.settled / MICRO
    )


async def _judge(judge: LiveAnswerJudge, work: AnswerWork) -> tuple[str, bool | None]:
    try:
        verdict = await judge.play(work)
    except (QuarantineError, RoleRefusedError):
        return work.query_id, None
    return work.query_id, all(verdict.stated) and not any(verdict.asserted)
