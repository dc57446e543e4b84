"""Servers of the user's own: what they do otherwise than the providers must not cost records."""

from threading import Event

from goldwright.snapshot import Snapshot
from journeys.live import LOCAL, Live, Settings, report
from scripted.brain import RolePlayer
from scripted.server import serve_in_thread
from scripted.wire import Heard, Say

FEWEST_RECORDS = 7
UNAVAILABLE = 6


def test_a_server_that_calls_nothing_beside_a_schema_fills_the_smoke_plan(
    live: Live, snapshot: Snapshot
) -> None:
    """Ollama and vLLM hold a reply to its schema from the first word on: tools are then dead."""
    player = RolePlayer(snapshot)
    beside_tools: list[str] = []

    def brain(heard: Heard) -> Say:
        if heard.schema is None or not heard.tools or heard.tool_choice == "none":
            return player(heard)
        beside_tools.append(heard.system)
        # Its last word, before it has looked at anything.
        return Say(text=player.last_word(heard))

    with serve_in_thread(brain) as server:
        Settings(server.url, LOCAL, LOCAL, LOCAL, agents="allow_same_family = true").write(
            live.workplace
        )
        result = live("run", "smoke", "--repo", live.code, "--json")
    assert report(result)["selected"] >= FEWEST_RECORDS, result.stderr
    assert beside_tools == []


def test_a_server_that_calls_no_tools_is_found_out_before_it_costs_anything(
    live: Live, snapshot: Snapshot
) -> None:
    """The run stops with one line that says what the server cannot do; so says the check."""
    player = RolePlayer(snapshot)

    def brain(heard: Heard) -> Say:
        return Say(text="I would look it up.") if heard.protocol == "chat" else player(heard)

    with serve_in_thread(brain) as server:
        Settings(server.url, LOCAL).write(live.workplace)
        checked = live("agents", "check")
        stopped = live.start()
        requests = len(server.log)
        assert live("resume", "latest").returncode == UNAVAILABLE
        # What it was tried out with is not asked or paid again.
        assert len(server.log) == requests
    assert checked.returncode == stopped.returncode == UNAVAILABLE
    (line,) = [line for line in checked.stdout.splitlines() if line.startswith("FAILED")]
    assert "workshop:qwen3-coder" in line
    assert "calls no tools" in line
    assert "calls no tools" in stopped.stderr.splitlines()[-1]
    assert live.records("00_candidates.jsonl") == []


def test_a_server_that_does_not_answer_is_told_with_the_setting_that_gives_it_longer(
    live: Live, snapshot: Snapshot
) -> None:
    """A model of one's own may take minutes to load, and only its owner knows how many."""
    player = RolePlayer(snapshot)
    may_answer = Event()

    def brain(heard: Heard) -> Say:
        may_answer.wait()
        return player(heard)

    with serve_in_thread(brain) as server:
        Settings(
            server.url,
            *(LOCAL, LOCAL, LOCAL),
            agents="allow_same_family = true",
            providers={"workshop": "timeout_s = 1"},
        ).write(live.workplace)
        checked = live("agents", "check")
        may_answer.set()
    assert checked.returncode == UNAVAILABLE
    (line,) = [line for line in checked.stdout.splitlines() if line.startswith("FAILED")]
    assert "no answer within 1 s (timeout_s in [providers.workshop])" in line
