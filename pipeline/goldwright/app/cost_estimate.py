"""What a run would do and cost, from the length of its prompts and from stated assumptions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.app.role_models import RoleModel
from goldwright.app.run_preparation import RunPreparation
from goldwright.config import OFFLINE
from goldwright.llm.port import Usage
from goldwright.plan import Plan
from goldwright.prompts import PromptLibrary
from goldwright.stages.catalog import ROLES

# Prompts are English and code; exact counts differ by model and would need its tokenizer.
BYTES_PER_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class RoleAssumption:
    """How one piece of a role's work goes.

    Attributes:
        requests: How often the model is asked.
        shown_tokens: Tokens of code that each request but the first brings.
        reply_tokens: Tokens of each reply but the last.
        last_reply_tokens: Tokens of the last reply, which is the result.
    """

    requests: int
    shown_tokens: int
    reply_tokens: int
    last_reply_tokens: int

    @property
    def growth(self) -> int:
        """By how many tokens the conversation grows from one request to the next."""
        return self.shown_tokens + self.reply_tokens

    @property
    def sentence(self) -> str:
        """The assumption in words."""
        if self.requests == 1:
            return f"one request a piece, with a reply of {self.last_reply_tokens} tokens"
        per_call = f"{self.reply_tokens} tokens of reply and then {self.shown_tokens} of code"
        return (
            f"{self.requests} requests a piece, each bringing {per_call}, "
            f"the last a reply of {self.last_reply_tokens}; "
            "all but what is new comes from the provider's cache"
        )


# Numbers of the size that tool loops over code have; the summary of a run gives the true ones.
ASSUMPTIONS: Final = {
    "author": RoleAssumption(
        requests=14, shown_tokens=2500, reply_tokens=350, last_reply_tokens=1500
    ),
    "oracle": RoleAssumption(
        requests=8, shown_tokens=2200, reply_tokens=350, last_reply_tokens=1800
    ),
    "adversary": RoleAssumption(
        requests=9, shown_tokens=2000, reply_tokens=350, last_reply_tokens=2200
    ),
    # Half of the pools of phase1 hold eight entities or fewer, two or three of them a turn.
    "completeness": RoleAssumption(
        requests=4, shown_tokens=1500, reply_tokens=250, last_reply_tokens=600
    ),
    "judge": RoleAssumption(requests=1, shown_tokens=0, reply_tokens=0, last_reply_tokens=200),
}


@dataclass(frozen=True, slots=True)
class RoleEstimate:
    """One role's share of the work.

    Attributes:
        role: The role.
        model: Its model as ``provider:model``, or ``offline``, which costs nothing.
        items: Pieces of work.
        requests: Requests of all pieces; one each where the role is played offline.
        input_tokens: Input of all requests, cached input included.
        cached_tokens: Input that comes from the provider's cache.
        output_tokens: Output of all requests.
        micro_usd: The cost in micro-dollars.
    """

    role: str
    model: str
    items: int
    requests: int
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    micro_usd: int = 0

    @property
    def is_live(self) -> bool:
        """Tell whether a model plays the role."""
        return self.model != OFFLINE


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would do before top-ups.

    Attributes:
        plan: The plan of the run.
        roles: The share of each role, in the order in which a run needs them.
        price_date: The date of the price table.
        ceiling_micro_usd: The most that may be spent, None for no ceiling.
    """

    plan: Plan
    roles: tuple[RoleEstimate, ...]
    price_date: str
    ceiling_micro_usd: int | None

    @property
    def micro_usd(self) -> int:
        """The cost of all roles, in micro-dollars."""
        return sum(estimate.micro_usd for estimate in self.roles)

    @property
    def requests(self) -> int:
        """Requests of all roles that models play."""
        return sum(estimate.requests for estimate in self._live_roles)

    @property
    def is_live(self) -> bool:
        """Tell whether any model plays."""
        return bool(self._live_roles)

    @property
    def assumptions(self) -> Iterator[str]:
        """What the numbers rest on, a line for each role that a model plays."""
        for estimate in self._live_roles:
            assumption = ASSUMPTIONS[estimate.role]
            yield f"{estimate.role}: {assumption.sentence}"

    @property
    def _live_roles(self) -> list[RoleEstimate]:
        return [estimate for estimate in self.roles if estimate.is_live]


def estimate_run(preparation: RunPreparation, *, canaries: int) -> Estimate:
    """Estimate a run in which every candidate that the plan emits goes through every role.

    Args:
        preparation: What the run would rest on.
        canaries: How many falsified answers Adversary and judge are given as well.
    """
    plan = preparation.plan
    cells = tuple(plan.filled_cells())
    # More than the targets: candidates are lost on the way to agreement.
    emitted = 0
    for cell in cells:
        emitted += plan.emission(plan.target(cell))
    # An Author writes the queries of a whole cell; the other roles take them one by one.
    items_by_role = {
        "author": len(cells),
        "oracle": emitted,
        "adversary": emitted + canaries,
        "completeness": emitted,
        # Three kinds of canaries in eight are judged as well; the estimate takes all.
        "judge": emitted + canaries,
    }
    estimates = []
    for role in ROLES:
        role_model = preparation.model_setup.role_models.get(role)
        items = items_by_role[role]
        estimate = _estimate_role(role, items, role_model, preparation.prompts)
        estimates.append(estimate)
    return Estimate(
        plan=plan,
        roles=tuple(estimates),
        price_date=preparation.model_setup.price_date,
        ceiling_micro_usd=preparation.budget_micro_usd,
    )


def _estimate_role(
    role: str, items: int, role_model: RoleModel | None, prompts: PromptLibrary
) -> RoleEstimate:
    if role_model is None:
        return RoleEstimate(role, OFFLINE, items, requests=items)
    usage = _usage_of_one_piece(role, prompts)
    cost = role_model.pricing.cost(usage)
    return RoleEstimate(
        role=role,
        model=role_model.name,
        items=items,
        requests=ASSUMPTIONS[role].requests * items,
        input_tokens=usage.input_tokens * items,
        cached_tokens=usage.cached * items,
        output_tokens=usage.output * items,
        micro_usd=cost * items,
    )


def _usage_of_one_piece(role: str, prompts: PromptLibrary) -> Usage:
    """Add up the requests of one piece of work.

    Each request repeats the whole conversation so far. What it repeats is read from the cache;
    what is new is written to it.
    """
    assumption = ASSUMPTIONS[role]
    prompt = _prompt_tokens(role, prompts)
    # The last reply ends the conversation, so no request repeats it.
    earlier_replies = assumption.requests - 1
    total_input = 0
    for number in range(assumption.requests):
        total_input += prompt + number * assumption.growth
    new_input = prompt + earlier_replies * assumption.growth
    output = earlier_replies * assumption.reply_tokens + assumption.last_reply_tokens
    return Usage(cached=total_input - new_input, cache_written=new_input, output=output)


def _prompt_tokens(role: str, prompts: PromptLibrary) -> int:
    """Estimate the tokens of a role's prompt.

    The Author's has two parts; the second differs by task type, and that of locate stands for all.
    """
    parts = {role, f"{role}_preamble", f"{role}_locate"}
    length = 0
    for name, prompt in prompts.prompts.items():
        if name in parts:
            length += len(prompt.body)
    return length // BYTES_PER_TOKEN
