"""Ids as other retrievers write them, resolved to those of the codebase."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.evaluation.id_resolution import IdResolution
from goldwright.evaluation.reply_notes import ReplyNotes, check_known, remarks
from goldwright.evaluation.retriever_scoring import ScoredReply
from goldwright.golden.id_readings import IdReadings
from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply
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
    """The codebase, pinned."""
    opened = open_snapshot(root, rev=None, cache=tmp_path_factory.mktemp("cache"))
    yield opened
    opened.close()


class FixedConnection:
    """A connection that always gives the same reply."""

    def __init__(self, *hits: tuple[str, float], rises: bool = False) -> None:
        self.reply = RetrieverReply(list(hits), rises=rises)

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Give it."""
        return self.reply if question.text else RetrieverReply([])


@pytest.fixture
def readings(snapshot: Snapshot, root: Path) -> IdReadings:
    """The readings of ids of the codebase."""
    return IdReadings(snapshot, root)


@pytest.fixture
def resolution(readings: IdReadings) -> IdResolution:
    """A connection that finds nothing."""
    return IdResolution(FixedConnection(), readings)


@pytest.mark.parametrize(
    ("raw_id", "resolved"),
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
def test_an_id_is_resolved_to_the_one_that_the_codebase_has(
    readings: IdReadings, raw_id: str, resolved: str
) -> None:
    assert readings.resolve(raw_id) == resolved


def test_the_directory_of_the_codebase_is_removed(readings: IdReadings, root: Path) -> None:
    assert readings.resolve(f"{root}/shop/shelf.py::find") == FUNCTION
    assert readings.resolve(f"{root}/shop/shelf.py:7") == METHOD


def test_the_directory_is_removed_whether_or_not_its_links_were_followed(
    snapshot: Snapshot, root: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    link.symlink_to(root, target_is_directory=True)
    readings = IdReadings(snapshot, link)
    assert readings.resolve(f"{link}/shop/shelf.py::find") == FUNCTION
    assert readings.resolve(f"{root.resolve()}/shop/shelf.py::find") == FUNCTION


def test_of_several_results_in_one_entity_the_best_counts(snapshot: Snapshot, root: Path) -> None:
    chunks = FixedConnection(
        ("shop/shelf.py:7-7", 0.2), ("shop/shelf.py:8-8", 0.9), ("shop/shelf.py:14-15", 0.5)
    )
    reply = IdResolution(chunks, IdReadings(snapshot, root)).ask(RetrieverQuery("q1", "?", 10))
    assert dict(reply.hits) == {METHOD: 0.9, FUNCTION: 0.5}


def noted(resolution: IdResolution, *connections: FixedConnection) -> tuple[ReplyNotes, list[str]]:
    """What is noted of replies, and the remarks on them."""
    notes = ReplyNotes(resolution)
    queries = []
    for number, connection in enumerate(connections):
        names = [name for name, _ in connection.reply.hits]
        score = scored(f"q{number}", {"MRR": 0.5, "R@10": 0.5}, found=len(names))
        queries.append(score)
        notes.note(ScoredReply(score, names, connection.reply))
    return notes, list(remarks(queries, notes, depth=5))


def test_where_no_id_is_known_the_evaluation_ends_with_one_as_it_should_be(
    resolution: IdResolution,
) -> None:
    dotted = [(f"shop.shelf.f{number}", 1.0) for number in range(10)]
    notes, _ = noted(resolution, FixedConnection(*dotted))
    with pytest.raises(
        InputError,
        match=r"none of 10 results .* look like 'shop.shelf.f0', wanted ids like 'a.py::f'",
    ):
        check_known(notes, "a.py::f")


@pytest.mark.parametrize(
    ("raw_id", "advice"),
    [
        ("shop/shelf.py::take", f"write '{METHOD}'"),
        ("shop/shelf.py::Rack.take", f"write '{METHOD}'"),
        ("src/shop/shelf.py::find", "take 'src/' off"),
        ("/build/lib/shop/shelf.py", "take '/build/lib/' off"),
        ("shelf.py::Shelf.take", "put 'shop/' before it"),
        ("shop.shelf.find", f"write '{FUNCTION}'"),
        ("shop.shelf:Shelf.take", f"write '{METHOD}'"),
        ("shelf.Shelf", f"write '{CLASS}'"),
        ("src/shop/shelf.py#find", f"write '{FUNCTION}'"),
        ("shop/shelf.py:Shelf:take", f"write '{METHOD}'"),
        ("shop/shelf.py::Shelf::take", f"write '{METHOD}'"),
    ],
)
def test_a_single_unknown_id_is_enough_to_end_and_to_say_how_it_is_written(
    resolution: IdResolution, raw_id: str, advice: str
) -> None:
    notes, _ = noted(resolution, FixedConnection((raw_id, 1.0)))
    with pytest.raises(InputError, match=f"known otherwise: {re.escape(advice)}$"):
        check_known(notes, "a.py::f")


@pytest.mark.parametrize("raw_id", ["", "::", "shop/", "::find", ".", "x" * 5_000, "a/" * 2_000])
def test_an_id_that_means_nothing_has_no_spelling(readings: IdReadings, raw_id: str) -> None:
    assert readings.nearest_spelling(raw_id) is None


def test_what_is_odd_about_replies_is_remarked(resolution: IdResolution) -> None:
    _, sentences = noted(
        resolution,
        FixedConnection(("shop/shelf.py", 1.0)),
        FixedConnection(("x", 1.0), rises=True),
        FixedConnection(),
    )
    text = " ".join(sentences)
    assert "Only 5 results were asked for, so this is cut at 5: R@10." in text
    assert "All results are files" in text
    assert "1 of 3 queries came back without any result" in text
    assert "1 of 2 results are no entity" in text
    assert "rise" not in text
    _, sentences = noted(resolution, FixedConnection((METHOD, 1.0), rises=True))
    assert "In 1 of 1 replies the scores rise down the list" in " ".join(sentences)


def test_without_a_codebase_a_reply_stays_and_every_id_is_known() -> None:
    connection = FixedConnection(("b", 1.0), ("a", 2.0), ("b", 3.0))
    resolution = IdResolution(connection, None)
    assert resolution.ask(RetrieverQuery("q1", "What?", 10)) is connection.reply
    assert resolution.is_known("anything")
    assert resolution.nearest_spelling("anything") is None
