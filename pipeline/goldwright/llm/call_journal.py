"""The tape: what was asked and answered, written down before it is acted upon.

An ``intent`` is durable before its request is sent, a ``reply`` before it is used, so a run that
was killed knows every reply it has paid for, and every request it may have paid for. Replies are
found again by work item and key in the order in which they came; nothing that stands on the tape is
asked again.
"""

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec

from goldwright.errors import DamagedStateError
from goldwright.journal import CallEntryLog
from goldwright.llm.port import AssistantMessage, Provider, ProviderFault, Reply, Request
from goldwright.llm.pricing import ModelPricing

LONGEST_SENT: Final = 64 * 1024
SECONDS_TO_STOP: Final = 20.0

RolesFrom = Callable[[str], Collection[str]]


@dataclass
class Spend:
    """What calls came to: tokens, micro-dollars, and of these the ones that are only presumed to be
    spent.
    """

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    micro_usd: int = 0
    presumed_micro_usd: int = 0

    @property
    def tokens(self) -> int:
        """Input and output."""
        return self.input_tokens + self.output_tokens

    def add(self, other: "Spend") -> None:
        """Count another spend in."""
        self.calls += other.calls
        self.input_tokens += other.input_tokens
        self.cached_tokens += other.cached_tokens
        self.output_tokens += other.output_tokens
        self.micro_usd += other.micro_usd
        self.presumed_micro_usd += other.presumed_micro_usd


@dataclass
class _WorkItem:
    """One work item: what was paid for it in all, and the replies that still count."""

    spend: Spend = field(default_factory=Spend)
    replies: dict[str, deque[Reply]] = field(default_factory=lambda: defaultdict(deque))


class CallJournal:
    """The calls of one run, by work item."""

    def __init__(self, log: CallEntryLog, roles_from: RolesFrom) -> None:
        """Read the entries of a log.

        Args:
            log: Where entries stand and further ones are written.
            roles_from: Names the roles that play again when a step of the run is done again; the
                log names the step.

        Raises:
            DamagedStateError: An entry is not as it was written.
        """
        self._log = log
        self._roles_from = roles_from
        self._watch: Callable[[int], None] = _nobody
        self._items: dict[str, _WorkItem] = defaultdict(_WorkItem)
        self.total = Spend()
        self._under_way = 0
        for entry in log.entries:
            try:
                self._take(entry.kind, entry.body)
            except (KeyError, TypeError, ValueError, msgspec.MsgspecError) as error:
                raise DamagedStateError(
                    f"calls.jsonl: a line of the kind {entry.kind} is not as written: {error}"
                ) from error

    def watch(self, watch: Callable[[int], None]) -> None:
        """Tell somebody the micro-dollars spent in all, now and after every call; calls under way
        are not in it.
        """
        self._watch = watch
        watch(self.total.micro_usd)

    def recall(self, request: Request) -> Reply | None:
        """Give the reply that this request got already, each once."""
        item = self._items.get(request.item)
        replies = item.replies.get(request.key) if item else None
        return replies.popleft() if replies else None

    def intend(self, request: Request, reserved: int) -> None:
        """Write down that a request is about to be sent, and what it may cost at most
        (micro-dollars).
        """
        body = {
            "item": request.item,
            "key": request.key,
            "model": request.model,
            "reserved": reserved,
        }
        self._write("intent", {**body, "turn": len(request.turns), "sent": _sent(request)})

    def keep(self, request: Request, reply: Reply, *, reserved: int, cost: int) -> None:
        """Write down what came back and what it cost.

        Raises:
            ValueError, TypeError, msgspec.MsgspecError: It holds what no reply holds; nothing was
                written.
        """
        body = {"item": request.item, "key": request.key, "reserved": reserved, "micro_usd": cost}
        # What goes back to a provider goes back in its own order of keys, which is part of what it
        # has cached.
        echo = json.dumps(reply.echo, allow_nan=False, separators=(",", ":"))
        written = msgspec.to_builtins(replace(reply, echo=echo))
        # No SDK checks what it was sent: what could not be read again must not be written.
        msgspec.convert(written, Reply)
        self._write("reply", {**body, "reply": written})

    def void(self, request: Request, fault: ProviderFault, *, reserved: int) -> None:
        """Write down that nothing came back, and whether it may have to be paid all the same."""
        charged = reserved if fault.may_be_billed else 0
        body = {
            "item": request.item,
            "key": request.key,
            "reserved": reserved,
            "micro_usd": charged,
        }
        self._write("void", {**body, "fault": fault.kind, "message": str(fault)[:500]})

    def quarantine(self, item: str, why: str) -> None:
        """Write down that an item was given up for now; carried on, it begins anew."""
        self._write("quarantine", {"item": item, "why": why[:2000]})

    def spent(self, item: str) -> Spend:
        """What one item came to so far."""
        return self._items[item].spend if item in self._items else Spend()

    def spent_by_role(self) -> dict[str, Spend]:
        """What each role came to, in the order of their first calls."""
        found: dict[str, Spend] = {}
        for item, kept in self._items.items():
            found.setdefault(item.partition(":")[0], Spend()).add(kept.spend)
        return found

    def spent_by_item(self) -> dict[str, int]:
        """What each item came to, in micro-dollars."""
        return {item: kept.spend.micro_usd for item, kept in self._items.items()}

    def forget(self, roles: Collection[str]) -> None:
        """Let the replies to roles that play again count no more; what they cost stays."""
        for item, kept in self._items.items():
            if item.partition(":")[0] in roles:
                kept.replies.clear()

    def _write(self, kind: str, body: Mapping[str, Any]) -> None:
        self._log.append(kind, body)
        self._count(kind, body)
        if kind == "intent":
            self._under_way += body["reserved"]
        elif kind != "quarantine":
            self._under_way -= body["reserved"]
            self._watch(self.total.micro_usd - self._under_way)
        if kind == "quarantine":
            self._items[str(body["item"])].replies.clear()

    def _take(self, kind: str, body: Mapping[str, Any]) -> None:
        self._count(kind, body)
        if kind == "reply":
            reply = msgspec.convert(body["reply"], Reply)
            reply = replace(reply, echo=json.loads(reply.echo))
            self._items[body["item"]].replies[body["key"]].append(reply)
        elif kind == "quarantine":
            # Work that was given up begins anew when the run is carried on.
            self._items[body["item"]].replies.clear()
        elif kind == "redo":
            self.forget(self._roles_from(body["from"]))

    def _count(self, kind: str, body: Mapping[str, Any]) -> None:
        if kind in {"intent", "reply", "void"}:
            change = _change(kind, body)
            self.total.add(change)
            self._items[body["item"]].spend.add(change)


def _change(kind: str, body: Mapping[str, Any]) -> Spend:
    """Tell what an entry changes; an intent is presumed to be spent until the tape says what became
    of it.
    """
    reserved = body["reserved"]
    if kind == "intent":
        return Spend(micro_usd=reserved, presumed_micro_usd=reserved)
    cost = body["micro_usd"]
    if kind == "void":
        return Spend(micro_usd=cost - reserved, presumed_micro_usd=cost - reserved)
    usage = body["reply"]["usage"]
    return Spend(
        calls=1,
        input_tokens=usage["fresh"] + usage["cached"] + usage["cache_written"],
        cached_tokens=usage["cached"],
        output_tokens=usage["output"],
        micro_usd=cost - reserved,
        presumed_micro_usd=-reserved,
    )


class JournalingProvider:
    """A provider whose requests and replies are written down, each before it takes effect.

    A request that is under way is paid for, so work that is stopped waits a while for its reply and
    keeps it; ``stopping`` is called when that begins.
    """

    def __init__(
        self,
        inner: Provider,
        call_journal: CallJournal,
        tariff: ModelPricing,
        *,
        stopping: Callable[[], None],
    ) -> None:
        self._inner = inner
        self._call_journal = call_journal
        self._tariff = tariff
        self._stopping = stopping

    async def ask(self, request: Request) -> Reply:
        """Answer a request between its intent and its reply."""
        bound = self._tariff.bound(request)
        self._call_journal.intend(request, bound)
        under_way = asyncio.create_task(self._keep(request, bound))
        try:
            return await asyncio.shield(under_way)
        except asyncio.CancelledError:
            self._stopping()
            await asyncio.wait({under_way}, timeout=SECONDS_TO_STOP)
            await _cancelled(under_way)
            raise

    async def _keep(self, request: Request, bound: int) -> Reply:
        try:
            reply = await self._inner.ask(request)
            self._call_journal.keep(
                request, reply, reserved=bound, cost=self._tariff.cost(reply.usage, bound)
            )
        except ProviderFault as fault:
            self._call_journal.void(request, fault, reserved=bound)
            raise
        except (ValueError, TypeError, msgspec.MsgspecError) as error:
            garbled = ProviderFault(
                "malformed", f"a reply that cannot be written down: {error}", may_be_billed=True
            )
            self._call_journal.void(request, garbled, reserved=bound)
            raise garbled from error
        return reply


async def _cancelled(task: "asyncio.Task[Reply]") -> None:
    """Wait for the end of a task whose result, good or bad, nobody takes."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


class ReplayingProvider:
    """A provider that asks nothing that stands on the tape."""

    def __init__(self, inner: Provider, call_journal: CallJournal) -> None:
        self._inner = inner
        self._call_journal = call_journal

    async def ask(self, request: Request) -> Reply:
        """Answer a request from the tape, or ask."""
        known = self._call_journal.recall(request)
        return known if known is not None else await self._inner.ask(request)


def _nobody(_micro: int) -> None:
    """Stand in where nobody watches."""


def _sent(request: Request) -> object:
    """Give what the model has not seen in this item before: the turns after its last word."""
    last = max(
        (place for place, turn in enumerate(request.turns) if isinstance(turn, AssistantMessage)),
        default=-1,
    )
    written = "[" + ",".join(turn.written for turn in request.turns[last + 1 :]) + "]"
    if len(written) > LONGEST_SENT:
        return f"{len(written)} characters"
    return json.loads(written)
