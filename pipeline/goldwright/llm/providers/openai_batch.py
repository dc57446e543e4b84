"""OpenAI's Batch API: requests in one file, replies and errors in two others, for a day each."""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from openai import NotFoundError
from openai.types.responses import Response

from goldwright.canonical import canonical_json
from goldwright.llm.batch_port import EntryResult, HandedIn
from goldwright.llm.port import ProviderFault, Request
from goldwright.llm.providers.batch_entries import (
    entry_fault,
    named_batch,
    read_entry,
    text_of,
    unanswered_entry,
)
from goldwright.llm.providers.openai import OpenAIAdapter, read_reply, request_body

_ENDPOINT: Final = "/v1/responses"
_LABEL: Final = "goldwright_label"
_MOST_LISTED: Final = 20
_MOST_FILES: Final = 1000
_ENDED: Final = frozenset({"completed", "failed", "expired", "cancelled"})
_FINE: Final = 200


class OpenAIBatches:
    """Speaks the Batch API for Responses over the connection of an adapter."""

    def __init__(self, adapter: OpenAIAdapter) -> None:
        self._adapter = adapter
        self._client = adapter.client

    async def submit(self, batch: HandedIn, requests: Mapping[str, Request]) -> str:
        """Upload the requests and hand the file in."""
        limits = self._adapter.limits
        return await limits.attempt(self._submit(batch.label, requests))

    async def find(self, batch: HandedIn, _known_ids: Collection[str]) -> str | None:
        """Look for the label in the metadata of the newest batches."""
        page = await self._adapter.limits.attempt(self._list())
        for listed in page.data:
            if (listed.metadata or {}).get(_LABEL) == batch.label:
                return str(listed.id)
        return None

    async def has_ended(self, batch_id: str) -> bool:
        """Ask whether all entries have ended.

        Raises:
            ProviderFault: The batch was refused as a whole.
        """
        return await self._adapter.limits.attempt(self._has_ended(batch_id))

    async def results(self, batch: HandedIn) -> dict[str, EntryResult]:
        """Fetch what became of the entries, from both files."""
        return await self._adapter.limits.attempt(self._results(batch))

    async def discard(self, batch: HandedIn) -> None:
        """Delete what was uploaded for a batch, and its results."""
        await self._adapter.limits.attempt(self._discard(batch))

    async def close(self) -> None:
        """Close every connection."""
        await self._adapter.close()

    async def _submit(self, label: str, requests: Mapping[str, Request]) -> str:
        lines = "".join(f"{_line(*entry)}\n" for entry in requests.items())
        upload = (_file_name(label), lines.encode())
        file = await self._client.files.create(file=upload, purpose="batch")
        batch = await self._client.batches.create(
            input_file_id=file.id,
            endpoint=_ENDPOINT,
            completion_window="24h",
            metadata={_LABEL: label},
        )
        return str(batch.id)

    async def _list(self) -> Any:
        return await self._client.batches.list(limit=_MOST_LISTED)

    async def _has_ended(self, batch_id: str) -> bool:
        batch = await self._client.batches.retrieve(batch_id)
        status = str(batch.status)
        if status == "failed":
            raise _refusal(batch)
        return status in _ENDED

    async def _results(self, batch: HandedIn) -> dict[str, EntryResult]:
        ended = await self._client.batches.retrieve(named_batch(batch))
        results: dict[str, EntryResult] = {}
        for file_id in (ended.output_file_id, ended.error_file_id):
            if file_id is not None:
                content = await self._client.files.content(file_id)
                for entry in _entries_in(content.text):
                    custom_id = text_of(entry.get("custom_id"))
                    if custom_id in batch.entries:
                        results[custom_id] = read_entry(_read, entry, self._adapter.limits.secret)
        return results

    async def _discard(self, batch: HandedIn) -> None:
        file_ids = await self._uploaded(batch.label)
        if batch.batch_id is not None:
            with suppress(NotFoundError):
                ended = await self._client.batches.retrieve(batch.batch_id)
                results = (ended.input_file_id, ended.output_file_id, ended.error_file_id)
                file_ids.update(file_id for file_id in results if file_id is not None)
        for file_id in sorted(file_ids):
            with suppress(NotFoundError):
                await self._client.files.delete(file_id)

    async def _uploaded(self, label: str) -> set[str]:
        """Find what was uploaded under a label: more than one file, where an answer was lost."""
        page: Any = await self._client.files.list(purpose="batch", limit=_MOST_FILES)
        return {str(file.id) for file in page.data if file.filename == _file_name(label)}


def _file_name(label: str) -> str:
    return f"{label}.jsonl"


def _line(custom_id: str, request: Request) -> str:
    body = request_body(request)
    line = {"custom_id": custom_id, "method": "POST", "url": _ENDPOINT, "body": body}
    return canonical_json(line)


def _entries_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a file of results.

    Raises:
        ValueError: One is no JSON object: the file was cut.
    """
    for line in text.splitlines():
        entry = json.loads(line)
        if not isinstance(entry, dict):
            raise ValueError("a line of the results of a batch is no JSON object")  # noqa: TRY004  # as of a cut line
        yield entry


def _read(entry: dict[str, Any]) -> EntryResult:
    error = entry.get("error")
    if error is not None:
        if error["code"] in {"batch_expired", "batch_cancelled"}:
            return unanswered_entry(str(error["code"]).removeprefix("batch_"))
        code = text_of(error["code"])
        return entry_fault(code, text_of(error["message"]))
    response = entry["response"]
    body = response["body"]
    if response["status_code"] != _FINE:
        details = body["error"]
        error_code = details.get("code") or details.get("type")
        code = text_of(error_code)
        message = text_of(details.get("message"))
        return entry_fault(code, message, response["status_code"])
    return read_reply(Response.construct(**body))


def _refusal(batch: Any) -> ProviderFault:
    errors = (batch.errors.data if batch.errors else None) or []
    messages = [text_of(error.message) for error in errors]
    message = "; ".join(messages) or "no reason was given"
    return ProviderFault("bad_request", f"the batch was refused: {message}")
