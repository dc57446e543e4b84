"""Trying every model of a run out before it works: one exchange each, paid and journaled."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Final

from goldwright.app.models.role_models import RoleModel
from goldwright.errors import ProviderError, QuarantineError, UnreachableError
from goldwright.live_agents.ability_check import AbilityCheck
from goldwright.llm.port import Provider

WITHOUT_TOOLS: Final = frozenset({"judge"})
"""The roles that read nothing but what they are given."""

PREFLIGHT: Final = "preflight"
"""Stands in the place of a role in the names of its work items."""


def needs_tools(roles: Collection[str]) -> bool:
    """Whether one of some roles has tools."""
    return not WITHOUT_TOOLS.issuperset(roles)


async def try_out(role_models: Mapping[str, RoleModel], providers: Mapping[str, Provider]) -> None:
    """Play one exchange with each model; a resumed run takes the replies from its journal.

    Args:
        role_models: The models by role.
        providers: The providers by role.

    Raises:
        ProviderError: A model or its server cannot do what its roles need.
        BudgetError: The exchange could pass the ceiling.
    """
    roles_by_model: dict[str, list[str]] = {}
    for role, role_model in role_models.items():
        roles_by_model.setdefault(role_model.name, []).append(role)
    checks = []
    for name, roles in roles_by_model.items():
        first_role = roles[0]
        model = role_models[first_role].model
        provider = providers[first_role]
        checks.append(_problem_of(name, roles, model, provider))
    outcomes = await asyncio.gather(*checks)
    problems = [problem for problem in outcomes if problem is not None]
    if problems:
        raise ProviderError("; ".join(problems))


async def _problem_of(name: str, roles: list[str], model: str, provider: Provider) -> str | None:
    item = f"{PREFLIGHT}:{name}"
    check = AbilityCheck(provider, model, item, needs_tools(roles))
    try:
        problem = await check.find_problem()
    except UnreachableError as error:
        # The item's name stands before the model's, and says nothing to a person here.
        return str(error).removeprefix(f"{item}: ")
    except QuarantineError:
        # That one exchange came to nothing says nothing of what the model can do.
        return None
    if problem is None:
        return None
    return f"{name} {problem}"
