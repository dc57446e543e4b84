"""A draft goes to another format with its codebase, and comes back."""

import json
from typing import Any

from journeys.conftest import Command
from journeys.workplace import Workplace


def test_a_draft_comes_back_from_beir_in_the_same_bytes(
    goldwright: Command, finished: Workplace
) -> None:
    workplace, code = finished.root, finished.code
    draft = finished.golden / "golden_v1.0.draft.json"
    records: list[dict[str, Any]] = json.loads(draft.read_text())

    done = goldwright("convert", draft, "--to", "beir", "--repo", code, "--out", "set", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["records"] == len(records)
    assert {"piece": "provenance", "records": len(records), "returns": True} in report["losses"]
    corpus = {
        row["_id"]: row
        for row in map(json.loads, (workplace / "set/corpus.jsonl").read_text().splitlines())
    }
    assert len(corpus) == report["documents"]
    assert {
        one["entity_id"] for row in records for one in row["expected_entities"]
    } <= corpus.keys()

    assert goldwright("convert", "set", "--from", "beir", "--out", "back.json").returncode == 0
    assert (workplace / "back.json").read_bytes() == draft.read_bytes()
    done = goldwright("convert", "set", "--from", "beir", "--out", "back.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == "goldwright: back.json: is there already, and is never overwritten; name another place\n"
    )
