"""Trying every configured model once, so that a wrong key or name shows in seconds and for a cent."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.model_setup import RoleModel, set_up_models
from goldwright.config import FILE_NAME, read_config
from goldwright.llm.catalog import open_adapter
from goldwright.llm.model_identity import SameModelProvider
from goldwright.llm.port import ProviderFault, Request, Tool, UserMessage

SECONDS = 60.0
MOST_OUTPUT_TOKENS = 512
QUESTION = "This is a test of the connection. Reply with the one word: ready"
NOTHING_DONE = Tool(
    "list",
    "List files; not needed now.",
    {
        "type": "object",
        "properties": {"pattern": {"type": "string"}},
        "required": ["pattern"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """How one model answered; ``problem`` is ``None`` where it did."""

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
    role_models = set_up_models(
        config, environment.variables, source=str(config_path or FILE_NAME)
    ).role_models
    return asyncio.run(_check_all(tuple(_by_model(role_models.values())), environment))


def _by_model(role_models: Iterable[RoleModel]) -> Iterator[tuple[tuple[str, ...], RoleModel]]:
    found: dict[str, tuple[tuple[str, ...], RoleModel]] = {}
    for role_model in role_models:
        roles, _ = found.get(role_model.name, ((), role_model))
        found[role_model.name] = ((*roles, role_model.role), role_model)
    yield from found.values()


async def _check_all(
    wanted: tuple[tuple[tuple[str, ...], RoleModel], ...], environment: Environment
) -> tuple[ModelCheck, ...]:
    return tuple(
        await asyncio.gather(
            *(_check(roles, role_model, environment) for roles, role_model in wanted)
        )
    )


async def _check(
    roles: tuple[str, ...], role_model: RoleModel, environment: Environment
) -> ModelCheck:
    seconds = min(role_model.seconds, SECONDS)
    adapter = open_adapter(
        role_model.api, key=role_model.key, base_url=role_model.base_url, seconds=seconds
    )
    since = environment.clock.seconds()
    request = Request(
        item="check",
        model=role_model.model,
        system="You are asked whether the line works.",
        turns=(UserMessage(QUESTION),),
        tools=(NOTHING_DONE,),
        tools_closed=True,
        max_output_tokens=MOST_OUTPUT_TOKENS,
    )
    try:
        reply = await SameModelProvider(adapter).ask(request)
    except ProviderFault as fault:
        return ModelCheck(roles, role_model.name, f"{fault.kind}: {fault}")
    finally:
        await adapter.close()
    checked = ModelCheck(roles, role_model.name, None, environment.clock.seconds() - since)
    cost = role_model.tariff.cost(reply.usage, role_model.tariff.bound(request))
    return replace(checked, tokens=reply.usage.total, micro_usd=cost)
