"""Hands that are quicker than the page, and a reader of the tests that must not be."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from journeys.browser import (
    WATCHING,
    Desk,
    Reader,
    ReviewServer,
    make_review_desk,
    review_desk,
)
from journeys.sharing import make_once

AFTER_A_FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))"


@pytest.fixture
def workplace(shared: Path, tmp_path: Path) -> Desk:
    """A copy of a run that nobody has reviewed."""
    desk = review_desk(make_once(shared / "review-desk", make_review_desk))
    return desk.copy(tmp_path / "desk")


# In the page itself: what Chromium intercepts, it now and then lets through under load.
HOLD = """path => {
    const send = window.fetch;
    const released = new Promise((release) => { window.release = release; });
    window.held = 0;
    window.fetch = async (address, options) => {
        if (String(address).includes(path)) {
            window.held += 1;
            await released;
        }
        return send(address, options);
    };
}"""


@contextmanager
def holding(reader: Reader, path: str) -> Iterator[Callable[[], None]]:
    """Keep back what is sent to a path until the caller lets it go."""
    reader.page.evaluate(HOLD, path)

    def let_go() -> None:
        reader.page.wait_for_function("() => window.held > 0")
        reader.page.evaluate("() => window.release()")

    yield let_go


@pytest.mark.parametrize(
    ("keys", "opened"),
    [
        ("/", "#find[open] #sought"),
        ("e", ".editor textarea"),
        ("w", "#question .editor textarea"),
        ("?", "#help[open]"),
        ("nwe2", "#note:focus"),
    ],
)
def test_what_is_opened_while_a_verdict_is_on_its_way_opens_on_the_next_record(
    browser: Browser, workplace: Desk, keys: str, opened: str
) -> None:
    """It would vanish with the record before, and the letters after it would be taken for keys."""
    with ReviewServer(workplace, "Ann") as server, Reader(browser, server.address) as reader:
        judged, shown = reader.data("query"), reader.shown
        with holding(reader, "/verdict") as let_go:
            reader.press("1", *keys)
            assert reader.page.locator(opened).count() == 0
            let_go()
            reader.page.wait_for_function("before => window.reading.shown > before", arg=shown)
        reader.page.wait_for_selector(opened)
        assert (reader.shown, reader.data("query") != judged) == (shown + 1, True)
    [word] = workplace.words
    assert (word["query_id"], word["verdict"]) == (judged, "correct")


@contextmanager
def serving_in_two_pieces(text: str, at: str) -> Iterator[tuple[str, threading.Event]]:
    """Serve a page of which the second piece waits for the event."""
    head, _, tail = text.partition(at)
    rest = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            if self.path != "/":
                return
            self.wfile.write(head.encode())
            self.wfile.flush()
            rest.wait(60)
            self.wfile.write((at + tail).encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name there
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", rest
        finally:
            rest.set()
            server.shutdown()
            thread.join(10)


def test_a_reader_waits_for_a_record_even_if_the_shell_comes_in_pieces(browser: Browser) -> None:
    """A parser that pauses has written something into the page, and nobody can press keys yet."""
    shell = files("goldwright.web").joinpath("templates", "shell.html").read_text("utf-8")
    with serving_in_two_pieces(shell, "<p id=") as (address, rest):
        context = browser.new_context()
        context.add_init_script(WATCHING)
        page = context.new_page()
        page.goto(address, wait_until="commit")
        page.wait_for_selector("#page h1", state="attached")
        page.evaluate(AFTER_A_FRAME)
        counts = [page.evaluate("window.reading.shown")]
        rest.set()
        page.wait_for_selector("#waiting")
        page.evaluate(AFTER_A_FRAME)
        counts.append(page.evaluate("window.reading.shown"))
        context.close()
    assert counts == [0, 0]
