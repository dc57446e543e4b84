"""Live runs that are carried on, changed, half offline or badly served: nothing is lost or paid for
nothing.
"""

import json
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from effort import first_of
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.stage_graph import ROLES
from journeys.conftest import Command
from journeys.live import CLAUDE, GPT, KEYS, LOCAL, PLAN, Live, Settings, report
from journeys.sample_code import SHOP, write_code
from journeys.sharing import make_once
from journeys.starting import POLL_SECONDS
from scripted.brain import Draft, RolePlayer, role_of
from scripted.server import Fault, serve_in_thread
from scripted.wire import Call, Heard, Say, Turn

OFFLINE = "offline"
FILES_OF_RECORDS = ("00_candidates.jsonl", "01_oracle_answers.jsonl", "canaries.jsonl")


def offline_but(role: str, url: str, **fields: Any) -> str:
    """Write settings in which a model plays one role and static analysis the others."""
    lines = Settings(url, **fields).text().splitlines()
    models = {**dict.fromkeys(ROLES, CLAUDE), "oracle": GPT}
    players = {**dict.fromkeys(models, OFFLINE), role: models[role]}
    own = [f'{name} = "{player}"' for name, player in players.items()]
    others = [line for line in lines[1:] if line.partition(" ")[0] not in models]
    return "\n".join(["[agents]", *own, *others])


def test_a_reply_of_odd_shape_locks_nothing_in(live: Live, snapshot: Snapshot) -> None:
    """A tool call without an id is asked again, paid as it may be billed, and the run stays
    readable.
    """
    player = RolePlayer(snapshot)
    odd: list[Heard] = []

    def spoil(_: int, heard: Heard) -> Fault | None:
        if odd or heard.protocol != "chat":
            return None
        odd.append(heard)
        call = {"id": None, "type": "function", "function": {"name": None, "arguments": "{}"}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        body = {"id": "x", "object": "chat.completion", "created": 1, "choices": [choice]}
        body["model"] = "qwen3-coder"
        return Fault("status", status=200, body=body)

    with serve_in_thread(player, faults=spoil) as server:
        Settings(server.url, oracle=LOCAL).write(live.workplace)
        done = live.start()
    assert odd
    assert done.returncode == 0, done.stderr
    assert live.status()["state"] == "complete"


@pytest.mark.parametrize(
    ("ceiling", "is_asked"), [((), True), (("--budget-usd", "0.000001"), False)]
)
def test_a_run_without_a_ceiling_is_asked_about_once_in_a_terminal(
    live: Live, ceiling: tuple[str, ...], *, is_asked: bool
) -> None:
    Settings("http://127.0.0.1:9").write(live.workplace)
    (live.workplace / "small.json").write_text(PLAN)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "goldwright", "run", "small.json", "--repo", str(live.code)]
    with subprocess.Popen(
        [*command, *ceiling],
        cwd=live.workplace,
        env={**os.environ, **KEYS, "GOLDWRIGHT_CACHE": str(live.cache)},
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        os.write(ours, b"n\n")
        # A run that has begun has asked nobody, and is about what other tests are about.
        while process.poll() is None and not (live.workplace / "runs").exists():
            time.sleep(POLL_SECONDS)
        process.kill()
        code = process.wait(timeout=60)
        said = os.read(ours, 65_536).decode()
    os.close(ours)
    assert ("Go on without one? [y/N]" in said) is is_asked
    assert ((live.workplace / "runs").exists(), code == 2) == (not is_asked, is_asked)
    if is_asked:
        assert "nothing was begun; give a ceiling with --budget-usd" in said


def test_the_ceiling_of_the_settings_holds_for_a_run_that_becomes_live(
    live: Live, snapshot: Snapshot
) -> None:
    """What began without a model does not go on without a limit."""
    (live.workplace / "small.json").write_text(PLAN)
    assert live.start().returncode == 0
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url, run="budget_usd = 0.3").write(live.workplace)
        done = live("resume", "latest", "--accept-changes")
    assert done.returncode == 5, done.stderr
    assert "the ceiling is $0.30" in done.stderr
    assert live.status()["usd"] <= 0.3
    # Whoever comes back in the morning learns from the run what kept it from going on.
    reason = live.status()["stopped_by"]
    assert "0.30" in reason
    assert f"stopped {reason[:20]}" in live("status", "latest").stdout


LEAKED_KEY = "AKIA" + "Q3EGRTZ7PLMWXK2N"
UPLOADS = f'''"""Uploads."""


def open_bucket(name):
    """Open the bucket that holds uploads, signing every request with {LEAKED_KEY}."""
    if name == "{LEAKED_KEY}":
        raise ValueError("the bucket {LEAKED_KEY} is closed for uploads")
    return name.lower()
'''


@pytest.fixture(scope="module")
def leaking_code(shared: Path) -> Path:
    """A package in which one module repeats a key."""
    return make_once(
        shared / "leaking-code",
        lambda directory: write_code(directory, {**SHOP, "shop/uploads.py": UPLOADS}),
    )


@pytest.fixture(scope="module")
def leaking_snapshot(leaking_code: Path, cache: Path) -> Iterator[Snapshot]:
    """That package as the scripted models know it."""
    snapshot = open_snapshot(leaking_code, rev=None, cache=cache)
    yield snapshot
    snapshot.close()


# One that writes the answers and one that looks at them; the others see the same tools and texts.
@pytest.mark.parametrize("role", first_of([*ROLES[1:], *ROLES[:1]], suite=2))
def test_secrets_that_embedded_agents_quote_are_masked_for_the_model_beside_them(
    live: Live, leaking_code: Path, leaking_snapshot: Snapshot, role: str
) -> None:
    """Whichever role a model plays, it sees no key, and no record that repeats one survives."""
    key = LEAKED_KEY
    player = RolePlayer(leaking_snapshot)
    sent: list[str] = []

    def brain(heard: Heard) -> Say:
        sent.append(json.dumps(heard.body))
        return player(heard)

    with serve_in_thread(brain) as server:
        (live.workplace / "goldwright.toml").write_text(offline_but(role, server.url))
        done = live("run", "smoke", "--repo", leaking_code)
    assert done.returncode in {0, 1}, done.stderr
    assert sent
    assert not any(key in body for body in sent)
    assert key not in live.draft().read_text()


@pytest.mark.thorough
def test_a_retry_does_not_put_another_model_in_silence(live: Live, snapshot: Snapshot) -> None:
    """With changed models it refuses, asks nobody and writes nothing; a missing key likewise."""

    def err(role: str, _: Heard, draft: dict[str, Any]) -> dict[str, Any]:
        return draft | {"expected_files": ["nowhere.py"]} if role == "oracle" else draft

    with serve_in_thread(RolePlayer(snapshot, twist=err)) as server:
        Settings(server.url).write(live.workplace)
        live.start()
        before, asked = live.files(), len(server.log)
        Settings(server.url, oracle="openai:gpt-5-mini").write(live.workplace)
        refused = live("retry", "latest", "q_00001", "--hint", "look again")
        assert refused.returncode == 2
        assert "--accept-changes" in refused.stderr
        text = (
            Settings(server.url)
            .text()
            .replace("[providers.openai]", '[providers.openai]\napi_key_env = "NOT_SET"')
        )
        (live.workplace / "goldwright.toml").write_text(text)
        refused = live("retry", "latest", "q_00001", "--hint", "look again")
        assert refused.returncode == 2
        assert "NOT_SET" in refused.stderr
        assert len(server.log) == asked
    assert live.files() == before


@pytest.mark.thorough
def test_a_changed_focus_area_is_a_change(
    live: Live, snapshot: Snapshot, finished_live_run: Path
) -> None:
    """It is named before the Authors would be asked anew."""
    live.take(finished_live_run)
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url, run='focus_area = "lending/desk"').write(live.workplace)
        refused = live("resume", "latest")
    assert refused.returncode == 2
    assert "focus area" in refused.stderr
    assert not server.log


def test_an_author_that_was_set_aside_comes_back_alone_and_late_repeats_are_refused(
    live: Live, snapshot: Snapshot
) -> None:
    """Without an answer its cell stays short and the run is complete: the others fill, canaries
    fly, the reason is told. Then its cell fills, it is told what was accepted since, and nobody
    else is asked again.
    """
    player = RolePlayer(snapshot)
    is_late: list[bool] = []

    def repeat(role: str, _heard: Heard, draft: Draft) -> Draft:
        if role == "author" and is_late:
            asked = live.records("00_candidates.jsonl")[0]
            copied = {key: asked[key] for key in draft["candidates"][0]}
            draft["candidates"][0] = copied
        return draft

    player.twist = repeat

    def refuse(_: int, heard: Heard) -> Fault | None:
        is_cell = role_of(heard.system) == "author" and "Task type: debug" in heard.turns[0].text
        return Fault("status", status=400) if is_cell and not is_late else None

    with serve_in_thread(player, faults=refuse) as server:
        Settings(server.url).write(live.workplace)
        # One more a cell, for the repeat that is refused.
        plan = PLAN.replace('"over_emission": 1.0', '"over_emission": 1.5')
        (live.workplace / "small.json").write_text(plan)
        short = live.start("--canaries", "4", "--json")
        assert short.returncode == 1, short.stderr
        assert "given up: author:0:debug/easy" in short.stderr
        told = report(short)
        assert (told["state"], told["selected"]) == ("complete", 4)
        assert told["canaries"]["all"]["released"] == 4
        assert told["set_aside"] == ["author:0:debug/easy"]
        before = {name: live.records(name) for name in FILES_OF_RECORDS}
        calls = len(live.records("calls.jsonl"))
        is_late.append(True)
        resumed = live("resume", "latest", "--json")
        assert resumed.returncode == 0, resumed.stderr
    after = report(resumed)
    assert (after["set_aside"], after["selected"]) == ([], 6)
    assert sum(after["rejections"].values()) == 1
    assert sum(after["slips"][CLAUDE].values()) >= 1
    asked = {call["item"] for call in live.records("calls.jsonl")[calls:] if call["t"] == "intent"}
    old_ids = {record["query_id"] for record in before["00_candidates.jsonl"]}
    assert "author:0:debug/easy" in asked
    assert not {item for item in asked if item.partition(":")[2].partition("-")[0] in old_ids}
    for name, records in before.items():
        assert live.records(name)[: len(records)] == records
    queries = [record["query_text"] for record in live.records("00_candidates.jsonl")]
    assert len(queries) == len(set(queries))


@pytest.mark.thorough
def test_authors_that_reached_the_ceiling_of_an_item_come_back_when_it_is_raised(
    live: Live, snapshot: Snapshot
) -> None:
    """A number of the settings is no reason to lose a cell for good."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url, run="item_budget_usd = 0.1").write(live.workplace)
        assert live.start().returncode == 1
        items = live.status()["set_aside"]
        assert {item.partition(":")[0] for item in items} == {"author"}
        assert len(items) == 3
        Settings(server.url, run="item_budget_usd = 50.0").write(live.workplace)
        resumed = live("resume", "latest", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert (report(resumed)["selected"], report(resumed)["set_aside"]) == (6, [])


@pytest.mark.thorough
def test_what_a_round_was_told_stays_what_it_was_told(live: Live, snapshot: Snapshot) -> None:
    """An Author that begins anew in one round changes nothing for the rounds after it: none of them
    is asked again.
    """
    player = RolePlayer(snapshot)
    well: list[bool] = []

    def brain(heard: Heard) -> Say:
        if role_of(heard.system) == "author" and not well:
            is_first = "(none)" in heard.turns[0].text.partition("already accepted")[2][:200]
            if "Task type: debug" in heard.turns[0].text and is_first:
                return Say(stop="unknown")
        if (
            role_of(heard.system) == "oracle"
            and not well
            and "locate" in heard.turns[0].text
            and len(heard.turns) > 1
        ):
            return Say(text="{}")
        return player(heard)

    with serve_in_thread(brain) as server:
        Settings(server.url).write(live.workplace)
        (live.workplace / "small.json").write_text(
            PLAN.replace('"top_up_rounds": 0', '"top_up_rounds": 1')
        )
        assert live.start().returncode == 6
        well.append(True)
        assert live("resume", "latest").returncode in {0, 1}
    calls = live.records("calls.jsonl")
    anew = [call["item"] for call in calls if call["t"] == "quarantine"]
    assert "author:0:debug/easy" in anew
    keys = [
        call["key"]
        for call in calls
        if call["t"] == "reply" and call["item"].startswith("author:1")
    ]
    assert keys
    assert len(keys) == len(set(keys))


def test_authors_begin_in_areas_of_their_own_and_keep_them_when_they_begin_again(
    live: Live, snapshot: Snapshot
) -> None:
    player = RolePlayer(snapshot)
    areas: dict[str, set[str]] = {}
    asked: list[str] = []
    well: list[bool] = []

    def brain(heard: Heard) -> Say:
        if role_of(heard.system) != "author":
            return player(heard)
        task = heard.turns[0].text
        fields = dict(re.findall(r"^- (Task type|Begin looking in): (.+)$", task, re.MULTILINE))
        asked.append(fields["Task type"])
        areas.setdefault(fields["Task type"], set()).add(json.loads(fields["Begin looking in"]))
        is_cut = len(heard.turns) > 1 and not well and fields["Task type"] != "locate"
        return Say(stop="unknown") if is_cut else player(heard)

    with serve_in_thread(brain) as server:
        Settings(server.url).write(live.workplace)
        assert live.start().returncode == 1
        well.append(True)
        asked.clear()
        assert live("resume", "latest").returncode == 0
    assert set(asked) == {"debug", "explain"}, "who is done is not asked again"
    assert [len(of_cell) for of_cell in areas.values()] == [1, 1, 1]
    assert len(set.union(*areas.values())) == 3, areas


@pytest.mark.thorough
def test_an_author_has_three_tools_and_no_history(live: Live, snapshot: Snapshot) -> None:
    """Messages of commits are no source of questions."""
    tools: dict[str, set[str]] = {}
    player = RolePlayer(snapshot)

    def brain(heard: Heard) -> Say:
        tools.setdefault(str(role_of(heard.system)), set()).update(heard.tools)
        return player(heard)

    with serve_in_thread(brain) as server:
        Settings(server.url).write(live.workplace)
        live.start()
    looking = {"list", "search", "read"}
    assert tools["author"] == {*looking, "check_draft", "submit"}
    assert tools["oracle"] == {*looking, "outline", "check_draft", "submit"}
    assert tools["adversary"] == tools["completeness"] == {*looking, "outline", "submit"}
    assert tools["judge"] == set()


def test_another_model_in_the_place_of_the_one_asked_stops_the_run(
    live: Live, snapshot: Snapshot
) -> None:
    """A smaller sister is another model, and a dated name is not."""
    player = RolePlayer(snapshot)

    def substitute(heard: Heard) -> Say:
        said = player(heard)
        suffix = "-2025-08-07" if len(heard.turns) < 3 else "-mini"
        return (
            Say(said.text, said.calls, model=f"gpt-5{suffix}")
            if heard.protocol == "responses"
            else said
        )

    with serve_in_thread(substitute) as server:
        Settings(server.url).write(live.workplace)
        done = live.start()
    assert done.returncode == 6
    assert "asked gpt-5, and gpt-5-mini answered" in done.stderr


def test_a_complete_run_can_be_looked_at_without_its_settings_or_a_key(
    live: Live, finished_live_run: Path
) -> None:
    """Nothing would be asked, so nothing is wanted; an open one says what it lacks, and takes other
    settings.
    """
    live.take(finished_live_run)
    (live.workplace / "goldwright.toml").unlink()
    assert live("resume", "latest").returncode == 0
    assert live("status", "latest").returncode == 0


@pytest.mark.thorough
def test_an_address_in_the_environment_counts_as_the_users(live: Live, snapshot: Snapshot) -> None:
    """The SDKs' own variables are heeded, and a model of no known family behind one is not taken
    for independent.
    """
    with serve_in_thread(RolePlayer(snapshot)) as server:
        agents = f'[agents]\noracle = "openai:homegrown"\nadversary = "{CLAUDE}"\n'
        (live.workplace / "goldwright.toml").write_text(f"{agents}[run]\nunpriced = true\n")
        (live.workplace / "small.json").write_text(PLAN)
        done = live.start(OPENAI_BASE_URL=f"{server.url}/v1")
        assert done.returncode == 2
        assert "family" in done.stderr
        (live.workplace / "goldwright.toml").write_text('[agents]\noracle = "openai:gpt-5"\n')
        done = live.start(OPENAI_BASE_URL=f"{server.url}/v1")
        assert done.returncode == 0, done.stderr
        assert {entry.protocol for entry in server.log} == {"responses"}


CHAT_STREAM = """[agents]
oracle = "shop:q"
[run]
unpriced = true
[providers.shop]
base_url = "http://h/v1"
stream = true"""


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ('oracle = "gpt-5"', "provider:model"),
        ('oracle = "opnai:gpt-5"', "no such provider"),
        ('oracle = "openai:gpt-99"', "no price"),
        ('allow_same_family = "yes"', "allow_same_family"),
        ("[providers.openai]\nmax_concurrency = 0", "max_concurrency"),
        ('[providers.openai]\nbase_url = "http://["', "base_url"),
        ('[providers.openai]\nbase_url = "http://h:99999"', "base_url"),
        ('[providers.openai]\nbase_url = "http://user:pw@h"', "base_url"),
        ('[providers.openai]\nbase_url = "localhost:3"', "base_url"),
        ("[providers.antropic]\nmax_concurrency = 2", "antropic"),
        (CHAT_STREAM, "are not streamed"),
        ('[providers.openai]\nstream = "no"', "stream"),
        ("[run]\nbudget_usd = 1e308", "budget_usd"),
        ("[run]\nbudget_usd = 1e-12", "budget_usd"),
        ("[run]\nitem_budget_usd = nan", "setting"),
        ("[run]\nseed = " + "9" * 5000, "large"),
        ("[run]\nseed = " + "[" * 3000, "goldwright.toml"),
        ('[prices."openai:gpt-5"]\ninput = -1\noutput = 1', "input"),
        (
            '[prices."openai:gpt-5"]\ninput = 1\noutput = 1\nlong = {above = -5, input = 1}',
            "above",
        ),
    ],
)
def test_wrong_settings_are_one_line_with_their_place(live: Live, settings: str, word: str) -> None:
    """Exit 2, no traceback, nothing written, nothing asked."""
    text = settings if settings.startswith("[") else f"[agents]\n{settings}"
    if "prices" in settings:
        text = f'[agents]\noracle = "openai:gpt-5"\n{settings}'
    (live.workplace / "goldwright.toml").write_text(text + "\n")
    done = live("run", "smoke", "--repo", live.code)
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert word in done.stderr
    assert not (live.workplace / "runs").exists()


@pytest.mark.parametrize("budget", ["0", "-1", "nan", "inf", "1e308", "1e-9"])
def test_a_ceiling_is_an_amount_of_money(live: Live, budget: str) -> None:
    """One line for anything else."""
    done = live("run", "smoke", "--repo", live.code, "--budget-usd", budget)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_an_estimate_needs_no_key(
    goldwright: Command, workplace: Path, code: Path, cache: Path
) -> None:
    """What a run would cost can be known before there is an account."""
    (workplace / "goldwright.toml").write_text(f'[agents]\noracle = "{GPT}"\n')
    none = {"OPENAI_API_KEY": "", "GOLDWRIGHT_CACHE": str(cache)}
    done = goldwright("run", "smoke", "--repo", code, "--dry-run", **none)
    assert done.returncode == 0, done.stderr
    assert "openai:gpt-5" in done.stdout
    assert goldwright("run", "smoke", "--repo", code, **none).returncode == 2


def test_settings_may_begin_with_a_byte_order_mark(live: Live) -> None:
    """Some editors write one."""
    (live.workplace / "goldwright.toml").write_bytes(b'\xef\xbb\xbf[agents]\noracle = "offline"\n')
    assert live("run", "smoke", "--repo", live.code, "--dry-run").returncode == 0


@pytest.mark.thorough
def test_a_tool_call_without_a_name_is_told_to_the_model(live: Live, snapshot: Snapshot) -> None:
    """An unknown tool ends a call, not a case."""
    player = RolePlayer(snapshot)
    asked: list[int] = []

    def brain(heard: Heard) -> Say:
        if role_of(heard.system) == "oracle" and len(heard.turns) == 1 and not asked:
            asked.append(1)
            return Say(calls=(Call("x1", "teleport", {"to": "the answer"}),))
        turns = tuple(turn for turn in heard.turns if "x1" not in _ids(turn))
        return player(Heard(**{**vars(heard), "turns": turns}))

    with serve_in_thread(brain) as server:
        Settings(server.url).write(live.workplace)
        assert live.start().returncode == 0


def _ids(turn: Turn) -> set[str]:
    return {call.call_id for call in turn.calls} | {result.call_id for result in turn.results}
