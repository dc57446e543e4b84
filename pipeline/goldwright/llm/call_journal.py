"""The call journal: what was asked and answered, written down before it is acted upon.

An ``intent`` is durable before its request is sent, a ``reply`` before it is used. So a run that
was killed knows every reply it has paid for, and every request it may have paid for. Replies are
found again by work item and request key, in the order in which they came; nothing that the journal
holds is asked again.
"""

import json
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

import msgspec

from goldwright.errors import DamagedStateError
from goldwright.journal import CallEntry, CallEntryLog
from goldwright.llm.batch_journal import (
    BATCH,
    BatchEntries,
    batch_begun,
    batch_discarded,
    batch_dropped,
    batch_named,
)
from goldwright.llm.batch_port import CallKey, HandedIn
from goldwright.llm.port import AssistantMessage, ProviderFault, Reply, Request, Usage, role_of
from goldwright.llm.spend import CallCost, Spend, change_of_spend
from goldwright.llm.token_habits import LearnedHabits

LONGEST_SENT: Final = 64 * 1024
"""Characters of new turns that an intent repeats; of longer ones it gives the number alone."""

KEEPS_REPLIES: Final = "keeps_replies"
"""Stands in the entry of a stage that is redone where the replies so far still count."""

_LONGEST_FAULT_MESSAGE: Final = 500
_LONGEST_REASON: Final = 2000

RolesFrom = Callable[[str], Collection[str]]


def _no_replies() -> defaultdict[str, deque[Reply]]:
    return defaultdict(deque)


@dataclass
class _WorkItem:
    """One work item.

    Attributes:
        spend: What was paid for it.
        replies: By request key, the replies that still count.
        is_given_up: Whether an attempt at it was given up.
    """

    spend: Spend = field(default_factory=Spend)
    is_given_up: bool = False
    replies: defaultdict[str, deque[Reply]] = field(default_factory=_no_replies)

    def give_up(self) -> None:
        """Take note that an attempt was given up: the next one starts over."""
        self.is_given_up = True
        self.replies.clear()


class CallJournal:
    """The calls of one run, by work item.

    Attributes:
        total: What all of them came to, calls under way included.
    """

    def __init__(self, log: CallEntryLog, roles_from: RolesFrom) -> None:
        """Read the entries of a log.

        Args:
            log: Holds the entries so far and takes further ones.
            roles_from: Gives the roles that play again when a stage of the run is redone; an entry
                names the stage.

        Raises:
            DamagedStateError: An entry is not as it was written.
        """
        self.total = Spend()
        self._log = log
        self._roles_from = roles_from
        self._watch: Callable[[int], None] = _ignore
        self._items: dict[str, _WorkItem] = defaultdict(_WorkItem)
        self._habits = LearnedHabits()
        self._presumed_under_way = 0
        self._batches = BatchEntries()
        # Calls in batches that had no reply when this process began, with what they may cost.
        self._awaited: dict[CallKey, CallCost] = {}
        for entry in log.entries:
            self._read_entry(entry)

    def watch(self, watch: Callable[[int], None]) -> None:
        """Have a function called with the micro-dollars spent, now and after every call.

        Calls under way are not counted in them.
        """
        self._watch = watch
        watch(self.total.micro_usd)

    def recall(self, request: Request) -> Reply | None:
        """Give the reply that this request got before; each reply is given once."""
        item = self._items.get(request.item)
        if item is None:
            return None
        replies = item.replies.get(request.key)
        if not replies:
            return None
        return replies.popleft()

    def items_given_up(self) -> tuple[str, ...]:
        """The work items of which an attempt was given up; a later one may have come to its end."""
        return tuple(name for name, item in self._items.items() if item.is_given_up)

    def begins_anew(self, item: str) -> bool:
        """Whether a work item was given up, and nothing has been answered for it since."""
        state = self._items.get(item)
        if state is None or not state.is_given_up:
            return False
        return not any(state.replies.values())

    def expected_usage(self, request: Request) -> Usage:
        """Give what a request is expected to use, by what those of its role have used."""
        return self._habits.expected_usage(request.model, request.role, request.input_bytes)

    @property
    def batches_begun(self) -> int:
        """How many batches were begun, those included that never reached a provider."""
        return self._batches.begun

    def awaited_calls(self) -> dict[CallKey, CallCost]:
        """The calls of earlier processes that wait in batches, with what they may cost."""
        return dict(self._awaited)

    def take_awaited(self, request: Request) -> CallCost | None:
        """Go on with a request that an earlier process has put into a batch.

        Returns:
            What it was presumed to cost; None where there is no such request.
        """
        presumed = self._awaited.pop((request.item, request.key), None)
        if presumed is not None:
            self._presumed_under_way += presumed.micro_usd
        return presumed

    def open_batches(self, model: str) -> tuple[HandedIn, ...]:
        """The batches to a model that hold calls without a reply."""
        awaited = self._awaited.keys()
        batches = self._batches.of_model(model)
        return tuple(batch for batch in batches if not awaited.isdisjoint(batch.entries.values()))

    def batch_ids(self) -> frozenset[str]:
        """The providers' ids of the batches of the run."""
        batches = self._batches.by_label.values()
        return frozenset(batch.batch_id for batch in batches if batch.batch_id is not None)

    def begin_batch(self, label: str, model: str, calls: Iterable[CallKey]) -> HandedIn:
        """Write down that a batch is about to be handed in."""
        body = batch_begun(label, model, list(calls))
        self._append(BATCH, body)
        self._batches.read(body)
        return self._batches.by_label[label]

    def name_batch(self, label: str, batch_id: str) -> None:
        """Write down what the provider calls a batch."""
        body = batch_named(label, batch_id)
        self._append(BATCH, body)
        self._batches.read(body)

    def drop_batch(self, label: str) -> None:
        """Write down that a batch never reached its provider."""
        body = batch_dropped(label)
        self._append(BATCH, body)
        self._batches.read(body)

    def finished_batches(self, model: str) -> tuple[HandedIn, ...]:
        """The batches to a model whose calls have all ended, and whose files may be there still."""
        return tuple(self._batches.finished(model))

    def discard_batch(self, label: str) -> None:
        """Write down that the files of a batch are deleted."""
        body = batch_discarded(label)
        self._append(BATCH, body)
        self._batches.read(body)

    def record_intent(
        self, request: Request, presumed: CallCost, *, at: datetime, in_batch: bool = False
    ) -> None:
        """Write down that a request is about to be sent.

        Args:
            request: The request.
            presumed: What it costs as long as nobody has seen its bill.
            at: The time, in UTC.
            in_batch: Whether it goes into a batch, whose reply a later process can fetch.
        """
        body = _call_body(request, at, presumed)
        body["turn"] = len(request.turns)
        body["sent"] = _new_turns(request)
        if in_batch:
            body["in_batch"] = True
        self._append("intent", body)
        self._presumed_under_way += presumed.micro_usd

    def record_reply(
        self, request: Request, reply: Reply, *, presumed: CallCost, cost: CallCost, at: datetime
    ) -> None:
        """Write down a reply, when it came and what it cost.

        Raises:
            ValueError, TypeError, msgspec.MsgspecError: It holds what no reply may hold; nothing
                was written.
        """
        # An echo goes back to its provider with its keys in the provider's own order, which is part
        # of what the provider has cached; the log would sort them.
        echo = json.dumps(reply.echo, allow_nan=False, separators=(",", ":"))
        storable = replace(reply, echo=echo)
        encoded = msgspec.to_builtins(storable)
        # No SDK checks what a server sent; what could not be read again must not be written.
        msgspec.convert(encoded, Reply)
        body = _call_body(request, at, presumed, cost)
        body["input_bytes"] = request.input_bytes
        body["reply"] = encoded
        self._append("reply", body)
        self._end_call(presumed)

    def record_void(
        self,
        request: Request,
        fault: ProviderFault,
        *,
        presumed: CallCost,
        cost: CallCost,
        at: datetime,
    ) -> None:
        """Write down that no reply came, and what may have to be paid all the same."""
        body = _call_body(request, at, presumed, cost)
        body["fault"] = fault.kind
        body["message"] = str(fault)[:_LONGEST_FAULT_MESSAGE]
        self._append("void", body)
        self._end_call(presumed)

    def quarantine(self, item: str, why: str) -> None:
        """Write down that a work item was given up for now; its next attempt starts over."""
        reason = why[:_LONGEST_REASON]
        self._append("quarantine", {"item": item, "why": reason})
        self._items[item].give_up()

    def spent(self, item: str) -> Spend:
        """What one work item came to so far."""
        if item not in self._items:
            # Looking an item up must not add it to those that were paid for.
            return Spend()
        return self._items[item].spend

    def spent_by_role(self) -> dict[str, Spend]:
        """What each role came to, in the order of their first calls."""
        spend_by_role: dict[str, Spend] = {}
        for name, item in self._items.items():
            spend = spend_by_role.setdefault(role_of(name), Spend())
            spend.add(item.spend)
        return spend_by_role

    def spent_by_item(self) -> dict[str, Spend]:
        """What each work item came to, in the order of their first calls."""
        return {name: item.spend for name, item in self._items.items()}

    def forget(self, roles: Collection[str]) -> None:
        """Drop the replies to roles that play again; what they cost stays counted."""
        for name, item in self._items.items():
            if role_of(name) in roles:
                item.replies.clear()
                self._leave_batches(name)

    def _leave_batches(self, item: str) -> None:
        """Wait no longer for what batches bring to an item: its next attempt starts over."""
        for call in [call for call in self._awaited if call[0] == item]:
            del self._awaited[call]

    def _append(self, kind: str, body: Mapping[str, Any]) -> None:
        # First written, then counted: what could not be written did not happen.
        self._log.append(kind, body)
        self._count_spend(kind, body)

    def _end_call(self, presumed: CallCost) -> None:
        self._presumed_under_way -= presumed.micro_usd
        self._watch(self.total.micro_usd - self._presumed_under_way)

    def _read_entry(self, entry: CallEntry) -> None:
        try:
            self._replay(entry.kind, entry.body)
        except (KeyError, TypeError, ValueError, msgspec.MsgspecError) as error:
            raise DamagedStateError(
                f"calls.jsonl: a line of the kind {entry.kind} is not as written: {error}"
            ) from error

    def _replay(self, kind: str, body: Mapping[str, Any]) -> None:
        """Take an entry into account; other kinds of entries are the stages' business."""
        self._count_spend(kind, body)
        match kind:
            case "intent" if body.get("in_batch"):
                cost = CallCost(body["expected"], body["reserved"])
                self._awaited[_call_of(body)] = cost
            case "void":
                self._awaited.pop(_call_of(body), None)
            case "batch":
                self._batches.read(body)
            case "reply":
                self._awaited.pop(_call_of(body), None)
                reply = msgspec.convert(body["reply"], Reply)
                reply = replace(reply, echo=json.loads(reply.echo))
                item = self._items[body["item"]]
                item.replies[body["key"]].append(reply)
            case "quarantine":
                # The next attempt at the item is not to repeat the one that failed.
                self._items[body["item"]].give_up()
                self._leave_batches(body["item"])
            case "redo" if KEEPS_REPLIES not in body:
                self.forget(self._roles_from(body["from"]))

    def _count_spend(self, kind: str, body: Mapping[str, Any]) -> None:
        if kind in {"intent", "reply", "void"}:
            change = change_of_spend(kind, body)
            self.total.add(change)
            item = self._items[body["item"]]
            item.spend.add(change)
        if kind in {"reply", "void"}:
            self._batches.unanswered.discard(_call_of(body))
        if kind == "reply" and "input_bytes" in body:
            usage = msgspec.convert(body["reply"]["usage"], Usage)
            role = role_of(body["item"])
            input_bytes = body["input_bytes"]
            self._habits.learn(body["model"], role, input_bytes, usage)


def _call_body(
    request: Request, at: datetime, presumed: CallCost, cost: CallCost | None = None
) -> dict[str, Any]:
    """What every entry about a call begins with; what it cost, once it has ended."""
    body: dict[str, Any] = {
        "item": request.item,
        "key": request.key,
        "at": at.isoformat(timespec="milliseconds"),
        "model": request.model,
        "expected": presumed.micro_usd,
        "reserved": presumed.most_micro_usd,
    }
    if cost is not None:
        body["micro_usd"] = cost.micro_usd
        body["most_micro_usd"] = cost.most_micro_usd
    return body


def _call_of(body: Mapping[str, Any]) -> CallKey:
    """Tell the call that an entry is about: its item and its key."""
    return body["item"], body["key"]


def _ignore(_micro: int) -> None:
    """Stand in where nobody watches."""


def _new_turns(request: Request) -> object:
    """Give what the model has not seen in this item before: the turns after its last message."""
    first_new = 0
    for position, turn in enumerate(request.turns, start=1):
        if isinstance(turn, AssistantMessage):
            first_new = position
    new_turns = request.turns[first_new:]
    elements = ",".join(turn.as_json for turn in new_turns)
    encoded = f"[{elements}]"
    if len(encoded) > LONGEST_SENT:
        return f"{len(encoded)} characters"
    return json.loads(encoded)
