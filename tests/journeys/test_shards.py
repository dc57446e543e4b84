"""``--shard`` and ``merge`` on trials, cells and benches: the same as in one call."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.benefit_kills import WORDS, arguments_of, make_work, sorted_trials
from goldwright.relevance.solvers import extract_answer
from journeys.conftest import Command
from journeys.live import GPT, Live, Settings
from scripted.server import serve_in_thread
from scripted.wire import Heard, Say
from units.cells.sources import write_queries, write_source

_MODULES = """
def weigh_{name}(parcel):
    \"\"\"Tell how heavy a {name} is.\"\"\"
    return parcel.{name}
"""
_NAMES = ("barrel", "crate", "basket", "bundle", "sack")


def write_tasks(directory: Path) -> None:
    """Write a codebase, and a task about each of its functions."""
    (directory / "code").mkdir()
    source = "\n\n".join(_MODULES.format(name=name) for name in _NAMES)
    (directory / "code" / "parcels.py").write_text(source)
    tasks = [
        {
            "id": name,
            "query": f"Which function tells how heavy a {name} is?",
            "check": {"kind": "qualified_name", "qualified_name": f"parcels.weigh_{name}"},
        }
        for name in _NAMES
    ]
    (directory / "tasks.yaml").write_text(json.dumps({"tasks": tasks}))


def test_relevance_in_shards_is_that_of_one_call(workplace: Path, goldwright: Command) -> None:
    write_tasks(workplace)
    call = ("relevance", "run", "tasks.yaml", "--repo", "code")
    whole = goldwright(*call, "--out", "whole")
    assert whole.returncode == 0, whole.stderr
    for number in (1, 2):
        share = goldwright(*call, "--out", f"shard-{number}", "--shard", f"{number}/2")
        assert share.returncode == 0, share.stderr
        assert f"shard {number}/2: {3 if number == 1 else 2} tasks decided" in share.stdout
        assert not (workplace / f"shard-{number}" / "retrieval_dataset.yaml").exists()
    merged = goldwright("merge", "shard-2", "shard-1", "--out", "merged")
    assert merged.returncode == 0, merged.stderr
    assert "trials of 5 tasks in merged" in merged.stdout
    summed = goldwright(*call, "--out", "merged")
    assert ", 0 of them made now" in summed.stdout
    datasets = [
        (workplace / out / "retrieval_dataset.yaml").read_bytes() for out in ("whole", "merged")
    ]
    assert datasets[0] == datasets[1]
    # The other way round gives the same log, and once more brings nothing.
    goldwright("merge", "shard-1", "shard-2", "--out", "again")
    logs = [(workplace / out / "trials.jsonl").read_bytes() for out in ("merged", "again")]
    assert logs[0] == logs[1]
    assert "0 of them new" in goldwright("merge", "shard-1", "--out", "again").stdout


def test_a_missing_share_is_made_where_the_others_are_merged(
    workplace: Path, goldwright: Command
) -> None:
    write_tasks(workplace)
    call = ("relevance", "run", "tasks.yaml", "--repo", "code")
    goldwright(*call, "--out", "shard-1", "--shard", "1/2")
    goldwright("merge", "shard-1", "--out", "merged")
    summed = goldwright(*call, "--out", "merged")
    assert summed.returncode == 0, summed.stderr
    assert ", 0 of them made now" not in summed.stdout
    other = goldwright(*call, "--out", "other", "--seed", "1", "--shard", "2/2")
    assert other.returncode == 0, other.stderr
    refused = goldwright("merge", "shard-1", "other", "--out", "mixed")
    assert (refused.returncode, "other tasks, settings or code" in refused.stderr) == (2, True)
    assert not (workplace / "mixed" / "trials.jsonl").exists()
    # One digit of a trial is another: neither is taken.
    log = workplace / "shard-1" / "trials.jsonl"
    changed = workplace / "changed"
    changed.mkdir()
    for path in (workplace / "shard-1").iterdir():
        if path.is_file():
            (changed / path.name).write_bytes(path.read_bytes())
    first, *rest = log.read_text().splitlines(keepends=True)
    flipped = first.replace('"passed"', '"none"').replace('"failed"', '"none"')
    (changed / "trials.jsonl").write_text("".join([flipped, *rest]))
    conflict = goldwright("merge", "shard-1", "changed", "--out", "conflict")
    assert (conflict.returncode, "hold different outcomes" in conflict.stderr) == (1, True)
    nothing = goldwright("merge", "code", "--out", "nowhere")
    assert (nothing.returncode, "code: is no shard" in nothing.stderr) == (2, True)


def _answer(heard: Heard) -> Say:
    """Answer with what is shown: the embedded solver behind a wire."""
    texts = [line for line in heard.turns[-1].text.splitlines() if line.startswith('"')]
    question, documents = texts
    return Say(text=json.dumps({"answer": extract_answer(*map(json.loads, (question, documents)))}))


def test_what_models_were_paid_in_shards_counts_where_they_are_merged(live: Live) -> None:
    write_tasks(live.workplace)
    call = ["relevance", "run", "tasks.yaml", "--repo", "code", "--solver", GPT]
    call += ["--most-trials", "8", "--control-trials", "0"]
    answered = 0

    def answer(heard: Heard) -> Say:
        nonlocal answered
        answered += 1
        return _answer(heard)

    with serve_in_thread(answer) as server:
        Settings(server.url, GPT, GPT, GPT, agents="allow_same_family = true").write(live.workplace)
        for number in (1, 2):
            share = live(*call, "--out", f"shard-{number}", "--shard", f"{number}/2")
            assert share.returncode == 0, share.stderr
        asked = answered
        # A directory may have another name when it arrives on another machine.
        (live.workplace / "shard-2").rename(live.workplace / "from-elsewhere")
        merged = live("merge", "shard-1", "from-elsewhere", "--out", "merged", "--json")
        assert merged.returncode == 0, merged.stderr
        state = json.loads(merged.stdout)
        assert state["trials"] == asked > 0
        assert state["usd"] > 0
        summed = live(*call, "--out", "merged", "--budget-usd", "0.0001")
        assert summed.returncode == 0, summed.stderr
        assert answered == asked
        # A trial whose line is lost takes its reply from the calls that came along.
        log = live.workplace / "merged" / "trials.jsonl"
        lines = log.read_text().splitlines(keepends=True)
        log.write_text("".join(lines[:-1]))
        again = live(*call, "--out", "merged", "--budget-usd", "0.0001")
        assert again.returncode == 0, again.stderr
        assert answered == asked
        twice = live("merge", "shard-1", "--out", "merged", "--json")
        assert json.loads(twice.stdout)["added"] == 0


def _strata(out: Path) -> Any:
    return json.loads((out / "benefit_v1.0.json").read_text())["strata"]


def _without_seconds(strata: Any) -> Any:
    """Leave out what a clock decides."""
    return [
        {name: value for name, value in finding.items() if "clock" not in name}
        for finding in strata
    ]


def test_benefit_in_shards_is_that_of_one_call(workplace: Path, goldwright: Command) -> None:
    make_work(workplace, WORDS[:3])
    whole = goldwright(*arguments_of(workplace, workplace / "whole"))
    assert whole.returncode == 0, whole.stderr
    for number in (1, 2):
        shard = workplace / f"shard-{number}"
        share = goldwright(*arguments_of(workplace, shard), "--shard", f"{number}/2")
        assert share.returncode == 0, share.stderr
        assert not (shard / "benefit_v1.0.json").exists()
    merged = goldwright("merge", "shard-2", "shard-1", "--out", "merged", "--json")
    assert merged.returncode == 0, merged.stderr
    state = json.loads(merged.stdout)
    assert (state["kind"], state["tasks"], state["trials"]) == ("benefit", 3, 18)
    assert sorted_trials(workplace / "merged") == sorted_trials(workplace / "whole")
    summed = goldwright(*arguments_of(workplace, workplace / "merged"))
    assert summed.returncode == 0, summed.stderr
    assert _without_seconds(_strata(workplace / "merged")) == _without_seconds(
        _strata(workplace / "whole")
    )


def test_cells_in_shards_freeze_the_same_bytes(workplace: Path, goldwright: Command) -> None:
    write_source(workplace / "source")
    write_queries(workplace / "queries.jsonl")
    call = ["cells", "source", "--name", "shop", "--queries", "queries.jsonl", "--models", "bm25"]
    call += ["--chunkers", "document,window-512-50,markdown-512", "--without-people"]
    whole = goldwright(*call, "--out", "whole")
    assert whole.returncode == 0, whole.stderr
    for number in (1, 2):
        share = goldwright(*call, "--out", f"shard-{number}", "--shard", f"{number}/2")
        assert share.returncode == 0, share.stderr
        assert f"{3 - number} of 3 cells are ranked" in share.stdout
    merged = goldwright("merge", "shard-1/shop", "shard-2/shop", "--out", "merged/shop")
    assert merged.returncode == 0, merged.stderr
    assert "3 cells ranked in" in merged.stdout
    judged = goldwright(*call, "--out", "merged")
    assert judged.returncode == 0, judged.stderr
    whole_set, merged_set = (workplace / out / "shop" / "v1" for out in ("whole", "merged"))
    names = sorted(path.name for path in whole_set.iterdir())
    assert names == sorted(path.name for path in merged_set.iterdir())
    for name in names:
        assert (merged_set / name).read_bytes() == (whole_set / name).read_bytes(), name
    refused = goldwright("merge", "shard-1/shop", "--out", "merged/shop")
    assert (refused.returncode, "is frozen already" in refused.stderr) == (2, True)


def _without_timing(path: Path) -> Any:
    document = json.loads(path.read_text())
    for system in document["systems"].values():
        del system["timing"]
    return document


def _check_that_the_whole_command_goes_on(
    workplace: Path, goldwright: Command, call: list[str]
) -> None:
    """With what shards hold it asks the others alone, and gives what one call would give."""
    begun = workplace / "begun.json"
    begun.write_bytes((workplace / "merged.json").read_bytes())
    before = json.loads(begun.read_text())["systems"]
    others = goldwright(*call[:-2], "--out", "begun.json")
    assert (others.returncode, "compare other retrievers" in others.stderr) == (2, True)
    text = (workplace / "queries.json").read_text()
    (workplace / "queries.json").write_text(text + "\n")
    changed = goldwright(*call, "--out", "begun.json")
    assert (changed.returncode, "another dataset or commit" in changed.stderr) == (2, True)
    (workplace / "queries.json").write_text(text)
    goldwright(*call, "--out", "begun.json")
    after = json.loads(begun.read_text())["systems"]
    assert {name: after[name] for name in before} == before
    assert _without_timing(begun) == _without_timing(workplace / "whole.json")


def test_a_bench_in_shards_is_that_of_one_call(workplace: Path, goldwright: Command) -> None:
    make_work(workplace)
    call = ["bench", "queries.json", "--repo", "code"]
    for spec in ("bm25", "words=grep", "again=bm25", "broken=py:no_such:thing"):
        call += ["--retriever", spec]
    whole = goldwright(*call, "--out", "whole.json")
    for number in (1, 2, 5):
        share = goldwright(*call, "--out", f"shard-{number}.json", "--shard", f"{number}/5")
        assert share.returncode == 0, share.stderr
    partial = goldwright("merge", "shard-1.json", "shard-2.json", "--out", "merged.json")
    assert partial.returncode == 1
    assert "again: not asked by any shard" in partial.stdout
    assert "goldwright bench … --out merged.json asks what is missing" in partial.stdout
    _check_that_the_whole_command_goes_on(workplace, goldwright, call)
    goldwright(*call, "--out", "shard-3.json", "--shard", "3/5")
    failed = goldwright(*call, "--out", "shard-4.json", "--shard", "4/5")
    assert failed.returncode == whole.returncode
    files = [f"shard-{number}.json" for number in (5, 2, 1, 4, 3)]
    merged = goldwright("merge", *files, "--out", "merged.json")
    assert merged.returncode == 1
    assert _without_timing(workplace / "merged.json") == _without_timing(workplace / "whole.json")
    no_file = goldwright(*call, "--shard", "1/2")
    assert (no_file.returncode, "wants --out FILE" in no_file.stderr) == (2, True)
    other = goldwright("merge", "whole.json", "--out", "merged.json")
    assert (other.returncode, "was not written by bench --shard" in other.stderr) == (2, True)
    mixed = goldwright("merge", "shard-1.json", "code", "--out", "merged.json")
    assert (mixed.returncode, "is no shard" in mixed.stderr) == (2, True)


@pytest.mark.parametrize("text", ["0/2", "3/2", "half"])
def test_a_share_that_there_is_not_is_refused_in_one_line(
    workplace: Path, goldwright: Command, text: str
) -> None:
    write_tasks(workplace)
    refused = goldwright(
        "relevance", "run", "tasks.yaml", "--repo", "code", "--out", "out", "--shard", text
    )
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
