"""Puts a message of Anthropic's API together from the events of its stream.

The SDK's own accumulator makes a finished object of broken arguments (2.11, 2026-11), where a tool
call that cannot be carried out has to be told so; and it reads all arguments again with each piece.
"""

from collections import defaultdict
from typing import Any, Final

import anthropic

from goldwright.llm.port import ProviderFault, Usage
from goldwright.llm.providers.event_stream import Event
from goldwright.llm.providers.fault_kinds import kind_of_status
from goldwright.llm.providers.partial_reply import PartialReply
from goldwright.llm.providers.reply_values import (
    read_arguments,
    read_optional_tokens,
    read_usage,
)

# The statuses of the errors; in a stream, they come after the status 200.
_STATUSES: Final = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_ANY_ERROR: Final = 500
# The field of a block that the deltas of a type make longer.
_TEXT_FIELDS: Final = {"text_delta": "text", "thinking_delta": "thinking"}


class StreamedMessage:
    """A message on its way."""

    def __init__(self, partial: PartialReply) -> None:
        self._partial = partial
        self._message: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._pieces: defaultdict[int, list[str]] = defaultdict(list)

    def take(self, event: Event) -> bool:
        """Take the next event, and tell whether the message is whole with it."""
        kind = event["type"]
        if kind == "ping":
            return False
        if kind == "error":
            raise _fault_of(event["error"])
        self._partial.begin()
        if kind == "message_start":
            self._start(event["message"])
        elif kind == "content_block_start":
            self._blocks[event["index"]] = dict(event["content_block"])
        elif kind == "content_block_delta":
            self._extend(event["index"], event["delta"])
        elif kind == "content_block_stop":
            self._finish(event["index"])
        elif kind == "message_delta":
            self._end(event)
        return bool(kind == "message_stop")

    def message(self) -> anthropic.types.Message:
        """Give the whole message, as the SDK makes it of one that comes in one piece."""
        fields = dict(self._message)
        if self._blocks:
            indexes = sorted(self._blocks)
            fields["content"] = [self._blocks[index] for index in indexes]
        return anthropic.types.Message.construct(**fields)

    def _start(self, message: dict[str, Any]) -> None:
        self._message = dict(message)
        self._partial.count(read_usage(_usage_so_far, message))

    def _extend(self, index: int, delta: dict[str, Any]) -> None:
        block = self._blocks[index]
        kind = delta["type"]
        if kind == "input_json_delta":
            self._add(index, delta["partial_json"])
        elif kind in _TEXT_FIELDS:
            self._add(index, delta[_TEXT_FIELDS[kind]])
        elif kind == "signature_delta":
            block["signature"] = delta["signature"]
        elif kind == "citations_delta":
            citations = block.get("citations") or ()
            block["citations"] = [*citations, delta["citation"]]

    def _add(self, index: int, piece: str) -> None:
        self._pieces[index].append(piece)
        self._partial.say(piece)

    def _finish(self, index: int) -> None:
        block = self._blocks[index]
        added = "".join(self._pieces.pop(index, ()))
        kind = block["type"]
        if kind in {"text", "thinking"}:
            block[kind] += added
        elif added and "input" in block:
            arguments = read_arguments(added)
            # What is no object stays as the model wrote it, to be told so.
            block["input"] = added if arguments is None else arguments

    def _end(self, event: Event) -> None:
        self._message.update(event["delta"])
        usage = dict(self._message["usage"])
        newest = event.get("usage") or {}
        usage.update({name: count for name, count in newest.items() if count is not None})
        # What stood at the start was no count of the whole.
        usage["output_tokens"] = newest.get("output_tokens")
        self._message["usage"] = usage
        self._partial.count(read_usage(_usage_so_far, self._message))


def _usage_so_far(message: dict[str, Any]) -> Usage:
    usage = message["usage"]
    return Usage(
        fresh=_tokens(usage, "input_tokens"),
        cached=_tokens(usage, "cache_read_input_tokens"),
        cache_written=_tokens(usage, "cache_creation_input_tokens"),
        output=_tokens(usage, "output_tokens"),
    )


def _tokens(usage: dict[str, Any], field: str) -> int:
    """Read a number of tokens that may not have been told."""
    return read_optional_tokens(usage.get(field))


def _fault_of(error: dict[str, Any]) -> ProviderFault:
    code = str(error.get("type"))
    message = f"{code}: {error.get('message')}"
    status = _STATUSES.get(code, _ANY_ERROR)
    return ProviderFault(kind_of_status(status, code, message), message)
