"""Trying out every configured model, so that a wrong key shows in seconds and for a cent.

A model that answers is asked on: it has to call a tool, and to answer by a form.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.models.model_setup import set_up_models
from goldwright.app.models.provider_stack import open_role_adapter
from goldwright.app.models.role_models import RoleModel
from goldwright.app.runs.preflight import needs_tools
from goldwright.config import FILE_NAME, read_config
from goldwright.engine.clock import Clock
from goldwright.live_agents.ability_check import AbilityCheck
from goldwright.llm.model_identity import SameModelProvider
from goldwright.llm.port import ProviderFault
from goldwright.records import Effort

TIMEOUT: Final = 60.0
"""Seconds to wait at most for a provider that answers at once, however patient the settings are."""


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """How one model did.

    Attributes:
        roles: The roles that it plays.
        model: The model as ``provider:model``.
        problem: Why there was no answer, or what the model or its server cannot do; None where
            all is well.
        seconds: How long the exchange took.
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
    """Play one exchange with each configured model, all at once.

    Raises:
        InputError: The configuration is wrong; then nothing was asked.
    """
    config, _ = read_config(config_path, root=environment.root)
    source = str(config_path or FILE_NAME)
    model_setup = set_up_models(config, environment.variables, source=source)
    by_model = _by_model(model_setup.role_models.values())
    return asyncio.run(_check_all(by_model, environment.clock))


def _by_model(role_models: Iterable[RoleModel]) -> list[list[RoleModel]]:
    """Put the roles of one model and effort together, in the order of their first roles."""
    groups: dict[tuple[str, Effort | None], list[RoleModel]] = {}
    for role_model in role_models:
        model_and_effort = (role_model.name, role_model.effort)
        groups.setdefault(model_and_effort, []).append(role_model)
    return list(groups.values())


async def _check_all(by_model: Iterable[list[RoleModel]], clock: Clock) -> tuple[ModelCheck, ...]:
    checks = [_check(role_models, clock) for role_models in by_model]
    return tuple(await asyncio.gather(*checks))


async def _check(role_models: list[RoleModel], clock: Clock) -> ModelCheck:
    role_model = role_models[0]
    roles = tuple(role_model.role for role_model in role_models)
    # A server of one's own may have to load its model first, and knows how long that takes.
    is_own_server = role_model.api == "chat"
    timeout = role_model.timeout if is_own_server else min(role_model.timeout, TIMEOUT)
    # No retries and no budget: one attempt tells what a person has to know.
    adapter = open_role_adapter(role_model, timeout=timeout)
    provider = role_model.with_effort(SameModelProvider(adapter))
    ability = AbilityCheck(provider, role_model.model, "check", needs_tools(roles))
    began_at = clock.seconds()
    try:
        problem = await ability.find_problem()
    except ProviderFault as fault:
        problem = f"{fault.kind}: {fault}"
        if fault.kind == "timeout":
            waited = f"no answer within {timeout:g} s"
            problem = f"{waited} (timeout_s in [providers.{role_model.provider}])"
    finally:
        await adapter.close()
    seconds = clock.seconds() - began_at
    pricing = role_model.pricing
    costs = []
    for request, reply in ability.exchanges:
        # The bound is what counts where a provider does not say what it used.
        usage = reply.usage
        cost = pricing.cost(usage) if usage.counted else pricing.bound(request)
        costs.append(cost)
    tokens = sum(reply.usage.total for _, reply in ability.exchanges)
    return ModelCheck(
        roles=roles,
        model=role_model.name,
        problem=problem,
        seconds=seconds,
        tokens=tokens,
        micro_usd=sum(costs),
    )
