"""Which records survive a newer commit, and where they stand there."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from goldwright.golden.rebase import RebasedRecord, rebase_labels
from goldwright.records import CarryOver, Evidence, GoldenLabel, Provenance
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.gate.cited_text import cited_digests, every_range

SHOP = """\
import os

LIMIT = 12


def price_of(article, amount):
    if amount > LIMIT:
        raise ValueError(amount)
    cents = lookup(article)
    return cents * amount


def bill(articles):
    # Every article is bought once.
    return sum(price_of(one, 1) for one in articles)
"""
NARRATIVE = (
    "The price of an article is worked out in `price_of`, in shop.py. It first compares the amount "
    "with the limit, and when there is more of it than allowed it raises a `ValueError` that "
    "carries the amount, so that nothing is ever priced beyond it. Otherwise it looks the article "
    "up, which gives a number of cents, and hands back the product of both. Nothing is rounded on "
    "the way, and nothing is kept for later, so that asking again costs the same again. The code "
    "has one way through it that ends well and one that ends in the error."
)

Codebase = Callable[[Mapping[str, str | bytes]], Snapshot]


@pytest.fixture
def codebase(tmp_path: Path) -> Codebase:
    """Write files into a directory of their own and open them as a snapshot."""
    count = iter(range(100))

    def write(files: Mapping[str, str | bytes]) -> Snapshot:
        root = tmp_path / f"code{next(count)}"
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return open_snapshot(root, cache=tmp_path / "cache")

    return write


def lines(file: str, start: int, end: int, **more: Any) -> dict[str, Any]:
    return {"file": file, "start": start, "end": end, **more}


def label(**changes: Any) -> GoldenLabel:
    """Make the record about ``price_of`` in the shop."""
    content: dict[str, Any] = {
        "query_id": "q_00001",
        "task_type": "explain",
        "difficulty": "easy",
        "query_text": "How is the price of an article worked out?",
        "focus_area": None,
        "difficulty_rationale": None,
        "classifier_expectation": None,
        "identifier_in_query": False,
        "baseline_answerable": True,
        "expected_entities": [
            {"entity_id": "shop.py::price_of", "role": "primary", "rationale": "It multiplies."}
        ],
        "expected_files": ["shop.py"],
        "expected_line_ranges": [lines("shop.py", 6, 10)],
        "must_mention_facts": [
            "It raises a ValueError.",
            "It looks the article up.",
            "It multiplies.",
        ],
        "must_not_mention_facts": ["It rounds."],
        "fact_citations": [
            lines("shop.py", 7, 8, claim_id="fact-1"),
            lines("shop.py", 9, 9, claim_id="fact-2"),
            lines("shop.py", 10, 10, claim_id="fact-3"),
        ],
        "canonical_narrative": NARRATIVE,
        "source_evidence": [lines("shop.py", 6, 10, read_at_step=1)],
        "confidence": "high",
        "provenance": Provenance(
            query_author="a", oracle="b", adversary="c", judge="d"
        ).model_dump(),
        **changes,
    }
    return GoldenLabel.model_validate(content, strict=False)


def saying(addition: str) -> GoldenLabel:
    return label(canonical_narrative=f"{NARRATIVE} {addition}")


def with_digests(record: GoldenLabel, snapshot: Snapshot) -> GoldenLabel:
    """Give the record with the digests that an export would write."""
    digests = cited_digests(every_range(record), snapshot)
    return record.model_copy(update={"cited_text": digests})


def after(one: GoldenLabel, old: Snapshot, new: Snapshot) -> RebasedRecord:
    (rebased,) = rebase_labels([with_digests(one, old)], old, new)
    assert rebased.query_id == one.query_id
    assert (rebased.label is None) == (rebased.kind in {"edited", "gone"})
    assert bool(rebased.reasons) == (rebased.label is None)
    return rebased


def places(one: RebasedRecord) -> tuple[list[str], list[str], list[str], list[str]]:
    """Give entities, ranges, citations and evidence as text."""
    assert one.label is not None, one.reasons
    found = one.label
    cited: Sequence[Sequence[object]] = (
        found.expected_line_ranges,
        found.fact_citations,
        found.source_evidence,
    )
    ranges, citations, evidence = ([str(each) for each in part] for part in cited)
    return list(found.entity_ids), ranges, citations, evidence


def test_a_record_of_the_same_commit_is_what_it_was(codebase: Codebase) -> None:
    old = codebase({"shop.py": SHOP})
    record = label(alternatives={"shop.py::price_of": ["shop.py::bill"]})
    rebased = after(record, old, old)
    assert rebased.kind == "unchanged"
    assert rebased.label is not None
    assert rebased.label.provenance.carried == (
        CarryOver(from_commit=old.commit, kind="unchanged"),
    )
    unchanged = rebased.label.model_copy(update={"provenance": record.provenance})
    assert unchanged == with_digests(record, old)


def test_what_stands_elsewhere_does_not_touch_a_record(codebase: Codebase) -> None:
    old = codebase({"shop.py": SHOP})
    new = codebase({"shop.py": SHOP + "\n\ndef more(): ...\n", "other.py": "x = 1\n"})
    assert after(label(), old, new).kind == "unchanged"


def test_lines_above_move_a_record(codebase: Codebase) -> None:
    old, new = codebase({"shop.py": SHOP}), codebase({"shop.py": "# one\n# two\n# three\n" + SHOP})
    rebased = after(label(), old, new)
    assert rebased.kind == "moved"
    assert places(rebased) == (
        ["shop.py::price_of"],
        ["shop.py:9-13"],
        ["shop.py:10-11", "shop.py:12-12", "shop.py:13-13"],
        ["shop.py:9-13"],
    )
    assert rebased.label is not None
    assert rebased.label.provenance.carried == (CarryOver(from_commit=old.commit, kind="moved"),)


def test_every_journey_of_a_record_is_kept(codebase: Codebase) -> None:
    first, second = codebase({"shop.py": SHOP}), codebase({"shop.py": "\n" + SHOP})
    once = after(label(), first, second).label
    assert once is not None
    twice = after(once, second, first).label
    assert twice is not None
    assert [(one.from_commit, one.kind) for one in twice.provenance.carried] == [
        (first.commit, "moved"),
        (second.commit, "moved"),
    ]
    unchanged = twice.model_copy(update={"provenance": label().provenance})
    assert unchanged == with_digests(label(), first)


def test_a_record_follows_a_renamed_file(codebase: Codebase) -> None:
    old, new = codebase({"shop.py": SHOP}), codebase({"src/store.py": "# moved\n" + SHOP})
    rebased = after(saying("See shop.py::price_of, or shop.py:6-10, for more."), old, new)
    assert rebased.kind == "moved"
    assert places(rebased)[:2] == (["src/store.py::price_of"], ["src/store.py:7-11"])
    assert rebased.label is not None
    assert rebased.label.expected_files == ("src/store.py",)
    assert "in `price_of`, in src/store.py." in rebased.label.canonical_narrative
    assert rebased.label.canonical_narrative.endswith(
        "See src/store.py::price_of, or src/store.py:7-11, for more."
    )


def test_a_record_follows_its_function_to_another_file(codebase: Codebase) -> None:
    head, _, rest = SHOP.partition("def price_of")
    body, _, bill = rest.partition("def bill")
    old = codebase({"shop.py": SHOP, "prices.py": "LIMIT = 12\n"})
    new = codebase(
        {"shop.py": f"{head}def bill{bill}", "prices.py": f"LIMIT = 12\n\n\ndef price_of{body}"}
    )
    rebased = after(label(must_mention_facts=["shop.py holds it.", "Two.", "Three."]), old, new)
    assert rebased.kind == "moved"
    assert places(rebased)[:2] == (["prices.py::price_of"], ["prices.py:4-8"])
    assert rebased.label is not None
    assert rebased.label.expected_files == ("prices.py",)
    assert rebased.label.must_mention_facts[0] == "prices.py holds it."


def test_a_record_follows_its_function_into_a_class(codebase: Codebase) -> None:
    old = codebase({"shop.py": SHOP})
    head, _, rest = SHOP.partition("def price_of")
    inner = "".join(
        f"    {line}\n" if line else "\n" for line in f"def price_of{rest}".splitlines()
    )
    rebased = after(label(), old, codebase({"shop.py": f"{head}class Till:\n{inner}"}))
    assert rebased.kind == "moved"
    assert places(rebased)[:2] == (["shop.py::Till.price_of"], ["shop.py:7-11"])


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("cents * amount", "cents * amount + 1"),
        ("    cents = lookup", "    # In the list.\n    cents = lookup"),
        ("def price_of", "@cached\ndef price_of"),
        ("raise ValueError(amount)", "raise ValueError(article)"),
    ],
)
def test_a_changed_body_goes_back_to_people(codebase: Codebase, before: str, now: str) -> None:
    old, new = codebase({"shop.py": SHOP}), codebase({"shop.py": SHOP.replace(before, now)})
    rebased = after(label(), old, new)
    assert rebased.kind == "edited"
    assert rebased.reasons == ("the code of shop.py::price_of has changed",)
    assert "alike: shop.py::price_of (lines 6-" in rebased.hints[0]


def test_a_comment_that_changed_inside_a_body_is_a_change(codebase: Codebase) -> None:
    record = label(
        expected_entities=[
            {"entity_id": "shop.py::bill", "role": "primary", "rationale": "It sums."}
        ],
        expected_line_ranges=[lines("shop.py", 13, 15)],
        canonical_narrative=NARRATIVE.replace("price_of", "bill"),
    )
    old, new = (
        codebase({"shop.py": SHOP}),
        codebase({"shop.py": SHOP.replace("bought once", "bought twice")}),
    )
    assert after(record, old, new).reasons == ("the code of shop.py::bill has changed",)


def test_what_is_deleted_is_gone(codebase: Codebase) -> None:
    old = codebase({"shop.py": SHOP})
    new = codebase({"shop.py": SHOP[: SHOP.index("def price_of")] + SHOP[SHOP.index("def bill") :]})
    rebased = after(label(), old, new)
    assert rebased.kind == "gone"
    assert rebased.reasons == ("shop.py::price_of is gone",)


def test_another_name_is_a_change_and_the_code_is_shown(codebase: Codebase) -> None:
    old, new = (
        codebase({"shop.py": SHOP}),
        codebase({"shop.py": SHOP.replace("price_of", "cost_of")}),
    )
    rebased = after(label(), old, new)
    assert rebased.kind == "edited"
    assert rebased.hints == ("the same code under another name: shop.py::cost_of",)


def test_of_two_copies_neither_is_taken(codebase: Codebase) -> None:
    body = SHOP[SHOP.index("def price_of") : SHOP.index("def bill")]
    old = codebase({"shop.py": SHOP})
    new = codebase({"shop.py": SHOP.replace(body, ""), "a.py": body, "b.py": body})
    rebased = after(label(), old, new)
    assert rebased.kind == "edited"
    assert rebased.reasons == ("shop.py::price_of: 2 places hold the same code",)
    assert rebased.hints == ("the same code: a.py::price_of", "the same code: b.py::price_of")


def test_a_copy_that_stood_there_already_is_not_what_moved(codebase: Codebase) -> None:
    body = SHOP[SHOP.index("def price_of") : SHOP.index("def bill")]
    old = codebase({"shop.py": SHOP, "a.py": body})
    rebased = after(label(), old, codebase({"shop.py": SHOP.replace(body, ""), "a.py": body}))
    assert rebased.kind == "edited"
    assert rebased.hints == ("the same code: a.py::price_of",)


def test_a_copy_whose_file_was_renamed_is_not_what_moved(codebase: Codebase) -> None:
    body = SHOP[SHOP.index("def price_of") : SHOP.index("def bill")]
    mall = SHOP.replace("return sum(", "return max(")
    old = codebase({"shop.py": SHOP, "mall.py": mall})
    rebased = after(
        label(), old, codebase({"shop.py": SHOP.replace(body, ""), "src/mall.py": mall})
    )
    assert rebased.kind == "edited"
    assert rebased.reasons == ("shop.py::price_of is gone; other code like it stood there already",)


def test_twins_are_told_apart_when_their_file_is_renamed(codebase: Codebase) -> None:
    twin = SHOP.replace("return sum(", "return max(")
    old = codebase({"shop.py": SHOP, "mall.py": twin})
    rebased = after(label(), old, codebase({"src/shop.py": SHOP, "src/mall.py": twin}))
    assert places(rebased)[0] == ["src/shop.py::price_of"]


def test_short_code_in_another_class_is_not_what_moved(codebase: Codebase) -> None:
    source = SHOP + "\n\nclass Till:\n    def __init__(self):\n        self.open = True\n"
    record = label(
        expected_entities=[
            {"entity_id": "shop.py::Till.__init__", "role": "primary", "rationale": "It opens."}
        ],
        expected_line_ranges=[lines("shop.py", 19, 20)],
        fact_citations=[
            lines("shop.py", 20, 20, claim_id=f"fact-{number}") for number in (1, 2, 3)
        ],
        source_evidence=[lines("shop.py", 19, 20, read_at_step=1)],
    )
    new = codebase(
        {
            "shop.py": SHOP,
            "doors.py": "class Door:\n    def __init__(self):\n        self.open = True\n",
        }
    )
    rebased = after(record, codebase({"shop.py": source}), new)
    assert rebased.kind == "edited"
    assert rebased.hints == ("the same code: doors.py::Door.__init__",)


def test_a_forwarder_under_the_old_name_is_no_home(codebase: Codebase) -> None:
    body = SHOP[SHOP.index("def price_of") : SHOP.index("def bill")]
    forwarder = "def price_of(article, amount):\n    return prices.price_of(article, amount)\n\n\n"
    old = codebase({"shop.py": SHOP})
    rebased = after(
        label(), old, codebase({"shop.py": SHOP.replace(body, forwarder), "prices.py": body})
    )
    assert rebased.kind == "edited"
    assert rebased.reasons == ("the code of shop.py::price_of has changed",)
    assert rebased.hints == ("the same code: prices.py::price_of (lines 1-5)",)


def test_a_citation_of_the_module_level_is_found_by_its_text(codebase: Codebase) -> None:
    cited = [*label().model_dump()["fact_citations"], lines("shop.py", 3, 3, claim_id="fact-1")]
    record = label(
        fact_citations=cited,
        expected_entities=[
            {"entity_id": "shop.py::price_of", "role": "primary", "rationale": "It multiplies."},
            {"entity_id": "shop.py::LIMIT", "role": "supporting", "rationale": "It limits."},
        ],
        source_evidence=[
            lines("shop.py", *place, read_at_step=1)
            for place in ((1, 1), (3, 3), (6, 10), (13, 14))
        ],
    )
    old = codebase({"shop.py": SHOP})
    new = codebase({"shop.py": "import re\n" + SHOP.replace("LIMIT = 12\n", "\n\nLIMIT = 12\n")})
    rebased = after(record, old, new)
    assert rebased.kind == "moved"
    assert places(rebased)[2][-1] == "shop.py:6-6"
    assert places(rebased)[3] == ["shop.py:2-2", "shop.py:6-6", "shop.py:9-13", "shop.py:16-17"]


def test_lines_that_cannot_be_found_again_are_a_change(codebase: Codebase) -> None:
    record = label(source_evidence=[lines("shop.py", 1, 3, read_at_step=1)])
    old, new = (
        codebase({"shop.py": SHOP}),
        codebase({"shop.py": SHOP.replace("import os\n", "import os, re\n")}),
    )
    rebased = after(record, old, new)
    assert rebased.kind == "edited"
    assert rebased.reasons == ("the lines of shop.py:1-3 do not say what they said",)


def test_repeated_lines_are_told_apart_by_what_stands_around_them(codebase: Codebase) -> None:
    table = "ONE = [\n    0,\n    1,\n    0,\n    2,\n]\n"
    record = label(
        source_evidence=[
            lines("shop.py", 6, 10, read_at_step=1),
            lines("table.py", 4, 4, read_at_step=2),
        ]
    )
    old = codebase({"shop.py": SHOP, "table.py": table})
    rebased = after(record, old, codebase({"shop.py": SHOP, "table.py": "# A table.\n" + table}))
    assert places(rebased)[3] == ["shop.py:6-10", "table.py:5-5"]


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("It covers lines 6 to 10.", "It covers lines 8 to 12."),
        ("It covers lines 6-10 of shop.py.", "It covers lines 8-12 of shop.py."),
        ("Line 9 looks it up; see 7-8.", "Line 11 looks it up; see 9-10."),
        ("See `shop.py:6-10` and shop.py:9 for it.", "See `shop.py:8-12` and shop.py:11 for it."),
        ("See lines 7, 9 and 10.", "See lines 9, 11 and 12."),
        (
            "Read on from line 6, by the way 3.11 or later.",
            "Read on from line 8, by the way 3.11 or later.",
        ),
    ],
)
def test_line_numbers_in_words_move_along(codebase: Codebase, written: str, wanted: str) -> None:
    old, new = codebase({"shop.py": SHOP}), codebase({"shop.py": "\n\n" + SHOP})
    rebased = after(saying(written), old, new)
    assert rebased.label is not None, rebased.reasons
    assert rebased.label.canonical_narrative == f"{NARRATIVE} {wanted}"


@pytest.mark.parametrize(
    "written", ["See line 14.", "See lines 6 to 9999.", "See 2-3.", "See shop.py:3."]
)
def test_a_line_number_that_nobody_cites_is_for_people(codebase: Codebase, written: str) -> None:
    old, new = codebase({"shop.py": SHOP}), codebase({"shop.py": "\n\n" + SHOP})
    rebased = after(saying(written), old, new)
    assert rebased.kind == "edited"
    assert "which are no ends of one range that is cited" in rebased.reasons[0]


def test_a_line_number_in_a_record_that_stays_is_left_alone(codebase: Codebase) -> None:
    old = codebase({"shop.py": SHOP})
    assert after(saying("See line 14."), old, old).kind == "unchanged"


def test_a_question_that_names_what_moved_is_for_people(codebase: Codebase) -> None:
    old, new = codebase({"shop.py": SHOP}), codebase({"store.py": SHOP})
    rebased = after(label(query_text="What does shop.py do for an article?"), old, new)
    assert rebased.reasons == ("the question names a place that has moved",)


def test_a_short_name_of_a_file_that_has_another_name_is_for_people(codebase: Codebase) -> None:
    narrative = NARRATIVE.replace("shop.py", "pkg/shop.py")
    moved = {
        "expected_entities": [
            {"entity_id": "pkg/shop.py::price_of", "role": "primary", "rationale": "See shop.py."}
        ],
        "expected_files": ["pkg/shop.py"],
        "expected_line_ranges": [lines("pkg/shop.py", 6, 10)],
        "fact_citations": [
            lines("pkg/shop.py", 9, 9, claim_id=f"fact-{number}") for number in (1, 2, 3)
        ],
        "source_evidence": [lines("pkg/shop.py", 6, 10, read_at_step=1)],
        "canonical_narrative": narrative,
    }
    old = codebase({"pkg/shop.py": SHOP})
    rebased = after(label(**moved), old, codebase({"pkg/store.py": SHOP}))
    assert rebased.reasons == ("the words name shop.py, which is pkg/store.py now",)
    kept = after(label(**moved), old, codebase({"src/pkg/shop.py": SHOP}))
    assert kept.label is not None
    assert kept.label.expected_entities[0].rationale == "See shop.py."
    assert "in src/pkg/shop.py." in kept.label.canonical_narrative


def test_other_line_ends_are_no_change(codebase: Codebase) -> None:
    old, new = (
        codebase({"shop.py": SHOP}),
        codebase({"shop.py": SHOP.replace("\n", "\r\n").encode()}),
    )
    assert after(label(), old, new).kind == "unchanged"


def test_alternatives_follow_and_those_that_changed_are_dropped(codebase: Codebase) -> None:
    body = SHOP[SHOP.index("def price_of") : SHOP.index("def bill")].replace("price_of", "cost_of")
    record = label(
        alternatives={
            "shop.py::price_of": ["a.py::cost_of", "b.py::cost_of", "shop.py::bill"],
            "shop.py::x": ["y.py::z"],
        }
    )
    old = codebase({"shop.py": SHOP, "a.py": body, "b.py": body.replace("*", "+")})
    new = codebase({"shop.py": "\n" + SHOP, "c.py": body, "b.py": body.replace("*", "-")})
    rebased = after(record, old, new)
    assert rebased.label is not None
    assert rebased.label.alternatives == {"shop.py::price_of": ("c.py::cost_of", "shop.py::bill")}


def test_code_that_changed_while_its_file_was_renamed_is_not_gone(codebase: Codebase) -> None:
    old, new = (
        codebase({"shop.py": SHOP}),
        codebase({"src/shop.py": SHOP.replace("cents * amount", "cents")}),
    )
    rebased = after(label(), old, new)
    assert rebased.kind == "edited"
    assert rebased.reasons == ("the code of shop.py::price_of has changed",)
    assert "alike: src/shop.py::price_of (lines 6-10)" in rebased.hints[0]


CALLER = "import shop\n\ndef buy():\n    return shop.price_of(1, 2)\n"


@pytest.mark.parametrize(
    "sentence",
    [
        "Nothing but one place in the repository calls `price_of`.",
        "It has one caller.",
        "Every user of it passes an article.",
    ],
)
def test_words_that_count_a_set_send_a_record_back_when_the_set_is_another(
    codebase: Codebase, sentence: str
) -> None:
    old = codebase({"shop.py": SHOP})
    new = codebase({"shop.py": SHOP, "a.py": CALLER})
    rebased = after(saying(sentence), old, new)
    assert rebased.kind == "edited"
    (reason,) = rebased.reasons
    assert reason.startswith("narrative: 1 line with `price_of` came or went")
    assert reason.endswith(sentence)
    # The same set, or words that count none, keep a record.
    assert after(saying(sentence), old, old).kind == "unchanged"
    assert after(label(), old, new).kind == "unchanged"


def test_a_fact_that_counts_is_read_as_well_as_the_narrative(codebase: Codebase) -> None:
    record = label(must_mention_facts=["It has one caller.", "It looks it up.", "It multiplies."])
    old = codebase({"shop.py": SHOP})
    rebased = after(record, old, codebase({"shop.py": SHOP, "a.py": CALLER}))
    assert [claim.claim_id for claim in rebased.changed_claims] == ["fact-1", "narrative"]


def test_a_class_further_down_changes_the_family_above_it(codebase: Codebase) -> None:
    family = "class Rule:\n    name = 1\n\n\nclass Price(Rule):\n    name = 2\n"
    old = codebase({"shop.py": SHOP, "rules.py": family})
    lower = "from rules import Price\n\n\nclass Sale(Price):\n    name = 3\n"
    new = codebase({"shop.py": SHOP, "rules.py": family, "sale.py": lower})
    record = saying("The classes that derive from `Rule` are all in rules.py.")
    assert after(record, old, new).kind == "edited"


TILL = """\
import glob


def count(settings):
    if settings.get("TILL_LIMIT") is None:
        raise LookupError("there is no limit for the till")
    return len(glob.glob(settings["folder"]))


def close(settings):
    return count(settings)
"""
ONLY_CALLER = "`count` is called by `close`, and by no other product code."


def about_the_till(*facts: str, narrative: str = "") -> GoldenLabel:
    entities = [
        {"entity_id": f"till.py::{name}", "role": role, "rationale": "It counts."}
        for name, role in (("count", "primary"), ("close", "supporting"))
    ]
    told = [*facts, "It counts files.", "It closes the till."][:3]
    return label(
        query_text="Who counts the files of the till?",
        expected_entities=entities,
        expected_files=["till.py"],
        expected_line_ranges=[lines("till.py", 4, 7), lines("till.py", 10, 11)],
        must_mention_facts=told,
        fact_citations=[
            lines("till.py", 4, 7, claim_id=f"fact-{n}") for n in range(1, len(told) + 1)
        ],
        source_evidence=[lines("till.py", 4, 11, read_at_step=1)],
        canonical_narrative=NARRATIVE.replace("`price_of`, in shop.py", "`count`, in till.py")
        + narrative,
    )


def test_lines_that_change_nothing_of_a_set_keep_the_record(codebase: Codebase) -> None:
    """The set is derived again: other words, and other things of the same name, are none of it."""
    old = codebase({"till.py": TILL})
    others = (
        "# count the days\nTEXT = 'a count'\n\n\nclass Days:\n    def count(self):\n        pass\n"
    )
    new = codebase({"till.py": TILL, "days.py": "# count the days\nTEXT = 'a count of days'\n"})
    record = about_the_till(ONLY_CALLER, narrative=" In product code only `close` calls `count`.")
    assert after(record, old, new).kind == "unchanged"
    assert after(record, old, codebase({"till.py": TILL, "days.py": others})).kind == "unchanged"
    called = codebase(
        {"till.py": TILL, "days.py": "from till import count\n\n\ndef f():\n    count(1)\n"}
    )
    assert after(record, old, called).kind == "edited"


@pytest.mark.parametrize(
    ("fact", "another"),
    [
        (
            "In product code, `glob.glob` is called in `count` and nowhere else.",
            "import glob\n\n\ndef other():\n    return glob.glob('*')\n",
        ),
        (
            'In product code, the name `"TILL_LIMIT"` is used in `count` and nowhere else.',
            'def other(settings):\n    return settings["TILL_LIMIT"]\n',
        ),
        (
            (
                "`count` is the only product code that holds the text “there is no limit for "
                "the till”."
            ),
            'def other():\n    raise LookupError("there is no limit for the till")\n',
        ),
    ],
)
def test_a_second_user_of_what_is_no_entity_sends_a_record_back(
    codebase: Codebase, fact: str, another: str
) -> None:
    old = codebase({"till.py": TILL})
    record = about_the_till(fact)
    assert after(record, old, codebase({"till.py": TILL, "more.py": "x = 1\n"})).kind == "unchanged"
    rebased = after(record, old, codebase({"till.py": TILL, "more.py": another}))
    assert rebased.kind == "edited"
    assert rebased.reasons[0].startswith("fact-1: ")
    # Of names, counted by their uses, the change says which came or went.
    assert "`other`" in rebased.reasons[0] or "came or went" in rebased.reasons[0]


def test_a_name_in_free_words_is_compared_whether_or_not_it_is_an_entity(
    codebase: Codebase,
) -> None:
    old = codebase({"till.py": TILL})
    new = codebase({"till.py": TILL, "more.py": "import glob\n\nFILES = glob.glob('*')\n"})
    record = about_the_till(narrative=" Nothing but the till uses `glob.glob` in this project")
    rebased = after(record, old, new)
    assert rebased.kind == "edited"
    assert "`glob` came or went" in rebased.reasons[0]


def test_what_the_gate_refuses_is_for_people(codebase: Codebase) -> None:
    record = label(
        canonical_narrative=f"{NARRATIVE} The sum is made by `bill`, which is another matter."
    )
    assert (
        after(label(), codebase({"shop.py": SHOP}), codebase({"shop.py": SHOP})).kind == "unchanged"
    )
    rebased = after(record, codebase({"shop.py": SHOP}), codebase({"shop.py": "\n" + SHOP}))
    assert rebased.kind == "edited"
    assert rebased.reasons[0].startswith("the gate: narrative_covered: narrative: names 'bill'")


def test_a_record_is_carried_between_commits_of_a_repository(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()

    def git(*arguments: str) -> str:
        identity = (
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@example.com",
            "-c",
            "commit.gpgsign=false",
        )
        done = subprocess.run(
            ["git", *identity, *arguments], cwd=repo, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    git("init", "--quiet")
    (repo / "shop.py").write_text(SHOP)
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    first = git("rev-parse", "HEAD")
    git("mv", "shop.py", "store.py")
    git("commit", "--quiet", "-m", "two")
    old = open_snapshot(repo, rev=first, cache=tmp_path / "cache")
    rebased = after(label(), old, open_snapshot(repo, cache=tmp_path / "cache"))
    assert rebased.label is not None
    assert rebased.label.entity_ids == ("store.py::price_of",)
    assert rebased.label.provenance.carried == (CarryOver(from_commit=first, kind="moved"),)


@pytest.mark.parametrize("now", ['"""a\nb"""', '"""a  \n b"""'])
def test_another_value_of_a_long_string_goes_back_to_people(codebase: Codebase, now: str) -> None:
    """Blanks in a string are what it says, wherever they stand."""

    def shop(text: str) -> str:
        return SHOP.replace("lookup(article)", f"lookup(article, {text})")

    (found,) = rebase_labels(
        [label()], codebase({"shop.py": shop('"""a  \nb"""')}), codebase({"shop.py": shop(now)})
    )
    assert found.kind == "edited"


def test_evidence_of_a_deleted_function_is_not_found_in_another_one(codebase: Codebase) -> None:
    helper, other = (
        "\n\ndef helper(a):\n    return a.cents\n",
        "\n\ndef other(a):\n    b = a\n    return b.cents\n",
    )
    twin = other.replace("return b.cents", "return a.cents")
    old = codebase({"shop.py": SHOP + helper + other})
    last = len((SHOP + helper).splitlines())
    read = (
        *label().source_evidence,
        Evidence(file="shop.py", start=last, end=last, read_at_step=9),
    )
    one = with_digests(label().model_copy(update={"source_evidence": read}), old)
    (kept,) = rebase_labels([one], old, codebase({"shop.py": "\n" + SHOP + helper + other}))
    (lost,) = rebase_labels([one], old, codebase({"shop.py": SHOP + twin}))
    assert (kept.kind, lost.kind) == ("moved", "edited")
    assert "shop.py::helper, in which the lines stood, is gone" in lost.reasons[0]
