"""Whole runs with models behind the three SDKs, against a scripted server on this machine."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from goldwright.snapshot import Snapshot, open_snapshot
from journeys.conftest import Command
from journeys.live import CLAUDE, GEMINI, GPT, KEYS, LOCAL, Settings, copy_code
from scripted.brain import Draft, RolePlayer
from scripted.server import serve_in_thread
from scripted.wire import Heard, Say

Live = Callable[..., "Any"]


@pytest.fixture(scope="session")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A part of this project, as a plain directory."""
    return copy_code(tmp_path_factory.mktemp("code"))


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all runs, so that the code is read once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def snapshot(code: Path, cache: Path) -> Iterator[Snapshot]:
    """The code as the scripted model knows it."""
    opened = open_snapshot(code, rev=None, cache=cache)
    yield opened
    opened.close()


@pytest.fixture
def live(goldwright: Command, cache: Path) -> Live:
    """The command with keys in its environment."""

    def call(*arguments: object, **extra: str) -> Any:
        return goldwright(*arguments, **{**KEYS, "GOLDWRIGHT_CACHE": str(cache), **extra})

    return call


def report(done: Any) -> Any:
    """Read what a command printed as JSON."""
    return json.loads(done.stdout)


def records(workplace: Path, file: str) -> list[dict[str, Any]]:
    """Read a file of the only run there is."""
    (run,) = (workplace / "runs").iterdir()
    path = run / file
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def without_provenance(path: Path) -> list[dict[str, Any]]:
    """Read a dataset, leaving out who made it."""
    rows: list[dict[str, Any]] = json.loads(path.read_text())
    return [{key: value for key, value in row.items() if key != "provenance"} for row in rows]


@pytest.mark.parametrize(
    ("oracle", "others", "judge"),
    [
        (GPT, CLAUDE, GEMINI),
        (CLAUDE, GEMINI, GPT),
        (GEMINI, GPT, CLAUDE),
        (LOCAL, CLAUDE, GPT),
        (CLAUDE, LOCAL, LOCAL),
    ],
)
def test_models_that_know_what_the_embedded_agents_know_make_their_dataset(
    live: Live,
    workplace: Path,
    code: Path,
    snapshot: Snapshot,
    oracle: str,
    others: str,
    judge: str,
) -> None:
    """Whatever SDK plays whatever role, nothing is lost or added on the wire."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url, oracle, others, judge).write(workplace)
        done = live("run", "small.json", "--repo", code, "--json")
    assert done.returncode == 0, done.stderr
    assert report(done)["fates"]["pending"] == 6
    assert all(entry.status == 200 for entry in server.log)
    assert live("export", "latest", "--version", "1.0", "--draft").returncode == 0
    (workplace / "goldwright.toml").unlink()
    assert live("run", "small.json", "--repo", code).returncode == 0
    assert live("export", "latest", "--version", "2.0", "--draft").returncode == 0
    golden = workplace / "golden"
    live_rows = without_provenance(golden / "golden_v1.0.draft.json")
    assert live_rows == without_provenance(golden / "golden_v2.0.draft.json")


def test_the_funnel_is_the_one_that_follows_from_what_the_models_did(
    live: Live, workplace: Path, code: Path, snapshot: Snapshot
) -> None:
    """One answer cites nowhere, one claim is refused, one narrative diverges, one model declines."""
    seen: dict[str, list[str]] = {"oracle": [], "adversary": [], "judge": []}

    def err(role: str, heard: Heard, draft: Draft) -> Draft:
        places = seen.setdefault(role, [])
        places.append(heard.turns[0].text)
        match role, len(places):
            case "oracle", 1:
                draft["expected_files"] = ["shop/nowhere.py"]
            case "adversary", 2:
                draft["claim_verdicts"][0] |= {"verdict": "unsupported", "note": "not there"}
            case "judge", 1:
                draft |= {"verdict": "minor_divergence", "reason": "a detail"}
            case _:
                pass
        return draft

    player = RolePlayer(snapshot, twist=err)
    declined: list[str] = []

    def brain(heard: Heard) -> Say:
        said = player(heard)
        if (
            heard.protocol == "responses"
            and said.text
            and len(seen["oracle"]) >= 3
            and not declined
        ):
            declined.append(heard.turns[0].text)
        return Say(stop="refused") if heard.turns[0].text in declined else said

    with serve_in_thread(brain) as server:
        Settings(server.url, concurrency=1).write(workplace)
        done = live("run", "small.json", "--repo", code, "--json")
    fates = report(done)["fates"]
    emitted = report(done)["emitted"]
    assert fates["failed_gate"] == 1, fates
    assert fates["queued"] == 3, fates
    assert fates["pending"] + fates["reserve"] == emitted - fates["rejected"] - 4
    reasons = sorted(
        record["reasons"][0].partition(":")[0]
        for record in records(workplace, "04_human_review_queue.jsonl")
    )
    assert reasons == ["narrative", "refused", "unsupported_claim"]
    assert len(records(workplace, "01_oracle_answers.jsonl")) == emitted - fates["rejected"] - 1


def test_an_oracle_of_the_family_of_its_questioners_is_refused_before_anything_is_spent(
    live: Live, workplace: Path, code: Path, snapshot: Snapshot
) -> None:
    """Independence fails closed: for one family, and for a family nobody can tell."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        for oracle, others, word in (
            ("anthropic:claude-opus-5", CLAUDE, "family"),
            ("workshop:gpt-oss-20b", GPT, "family"),
            ("workshop:homegrown", CLAUDE, "cannot tell"),
        ):
            priced = f'[prices."{oracle}"]\ninput = 0\noutput = 0'
            Settings(server.url, oracle, others, others, more=priced).write(workplace)
            done = live("run", "small.json", "--repo", code)
            assert done.returncode == 2, done.stderr
            assert word in done.stderr
            assert len(done.stderr.splitlines()) == 1
    assert not server.log
    assert not (workplace / "runs").exists()


def test_a_family_that_was_allowed_stands_in_the_manifest(
    live: Live, workplace: Path, code: Path, snapshot: Snapshot
) -> None:
    """Who gives up independence says so, and the run keeps it."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url, "anthropic:claude-opus-5", agents="allow_same_family = true").write(
            workplace
        )
        assert live("run", "small.json", "--repo", code).returncode == 0
    (run,) = (workplace / "runs").iterdir()
    manifest = json.loads((run / "run.json").read_text())
    assert manifest["allow_same_family"] is True
    assert manifest["families"]["oracle"] == manifest["families"]["adversary"] == "anthropic"
    assert live("export", "latest", "--version", "1.0", "--draft").returncode == 0
    metadata = json.loads((workplace / "golden" / "golden_v1.0.draft.meta.json").read_text())
    assert metadata["allow_same_family"] is True
    assert metadata["models"]["oracle"] == "anthropic:claude-opus-5"
    assert any("one family" in limit for limit in metadata["known_limits"])


def test_a_dry_run_asks_nobody_and_tells_what_it_rests_on(
    live: Live, workplace: Path, code: Path, snapshot: Snapshot
) -> None:
    """Calls, tokens and dollars by role, with the assumptions and the date of the prices."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url).write(workplace)
        done = live("run", "small.json", "--repo", code, "--dry-run", "--json")
    planned = report(done)
    assert not server.log
    assert planned["usd"] > 0
    assert {one["role"]: one["items"] for one in planned["roles"]} == {
        "author": 3, "oracle": 9, "adversary": 9, "judge": 9,
    }  # fmt: skip
    assert planned["assumptions"]
    assert not (workplace / "runs").exists()


def test_a_run_stops_at_its_ceiling_and_goes_on_with_a_higher_one(
    live: Live, workplace: Path, code: Path, snapshot: Snapshot
) -> None:
    """Nothing that was paid is paid again, and the total survives."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url, run="budget_usd = 0.3").write(workplace)
        stopped = live("run", "small.json", "--repo", code)
        assert stopped.returncode == 5, stopped.stderr
        assert "--budget-usd" in stopped.stderr
        spent = report(live("status", "latest", "--json"))["usd"]
        assert 0 < spent <= 0.3
        done = live("resume", "latest", "--budget-usd", "50", "--json")
        assert done.returncode == 0, done.stderr
    digests = [entry.body_digest for entry in server.log if entry.status == 200]
    assert len(digests) == len(set(digests))
    assert report(done)["usd"] > spent


def test_a_changed_model_is_named_with_what_it_would_redo(
    live: Live, workplace: Path, code: Path, snapshot: Snapshot
) -> None:
    """The number of records and their cost, before anything is done; then only that stage and what
    hangs on it.
    """
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url).write(workplace)
        assert live("run", "small.json", "--repo", code).returncode == 0
        before = len(server.log)
        answers = records(workplace, "01_oracle_answers.jsonl")
        Settings(server.url, others="anthropic:claude-haiku-4-5").write(workplace)
        (workplace / "goldwright.toml").write_text(
            (workplace / "goldwright.toml")
            .read_text()
            .replace('author = "anthropic:claude-haiku-4-5"', f'author = "{CLAUDE}"')
        )
        refused = live("resume", "latest")
        assert refused.returncode == 2
        assert "9 records of the stage adversary" in refused.stderr
        assert "$0." in refused.stderr
        assert len(server.log) == before
        done = live("resume", "latest", "--accept-changes", "--json")
        assert done.returncode == 0, done.stderr
        assert {entry.model for entry in server.log[before:]} == {
            "claude-haiku-4-5",
            "gemini-3.8-flash",
        }
    assert records(workplace, "01_oracle_answers.jsonl") == answers


def test_a_reply_that_cannot_be_mended_is_given_up_and_the_others_go_on(
    live: Live, workplace: Path, code: Path, snapshot: Snapshot
) -> None:
    """Two repairs, then quarantine; no verdict is written for it, and the next resume begins it
    anew.
    """
    player = RolePlayer(snapshot)
    bad: list[str] = []
    is_well: list[bool] = []

    def brain(heard: Heard) -> Say:
        said = player(heard)
        task = heard.turns[0].text
        if heard.protocol == "responses" and not bad:
            bad.append(task)
        return (
            Say(text='{"expected_entities": NaN}')
            if task in bad and said.text and not is_well
            else said
        )

    with serve_in_thread(brain) as server:
        Settings(server.url, concurrency=1).write(workplace)
        done = live("run", "small.json", "--repo", code, "--json")
        assert done.returncode == 6, done.stderr
        assert report(done)["fates"]["open"] == 1
        assert "NaN" in done.stderr
        asked = sum(entry.protocol == "responses" for entry in server.log)
        is_well.append(True)
        again = live("resume", "latest", "--json")
        assert again.returncode == 0, again.stderr
        assert report(again)["fates"]["open"] == 0
        assert sum(entry.protocol == "responses" for entry in server.log) > asked


def test_canaries_reach_the_adversary_and_no_dataset(
    live: Live, workplace: Path, code: Path, snapshot: Snapshot
) -> None:
    """Falsified answers are attacked unmarked, counted by kind, and kept out of every stage file."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url).write(workplace)
        done = live("run", "small.json", "--repo", code, "--canaries", "10", "--json")
        assert done.returncode == 0, done.stderr
    rates = report(done)["canaries"]
    assert rates["all"]["released"] == 10
    assert rates["all"]["caught"] >= 8
    low, high = rates["all"]["interval"]
    assert 0 < low < high <= 1
    assert live("export", "latest", "--version", "1.0", "--draft").returncode == 0
    metadata = json.loads((workplace / "golden" / "golden_v1.0.draft.meta.json").read_text())
    assert metadata["canaries"] == rates
    (run,) = (workplace / "runs").iterdir()
    others = [
        path for path in run.glob("*.jsonl") if path.name not in {"canaries.jsonl", "calls.jsonl"}
    ]
    for path in (*others, workplace / "golden" / "golden_v1.0.draft.json"):
        assert "canary" not in path.read_text()


def test_offline_adversaries_are_measured_by_canaries_too(live: Live, code: Path) -> None:
    """No key, no network: the embedded Adversary has a catch rate as well."""
    done = live("run", "smoke", "--repo", code, "--canaries", "12", "--json")
    assert report(done)["canaries"]["all"]["released"] == 12
    assert "canaries caught" in done.stderr


def test_the_check_of_agents_shows_a_wrong_key_and_what_a_right_one_costs(
    live: Live, workplace: Path, snapshot: Snapshot
) -> None:
    """One request a model, well under a cent."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url).write(workplace)
        done = live("agents", "check", "--json")
        assert done.returncode == 0, done.stderr
        assert len(server.log) == 3
        assert sum(one["usd"] for one in report(done)) < 0.01
        assert {role for one in report(done) for role in one["roles"]} == {
            "author",
            "oracle",
            "adversary",
            "judge",
        }


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"OPENAI_API_KEY": ""}, ["no key", "OPENAI_API_KEY"]),
        ({"OPENAI_API_KEY": "two words"}, ["OPENAI_API_KEY"]),
    ],
)
def test_a_key_that_is_missing_or_cut_is_named_by_its_variable(
    live: Live, workplace: Path, code: Path, environment: dict[str, str], words: list[str]
) -> None:
    """One line, nothing asked, nothing written, and no word of the key itself."""
    text = (
        Settings("http://127.0.0.1:9")
        .text()
        .replace('base_url = "http://127.0.0.1:9/v1"\napi = "responses"', "")
    )
    (workplace / "goldwright.toml").write_text(text)
    done = live("run", "smoke", "--repo", code, **environment)
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert all(word in done.stderr for word in words)
    assert "two words" not in done.stderr


def test_a_hint_reaches_the_oracle_and_costs_one_more_attempt(
    live: Live, workplace: Path, code: Path, snapshot: Snapshot
) -> None:
    """A record that the gate failed is answered again with a person's words; nothing else is asked
    anew.
    """
    heard_hints: list[str] = []

    def err(role: str, heard: Heard, draft: Draft) -> Draft:
        task = heard.turns[0].text
        if role == "oracle" and "look at the module" in task:
            heard_hints.append(task)
        elif role == "oracle" and not heard_hints and not failed:
            failed.append(task)
            draft["expected_files"] = ["nowhere.py"]
        return draft

    failed: list[str] = []
    with serve_in_thread(RolePlayer(snapshot, twist=err)) as server:
        Settings(server.url, concurrency=1).write(workplace)
        assert live("run", "small.json", "--repo", code).returncode == 0
        (failure,) = records(workplace, "03_validation_failures.jsonl")
        asked = len(server.log)
        done = live(
            "retry", "latest", failure["query_id"], "--hint", "look at the module again", "--json"
        )
        assert done.returncode == 0, done.stderr
        assert len(server.log) - asked <= 6
    assert len(heard_hints) == 1
    assert report(done)["fate"] in {"pending", "reserve"}


def test_a_stage_that_is_done_again_is_paid_again_and_no_other(
    live: Live, workplace: Path, code: Path, snapshot: Snapshot
) -> None:
    """From the Adversary on: the Oracle's answers stay, and their replies are not asked for."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url).write(workplace)
        first = live("run", "small.json", "--repo", code, "--json")
        before = len(server.log)
        again = live("resume", "latest", "--from", "adversary", "--json")
        assert again.returncode == 0, again.stderr
        assert {entry.protocol for entry in server.log[before:]} == {"anthropic", "google"}
    assert report(again)["fates"] == report(first)["fates"]
    assert report(again)["usd"] > report(first)["usd"]
    assert report(again)["costs"]["oracle"] == report(first)["costs"]["oracle"]
