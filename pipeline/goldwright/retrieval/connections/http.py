"""``http://…`` and ``https://…``: a retriever behind one address, asked by POST with JSON."""

import re
import time
from types import TracebackType
from typing import Final, Self

import httpx2

from goldwright.errors import InputError, RetrieverError
from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply
from goldwright.retrieval.connections.replies import parse_reply, read_reply
from goldwright.text import in_seconds, make_visible, shorten

OK: Final = 200
# 64 MiB; a longer body is refused before it fills the memory.
LONGEST_REPLY: Final = 64 << 20
# Characters of an error page in a message.
_LONGEST_ERROR: Final = 120
# The user part of an address, and its query.
_SECRET: Final = re.compile(r"(?<=://)[^/@\s]*@|\?[^\s#]*")


def shown_address(text: str) -> str:
    """Remove what may be secret from an address: name and password, and the query."""
    if "://" not in text:
        return text
    return _SECRET.sub("", text)


class HttpConnection:
    """Posts each question over one connection that is kept open."""

    def __init__(self, url: str, *, seconds: float) -> None:
        """Take an address; nothing is sent yet."""
        self._url = url
        self._name = shown_address(url)
        self._seconds = seconds
        self._client = httpx2.Client(timeout=seconds, follow_redirects=False)

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Post one question."""
        fields = question.json_fields()
        try:
            with self._client.stream("POST", self._url, json=fields) as response:
                body = self._read_body(response)
        except httpx2.InvalidURL as error:
            raise InputError(f"{self._name}: is no address: {error}") from error
        except httpx2.ConnectError as error:
            raise RetrieverError(
                f"{self._name}: nothing answers there ({error}); is the server up, "
                "and are host and port right?"
            ) from error
        except httpx2.HTTPError as error:
            kind = type(error).__name__
            raise RetrieverError(f"{self._name}: {kind}: {error}") from error
        if response.status_code != OK:
            excerpt = _excerpt(body)
            raise RetrieverError(f"{self._name}: answered {response.status_code}: {excerpt}")
        reply = parse_reply(body, source=self._name)
        return read_reply(reply, limit=question.limit)

    def _read_body(self, response: httpx2.Response) -> bytes:
        """Read a reply to its end, which must come within the time of a question."""
        # The client's timeout is for each read, so a server that drips would never exceed it.
        deadline = time.monotonic() + self._seconds
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > LONGEST_REPLY:
                raise InputError(f"{self._name}: a reply of over {LONGEST_REPLY} bytes")
            if time.monotonic() > deadline:
                time_allowed = in_seconds(self._seconds)
                raise RetrieverError(f"{self._name}: no complete reply within {time_allowed}")
        return bytes(body)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._client.close()


def _excerpt(body: bytes) -> str:
    words = body.decode("utf-8", "replace").split()
    return shorten(make_visible(" ".join(words)), _LONGEST_ERROR)
