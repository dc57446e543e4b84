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


def check_models(config_path: Path | None, around: Environment) -> tuple[ModelCheck, ...]:
    """Ask each configured model one tiny question, all at once.

    Raises:
        InputError: The configuration is wrong; then nothing was asked.
    """
    config, _ = read_config(config_path, root=around.root)
    parts = set_up_models(config, around.environment, source=str(config_path or FILE_NAME)).parts
    return asyncio.run(_check_all(tuple(_by_model(parts.values())), around))


def _by_model(parts: Iterable[RoleModel]) -> Iterator[tuple[tuple[str, ...], RoleModel]]:
    found: dict[str, tuple[tuple[str, ...], RoleModel]] = {}
    for part in parts:
        roles, _ = found.get(part.name, ((), part))
        found[part.name] = ((*roles, part.role), part)
    yield from found.values()


async def _check_all(
    wanted: tuple[tuple[tuple[str, ...], RoleModel], ...], around: Environment
) -> tuple[ModelCheck, ...]:
    return tuple(await asyncio.gather(*(_check(roles, part, around) for roles, part in wanted)))


async def _check(roles: tuple[str, ...], part: RoleModel, around: Environment) -> ModelCheck:
    seconds = min(part.seconds, SECONDS)
    adapter = open_adapter(part.api, key=part.key, base_url=part.base_url, seconds=seconds)
    since = around.clock.seconds()
    request = Request(
        item="check",
        model=part.model,
        system="You are asked whether the line works.",
        turns=(UserMessage(QUESTION),),
        tools=(NOTHING_DONE,),
        tools_closed=True,
        max_output_tokens=MOST_OUTPUT_TOKENS,
    )
    try:
        reply = await SameModelProvider(adapter).ask(request)
    except ProviderFault as fault:
        return ModelCheck(roles, part.name, f"{fault.kind}: {fault}")
    finally:
        await adapter.close()
    checked = ModelCheck(roles, part.name, None, around.clock.seconds() - since)
    cost = part.tariff.cost(reply.usage, part.tariff.bound(request))
    return replace(checked, tokens=reply.usage.total, micro_usd=cost)
