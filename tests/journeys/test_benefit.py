"""``goldwright benefit``: a real MCP server as the treatment, its failures, and kills."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
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
from effort import first_of
from journeys.conftest import Command
from journeys.live import GPT, Live, Settings
from journeys.starting import call
from scripted.brain import last_word
from scripted.server import serve_in_thread
from scripted.wire import Call, Heard, Say

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


@pytest.mark.thorough
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


_MORTAL = """
import os
from mcp.server.mcpserver import MCPServer

server = MCPServer("mortal")
calls = []

@server.tool()
def search_code(query: str, limit: int = 5) -> dict[str, object]:
    calls.append(query)
    if len(calls) > 4 and not os.path.exists("healed"):
        os._exit(3)
    return {"results": []}

server.run()
"""


@pytest.mark.thorough
def test_a_server_that_dies_midway_ends_the_trials_and_spoils_none(
    workplace: Path, goldwright: Command
) -> None:
    make_work(workplace)
    (workplace / "server.py").write_text(_MORTAL)
    stopped = goldwright(*arguments_of(workplace, workplace / "out"))
    assert (stopped.returncode, stopped.stdout) == (6, "")
    assert "the same command goes on" in stopped.stderr
    assert result_in(workplace / "out")["measured"] is False
    kept = sorted_trials(workplace / "out")
    assert not any(json.loads(trial)["tool_errors"] for trial in kept)
    (workplace / "healed").touch()
    finished = goldwright(*arguments_of(workplace, workplace / "out"))
    assert finished.returncode == 0, finished.stderr
    result = result_in(workplace / "out")
    assert result["measured"]
    assert not any(trial["tool_errors"] for trial in result["trials"])
    assert len(result["trials"]) == 2 * SEEDS * len(WORDS)
    assert set(kept) <= set(sorted_trials(workplace / "out"))


@pytest.mark.parametrize("killed_at", first_of([12, 8, 16], suite=1))
def test_a_killed_comparison_makes_no_trial_twice_and_leaves_no_arm_ahead(
    workplace: Path, cache: Path, killed_at: int
) -> None:
    make_work(workplace, WORDS[:3])
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


@dataclass
class Searcher:
    """A model that looks once, by the tool under test where it is told to, reads, and answers."""

    uses_tool: bool = True
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(self, heard: Heard) -> Say:
        self.asked.append(heard.tools)
        question = next(line for line in heard.turns[0].text.splitlines() if line.startswith('"'))
        found = re.search(r"the (\w+)\?", question)
        assert found is not None
        results = sum(len(turn.results) for turn in heard.turns)
        if results == 0:
            return Say(calls=(self._look(heard, json.loads(question), found[1]),))
        if results == 1:
            whole = {"path": "places.py", "first": None, "last": None}
            return Say(calls=(Call("c1", "read", whole),))
        answer = json.dumps({"answer": f"`find_{found[1]}` returns its argument."})
        return last_word(heard, answer)

    def _look(self, heard: Heard, question: str, word: str) -> Call:
        if self.uses_tool and "search_code" in heard.tools:
            return Call("c0", "search_code", {"query": question, "limit": None})
        arguments = {"pattern": word, "path": "", "literal": True, "ignore_case": True}
        return Call("c0", "search", arguments)


def tokens_of(usage: Mapping[str, int]) -> int:
    return sum(usage[name] for name in ("fresh", "cached", "written", "output"))


def live_arguments(live: Live, *more: str) -> list[str]:
    arguments = arguments_of(live.workplace, live.workplace / "out")
    return [*arguments, "--agent", GPT, *more]


def test_a_model_plays_both_arms_and_its_tokens_are_those_that_the_provider_counts(
    live: Live,
) -> None:
    make_work(live.workplace, WORDS[:6])
    searcher = Searcher()
    with serve_in_thread(searcher) as server:
        Settings(server.url, GPT, GPT, GPT, agents="allow_same_family = true").write(live.workplace)
        estimate = live(*live_arguments(live, "--dry-run"))
        assert "about $" in estimate.stdout
        assert searcher.asked == []
        stopped = live(*live_arguments(live, "--budget-usd", "0.15"))
        assert (stopped.returncode, stopped.stdout) == (5, ""), stopped.stderr
        assert searcher.asked
        finished = live(*live_arguments(live, "--budget-usd", "50"))
        assert finished.returncode == 0, finished.stderr
        log = list(server.log)
    result = result_in(live.workplace / "out")
    trials = result["trials"]
    assert len(trials) == 2 * SEEDS * 6
    assert result["measured"]
    assert result["agent"].startswith(f"{GPT} with prompt ")
    # What a process paid before it was stopped is neither paid nor counted again.
    assert sum(trial["turns"] for trial in trials) == len(log)
    assert sum(trial["total_tokens"] for trial in trials) == sum(
        tokens_of(entry.usage) for entry in log
    )
    assert all(trial["usd"] > 0 and trial["success"] for trial in trials)
    with_tool = [trial for trial in trials if trial["arm"] == "with_tool"]
    assert {trial["tool_uptake"] for trial in with_tool} == {1}
    # The tools are all that differs, and the words of this one cost more than they save.
    assert {frozenset(tools) - {"search_code"} for tools in searcher.asked} == {
        frozenset({"list", "search", "read", "submit"})
    }
    assert "hurts" in finished.stdout


def test_a_tool_that_a_model_never_calls_is_not_measured(live: Live) -> None:
    make_work(live.workplace)
    queries = live.workplace / "queries.json"
    queries.write_text(json.dumps(json.loads(queries.read_text())[:2]))
    with serve_in_thread(Searcher(uses_tool=False)) as server:
        Settings(server.url, GPT, GPT, GPT, agents="allow_same_family = true").write(live.workplace)
        done = live(*live_arguments(live))
    assert done.returncode == 0, done.stderr
    assert "not measured: the tool answered no call" in done.stdout
