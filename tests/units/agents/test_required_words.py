"""Which files a search may pass over: only those that surely hold no match."""

import re
from pathlib import Path

import pytest

from goldwright.agents.tools.search import compile_matcher, matching_lines, required_words
from goldwright.snapshot import open_snapshot

TEXTS = {
    "a.py": "class Basket(Base):\n    def add(self): ...\n",
    "b.py": "basket = Basket()\nbasket.add(1)\n",
    "c.py": "class Baskets:\n    async  def adding(self): ...\n",
    "notes.txt": "a Basket to add things to\n",
}


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\bBasket\b", ("Basket",)),
        (r"^\s*class\s+\w+.*\bBase\b", ("Base",)),
        (r"^\s*(?:async\s+)?(?:def|class)\s+add\b", ("add",)),
        (r"\bBasket\b(?s:.{0,9})\badd\b", ("Basket", "add")),
        (r"\bBasket\b|\badd\b", ()),
        (r"(\bBasket\b)?x", ()),
        (r"(?i)\bbasket\b", ()),
        (r"[\bBasket\b]", ()),
        (r"\\bBasket\b", ()),
        (r"\bBaskets?\b", ()),
        (r"\bBasket\b*", ()),
        ("Basket", ()),
    ],
)
def test_a_word_is_required_only_where_no_match_can_do_without(
    pattern: str, words: tuple[str, ...]
) -> None:
    """Anything that branches or repeats may."""
    assert required_words(pattern) == words


@pytest.mark.parametrize(
    "pattern", [r"\bBasket\b", r"\badd\b", r"\bto\s+\badd\b", r"^\s*(?:def|class)\s+Basket\b"]
)
def test_a_search_by_word_shows_what_a_search_of_all_files_shows(
    tmp_path: Path, pattern: str
) -> None:
    """Source files first, then the others."""
    for name, text in TEXTS.items():
        (tmp_path / "code").mkdir(exist_ok=True)
        (tmp_path / "code" / name).write_text(text)
    snapshot = open_snapshot(tmp_path / "code", cache=tmp_path / "cache")
    matcher = compile_matcher(pattern, literal=False, ignore_case=False)
    every_hit = list(matching_lines(snapshot, "", matcher))
    assert list(matching_lines(snapshot, "", matcher, words=required_words(pattern))) == every_hit
    matching = {path for path, text in TEXTS.items() if re.search(pattern, text, re.MULTILINE)}
    assert {hit.path for hit in every_hit} == matching
