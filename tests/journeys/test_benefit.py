"""``goldwright benefit``: a real MCP server as the treatment, its failures, and kills."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from benchmarks.benefit_kills import (
    SEEDS,
    WORDS,
    WORKERS,
    arguments_of,
    imbalance,
    make_work,
    repeated,
    sorted_trials,
)
from journeys.conftest import Command
from journeys.starting import call

_MUTE = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("mute")

@server.tool()
def search_code(query: str, limit: int = 5) -> dict[str, object]:
    raise RuntimeError("no index")

server.run()
"""


def result_in(out: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((out / "benefit_v1.0.json").read_text())
    return result


def test_a_server_that_finds_everything_in_too_many_words_is_a_negative_cell(
    workplace: Path, goldwright: Command
) -> None:
    make_work(workplace)
    done = goldwright(*arguments_of(workplace, workplace / "out"))
    assert done.returncode == 0, done.stderr
    result = result_in(workplace / "out")
    assert (result["measured"], result["fault"]) == (True, "")
    assert result["is_native_competent"]
    handshake = result["handshake"]
    assert handshake["server"].startswith("talker")
    assert handshake["tools"] == ["search_code"]
    assert handshake["tools_sha256"].startswith("sha256:")
    for finding in result["strata"]:
        assert (finding["tasks"], finding["seeds"], finding["uptake"]) == (len(WORDS), SEEDS, 1)
        assert finding["success"] == [1, 1]
        assert finding["net_tokens"]["interval"][1] < 0
        verdicts = finding["verdict"], finding["cost_verdict"]
        assert verdicts == ("no difference shown", "hurts")
    assert "hurts" in done.stdout
    # The schema of the server is paid in every turn of its arm, and in no turn of the other.
    native_rates, tool_rates = (
        {row["schema_tokens"] / row["turns"] for row in result["trials"] if row["arm"] == arm}
        for arm in ("native", "with_tool")
    )
    assert len(native_rates) == len(tool_rates) == 1
    tax = len(handshake["schemas"]) / 4
    assert tool_rates.pop() - native_rates.pop() == pytest.approx(tax, abs=1)


@pytest.mark.parametrize("server", ["raise SystemExit('no licence')", "print('hello')"])
def test_a_server_that_dies_at_the_start_is_not_measured(
    workplace: Path, goldwright: Command, server: str
) -> None:
    make_work(workplace)
    (workplace / "server.py").write_text(server)
    done = goldwright(*arguments_of(workplace, workplace / "out"))
    assert (done.returncode, done.stdout) == (6, "")
    assert "not measured: " in done.stderr
    result = result_in(workplace / "out")
    assert result["measured"] is False
    assert (result["handshake"], result["strata"], result["trials"]) == (None, [], [])


def test_a_tool_that_answers_no_call_is_not_measured(workplace: Path, goldwright: Command) -> None:
    make_work(workplace)
    (workplace / "server.py").write_text(_MUTE)
    # A failed call takes the server long; two tasks tell it as well as all.
    queries = workplace / "queries.json"
    queries.write_text(json.dumps(json.loads(queries.read_text())[:2]))
    done = goldwright(*arguments_of(workplace, workplace / "out"))
    assert done.returncode == 0, done.stderr
    assert "not measured: the tool answered no call" in done.stdout
    result = result_in(workplace / "out")
    assert result["measured"] is False
    for finding in result["strata"]:
        assert (finding["verdict"], finding["cost_verdict"]) == ("not measured", "not measured")
    errors = [row["tool_errors"] for row in result["trials"] if row["arm"] == "with_tool"]
    assert all(errors)


@pytest.mark.parametrize("killed_at", [8, 16, 24])
def test_a_killed_comparison_makes_no_trial_twice_and_leaves_no_arm_ahead(
    workplace: Path, cache: Path, killed_at: int
) -> None:
    make_work(workplace)
    environment = {**os.environ, "GOLDWRIGHT_CACHE": str(cache)}

    def run(out: str, killed_at: int = 0) -> int:
        arguments = arguments_of(workplace, workplace / out)
        return call(
            *arguments, cwd=workplace, environment=environment, killed_at=killed_at
        ).returncode

    assert run("reference") == 0
    assert run("out", killed_at) < 0
    assert imbalance(workplace / "out") <= WORKERS
    assert run("out") == 0
    assert (repeated(workplace / "out"), imbalance(workplace / "out")) == (0, 0)
    assert sorted_trials(workplace / "out") == sorted_trials(workplace / "reference")
