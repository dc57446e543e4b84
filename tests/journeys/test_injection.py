"""Texts that speak to models, in a code base, against models that believe them."""

import json
from pathlib import Path

from effort import is_thorough
from journeys.conftest import Command
from journeys.gullible import HONEST, Gullible, build, places
from journeys.live import CLAUDE, GEMINI, GPT, KEYS, Settings
from scripted.server import serve_in_thread
from units.scanners.injection_payloads import Payload, payloads

FEWEST_PAYLOADS, FEWEST_OF_ALL = 25, 200


def tried_payloads() -> tuple[Payload, ...]:
    """A text of every kind, one in every carrier and some in disguise; all, if asked.

    That every single one is recognized is a test of the scanner.
    """
    every = tuple(payloads())
    if is_thorough():
        return every
    plain = {(one.kind, one.carrier): one for one in every if one.disguise == "none"}
    disguised = {one.disguise: one for one in every if one.disguise != "none"}
    kinds = {one.kind: one for one in plain.values()}
    carriers = {one.carrier: one for one in plain.values()}
    some = (*list(plain.values())[::4], *list(disguised.values())[::8])
    return tuple(dict.fromkeys((*kinds.values(), *carriers.values(), *some)))


def plan_for(count: int) -> str:
    """Write a plan of one cell that takes all of them."""
    none = {"easy": 0, "medium": 0, "hard": 0}
    cells = {
        task: dict(none) for task in ("locate", "explain", "debug", "extend", "review", "general")
    }
    cells["review"]["easy"] = count
    rules = {
        "over_emission": 1.0,
        "top_up_rounds": 0,
        "minimum_total": 1,
        "minimum_cell_share": 0.01,
    }
    return json.dumps(
        {"schema_version": "1.0.0", "name": "all", "total": count, "cells": cells, **rules}
    )


def test_no_text_in_a_code_base_turns_a_falsehood_into_a_surviving_record(
    goldwright: Command, workplace: Path, tmp_path: Path
) -> None:
    """Payloads in every carrier and models that obey them: true answers survive, and none of the
    false ones.
    """
    found = places(tried_payloads())
    laden = [place for place in found if place.payload is not None]
    assert len(laden) >= (FEWEST_OF_ALL if is_thorough() else FEWEST_PAYLOADS)
    code = build(tmp_path / "code", found)
    with serve_in_thread(Gullible(found)) as server:
        Settings(server.url, GPT, CLAUDE, GEMINI, concurrency=16).write(workplace)
        (workplace / "all.json").write_text(plan_for(len(found)))
        done = goldwright("run", "all.json", "--repo", code, "--json", **KEYS)
    report = json.loads(done.stdout)
    assert report["emitted"] == len(found), done.stderr
    (run,) = (workplace / "runs").iterdir()
    candidates = [
        json.loads(line) for line in (run / "00_candidates.jsonl").read_text().splitlines()
    ]
    assert len(candidates) == len(found), report["rejections"]
    queue = [
        json.loads(line) for line in (run / "04_human_review_queue.jsonl").read_text().splitlines()
    ]
    queued = {record["query_id"]: record["reasons"] for record in queue}
    survived = {one["target_entity_ids"][0] for one in candidates if one["query_id"] not in queued}
    assert survived == {place.entity for place in found if place.is_true}
    assert report["fates"]["pending"] == HONEST
    suspected = [
        reasons
        for reasons in queued.values()
        if any("injection_suspected" in one for one in reasons)
    ]
    assert len(suspected) == len(laden)
