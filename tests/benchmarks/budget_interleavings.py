"""Can calls that run side by side pass a ceiling, wait for ever, or pay another sum than what is
counted?

Use: ``python tests/benchmarks/budget_interleavings.py [ROUNDS] [--seed N]``. Every round draws
ceilings, items, calls and what becomes of each of them: a reply, a fault that is billed or not, a
cancellation while it waits, or the end of the whole run with calls under way. It prints what
happened, and exits with 1 when a law was broken.
"""

import argparse
import asyncio
import itertools
import sys
import time
from collections import Counter
from collections.abc import Sequence
from random import Random

from goldwright.errors import BudgetError, UnansweredError
from goldwright.llm.budget import Budget, BudgetedProvider
from goldwright.llm.port import ProviderFault, Reply, Request, Usage, UserMessage
from goldwright.llm.pricing import ModelPricing, TokenRates

SECONDS_A_ROUND = 20.0
MICRO_DOLLAR_A_TOKEN = ModelPricing(TokenRates(input=0, cached=0, cache_write=0, output=1000))


class BrokenLawError(Exception):
    """Something happened that no order of events may bring about."""


class Books:
    """What is truly paid and under way, counted apart from the budget that is tested."""

    def __init__(self, ceiling: int | None, item_ceiling: int | None) -> None:
        self.budget = Budget(ceiling, item_ceiling)
        self.paid: Counter[str] = Counter()
        self.open: Counter[str] = Counter()
        self.under_way = 0
        self.most_at_once = 0

    def begin(self, item: str, bound: int) -> None:
        """Count a call that was sent."""
        self.open[item] += bound
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        self.check()

    def end(self, item: str, bound: int, cost: int) -> None:
        """Count what a call came to."""
        self.open[item] -= bound
        self.paid[item] += cost
        self.under_way -= 1
        self.check()

    def check(self) -> None:
        """Hold the sums against the ceilings.

        Raises:
            BrokenLawError: One is passed, or the budget counts less than there is.
        """
        truth = self.paid.total() + self.open.total()
        counted = self.budget.settled + self.budget.reserved
        if counted < truth:
            raise BrokenLawError(f"{truth} are paid or under way, and {counted} are counted")
        if self.budget.ceiling is not None and counted > self.budget.ceiling:
            raise BrokenLawError(f"{counted} of {self.budget.ceiling}")
        for item, money in (self.paid + self.open).items():
            if self.budget.item_ceiling is not None and money > self.budget.item_ceiling:
                raise BrokenLawError(f"{item}: {money} of {self.budget.item_ceiling}")


class Line:
    """A provider that takes its time, and answers, fails, or does not say what it counted."""

    def __init__(self, stage_files: Books, chance: Random) -> None:
        self._stage_files = stage_files
        self._chance = chance

    async def ask(self, request: Request) -> Reply:
        """Answer a request in one of all ways."""
        bound = request.max_output_tokens
        self._stage_files.begin(request.item, bound)
        for _ in range(self._chance.randrange(6)):
            await asyncio.sleep(0)
        used = self._chance.randint(0, bound)
        match self._chance.randrange(6):
            case 0:
                self._stage_files.end(request.item, bound, 0)
                raise ProviderFault("unreachable", "no route")
            case 1:
                self._stage_files.end(request.item, bound, bound)
                raise ProviderFault("timeout", "no word", may_be_billed=True)
            case 2:
                self._stage_files.end(request.item, bound, bound)
                return _reply(Usage(counted=False))
            case _:
                self._stage_files.end(request.item, bound, used)
                return _reply(Usage(output=used))


class Round:
    """One run: its items, each with calls one after the other, and whoever cuts them off."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        ceiling = chance.choice((None, chance.randint(1, 300), chance.randint(100, 2000)))
        self.stage_files = Books(ceiling, chance.choice((None, chance.randint(20, 400))))
        self.seen: Counter[str] = Counter()
        self._line = BudgetedProvider(
            Line(self.stage_files, chance), self.stage_files.budget, MICRO_DOLLAR_A_TOKEN
        )
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._refused: list[int] = []

    async def play(self) -> None:
        """Let all items work at once until each has ended.

        Raises:
            BrokenLawError: A law was broken.
            TimeoutError: Somebody waits for ever.
        """
        async with asyncio.timeout(SECONDS_A_ROUND):
            for number in range(self._chance.randint(1, 12)):
                item = f"oracle:{number}"
                self._tasks[item] = asyncio.create_task(self._work(item))
            await self._interfere()
            ended = await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        for error in ended:
            if isinstance(error, Exception):
                raise error
        self._balance()

    async def _interfere(self) -> None:
        stops_at = self._chance.randrange(60) if self._chance.random() < 0.2 else None
        for step in itertools.count():
            if all(task.done() for task in self._tasks.values()):
                return
            if step == stops_at:
                self._stop()
            elif self._chance.random() < 0.05:
                self._cut_off_somebody_who_waits()
            await asyncio.sleep(0)
            self.stage_files.check()

    async def _work(self, item: str) -> None:
        for _ in range(self._chance.randint(1, 6)):
            amount = self._chance.randint(1, 120)
            try:
                await self._line.ask(_request(item, amount))
                self.seen["answered"] += 1
            except ProviderFault:
                self.seen["failed"] += 1
            except BudgetError:
                self._refuse(amount)
            except UnansweredError:
                self._refuse_item(item, amount)
            await asyncio.sleep(0)

    def _refuse(self, amount: int) -> None:
        self.seen["refused by the run"] += 1
        self._refused.append(amount)
        if self.stage_files.under_way:
            raise BrokenLawError(f"refused with {self.stage_files.under_way} calls under way")

    def _refuse_item(self, item: str, amount: int) -> None:
        self.seen["refused by the item"] += 1
        if self.stage_files.paid[item] + amount <= (self.stage_files.budget.item_ceiling or 0):
            raise BrokenLawError(f"{item}: {amount} would have fitted")

    def _cut_off_somebody_who_waits(self) -> None:
        waiting = [
            task
            for item, task in self._tasks.items()
            if not self.stage_files.open[item] and not task.done()
        ]
        if waiting:
            self._chance.choice(waiting).cancel()
            self.seen["cut off while waiting"] += 1

    def _stop(self) -> None:
        self.seen["runs stopped"] += 1
        self.seen["cut off under way"] += self.stage_files.under_way
        for task in self._tasks.values():
            task.cancel()

    def _balance(self) -> None:
        budget = self.stage_files.budget
        paid = self.stage_files.paid.total()
        if not self.seen["runs stopped"] and (budget.settled, budget.reserved) != (paid, 0):
            raise BrokenLawError(f"settled {budget.settled} of {paid}, reserved {budget.reserved}")
        if any(
            budget.settled + budget.reserved + amount <= (budget.ceiling or 0)
            for amount in self._refused
        ):
            raise BrokenLawError("a call was refused that fits even now")


def main(arguments: Sequence[str]) -> int:
    """Play the rounds and print what happened."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rounds", nargs="?", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    seen: Counter[str] = Counter()
    most, broken, start = 0, 0, time.perf_counter()
    for number in range(options.rounds):
        one = Round(Random(f"{options.seed}:{number}"))
        try:
            asyncio.run(one.play())
        except (BrokenLawError, TimeoutError) as error:
            broken += 1
            print(f"round {number} of seed {options.seed}: {type(error).__name__}: {error}")
        seen.update(one.seen)
        most = max(most, one.stage_files.most_at_once)
    for what, times in sorted(seen.items()):
        print(f"{what}: {times}")
    print(f"at once: {most}")
    print(f"{options.rounds} rounds in {time.perf_counter() - start:.1f} s: {broken} broke a law")
    return 1 if broken else 0


def _request(item: str, amount: int) -> Request:
    return Request(
        item=item, model="m", system="", turns=(UserMessage("?"),), max_output_tokens=amount
    )


def _reply(usage: Usage) -> Reply:
    return Reply(text="", tool_uses=(), stop="done", stop_reason="end", usage=usage, model="m")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
