"""Ids as others write them, read as those of the codebase."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.evaluation.id_resolution import IdResolution
from goldwright.evaluation.query_scoring import ScoredReply
from goldwright.evaluation.reply_notes import ReplyNotes, check_known, remarks
from goldwright.retrieval.connections import Question, RetrieverReply
from goldwright.snapshot import Snapshot, open_snapshot
from units.evaluation.evaluations import scored

CODE = """import os


class Shelf:
    size = 1

    def take(self):
        return os

    def put(self):
        return 1


def find():
    return 2
"""
METHOD, CLASS, FUNCTION = "shop/shelf.py::Shelf.take", "shop/shelf.py::Shelf", "shop/shelf.py::find"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A codebase of one file."""
    root = tmp_path_factory.mktemp("code")
    (root / "shop").mkdir()
    (root / "shop/shelf.py").write_text(CODE)
    return root


@pytest.fixture(scope="module")
def snapshot(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    """It, pinned."""
    opened = open_snapshot(root, rev=None, cache=tmp_path_factory.mktemp("cache"))
    yield opened
    opened.close()


class Fixed:
    """A connection that always gives the same."""

    def __init__(self, *hits: tuple[str, float], rises: bool = False) -> None:
        self.retrieved = RetrieverReply(list(hits), rises=rises)

    def ask(self, question: Question) -> RetrieverReply:
        """Give it."""
        return self.retrieved if question.text else RetrieverReply([])


@pytest.fixture
def resolving(snapshot: Snapshot, root: Path) -> IdResolution:
    """A connection that finds nothing, whose ids are read."""
    return IdResolution(Fixed(), snapshot, root)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        (METHOD, METHOD),
        ("shop/shelf.py", "shop/shelf.py"),
        ("./shop/shelf.py::find", FUNCTION),
        (".\\shop\\shelf.py::find", FUNCTION),
        ("shop/shelf.py:7-8", METHOD),
        ("shop/shelf.py#L7-L8", METHOD),
        ("shop/shelf.py:8", METHOD),
        ("shop/shelf.py#L4-L11", CLASS),
        ("shop/shelf.py:7-15", CLASS),
        ("shop/shelf.py:12-15", FUNCTION),
        ("shop/shelf.py:1-2", "shop/shelf.py"),
        ("shop/shelf.py:15-14", FUNCTION),
        ("shop.shelf.find", "shop.shelf.find"),
        ("shop/none.py:3", "shop/none.py:3"),
        ("", ""),
    ],
)
def test_an_id_is_read_as_the_codebase_has_it(
    resolving: IdResolution, name: str, known: str
) -> None:
    assert resolving.resolve(name) == known


def test_an_absolute_path_is_taken_off(resolving: IdResolution, root: Path) -> None:
    assert resolving.resolve(f"{root}/shop/shelf.py::find") == FUNCTION
    assert resolving.resolve(f"{root}/shop/shelf.py:7") == METHOD


def test_of_several_results_in_one_entity_the_best_counts(snapshot: Snapshot, root: Path) -> None:
    chunks = Fixed(
        ("shop/shelf.py:7-7", 0.2), ("shop/shelf.py:8-8", 0.9), ("shop/shelf.py:14-15", 0.5)
    )
    found = IdResolution(chunks, snapshot, root).ask(Question("q1", "?", 10))
    assert dict(found.hits) == {METHOD: 0.9, FUNCTION: 0.5}


def noted(snapshot: Snapshot, root: Path, *replies: Fixed) -> tuple[ReplyNotes, list[str]]:
    """What is noted of replies, and said of them."""
    found = ReplyNotes(IdResolution(Fixed(), snapshot, root))
    queries = []
    for number, one in enumerate(replies):
        names = [name for name, _ in one.retrieved.hits]
        queries.append(scored(f"q{number}", {"MRR": 0.5, "R@10": 0.5}, found=len(names)))
        found.note(ScoredReply(queries[-1], names, one.retrieved))
    return found, list(remarks(queries, found, (), depth=5))


def test_where_no_id_is_known_the_evaluation_ends_with_one_as_it_should_be(
    snapshot: Snapshot, root: Path
) -> None:
    found, _ = noted(
        snapshot, root, Fixed(*((f"shop.shelf.f{number}", 1.0) for number in range(10)))
    )
    with pytest.raises(
        InputError,
        match=r"none of 10 results .* look like 'shop.shelf.f0', wanted ids like 'a.py::f'",
    ):
        check_known(found, "a.py::f")
    few, _ = noted(snapshot, root, Fixed(("shop.shelf.f", 1.0)))
    check_known(few, "a.py::f")


def test_what_is_odd_about_replies_is_said(snapshot: Snapshot, root: Path) -> None:
    said = " ".join(
        noted(
            snapshot, root, Fixed(("shop/shelf.py", 1.0)), Fixed(("x", 1.0), rises=True), Fixed()
        )[1]
    )
    assert "Only 5 results were asked for, so this is cut at 5: R@10." in said
    assert "All results are files" in said
    assert "1 of 3 queries came back without any result" in said
    assert "1 of 2 results are no entity" in said
    assert "rise" not in said
    rising = noted(snapshot, root, Fixed((METHOD, 1.0), rises=True))[1]
    assert any("In 1 of 1 replies the scores rise down the list" in one for one in rising)
