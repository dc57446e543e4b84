"""Kill `benefit run` at random moments, run it again, and compare its trials with a run left alone.

Use: ``benefit_kills.py --kills 100 --seed 1``. The treatment is an MCP server over stdio. A kill
comes at a random time after the journal has reached a random number of lines; a run is killed
up to four times before it may end. It fails where a trial was made twice, lost, or came out
otherwise, or where a kill left the arms further apart than the pairs under way.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

WORKERS = 2
SEEDS = 3
MOST_KILLS_OF_ONE_RUN = 4
MOST_SECONDS = 300
# A trial of these tasks takes some milliseconds: a kill comes within, or between, two of them.
JITTER_SECONDS = 0.03
WORDS = ("harbour", "lantern", "meadow", "saddle", "copper", "violin", "kettle", "ribbon")
# It finds the right function, in so many words that no grep costs as much. It speaks the protocol
# itself, because each start would read a library for longer than the trials take.
SERVER = """
import json, re, sys

SCHEMA = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "default": 5}},
    "required": ["query"],
}

def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "talker", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [{"name": "search_code", "inputSchema": SCHEMA}]}
    if method == "tools/call":
        word = re.search(r"the (\\w+)\\?", params["arguments"]["query"])[1]
        found = {"id": f"places.py::find_{word}", "score": 1.0, "text": "much ado " * 900}
        results = {"results": [found]}
        text = {"type": "text", "text": json.dumps(results)}
        return {"content": [text], "structuredContent": results}
    return {} if method == "ping" else None

for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        result = answer(asked["method"], asked.get("params", {}))
        outcome = {"result": result}
        if result is None:
            outcome = {"error": {"code": -32601, "message": "no such method"}}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **outcome}), flush=True)
"""


def make_work(directory: Path, words: Sequence[str] = WORDS) -> None:
    """Write a codebase, questions with facts and the lines they rest on, and a server."""
    code = directory / "code"
    code.mkdir()
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    for word in words:
        first = len(lines) + 1
        lines += [f"def find_{word}(x):", f'    """Search the {word}."""', "    return x", ""]
        statement = f"find_{word} returns its argument."
        rows.append(
            {
                "id": word,
                "query": f"Which function searches the {word}?",
                "expected": f"places.py::find_{word}",
                "facts": [statement],
                "expected_line_ranges": [{"file": "places.py", "start": first, "end": first + 2}],
            }
        )
    (code / "places.py").write_text("\n".join(lines), encoding="utf-8")
    (directory / "queries.json").write_text(json.dumps(rows), encoding="utf-8")
    (directory / "server.py").write_text(SERVER, encoding="utf-8")


def arguments_of(directory: Path, out: Path) -> list[str]:
    """Return the arguments of the call that makes the trials."""
    tool = f"mcp:{sys.executable} {directory / 'server.py'}"
    arguments = ["benefit", "run", str(directory / "queries.json"), "--tool", tool]
    arguments += ["--repo", str(directory / "code"), "--out", str(out)]
    return [*arguments, "--seeds", str(SEEDS), "--workers", str(WORKERS)]


def command_line(directory: Path, out: Path) -> list[str]:
    """Return that call as a process."""
    return [sys.executable, "-m", "goldwright", *arguments_of(directory, out)]


def trials_of(out: Path) -> Sequence[Mapping[str, Any]]:
    """Read the whole lines of the journal, without the seconds that a clock gave them."""
    path = out / "trials.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = text[: text.rfind("\n") + 1].splitlines()
    records = [json.loads(line) for line in lines]
    return [
        {name: value for name, value in record.items() if name != "wall_clock_s"}
        for record in records
    ]


def sorted_trials(out: Path) -> Sequence[str]:
    """Give the trials in an order that does not hang on which worker was first."""
    return sorted(json.dumps(record, sort_keys=True) for record in trials_of(out))


def repeated(out: Path) -> int:
    """Count trials that stand in the journal more than once."""
    trials = Counter((row["task_id"], row["seed"], row["arm"]) for row in trials_of(out))
    return sum(trials.values()) - len(trials)


def imbalance(out: Path) -> int:
    """Count by how many trials one arm is ahead of the other."""
    arms = Counter(row["arm"] for row in trials_of(out))
    return abs(arms["native"] - arms["with_tool"])


def kill_at(command: Sequence[str], out: Path, lines: int, jitter: float) -> bool:
    """Start a run and kill it some time after its journal holds so many lines; was it hit?"""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + MOST_SECONDS
    while process.poll() is None and len(trials_of(out)) < lines:
        if time.monotonic() > deadline:
            break
        time.sleep(0.002)
    time.sleep(jitter)
    process.kill()
    return process.wait() != 0


def main() -> None:
    """Play the campaign, and print what it counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = Random(options.seed)
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        make_work(directory)
        reference = directory / "reference"
        subprocess.run(command_line(directory, reference), check=True, capture_output=True)
        total = len(trials_of(reference))
        while tally["kills"] < options.kills:
            out = directory / f"run-{tally['runs']}"
            command = command_line(directory, out)
            moments = sorted(
                chance.randrange(total) for _ in range(chance.randint(1, MOST_KILLS_OF_ONE_RUN))
            )
            for lines in moments:
                tally["kills"] += kill_at(command, out, lines, chance.random() * JITTER_SECONDS)
                tally["unbalanced"] += imbalance(out) > WORKERS
            subprocess.run(command, check=True, capture_output=True)
            tally["runs"] += 1
            tally["unbalanced"] += imbalance(out) > 0
            tally["repeated"] += repeated(out)
            tally["different"] += sorted_trials(out) != sorted_trials(reference)
    print(
        f"{tally['kills']} kills in {tally['runs']} runs of {total} trials: "
        f"{tally['repeated']} trials made twice, {tally['unbalanced']} times arms unbalanced, "
        f"{tally['different']} runs with other trials"
    )
    sys.exit(bool(tally["repeated"] or tally["unbalanced"] or tally["different"]))


if __name__ == "__main__":
    main()
