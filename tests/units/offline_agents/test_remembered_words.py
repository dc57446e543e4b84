"""Pieces of a message that a question may quote."""

from pathlib import Path

import pytest

from goldwright.offline_agents.questions.remembered_words import remembered_pieces
from goldwright.snapshot import Snapshot, open_snapshot

CODE = """
class Oven:
    def heat(self, degrees):
        if degrees > self.most:
            raise ValueError(f"the oven cannot be that hot: {degrees} of (at most) {self.most}")

    def light(self):
        raise RuntimeError("the oven cannot be kindled")


def bake(oven):
    return oven.hot
"""
MESSAGE = "the oven cannot be that hot: … of (at most) …"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root: Path = tmp_path_factory.mktemp("bakery")
    (root / "bakery.py").write_text(CODE)
    return open_snapshot(root, cache=tmp_path_factory.mktemp("cache"))


def test_a_piece_stands_in_the_target_alone(snapshot: Snapshot) -> None:
    pieces = remembered_pieces(MESSAGE, ["bakery.py::Oven.heat"], snapshot)
    assert pieces
    assert "oven cannot be kindled" not in pieces
    for piece in pieces:
        assert piece in MESSAGE
        assert "hot" in piece.split()


def test_a_piece_is_a_beginning_that_neither_ends_with_a_loose_word_nor_bridges_a_value(
    snapshot: Snapshot,
) -> None:
    pieces = remembered_pieces(MESSAGE, ["bakery.py::Oven.heat"], snapshot)
    for piece in pieces:
        words = piece.split()
        assert 3 <= len(words) <= 7
        assert MESSAGE.startswith(piece)
        assert words[-1] not in {"the", "that", "be", "of"}
        assert "…" not in piece
        assert "(" not in piece


@pytest.mark.parametrize(
    ("message", "pieces"),
    [
        ("the oven of the bakery is cold", {"the oven of the bakery is cold"}),
        # It breaks off before a preposition or a mark, and inside no phrase.
        ("ovens are heated twice without need, as ever", {"ovens are heated twice"}),
        ("the heated oven: call the baker", {"the heated oven"}),
    ],
)
def test_a_piece_ends_where_a_phrase_does(message: str, pieces: set[str], tmp_path: Path) -> None:
    (tmp_path / "bakery.py").write_text(f'def bake():\n    raise ValueError("{message}")\n')
    snapshot = open_snapshot(tmp_path, cache=tmp_path.parent / "cache")
    found = remembered_pieces(message, ["bakery.py::bake"], snapshot)
    assert pieces <= set(found)
    assert all(message.startswith(piece) for piece in found)
    assert not any(piece.endswith((" hot", " need, as", " heated")) for piece in found)


def test_words_that_any_message_has_tell_nobody_which_one_is_meant(tmp_path: Path) -> None:
    message = "an error occurred while bread was baked"
    (tmp_path / "bakery.py").write_text(f'def bake():\n    raise ValueError("{message}")\n')
    snapshot = open_snapshot(tmp_path, cache=tmp_path.parent / "cache")
    assert "an error occurred" not in remembered_pieces(message, ["bakery.py::bake"], snapshot)


def test_what_all_holders_share_is_a_piece_where_all_of_them_are_asked_for(
    snapshot: Snapshot,
) -> None:
    both = ["bakery.py::Oven.heat", "bakery.py::Oven.light"]
    assert "the oven cannot be kindled" in remembered_pieces(
        "the oven cannot be kindled", both, snapshot
    )
    assert remembered_pieces("the oven", both, snapshot) == ()
