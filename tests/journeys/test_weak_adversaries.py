"""A weak Adversary that is followed by another one, against a scripted server."""

import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from effort import first_of
from goldwright.snapshot import Snapshot
from journeys.live import CLAUDE, GEMINI, KEYS, Live, Settings, metadata, report
from journeys.starting import call
from scripted.brain import Draft, RolePlayer
from scripted.server import Running, serve_in_thread
from scripted.wire import Heard

FALLBACK = f'adversary_fallback = "{GEMINI}"'
FIRST = "agent:adversary:claude-sonnet-5"
# Calls under way at a time with each of two models of Adversaries.
CONCURRENCY = 8
SECOND = "agent:adversary:gemini-3.8-flash"


def approving(*protocols: str) -> Callable[[str, Heard, Draft], Draft]:
    """Make a twist by which Adversaries over some protocols agree with whatever they are given."""

    def approve(role: str, heard: Heard, draft: Draft) -> Draft:
        if role == "adversary" and heard.protocol in protocols:
            for verdict in draft["claim_verdicts"]:
                verdict |= {"verdict": "supported", "note": None}
            draft |= {"overall_verdict": "supported", "blocking_issues": [], "missed_entities": []}
        return draft

    return approve


def settings(url: str, reaction: str, agents: str = FALLBACK) -> Settings:
    on_weak = f'on_weak_adversary = "{reaction}"'
    return Settings(url, run=on_weak, agents=agents, canaries=None)


def paid_twice(server: Running) -> list[str]:
    """The requests that were answered more than once."""
    answered = Counter(entry.body_digest for entry in server.log if entry.status == 200)
    return list((answered - Counter(set(answered))).elements())


# The test below plays the other reaction.
@pytest.mark.parametrize("reaction", first_of(["swap", "double"], suite=1))
def test_a_second_adversary_attacks_where_the_first_is_weak(
    live: Live, snapshot: Snapshot, reaction: str
) -> None:
    """Exit 0 in the end; both powers are told, no call is paid twice, and resume asks nothing."""
    with serve_in_thread(RolePlayer(snapshot, twist=approving("anthropic"))) as server:
        settings(server.url, reaction).write(live.workplace)
        done = live.start("--json")
        assert done.returncode == 0, done.stderr
        assert not paid_twice(server)
        requests = len(server.log)
        resumed = live("resume", "latest", "--json")
        assert resumed.returncode == 0, resumed.stderr
        assert len(server.log) == requests
    after = report(done)
    (weak,) = after["weak_adversaries"]
    followed_by = SECOND if reaction == "swap" else f"{FIRST}+gemini-3.8-flash"
    assert (weak["agent"], weak["followed_by"]) == (FIRST, followed_by)
    assert (weak["caught"], weak["released"]) == (0, 8)
    assert after["adversary_power"]["verdict"] == "shown"
    assert after["adversary_power"]["released"] == 8
    assert after["selected"] == 6
    assert after["costs"]["adversary"]["calls"] > 0
    assert f"before  {FIRST} was found to be a weak Adversary" in done.stderr
    reports = live.records("02_adversary_reports.jsonl")
    assert {record["authored_by"] for record in reports} == {followed_by}
    first_canaries = (live.run / "superseded/01/canaries.jsonl").read_text().splitlines()
    again = live.records("canaries.jsonl")
    assert [json.loads(line)["query_id"] for line in first_canaries] == [
        record["query_id"] for record in again
    ]
    for command in ("cost", "trace", "casts"):
        assert live(command, "latest").returncode == 0
    draft = live.draft()
    limits = metadata(draft)["known_limits"]
    assert any("caught 0 of 8" in limit and followed_by in limit for limit in limits)
    assert any("The Adversary caught 8 of 8" in limit for limit in limits)
    assert metadata(draft)["roles"]["adversary"] == followed_by
    assert "canary" not in draft.read_text()


@pytest.mark.thorough
def test_a_run_killed_while_another_adversary_takes_over_ends_as_one_left_alone(
    live: Live, snapshot: Snapshot
) -> None:
    """Soon after the files moved aside; only calls under way are lost."""
    with serve_in_thread(RolePlayer(snapshot, twist=approving("anthropic"))) as server:
        settings(server.url, "double").write(live.workplace)
        environment = {**os.environ, **KEYS, "GOLDWRIGHT_CACHE": str(live.cache)}
        arguments = ("run", "small.json", "--repo", live.code)
        call(*arguments, cwd=live.workplace, environment=environment, killed_at=425)
        resumed = live("resume", "latest", "--json")
        assert resumed.returncode == 0, resumed.stderr
        assert len(paid_twice(server)) <= 2 * CONCURRENCY
    after = report(resumed)
    assert [weak["caught"] for weak in after["weak_adversaries"]] == [0]
    assert (after["selected"], after["adversary_power"]["released"]) == (6, 8)
    assert after["adversary_power"]["verdict"] == "shown"
    reports = live.records("02_adversary_reports.jsonl")
    assert {record["authored_by"] for record in reports} == {f"{FIRST}+gemini-3.8-flash"}


@pytest.mark.thorough
def test_two_weak_adversaries_fail_the_run_and_no_third_time_is_tried(
    live: Live, snapshot: Snapshot
) -> None:
    """Exit 1, with both powers."""
    with serve_in_thread(RolePlayer(snapshot, twist=approving("anthropic", "google"))) as server:
        settings(server.url, "swap").write(live.workplace)
        done = live.start("--json")
        requests = len(server.log)
        assert live("resume", "latest").returncode == 1
        assert len(server.log) == requests
    assert done.returncode == 1, done.stderr
    assert len(report(done)["weak_adversaries"]) == 1
    assert report(done)["adversary_power"]["verdict"] == "below"


@pytest.mark.thorough
def test_a_run_that_failed_takes_another_adversary_when_the_settings_name_one(
    live: Live, snapshot: Snapshot
) -> None:
    """Resume goes on with it, and what the first was asked is not asked again."""
    with serve_in_thread(RolePlayer(snapshot, twist=approving("anthropic"))) as server:
        Settings(server.url, canaries=None).write(live.workplace)
        assert live.start().returncode == 1
        earlier = len(server.log)
        settings(server.url, "double").write(live.workplace)
        resumed = live("resume", "latest", "--json")
        assert resumed.returncode == 0, resumed.stderr
        later = [entry for entry in server.log[earlier:] if entry.protocol == "anthropic"]
        assert not later
    assert report(resumed)["weak_adversaries"][0]["reaction"] == "double"


def test_a_record_stands_only_if_neither_of_two_adversaries_refutes_it(
    live: Live, snapshot: Snapshot
) -> None:
    """What the second refutes waits for a person, though the first let it pass."""
    approve = approving("anthropic")
    refuted: list[str] = []

    def refute(role: str, heard: Heard, draft: Draft) -> Draft:
        task = heard.turns[0].text
        is_second = role == "adversary" and heard.protocol == "google"
        if is_second and (not refuted or task in refuted):
            refuted.append(task)
            draft["claim_verdicts"][0] |= {"verdict": "unsupported", "note": "not there"}
        return approve(role, heard, draft)

    with serve_in_thread(RolePlayer(snapshot, twist=refute)) as server:
        settings(server.url, "double").write(live.workplace)
        done = live.start("--json")
    assert done.returncode == 0, done.stderr
    after = report(done)
    (weak,) = after["weak_adversaries"]
    assert (weak["agent"], weak["followed_by"]) == (FIRST, f"{FIRST}+gemini-3.8-flash")
    assert after["adversary_power"]["verdict"] == "shown"
    assert after["fates"]["queued"] == 1
    (queued,) = live.records("04_human_review_queue.jsonl")
    assert queued["reasons"][0].startswith("unsupported_claim")


@pytest.mark.parametrize(
    ("agents", "words"),
    [
        ("", "agents.adversary_fallback"),
        (f'adversary_fallback = "{CLAUDE}"', "the Adversary's own model"),
        ('adversary_fallback = "openai:gpt-5"', "family"),
        ('adversary_fallback = "offline"', "provider:model"),
    ],
)
def test_a_fallback_that_is_none_is_refused_before_anything_is_spent(
    live: Live, agents: str, words: str
) -> None:
    settings("http://127.0.0.1:9", "swap", agents).write(live.workplace)
    refused = live.start()
    assert refused.returncode == 2, refused.stderr
    assert words in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert not Path(live.workplace / "runs").exists()
