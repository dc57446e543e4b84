"""The headers and the body of one request, as the guard reads them before the application does."""

import re
from typing import Final

from starlette.types import Message, Receive, Scope

# The longest text of an edit, 10,000 characters, fits with up to six bytes for each.
MOST_BODY_BYTES: Final = 64 * 1024
_JSON: Final = re.compile(rb'application/json(\s*;\s*charset=("utf-8"|utf-8))?', re.IGNORECASE)


class RequestRefusalError(Exception):
    """Ends a request with a status and nothing more."""

    def __init__(self, status: int, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        super().__init__(status)
        self.status = status
        self.headers = headers


class RequestHeaders:
    """The headers of one request by name; ``size`` counts their bytes as they were sent."""

    def __init__(self, scope: Scope) -> None:
        self.size = 0
        self._values: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            self.size += len(name) + len(value) + len(b": \r\n")
            self._values.setdefault(name, []).append(value)

    def all(self, name: bytes) -> list[bytes]:
        """All values of a header, in their order."""
        return self._values.get(name, [])

    def announce_a_body(self) -> bool:
        """Whether a body follows; a length of 0 announces none."""
        if self.all(b"transfer-encoding"):
            return True
        return any(length != b"0" for length in self.all(b"content-length"))


def check_content_type(headers: RequestHeaders) -> None:
    """Check that a request declares its body as JSON.

    Raises:
        RequestRefusalError: It does not.
    """
    # A form of another site can send text and form data without asking, but no JSON.
    content_types = headers.all(b"content-type")
    if len(content_types) != 1 or not _JSON.fullmatch(content_types[0]):
        raise RequestRefusalError(415)


async def read_body(headers: RequestHeaders, receive: Receive) -> bytes:
    """Read the body of a request.

    Raises:
        RequestRefusalError: It is too long, of doubtful length, or not sent to its end.
    """
    _check_length(headers)
    body = bytearray()
    has_more = True
    while has_more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RequestRefusalError(400)
        body += message.get("body", b"")
        if len(body) > MOST_BODY_BYTES:
            raise RequestRefusalError(413)
        has_more = message.get("more_body", False)
    return bytes(body)


def replay_body(body: bytes, receive: Receive) -> Receive:
    """Make a channel that gives a body that was read already, and then whatever comes after it."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        if pending:
            return pending.pop()
        return await receive()

    return replay


def _check_length(headers: RequestHeaders) -> None:
    """Refuse a body whose length can be read in two ways, and one that is announced as too long."""
    lengths = headers.all(b"content-length")
    encodings = headers.all(b"transfer-encoding")
    is_ambiguous = len(lengths) + len(encodings) > 1
    if is_ambiguous or not all(length.isdigit() for length in lengths):
        raise RequestRefusalError(400)
    if any(int(length) > MOST_BODY_BYTES for length in lengths):
        raise RequestRefusalError(413)
