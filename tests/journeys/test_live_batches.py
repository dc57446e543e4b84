"""Runs whose Adversary, completeness and judge are asked in batches, against a scripted server."""

import json
import os
import signal
from fractions import Fraction
from typing import Any

import pytest

from effort import first_of, share_of
from goldwright.llm.port import Usage
from goldwright.llm.pricing import PriceTable
from goldwright.llm.providers.reply_values import read_tokens
from goldwright.snapshot import Snapshot
from journeys.live import (
    CLAUDE,
    GEMINI,
    GPT,
    KEYS,
    LOCAL,
    Live,
    Settings,
    report,
    without_provenance,
)
from journeys.starting import call
from journeys.test_live_runs import offline_rows
from scripted.batches import Billed, Fate
from scripted.brain import RolePlayer
from scripted.server import Entry, Fault, Running, serve_in_thread

pytestmark = pytest.mark.waits

__all__ = ["offline_rows"]

QUICK = "batch_gathering_s = 0.05\nbatch_poll_s = 0.05"
IN_BATCHES = f"batch = true\n{QUICK}"
PROVIDER_OF = {"anthropic": "anthropic", "responses": "openai", "google": "google"}
PRICES = PriceTable.shipped()
# How the path ends by which a model's provider takes a batch.
CREATION_OF = {
    CLAUDE: "/messages/batches",
    GPT: "/v1/batches",
    GEMINI: ":batchGenerateContent",
}


def price(entry: Entry | Billed) -> int:
    """What a provider bills for a request, or for an entry of a batch, in micro-dollars."""
    pricing = PRICES.pricing_of(f"{PROVIDER_OF[entry.protocol]}:{entry.model}")
    assert pricing is not None
    if isinstance(entry, Billed):
        pricing = pricing.scaled(Fraction(1, 2))
    usage = entry.usage
    return pricing.cost(
        Usage(
            fresh=read_tokens(usage["fresh"]),
            cached=usage["cached"],
            cache_written=usage["written"],
            output=usage["output"],
        )
    )


def bill(server: Running) -> int:
    """All that the server bills."""
    single = [entry for entry in server.log if sum(entry.usage.values())]
    return sum(map(price, single)) + sum(map(price, server.server.batches.billed))


def told(live: Live) -> int:
    """What the run says it spent, in micro-dollars."""
    usd: float = live.status()["usd"]
    return round(usd * 1_000_000)


@pytest.mark.parametrize(
    ("oracle", "others", "judge"),
    # The second one's models are those of the tests below.
    first_of([(GEMINI, GPT, CLAUDE), (GPT, CLAUDE, GEMINI)], suite=1),
)
def test_batches_bring_the_dataset_of_single_requests_at_half_the_price_whatever_answer_is_lost(
    live: Live,
    snapshot: Snapshot,
    offline_rows: list[dict[str, Any]],
    oracle: str,
    others: str,
    judge: str,
) -> None:
    """The answer to each first batch is lost: it is found, and not handed in twice."""
    lost: list[str] = []

    def lose_each_first(_serial: int, path: str) -> Fault | None:
        # Where one provider takes batches in, another one lists its own.
        creations = (CREATION_OF[others], CREATION_OF[judge])
        if not path.endswith(creations) or path in lost:
            return None
        lost.append(path)
        return Fault("reset_before")

    with serve_in_thread(RolePlayer(snapshot), batch_faults=lose_each_first) as server:
        Settings(server.url, oracle, others, judge, run=IN_BATCHES).write(live.workplace)
        result = live.start("--json")
        assert result.returncode == 0, result.stderr
        assert without_provenance(live.draft()) == offline_rows
        desk = server.server.batches
        asked = {entry.protocol for entry in desk.billed}
        assert len(asked) == 2
        # A batch holds what waits at the same time: how much that is, the machine's load decides.
        assert len(desk.billed) > len(desk.batches)
        assert max(len(batch.custom_ids) for batch in desk.batches.values()) > 2
        assert told(live) == bill(server)
        assert not desk.files
        assert len({(entry.protocol, entry.custom_id) for entry in desk.billed}) == len(desk.billed)
    assert len(lost) == 2
    assert "waiting for a batch of" in result.stderr


def test_an_estimate_knows_the_price_of_batches(live: Live) -> None:
    Settings("http://127.0.0.1:9", run=QUICK).write(live.workplace)
    estimates = []
    for way in ("--no-batch", "--batch"):
        done = live.start("--dry-run", "--json", way)
        planned = report(done)
        estimates.append({role["role"]: role["usd"] for role in planned["roles"]})
    single, batched = estimates
    assert batched["author"] == single["author"]
    assert batched["adversary"] == pytest.approx(single["adversary"] / 2, rel=0.01)
    assert batched["judge"] == pytest.approx(single["judge"] / 2, rel=0.01)
    assert "in batches, at half the price" in " ".join(planned["assumptions"])
    assert f"{CLAUDE}, in batches" in live.start("--dry-run", "--batch").stdout


@pytest.mark.parametrize("way", first_of(["--batch", "--no-batch"], suite=1))
def test_an_estimate_goes_by_earlier_runs_of_either_way(
    live: Live, snapshot: Snapshot, way: str
) -> None:
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url, run=QUICK).write(live.workplace)
        assert live.start(way).returncode == 0
    planned = {}
    for next_way in ("--batch", "--no-batch"):
        done = report(live.start("--dry-run", "--json", next_way))
        planned[next_way] = {role["role"]: role for role in done["roles"]}
    batched, single = planned["--batch"]["adversary"], planned["--no-batch"]["adversary"]
    assert batched["measured_items"] == single["measured_items"] > 0
    for figure in ("low_usd", "usd", "high_usd"):
        assert batched[figure] == pytest.approx(single[figure] / 2, abs=2e-6)
    # What the run has cost is what another one with as many answers is expected to cost.
    spent = live.status()["costs"]["adversary"]["usd"]
    share = planned[way]["adversary"]["items"] / single["measured_items"]
    assert planned[way]["adversary"]["usd"] == pytest.approx(spent * share, rel=0.01)


@pytest.mark.parametrize("reaction", ["swap", "double"])
def test_an_estimate_foresees_the_adversary_that_follows_a_weak_one(
    live: Live, reaction: str
) -> None:
    highest = []
    for on_weak in ("fail", reaction):
        Settings(
            "http://127.0.0.1:9",
            agents=f'adversary_fallback = "{GEMINI}"',
            run=f'on_weak_adversary = "{on_weak}"',
            canaries=None,
        ).write(live.workplace)
        planned = report(live.start("--dry-run", "--json"))
        (adversary,) = [role for role in planned["roles"] if role["role"] == "adversary"]
        highest.append((planned["usd"], planned["high_usd"], adversary["follower"]))
    (usd, high, none), (same_usd, higher, follower) = highest
    assert (same_usd, none, follower) == (usd, None, GEMINI)
    assert higher > high
    assert f"{GEMINI} attacks all answers as well" in " ".join(planned["assumptions"])


def test_who_takes_no_batches_is_refused_before_anything_is_asked(live: Live) -> None:
    Settings("http://127.0.0.1:9", others=LOCAL).write(live.workplace)
    refused = live.start("--batch")
    assert refused.returncode == 2
    (line,) = refused.stderr.splitlines()
    assert f"--batch: {LOCAL} plays the adversary" in line
    assert "takes no batches" in line
    assert not (live.workplace / "runs").exists()
    (live.workplace / "goldwright.toml").write_text("")
    assert "no model plays a role that can wait" in live.start("--batch").stderr


def test_a_key_that_may_not_use_batches_is_told_before_the_work_begins(
    live: Live, snapshot: Snapshot
) -> None:
    def refuse(_serial: int, _path: str) -> Fault:
        return Fault("status", status=403)

    with serve_in_thread(RolePlayer(snapshot), batch_faults=refuse) as server:
        Settings(server.url, run=IN_BATCHES).write(live.workplace)
        refused = live.start()
        assert refused.returncode == 6
        assert "takes no batches from this key (access: 403" in refused.stderr.splitlines()[-1]
        # One exchange with each of the three models, of two requests each.
        assert len([entry for entry in server.log if sum(entry.usage.values())]) <= 6


def test_entries_that_fail_or_expire_are_handed_in_again_and_cost_nothing(
    live: Live, snapshot: Snapshot, offline_rows: list[dict[str, Any]]
) -> None:
    fates: dict[int, Fate] = {2: "errored", 5: "expired", 7: "left out", 11: "errored"}
    with serve_in_thread(RolePlayer(snapshot)) as server:
        server.server.batches.fate = lambda number: fates.get(number, "succeeded")
        Settings(server.url, run=IN_BATCHES).write(live.workplace)
        result = live.start("--json")
        assert result.returncode == 0, result.stderr
        assert without_provenance(live.draft()) == offline_rows
        most = max(told(live), bill(server))
    # Of an entry that was left out nobody knows whether it is billed.
    assert bill(server) <= most < 1.1 * bill(server)


def journal(live: Live) -> list[dict[str, Any]]:
    """The entries of the run's calls."""
    return [json.loads(line) for line in (live.run / "calls.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    "others", first_of([CLAUDE, GPT, GEMINI], suite=1), ids=lambda name: name.partition(":")[0]
)
def test_a_run_that_is_killed_anywhere_joins_its_batches_and_pays_nothing_twice(
    live: Live, snapshot: Snapshot, offline_rows: list[dict[str, Any]], others: str
) -> None:
    """Killed before a batch is handed in, before its name is on disk, and before each reply is."""
    oracle, judge = {CLAUDE: (GPT, GEMINI), GPT: (GEMINI, CLAUDE), GEMINI: (GPT, CLAUDE)}[others]
    environment = {**os.environ, **KEYS, "GOLDWRIGHT_CACHE": str(live.cache)}
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url, oracle, others, judge, run=QUICK).write(live.workplace)
        arguments: tuple[object, ...] = ("run", "small.json", "--repo", live.code, "--batch")
        kills = 0
        waiting: list[int] = []
        for step in range(60):
            # Ever further, so that the run ends: each process writes a little before it dies.
            done = call(
                *arguments,
                cwd=live.workplace,
                environment=environment,
                killed_at=9 + share_of(5, suite=26) * step,
            )
            if done.returncode != -signal.SIGKILL:
                break
            kills += 1
            waiting.append(live.status()["in_batches"])
            arguments = ("resume", "latest") if (live.workplace / "runs").exists() else arguments
        assert done.returncode == 0, done.stderr
        assert kills >= share_of(5, suite=3)
        assert max(waiting) > 0
        assert report(live("status", "latest", "--json"))["state"] == "complete"
        assert without_provenance(live.draft()) == offline_rows
        billed = server.server.batches.billed
        waits = ("adversary:", "completeness:", "judge:")
        replied = [
            entry
            for entry in journal(live)
            if entry["t"] == "reply" and entry["item"].startswith(waits)
        ]
        assert len(billed) == len(replied)
        assert not server.server.batches.files
