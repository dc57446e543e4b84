"""Servers of the user's own: what they do otherwise than the providers must not cost records."""

from goldwright.snapshot import Snapshot
from journeys.live import LOCAL, Live, Settings, report
from scripted.brain import RolePlayer
from scripted.server import serve_in_thread
from scripted.wire import Heard, Say

FEWEST_RECORDS = 7


def test_a_server_that_calls_nothing_beside_a_schema_fills_the_smoke_plan(
    live: Live, snapshot: Snapshot
) -> None:
    """Ollama and vLLM hold a reply to its schema from the first word on: tools are then dead."""
    player = RolePlayer(snapshot)
    beside_tools: list[str] = []

    def brain(heard: Heard) -> Say:
        if heard.schema is None or not heard.tools:
            return player(heard)
        if heard.tool_choice != "none":
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
