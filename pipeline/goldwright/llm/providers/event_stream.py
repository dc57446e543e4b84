"""Streams of server-sent events whose data are JSON objects, each with its ``type``.

The SDKs make an object of every event, most of which are a few letters of text; here they are read
as they come, for a fraction of the time. An SDK also takes the end of a stream for the end of a
reply (2026-11).
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any, Final

import httpx2

from goldwright.llm.port import ProviderFault

Event = dict[str, Any]

_CONTENT_TYPE: Final = "text/event-stream"
# Some gateways end every stream with it.
_DONE: Final = b"[DONE]"
# The end of the body comes with the last event; read, it leaves the connection to the next call.
_SECONDS_TO_DRAIN: Final = 1.0


async def receive_events(response: httpx2.Response, take: Callable[[Event], bool]) -> None:
    """Hand over the events of a stream, up to the last.

    Args:
        response: The response, its body unread.
        take: Takes an event, and tells whether it was the last one of a whole reply.

    Raises:
        ProviderFault: There are no events, or they end before the reply does.
    """
    content_type = response.headers.get("content-type", "none")
    if not content_type.startswith(_CONTENT_TYPE):
        message = f"no stream came, but {content_type}; stream = false would ask for none"
        raise ProviderFault("malformed", message, may_be_billed=True)
    async with contextlib.aclosing(_read_events(response)) as events:
        async for event in events:
            if take(event):
                await _drain(events)
                return
    raise ProviderFault("cut", "the stream ended before the reply did", may_be_billed=True)


async def _read_events(response: httpx2.Response) -> AsyncGenerator[Event]:
    """Read the events; one that has no end is left out."""
    unfinished_line = b""
    data: list[bytes] = []
    async for chunk in response.aiter_bytes():
        # Not by the lines of a text: JSON may hold the rarer line ends as they are.
        *lines, unfinished_line = (unfinished_line + chunk).split(b"\n")
        for line in lines:
            content = line.removesuffix(b"\r")
            if content.startswith(b"data:"):
                data.append(content.removeprefix(b"data:"))
            elif not content and data:
                event_data = b"\n".join(data).strip()
                data = []
                if event_data != _DONE:
                    yield _read_event(event_data)


def _read_event(data: bytes) -> Event:
    try:
        event = json.loads(data)
    except ValueError as error:
        message = f"an event that is no JSON: {error}"
        raise ProviderFault("malformed", message, may_be_billed=True) from None
    if not isinstance(event, dict):
        raise ProviderFault("malformed", "an event that is no object", may_be_billed=True)
    return event


async def _drain(events: AsyncIterator[Event]) -> None:
    """Read what follows a whole reply, which nothing can spoil any more."""
    with contextlib.suppress(httpx2.HTTPError, OSError, TimeoutError, ProviderFault):
        async with asyncio.timeout(_SECONDS_TO_DRAIN):
            async for _ in events:
                pass
