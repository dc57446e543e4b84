"""Review servers that are killed while people click: what was acknowledged is there once, whatever
is sent again.

Three kills are tried here; ``make campaign-review-kills`` tries any number.
"""

import html
import http.client
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from journeys.browser import REVIEWS, Desk, ReviewServer, make_review_desk, review_desk
from journeys.sharing import make_once

TESTS = Path(__file__).resolve().parents[1]
CAMPAIGN = TESTS / "benchmarks" / "review_kills.py"
PATIENCE_SECONDS = 30.0


@pytest.mark.thorough
def test_servers_that_are_killed_while_scripts_click_keep_every_acknowledged_word_once(
    code: Path,
) -> None:
    command = [sys.executable, str(CAMPAIGN), "--kills", "3", "--seed", "11", "--repo", str(code)]
    paths = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    campaign = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert campaign.returncode == 0, campaign.stdout + campaign.stderr
    lines = campaign.stdout.splitlines()
    figures = dict(line.split(": ", 1) for line in lines if ": " in line)
    assert int(figures["kills"].partition(" ")[0]) >= 3
    # How many clicks come through before a kill is the machine's business.
    assert int(figures["acknowledged"]) > 0
    assert figures["acknowledged"] == figures["found"]
    for failure in (
        "lost",
        "duplicated",
        "never asked",
        "different",
        "answered both ways",
        "torn lost",
    ):
        assert figures[failure] == "0"


@pytest.fixture
def desk(shared: Path, tmp_path: Path) -> Desk:
    """A copy of a finished run that nobody has reviewed."""
    return review_desk(make_once(shared / "review-desk", make_review_desk)).copy(tmp_path / "desk")


@contextmanager
def serving(desk: Desk) -> Iterator[ReviewServer]:
    """The command until the block ends, and then no more."""
    server = ReviewServer(desk, "Ada")
    try:
        yield server
    finally:
        server.kill()


def ask(server: ReviewServer, path: str, body: dict[str, Any] | None = None) -> tuple[int, str]:
    """Ask as the page does."""
    token = server.address.partition("#t=")[2]
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS)
    headers = {"Authorization": f"Bearer {token}", "Origin": server.origin}
    if body is not None:
        headers["Content-Type"] = "application/json"
    connection.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def seen(page: str) -> dict[str, Any]:
    """What the page says with every click on its record."""
    found = re.search(r'data-query="([^"]*)" data-content="([^"]*)" data-last="(\d+)"', page)
    assert found is not None, page
    return {"query_id": html.unescape(found[1]), "content": found[2], "last": int(found[3])}


def test_a_click_that_is_sent_again_is_answered_as_if_it_were_the_first_time(
    desk: Desk,
) -> None:
    clicks: list[tuple[str, dict[str, Any]]] = []
    answers: list[list[int]] = []
    with serving(desk) as server:
        page = ask(server, "/view")[1]
        last_fact = re.findall(r'data-claim="(fact-\d+)"', page)[-1]
        cited = re.search(r'data-lines="([^\t"]+)\t(\d+)\t(\d+)', page)
        assert cited is not None
        lines = {"file": html.unescape(cited[1]), "start": int(cited[2]), "end": int(cited[3])}
        first = seen(page)["query_id"]
        for path, more in (
            ("/verdict", {"verdict": "minor_issue"}),
            ("/edit", {"claim_id": last_fact, "text": "It does something else."}),
            ("/edit", {"claim_id": last_fact, "text": ""}),
            ("/edit", {"claim_id": "fact-new", "text": "It does one thing more.", "lines": lines}),
            ("/undo", {}),
        ):
            on = seen(ask(server, f"/view?at={first}")[1]) if path != "/undo" else {}
            clicks.append((path, {"key": f"a-click-{len(clicks)}", **on, **more}))
            answers.append([ask(server, *clicks[-1])[0] for _ in range(2)])
    with serving(desk) as server:
        for place, click in enumerate(clicks):
            answers[place].append(ask(server, *click)[0])
    text = (desk.run / REVIEWS).read_text()
    assert [text.count(f'"key":"a-click-{place}"') for place in range(5)] == [1, 1, 1, 1, 1]
    assert dict(enumerate(answers)) == {place: [200, 200, 200] for place in range(5)}
