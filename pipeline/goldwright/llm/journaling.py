"""Providers around the call journal: one writes calls down, the other answers from it."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Final

import msgspec

from goldwright.llm.call_journal import CallJournal
from goldwright.llm.port import Provider, ProviderFault, Reply, Request, Usage
from goldwright.llm.pricing import ModelPricing
from goldwright.llm.spend import CallCost

SECONDS_TO_STOP: Final = 20.0
"""How long work that is stopped waits for a reply that is under way."""


class JournalingProvider:
    """A provider whose requests and replies are written down, each before it takes effect.

    A request that is under way is paid for, so work that is stopped waits a while for its reply and
    writes it down; ``stopping`` is called when that begins. ``now`` gives the time in UTC. A
    request ``in_batches`` is not waited for: a later process can fetch its reply.
    """

    def __init__(
        self,
        inner: Provider,
        call_journal: CallJournal,
        pricing: ModelPricing,
        *,
        stopping: Callable[[], None],
        now: Callable[[], datetime],
        in_batches: bool = False,
    ) -> None:
        self._in_batches = in_batches
        self._inner = inner
        self._call_journal = call_journal
        self._pricing = pricing
        self._stopping = stopping
        self._now = now

    async def ask(self, request: Request) -> Reply:
        """Answer a request between its intent and its reply."""
        expected = self._call_journal.expected_usage(request)
        presumed = self._call_journal.take_awaited(request) if self._in_batches else None
        if presumed is None:
            presumed = self._pricing.presumed_cost(request, expected)
            self._call_journal.record_intent(
                request, presumed, at=self._now(), in_batch=self._in_batches
            )
        call = asyncio.create_task(self._ask_and_record(request, presumed, expected))
        try:
            # Shielded, so that a cancellation ends the waiting and not the call.
            return await asyncio.shield(call)
        except asyncio.CancelledError:
            # What a batch brings is there for the next process.
            if not self._in_batches:
                self._stopping()
                await asyncio.wait({call}, timeout=SECONDS_TO_STOP)
            # An intent that stays without a reply is presumed to be spent from now on.
            await _cancel(call)
            raise

    async def _ask_and_record(self, request: Request, presumed: CallCost, expected: Usage) -> Reply:
        try:
            reply = await self._inner.ask(request)
            cost = self._pricing.cost_of_reply(reply.usage, presumed)
            self._call_journal.record_reply(
                request, reply, presumed=presumed, cost=cost, at=self._now()
            )
        except ProviderFault as fault:
            self._record_void(request, fault, presumed, expected)
            raise
        except (ValueError, TypeError, msgspec.MsgspecError) as error:
            message = f"a reply that cannot be written down: {error}"
            malformed = ProviderFault("malformed", message, may_be_billed=True)
            self._record_void(request, malformed, presumed, expected)
            raise malformed from error
        return reply

    def _record_void(
        self, request: Request, fault: ProviderFault, presumed: CallCost, expected: Usage
    ) -> None:
        cost = self._pricing.cost_of_fault(fault, presumed, expected)
        self._call_journal.record_void(request, fault, presumed=presumed, cost=cost, at=self._now())


class ReplayingProvider:
    """A provider that does not ask again what the call journal holds."""

    def __init__(self, inner: Provider, call_journal: CallJournal) -> None:
        self._inner = inner
        self._call_journal = call_journal

    async def ask(self, request: Request) -> Reply:
        """Answer a request from the journal, or ask."""
        reply = self._call_journal.recall(request)
        if reply is not None:
            return reply
        return await self._inner.ask(request)


async def _cancel(task: "asyncio.Task[Reply]") -> None:
    """End a task whose result, good or bad, nobody takes."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
