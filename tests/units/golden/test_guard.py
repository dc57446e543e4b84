"""What a change of the code does to a dataset, before it is merged."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from goldwright.errors import InputError
from goldwright.golden.guard_decisions import GuardDecision, read_decisions, valid_decisions
from goldwright.golden.guard_report import (
    MOST_CHARACTERS,
    GuardReport,
    guard_lines,
    guard_markdown,
)
from goldwright.golden.guarded_records import GuardedRecord
from goldwright.golden.rebase import (
    CodeChange,
    RebasedKind,
    RebasedRecord,
    RenamedFiles,
    code_changes,
)
from goldwright.snapshot import Snapshot, open_snapshot
from units.golden.test_rebase import SHOP, label

Codebase = Callable[[Mapping[str, str]], Snapshot]


@pytest.fixture
def codebase(tmp_path: Path) -> Codebase:
    """Write files into a directory of their own and open them as a snapshot."""
    count = iter(range(100))

    def write(files: Mapping[str, str]) -> Snapshot:
        root = tmp_path / f"code{next(count)}"
        root.mkdir()
        for name, content in files.items():
            (root / name).write_text(content)
        return open_snapshot(root, cache=tmp_path / "cache")

    return write


def changes_to(codebase: Codebase, files: Mapping[str, str]) -> list[CodeChange]:
    """Give the changes for the record about ``price_of``, lines 6 to 10 of the shop."""
    old, new = codebase({"shop.py": SHOP}), codebase(files)
    return list(code_changes(label(), old, new, RenamedFiles(old, new)))


@pytest.mark.parametrize(
    ("before", "after", "is_shown"),
    [
        ("cents * amount", "cents * amount + 1", True),
        ("    cents = ", "    amount += 1\n    cents = ", True),
        ("        raise ValueError(amount)\n", "", True),
        # Of what is around the cited lines the diff is silent.
        ("def price_of", "NEXT = 1\n\n\ndef price_of", False),
        ("LIMIT = 12", "LIMIT = 13", False),
        ("once", "twice", False),
    ],
)
def test_a_change_is_shown_where_it_touches_what_a_record_cites(
    codebase: Codebase, before: str, after: str, *, is_shown: bool
) -> None:
    changes = changes_to(codebase, {"shop.py": SHOP.replace(before, after)})
    assert bool(changes) == is_shown
    for change in changes:
        added = [line for line in change.diff if line.startswith("+")]
        removed = [line for line in change.diff if line.startswith("-")]
        assert len(added) - len(removed) == after.count("\n") - before.count("\n")


def test_a_change_says_where_its_lines_are_now(codebase: Codebase) -> None:
    text = '"""A shop."""\n\n' + SHOP.replace("cents * amount", "cents")
    (change,) = changes_to(codebase, {"goods.py": text})
    assert (change.path, change.new_path) == ("shop.py", "goods.py")
    assert change.new_lines is not None
    first, last = change.new_lines
    shown = text.splitlines()[first - 1 : last]
    assert shown == [line[1:] for line in change.diff if not line.startswith("-")]


def test_a_file_that_is_gone_has_no_lines(codebase: Codebase) -> None:
    assert changes_to(codebase, {"other.py": "x = 1\n"}) == [CodeChange("shop.py", None, None, ())]


def report_on(*returned: GuardedRecord) -> GuardReport:
    """Make a report on some records, beside three that come along."""
    counts: Counter[RebasedKind] = Counter({"unchanged": 2, "moved": 1})
    counts["edited"] += len(returned)
    return GuardReport(
        dataset=Path("golden/golden_v1.0.json"),
        source="golden_v1.0.json (named by its path)",
        dataset_sha256="sha256:" + "c" * 64,
        status="human_blessed",
        old_commit="a" * 40,
        new_commit="b" * 40,
        counts=counts,
        returned=returned,
    )


def returned(number: int, query: str, *diff: str) -> GuardedRecord:
    """Make a record whose code changed."""
    record = RebasedRecord(f"q_{number:05}", "edited", ("shop.py::f: its body changed",), None)
    change = CodeChange("shop.py", "shop a.py", (3, 4), diff)
    return GuardedRecord(record, query, (change,))


def test_a_comment_links_to_the_code_and_tells_what_to_do() -> None:
    report = report_on(returned(1, "Why?", "-old", "+new"))
    text = guard_markdown(report, "https://example.org/ann/shop/blob/bbb/")
    assert text.startswith("### 1 of 4 records of `golden_v1.0.json` needs people at bbbbbbbbbbbb")
    assert (
        "[`shop.py, now shop a.py:3-4`](https://example.org/ann/shop/blob/bbb/shop%20a.py#L3-L4)"
        in text
    )
    assert "\n```diff\n-old\n+new\n```\n" in text
    assert "`goldwright rebase golden/golden_v1.0.json --repo .`" in text
    assert "](" not in guard_markdown(report)
    assert "carries the others over with their blessing, and opens a review of the rest" in text
    assert "leaves out what is dropped here" in guard_markdown(report, decide="https://x.org/new/b")
    draft = replace(report, status="agent_curated_pending_human_review")
    assert "blessing" not in guard_markdown(draft)


def links_of(text: str) -> dict[str, tuple[str, GuardDecision]]:
    """Read the links that decide: by decision, where the file is made and what it holds."""
    links = {}
    for verdict, link in re.findall(r"\[(Keep|Fix|Drop)\]\((\S+?)\)", text):
        address, _, query = link.partition("?")
        fields = dict(parse_qsl(query, strict_parsing=True))
        decision = GuardDecision.model_validate_json(fields["value"])
        links[verdict] = (f"{address} {fields['filename']}", decision)
    return links


def test_each_decision_is_a_link_to_a_file_that_says_it() -> None:
    guarded = returned(1, "Why?", "-old", "+new")
    report = report_on(guarded)
    decide = "https://example.org/ann/shop/new/a-branch"
    links = links_of(guard_markdown(report, decide=decide))
    assert set(links) == {"Keep", "Fix", "Drop"}
    for verdict, (place, decision) in links.items():
        assert place == f"{decide} golden/guard/q_00001.json"
        assert (decision.query_id, decision.decision) == ("q_00001", verdict.lower())
        assert (decision.dataset, decision.change) == (report.dataset_sha256, guarded.digest)
    assert not links_of(guard_markdown(report))


def test_the_name_of_a_branch_ends_no_link() -> None:
    report = report_on(returned(1, "Why?", "-old", "+new"))
    decide = "https://example.org/ann/shop/new/fix#12)<b>é"
    text = guard_markdown(report, decide=decide)
    assert "(https://example.org/ann/shop/new/fix%2312%29%3Cb%3E%C3%A9?filename=" in text
    assert {decision.query_id for _, decision in links_of(text).values()} == {"q_00001"}


def write_decision(directory: Path, decision: GuardDecision, **fields: str) -> Path:
    """Write a decision as somebody commits it."""
    directory.mkdir(exist_ok=True)
    path = directory / f"{decision.query_id}.json"
    path.write_text(decision.model_copy(update=fields).model_dump_json())
    return path


def test_a_decision_counts_for_the_dataset_and_the_change_it_was_made_on(tmp_path: Path) -> None:
    guarded = returned(1, "Why?", "-old", "+new")
    report = report_on(guarded)
    (_, decision) = links_of(guard_markdown(report, decide="https://example.org/new/b"))["Keep"]
    write_decision(tmp_path, decision, by="Ann", note="still the limit")

    def valid(dataset: str, *now: GuardedRecord) -> set[str]:
        return set(valid_decisions(tmp_path, dataset, now))

    assert valid(report.dataset_sha256, guarded) == {"q_00001"}
    moved = replace(guarded, changes=(replace(guarded.changes[0], new_lines=(9, 10)),))
    assert valid(report.dataset_sha256, moved) == {"q_00001"}
    assert valid("sha256:other", guarded) == set()
    assert valid(report.dataset_sha256) == set()
    assert valid(report.dataset_sha256, returned(1, "Why?", "-old", "+newer")) == set()
    # Another caller, say, is no line of what the record cites.
    other = replace(guarded, record=replace(guarded.record, reasons=("a second caller",)))
    assert valid(report.dataset_sha256, other) == set()


def test_a_decided_record_needs_nobody_any_more() -> None:
    one, two = (returned(number, "Why?", "-old", "+new") for number in (1, 2))
    report = report_on(one, two)
    decide = "https://example.org/new/b"
    (_, decision) = links_of(guard_markdown(report_on(one), decide=decide))["Drop"]
    decision = decision.model_copy(update={"by": "Ann", "note": "`x` <img>"})
    report = replace(report, decisions={"q_00001": decision})
    assert report.needs_people
    assert report.summary.startswith("1 of 5 records of golden_v1.0.json needs people")
    text = guard_markdown(report, decide=decide)
    assert "`` Ann said on the pull request: drop (`x` <img>) ``" in text
    assert {place for place, _ in links_of(text).values()} == {
        f"{decide} golden/guard/q_00002.json"
    }
    done = replace(report, decisions={"q_00001": decision, "q_00002": decision})
    assert not done.needs_people
    assert done.summary == "2 of 5 records of golden_v1.0.json are decided on at bbbbbbbbbbbb"
    assert "  Ann said on the pull request: drop (`x` <img>)" in list(guard_lines(done))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("q_00001", "{", "q_00001.json"),
        (
            "q_00001",
            '{"query_id": "q_00001", "decision": "bless", "dataset": "", "change": ""}',
            "decision",
        ),
        (
            "q_00002",
            '{"query_id": "q_00001", "decision": "keep", "dataset": "", "change": ""}',
            "is about q_00001",
        ),
    ],
)  # fmt: skip
def test_a_file_that_is_no_decision_is_named(
    tmp_path: Path, name: str, text: str, words: str
) -> None:
    (tmp_path / f"{name}.json").write_text(text)
    with pytest.raises(InputError, match=words):
        list(read_decisions(tmp_path))


def test_no_decisions_are_read_where_there_is_no_directory(tmp_path: Path) -> None:
    assert list(read_decisions(tmp_path / "guard")) == []


def test_nothing_to_decide_is_one_sentence() -> None:
    report = report_on()
    assert not report.needs_people
    assert list(guard_lines(report))[-1] == "all 3 records of golden_v1.0.json hold at bbbbbbbbbbbb"
    assert "After the merge" not in guard_markdown(report)


def test_what_code_and_dataset_say_is_code_in_a_comment() -> None:
    hostile = returned(1, "`x` <img src=x> @ann", " ````", "+<script>", "-\x1b[31m")
    text = guard_markdown(report_on(hostile))
    assert "`````diff\n ````\n+<script>\n-" in text
    assert "\x1b" not in text
    assert "**`` `x` <img src=x> @ann ``**" in text
    assert "\x1b" not in "".join(guard_lines(report_on(hostile)))


def test_a_comment_stays_below_the_limit_and_names_what_it_leaves_out() -> None:
    long_line = "+" + "x" * 200
    many = [returned(number, "Why?", *[long_line] * 100) for number in range(40)]
    text = guard_markdown(report_on(*many))
    assert len(text) < MOST_CHARACTERS + 4_000
    assert "… 40 more lines" in text
    shown = text.count("<details>")
    assert 0 < shown < 40
    assert text.count("`q_000") == 40 - shown
