"""Takes the response out of the stream of a Responses API.

Its last event holds the response as a whole, and the only count; what comes before it tells how far
a response got that never ended.
"""

from typing import Any, Final

from openai.types.responses import Response

from goldwright.llm.port import ProviderFault
from goldwright.llm.providers.event_stream import Event
from goldwright.llm.providers.fault_kinds import kind_of_status
from goldwright.llm.providers.partial_reply import PartialReply

_LAST: Final = frozenset({"response.completed", "response.incomplete", "response.failed"})
# The statuses of the errors; in a stream, they come after the status 200.
_STATUSES: Final = {
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "server_error": 500,
    "server_is_overloaded": 503,
    "slow_down": 503,
}
_ANY_ERROR: Final = 400


class StreamedResponse:
    """A response on its way."""

    def __init__(self, partial: PartialReply) -> None:
        self._partial = partial
        self._response: dict[str, Any] = {}

    def take(self, event: Event) -> bool:
        """Take the next event, and tell whether it holds the whole response."""
        kind = event["type"]
        if kind == "error":
            raise _fault_of(event)
        self._partial.begin()
        # Text, arguments, refusals and summaries of thoughts all come as deltas of text.
        delta = event.get("delta")
        if isinstance(delta, str):
            self._partial.say(delta)
        if kind not in _LAST:
            return False
        self._response = event["response"]
        return True

    def response(self) -> Response:
        """Give the whole response, as the SDK makes it of one that comes in one piece."""
        return Response.construct(**self._response)


def _fault_of(event: Event) -> ProviderFault:
    # Some errors lie in an object of their own.
    error = event.get("error") or event
    code = str(error.get("code") or error.get("type"))
    message = f"{code}: {error.get('message')}"
    status = _STATUSES.get(code, _ANY_ERROR)
    return ProviderFault(kind_of_status(status, code, message), message)
