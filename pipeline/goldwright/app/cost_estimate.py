"""What a run would do and cost, from what its prompts weigh and from assumptions that are told."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.app.run_preparation import RunPreparation
from goldwright.llm.port import Usage
from goldwright.plan import Plan
from goldwright.prompts import PromptLibrary
from goldwright.stages.catalog import ROLES

BYTES_PER_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class RoleAssumption:
    """How one piece of a role's work goes: requests, and the tokens of each; ``answer`` is the last
    reply's.
    """

    requests: int
    shown: int
    said: int
    answer: int

    @property
    def told(self) -> str:
        """The assumption in words."""
        if self.requests == 1:
            return f"one request a piece, with a reply of {self.answer} tokens"
        return (
            f"{self.requests} requests a piece, each bringing {self.said} tokens of reply and then {self.shown} "
            f"of code, the last a reply of {self.answer}; all but what is new comes from the provider's cache"
        )


ASSUMPTIONS: Final = {
    "author": RoleAssumption(requests=14, shown=2500, said=350, answer=1500),
    "oracle": RoleAssumption(requests=8, shown=2200, said=350, answer=1800),
    "adversary": RoleAssumption(requests=9, shown=2000, said=350, answer=2200),
    "judge": RoleAssumption(requests=1, shown=0, said=0, answer=200),
}
"""Numbers of the size that tool loops over code have; the summary of a run tells the true ones."""


@dataclass(frozen=True, slots=True)
class RoleEstimate:
    """One role's share; ``model`` is ``offline`` where no model plays it, which costs nothing."""

    role: str
    model: str
    items: int
    requests: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    micro_usd: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would do before top-ups."""

    plan: Plan
    roles: tuple[RoleEstimate, ...]
    prices_of: str
    ceiling_micro_usd: int | None

    @property
    def micro_usd(self) -> int:
        """Dollars of all roles, in millionths."""
        return sum(one.micro_usd for one in self.roles)

    @property
    def requests(self) -> int:
        """Requests of all roles that are played by models."""
        return sum(one.requests for one in self.roles if one.model != "offline")

    @property
    def is_live(self) -> bool:
        """Tell whether any model plays."""
        return any(one.model != "offline" for one in self.roles)

    @property
    def assumptions(self) -> Iterator[str]:
        """What the numbers rest on, a line a role."""
        for one in self.roles:
            if one.model != "offline":
                yield f"{one.role}: {ASSUMPTIONS[one.role].told}"


def estimate_run(ready: RunPreparation, *, canaries: int) -> Estimate:
    """Estimate a run: emission by the plan, every candidate through every role, everything cached
    that can be.
    """
    cells = tuple(ready.plan.filled_cells())
    emitted = sum(ready.plan.emission(ready.plan.target(cell)) for cell in cells)
    items = {
        "author": len(cells),
        "oracle": emitted,
        "adversary": emitted + canaries,
        "judge": emitted,
    }
    roles = tuple(_role(role, items[role], ready) for role in ROLES)
    return Estimate(ready.plan, roles, ready.model_setup.prices_of, ready.budget_micro_usd)


def _role(role: str, items: int, ready: RunPreparation) -> RoleEstimate:
    role_model = ready.model_setup.role_models.get(role)
    if role_model is None:
        return RoleEstimate(role, "offline", items, items, 0, 0, 0, 0)
    one = _usage(role, ready.prompts)
    micro = role_model.tariff.cost(one, 0) * items
    return RoleEstimate(
        role, role_model.name, items, ASSUMPTIONS[role].requests * items, one.input_tokens * items, one.cached * items,
        one.output * items, micro,
    )  # fmt: skip


def _usage(role: str, prompts: PromptLibrary) -> Usage:
    """Add up the requests of one piece of work: each has all that the one before it had, and what
    is new.
    """
    how = ASSUMPTIONS[role]
    grown = how.shown + how.said
    prompt = _prompt_tokens(role, prompts)
    fresh = prompt + (how.requests - 1) * grown
    whole = sum(prompt + number * grown for number in range(how.requests))
    output = (how.requests - 1) * how.said + how.answer
    return Usage(cached=whole - fresh, cache_written=fresh, output=output)


def _prompt_tokens(role: str, prompts: PromptLibrary) -> int:
    names = [
        name
        for name in prompts.prompts
        if name == role or name in {f"{role}_preamble", f"{role}_locate"}
    ]
    return sum(len(prompts.prompts[name].body) for name in names) // BYTES_PER_TOKEN
