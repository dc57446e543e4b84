"""Asking in batches: requests are gathered, handed in together, and answered when the batch ends.

Each conversation waits for its own reply, so one with tools takes part in one batch a turn.
"""

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Final

from goldwright.canonical import canonical_json
from goldwright.errors import ProviderError
from goldwright.llm.batch_pace import BatchPace, is_hopeless, pauses_of
from goldwright.llm.batch_port import (
    BatchAdapter,
    CallKey,
    EntryResult,
    HandedIn,
    StillUnderWayError,
)
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.concurrency import Sleep
from goldwright.llm.port import FaultKind, ProviderFault, Reply, Request
from goldwright.llm.retry_policies import RETRY_POLICIES

MOST_ENTRIES: Final = 1000
"""Entries of a batch; far below what any provider takes."""

MOST_BYTES: Final = 15_000_000
"""Bytes of the requests of a batch: Google takes 20 MB, with what JSON adds."""


MOST_TRIES: Final = 6
"""Attempts to hand a batch in."""

# A program that ends leaves to the next one what takes longer.
_SECONDS_TO_TIDY: Final = 20.0
# The provider does not know the batch, or has refused it as a whole.
_GONE: Final[frozenset[FaultKind]] = frozenset({"bad_request", "no_such_model"})
LABEL_DIGITS: Final = 16


class BatchingProvider:
    """A provider that answers with what batches bring.

    Batches that earlier processes of the run handed in are waited for; nothing in them is handed in
    again.
    """

    def __init__(
        self,
        adapter: BatchAdapter,
        call_journal: CallJournal,
        model: str,
        *,
        pace: BatchPace,
        sleep: Sleep,
        secret: str,
        note: Callable[[str], None],
    ) -> None:
        """Remember what waits.

        Args:
            adapter: Hands batches in.
            call_journal: Holds which were.
            model: The model.
            pace: When batches are handed in and asked about.
            sleep: Waits.
            secret: The run's own number, which labels are derived from.
            note: Tells the user what is waited for.
        """
        self._adapter = adapter
        self._call_journal = call_journal
        self._model = model
        self._pace = pace
        self._sleep = sleep
        self._secret = secret
        self._note = note
        self._asked: dict[CallKey, Request] = {}
        self._gathered: dict[CallKey, Request] = {}
        self._waiting: dict[CallKey, asyncio.Future[Reply]] = {}
        # The calls of earlier processes that nobody has asked about in this one, and what came.
        self._unasked: set[CallKey] = set()
        self._arrived: dict[CallKey, EntryResult] = {}
        self._followed: dict[CallKey, HandedIn] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._gathering: asyncio.Task[None] | None = None
        self._error: BaseException | None = None
        self._tidying: set[str] = set()

    def follow_earlier(self) -> None:
        """Wait for the batches of earlier processes that hold calls without a reply."""
        for batch in self._call_journal.open_batches(self._model):
            followed_calls = dict.fromkeys(batch.entries.values(), batch)
            self._followed.update(followed_calls)
            self._start(self._follow(batch))
        self._unasked.update(self._call_journal.awaited_calls())
        self._start(self._tidy())

    async def try_out(self) -> None:
        """Look whether the key and the server know batches at all; this costs nothing.

        Raises:
            ProviderError: They do not.
        """
        nothing = HandedIn("gw-nothing", self._model, {})
        try:
            await self._adapter.find(nothing, frozenset())
        except ProviderFault as fault:
            # What may pass is waited out when there is something to hand in.
            if RETRY_POLICIES[fault.kind].tries == 1:
                raise ProviderError(
                    f"{self._model}: its server takes no batches from this key "
                    f"({fault.kind}: {fault}); leave --batch out"
                ) from fault

    async def ask(self, request: Request) -> Reply:
        """Answer a request with the reply that its batch brings."""
        if self._error is not None:
            raise self._error
        call = (request.item, request.key)
        self._unasked.discard(call)
        if call in self._arrived:
            return _reply_of(self._arrived.pop(call))
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[call] = future
        self._asked[call] = request
        if call not in self._followed:
            self._gather(call, request)
        try:
            return await future
        finally:
            self._waiting.pop(call, None)
            self._asked.pop(call, None)
            self._gathered.pop(call, None)

    async def close(self) -> None:
        """Let go of every batch: what is under way at the provider goes on there."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tidying.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(_SECONDS_TO_TIDY):
                await self._tidy()

    def _gather(self, call: CallKey, request: Request) -> None:
        self._gathered[call] = request
        if self._gathering is None or self._gathering.done():
            self._gathering = self._start(self._hand_in_when_quiet())

    def _gather_again(self, batch: HandedIn) -> None:
        """Put the requests of a batch that never reached its provider into another one."""
        for call in batch.entries.values():
            del self._followed[call]
            if call in self._asked:
                self._gather(call, self._asked[call])

    async def _hand_in_when_quiet(self) -> None:
        while self._gathered:
            gathered = set(self._gathered)
            await self._sleep(self._pace.gathering)
            if set(self._gathered) <= gathered:
                while batch := self._next_batch():
                    self._start(self._hand_in(batch))

    def _next_batch(self) -> dict[CallKey, Request]:
        """Take as many of the gathered requests as one batch may hold."""
        batch: dict[CallKey, Request] = {}
        size = 0
        for call, request in list(self._gathered.items()):
            size += request.input_bytes
            if batch and (len(batch) == MOST_ENTRIES or size > MOST_BYTES):
                break
            batch[call] = self._gathered.pop(call)
        return batch

    async def _hand_in(self, requests: dict[CallKey, Request]) -> None:
        label = self._label(list(requests))
        batch = self._call_journal.begin_batch(label, self._model, requests)
        self._followed.update(dict.fromkeys(requests, batch))
        self._start(self._tidy())
        requests_by_name = dict(zip(batch.entries, requests.values(), strict=True))
        try:
            batch.batch_id = await self._submit(batch, requests_by_name)
        except ProviderFault as fault:
            await self._drop(batch)
            self._settle(batch, dict.fromkeys(batch.entries, fault))
            return
        self._call_journal.name_batch(batch.label, batch.batch_id)
        self._note(f"waiting for a batch of {len(requests)} to {self._model}: {batch.batch_id}")
        await self._follow(batch)

    async def _submit(self, batch: HandedIn, requests: Mapping[str, Request]) -> str:
        """Hand a batch in, as often as its faults allow: its entries stay together.

        Raises:
            ProviderFault: There is no sense in trying again.
            ProviderError: Nobody can say whether it was taken.
        """
        pauses = pauses_of(self._pace)
        for failures in count(1):
            try:
                return await self._adapter.submit(batch, requests)
            except ProviderFault as fault:
                # What came of a request whose answer was lost is looked up first.
                batch_id = await self._find(batch) if fault.may_be_billed else None
                if batch_id is not None:
                    return batch_id
                if failures >= min(RETRY_POLICIES[fault.kind].tries or MOST_TRIES, MOST_TRIES):
                    raise
                seconds = max(next(pauses), fault.retry_after or 0)
                await self._sleep(seconds)
        raise AssertionError("counting never ends")

    async def _drop(self, batch: HandedIn) -> None:
        """Forget a batch that never was; what was uploaded for it is deleted."""
        await self._discard(batch)
        self._call_journal.drop_batch(batch.label)

    async def _tidy(self) -> None:
        """Delete the files of batches whose replies are all on disk: results are needed no more."""
        for batch in self._call_journal.finished_batches(self._model):
            if batch.batch_id is None or batch.label in self._tidying:
                continue
            self._tidying.add(batch.label)
            if await self._discard(batch):
                self._call_journal.discard_batch(batch.label)

    async def _discard(self, batch: HandedIn) -> bool:
        try:
            await self._adapter.discard(batch)
        except ProviderFault:
            return False
        return True

    def _label(self, calls: Sequence[CallKey]) -> str:
        """Name a batch: the same calls may be handed in again after a fault."""
        handed_in = self._call_journal.batches_begun
        call_rows = [list(call) for call in calls]
        text = canonical_json([self._secret, handed_in, call_rows])
        hexadecimal = hashlib.sha256(text.encode()).hexdigest()
        return f"gw-{hexadecimal[:LABEL_DIGITS]}"

    async def _find(self, batch: HandedIn) -> str | None:
        """Look for a batch that may have been taken; None where it surely was not.

        Raises:
            ProviderError: Nobody can say; handing it in again might pay it twice.
        """
        failures = 0
        # A pause comes first: what was just taken may be listed a little later.
        for pause in pauses_of(self._pace):
            await self._sleep(pause)
            try:
                return await self._adapter.find(batch, self._call_journal.batch_ids())
            except StillUnderWayError:
                failures = 0
            except ProviderFault as fault:
                failures += 1
                if is_hopeless(fault, failures):
                    raise self._stopped(f"batch {batch.label}", fault) from fault
        raise AssertionError("pauses never end")

    async def _follow(self, batch: HandedIn) -> None:
        """Wait until a batch ends, and give everyone what became of their entry.

        Raises:
            ProviderError: Nobody can say how it stands; what is in it is kept for a resume.
        """
        if batch.batch_id is None:
            batch.batch_id = await self._find(batch)
            if batch.batch_id is None:
                await self._drop(batch)
                self._gather_again(batch)
                return
            self._call_journal.name_batch(batch.label, batch.batch_id)
        try:
            results = await self._wait_for(batch, batch.batch_id)
        except ProviderFault as fault:
            if fault.kind not in _GONE:
                raise self._stopped(f"batch {batch.batch_id}", fault) from fault
            results = dict.fromkeys(batch.entries, fault)
        self._settle(batch, results)

    def _stopped(self, name: str, fault: ProviderFault) -> ProviderError:
        return ProviderError(
            f"{self._model}: {name}: {fault.kind}: {fault}; resume waits for it again"
        )

    async def _wait_for(self, batch: HandedIn, batch_id: str) -> dict[str, EntryResult]:
        failures = 0
        for pause in pauses_of(self._pace):
            await self._sleep(pause)
            try:
                if await self._adapter.has_ended(batch_id):
                    return await self._adapter.results(batch)
                failures = 0
            except ProviderFault as fault:
                failures += 1
                if is_hopeless(fault, failures):
                    raise
        raise AssertionError("pauses never end")

    def _settle(self, batch: HandedIn, results: dict[str, EntryResult]) -> None:
        for custom_id, call in batch.entries.items():
            # In the next attempt at it, the call belongs to another batch.
            if self._followed.get(call) is batch:
                del self._followed[call]
            result = results.get(custom_id) or _left_out()
            future = self._waiting.get(call)
            if future is None:
                # Of calls that were answered long ago nobody will ask.
                if call in self._unasked:
                    self._arrived[call] = result
            elif future.done():
                continue
            elif isinstance(result, Reply):
                future.set_result(result)
            else:
                future.set_exception(_copied(result))

    def _start(self, work: Coroutine[None, None, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: "asyncio.Task[None]") -> None:
        """Let an error of our own, such as a full disk, end everybody who waits."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._error = error
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(error)


def _reply_of(result: EntryResult) -> Reply:
    if isinstance(result, Reply):
        return result
    raise _copied(result)


def _copied(fault: ProviderFault) -> ProviderFault:
    """Copy a fault: raised in several conversations, one object would gather their tracebacks."""
    return ProviderFault(
        fault.kind,
        str(fault),
        retry_after=fault.retry_after,
        may_be_billed=fault.may_be_billed,
        usage=fault.usage,
    )


def _left_out() -> ProviderFault:
    return ProviderFault("cut", "a batch ended without a word on this entry", may_be_billed=True)
