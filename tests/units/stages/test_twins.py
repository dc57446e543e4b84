"""A question that fits other code as well as its targets has no one answer."""

import pytest

from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.screen.twins import twin_of

SHELVES = '''
class Shelf:
    def put(self, book):
        """Store a book between its neighbours and note its place."""
        if book.is_wet:
            raise ValueError(
                "A wet book must dry "
                f"before it is shelved: {book}"
            )

    def check(self, book):
        if book.is_wet:
            self.warn("This is too wet to keep.")
'''
CRATES = '''
class Crate:
    def put(self, book):
        """Store a book between its neighbours, or on top of them."""
        if book.is_wet:
            raise ValueError(f"A wet book must dry before it is shelved: {book.title}")

    def pack(self, book):
        raise ValueError("A wet book must never be packed.")
'''
TESTS = """
def test_keeping():
    assert warned("This is too wet to keep.")
"""


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root = tmp_path_factory.mktemp("library")
    (root / "tests").mkdir()
    (root / "shelves.py").write_text(SHELVES)
    (root / "crates.py").write_text(CRATES)
    (root / "tests" / "test_shelves.py").write_text(TESTS)
    return open_snapshot(root, cache=tmp_path_factory.mktemp("cache"))


def twin(query_text: str, snapshot: Snapshot, *target_ids: str) -> str | None:
    targets = [entity for name in target_ids if (entity := snapshot.entity(name))]
    assert len(targets) == len(target_ids)
    entity = twin_of(query_text, targets, snapshot)
    return None if entity is None else entity.entity_id


@pytest.mark.parametrize(
    "query_text",
    [
        'Who says "A wet book must dry before it is shelved: …"?',
        "Who says “… must dry before it is shelved”?",
        "When do we get 'A wet book must dry before'?",
    ],
)
def test_a_quoted_text_that_stands_elsewhere_too_has_a_twin(
    snapshot: Snapshot, query_text: str
) -> None:
    """However its literal is cut into pieces."""
    assert twin(query_text, snapshot, "shelves.py::Shelf.put") == "crates.py::Crate.put"


def test_the_parts_of_a_quotation_may_be_apart(snapshot: Snapshot) -> None:
    query_text = 'Who says "A wet … before it is shelved"?'
    assert twin(query_text, snapshot, "shelves.py::Shelf.put") == "crates.py::Crate.put"
    query_text = 'Who says "it is shelved … before a wet"?'
    assert twin(query_text, snapshot, "shelves.py::Shelf.put") is None


def test_all_holders_together_are_the_answer(snapshot: Snapshot) -> None:
    query_text = 'Who says "A wet book must dry before it is shelved: …"?'
    assert twin(query_text, snapshot, "shelves.py::Shelf.put", "crates.py::Crate.put") is None


@pytest.mark.parametrize(
    ("query_text", "target"),
    [
        # The class around the target holds it as well, and so does a test.
        ('Who says "This is too wet to keep"?', "shelves.py::Shelf.check"),
        # The beginning alone is shared.
        ('Who says "A wet book must never be packed"?', "crates.py::Crate.pack"),
        # The whole of what is quoted has to stand there, and not its longest part alone.
        ('Who says "never packed: … A wet book must dry before"?', "shelves.py::Shelf.put"),
        # Two words may stand anywhere.
        ('Who says "wet book"?', "shelves.py::Shelf.put"),
        # It quotes nothing of its target.
        ('Who answers "A wet book must dry before"?', "shelves.py::Shelf.check"),
        ("Who warns of moisture?", "shelves.py::Shelf.check"),
    ],
)
def test_what_stands_in_the_target_alone_has_no_twin(
    snapshot: Snapshot, query_text: str, target: str
) -> None:
    assert twin(query_text, snapshot, target) is None


def test_a_namesake_whose_docstring_begins_alike_is_a_twin(snapshot: Snapshot) -> None:
    target = "shelves.py::Shelf.put"
    worded_alike = "How do we store each book between its neighbours?"
    assert twin(worded_alike, snapshot, target) == "crates.py::Crate.put"
    told_apart = "How do we store each book between its neighbours and note the place?"
    assert twin(told_apart, snapshot, target) is None
