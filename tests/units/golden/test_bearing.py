"""Citations say what they said, wherever a record is carried, or somebody is told."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.golden.rebase import rebase_labels
from goldwright.golden.rebase.line_alignment import LineAlignment, Lines
from goldwright.golden.verification import failing_records
from goldwright.records import CheckFailure, GoldenLabel
from goldwright.snapshot import Snapshot, open_snapshot
from units.golden.test_rebase import SHOP, label, lines, with_digests

GUARDS = """\
def choose(a, b):
    if a is None:
        return None
    if b is None:
        return None
    total = a + b
    return total
"""


def snapshot(root: Path, files: Mapping[str, str]) -> Snapshot:
    root.mkdir(parents=True)
    for name, text in files.items():
        (root / name).write_text(text)
    return open_snapshot(root, cache=root.parent / "cache")


def about_choose(*cited: tuple[int, int]) -> GoldenLabel:
    """Make a record about ``choose`` whose facts cite these lines."""
    citations = []
    for number, (start, end) in enumerate(cited, start=1):
        citations.append(lines("guards.py", start, end, claim_id=f"fact-{number}"))
    citations.append(lines("guards.py", 6, 6, claim_id="not-fact-1"))
    return label(
        expected_entities=[
            {"entity_id": "guards.py::choose", "role": "primary", "rationale": "It adds."}
        ],
        expected_files=["guards.py"],
        expected_line_ranges=[lines("guards.py", 1, 7)],
        fact_citations=citations,
        source_evidence=[lines("guards.py", 1, 7, read_at_step=1)],
    )


def changed_ids(record: GoldenLabel, old: Snapshot, new: Snapshot) -> tuple[list[str], list[str]]:
    """Rebase a record; give its changed facts, and where its facts are cited in the draft."""
    (rebased,) = rebase_labels([with_digests(record, old)], old, new)
    assert rebased.label is None
    assert rebased.draft is not None
    claim_ids = [claim.claim_id for claim in rebased.changed_claims]
    facts = [claim_id for claim_id in claim_ids if claim_id.startswith("fact")]
    return facts, [str(citation) for citation in rebased.draft.fact_citations]


def test_untouched_lines_of_an_edited_body_move_and_changed_ones_are_marked(
    tmp_path: Path,
) -> None:
    old = snapshot(tmp_path / "old", {"guards.py": GUARDS})
    text = GUARDS.replace("    total = a + b", "    # Both are there.\n    total = a - b")
    new = snapshot(tmp_path / "new", {"guards.py": f"\n{text}"})
    record = about_choose((2, 3), (6, 6), (7, 7))
    assert changed_ids(record, old, new) == (
        ["fact-2"],
        # The comment stands where the changed line stood, so it is shown with it.
        ["guards.py:3-4", "guards.py:7-8", "guards.py:9-9", "guards.py:7-8"],
    )


def test_an_equal_line_under_another_condition_is_another_line(tmp_path: Path) -> None:
    old = snapshot(tmp_path / "old", {"guards.py": GUARDS})
    text = GUARDS.replace("    if a is None:\n        return None\n", "")
    new = snapshot(tmp_path / "new", {"guards.py": text})
    record = about_choose((3, 3), (4, 5), (7, 7))
    facts, _ = changed_ids(record, old, new)
    assert facts == ["fact-1"]


def test_a_statement_that_leaves_its_condition_says_something_else(tmp_path: Path) -> None:
    text = SHOP.replace("    if amount > LIMIT:\n        raise", "    raise")
    old = snapshot(tmp_path / "old", {"shop.py": SHOP})
    new = snapshot(tmp_path / "new", {"shop.py": text})
    citations = [*label().model_dump()["fact_citations"]]
    citations[0] = lines("shop.py", 8, 8, claim_id="fact-1")
    facts, _ = changed_ids(label(fact_citations=citations), old, new)
    assert facts == ["fact-1"]


@pytest.mark.parametrize(
    "text",
    [
        SHOP.replace("* amount", "* amount  "),
        SHOP.replace("\n", "\r\n"),
    ],
)
def test_line_ends_and_trailing_blanks_are_no_text(tmp_path: Path, text: str) -> None:
    old = snapshot(tmp_path / "old", {"shop.py": SHOP})
    root = tmp_path / "new"
    root.mkdir()
    (root / "shop.py").write_bytes(text.encode())
    new = open_snapshot(root, cache=tmp_path / "cache")
    assert not list(failing_records([with_digests(label(), old)], new))


def test_verify_names_each_claim_whose_lines_say_something_else(tmp_path: Path) -> None:
    old = snapshot(tmp_path / "old", {"shop.py": SHOP})
    new = snapshot(tmp_path / "new", {"shop.py": SHOP.replace("lookup(article)", "find(article)")})
    (record,) = failing_records([with_digests(label(), old)], new)
    assert record.failures == (
        _changed("range-1", "shop.py:6-10"),
        _changed("fact-2", "shop.py:9-9"),
        _changed("evidence-1", "shop.py:6-10"),
    )


def test_a_record_without_digests_is_refused(tmp_path: Path) -> None:
    code = snapshot(tmp_path / "code", {"shop.py": SHOP})
    (record,) = failing_records([label()], code)
    assert {failure.check for failure in record.failures} == {"text_unchanged"}


def test_what_was_cited_wrongly_at_the_old_commit_is_not_carried(tmp_path: Path) -> None:
    old = snapshot(tmp_path / "old", {"shop.py": SHOP})
    digests = with_digests(label(), old).cited_text
    swapped = {**digests, "shop.py:9-9": digests["shop.py:10-10"]}
    record = label().model_copy(update={"cited_text": swapped})
    (rebased,) = rebase_labels([record], old, old)
    assert rebased.label is None
    assert "these lines did not say what they said" in rebased.reasons[0]


TEXTS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12)


@given(TEXTS, TEXTS, st.data())
def test_lines_are_placed_where_the_same_text_stands(
    old: list[str], new: list[str], data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, len(old) - 1))
    end = data.draw(st.integers(first + 1, len(old)))
    place = LineAlignment(old, new).place(Lines(first, end))
    if place is not None:
        assert new[place.first : place.end] == old[first:end]
    assert LineAlignment(old, old).nearest(Lines(first, end)) == Lines(first, end)


@given(TEXTS, TEXTS, st.data())
def test_what_is_nearest_lies_in_the_newer_text(
    old: list[str], new: list[str], data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, len(old) - 1))
    end = data.draw(st.integers(first + 1, len(old)))
    nearest = LineAlignment(old, new).nearest(Lines(first, end))
    assert nearest is None or 0 <= nearest.first < nearest.end <= len(new)


def _changed(claim: str, place: str) -> CheckFailure:
    message = f"{place}: these lines do not say what they said"
    return CheckFailure(check="text_unchanged", claim=claim, message=message)
