"""Asking every configured model once, so that a wrong key shows in seconds and for a cent."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.model_setup import set_up_models
from goldwright.app.provider_stack import open_role_adapter
from goldwright.app.role_models import RoleModel
from goldwright.config import FILE_NAME, read_config
from goldwright.engine.clock import Clock
from goldwright.llm.model_identity import SameModelProvider
from goldwright.llm.port import ProviderFault, Request, Tool, UserMessage

TIMEOUT: Final = 60.0
"""Seconds to wait for an answer at most, however patient the settings are."""

# Models that think before they write count their thoughts as output.
MAX_OUTPUT_TOKENS: Final = 512

SYSTEM_PROMPT: Final = "You are asked whether the line works."
QUESTION: Final = "This is a test of the connection. Reply with the one word: ready"

UNUSED_TOOL: Final = Tool(
    "list",
    "List files; not needed now.",
    {
        "type": "object",
        "properties": {"pattern": {"type": "string"}},
        "required": ["pattern"],
        "additionalProperties": False,
    },
)
"""On offer and forbidden, as in the last turn of a run: a model without tools fails here."""


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """How one model answered.

    Attributes:
        roles: The roles that it plays.
        model: The model as ``provider:model``.
        problem: Why there was no answer, None where there was one.
        seconds: How long the answer took.
        tokens: Input and output.
        micro_usd: What it cost in micro-dollars.
    """

    roles: tuple[str, ...]
    model: str
    problem: str | None
    seconds: float = 0.0
    tokens: int = 0
    micro_usd: int = 0


def check_models(config_path: Path | None, environment: Environment) -> tuple[ModelCheck, ...]:
    """Ask each configured model one tiny question, all at once.

    Raises:
        InputError: The configuration is wrong; then nothing was asked.
    """
    config, _ = read_config(config_path, root=environment.root)
    source = str(config_path or FILE_NAME)
    model_setup = set_up_models(config, environment.variables, source=source)
    by_model = _by_model(model_setup.role_models.values())
    return asyncio.run(_check_all(by_model, environment.clock))


def _by_model(role_models: Iterable[RoleModel]) -> list[list[RoleModel]]:
    """Put the roles of one model together, in the order of their first roles."""
    groups: dict[str, list[RoleModel]] = {}
    for role_model in role_models:
        groups.setdefault(role_model.name, []).append(role_model)
    return list(groups.values())


async def _check_all(by_model: Iterable[list[RoleModel]], clock: Clock) -> tuple[ModelCheck, ...]:
    checks = [_check(role_models, clock) for role_models in by_model]
    return tuple(await asyncio.gather(*checks))


async def _check(role_models: list[RoleModel], clock: Clock) -> ModelCheck:
    role_model = role_models[0]
    roles = tuple(role_model.role for role_model in role_models)
    request = Request(
        item="check",
        model=role_model.model,
        system=SYSTEM_PROMPT,
        turns=(UserMessage(QUESTION),),
        tools=(UNUSED_TOOL,),
        tools_closed=True,
        max_output_tokens=MAX_OUTPUT_TOKENS,
    )
    # No retries and no budget: one attempt tells what a person has to know.
    adapter = open_role_adapter(role_model, timeout=min(role_model.timeout, TIMEOUT))
    began_at = clock.seconds()
    try:
        reply = await SameModelProvider(adapter).ask(request)
    except ProviderFault as fault:
        return ModelCheck(roles, role_model.name, f"{fault.kind}: {fault}")
    finally:
        await adapter.close()
    seconds = clock.seconds() - began_at
    pricing = role_model.pricing
    # The bound is what is charged where a provider does not say what it used.
    bound = pricing.bound(request)
    return ModelCheck(
        roles=roles,
        model=role_model.name,
        problem=None,
        seconds=seconds,
        tokens=reply.usage.total,
        micro_usd=pricing.cost(reply.usage, bound),
    )
