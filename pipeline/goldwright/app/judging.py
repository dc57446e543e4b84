"""Having a model judge whether a retriever's answers are correct."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom

from goldwright.agents.live.answer_judge import PROMPT, AnswerWork, LiveAnswerJudge
from goldwright.agents.roles import RoleRefusedError
from goldwright.app.casting import Part, cast_roles
from goldwright.app.preparing import checked_budget, micro
from goldwright.app.surroundings import Surroundings
from goldwright.config import FILE_NAME, OFFLINE, Config, read_config
from goldwright.engine.progress import Progress
from goldwright.errors import GoldwrightError, InputError, QuarantineError
from goldwright.llm.budget import MICRO, Budget, Budgeted
from goldwright.llm.catalog import open_adapter
from goldwright.llm.identity import SameModel
from goldwright.llm.pace import Pace, Paced
from goldwright.llm.retry import Retried
from goldwright.prompts import PromptLibrary
from goldwright.workspace import find_prompts


@dataclass(frozen=True, slots=True)
class JudgedAnswers:
    """Whether each answer is correct, None where the model gave no verdict; who judged, and what it cost in dollars."""

    by: str
    correct: Mapping[str, bool | None]
    usd: float


@dataclass(frozen=True, slots=True)
class AnswerBench:
    """The model that judges, found and priced before anything is asked; ``ceiling`` is in micro-dollars."""

    part: Part
    prompts: PromptLibrary
    ceiling: int | None


def find_judge(config_path: Path | None, budget_usd: float | None, around: Surroundings) -> AnswerBench:
    """Find the model that plays the judge in the settings.

    Raises:
        InputError: The settings are wrong, name no model for the judge, or its key is missing.
    """
    config, base = read_config(config_path, root=around.root)
    source = str(config_path or FILE_NAME)
    if config.agents.judge == OFFLINE:
        raise InputError(f"{source}: agents.judge names no model; name one, or leave --judge out")
    agents = config.agents.model_copy(update={"author": OFFLINE, "oracle": OFFLINE, "adversary": OFFLINE})
    alone: Config = config.model_copy(update={"agents": agents})
    part = cast_roles(alone, around.environment, source=source).parts["judge"]
    prompts = PromptLibrary.load(find_prompts(config.paths.prompts, base), names=(PROMPT,))
    ceiling = checked_budget(budget_usd)
    return AnswerBench(part, prompts, micro(config.run.budget_usd) if ceiling is None else ceiling)


def judge_answers(
    work: Sequence[AnswerWork], bench: AnswerBench, around: Surroundings, progress: Progress
) -> JudgedAnswers:
    """Have every answer judged, several at once.

    Raises:
        BudgetError: The next call could pass the ceiling.
        ProviderError: The provider is out of reach.
    """
    return asyncio.run(_judge_all(work, bench, around, progress))


async def _judge_all(
    work: Sequence[AnswerWork], bench: AnswerBench, around: Surroundings, progress: Progress
) -> JudgedAnswers:
    part = bench.part
    budget = Budget(bench.ceiling)
    adapter = open_adapter(part.api, key=part.key, base_url=part.base_url, seconds=part.seconds)
    pace = Pace(part.at_once, seconds=around.clock.seconds, sleep=asyncio.sleep)
    line = Budgeted(Paced(SameModel(adapter), pace), budget, part.tariff)
    judge = LiveAnswerJudge(
        part.model, Retried(line, name=part.name, sleep=asyncio.sleep, chance=SystemRandom()), bench.prompts
    )
    progress.phase(f"{part.name} judges {len(work)} answers")
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_judge(judge, one)) for one in work]
    except* GoldwrightError as errors:
        raise errors.exceptions[0] from None
    finally:
        await adapter.close()
    return JudgedAnswers(part.identity, dict(task.result() for task in tasks), budget.settled / MICRO)


async def _judge(judge: LiveAnswerJudge, work: AnswerWork) -> tuple[str, bool | None]:
    try:
        verdict = await judge.play(work)
    except (QuarantineError, RoleRefusedError):
        return work.query_id, None
    return work.query_id, all(verdict.stated) and not any(verdict.asserted)
