"""Money, in whole micro-dollars: nothing is sent that could pass a ceiling.

The law, at every moment: what is settled and what is reserved are together at or below each
ceiling.
"""

import asyncio
from collections import Counter

from goldwright.errors import BudgetError, ItemCeilingError
from goldwright.llm.port import Provider, ProviderFault, Reply, Request
from goldwright.llm.pricing import ModelPricing

MICRO = 1_000_000
"""Micro-dollars in a dollar."""


class Budget:
    """The money of one run.

    Attributes:
        ceiling: The most that the run may cost, in micro-dollars; ``None`` for no ceiling.
        item_ceiling: The most that one work item may cost, likewise.
        settled: What calls that ended have cost.
        reserved: What calls under way may cost at most.
    """

    def __init__(self, ceiling: int | None = None, item_ceiling: int | None = None) -> None:
        self.ceiling = ceiling
        self.item_ceiling = item_ceiling
        self.settled = 0
        self.reserved = 0
        self._by_item: Counter[str] = Counter()
        # Calls that earlier processes have put into batches: set aside until somebody asks again.
        self._earlier: dict[tuple[str, str], int] = {}
        self._settlement = asyncio.Condition()

    def spend(self, item: str, amount: int) -> None:
        """Count money that is spent, or presumed to be, without a reservation."""
        self.settled += amount
        self._by_item[item] += amount

    def hold(self, item: str, key: str, amount: int) -> None:
        """Set money aside for a call of an earlier process that waits in a batch.

        Args:
            item: Its work item.
            key: The key of its request.
            amount: The most that it may cost, which counts as spent already.
        """
        self.settled -= amount
        self.reserved += amount
        self._earlier[item, key] = amount

    def take_held(self, item: str, key: str) -> int | None:
        """Take over what was set aside for a call; None where nothing was."""
        return self._earlier.pop((item, key), None)

    async def reserve(self, item: str, amount: int) -> None:
        """Set money aside, waiting for other reservations to end if it does not fit at once.

        Raises:
            BudgetError: It would not fit even if nothing else were under way.
            ItemCeilingError: The item has reached its own ceiling.
        """
        async with self._settlement:
            while not self._fits(item, amount):
                if self.reserved == sum(self._earlier.values()):
                    # Nothing is under way whose settlement could make room.
                    raise BudgetError(self._refusal(amount))
                await self._settlement.wait()
            self.reserved += amount
            self._by_item[item] += amount

    async def settle(self, item: str, reserved: int, actual: int) -> None:
        """Replace a reservation by what the call cost."""
        async with self._settlement:
            self.reserved -= reserved
            self.settled += actual
            self._by_item[item] += actual - reserved
            # All, not one: the amounts differ, and a small call may fit where a large one does not.
            self._settlement.notify_all()

    def _fits(self, item: str, amount: int) -> bool:
        self._check_item_ceiling(item, amount)
        if self.ceiling is None:
            return True
        return self.settled + self.reserved + amount <= self.ceiling

    def _check_item_ceiling(self, item: str, amount: int) -> None:
        if self.item_ceiling is None:
            return
        if self._by_item[item] + amount > self.item_ceiling:
            ceiling = dollars(self.item_ceiling)
            raise ItemCeilingError(
                f"{item}: the next call could pass item_budget_usd, {ceiling} an item"
            )

    def _refusal(self, amount: int) -> str:
        settled = dollars(self.settled)
        ceiling = dollars(self.ceiling or 0)
        next_cost = dollars(amount)
        return (
            f"budget: {settled} of {ceiling} are spent, "
            f"and the next call could cost {next_cost}; resume with a higher --budget-usd"
        )


class BudgetedProvider:
    """A provider that is asked only with money set aside for the worst case."""

    def __init__(self, inner: Provider, budget: Budget, pricing: ModelPricing) -> None:
        self._inner = inner
        self._budget = budget
        self._pricing = pricing

    async def ask(self, request: Request) -> Reply:
        """Answer a request and settle what it cost.

        Against the ceilings, a call whose bill is not known has cost all it could.
        """
        bound = self._budget.take_held(request.item, request.key)
        if bound is None:
            bound = self._pricing.bound(request)
            await self._budget.reserve(request.item, bound)
        cost = bound
        try:
            reply = await self._inner.ask(request)
            if reply.usage.counted:
                cost = self._pricing.cost(reply.usage)
        except ProviderFault as fault:
            if not fault.may_be_billed:
                cost = 0
            raise
        finally:
            await self._budget.settle(request.item, bound, cost)
        return reply


def dollars(micro: int) -> str:
    """Write micro-dollars as ``$1.23``, below ten cents with two digits that are not 0."""
    amount = micro / MICRO
    ten_cents = MICRO // 10
    if micro == 0 or micro >= ten_cents:
        return f"${amount:.2f}"
    # A 0 stands before the digits of a number below 10; so many fill six places with all others.
    digits = len(str(micro))
    places = len(str(MICRO)) - digits + 1
    text = f"${amount:.{places}f}".rstrip("0")
    has_cents = len(text) > len("$0.0")
    return text if has_cents else f"${amount:.2f}"
