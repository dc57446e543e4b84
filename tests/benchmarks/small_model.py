"""A real model behind a real server: what each role, relevance and benefit get out of it.

Usage: small_model.py SERVER_PYTHON OUT REPO [--only PART ...]

The model has 135 million parameters, so it is expected to fail at nearly everything. What is looked
at is how: whether each failure is told as what it is, nothing hangs, no record is let through that
a better model would not have got through, and what the server said is what is reported.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.benefit_kills import arguments_of, make_work

CONTEXT = 2560
"""Tokens of the window: of the 8192 that it was trained for, since some replies have no end."""

_MODEL = "workshop:smollm2"
_ROLES = ("author", "oracle", "adversary", "completeness", "judge")
_SERVER = Path(__file__).with_name("small_model_server.py")
# Loading takes seconds; a machine that is busy, a minute.
_SECONDS_TO_START = 120
# After so many seconds a part is broken off; what it has done by then is told.
_SECONDS_OF_A_PART = 1800
_PARTS = ("check", "preflight", "all", "judge", "relevance", "crowded", "benefit")
# A call takes this model some seconds, and on a busy machine a minute.
_RELEVANCE_TASKS, _RELEVANCE_TRIALS = 2, 4
# So many documents are more than its window holds whenever half of them are shown.
_TOO_MANY_DOCUMENTS = 40
_BENEFIT_WORDS = ("harbour",)
# What the server counts since it was started: tokens that it read anew, and that it wrote.
_READ, _WRITTEN = "llamacpp:prompt_tokens_total", "llamacpp:tokens_predicted_total"


@dataclass(frozen=True)
class Workplace:
    """A directory with settings that lead to the server, and the program in it.

    Attributes:
        directory: Where settings, runs and results are.
        repo: The codebase.
    """

    directory: Path
    repo: Path

    def call(self, *arguments: object) -> "subprocess.CompletedProcess[str]":
        """Run a command; one that takes too long is killed, and ends with -9."""
        command = [sys.executable, "-m", "goldwright", *map(str, arguments)]
        began_at = time.monotonic()
        with subprocess.Popen(
            command, cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                output, errors = process.communicate(timeout=_SECONDS_OF_A_PART)
            except subprocess.TimeoutExpired:
                process.kill()
                output, errors = process.communicate()
        seconds = time.monotonic() - began_at
        print(f"$ goldwright {' '.join(map(str, arguments))}")
        print(f"  exit {process.returncode} after {seconds:.0f} s")
        for line in errors.splitlines()[-3:]:
            print(f"  | {line}")
        return subprocess.CompletedProcess(command, process.returncode, output, errors)

    def configure(self, port: int, roles: tuple[str, ...], *, preflight: bool) -> None:
        """Let the model play some roles; the others are played by the embedded agents."""
        lines = ["[agents]", "allow_same_family = true"]
        lines.extend(f'{role} = "{_MODEL}"' for role in roles)
        lines.extend(["[run]", f"preflight = {json.dumps(preflight)}", "canaries = 0"])
        lines.extend(
            [
                "[providers.workshop]",
                f'base_url = "http://127.0.0.1:{port}/v1"',
                'family = "smollm"',
                "max_concurrency = 1",
                "timeout_s = 1200",
                f'[prices."{_MODEL}"]',
                "input = 0",
                "output = 0",
            ]
        )
        (self.directory / "goldwright.toml").write_text("\n".join(lines) + "\n")


def main() -> None:
    """Play the parts one after another, and tell what each came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server_python", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("repo", type=Path)
    parser.add_argument("--only", nargs="*", choices=_PARTS, default=_PARTS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    place = Workplace(options.out.resolve(), options.repo.resolve())
    with _serving(options.server_python, place.directory / "server.log") as port:
        for part in options.only:
            print(f"== {part}", flush=True)
            _PLAYERS[part](place, port)


@contextmanager
def _serving(python: Path, log: Path) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [os.fspath(python), os.fspath(_SERVER), str(port), str(CONTEXT)]
    with (
        log.open("wb") as output,
        subprocess.Popen(command, stdout=output, stderr=output) as server,
    ):
        try:
            _wait_for(f"http://127.0.0.1:{port}/health", server)
            yield port
        finally:
            server.kill()


def _wait_for(url: str, server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        try:
            if httpx2.get(url, timeout=5).is_success:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.5)
    sys.exit("the server did not start; see server.log")


def _check(place: Workplace, port: int) -> None:
    place.configure(port, _ROLES, preflight=True)
    print(place.call("agents", "check").stdout)


def _preflight(place: Workplace, port: int) -> None:
    place.configure(port, _ROLES, preflight=True)
    place.call("run", "smoke", "--repo", place.repo)


def _play_all(place: Workplace, port: int) -> None:
    place.configure(port, _ROLES, preflight=False)
    place.call("run", "smoke", "--repo", place.repo)
    _tell_run(place)


def _play_judge(place: Workplace, port: int) -> None:
    place.configure(port, ("judge",), preflight=True)
    place.call("run", "smoke", "--repo", place.repo)
    _tell_run(place)
    judged = _newest_run(place) / "04_judged.jsonl"
    # A preflight that turns the model away leaves nothing to be judged.
    if not judged.exists():
        print("  nothing was judged")
        return
    for line in judged.open():
        print(f"  {json.dumps(json.loads(line))[:300]}")


def _newest_run(place: Workplace) -> Path:
    return max((place.directory / "runs").iterdir(), key=lambda path: path.name)


def _tell_run(place: Workplace) -> None:
    status: Mapping[str, Any] = json.loads(place.call("status", "latest", "--json").stdout or "{}")
    for key in ("state", "funnel", "rejected", "aside", "slips", "calls"):
        if key in status:
            print(f"  {key}: {json.dumps(status[key])[:600]}")
    print(place.call("cost", "latest").stdout)


def _play_relevance(place: Workplace, port: int) -> None:
    place.configure(port, (), preflight=False)
    _make_tasks(place)
    _prove(place, port, "trials", ("--retrieved", 2, "--random", 2))


def _play_crowded(place: Workplace, port: int) -> None:
    """Show more than the window holds: no answer can be had, which is no wrong answer."""
    place.configure(port, (), preflight=False)
    _make_tasks(place)
    _prove(place, port, "crowded", ("--retrieved", 2, "--random", _TOO_MANY_DOCUMENTS))


def _make_tasks(place: Workplace) -> None:
    tasks = place.directory / "tasks"
    if not (tasks / "tasks.yaml").exists():
        place.call(
            *("relevance", "make", "--repo", place.repo, "--tasks", _RELEVANCE_TASKS),
            *("--out", tasks),
        )


def _prove(place: Workplace, port: int, name: str, pool: tuple[object, ...]) -> None:
    out = place.directory / name
    trials = ("--design", "fixed", "--trials", _RELEVANCE_TRIALS, "--control-trials", 0)
    begun = _journalled_tokens(out), _server_tokens(port)
    made = place.call(
        *("relevance", "run", place.directory / "tasks" / "tasks.yaml", "--repo", place.repo),
        *(*trials, "--solver", _MODEL, *pool, "--concurrency", 1, "--out", out),
    )
    print(made.stdout)
    _tell_trials(out / "trials.jsonl", ("outcome", "reason"))
    _tell_tokens(begun, (_journalled_tokens(out), _server_tokens(port)))


def _play_benefit(place: Workplace, port: int) -> None:
    """Try both arms with an MCP server over stdio as the tool."""
    place.configure(port, (), preflight=False)
    work = place.directory / "benefit-work"
    if not work.exists():
        work.mkdir()
        make_work(work, _BENEFIT_WORDS)
    out = place.directory / "benefit"
    begun = _journalled_tokens(out), _server_tokens(port)
    arguments = arguments_of(work, out)
    made = place.call(*arguments, "--agent", _MODEL)
    print(made.stdout)
    _tell_trials(out / "trials.jsonl", ("arm", "tool_calls", "tool_uptake", "answer"))
    _tell_tokens(begun, (_journalled_tokens(out), _server_tokens(port)))


def _tell_trials(path: Path, fields: Sequence[str]) -> None:
    """Count what trials came to, the most frequent first."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    rows = [json.loads(line) for line in lines]
    counts = Counter(tuple(str(row[field])[:80] for field in fields) for row in rows)
    for values, count in counts.most_common():
        print(f"  {count} x {' | '.join(values)}")


def _server_tokens(port: int) -> Counter[str]:
    """Read how many tokens the server has read anew, and written, since its start."""
    text = httpx2.get(f"http://127.0.0.1:{port}/metrics", timeout=60).text
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return Counter({name: int(float(value)) for name, value in rows if name in (_READ, _WRITTEN)})


def _journalled_tokens(out: Path) -> Counter[str]:
    """Add up the usage of all replies that a directory's journal holds."""
    path = out / "calls.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    entries = [json.loads(line) for line in lines]
    usages = [entry["reply"]["usage"] for entry in entries if entry["t"] == "reply"]
    read = sum(usage["fresh"] for usage in usages)
    return Counter({_READ: read, _WRITTEN: sum(usage["output"] for usage in usages)})


def _tell_tokens(
    begun: tuple[Counter[str], Counter[str]], ended: tuple[Counter[str], Counter[str]]
) -> None:
    """Lay the tokens of a part as journalled beside those that the server counted."""
    for name in (_READ, _WRITTEN):
        journalled, served = (
            after[name] - before[name] for before, after in zip(begun, ended, strict=True)
        )
        print(f"  {name}: {journalled} in the journal, {served} by the server")


_PLAYERS = {
    "check": _check,
    "preflight": _preflight,
    "all": _play_all,
    "judge": _play_judge,
    "relevance": _play_relevance,
    "crowded": _play_crowded,
    "benefit": _play_benefit,
}


if __name__ == "__main__":
    main()
