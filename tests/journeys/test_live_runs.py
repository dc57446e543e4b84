"""Whole runs with models behind the three SDKs, against a scripted server on this machine."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from effort import first_of
from goldwright.snapshot import Snapshot
from journeys.live import (
    CLAUDE,
    GEMINI,
    GPT,
    LOCAL,
    PLAN,
    Live,
    Settings,
    metadata,
    report,
    without_provenance,
)
from journeys.sharing import make_once
from scripted.brain import Draft, RolePlayer, hands_in, role_of
from scripted.server import serve_in_thread
from scripted.wire import Heard, Say


@pytest.fixture(scope="session")
def offline_rows(shared: Path, code: Path, cache: Path) -> list[dict[str, Any]]:
    """The dataset of the embedded agents for the small plan."""

    def run(directory: Path) -> None:
        (directory / "small.json").write_text(PLAN)
        offline = Live(directory, code, cache)
        assert offline.start().returncode == 0
        offline.draft()

    made = make_once(shared / "finished-offline-run", run)
    return without_provenance(made / "golden/golden_v1.0.draft.json")


@pytest.mark.parametrize(
    ("oracle", "others", "judge"),
    # The first two have each SDK, and the default models play in most other tests.
    first_of(
        [
            (GEMINI, CLAUDE, GPT),
            (LOCAL, GPT, CLAUDE),
            (GPT, CLAUDE, GEMINI),
            (CLAUDE, GEMINI, GPT),
            (GEMINI, GPT, CLAUDE),
            (LOCAL, CLAUDE, GPT),
            (CLAUDE, LOCAL, LOCAL),
        ],
        suite=2,
    ),
)
def test_models_that_know_what_the_embedded_agents_know_make_their_dataset(
    live: Live,
    snapshot: Snapshot,
    offline_rows: list[dict[str, Any]],
    oracle: str,
    others: str,
    judge: str,
) -> None:
    """Whatever SDK plays whatever role, nothing is lost or added on the wire."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url, oracle, others, judge).write(live.workplace)
        result = live.start("--json")
    assert result.returncode == 0, result.stderr
    assert report(result)["fates"]["pending"] == 6
    assert all(entry.status == 200 for entry in server.log)
    assert without_provenance(live.draft()) == offline_rows


@pytest.mark.thorough
def test_the_funnel_is_the_one_that_follows_from_what_the_models_did(
    live: Live, snapshot: Snapshot
) -> None:
    """One answer cites nowhere, one claim is refused, one narrative differs, one model declines."""
    tasks: dict[str, list[str]] = {"oracle": [], "adversary": [], "judge": []}

    def err(role: str, heard: Heard, draft: Draft) -> Draft:
        tasks_of_role = tasks.setdefault(role, [])
        tasks_of_role.append(heard.turns[0].text)
        match role, len(tasks_of_role):
            case "oracle", 1:
                draft["expected_files"] = ["shop/nowhere.py"]
            case "adversary", 2:
                draft["claim_verdicts"][0] |= {"verdict": "unsupported", "note": "not there"}
            case "judge", 1:
                draft |= {"verdict": "minor_divergence", "reason": "a detail"}
            case "judge", _:
                # Whatever the embedded judge thinks of the other ones, nothing else is to differ.
                draft |= {"verdict": "equivalent", "reason": "the same"}
            case _:
                pass
        return draft

    player = RolePlayer(snapshot, twist=err)

    def brain(heard: Heard) -> Say:
        reply = player(heard)
        is_third = heard.turns[0].text in tasks["oracle"][2:3]
        return Say(stop="refused") if is_third and hands_in(reply) else reply

    with serve_in_thread(brain) as server:
        Settings(server.url, concurrency=1).write(live.workplace)
        result = live.start("--json")
    fates = report(result)["fates"]
    emitted = report(result)["emitted"]
    assert fates["failed_gate"] == 1, fates
    assert fates["queued"] == 3, fates
    assert fates["pending"] + fates["reserve"] == emitted - fates["rejected"] - 4
    queue = live.records("04_human_review_queue.jsonl")
    reasons = sorted(record["reasons"][0].partition(":")[0] for record in queue)
    assert reasons == ["narrative", "refused", "unsupported_claim"]
    assert len(live.records("01_oracle_answers.jsonl")) == emitted - fates["rejected"] - 1


def test_an_oracle_of_the_family_of_its_questioners_is_refused_before_anything_is_spent(
    live: Live, snapshot: Snapshot
) -> None:
    """Independence fails closed: for one family, and for a family nobody can tell."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        for oracle, others, word in (
            ("anthropic:claude-opus-5", CLAUDE, "family"),
            ("workshop:gpt-oss-20b", GPT, "family"),
            ("workshop:homegrown", CLAUDE, "cannot tell"),
        ):
            priced = f'[prices."{oracle}"]\ninput = 0\noutput = 0'
            Settings(server.url, oracle, others, others, more=priced).write(live.workplace)
            refused = live.start()
            assert refused.returncode == 2, refused.stderr
            assert word in refused.stderr
            assert len(refused.stderr.splitlines()) == 1
    assert not server.log
    assert not (live.workplace / "runs").exists()


@pytest.mark.thorough
def test_a_family_that_was_allowed_stands_in_the_manifest(live: Live, snapshot: Snapshot) -> None:
    """Who gives up independence says so, and the run keeps it."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        allowing = "allow_same_family = true"
        Settings(server.url, "anthropic:claude-opus-5", agents=allowing).write(live.workplace)
        assert live.start().returncode == 0
    manifest = json.loads((live.run / "run.json").read_text())
    assert manifest["allow_same_family"] is True
    assert manifest["families"]["oracle"] == manifest["families"]["adversary"] == "anthropic"
    of_draft = metadata(live.draft())
    assert of_draft["allow_same_family"] is True
    assert of_draft["models"]["oracle"] == "anthropic:claude-opus-5"
    assert any("one family" in limit for limit in of_draft["known_limits"])


def test_a_dry_run_asks_nobody_and_tells_what_it_rests_on(live: Live, snapshot: Snapshot) -> None:
    """Calls, tokens and dollars by role, with the assumptions and the date of the prices."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url).write(live.workplace)
        planned = report(live.start("--dry-run", "--json"))
    assert not server.log
    assert planned["usd"] > 0
    assert {role["role"]: role["items"] for role in planned["roles"]} == {
        "author": 3,
        "oracle": 6,
        "adversary": 6,
        "completeness": 6,
        "judge": 6,
    }
    assert planned["assumptions"]
    assert not (live.workplace / "runs").exists()


def test_a_run_stops_at_its_ceiling_and_goes_on_with_a_higher_one(
    live: Live, snapshot: Snapshot
) -> None:
    """Nothing that was paid is paid again, and the total survives."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url, run="budget_usd = 0.3").write(live.workplace)
        stopped = live.start()
        assert stopped.returncode == 5, stopped.stderr
        assert "--budget-usd" in stopped.stderr
        spent = live.status()["usd"]
        assert 0 < spent <= 0.3
        resumed = live("resume", "latest", "--budget-usd", "50", "--json")
        assert resumed.returncode == 0, resumed.stderr
    digests = [entry.body_digest for entry in server.log if entry.status == 200]
    assert len(digests) == len(set(digests))
    assert report(resumed)["usd"] > spent


def test_a_changed_model_is_named_with_what_it_would_redo(
    live: Live, snapshot: Snapshot, finished_live_run: Path
) -> None:
    """The number of records and their cost, before anything is done; then only that stage and what
    hangs on it.
    """
    live.take(finished_live_run)
    answers = live.records("01_oracle_answers.jsonl")
    with serve_in_thread(RolePlayer(snapshot)) as server:
        settings = Settings(server.url, others="anthropic:claude-haiku-4-5").text()
        author = 'author = "anthropic:claude-haiku-4-5"'
        text = settings.replace(author, f'author = "{CLAUDE}"')
        (live.workplace / "goldwright.toml").write_text(text)
        refused = live("resume", "latest")
        assert refused.returncode == 2
        assert "6 records of the stage adversary" in refused.stderr
        assert "$0." in refused.stderr
        assert not server.log
        accepted = live("resume", "latest", "--accept-changes", "--json")
        assert accepted.returncode == 0, accepted.stderr
        models = {entry.model for entry in server.log}
        assert models == {"claude-haiku-4-5", "gemini-3.8-flash"}
    assert live.records("01_oracle_answers.jsonl") == answers


def test_each_role_thinks_as_much_as_the_settings_say(live: Live, snapshot: Snapshot) -> None:
    player = RolePlayer(snapshot)
    efforts: dict[str | None, set[object]] = {}

    def brain(heard: Heard) -> Say:
        body = heard.body
        effort = body.get("reasoning", body.get("output_config", {})).get("effort")
        efforts.setdefault(role_of(heard.system), set()).add(effort)
        return player(heard)

    with serve_in_thread(brain) as server:
        agents = 'effort = {oracle = "high", adversary = "low"}'
        settings = Settings(server.url, agents=agents)
        settings.write(live.workplace)
        started = live.start()
        assert started.returncode == 0, started.stderr
        assert (efforts["oracle"], efforts["adversary"]) == ({"high"}, {"low"})
        assert efforts["author"] == {None}
        manifest = json.loads((live.run / "run.json").read_text())
        assert manifest["efforts"] == {"oracle": "high", "adversary": "low"}
        # What other thinking has cost tells nothing of a run.
        Settings(server.url, agents='effort = {oracle = "high"}').write(live.workplace)
        planned = {
            role["role"]: role for role in report(live.start("--dry-run", "--json"))["roles"]
        }
        assert planned["oracle"]["measured_items"] > 0 == planned["adversary"]["measured_items"]
        settings.write(live.workplace)
        # Other thinking may give other answers: said before anything is asked again.
        replace(settings, agents='effort = {oracle = "low"}').write(live.workplace)
        changed = live("resume", "latest")
        assert changed.returncode == 2
        assert "the effort of the oracle changed from high" in changed.stderr


def test_a_reply_that_cannot_be_mended_is_given_up_and_the_others_go_on(
    live: Live, snapshot: Snapshot
) -> None:
    """Three repairs, then quarantine; no verdict is written for it, and the next resume begins it
    anew.
    """
    player = RolePlayer(snapshot)
    bad_tasks: list[str] = []
    is_well: list[bool] = []

    def brain(heard: Heard) -> Say:
        reply = player(heard)
        task = heard.turns[0].text
        if role_of(heard.system) == "oracle" and not bad_tasks:
            bad_tasks.append(task)
        if task in bad_tasks and hands_in(reply) and not is_well:
            return Say(text='{"expected_entities": NaN}')
        return reply

    with serve_in_thread(brain) as server:
        Settings(server.url, concurrency=1).write(live.workplace)
        result = live.start("--json")
        assert result.returncode == 6, result.stderr
        assert report(result)["fates"]["open"] == 1
        assert "NaN" in result.stderr
        requests = sum(entry.protocol == "responses" for entry in server.log)
        is_well.append(True)
        resumed = live("resume", "latest", "--json")
        assert resumed.returncode == 0, resumed.stderr
        assert report(resumed)["fates"]["open"] == 0
        assert sum(entry.protocol == "responses" for entry in server.log) > requests


@pytest.mark.thorough
def test_canaries_reach_the_adversary_and_no_dataset(live: Live, snapshot: Snapshot) -> None:
    """Falsified answers are attacked unmarked, counted by kind, and kept out of stage files."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url).write(live.workplace)
        result = live.start("--canaries", "10", "--json")
        assert result.returncode == 0, result.stderr
    rates = report(result)["canaries"]
    assert rates["all"]["released"] == 10
    assert rates["all"]["caught"] >= 8
    low, high = rates["all"]["interval"]
    assert 0 < low < high <= 1
    draft = live.draft()
    assert metadata(draft)["canaries"] == rates
    own_files = {"canaries.jsonl", "calls.jsonl"}
    others = [path for path in live.run.glob("*.jsonl") if path.name not in own_files]
    for path in (*others, draft):
        assert "canary" not in path.read_text()


def approve(role: str, _heard: Heard, draft: Draft) -> Draft:
    """Have the Adversary agree with whatever it is given."""
    if role == "adversary":
        for verdict in draft["claim_verdicts"]:
            verdict |= {"verdict": "supported", "note": None}
        draft |= {"overall_verdict": "supported", "blocking_issues": [], "missed_entities": []}
    return draft


def test_an_adversary_that_approves_of_everything_fails_its_run_and_spoils_no_record(
    live: Live, snapshot: Snapshot
) -> None:
    """Canaries go out by themselves; exit 1 in one line, and all that was made is usable."""
    with serve_in_thread(RolePlayer(snapshot, twist=approve)) as server:
        Settings(server.url, canaries=None).write(live.workplace)
        done = live.start("--json")
        assert done.returncode == 1, done.stderr
        requests = len(server.log)
        resumed = live("resume", "latest", "--json")
        assert len(server.log) == requests
    for result in (done, resumed):
        assert result.returncode == 1
        after = report(result)
        assert (after["state"], after["selected"], after["complete_enough"]) == (
            "complete",
            6,
            True,
        )
        power = after["adversary_power"]
        assert (power["caught"], power["released"], power["verdict"]) == (0, 8, "below")
        (line,) = (line for line in result.stderr.splitlines() if line.startswith("weak"))
        assert "0 of 8 falsified answers (0 %, 95 % interval 0 to 32 %)" in line
        assert "stated power of 50 %" in line
    assert live("status", "latest").returncode == 0
    draft = live.draft()
    limits = metadata(draft)["known_limits"]
    assert any("caught 0 of 8 falsified answers" in limit for limit in limits)
    assert any("below the stated power" in limit for limit in limits)
    for checked in (draft, "latest"):
        card = live("verify", checked, "--repo", live.code, "--card")
        (row,) = (line for line in card.stdout.splitlines() if "the Adversary caught" in line)
        assert "0.0%" in row
        assert row.endswith("short")
    required = live("verify", draft, "--repo", live.code, "--require-card", "--json")
    assert required.returncode == 1
    assert report(required)["trust_card"]["adversary"]["adversary_power"]["verdict"] == "short"


@pytest.mark.thorough
def test_canaries_by_default_change_no_byte_of_the_dataset_and_show_a_good_adversary(
    live: Live,
    snapshot: Snapshot,
    offline_rows: list[dict[str, Any]],
    finished_live_run: Path,
) -> None:
    """Exit 0, and the records are those of a run without any."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url, canaries=None).write(live.workplace)
        done = live.start("--json")
    assert done.returncode == 0, done.stderr
    assert report(done)["adversary_power"]["verdict"] == "shown"
    draft = live.draft()
    assert without_provenance(draft) == offline_rows
    # To the byte, since a run without canaries is the same run otherwise.
    (live.workplace / "runs").rename(live.workplace / "other-runs")
    live.take(finished_live_run)
    assert live.draft("1.1").read_bytes() == draft.read_bytes()


def test_an_adversary_that_nobody_measured_is_told_as_such(
    live: Live, finished_live_run: Path
) -> None:
    """``--canaries 0`` fails no gate and proves nothing, which the metadata say."""
    live.take(finished_live_run)
    assert live.status()["adversary_power"] is None
    limits = metadata(live.draft())["known_limits"]
    assert any("No falsified answers were given to the Adversary" in limit for limit in limits)


@pytest.mark.thorough
def test_a_stated_power_of_nothing_fails_nobody(live: Live, snapshot: Snapshot) -> None:
    """It is the flag that counts, and the manifest keeps it."""
    with serve_in_thread(RolePlayer(snapshot, twist=approve)) as server:
        Settings(server.url, run="adversary_power = 0.9").write(live.workplace)
        done = live.start("--canaries", "8", "--adversary-power", "0", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads((live.run / "run.json").read_text())["adversary_power"] == 0


@pytest.mark.thorough
def test_offline_adversaries_are_measured_by_canaries_too(live: Live) -> None:
    """No key, no network: the embedded Adversary has a catch rate as well."""
    result = live("run", "smoke", "--repo", live.code, "--canaries", "12", "--json")
    assert report(result)["canaries"]["all"]["released"] == 12
    assert "canaries caught" in result.stderr


def test_the_check_of_agents_shows_a_wrong_key_and_what_a_right_one_costs(
    live: Live, snapshot: Snapshot
) -> None:
    """A tool call and an answer of each model, well under a cent; the judge has no tools."""
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url).write(live.workplace)
        result = live("agents", "check", "--json")
        assert result.returncode == 0, result.stderr
        assert len(server.log) == 5
    checks = report(result)
    assert sum(check["usd"] for check in checks) < 0.01
    roles = {role for check in checks for role in check["roles"]}
    assert roles == {"author", "oracle", "adversary", "completeness", "judge"}


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"OPENAI_API_KEY": ""}, ["no key", "OPENAI_API_KEY"]),
        ({"OPENAI_API_KEY": "two words"}, ["OPENAI_API_KEY"]),
    ],
)
def test_a_key_that_is_missing_or_cut_is_named_by_its_variable(
    live: Live, environment: dict[str, str], words: list[str]
) -> None:
    """One line, nothing asked, nothing written, and no word of the key itself."""
    own_address = 'base_url = "http://127.0.0.1:9/v1"\napi = "responses"'
    text = Settings("http://127.0.0.1:9").text().replace(own_address, "")
    (live.workplace / "goldwright.toml").write_text(text)
    refused = live("run", "smoke", "--repo", live.code, **environment)
    assert refused.returncode == 2, refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert all(word in refused.stderr for word in words)
    assert "two words" not in refused.stderr


def _answered_items(live: Live) -> list[str]:
    """Give the work item of every reply so far, in order."""
    return [call["item"] for call in live.records("calls.jsonl") if call["t"] == "reply"]


@pytest.mark.thorough
def test_a_hint_reaches_the_oracle_and_costs_one_more_attempt(
    live: Live, snapshot: Snapshot
) -> None:
    """A record that the gate failed is answered again with a person's words; nothing else is asked
    anew.
    """
    failed_tasks: list[str] = []
    hinted_tasks: list[str] = []

    def err(role: str, heard: Heard, draft: Draft) -> Draft:
        task = heard.turns[0].text
        if role == "oracle" and "look at the module" in task:
            hinted_tasks.append(task)
        elif role == "oracle" and not hinted_tasks and not failed_tasks:
            failed_tasks.append(task)
            draft["expected_files"] = ["nowhere.py"]
        return draft

    with serve_in_thread(RolePlayer(snapshot, twist=err)) as server:
        Settings(server.url, concurrency=1).write(live.workplace)
        assert live.start().returncode == 0
        (failure,) = live.records("03_validation_failures.jsonl")
        answered = len(_answered_items(live))
        hint = ("--hint", "look at the module again")
        result = live("retry", "latest", failure["query_id"], *hint, "--json")
        assert result.returncode == 0, result.stderr
    new_items = _answered_items(live)[answered:]
    of_this_attempt = f"{failure['query_id']}-retry1"
    assert {item.partition(":")[2] for item in new_items} == {of_this_attempt}
    assert len(hinted_tasks) == 1
    assert report(result)["fate"] in {"pending", "reserve"}


def test_a_stage_that_is_done_again_is_paid_again_and_no_other(
    live: Live, snapshot: Snapshot, finished_live_run: Path
) -> None:
    """From the Adversary on: the Oracle's answers stay, and their replies are not asked for."""
    live.take(finished_live_run)
    before = live.status()
    with serve_in_thread(RolePlayer(snapshot)) as server:
        Settings(server.url).write(live.workplace)
        result = live("resume", "latest", "--from", "adversary", "--json")
        assert result.returncode == 0, result.stderr
        assert {entry.protocol for entry in server.log} == {"anthropic", "google"}
    after = report(result)
    assert after["fates"] == before["fates"]
    assert after["usd"] > before["usd"]
    assert after["costs"]["oracle"] == before["costs"]["oracle"]
