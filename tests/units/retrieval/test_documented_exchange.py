"""The exchange with a server that docs/scoring.md shows is the one that is held."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from goldwright.retrieval.connections.http import HttpConnection
from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply
from goldwright.retrieval.connections.replies import (
    END_NAMES,
    FILE_NAMES,
    ID_NAMES,
    LIST_NAMES,
    START_NAMES,
    SYMBOL_NAMES,
)

PAGE = (Path(__file__).parents[3] / "docs" / "scoring.md").read_text(encoding="utf-8")


def block(title: str) -> str:
    """The text of the block with this title."""
    fence = rf'^```json title="{re.escape(title)}"\n(.*?)^```$'
    found = re.search(fence, PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


class _Handler(BaseHTTPRequestHandler):
    """Answers as the page does, and keeps what it was sent."""

    sent: list[tuple[str, str | None, Any]]

    def do_POST(self) -> None:
        """Answer with the reply of the page."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.sent.append((self.path, self.headers["Content-Type"], body))
        reply = block("200 OK").encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # its name there
        """Say nothing."""


def test_the_exchange_of_the_page_is_held() -> None:
    request = json.loads(block("POST /search"))
    question = RetrieverQuery(request["query_id"], request["query"], request["limit"])
    _Handler.sent = []
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/search"
        with HttpConnection(url, seconds=20) as connection:
            reply = connection.ask(question)
        server.shutdown()
    assert _Handler.sent == [("/search", "application/json", request)]
    assert reply == RetrieverReply(
        hits=[
            ("shop/basket.py::Basket.total", 7.31),
            ("shop/prices.py::add_tax", 5.02),
            ("shop/rates.py#L12-L40", 2.9),
        ],
        sufficiency_score=0.8,
        source="index",
        answer="`Basket.total` adds it.",
        cost_usd=0.0004,
    )


def test_the_page_names_every_field_that_is_read() -> None:
    _, _, below = PAGE.partition("### What is asked and answered")
    described, _, _ = below.partition("\n## ")
    names = {*LIST_NAMES, *ID_NAMES, *FILE_NAMES, *SYMBOL_NAMES, *START_NAMES, *END_NAMES}
    names |= {"score", "sufficiency_score", "answer", "source", "cost_usd"}
    assert {name for name in names if not re.search(rf'[`"]{name}[`"]', described)} == set()
