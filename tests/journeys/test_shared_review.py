"""Several people review one run over a network, behind a proxy that speaks TLS."""

import json
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from journeys.browser import Desk, make_review_desk, review_desk
from journeys.sharing import make_once
from journeys.starting import Started

DOCUMENT = Path(__file__).parents[2] / "docs/review.md"
PATIENCE_SECONDS = 20.0
ROUNDS = 20


@pytest.fixture
def workplace(shared: Path, tmp_path: Path) -> Desk:
    """A copy of a run that nobody has reviewed."""
    return review_desk(make_once(shared / "review-desk", make_review_desk)).copy(tmp_path / "desk")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def documented_location() -> str:
    """The part of nginx's settings that the documents give, which is what is tried here."""
    block = re.search(r"```nginx\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert block is not None
    location = re.search(r"location / \{.*?\n    \}", block[1], re.DOTALL)
    assert location is not None
    return location[0]


@contextmanager
def proxy(root: Path, port: int, page_port: int) -> Iterator[None]:
    """A real nginx with a certificate that it signed itself."""
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1".split()
    files = ["-keyout", str(root / "key.pem"), "-out", str(root / "cert.pem")]
    subprocess.run([*command, *files], check=True, capture_output=True)
    location = documented_location().replace("8400", str(page_port))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {root}/{kind};" for kind in kinds)
    (root / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {root}/pid; error_log {root}/errors;\n"
        f"events {{}}\nhttp {{ access_log off; {paths}\n"
        f"server {{ listen 127.0.0.1:{port} ssl;\n"
        f"ssl_certificate {root}/cert.pem; ssl_certificate_key {root}/key.pem;\n"
        f"{location} }} }}\n"
    )
    nginx = subprocess.Popen(["nginx", "-p", root, "-c", root / "nginx.conf"])
    try:
        yield
    finally:
        nginx.terminate()
        nginx.wait()


def links_of(server: Started) -> list[str]:
    """The links that it prints, a line each, once both are there."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        links = re.findall(r"(https://\S+)\n", server.printed())
        if len(links) == 2:
            return links
        time.sleep(0.05)
    raise AssertionError(server.wait().stderr)


def open_page(browser: Browser, link: str) -> Page:
    page = browser.new_context(ignore_https_errors=True).new_page()
    page.goto(link)
    page.wait_for_selector("[data-query]")
    return page


class Caller:
    """One person's link, used without a browser."""

    def __init__(self, link: str) -> None:
        self.origin, _, token = link.partition("/#t=")
        self._token = token
        self._trust = ssl.create_default_context()
        self._trust.check_hostname = False
        self._trust.verify_mode = ssl.CERT_NONE  # the proxy signed its certificate itself

    def ask(self, path: str, body: dict[str, object] | None = None) -> str:
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Origin": self.origin,
            "Content-Type": "application/json",
        }
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.origin + path, data, headers)  # noqa: S310  # our own
        with urllib.request.urlopen(request, context=self._trust, timeout=30) as answer:  # noqa: S310
            return str(answer.read().decode())

    def seen(self, path: str) -> dict[str, object]:
        """What the page says with every click on its record."""
        found = re.search(
            r'data-query="([^"]*)" data-content="([^"]*)" data-last="(\d+)"', self.ask(path)
        )
        assert found is not None
        return {"query_id": found[1], "content": found[2], "last": int(found[3])}

    def edit_often(self, query_id: str, name: str, together: threading.Barrier) -> list[str]:
        """Change question and narrative in turns, as the other one does; give what was typed."""
        texts = [f"What does {name} ask in round {number}?" for number in range(ROUNDS)]
        for number, text in enumerate(texts):
            seen = self.seen(f"/view?at={query_id}")
            together.wait(PATIENCE_SECONDS)
            claim = ("question", "narrative")[number % 2]
            key = f"{name}-{number:08}"
            self.ask("/edit", {**seen, "key": key, "claim_id": claim, "text": text})
        return texts


def judge(page: Page, key: str) -> None:
    before = page.get_attribute("[data-query]", "data-query")
    page.keyboard.press(key)
    page.wait_for_function(
        "before => document.querySelector('[data-query]')?.dataset.query !== before", arg=before
    )


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_two_people_review_at_once_through_a_proxy(
    browser: Browser, workplace: Desk, tmp_path: Path
) -> None:
    port, page_port = free_port(), free_port()
    server = Started(
        *("review", workplace.run.name, "--listen", f"https://127.0.0.1:{port}"),
        *("--invite", "Ada", "--invite", "Bo:second", "--no-training"),
        *("--port", page_port, "--canaries", 0),
        cwd=workplace.path,
        environment=workplace.environment,
    )
    with proxy(tmp_path, port, page_port):
        pages = [open_page(browser, link) for link in links_of(server)]
        for _ in range(3):
            # In turns, and neither sees what the other said.
            judge(pages[0], "1")
            judge(pages[1], "2")
        assert "Bo" not in pages[0].content()
        # Past the proxy nobody gets in, whatever the link.
        with pytest.raises(urllib.error.HTTPError, match="421"):
            urllib.request.urlopen(f"http://127.0.0.1:{page_port}/view")  # our own
        for page in pages:
            page.context.close()
    server.send_signal(signal.SIGINT)
    assert server.wait().returncode == 0
    verdicts = [word for word in workplace.words if word["event"] == "verdict"]
    given = [(word["reviewer"], word["sitting"], word["verdict"]) for word in verdicts]
    assert given == [("Ada", "first", "correct"), ("Bo", "second", "minor_issue")] * 3
    judged = [{word["query_id"] for word in verdicts[number::2]} for number in (0, 1)]
    assert judged[0] == judged[1]


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_two_people_who_edit_one_record_at_once_each_keep_their_last_word(
    workplace: Desk, tmp_path: Path
) -> None:
    """Every edit that was acknowledged stands once, in its person's order."""
    port, page_port = free_port(), free_port()
    server = Started(
        *("review", workplace.run.name, "--listen", f"https://127.0.0.1:{port}"),
        *("--invite", "Ada", "--invite", "Bo:second", "--no-training"),
        *("--port", page_port, "--canaries", 0),
        cwd=workplace.path,
        environment=workplace.environment,
    )
    together = threading.Barrier(2)
    with proxy(tmp_path, port, page_port), ThreadPoolExecutor(2) as threads:
        callers = [Caller(link) for link in links_of(server)]
        query_id = str(callers[0].seen("/view")["query_id"])
        tasks = [
            threads.submit(caller.edit_often, query_id, name, together)
            for caller, name in zip(callers, ("Ada", "Bo"), strict=True)
        ]
        typed = [task.result() for task in tasks]
        pages = [caller.ask(f"/view?at={query_id}") for caller in callers]
        compared = [caller.ask("/agreement") for caller in callers]
    server.send_signal(signal.SIGINT)
    assert server.wait().returncode == 0
    words = workplace.words
    kept = [[word["after"] for word in words if word["reviewer"] == name] for name in ("Ada", "Bo")]
    assert kept == typed
    numbers = [word["number"] for word in words]
    assert numbers == list(range(numbers[0], numbers[0] + 2 * ROUNDS))
    for page, own, other in zip(pages, ("Ada", "Bo"), ("Bo", "Ada"), strict=True):
        assert f'data-text="What does {own} ask in round {ROUNDS - 2}?"' in page
        assert f'data-text="What does {own} ask in round {ROUNDS - 1}?"' in page
        assert f"What does {other}" not in page
    assert "Cohen" not in "".join(compared)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--invite", "Ada"), "each wants the other"),
        (("--listen", "https://a.example"), "each wants the other"),
        (("--listen", "http://a.example", "--invite", "Ada"), "wanted https"),
        (("--listen", "https://a.example/x", "--invite", "Ada"), "wanted an address"),
        (("--listen", "https://a.example", "--invite", "Ada:third"), "is no pass"),
        (
            ("--listen", "https://a.example", "--invite", "Ada", "--invite", "ada:second"),
            "different people",
        ),
        (("--listen", "https://a.example", "--invite", "Ada", "--reviewer", "Bo"), "--reviewer"),
        ((), "wanted your name"),
    ],
)
def test_what_lets_nobody_in_safely_is_refused(
    workplace: Desk, options: tuple[str, ...], problem: str
) -> None:
    done = workplace.goldwright("review", workplace.run.name, *options)
    assert done.returncode == 2
    assert problem in done.stderr.splitlines()[-1]
