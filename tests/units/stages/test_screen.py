"""The rules by which a candidate enters, one promise each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import pytest

from goldwright.plan import Cell
from goldwright.records import CandidateDraft, FileRange, Intent, IntentKind, QueryCandidate
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import CallSite, Entity, Span
from goldwright.stages.screen import AcceptedCandidates, ScreeningCase, ScreenRefusal, screen

LOCATE = Cell("locate", "easy")
EXPLAIN = Cell("explain", "medium")


@dataclass
class Calls:
    """A call graph given by hand."""

    edges: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def callees(self, entity_id: str) -> tuple[CallSite, ...]:
        return tuple(
            CallSite(far, far.partition("::")[0], 1) for far in self.edges.get(entity_id, ())
        )

    def callers(self, entity_id: str) -> tuple[CallSite, ...]:
        return tuple(
            CallSite(near, near.partition("::")[0], 1)
            for near, far in self.edges.items()
            if entity_id in far
        )

    def linked(self, entity_id: str) -> frozenset[str]:
        sites = self.callees(entity_id) + self.callers(entity_id)
        return frozenset(site.entity_id for site in sites)


class Village:
    """A snapshot of a few entities."""

    def __init__(
        self, *ids: str, calls: Mapping[str, tuple[str, ...]] | None = None, lines: int = 10
    ) -> None:
        self.graph = Calls(calls or {})
        self._entities = {entity_id: an_entity(entity_id, lines) for entity_id in ids}
        # Its code is written nowhere, so no name of it is read anywhere.
        self.files: Mapping[str, object] = {}
        self.source_files = ()

    def entities(self) -> tuple[Entity, ...]:
        return tuple(self._entities.values())

    def has_text(self, path: str) -> bool:  # noqa: ARG002  # no file of it can be read
        return False

    def entity(self, entity_id: str) -> Entity | None:
        return self._entities.get(entity_id)

    def entities_in(self, path: str) -> tuple[Entity, ...]:
        return tuple(entity for entity in self._entities.values() if entity.path == path)


def an_entity(entity_id: str, lines: int) -> Entity:
    path, _, name = entity_id.partition("::")
    return Entity(entity_id, path, name, "method" if "." in name else "function", (Span(1, lines),))


def decide(
    village: Village,
    query: str,
    *targets: str,
    cell: Cell = LOCATE,
    room: int = 1,
    accepted: tuple[QueryCandidate, ...] = (),
) -> ScreenRefusal | None:
    draft = CandidateDraft(query_text=query, target_entity_ids=targets)
    return screen(
        ScreeningCase(
            draft, cell, room, cast("Snapshot", village), AcceptedCandidates(list(accepted))
        )
    )


def a_candidate(query_id: str, query: str, *targets: str, cell: Cell = LOCATE) -> QueryCandidate:
    return QueryCandidate(
        query_id=query_id,
        task_type=cell.task_type,
        difficulty=cell.difficulty,
        query_text=query,
        target_entity_ids=targets,
        authored_by="agent:author:test",
        created_at="2026-01-01T00:00:00Z",
    )


VILLAGE = Village(
    "a.py::load_all", "a.py::other", "b.py::build", "tree.py::Tree", "tree.py::Tree.grow"
)


def test_a_clean_candidate_enters() -> None:
    """Nothing objects."""
    assert decide(VILLAGE, "Where do we read everything from disk?", "a.py::load_all") is None


@pytest.mark.parametrize(
    ("query", "targets", "room", "reason"),
    [
        ("Where is it read?", ("a.py::load_all",), 0, "overflow"),
        ("Where is it read?", (), 1, "no_target"),
        ("Where is it read?", ("a.py::lod_all",), 1, "unresolved_target"),
        ("Where is load_all?", ("a.py::load_all",), 1, "identifier_leak"),
        ("Where do we load them all?", ("a.py::load_all",), 1, "split_identifier"),
        ("Where is `build` done?", ("b.py::build",), 1, "identifier_leak"),
        ("Where is the tree made?", ("tree.py::Tree",), 1, "file_structure"),
        ("Where are both done?", ("a.py::load_all", "a.py::other"), 1, "tier"),
    ],
)
def test_each_rule_has_its_reason(
    query: str, targets: tuple[str, ...], room: int, reason: str
) -> None:
    """The first rule that objects names the reason."""
    refusal = decide(VILLAGE, query, *targets, room=room)
    assert refusal is not None
    assert refusal.reason == reason


def refuse_reason(kind: IntentKind, subject: str) -> ScreenRefusal | None:
    lines = FileRange(file="a.py", start=1, end=2)
    draft = CandidateDraft(
        query_text="Where do we read everything from disk?",
        target_entity_ids=("a.py::load_all",),
        intent=Intent(kind=kind, subject=subject, lines=lines),
    )
    return screen(
        ScreeningCase(draft, LOCATE, 1, cast("Snapshot", VILLAGE), AcceptedCandidates([]))
    )


def test_a_reason_that_the_code_does_not_show_is_refused_before_anybody_answers() -> None:
    """The gate would turn down every answer to it, and answers cost money."""
    refusal = refuse_reason("raise_condition", "a.py::load_all")
    assert refusal == ScreenRefusal("unfounded_intent", "a.py:1-2 shows no raise_condition")
    refusal = refuse_reason("other", "a.py::nothing")
    assert refusal is not None
    assert refusal.reason == "unfounded_intent"


def test_a_reason_that_code_cannot_check_is_taken_as_it_is() -> None:
    assert refuse_reason("other", "a.py::load_all") is None


def test_a_plain_english_name_may_stand_in_a_query() -> None:
    """`build` is a word; only code marks make it an identifier."""
    assert decide(VILLAGE, "Where do we build the thing?", "b.py::build") is None


def test_a_query_at_easy_review_may_name_its_target() -> None:
    """The same words are refused at locate."""
    assert (
        decide(VILLAGE, "Any risk in load_all?", "a.py::load_all", cell=Cell("review", "easy"))
        is None
    )


def test_more_than_half_of_the_targets_shared_with_one_candidate_is_a_duplicate() -> None:
    """Half is not more than half, and the share counts from the new side."""
    village = Village("a.py::f", "a.py::g", "a.py::h", calls={"a.py::f": ("a.py::g", "a.py::h")})
    earlier = a_candidate(
        "q_1", "How does the first thing go?", "a.py::f", "a.py::g", "a.py::h", cell=EXPLAIN
    )
    refusal = decide(
        village,
        "What runs when it starts?",
        "a.py::f",
        "a.py::g",
        cell=EXPLAIN,
        accepted=(earlier,),
    )
    assert refusal is not None
    assert refusal.reason == "duplicate"
    half = a_candidate("q_1", "How does the first thing go?", "a.py::f", cell=EXPLAIN)
    assert (
        decide(
            village,
            "What runs when it starts?",
            "a.py::f",
            "a.py::g",
            cell=EXPLAIN,
            accepted=(half,),
        )
        is None
    )


def test_a_wording_that_nearly_repeats_another_is_a_duplicate() -> None:
    """Other targets do not save it."""
    earlier = a_candidate("q_1", "Where do we read all the things from the disk?", "a.py::other")
    refusal = decide(
        VILLAGE, "Where do we read all the things from disk?", "a.py::load_all", accepted=(earlier,)
    )
    assert refusal is not None
    assert (refusal.reason, "q_1" in refusal.message) == ("duplicate", True)


def test_the_third_opening_of_a_kind_in_a_cell_is_refused() -> None:
    """Two may start alike."""
    texts = ("Where do we sing songs?", "Where do we bake bread?")
    earlier = tuple(a_candidate(f"q_{n}", text, f"x{n}.py::f") for n, text in enumerate(texts))
    assert (
        decide(VILLAGE, "Where do we read files?", "a.py::load_all", accepted=earlier[:1]) is None
    )
    refusal = decide(VILLAGE, "Where do we read files?", "a.py::load_all", accepted=earlier)
    assert refusal is not None
    assert refusal.reason == "phrasing"


def test_the_ninth_opening_of_a_kind_in_the_batch_is_refused() -> None:
    """Eight may start alike across cells."""
    nouns = ("songs", "bread", "paint", "stone", "water", "paper", "glass", "cloth")
    earlier = tuple(
        a_candidate(
            f"q_{n}", f"Where do we keep {noun}?", f"x{n}.py::f", cell=Cell("general", "easy")
        )
        for n, noun in enumerate(nouns)
    )
    assert (
        decide(VILLAGE, "Where do we read files?", "a.py::load_all", accepted=earlier[:7]) is None
    )
    refusal = decide(VILLAGE, "Where do we read files?", "a.py::load_all", accepted=earlier)
    assert refusal is not None
    assert refusal.reason == "phrasing"


def test_targets_of_a_chain_must_be_joined_by_calls() -> None:
    """Three functions that do not know of each other are no explanation."""
    apart = Village("a.py::f", "a.py::g", "b.py::h", calls={"a.py::f": ("a.py::g",)})
    joined = Village(
        "a.py::f", "a.py::g", "b.py::h", calls={"a.py::f": ("a.py::g",), "a.py::g": ("b.py::h",)}
    )
    targets = ("a.py::f", "a.py::g", "b.py::h")
    refusal = decide(apart, "What happens end to end?", *targets, cell=Cell("explain", "hard"))
    assert refusal is not None
    assert (refusal.reason, "b.py::h" in refusal.message) == ("tier", True)
    assert (
        decide(joined, "What happens end to end?", *targets, cell=Cell("explain", "hard")) is None
    )


def test_a_long_function_is_no_easy_explanation() -> None:
    """Under forty lines, the definition says."""
    cell = Cell("explain", "easy")
    assert decide(Village("a.py::f", lines=39), "What happens in it?", "a.py::f", cell=cell) is None
    refusal = decide(Village("a.py::f", lines=40), "What happens in it?", "a.py::f", cell=cell)
    assert refusal is not None
    assert refusal.reason == "tier"
