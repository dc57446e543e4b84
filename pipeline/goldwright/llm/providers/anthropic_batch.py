"""Anthropic's Message Batches: at most 100,000 requests or 256 MB, results in any order."""

from collections.abc import Collection, Mapping
from typing import Any, Final

import httpx2

from goldwright.llm.batch_port import EntryResult, HandedIn, StillUnderWayError
from goldwright.llm.port import ProviderFault, Request
from goldwright.llm.providers.anthropic import AnthropicAdapter, read_reply, request_body
from goldwright.llm.providers.batch_entries import (
    entry_fault,
    named_batch,
    read_entry,
    text_of,
    unanswered_entry,
)

# A batch that nobody confirmed is among the newest.
_MOST_LISTED: Final = 100


class AnthropicBatches:
    """Speaks the Message Batches API over the connection of an adapter."""

    def __init__(self, adapter: AnthropicAdapter) -> None:
        self._adapter = adapter
        self._batches = adapter.client.messages.batches

    async def submit(self, _batch: HandedIn, requests: Mapping[str, Request]) -> str:
        """Hand a batch in; the label stands in the custom ids alone."""
        entries: Any = [
            {"custom_id": custom_id, "params": request_body(request)}
            for custom_id, request in requests.items()
        ]
        limits = self._adapter.limits
        created = await limits.attempt(self._batches.create(requests=entries))
        return str(created.id)

    async def find(self, batch: HandedIn, known_ids: Collection[str]) -> str | None:
        """Look into the results of batches of that size: batches have no labels."""
        return await self._adapter.limits.attempt(self._search(batch, known_ids))

    async def has_ended(self, batch_id: str) -> bool:
        """Ask whether all entries have ended."""
        limits = self._adapter.limits
        batch = await limits.attempt(self._batches.retrieve(batch_id))
        return str(batch.processing_status) == "ended"

    async def results(self, batch: HandedIn) -> dict[str, EntryResult]:
        """Fetch what became of the entries."""
        return await self._adapter.limits.attempt(self._results(batch))

    async def discard(self, _batch: HandedIn) -> None:
        """Nothing was uploaded, and the provider deletes results by itself."""

    async def close(self) -> None:
        """Close every connection."""
        await self._adapter.close()

    async def _search(self, batch: HandedIn, known_ids: Collection[str]) -> str | None:
        page = await self._batches.list(limit=_MOST_LISTED)
        is_under_way = False
        for listed in page.data:
            if listed.id in known_ids or _size_of(listed) != len(batch.entries):
                continue
            if listed.processing_status != "ended":
                is_under_way = True
            elif await self._is_named_so(listed, batch):
                return str(listed.id)
        if is_under_way:
            raise StillUnderWayError
        return None

    async def _is_named_so(self, listed: Any, batch: HandedIn) -> bool:
        """Tell by its first custom id whether a batch that has ended is the one."""
        # The provider deletes results after a month.
        if listed.results_url is None:
            return False
        self._check_address(text_of(listed.results_url))
        results = await self._batches.results(listed.id)
        try:
            async for entry in results:
                return str(entry.custom_id) in batch.entries
        finally:
            await results.close()
        return False

    async def _results(self, batch: HandedIn) -> dict[str, EntryResult]:
        ended = await self._batches.retrieve(named_batch(batch))
        self._check_address(text_of(ended.results_url))
        secret = self._adapter.limits.secret
        results: dict[str, EntryResult] = {}
        async for entry in await self._batches.results(ended.id):
            custom_id = str(entry.custom_id)
            if custom_id in batch.entries:
                results[custom_id] = read_entry(_read, entry.result, secret)
        return results

    def _check_address(self, url: str) -> None:
        """Refuse to fetch results elsewhere: the SDK would send the key along."""
        results_url = httpx2.URL(url)
        base_url = self._adapter.client.base_url
        results_origin = (results_url.scheme, results_url.netloc)
        is_own = results_origin == (base_url.scheme, base_url.netloc)
        if results_url.is_absolute_url and not is_own:
            message = (
                f"results of a batch are said to be at {results_url.host}, which is another host"
            )
            raise ProviderFault("access", message)


def _size_of(batch: Any) -> int:
    counts = batch.request_counts
    count_without_reply = counts.errored + counts.canceled + counts.expired
    ended = counts.succeeded + count_without_reply
    return int(counts.processing + ended)


def _read(result: Any) -> EntryResult:
    match result.type:
        case "succeeded":
            return read_reply(result.message)
        case "errored":
            # The error stands in a response of the API's usual shape.
            error = getattr(result.error, "error", None) or result.error
            return entry_fault(text_of(error.type), text_of(error.message))
        case _:
            return unanswered_entry(str(result.type))
