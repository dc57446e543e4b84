"""The review page in headless Chromium: a desk with a run, a server on it, and a reader who presses
keys and looks.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, cast

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Dialog,
    Page,
    Request,
    Response,
    ViewportSize,
    sync_playwright,
)
from playwright.sync_api import Error as PlaywrightError
from starlette.types import ASGIApp

from goldwright.review.session import ReviewSession
from goldwright.web.application import review_app
from goldwright.web.server import serve
from journeys.sample_code import LENDING, write_code
from journeys.starting import Started, call
from journeys.stopped_records import fail_record, queue_record, reserve_of

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
REVIEWS = "human_reviews.jsonl"
TOKEN = "token-of-a-test"  # noqa: S105  # made up
# As many records as leave four in reserve, to be stopped.
PLAN = {
    "schema_version": "1.0.0",
    "name": "page",
    "total": 11,
    "minimum_total": 11,
    "top_up_rounds": 1,
    "sample_share": 0.5,
    "cells": {
        "locate": {"easy": 4},
        "explain": {"easy": 2},
        "debug": {"easy": 3},
        "extend": {"medium": 2},
    },
}
PATIENCE_MS = 60_000

# Counts what #page showed, the keys pressed for each record, and the time from a key to the heading
# after it. What the parser writes is not counted: it may pause before it comes to #waiting.
WATCHING = """
window.reading = {shown: 0, keys: 0, records: []};
let pressedAt = 0;
document.addEventListener('keydown', (event) => {
  window.reading.keys += 1;
  pressedAt = event.timeStamp;
}, true);
new MutationObserver((changes) => {
  if (!changes.some((one) => one.target.id === 'page' && one.addedNodes.length)) return;
  if (document.readyState === 'loading' || document.getElementById('waiting')) return;
  const {keys} = window.reading;
  const at = pressedAt;
  window.reading.keys = 0;
  requestAnimationFrame(() => setTimeout(() => {
    const heading = document.querySelector('#page h1');
    const ms = performance.now() - at;
    if (heading && keys) window.reading.records.push({keys, ms, heading: heading.textContent});
    window.reading.shown += 1;
  }));
}).observe(document, {childList: true, subtree: true});
document.addEventListener('securitypolicyviolation', (event) => {
  console.error(`${event.violatedDirective}: ${event.blockedURI || event.sample}`);
});
"""

STATE = """
() => ({
  reading: window.reading,
  document: document.readyState,
  visible: document.visibilityState,
  hasFocus: document.hasFocus(),
  focus: document.activeElement?.outerHTML.slice(0, 120),
  dialogs: [...document.querySelectorAll('dialog[open]')].map((one) => one.id),
  said: document.getElementById('said')?.textContent,
  heading: document.querySelector('#page h1')?.textContent,
  record: document.getElementById('record')?.dataset.query,
})
"""

# Finds every text whose colour stands out less than 4.5 to 1 from what is painted behind it.
CONTRAST = """
() => {
  const brush = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const numbers = (color) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = color;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((one, at) => one * a + under[at] * (1 - a));
  const ancestors = (one) => one ? [...ancestors(one.parentElement), one] : [];
  const behind = (one) => ancestors(one).reduce(
    (under, box) => over(numbers(getComputedStyle(box).backgroundColor), under), [255, 255, 255]);
  const light = (rgb) => {
    const linear = (part) => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
    const [r, g, b] = rgb.map((part) => linear(part / 255));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const ratio = (one, other) => (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
  const twoDigits = (part) => Math.round(part).toString(16).padStart(2, '0');
  const hex = (rgb) => '#' + rgb.map(twoDigits).join('');
  const name = (one) => one.tagName.toLowerCase() + (one.id ? '#' + one.id : '')
    + [...one.classList].map((c) => '.' + c).join('');
  const found = new Map();
  const judge = (one, style, text, what) => {
    const fade = ancestors(one).reduce((all, box) => all * Number(getComputedStyle(box).opacity), 1)
      * (what ? Number(style.opacity) : 1);
    const ground = behind(one);
    const [r, g, b, a] = numbers(style.color);
    const ink = over([r, g, b, a * fade], ground);
    const is = ratio(light(ink), light(ground));
    const where = name(one.parentElement) + ' > ' + name(one) + what;
    const pair = `${hex(ink)} on ${hex(ground)}`;
    const start = text.trim().slice(0, 40);
    if (is < 4.5) found.set(where, `${where} ${pair} is ${is.toFixed(2)}: ${start}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const one = text.parentElement;
    const isSeen = text.data.trim() && one.checkVisibility({visibilityProperty: true});
    if (isSeen) judge(one, getComputedStyle(one), text.data, '');
  }
  for (const one of document.querySelectorAll('input[placeholder]')) {
    judge(one, getComputedStyle(one, '::placeholder'), one.placeholder, '::placeholder');
  }
  return [...found.values()];
}
"""


@dataclass(frozen=True)
class Desk:
    """A working directory with one run, and the cache that holds the run's codebase."""

    path: Path
    cache: Path

    @property
    def run(self) -> Path:
        """The directory of the run."""
        return next((self.path / "runs").iterdir())

    @property
    def words(self) -> list[dict[str, Any]]:
        """What people said, as it stands on disk, without the drawing of the sample."""
        lines = (self.run / REVIEWS).read_text().splitlines()
        return [event for event in map(json.loads, lines) if event["event"] != "sample"]

    @property
    def environment(self) -> Mapping[str, str]:
        """What the program finds in its environment."""
        return {**os.environ, "GOLDWRIGHT_CACHE": str(self.cache)}

    def goldwright(self, *arguments: object) -> "subprocess.CompletedProcess[str]":
        """Run the command to its end."""
        return call(*arguments, cwd=self.path, environment=self.environment)

    def copy(self, path: Path) -> "Desk":
        """Put the same run on another desk."""
        shutil.copytree(self.path, path)
        return Desk(path, self.cache)


class ReviewServer:
    """``goldwright review`` on a desk's run; ``address`` is what it printed."""

    def __init__(
        self,
        workplace: Desk,
        reviewer: str,
        *options: str,
        port: int = 0,
        offers_training: bool = False,
    ) -> None:
        # The journeys count the records of a sample as they were drawn.
        plain = ("--port", port, "--canaries", 0)
        if not offers_training:
            options = ("--no-training", *options)
        asked = ("review", workplace.run.name, "--reviewer", reviewer, *plain, *options)
        self._process = Started(*asked, cwd=workplace.path, environment=workplace.environment)
        self.address = self._process.first_line().strip()
        if not self.address:
            raise AssertionError(self._process.wait().stderr)

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return self.address.partition("/#")[0]

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        return int(self.origin.rpartition(":")[2])

    def html(self, path: str) -> str:
        """What the server sends for a view, as it goes over the wire."""
        token = self.address.partition("#t=")[2]
        headers = {"Authorization": f"Bearer {token}"}
        request = urllib.request.Request(self.origin + path, headers=headers)  # noqa: S310  # our own server
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  # the same
            return str(answer.read().decode())

    def judge(self, query_id: str, verdict: str) -> None:
        """Give a verdict on a record as the page would, without one."""
        html = self.html(f"/view?at={query_id}")
        shown = re.search(r'data-content="([^"]*)" data-last="(\d+)"', html)
        assert shown is not None
        body: dict[str, object] = {
            "key": f"test-{time.monotonic_ns()}",
            "query_id": query_id,
            "content": shown[1],
            "last": int(shown[2]),
            "verdict": verdict,
            "note": "It was looked at again.",
            "disputed": [],
            "seconds": 20.0,
        }
        headers = {
            "Authorization": f"Bearer {self.address.partition('#t=')[2]}",
            "Origin": self.origin,
            "Content-Type": "application/json",
        }
        request = urllib.request.Request(  # noqa: S310  # our own server
            f"{self.origin}/verdict", json.dumps(body).encode(), headers
        )
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  # the same
            assert answer.status == 200

    def kill(self) -> None:
        """End it as a power failure does."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()


@dataclass
class Heard:
    """What a page did besides showing itself; all of it is empty when all is well, refusals of the
    server apart.
    """

    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    @property
    def everything(self) -> list[str]:
        """All of it; that the server refused a request is said by the page itself."""
        refusals = re.compile(
            r"Failed to load resource: (the server responded with a status of 4|net::ERR_)"
        )
        console = [text for text in self.console if not refusals.match(text)]
        return [*console, *self.errors, *self.dialogs, *self.elsewhere]


class Reader:
    """One person at one tab.

    To open a window takes Chromium longer than most tests take, so that one reader after the other
    sits at the same, which the one before has left empty.
    """

    def __init__(
        self,
        browser: Browser,
        address: str,
        *,
        scheme: Literal["light", "dark"] = "light",
        width: int = 1440,
        height: int = 900,
    ) -> None:
        self.context = next(iter(browser.contexts), None) or _open_window(browser)
        self.heard = Heard()
        self.statuses: list[int] = []
        self._origin = address.partition("/#")[0] + "/"
        self._scheme: Literal["light", "dark"] = scheme
        self._size: ViewportSize = {"width": width, "height": height}
        self._listeners: Mapping[Any, Callable[[Any], None]] = {
            "console": lambda message: self.heard.console.append(message.text),
            "pageerror": lambda error: self.heard.errors.append(str(error)),
            "dialog": self._dismiss,
            "request": self._asked,
            "response": self._answered,
        }
        self.page = self._read(self.context.pages[0], address)

    def _dismiss(self, dialog: Dialog) -> None:
        self.heard.dialogs.append(dialog.message)
        dialog.dismiss()

    def open(self, address: str) -> Page:
        """Open one more tab and read along until it shows something."""
        self.page = self._read(self.context.new_page(), address)
        return self.page

    def _read(self, page: Page, address: str) -> Page:
        for event, listener in self._listeners.items():
            page.on(event, listener)
        page.emulate_media(color_scheme=self._scheme)
        page.set_viewport_size(self._size)
        page.goto(address)
        page.wait_for_function("() => window.reading.shown > 0")
        return page

    def press(self, *keys: str) -> None:
        """Press keys without waiting for anything."""
        for key in keys:
            self.page.keyboard.press(key)

    def turn(self, *keys: str) -> None:
        """Press keys and wait until the page shows something anew."""
        before = self.shown
        self.press(*keys)
        self.page.wait_for_function("before => window.reading.shown > before", arg=before)

    def see(self, selector: str) -> str:
        """The text of the first such element."""
        return self.page.locator(selector).first.text_content() or ""

    def data(self, name: str) -> str:
        """What the shown record has under a ``data-`` name; nothing where no record is shown."""
        record = self.page.locator("#record")
        return (record.get_attribute(f"data-{name}") or "") if record.count() else ""

    def told(self, text: str) -> str:
        """Wait until the live region says something with a text in it; give all that it says."""
        self.page.wait_for_function(
            "text => document.getElementById('said').textContent.includes(text)",
            arg=text,
            timeout=PATIENCE_MS,
        )
        return self.see("#said")

    @property
    def shown(self) -> int:
        """How many times the page was filled."""
        return int(self.page.evaluate("window.reading.shown"))

    @property
    def records(self) -> list[dict[str, Any]]:
        """For each view that a key brought: the keys it took, the milliseconds, the heading."""
        return cast(list[dict[str, Any]], self.page.evaluate("window.reading.records"))

    def close(self) -> None:
        """Leave the window to the next; whatever the page did that it should not fails here."""
        first, *others = self.context.pages
        for event, listener in self._listeners.items():
            first.remove_listener(event, listener)
        for page in others:
            page.close()
        first.evaluate("sessionStorage.clear()")
        first.goto("about:blank")
        assert self.heard.everything == []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            error.add_note(self._state())
            self.context.close()

    def _state(self) -> str:
        """What stood on the page, for the report of a failure."""
        try:
            state = self.page.evaluate(STATE)
        except PlaywrightError as problem:
            state = str(problem)
        return f"The page: {state}; besides: {self.heard.everything}; answers: {self.statuses}"

    def _asked(self, request: Request) -> None:
        if not request.url.startswith(self._origin):
            self.heard.elsewhere.append(request.url)

    def _answered(self, response: Response) -> None:
        self.statuses.append(response.status)


def _open_window(browser: Browser) -> BrowserContext:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(WATCHING)
    context.new_page()
    return context


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Start Debian's Chromium, its windowless build first (a quarter less work), or skip."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        pytest.skip("the review page is tested in Chromium, and there is none on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *flags])
        yield browser
        browser.close()


def make_review_desk(directory: Path) -> Desk:
    """A run that nobody has reviewed, with a few records stopped on the way."""
    desk = review_desk(directory)
    desk.path.mkdir()
    code = write_code(directory / "code", LENDING)
    (desk.path / "page.json").write_text(json.dumps(PLAN))
    done = desk.goldwright("run", "page.json", "--repo", code)
    assert done.returncode == 0, done.stderr
    *queued, failed = reserve_of(desk.run)[:4]
    for record in queued:
        queue_record(desk.run, record)
    fail_record(desk.run, failed)
    return desk


def review_desk(directory: Path) -> Desk:
    """The desk in a directory that ``make_review_desk`` has filled."""
    return Desk(directory / "desk", directory / "cache")


@dataclass
class Trap:
    """A server that every name leads to; ``caught`` is what was sent there."""

    caught: list[bytes] = field(default_factory=list)

    @contextmanager
    def listening(self) -> Iterator[int]:
        """Listen on a port."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=self._catch, args=(listener,), daemon=True).start()
            yield listener.getsockname()[1]

    def _catch(self, listener: socket.socket) -> None:
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            with caller:
                caller.settimeout(1)
                try:
                    self.caught.append(caller.recv(2000))
                except TimeoutError:
                    self.caught.append(b"a call without a word")


@contextmanager
def trapped_chromium(trap: Trap) -> Iterator[Browser]:
    """Start Chromium in a world in which every name leads into a trap."""
    with trap.listening() as port:
        rule = f"MAP * 127.0.0.1:{port},EXCLUDE 127.0.0.1"
        with chromium(f"--host-resolver-rules={rule}") as browser:
            yield browser


@contextmanager
def serving(room: ReviewSession, run: str) -> Iterator[str]:
    """Serve a room from this process, whatever its names, and give the address."""
    ports: list[int] = []
    is_bound, is_over = threading.Event(), threading.Event()

    def announce(port: int) -> None:
        ports.append(port)
        is_bound.set()

    def make_app(port: int) -> ASGIApp:
        return review_app(room, run=run, port=port, token=TOKEN)

    def work() -> None:
        serve(make_app, port=0, announce=announce, stop=is_over.is_set)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert is_bound.wait(10)
        yield f"http://127.0.0.1:{ports[0]}/#t={TOKEN}"
    finally:
        is_over.set()
        thread.join(10)
