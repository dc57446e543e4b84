"""Money, in whole micro-dollars: nothing is sent that could pass a ceiling.

The law, at every moment: what is settled and what is reserved stay together at or below each
ceiling.
"""

import asyncio
from collections import Counter

from goldwright.errors import BudgetError, ItemCeilingError
from goldwright.llm.port import Provider, ProviderFault, Reply, Request
from goldwright.llm.pricing import ModelPricing

MICRO = 1_000_000


class Budget:
    """One run's money; ``ceiling`` and ``item_ceiling`` are in micro-dollars, ``None`` for no
    ceiling.
    """

    def __init__(self, ceiling: int | None = None, item_ceiling: int | None = None) -> None:
        self.ceiling = ceiling
        self.item_ceiling = item_ceiling
        self.settled = 0
        self.reserved = 0
        self._by_item: Counter[str] = Counter()
        self._freed = asyncio.Condition()

    def spend(self, item: str, amount: int) -> None:
        """Count money that is spent, or presumed to be, without a reservation."""
        self.settled += amount
        self._by_item[item] += amount

    async def reserve(self, item: str, amount: int) -> None:
        """Set money aside, waiting for other reservations to end where it does not fit at once.

        Raises:
            BudgetError: It would not fit even if nothing else were under way.
            ItemCeilingError: The item has reached its own ceiling.
        """
        async with self._freed:
            while not self._fits(item, amount):
                if not self.reserved:
                    raise BudgetError(self._refusal(amount))
                await self._freed.wait()
            self.reserved += amount
            self._by_item[item] += amount

    async def settle(self, item: str, reserved: int, actual: int) -> None:
        """Replace a reservation by what the call cost."""
        async with self._freed:
            self.reserved -= reserved
            self.settled += actual
            self._by_item[item] += actual - reserved
            self._freed.notify_all()

    def _fits(self, item: str, amount: int) -> bool:
        if self.item_ceiling is not None and self._by_item[item] + amount > self.item_ceiling:
            ceiling = dollars(self.item_ceiling)
            raise ItemCeilingError(
                f"{item}: the next call could pass item_budget_usd, {ceiling} an item"
            )
        return self.ceiling is None or self.settled + self.reserved + amount <= self.ceiling

    def _refusal(self, amount: int) -> str:
        spent = f"{dollars(self.settled)} of {dollars(self.ceiling or 0)} are spent"
        return f"budget: {spent}, and the next call could cost {dollars(amount)}; resume with a higher --budget-usd"


class BudgetedProvider:
    """A provider that is asked only with money set aside for the worst case."""

    def __init__(self, inner: Provider, budget: Budget, tariff: ModelPricing) -> None:
        self._inner = inner
        self._budget = budget
        self._tariff = tariff

    async def ask(self, request: Request) -> Reply:
        """Answer a request and settle what it cost; one that was cut off is presumed to have cost
        all it could.
        """
        bound = self._tariff.bound(request)
        await self._budget.reserve(request.item, bound)
        paid = bound
        try:
            reply = await self._inner.ask(request)
            paid = self._tariff.cost(reply.usage, bound)
        except ProviderFault as fault:
            paid = bound if fault.may_be_billed else 0
            raise
        finally:
            await self._budget.settle(request.item, bound, paid)
        return reply


def dollars(micro: int) -> str:
    """Write micro-dollars as ``$1.23``, with more digits where cents are too coarse."""
    exact = micro / MICRO
    return f"${exact:.2f}" if micro >= MICRO // 10 or micro == 0 else f"${exact:.6f}".rstrip("0")
