"""What a run would do and cost, from the length of its prompts and from stated assumptions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from goldwright.app.models.cost_experience import ItemCosts, read_item_costs
from goldwright.app.models.planned_pieces import planned_pieces
from goldwright.app.models.role_models import RoleModel
from goldwright.app.runs.run_preparation import RunPreparation
from goldwright.config import OFFLINE
from goldwright.llm.catalog import BATCH_PRICE
from goldwright.llm.port import Usage
from goldwright.plan import Plan
from goldwright.prompts import PromptLibrary
from goldwright.stages.stage_graph import ROLES
from goldwright.text import counted
from goldwright.workspace import RunDirectory

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

    def scaled(self, requests: float, tokens: float) -> "RoleAssumption":
        """The assumption for agents that ask and read more or less than most."""
        return RoleAssumption(
            requests=max(1, round(self.requests * requests)),
            shown_tokens=round(self.shown_tokens * tokens),
            reply_tokens=round(self.reply_tokens * tokens),
            last_reply_tokens=round(self.last_reply_tokens * tokens),
        )

    def with_replies(self, factor: float) -> "RoleAssumption":
        """The assumption for models that think more or less before they reply."""
        return replace(
            self,
            reply_tokens=round(self.reply_tokens * factor),
            last_reply_tokens=round(self.last_reply_tokens * factor),
        )

    @property
    def sentence(self) -> str:
        """The assumption in words."""
        if self.requests == 1:
            return f"one request a piece, with a reply of {self.last_reply_tokens} tokens"
        per_call = f"{self.reply_tokens} tokens of reply and then {self.shown_tokens} of code"
        return (
            f"{counted(self.requests, 'request')} a piece, each bringing {per_call}, "
            f"the last a reply of {self.last_reply_tokens}; "
            "all but what is new comes from the provider's cache"
        )


# Between scripted agents, which read what they need and no more, and those that read all around it:
# two calls of tools in a turn, of a file's outline or a hundred lines each.
ASSUMPTIONS: Final = {
    "author": RoleAssumption(
        requests=6, shown_tokens=1500, reply_tokens=250, last_reply_tokens=1000
    ),
    "oracle": RoleAssumption(
        requests=4, shown_tokens=1300, reply_tokens=200, last_reply_tokens=900
    ),
    "adversary": RoleAssumption(
        requests=4, shown_tokens=1300, reply_tokens=200, last_reply_tokens=700
    ),
    # Half of the pools of phase1 hold eight entities or fewer, two or three of them a turn.
    "completeness": RoleAssumption(
        requests=3, shown_tokens=1300, reply_tokens=200, last_reply_tokens=500
    ),
    "judge": RoleAssumption(requests=1, shown_tokens=0, reply_tokens=0, last_reply_tokens=150),
}

# Factors on what is likely: the bills of nine in ten scripted runs lie between (2026-11,
# tests/benchmarks/estimate_ranges.py), be it that few candidates come through, or that agents read
# much.
LESS: Final = 8.0
MORE: Final = 2.5

# Factors on the tokens of a reply, by how much a model is told to think.
REPLIES_BY_EFFORT: Final[Mapping[str | None, float]] = {
    "minimal": 0.5,
    "low": 0.7,
    "high": 4.0,
    "xhigh": 6.0,
    "max": 8.0,
}

# Factors on requests and tokens of one piece of work.
QUICK: Final = (0.25, 0.25)
THOROUGH: Final = (1.5, 1.25)


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
        micro_usd: The likely cost in micro-dollars.
        low_micro_usd: What it costs if all goes well.
        high_micro_usd: What it costs if little does.
        measured_items: Pieces of work of earlier runs with this model that the cost rests on; 0
            where it rests on the assumptions.
        in_batches: Whether it is asked in batches, at their price.
        follower: The model that attacks all answers as well, in the highest cost alone, should
            this one be found weak; None where none does.
    """

    role: str
    model: str
    items: int
    requests: int
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    micro_usd: int = 0
    low_micro_usd: int = 0
    high_micro_usd: int = 0
    measured_items: int = 0
    in_batches: bool = False
    follower: str | None = None

    @property
    def is_live(self) -> bool:
        """Whether a model plays the role."""
        return self.model != OFFLINE


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would do before top-ups.

    Attributes:
        plan: The plan of the run.
        roles: The share of each role, in the order in which a run needs them.
        price_date: The date of the price table.
        ceiling_micro_usd: The most that may be spent, None for no ceiling.
        canaries: The falsified answers that Adversary and judge get.
    """

    plan: Plan
    roles: tuple[RoleEstimate, ...]
    price_date: str
    ceiling_micro_usd: int | None
    canaries: int = 0

    @property
    def items_sentence(self) -> str:
        """What an item is, and why there are more of them than the plan wants records."""
        query_count = planned_pieces(self.plan, 0)["oracle"]
        sentence = (
            "the author writes the queries of a cell at a time, the other roles take one by one; "
            f"{query_count} are written for {self.plan.total} records, because some get lost on "
            "the way, and others wait in reserve"
        )
        if self.canaries:
            sentence += f"; Adversary and judge get {self.canaries} falsified answers besides"
        return sentence

    @property
    def micro_usd(self) -> int:
        """The likely cost of all roles, in micro-dollars."""
        return sum(estimate.micro_usd for estimate in self.roles)

    @property
    def low_micro_usd(self) -> int:
        """What all roles cost if all goes well."""
        return sum(estimate.low_micro_usd for estimate in self.roles)

    @property
    def high_micro_usd(self) -> int:
        """What all roles cost if little does: long tool loops, and every cell topped up."""
        return sum(estimate.high_micro_usd for estimate in self.roles)

    @property
    def requests(self) -> int:
        """Requests of all roles that models play."""
        return sum(estimate.requests for estimate in self._live_roles)

    @property
    def is_live(self) -> bool:
        """Whether any model plays."""
        return bool(self._live_roles)

    @property
    def assumptions(self) -> Iterator[str]:
        """What the numbers rest on, a line for each role that a model plays."""
        for estimate in self._live_roles:
            sentence = ASSUMPTIONS[estimate.role].sentence
            if estimate.measured_items:
                pieces = counted(estimate.measured_items, "piece")
                sentence = f"as {pieces} of earlier runs with {estimate.model}"
            price = "; in batches, at half the price" if estimate.in_batches else ""
            yield f"{estimate.role}: {sentence}{price}"
            if estimate.follower is not None:
                yield (
                    f"{estimate.role}: in the higher figure, {estimate.follower} attacks all "
                    "answers as well, as it does where this one proves weak"
                )

    @property
    def _live_roles(self) -> list[RoleEstimate]:
        return [estimate for estimate in self.roles if estimate.is_live]


def estimate_run(
    preparation: RunPreparation, repo: Path, *, earlier_runs: Iterable[RunDirectory] = ()
) -> Estimate:
    """Estimate a run in which every candidate that the plan emits goes through every role.

    Args:
        preparation: What the run would rest on; its canaries go to Adversary and judge as well.
        repo: The codebase.
        earlier_runs: Runs that show what a piece of work costs, newest first.
    """
    model_setup = preparation.model_setup
    item_costs = read_item_costs(
        earlier_runs, model_setup.models, model_setup.efforts, repo=str(repo)
    )
    planned_by_role = planned_pieces(preparation.plan, preparation.canaries)
    estimates = []
    for role in ROLES:
        role_model = model_setup.role_models.get(role)
        planned = planned_by_role[role]
        if role_model is None:
            estimate = RoleEstimate(role, OFFLINE, planned, requests=planned)
        elif role in item_costs:
            estimate = _measured_estimate(role_model, planned, item_costs[role])
        else:
            estimate = _assumed_estimate(role_model, planned, preparation.prompts)
        if role == "adversary" and estimate.is_live:
            estimate = _with_follower(estimate, planned, preparation)
        estimates.append(estimate)
    return Estimate(
        plan=preparation.plan,
        roles=tuple(estimates),
        price_date=model_setup.price_date,
        ceiling_micro_usd=preparation.budget_micro_usd,
        canaries=preparation.canaries,
    )


def _measured_estimate(role_model: RoleModel, planned: int, costs: ItemCosts) -> RoleEstimate:
    """Estimate a role by the pieces that it has had before, and by what they have cost."""
    pieces = costs.expected_pieces(planned)
    spend, share = costs.spend, pieces / costs.count
    price_factor = BATCH_PRICE if role_model.in_batches else 1
    likely = costs.mean * pieces * price_factor
    spread = costs.spread(planned)
    return RoleEstimate(
        role=role_model.role,
        model=role_model.name,
        items=round(pieces),
        requests=round(spend.calls * share),
        input_tokens=round(spend.input_tokens * share),
        cached_tokens=round(spend.cached_tokens * share),
        output_tokens=round(spend.output_tokens * share),
        micro_usd=round(likely),
        low_micro_usd=round(likely / spread),
        high_micro_usd=round(likely * spread),
        measured_items=costs.count,
        in_batches=role_model.in_batches,
    )


def _assumed_estimate(role_model: RoleModel, planned: int, prompts: PromptLibrary) -> RoleEstimate:
    """Estimate a role nobody has played here yet with this model."""
    role, pricing = role_model.role, role_model.effective_pricing
    reply_factor = REPLIES_BY_EFFORT.get(role_model.effort, 1)
    assumption = ASSUMPTIONS[role].with_replies(reply_factor)
    usage = usage_of_one_piece(assumption, _prompt_tokens(role, prompts))
    likely = pricing.cost(usage) * planned
    return RoleEstimate(
        role=role,
        model=role_model.name,
        items=planned,
        requests=assumption.requests * planned,
        input_tokens=usage.input_tokens * planned,
        cached_tokens=usage.cached * planned,
        output_tokens=usage.output * planned,
        micro_usd=likely,
        low_micro_usd=round(likely / LESS),
        high_micro_usd=round(likely * MORE),
        in_batches=role_model.in_batches,
    )


def _with_follower(
    estimate: RoleEstimate, planned: int, preparation: RunPreparation
) -> RoleEstimate:
    """Add, to the highest cost of the Adversary, what follows one that is found weak.

    A model in its place attacks all answers again, as one beside it does; what the first has said
    stays paid for either way.
    """
    follower = preparation.model_setup.fallback
    if follower is None or not preparation.canaries:
        return estimate
    if preparation.config.run.on_weak_adversary == "fail":
        return estimate
    more = _assumed_estimate(follower, planned, preparation.prompts).high_micro_usd
    return replace(estimate, high_micro_usd=estimate.high_micro_usd + more, follower=follower.name)


def usage_of_one_piece(assumption: RoleAssumption, prompt: int) -> Usage:
    """Add up the requests of one piece of work.

    Each request repeats the whole conversation so far. What it repeats is read from the cache;
    what is new is written to it.
    """
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
