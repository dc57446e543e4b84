"""What a real MCP server does for an embedded agent, what is no result, and kills on the way."""

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from journeys.conftest import Command
from journeys.starting import call
from journeys.workplace import Workplace

# Finds files by the words of the question; its description is as long as some servers' are.
SERVER = """
import re, sys
from pathlib import Path
from mcp.server.mcpserver import MCPServer

server = MCPServer("shelf")
root = Path(sys.argv[1])
WORDS = re.compile(r"[a-z]+")
FILES = {str(path.relative_to(root)): set(WORDS.findall(path.read_text().lower()))
         for path in sorted(root.rglob("*.py"))}

@server.tool(description="Find files for a question. " + "How to ask well. " * 1500)
def search_code(query: str, top_k: int = 5) -> dict[str, object]:
    if "break" in sys.argv:
        raise RuntimeError("out of order")
    asked = set(WORDS.findall(query.lower()))
    ranked = sorted(FILES, key=lambda name: (-len(asked & FILES[name]), name))
    return {"results": ranked[:top_k]}

if "die" in sys.argv:
    sys.exit("no index")
server.run()
"""
UNAVAILABLE = 6


@pytest.fixture
def tool(finished: Workplace) -> str:
    (finished.root / "server.py").write_text(SERVER)
    return f"mcp:{sys.executable} server.py {finished.code}"


def arguments_of(
    finished: Workplace, tool: str, out: str, dataset: str = "golden/golden_v1.0.draft.json"
) -> list[str]:
    words = ["benefit", "run", dataset, "--repo", str(finished.code), "--tool", tool]
    return [*words, "--out", out, "--seeds", "3"]


def result_of(directory: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((directory / "benefit_v1.0.json").read_text())
    return result


def trials_in(directory: Path) -> list[dict[str, Any]]:
    """The whole lines; a kill may leave half of one more."""
    whole, _, _ = (directory / "trials.jsonl").read_text().rpartition("\n")
    return [json.loads(line) for line in whole.splitlines()]


def test_a_real_server_is_measured_and_what_it_costs_is_shown(
    goldwright: Command, finished: Workplace, tool: str
) -> None:
    """Handshake, uptake, and the cells in which it does not pay for itself."""
    done = goldwright(*arguments_of(finished, tool, "out"))
    assert done.returncode == 0, done.stderr
    result = result_of(finished.root / "out")
    handshake = result["handshake"]
    assert (handshake["server"], handshake["tools"]) == ("shelf", ["search_code"])
    assert len(handshake["tools_sha256"].removeprefix("sha256:")) == 64
    trials = trials_in(finished.root / "out")
    for trial in trials:
        has_tool = trial["arm"] == "with_tool"
        assert bool(trial["tool_uptake"]) == has_tool
        # Its description is read in every turn of the arm that has it.
        assert (trial["schema_tokens"] > 6000 * trial["turns"]) == has_tool
    *cells, overall = result["strata"]
    assert all(cell["net_tokens"]["mean"] < 0 for cell in cells)
    assert overall["cost_verdict"] == "hurts"
    assert "hurts" in done.stdout
    assert "hurts" in (finished.root / "out/benefit.html").read_text()


@pytest.mark.parametrize(
    ("trouble", "code", "reason"),
    [("die", UNAVAILABLE, "no index"), ("break", 0, "the tool answered no call")],
)
def test_a_server_that_died_or_never_answered_is_no_result(
    goldwright: Command, finished: Workplace, tool: str, trouble: str, code: int, reason: str
) -> None:
    # A few tasks tell it as well as many.
    draft = finished.root / "golden/golden_v1.0.draft.json"
    (finished.root / "few.json").write_text(json.dumps(json.loads(draft.read_text())[:2]))
    done = goldwright(*arguments_of(finished, f"{tool} {trouble}", "out", "few.json"))
    assert done.returncode == code, done.stderr
    assert "not measured" in done.stdout + done.stderr
    result = result_of(finished.root / "out")
    assert reason in result["fault"]
    assert not result["measured"]
    verdicts = {cell["verdict"] for cell in result["strata"]}
    assert verdicts | {cell["cost_verdict"] for cell in result["strata"]} <= {"not measured"}


@pytest.mark.parametrize("killed_at", [6, 20, 33])
def test_a_killed_run_makes_no_trial_twice_and_leaves_no_arm_ahead(
    finished: Workplace, killed_at: int
) -> None:
    environment = {**os.environ, "GOLDWRIGHT_CACHE": str(finished.cache)}
    arguments = arguments_of(finished, "bm25", "out")

    def play(killed_at: int = 0) -> int:
        return call(
            *arguments, cwd=finished.root, environment=environment, killed_at=killed_at
        ).returncode

    assert play(killed_at) < 0
    arms = Counter(trial["arm"] for trial in trials_in(finished.root / "out"))
    # Two pairs are under way at a time.
    assert abs(arms["native"] - arms["with_tool"]) <= 2
    assert play() == 0
    trials = trials_in(finished.root / "out")
    made = Counter((trial["task_id"], trial["seed"], trial["arm"]) for trial in trials)
    assert set(made.values()) == {1}
    arms = Counter(trial["arm"] for trial in trials)
    assert arms["native"] == arms["with_tool"] == 3 * len({trial["task_id"] for trial in trials})
