"""Kill review servers while scripts click, and compare what was acknowledged with what stands in
the file.

Use: ``PYTHONPATH=tests python tests/benchmarks/review_kills.py --kills 1000 --seed 1``. Two
reviewers, each with a server and two tabs, write one ``human_reviews.jsonl`` as fast as they can; a
click whose answer was lost is sent again with its own key, by both tabs. Servers are killed by the
clock, while they start too, and with strace on the path at the N-th call that touches the disk.
Most are forked from a process that has read the program; some are the real command. It prints what
was acknowledged and found, and ends with 1 if anything is lost, doubled or was never asked.
"""

import argparse
import fcntl
import hashlib
import html
import json
import multiprocessing
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random, SystemRandom
from typing import Any
from uuid import UUID

from benchmarks.kill_campaign import PROJECT, freeze_program, make_repository
from goldwright.app.environment import Environment
from goldwright.app.reviews.review import ReviewRequest, open_review_session, serve_review
from goldwright.engine.clock import SystemClock
from goldwright.engine.progress import SilentProgress
from goldwright.errors import GoldwrightError
from goldwright.journal import ReviewLog
from goldwright.records import ReviewPass
from journeys.workplace import write_manifest

REVIEWERS: tuple[tuple[str, ReviewPass], ...] = (("Ada", "first"), ("Ben", "second"))
TABS = 2
PAIRS_AT_ONCE = 2
KILLS_OF_ONE_DESK = 25
QUEUED = 2
BESIDE = (("status",), ("spot-check",), ("resume",))
PATIENCE_SECONDS = 20.0
FILE = "human_reviews.jsonl"
QUEUE = "04_human_review_queue.jsonl"
OFTEN = {"write": 12, "fdatasync": 12, "flock": 24, "openat": 60}
"""Calls on the file itself, and up to which one a server is let live."""
REPAIRS = {"ftruncate": 1, "fsync": 4, "mkdir": 1, "write": 1}
"""Calls of whatever file, by which a torn line is set aside."""
SHARE_OF_COMMANDS, SHARE_OF_CALLS, SHARE_OF_STARTS, SHARE_OF_TORN = 0.08, 0.3, 0.12, 0.15
OK, LOST, UNAVAILABLE, REFUSED, STRANGERS = 200, 0, 503, (409, 422), (401, 429)
UNDO = "/undo"

_RECORD = re.compile(
    r'<main id="record" data-query="([^"]*)" data-content="([^"]*)"'
    r' data-last="(\d+)" data-lane="(\w+)"'
)
_CLAIM = re.compile(r'data-claim="([^"]*)" data-lines="([^"]*)" data-text=')
_ENTITY = re.compile(r'data-entity="([^"]*)"')
_ROLES = ("primary", "supporting", "contextual")
_AT = re.compile(r'<li><button type="button" data-at="([^"]*)"')
_VERDICTS = ("correct", "minor_issue", "major_issue", "wrong")
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["benchmarks.review_kills"])


@dataclass
class Click:
    """One thing that was asked for, under its key, and every answer to it."""

    path: str
    body: dict[str, Any]
    reviewer: str
    answers: list[int] = field(default_factory=list)

    @property
    def key(self) -> str:
        return str(self.body["key"])

    @property
    def is_acknowledged(self) -> bool:
        return OK in self.answers

    @property
    def is_refused(self) -> bool:
        return any(one in REFUSED for one in self.answers)


@dataclass
class Tally:
    """What a campaign found; ``problems`` has one line for each thing that is wrong."""

    kills: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    edits: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def complain(self, kind: str, problem: str, count: int = 1) -> None:
        """Count something that is wrong, and say what."""
        self.wrong[kind] += count
        self.problems.append(f"{kind}: {problem}")

    def lines(self) -> Iterator[str]:
        """The figures, one a line."""
        ways = ", ".join(f"{count} {way}" for way, count in sorted(self.kills.items()))
        yield f"kills: {self.kills.total()} ({ways})"
        for name in (
            "asked",
            "acknowledged",
            "found",
            "unanswered but found",
            "repeated",
            "refused",
            "torn set aside",
        ):
            yield f"{name}: {self.counts[name]}"
        edited = ", ".join(f"{count} {name}" for name, count in sorted(self.edits.items()))
        yield f"edits: {self.edits.total()} ({edited})"
        for name in (
            "lost",
            "duplicated",
            "never asked",
            "different",
            "answered both ways",
            "torn lost",
        ):
            yield f"{name}: {self.wrong[name]}"
        yield f"problems: {len(self.problems)}"


@dataclass(frozen=True, slots=True)
class Setting:
    """What is reviewed: a finished run to copy, the cache that it rests on, and the source of the
    program.
    """

    run: Path
    cache: Path
    source: Path

    def environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(self.source), "GOLDWRIGHT_CACHE": str(self.cache)}


class Server:
    """One review server; ``address`` is where it is and its token, once it said so."""

    def __init__(
        self,
        workplace: Path,
        setting: Setting,
        reviewer: tuple[str, ReviewPass],
        *,
        is_command: bool,
    ) -> None:
        self.address: tuple[int, str] | None = None
        self.is_command = is_command
        if is_command:
            self._start_command(workplace, setting, reviewer)
        else:
            self._start_light(workplace, setting, reviewer)

    def go(self) -> None:
        """Let it open the room: a server that is traced is traced by now."""
        if not self.is_command:
            self._gate.send_bytes(b"go")

    def wait_for_address(self, seconds: float) -> bool:
        """Wait until it answers; give False if it is not that far or has died."""
        with suppress(EOFError, OSError):
            if self.is_command and select.select([self._output], [], [], seconds)[0]:
                self._take(self._output.readline().decode())
            elif not self.is_command and self._said.poll(seconds):
                self._take(self._said.recv())
        return self.address is not None

    def ended(self, seconds: float) -> int | None:
        """Wait for its end and give its exit code, or None while it lives."""
        if not self.is_command:
            self._process.join(seconds)
            return self._process.exitcode
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(seconds)
            self._output.close()
        return self._popen.returncode

    def kill(self) -> None:
        """Kill it at once, if it lives."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def _take(self, address: str) -> None:
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#t=(\S+)", address.strip())
        self.address = (int(found[1]), found[2]) if found else None

    def _start_light(
        self, workplace: Path, setting: Setting, reviewer: tuple[str, ReviewPass]
    ) -> None:
        wait, self._gate = _CONTEXT.Pipe(duplex=False)
        self._said, say = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(
            target=serve_light, args=(workplace, setting, reviewer, wait, say), daemon=True
        )
        self._process.start()
        wait.close()
        say.close()
        self.pid = self._process.pid or 0

    def _start_command(
        self, workplace: Path, setting: Setting, reviewer: tuple[str, ReviewPass]
    ) -> None:
        name, sitting = reviewer
        second = ["--second"] if sitting == "second" else []
        command = [
            sys.executable,
            "-m",
            "goldwright",
            "review",
            "--canaries",
            "0",
            setting.run.name,
            "--no-training",
            "--reviewer",
            name,
            "--port",
            "0",
        ]
        self._popen = subprocess.Popen(
            [*command, *second], cwd=workplace, env=setting.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        if self._popen.stdout is None:
            raise RuntimeError("the command has no output to read")
        self._output = self._popen.stdout
        self.pid = self._popen.pid


def serve_light(
    workplace: Path,
    setting: Setting,
    reviewer: tuple[str, ReviewPass],
    gate: Connection,
    say: Connection,
) -> None:
    """Open the room and serve it, as the command does, in a process that has read the program
    already.
    """
    gate.recv_bytes()
    name, sitting = reviewer
    environment = Environment(
        workplace,
        {"GOLDWRIGHT_CACHE": str(setting.cache)},
        workplace,
        SystemClock(),
        SystemRandom(),
    )
    with open_review_session(
        ReviewRequest(setting.run.name, name, sitting), environment, SilentProgress()
    ) as (room, run):
        serve_review(room, run, port=0, token_bytes=os.urandom, announce=say.send)


class Seat:
    """A reviewer's place: the server there is now, and the clicks that each tab is yet to send."""

    def __init__(self, reviewer: tuple[str, ReviewPass], clicks: dict[str, Click]) -> None:
        self.reviewer = reviewer
        self.clicks = clicks
        self.server: Server | None = None
        self.waiting: list[list[Click]] = [[] for _ in range(TABS)]
        self.is_closing = False
        self.surprises: list[str] = []

    @property
    def address(self) -> tuple[int, str] | None:
        return self.server.address if self.server else None

    def spread(self, click: Click) -> None:
        """Have every tab send a click."""
        for waiting in self.waiting:
            if click not in waiting:
                waiting.append(click)


class Tab(threading.Thread):
    """One tab of a reviewer's browser: looks, clicks and looks again until its seat is closed."""

    def __init__(self, client: Seat, number: int, seed: str) -> None:
        super().__init__(daemon=True)
        self._client, self._waiting, self._chance = client, client.waiting[number], Random(seed)
        self._address: tuple[int, str] | None = None
        self._connection = HTTPConnection("127.0.0.1")
        self._ids: list[str] = []
        self._entities: set[str] = set()
        self._page = ""

    def run(self) -> None:
        """Click until the seat is closed and nothing waits for an answer."""
        while self._waiting or not self._client.is_closing:
            self._address = self._client.address
            if self._address is None:
                time.sleep(0.002)
                continue
            try:
                self._send(self._waiting.pop(0)) if self._waiting else self._click()
            except (OSError, HTTPException):
                self._connection.close()
                time.sleep(0.01)

    def _click(self) -> None:
        if not self._ids:
            self._ids = _AT.findall(self._ask("/overview")[1])
            return
        if self._chance.random() < 0.5 or not _RECORD.search(self._page):
            self._page = self._ask(f"/view?at={self._chance.choice(self._ids)}")[1]
        found = _RECORD.search(self._page)
        if found is None:  # taken out by a runner
            self._ids = []
            return
        path, body = self._choose(*(html.unescape(one) for one in found.groups()))
        body["key"] = str(UUID(int=self._chance.getrandbits(128)))
        click = Click(path, body, self._client.reviewer[0])
        self._client.clicks[click.key] = click
        if self._chance.random() < 0.1:
            self._client.spread(click)
        self._send(click)

    def _choose(self, query: str, content: str, last: str, lane: str) -> tuple[str, dict[str, Any]]:
        chance, seen = self._chance, {"query_id": query, "content": content, "last": int(last)}
        word = f"word {chance.randrange(10**6)} – “{chance.choice('äß→😀')}”"
        kind = chance.random()
        if kind < 0.15:
            return UNDO, {}
        if kind < 0.4:
            return "/edit", {**seen, **self._change(word)}
        if lane in {"queued", "failed_gate"}:
            decision = chance.choices(("keep", "drop", "retry"), (6, 3, 1))[0]
            return "/decision", {**seen, "decision": decision, "words": word}
        note = chance.choice(("", word, word * 100))
        verdict = chance.choices(_VERDICTS, (5, 3, 1, 1))[0]
        return "/verdict", {
            **seen,
            "verdict": verdict,
            "note": note,
            "seconds": round(chance.uniform(0, 9), 1),
        }

    def _change(self, word: str) -> dict[str, Any]:
        """An edit of any part of the record on the page: one that is there, or one more."""
        chance, claims = self._chance, dict(_CLAIM.findall(self._page))
        self._entities.update(html.unescape(one) for one in _ENTITY.findall(self._page))
        with_lines = [one for one in claims.values() if one.strip()]
        added = ["fact-new", "range-new", "entity-new"] if with_lines and self._entities else []
        name = chance.choice([*claims, "question", *added])
        kind = name.rpartition("-")[0]
        if name == "entity-new":
            entity = chance.choice(sorted(self._entities))
            role = chance.choice(_ROLES)
            return {"claim_id": name, "text": word, "entity_id": entity, "role": role}
        is_removed = name not in {"narrative", "question"} and chance.random() < 0.3
        if kind == "range" and not (is_removed and name != "range-new") and with_lines:
            return {"claim_id": name, "text": "", "lines": self._lines(with_lines)}
        if name == "fact-new":
            return {"claim_id": name, "text": word, "lines": self._lines(with_lines)}
        if is_removed or kind == "range":
            return {"claim_id": name, "text": ""}
        if kind == "entity" and chance.random() < 0.5:
            return {"claim_id": name, "text": word, "role": chance.choice(_ROLES)}
        return {"claim_id": name, "text": word}

    def _lines(self, with_lines: list[str]) -> dict[str, Any]:
        """Lines within those of some claim: both ends are lines of the file."""
        lines = html.unescape(self._chance.choice(with_lines)).strip().split("\n")[0]
        file, first, last = lines.split("\t")
        start = self._chance.randint(int(first), int(last))
        return {"file": file, "start": start, "end": self._chance.randint(start, int(last))}

    def _send(self, click: Click) -> None:
        if click.is_refused and click.path != UNDO:
            return
        try:
            status, text = self._ask(click.path, click.body)
        except (OSError, HTTPException):
            if click.answers[-1:] != [LOST]:
                click.answers.append(LOST)
            self._client.spread(click)
            raise
        if status == OK or status in REFUSED:
            click.answers.append(status)
            self._page = text if status == OK else ""
        elif status == UNAVAILABLE or (
            status in STRANGERS and self._client.address != self._address
        ):
            self._client.spread(click)
        else:
            self._client.surprises.append(f"{click.path} was answered {status}")

    def _ask(self, path: str, body: Mapping[str, Any] | None = None) -> tuple[int, str]:
        port, token = self._address or (0, "")
        if self._connection.port != port:
            self._connection.close()
            self._connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        headers = {"Authorization": f"Bearer {token}", "Origin": f"http://127.0.0.1:{port}"}
        if body is None:
            self._connection.request("GET", path, headers=headers)
        else:
            headers["Content-Type"] = "application/json"
            self._connection.request("POST", path, json.dumps(body), headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read().decode()


class Desk:
    """One copy of the run under review, its two seats, and everything that was ever asked for."""

    def __init__(self, setting: Setting, root: Path, seed: str) -> None:
        self.setting, self.root, self.tally = setting, root, Tally()
        self.run = root / "runs" / setting.run.name
        shutil.copytree(setting.run, self.run)
        self._chance = Random(seed)
        self._clicks: dict[str, Click] = {}
        self._seats = tuple(Seat(one, self._clicks) for one in REVIEWERS)
        self._tabs = [
            Tab(client, at, f"{seed} {client.reviewer} {at}")
            for client in self._seats
            for at in range(TABS)
        ]
        self._torn: list[bytes] = []
        self._seen = b""
        self._beside: subprocess.Popen[bytes] | None = None

    def review(self, kills: int) -> Tally:
        """Click and kill until ``kills`` kills have hit or something is wrong; then let every click
        be answered.
        """
        for client in self._seats:
            self._start(client)
        for tab in self._tabs:
            tab.start()
        while self.tally.kills.total() < kills and not self.tally.problems:
            self._strike()
            self._check()
            self._look_beside()
        self._close()
        return self.tally

    def _strike(self) -> None:
        seats = self._chance.sample(self._seats, self._chance.choices((1, 2), (5, 1))[0])
        if shutil.which("strace") and self._chance.random() < SHARE_OF_TORN:
            self._strike_a_repair()
            return
        for client in seats:
            self._kill(client)
        if len(seats) == TABS or self._chance.random() < SHARE_OF_TORN:
            self._tear()
        for client in seats:
            self._start(client)

    def _strike_a_repair(self) -> None:
        for client in self._seats:
            self._kill(client)
        self._tear()
        client = self._chance.choice(self._seats)
        call = self._chance.choice(sorted(REPAIRS))
        self._start(client, call)
        for one in self._seats:
            if one.server is None:
                self._start(one)

    def _kill(self, client: Seat) -> None:
        """Kill a server that answers: at a call on the file, or by the clock if none comes."""
        server = client.server
        if server is None:
            return
        way, patience = "by the clock", self._chance.uniform(0, 0.3)
        if self._chance.random() < SHARE_OF_CALLS:
            call = self._chance.choice(sorted(OFTEN))
            if trace(server.pid, call, self._chance.randint(1, OFTEN[call]), self.run / FILE):
                way, patience = f"at {call}", 1.5
        self._finish(server, way, patience)
        client.server = None

    def _finish(self, server: Server, way: str, patience: float) -> None:
        code = server.ended(patience)
        if code is None:
            way = way if way.startswith("while") else "by the clock"
            server.kill()
            code = server.ended(PATIENCE_SECONDS)
        if code != -signal.SIGKILL:
            self.tally.complain("server", f"{way}: a server ended in {code}")
        self.tally.kills[way] += 1
        self.tally.counts["commands"] += server.is_command

    def _start(self, client: Seat, repair: str | None = None) -> None:
        """Start servers in a seat until one is let live."""
        while client.server is None and not self.tally.problems:
            is_command = repair is None and self._chance.random() < SHARE_OF_COMMANDS
            server = Server(self.root, self.setting, client.reviewer, is_command=is_command)
            if repair is not None and trace(
                server.pid, repair, self._chance.randint(1, REPAIRS[repair])
            ):
                server.go()
                server.wait_for_address(PATIENCE_SECONDS)
                client.server = server
                self._finish(server, f"at {repair} of a repair", 1.0)
                client.server = repair = None
            elif self._chance.random() < SHARE_OF_STARTS:
                server.go()
                self._finish(
                    server, "while starting", self._chance.uniform(0, 1.5 if is_command else 0.1)
                )
            else:
                server.go()
                if not server.wait_for_address(PATIENCE_SECONDS):
                    self.tally.complain("server", f"did not start: ended in {server.ended(0.1)}")
                client.server = server

    def _tear(self) -> None:
        """Leave half a line, as a power loss does."""
        with (self.run / FILE).open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            lines = file.read().splitlines(keepends=True)
            if not lines or not lines[-1].endswith(b"\n"):
                return
            kind, length = self._chance.random(), self._chance.randint(1, len(lines[-1]) - 1)
            torn = (
                bytes(length)
                if kind < 0.2
                else lines[-1][:length]
                if kind < 0.8
                else lines[-1][:-1]
            )
            file.write(torn)
            self._torn.append(torn)

    def _check(self) -> None:
        acknowledged = [one for one in list(self._clicks.values()) if one.is_acknowledged]
        data = (self.run / FILE).read_bytes()
        asked = dict(self._clicks)
        whole = data[: data.rfind(b"\n") + 1]
        if not data.startswith(self._seen):
            self.tally.complain("lost", "lines that stood in the file are others now")
        self._seen = whole
        try:
            events = [json.loads(line) for line in whole.split(b"\n")[:-1]]
        except ValueError as error:
            self.tally.complain("damaged", f"a line is no JSON: {error}")
            return
        check_events(events, asked, self.tally)
        keys = {event["key"] for event in events}
        for click in acknowledged:
            if click.key not in keys:
                self.tally.complain("lost", f"{click.path} {click.key} was acknowledged")
        self._check_reading(len(events))
        self._check_tabs()

    def _check_reading(self, count: int) -> None:
        reviews = ReviewLog(self.run / FILE)
        try:
            reviews.refresh()
        except GoldwrightError as error:
            self.tally.complain("damaged", str(error))
        else:
            if len(reviews.events) < count:
                self.tally.complain("damaged", f"read {len(reviews.events)} of {count} events")

    def _check_tabs(self) -> None:
        for surprise in [one for client in self._seats for one in client.surprises]:
            self.tally.complain("surprise", surprise)
        if not all(tab.is_alive() or not tab.ident for tab in self._tabs):
            self.tally.complain("surprise", "a tab broke")

    def _look_beside(self) -> None:
        """Now and then have a runner or somebody who looks at work on the same run."""
        if self._beside is not None and self._beside.poll() is not None:
            if self._beside.returncode not in (0, 1):
                text = (self.root / "beside.txt").read_text(errors="replace").strip()
                self.tally.complain(
                    "beside", f"{self._beside.args!r} ended in {self._beside.returncode}: {text}"
                )
            self.tally.counts["commands beside"] += 1
            self._beside = None
        if self._beside is None and self._chance.random() < 0.15:
            self._beside = self._command(*self._chance.choice(BESIDE))

    def _command(self, *words: str) -> "subprocess.Popen[bytes]":
        with (self.root / "beside.txt").open("wb") as errors:
            return subprocess.Popen(
                [sys.executable, "-m", "goldwright", *words, self.setting.run.name],
                cwd=self.root,
                env=self.setting.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )

    def _close(self) -> None:
        for client in self._seats:
            client.is_closing = True
        for tab in self._tabs:
            tab.join(PATIENCE_SECONDS)
            if tab.is_alive() and not self.tally.problems:
                self.tally.complain("surprise", "a click is never answered")
        for client in self._seats:
            if client.server is not None:
                client.server.kill()
        if self._beside is not None:
            self._beside.wait(PATIENCE_SECONDS)
            self._look_beside()
        self._tabs = []
        try:
            with ReviewLog(self.run / FILE) as reviews, reviews.turn():
                pass
        except GoldwrightError as error:
            self.tally.complain("damaged", str(error))
        self._check()
        self._judge_end()

    def _count_edits(self) -> None:
        """Count the edits that stand in the file by what they changed."""
        events = [json.loads(line) for line in self._seen.split(b"\n")[:-1]]
        edited = Counter(event["field"] for event in events if event["event"] == "edit")
        self.tally.edits.update(edited)

    def _judge_end(self) -> None:
        kept = [path.read_bytes() for path in (self.run / "quarantine").glob("*")]
        for torn in self._torn:
            if torn not in kept:
                self.tally.complain("torn lost", f"{torn!r} is not kept")
        self._count_edits()
        code = self._command("spot-check").wait(60)
        if code not in (0, 1):
            self.tally.complain(
                "spot-check", (self.root / "beside.txt").read_text(errors="replace").strip()
            )
        clicks, text = self._clicks.values(), self._seen.decode()
        found = {key for key in self._clicks if f'"key":"{key}"' in text}
        for click in (self._clicks[key] for key in found):
            # An undo that finds nothing may find something when it is sent again.
            if not click.is_acknowledged or (click.is_refused and click.path != UNDO):
                self.tally.complain("answered both ways", str(click))
        self.tally.counts.update(
            {
                "asked": len(clicks),
                "acknowledged": sum(one.is_acknowledged for one in clicks),
                "found": len(found),
                "unanswered but found": sum(
                    LOST in one.answers for one in clicks if one.key in found
                ),
                "repeated": sum(len(one.answers) > 1 for one in clicks),
                "refused": sum(one.is_refused for one in clicks),
                "torn set aside": len(kept),
            }
        )


def check_events(events: list[dict[str, Any]], asked: Mapping[str, Click], tally: Tally) -> None:
    """Check that the file holds what was asked for, once and in order."""
    if [event["number"] for event in events] != list(range(1, len(events) + 1)):
        tally.complain("different", "the numbers are not 1, 2, 3 and so on")
    for key, count in Counter(event["key"] for event in events).items():
        if count > 1:
            tally.complain("duplicated", f"{key} stands {count} times", count - 1)
    said = [event for event in events if event["event"] != "sample"]
    if len(said) != len(events) - 1:
        tally.complain("duplicated", "the sample was not drawn once")
    for event in said:
        click = asked.get(event["key"])
        if click is None:
            tally.complain("never asked", str(event))
        elif not says_the_same(event, click):
            tally.complain("different", f"{event} was asked for as {click}")


def says_the_same(event: Mapping[str, Any], click: Click) -> bool:
    """Tell whether an event is what a click asked for."""
    kinds = {"/verdict": "verdict", "/decision": "decision", "/edit": "edit", UNDO: "undo"}
    wanted: dict[str, object] = {
        name: click.body[name]
        for name in ("query_id", "verdict", "decision", "words")
        if name in click.body
    }
    wanted |= {"event": kinds[click.path], "reviewer": click.reviewer}
    if "note" in click.body:
        wanted["note"] = click.body["note"] or None
    # What is edited may be a text, or a list of entities with their reasons, or of ranges.
    if click.path == "/edit" and not holds_the_edit(event, click.body):
        return False
    return all(event[name] == value for name, value in wanted.items())


def holds_the_edit(event: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    """Tell whether an event of an edit holds each thing that was typed and chosen."""
    after = event["after"]
    if body["text"] and body["text"] not in str(after):
        return False
    entities = [one for one in after if isinstance(one, dict) and body["text"] in str(one)]
    for name in ("entity_id", "role"):
        if name in body and body[name] not in [entity.get(name) for entity in entities]:
            return False
    if "lines" not in body:
        return True
    ranges = after if event["field"] == "expected_line_ranges" else event["citations"]
    return any(one.items() >= body["lines"].items() for one in ranges)


def trace(pid: int, call: str, number: int, path: Path | None = None) -> bool:
    """Have a process killed at its N-th call of a kind from now on; give False where it cannot be
    traced.
    """
    if not shutil.which("strace"):
        return False
    only = ["-P", str(path)] if path else []
    inject = f"inject={call}:signal=SIGKILL:when={number}"
    command = [
        "strace",
        "-qq",
        "-o",
        "/dev/null",
        "-p",
        str(pid),
        *only,
        "-e",
        f"trace={call}",
        "-e",
        inject,
    ]
    tracer = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    threading.Thread(target=tracer.wait, daemon=True).start()
    status = Path(f"/proc/{pid}/status")
    until = time.monotonic() + 2.0
    while time.monotonic() < until and tracer.returncode is None:
        if status.exists() and not re.search(r"TracerPid:\t0\n", status.read_text()):
            return True
        time.sleep(0.002)
    return False


def make_setting(directory: Path, repo: Path | None) -> Setting:
    """Freeze the program, make a run of a small codebase, and put some of its reserve into the
    queue.
    """
    source = freeze_program(directory / "program")
    codebase = repo.resolve() if repo else make_repository(directory / "repo")
    setting = Setting(directory / "made", directory / "cache", source)
    setting.run.mkdir()
    plan = PROJECT / "plans" / "smoke.json"
    command = [
        sys.executable,
        "-m",
        "goldwright",
        "run",
        str(plan),
        "--repo",
        str(codebase),
        "--seed",
        "7",
    ]
    made = subprocess.run(
        command, cwd=setting.run, env=setting.environment(), check=False, capture_output=True
    )
    # 1: the codebase fills some cells only, which is enough to be reviewed.
    if made.returncode not in {0, 1}:
        raise RuntimeError(made.stderr.decode())
    (run,) = (setting.run / "runs").iterdir()
    put_in_queue(run)
    return Setting(run, setting.cache, source)


def put_in_queue(run: Path) -> None:
    """Make the last records of a run ones that a person must decide on."""
    candidates = [
        json.loads(line) for line in (run / "00_candidates.jsonl").read_text().splitlines()
    ]
    measures = {
        "reasons": ["by hand"],
        "entity_jaccard": None,
        "file_jaccard": None,
        "narrative_verdict": None,
    }
    with (run / QUEUE).open("a") as queue:
        for one in candidates[-QUEUED:]:
            kept = {
                name: one[name] for name in ("query_id", "task_type", "difficulty", "created_at")
            }
            queue.write(json.dumps({**kept, **measures, "schema_version": "1.0.0"}) + "\n")
    data = (run / QUEUE).read_bytes()
    manifest = json.loads((run / "run.json").read_bytes())
    manifest["seals"][QUEUE] = {
        "count": data.count(b"\n"),
        "digest": f"sha256:{hashlib.sha256(data).hexdigest()}",
    }
    write_manifest(run, manifest)


def campaign(setting: Setting, directory: Path, kills: int, seed: int) -> Tally:
    """Review on one desk after the other, some at once, until ``kills`` kills have hit."""
    shares = [min(KILLS_OF_ONE_DESK, kills - done) for done in range(0, kills, KILLS_OF_ONE_DESK)]
    total = Tally()

    def review(number: int) -> Tally:
        root = directory / f"desk-{number}"
        tally = Desk(setting, root, f"{seed} {number}").review(shares[number])
        shutil.rmtree(root)
        return tally

    with ThreadPoolExecutor(PAIRS_AT_ONCE) as pool:
        for tally in pool.map(review, range(len(shares))):
            total.kills += tally.kills
            total.counts += tally.counts
            total.wrong += tally.wrong
            total.edits += tally.edits
            total.problems += tally.problems
    return total


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repo", type=Path)
    options = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="review-kills-") as name:
        directory = Path(name).resolve()
        setting = make_setting(directory, options.repo)
        # The process that servers are forked from, and they, read the frozen program.
        sys.path.insert(0, str(setting.source))
        os.environ["PYTHONPATH"] = os.pathsep.join((str(setting.source), str(PROJECT / "tests")))
        tally = campaign(setting, directory, options.kills, options.seed)
    print(*tally.problems, *tally.lines(), sep="\n")
    print(f"{(time.monotonic() - begun) / max(tally.kills.total(), 1):.2f} s a kill")
    return 1 if tally.problems else 0


if __name__ == "__main__":
    sys.exit(main())
