"""Google's batch jobs, with their requests inlined: below 20 MB, replies in the same order."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any, Final

from google.genai import types

from goldwright.llm.batch_port import EntryResult, HandedIn
from goldwright.llm.port import Request
from goldwright.llm.providers.batch_entries import (
    entry_fault,
    named_batch,
    read_entry,
    text_of,
    unanswered_entry,
)
from goldwright.llm.providers.google import GoogleAdapter, read_reply, request_arguments

_CUSTOM_ID: Final = "custom_id"
_MOST_LISTED: Final = 20
_UNANSWERED: Final = {
    types.JobState.JOB_STATE_CANCELLED: "cancelled",
    types.JobState.JOB_STATE_EXPIRED: "expired",
    # With an API key, the SDK hands no error of a job on: this is all that is known of it.
    types.JobState.JOB_STATE_FAILED: "failed",
}
_ENDED: Final = frozenset(
    {
        types.JobState.JOB_STATE_SUCCEEDED,
        types.JobState.JOB_STATE_PARTIALLY_SUCCEEDED,
        *_UNANSWERED,
    }
)


class GoogleBatches:
    """Speaks the batch API of Gemini over the connection of an adapter."""

    def __init__(self, adapter: GoogleAdapter) -> None:
        self._adapter = adapter
        self._batches = adapter.client.aio.batches

    async def submit(self, batch: HandedIn, requests: Mapping[str, Request]) -> str:
        """Hand a batch in under its label."""
        entries = [_entry(*named_request) for named_request in requests.items()]
        config = types.CreateBatchJobConfig(display_name=batch.label)
        job = self._batches.create(model=batch.model, src=entries, config=config)
        return text_of((await self._adapter.limits.attempt(job)).name)

    async def find(self, batch: HandedIn, _known_ids: Collection[str]) -> str | None:
        """Look for the label among the display names of the newest batches."""
        page = await self._adapter.limits.attempt(self._list())
        for job in page:
            if job.display_name == batch.label:
                return text_of(job.name)
        return None

    async def has_ended(self, batch_id: str) -> bool:
        """Ask whether all entries have ended."""
        limits = self._adapter.limits
        job = await limits.attempt(self._batches.get(name=batch_id))
        return job.state in _ENDED

    async def results(self, batch: HandedIn) -> dict[str, EntryResult]:
        """Fetch what became of the entries."""
        limits = self._adapter.limits
        batch_id = named_batch(batch)
        job = await limits.attempt(self._batches.get(name=batch_id))
        responses = (job.dest.inlined_responses if job.dest else None) or []
        if not responses and job.error is not None:
            fault = read_entry(_fault_of_job, job.error, limits.secret)
            return dict.fromkeys(batch.entries, fault)
        if not responses and job.state in _UNANSWERED:
            unanswered = unanswered_entry(_UNANSWERED[job.state])
            return dict.fromkeys(batch.entries, unanswered)
        read_response = partial(_read, model=batch.model)
        results: dict[str, EntryResult] = {}
        # Servers that give the metadata back say whose a reply is; the order says it otherwise.
        for custom_id, response in zip(batch.entries, responses, strict=False):
            own_id = (response.metadata or {}).get(_CUSTOM_ID, custom_id)
            if own_id in batch.entries:
                results[own_id] = read_entry(read_response, response, limits.secret)
        return results

    async def discard(self, _batch: HandedIn) -> None:
        """Nothing was uploaded, and the provider deletes results by itself."""

    async def close(self) -> None:
        """Close every connection."""
        await self._adapter.close()

    async def _list(self) -> Any:
        pager = await self._batches.list(config={"page_size": _MOST_LISTED})
        return pager.page


def _entry(custom_id: str, request: Request) -> types.InlinedRequest:
    arguments = request_arguments(request)
    return types.InlinedRequest(
        contents=arguments["contents"],
        config=arguments["config"],
        metadata={_CUSTOM_ID: custom_id},
    )


def _fault_of_job(error: types.JobError) -> EntryResult:
    return entry_fault(text_of(error.code), text_of(error.message))


def _read(entry: types.InlinedResponse, model: str) -> EntryResult:
    error = entry.error
    if error is not None:
        status = error.code
        code = text_of(status)
        # Codes of gRPC, where they are no statuses of HTTP.
        is_status = status is not None and status >= 100  # the smallest there is
        return entry_fault(code, text_of(error.message), status if is_status else None)
    if entry.response is None:
        return unanswered_entry("was left out")
    return read_reply(entry.response, model)
