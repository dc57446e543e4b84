"""The index of words: what it finds is what a search of every file would find."""

import re

import pytest

from goldwright.snapshot.word_files import MOST_FILES, files_with, other_files_with
from units.snapshot.codebases import OpenFiles

TEXTS = {
    "a.py": "basket = Basket()\nbasket.add(1)\n",
    "b.py": "class Basket:\n    pass\n# re-add, add_all\n",
    "c.py": "Basketry = 'add'\nkey = 'x-add-y'\n",
    "notes.md": "Basket is a class.\n",
    "umlaut.py": "größe = 1\nprint(größe)\n",
}


@pytest.mark.parametrize("text", ["Basket", "add", "Basketry", "x-add-y", "missing", "größe"])
def test_it_finds_the_files_that_a_search_for_the_word_finds(
    open_files: OpenFiles, text: str
) -> None:
    """No letter may stand in front of it or behind it."""
    snapshot = open_files(TEXTS)
    pattern = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
    searched = [path for path in snapshot.source_files if pattern.search(TEXTS[path])]
    assert list(files_with(snapshot, text) or ()) == searched


def test_a_source_file_that_is_no_text_is_passed_over(open_files: OpenFiles) -> None:
    """It may be named like one."""
    snapshot = open_files({"a.py": "basket = 1\n", "b.py": b"basket\0"})
    assert files_with(snapshot, "basket") == ("a.py",)


def test_other_files_are_searched_apart(open_files: OpenFiles) -> None:
    """Documents are no source files."""
    assert other_files_with(open_files(TEXTS), "Basket") == ("notes.md",)


def test_a_word_in_very_many_files_is_known_by_that_alone(open_files: OpenFiles) -> None:
    """A rare word beside it still leads to the files that hold both."""
    texts = {f"m{number:03d}.py": "common = 1\n" for number in range(MOST_FILES)}
    snapshot = open_files({**texts, "last.py": "common = rare\nkey = 'rare-common'\n"})
    assert files_with(snapshot, "common") is None
    assert files_with(snapshot, "rare-common") == ("last.py",)


def test_as_many_files_as_a_search_shows_are_all_named(open_files: OpenFiles) -> None:
    """One file fewer than too many."""
    texts = {f"m{number:03d}.py": "common = 1\n" for number in range(MOST_FILES)}
    assert len(files_with(open_files(texts), "common") or ()) == MOST_FILES
