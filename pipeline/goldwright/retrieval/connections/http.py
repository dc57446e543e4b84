"""``http://…`` and ``https://…``: a retriever behind one address, asked by POST with JSON."""

import re
import time
from types import TracebackType
from typing import Final, Self

import httpx2

from goldwright.errors import InputError, RetrieverError
from goldwright.retrieval.connections.port import Question, RetrieverReply
from goldwright.retrieval.connections.replies import parse_reply, read_reply
from goldwright.text import make_visible, shorten

OK: Final = 200
LONGEST_REPLY: Final = 64 << 20
_SECRET: Final = re.compile(r"(?<=://)[^/@\s]*@|\?[^\s#]*")


def shown_address(text: str) -> str:
    """Write an address without what may be secret in it: a name and password, and the query."""
    return _SECRET.sub("", text) if "://" in text else text


class HttpConnection:
    """Posts ``{"query_id", "query", "limit"}`` for each question, over one connection that is kept
    open.
    """

    def __init__(self, url: str, *, seconds: float) -> None:
        """Take an address; nothing is asked yet."""
        self._url = url
        self._name = shown_address(url)
        self._seconds = seconds
        self._client = httpx2.Client(timeout=seconds, follow_redirects=False)

    def ask(self, question: Question) -> RetrieverReply:
        """Post one question."""
        asked = {"query_id": question.query_id, "query": question.text, "limit": question.limit}
        try:
            with self._client.stream("POST", self._url, json=asked) as answer:
                body = self._body(answer)
        except httpx2.InvalidURL as error:
            raise InputError(f"{self._name}: is no address: {error}") from error
        except httpx2.HTTPError as error:
            raise RetrieverError(f"{self._name}: {type(error).__name__}: {error}") from error
        if answer.status_code != OK:
            text = shorten(make_visible(" ".join(body.decode("utf-8", "replace").split())), 120)
            raise RetrieverError(f"{self._name}: answered {answer.status_code}: {text}")
        return read_reply(parse_reply(body, source=self._name), limit=question.limit)

    def _body(self, answer: httpx2.Response) -> bytes:
        """Read a reply to its end, which must come within the time of a question."""
        until = time.monotonic() + self._seconds
        body = bytearray()
        for data in answer.iter_bytes():
            body += data
            if len(body) > LONGEST_REPLY:
                raise InputError(f"{self._name}: a reply of over {LONGEST_REPLY} bytes")
            if time.monotonic() > until:
                raise RetrieverError(
                    f"{self._name}: no whole reply within {self._seconds:g} seconds"
                )
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
