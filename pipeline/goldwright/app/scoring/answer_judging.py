"""Having a model judge whether a retriever's answers are correct."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.agents.roles import RoleRefusedError
from goldwright.app.environment import Environment
from goldwright.app.models.model_setup import set_up_models
from goldwright.app.models.provider_stack import open_role_adapter, with_pace_budget_and_retries
from goldwright.app.models.role_models import RoleModel
from goldwright.app.models.spending_ceiling import ceiling_from_flag, micro_usd
from goldwright.config import FILE_NAME, OFFLINE, Config, read_config
from goldwright.engine.interrupts import run_interruptibly
from goldwright.engine.progress import Progress
from goldwright.engine.task_groups import task_group
from goldwright.errors import InputError, QuarantineError
from goldwright.live_agents.answer_judge import PROMPT, AnswerWork, LiveAnswerJudge
from goldwright.llm.budget import MICRO, Budget
from goldwright.llm.model_identity import SameModelProvider
from goldwright.prompts import PromptLibrary
from goldwright.stages.stage_graph import ROLES
from goldwright.workspace import find_prompts


@dataclass(frozen=True, slots=True)
class AnswerJudgements:
    """The verdicts of a model on a retriever's answers.

    Attributes:
        judge: Who judged, as records name it.
        correctness: By query id whether the answer is correct, None where there is no verdict.
        usd: What it cost in dollars.
    """

    judge: str
    correctness: Mapping[str, bool | None]
    usd: float


@dataclass(frozen=True, slots=True)
class AnswerJudgeSetup:
    """The model that judges, found and priced before anything is asked.

    Attributes:
        role_model: The model and how it is reached.
        prompts: A library that holds the prompt.
        ceiling: The most that may be spent, in micro-dollars; None for no ceiling.
    """

    role_model: RoleModel
    prompts: PromptLibrary
    ceiling: int | None


def find_judge(
    config_path: Path | None,
    budget_usd: float | None,
    environment: Environment,
    *,
    prompt: str = PROMPT,
    model: str | None = None,
) -> AnswerJudgeSetup:
    """Find the model that plays the judge in the settings.

    Args:
        config_path: The settings; ``goldwright.toml`` in the root where there is none.
        budget_usd: A ceiling in dollars, in place of that of the settings.
        environment: Holds the keys.
        prompt: The prompt that the library is to hold.
        model: ``provider:model``, in place of the judge of the settings.

    Raises:
        InputError: The settings are wrong, name no model for the judge, or its key is missing.
    """
    config, config_directory = read_config(config_path, root=environment.root)
    source = str(config_path or FILE_NAME)
    if model is not None:
        # What the judge of the settings is to think says nothing of another model.
        agents = config.agents.model_copy(update={"judge": model, "effort": {}})
        config = config.model_copy(update={"agents": agents})
    if config.agents.judge == OFFLINE:
        raise InputError(f"{source}: agents.judge names no model; name one, or leave --judge out")
    model_setup = set_up_models(_with_judge_only(config), environment.variables, source=source)
    prompts_directory = find_prompts(config.paths.prompts, config_directory)
    prompts = PromptLibrary.load(prompts_directory, names=(prompt,))
    # A ceiling of the command line goes before that of the settings, even where it is higher.
    ceiling = ceiling_from_flag(budget_usd)
    if ceiling is None:
        ceiling = micro_usd(config.run.budget_usd)
    return AnswerJudgeSetup(model_setup.role_models["judge"], prompts, ceiling)


def judge_answers(
    answers: Sequence[AnswerWork],
    setup: AnswerJudgeSetup,
    environment: Environment,
    progress: Progress,
) -> AnswerJudgements:
    """Have every answer judged, several at once.

    Raises:
        BudgetError: The next call could pass the ceiling.
        ProviderError: The provider is out of reach.
    """
    model = setup.role_model.name
    count = len(answers)
    progress.phase(f"{model} judges {count} answers")
    return run_interruptibly(_judge_all(answers, setup, environment))


def _with_judge_only(config: Config) -> Config:
    """Play all other roles offline, so that only the judge's model and key have to be there."""
    other_roles = {role: OFFLINE for role in ROLES if role != "judge"}
    efforts = {role: effort for role, effort in config.agents.effort.items() if role == "judge"}
    agents = config.agents.model_copy(update={**other_roles, "effort": efforts})
    return config.model_copy(update={"agents": agents})


async def _judge_all(
    answers: Sequence[AnswerWork], setup: AnswerJudgeSetup, environment: Environment
) -> AnswerJudgements:
    role_model = setup.role_model
    budget = Budget(setup.ceiling)
    adapter = open_role_adapter(role_model)
    same_model = SameModelProvider(adapter)
    provider = with_pace_budget_and_retries(
        same_model,
        role_model,
        budget=budget,
        clock=environment.clock,
        chance=environment.chance,
    )
    provider_with_effort = role_model.with_effort(provider)
    judge = LiveAnswerJudge(role_model.model, provider_with_effort, setup.prompts)
    # Not journaled: an evaluation has no run directory, and one that is stopped starts again.
    try:
        correctness = await _verdicts(judge, answers)
    finally:
        await adapter.close()
    return AnswerJudgements(role_model.identity, correctness, budget.settled / MICRO)


async def _verdicts(
    judge: LiveAnswerJudge, answers: Sequence[AnswerWork]
) -> dict[str, bool | None]:
    async with task_group() as group:
        tasks = {}
        for answer in answers:
            verdict = _is_correct(judge, answer)
            tasks[answer.query_id] = group.create_task(verdict)
    return {query_id: task.result() for query_id, task in tasks.items()}


async def _is_correct(judge: LiveAnswerJudge, answer: AnswerWork) -> bool | None:
    try:
        verdict = await judge.play(answer)
    except (QuarantineError, RoleRefusedError):
        # A failure is never a verdict; a note of the report counts the answers left out.
        return None
    states_all_facts = all(verdict.stated)
    asserts_a_falsehood = any(verdict.asserted)
    return states_all_facts and not asserts_a_falsehood
