"""The pool of searches against the labels of an answer, and what becomes of what it brings."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from goldwright.agents.toolset import Toolset
from goldwright.offline_agents import OfflineCompletenessReader
from goldwright.records import (
    AnswerDraft,
    CompletenessDraft,
    FileRange,
    Intent,
    IntentKind,
    QueryCandidate,
)
from goldwright.retrieval.port import Hit, Retriever
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.completeness import judge_completeness
from goldwright.stages.context import StageContext
from goldwright.stages.label_pool import is_covered
from scripted.brain import settled

CODE = {
    "till/cash.py": (
        "def pay(amount, drawer):\n"
        "    if amount > drawer.total:\n"
        '        raise ValueError("not enough change in the drawer")\n'
        '    drawer.headers["X-Till"] = amount\n'
        "    return drawer\n"
        "\n\n"
        "def refund(amount, drawer):\n"
        "    return pay(-amount, drawer)\n"
        "\n\n"
        "class Drawer:\n"
        "    total = 0\n"
        "\n\n"
        "class SmallDrawer(Drawer):\n"
        "    total = 5\n"
    ),
    "till/card.py": (
        "def charge(amount, drawer):\n"
        "    if amount > 10:\n"
        '        raise LookupError("not enough change in the drawer")\n'
        '    return drawer.headers.get("X-Till")\n'
    ),
    "tests/test_cash.py": (
        'def test_pay():\n    assert "not enough change in the drawer"\n    x = {}["X-Till"]\n'
    ),
}
PAY, REFUND = "till/cash.py::pay", "till/cash.py::refund"
CHARGE = "till/card.py::charge"


@pytest.fixture
def till(tmp_path: Path) -> Snapshot:
    """Two files of a till, and a test of it."""
    for name, text in CODE.items():
        path = tmp_path / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return open_snapshot(tmp_path / "code", cache=tmp_path / "cache")


def _pooled(
    till: Snapshot,
    kind: IntentKind,
    query: str,
    *expected: str,
    subject: str = PAY,
    line: int = 3,
    detail: str = "",
    dense: Retriever | None = None,
) -> CompletenessDraft:
    lines = FileRange(file=subject.partition("::")[0], start=line, end=line)
    intent = Intent(kind=kind, subject=subject, lines=lines, detail=detail)
    candidate = cast(QueryCandidate, SimpleNamespace(query_text=query, intent=intent))
    answer = cast(AnswerDraft, SimpleNamespace(entity_ids=expected))
    context = cast(StageContext, SimpleNamespace(snapshot=till, dense=dense))
    reader = OfflineCompletenessReader(till)
    work = judge_completeness(reader, context, candidate, answer, Toolset(till))
    return settled(work)


def _verdicts(draft: CompletenessDraft) -> dict[str, str]:
    return {entity.entity_id: entity.verdict for entity in draft.pooled}


def test_another_place_of_the_same_message_answers_as_well(till: Snapshot) -> None:
    """The searches that know nothing of the answer find the labelled place, too."""
    query = 'Where does "not enough change in the drawer" come from?'
    draft = _pooled(till, "message_origin", query, PAY)
    assert _verdicts(draft)[CHARGE] == "equal"
    assert _verdicts(draft)[REFUND] == "no"
    assert PAY in draft.recaptured
    assert {"bm25", "grep"} <= set(
        next(entity.sources for entity in draft.pooled if entity.entity_id == CHARGE)
    )


def test_another_function_that_deals_with_a_name_belongs_to_all_that_do(till: Snapshot) -> None:
    """Once it is labelled, nothing is missing."""
    query = "Which places deal with the header X-Till?"
    draft = _pooled(till, "literal_use", query, PAY, detail="X-Till")
    assert _verdicts(draft)[CHARGE] == "belongs"
    complete = _pooled(till, "literal_use", query, PAY, CHARGE, detail="X-Till")
    assert "belongs" not in _verdicts(complete).values()


def test_a_caller_that_is_not_expected_belongs_to_all_callers(till: Snapshot) -> None:
    """The call graph brings what no search for words would."""
    draft = _pooled(till, "callers", "Who relies on taking money?", PAY)
    assert _verdicts(draft)[REFUND] == "belongs"


def test_a_subclass_belongs_to_the_family(till: Snapshot) -> None:
    """The subclasses of an expected class are in the pool."""
    base = "till/cash.py::Drawer"
    draft = _pooled(till, "family", "Which kinds are there?", base, subject=base, line=12)
    assert _verdicts(draft)["till/cash.py::SmallDrawer"] == "belongs"


def test_where_no_rule_tells_nothing_is_judged(till: Snapshot) -> None:
    """The record is left out of the estimate."""
    draft = _pooled(till, "steps", "In which order is change given from the drawer?", PAY)
    assert not draft.is_judged
    assert set(_verdicts(draft).values()) == {"open"}


class Nearest:
    """Finds the same entities for every query."""

    def __init__(self, *entity_ids: str) -> None:
        self.entity_ids = entity_ids

    def search(self, _query: str, *, limit: int = 10) -> Sequence[Hit]:
        return [Hit(entity_id, 1.0) for entity_id in self.entity_ids[:limit]]


def test_search_by_meaning_brings_to_the_pool_where_it_is_installed(till: Snapshot) -> None:
    """The report names the systems that took part, whether they brought anything or not."""
    query = "Which kinds are there?"
    base = "till/cash.py::Drawer"
    without = _pooled(till, "family", query, base, subject=base, line=12)
    draft = _pooled(till, "family", query, base, subject=base, line=12, dense=Nearest(base, REFUND))
    assert without.systems == ("bm25", "grep", "calls")
    assert draft.systems == ("bm25", "grep", "calls", "dense")
    assert REFUND not in _verdicts(without)
    (refund,) = [entity for entity in draft.pooled if entity.entity_id == REFUND]
    assert refund.sources == ("dense",)
    assert base in draft.recaptured


def test_tests_are_no_part_of_the_pool(till: Snapshot) -> None:
    """They answer no question about the product."""
    draft = _pooled(till, "literal_use", "Who reads the header X-Till?", PAY, detail="X-Till")
    assert not any(entity_id.startswith("tests/") for entity_id in _verdicts(draft))


def test_what_stands_inside_or_around_a_label_is_covered_by_it() -> None:
    """A method and its class are one place to a retriever."""
    expected = frozenset({"a.py::Till.pay"})
    assert is_covered("a.py::Till", expected)
    assert is_covered("a.py::Till.pay.inner", expected)
    assert not is_covered("a.py::Till.paying", expected)
    assert not is_covered("b.py::Till", expected)
