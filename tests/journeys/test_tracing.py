"""What a run cost and what became of each record, as a user looks at it."""

import json
import shutil
from pathlib import Path

import pytest

from journeys.conftest import Command
from journeys.live import Live, report
from journeys.workplace import Workplace


@pytest.fixture
def finished_live(live: Live, finished_live_run: Path) -> Live:
    """A complete run that models played."""
    live.take(finished_live_run)
    return live


def test_every_cent_is_told_by_role_model_cell_and_fate(finished_live: Live) -> None:
    costs = report(finished_live("cost", "--json"))
    status = finished_live.status()
    assert costs["total"]["usd"] == pytest.approx(status["usd"])
    assert costs["total"]["calls"] > 20
    for way in ("by_role", "by_model", "by_cell", "by_fate"):
        for field in ("usd", "calls", "input_tokens", "output_tokens"):
            total = sum(spend[field] for spend in costs[way].values())
            assert total == pytest.approx(costs["total"][field]), (way, field)
    assert {"author", "oracle", "adversary", "judge"} <= set(costs["by_role"])
    assert costs["by_role"]["oracle"]["usd"] == pytest.approx(status["costs"]["oracle"]["usd"])
    text = finished_live("cost").stdout
    assert f"{costs['survivors']} records survived" in text


def test_a_record_is_followed_through_every_role(finished_live: Live, tmp_path: Path) -> None:
    (first, *_) = finished_live.records("00_candidates.jsonl")
    page = tmp_path / "trace.html"
    asked = ("trace", "latest", first["query_id"])
    told = report(finished_live(*asked, "--json", "--html", page))
    (record,) = told["records"]
    assert [step["name"] for step in record["steps"]] == [
        "author", "oracle", "gate", "adversary", "completeness", "judge",
    ]  # fmt: skip
    author, oracle = record["steps"][:2]
    item = f"author:0:{first['task_type']}/{first['difficulty']}"
    entries = map(json.loads, _lines(finished_live, "reply"))
    replies = [entry for entry in entries if entry["item"] == item]
    said = [line for line in author["lines"] if line["kind"] == "said"]
    assert len(said) == len(replies) > 1
    kinds = {line["kind"] for line in oracle["lines"]}
    assert {"sent", "said", "tool", "result"} <= kinds
    sent = next(line["text"] for line in oracle["lines"] if line["kind"] == "sent")
    assert json.dumps(first["query_text"]) in sent
    of_record = [
        spend for spend in (json.loads(line) for line in _lines(finished_live, "reply"))
        if spend["item"].endswith(f":{first['query_id']}")
    ]  # fmt: skip
    assert record["spend"]["calls"] == len(of_record)
    assert record["spend"]["micro_usd"] == sum(entry["micro_usd"] for entry in of_record)
    html = page.read_text()
    assert html.startswith("<!doctype html><!-- goldwright trace -->")
    assert "<script" not in html
    assert oracle["by"] in html


def _lines(live: Live, kind: str) -> list[str]:
    lines = (live.run / "calls.jsonl").read_text().splitlines()
    return [line for line in lines if json.loads(line).get("t") == kind]


def test_a_run_without_models_has_ways_and_no_costs(
    finished: Workplace, goldwright: Command
) -> None:
    del finished
    assert "cost nothing" in goldwright("cost").stdout
    overview = goldwright("trace").stdout.splitlines()
    assert len(overview) > 5
    query_id = overview[1].split()[0]
    of_record = goldwright("trace", "latest", query_id).stdout
    assert "adversary" in of_record
    # A search that shows a hundred places names the first of them.
    assert all(len(line) < 400 for line in of_record.splitlines())
    unknown = goldwright("trace", "latest", "q_99999")
    assert unknown.returncode == 2
    assert "q_99999: no record of" in unknown.stderr


def test_casts_are_compared_where_plan_and_code_are_the_same(
    finished_live: Live, finished_shop: Workplace
) -> None:
    runs = finished_live.run.parent
    survivors = finished_live.status()["fates"]["pending"]
    shutil.copytree(finished_live.run, runs / "20260101T000000Z-small-copy")
    (shop_run,) = (finished_shop.root / "runs").iterdir()
    shutil.copytree(shop_run, runs / shop_run.name)
    live, offline = report(finished_live("casts", "--json"))
    (cast,) = live["casts"]
    assert len(cast["runs"]) == 2
    assert cast["survivors"] >= 2 * survivors > 0
    assert cast["survivors_per_dollar"] == pytest.approx(cast["survivors"] / cast["usd"])
    cost = report(finished_live("cost", cast["runs"][0], "--json"))["total"]
    assert cast["usd"] == pytest.approx(2 * cost["usd"])
    tokens = 2 * (cost["input_tokens"] + cost["output_tokens"])
    assert cast["tokens_per_survivor"] == pytest.approx(tokens / cast["survivors"])
    low, high = cast["first_try"]["interval"]
    assert low <= cast["first_try"]["count"] / cast["first_try"]["total"] <= high
    (free,) = offline["casts"]
    assert (free["usd"], free["survivors_per_dollar"], free["tokens_per_survivor"]) == (
        0,
        None,
        None,
    )
    assert finished_live("casts").stdout.startswith("2 pairs of plan and code; no cast is compared")
    named = finished_live("casts", cast["runs"][0], cast["runs"][0], "--json")
    assert report(named)[0]["casts"][0]["runs"] == cast["runs"][:1]
