"""``http://…`` and ``https://…``: a retriever behind one address, asked by POST with JSON."""

from types import TracebackType
from typing import Final, Self

import httpx2

from goldwright.errors import InputError, RetrieverError
from goldwright.retrieval.connections.connection import Question, Retrieved
from goldwright.retrieval.connections.replies import parse_reply, read_reply
from goldwright.snapshot.visible import make_visible, shorten

OK: Final = 200


class ServerConnection:
    """Posts ``{"query_id", "query", "limit"}`` for each question, over one connection that is kept open."""

    def __init__(self, url: str, *, seconds: float) -> None:
        """Take an address; nothing is asked yet."""
        self._url = url
        self._client = httpx2.Client(timeout=seconds, follow_redirects=False)

    def ask(self, question: Question) -> Retrieved:
        """Post one question."""
        asked = {"query_id": question.query_id, "query": question.text, "limit": question.limit}
        try:
            answer = self._client.post(self._url, json=asked)
        except httpx2.InvalidURL as error:
            raise InputError(f"{self._url}: is no address: {error}") from error
        except httpx2.HTTPError as error:
            raise RetrieverError(f"{self._url}: {type(error).__name__}: {error}") from error
        if answer.status_code != OK:
            text = shorten(make_visible(" ".join(answer.text.split())), 120)
            raise RetrieverError(f"{self._url}: answered {answer.status_code}: {text}")
        return read_reply(parse_reply(answer.content, source=self._url), limit=question.limit)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._client.close()
