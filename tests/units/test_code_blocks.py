"""Code that stands in a text as blocks: what is written is found, and what is left is prose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.code_blocks import (
    GAP,
    code_block,
    code_blocks,
    dedent_lines,
    quoted_runs,
    rewrite_prose,
    texts_and_blocks,
    without_code_blocks,
)

BLOCK = ("def add(self, article):", "    ...", "    self.lines.append(article)")
TEXT = f"It is `add`.\n\n{code_block(BLOCK, 'python')}\n\nNobody else does."

LINES = st.lists(
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="`")),
    min_size=1,
    max_size=6,
)
PROSE = st.lists(
    st.sampled_from(["It is `add`.", "See `a.b`.", "No.", "It says “so”."]), max_size=4
).map(" ".join)


@given(PROSE, LINES, PROSE)
def test_a_block_is_found_as_it_was_written(before: str, lines: list[str], after: str) -> None:
    text = f"{before}\n\n{code_block(lines, 'python')}\n\n{after}"
    assert list(code_blocks(text)) == [tuple(lines)]
    assert without_code_blocks(text) == f"{before} {after}".strip()
    assert rewrite_prose(text, lambda passage: passage) == text.strip()


@given(PROSE)
def test_a_text_without_blocks_is_left_as_it_is(text: str) -> None:
    assert without_code_blocks(text) == text
    assert list(code_blocks(text)) == []
    assert list(texts_and_blocks(text)) == [(text, "", ())]
    assert rewrite_prose(text, str.upper) == text.upper()


def test_a_block_that_is_never_closed_goes_to_the_end() -> None:
    text = "Look:\n```\nx = 1\ny = 2"
    assert list(code_blocks(text)) == [("x = 1", "y = 2")]
    assert without_code_blocks(text) == "Look:"


def test_a_longer_fence_holds_a_shorter_one() -> None:
    assert list(code_blocks("````md\n```\nx\n```\n````")) == [("```", "x", "```")]


def test_code_that_would_end_its_block_is_refused() -> None:
    with pytest.raises(ValueError, match="fence"):
        code_block(['text = """```"""'], "python")


def test_lines_between_gaps_stand_together_without_what_all_are_indented_by() -> None:
    block = ("  def add(self):", "", "      ...", "      if self:", "          return", "  ...")
    assert list(quoted_runs(block)) == [("def add(self):",), ("if self:", "    return")]
    assert list(quoted_runs((GAP, GAP))) == []


def test_blank_lines_and_ends_are_no_part_of_dedented_lines() -> None:
    assert dedent_lines(("    a ", "", "      b", "   ")) == ("a", "  b")


def test_prose_is_rewritten_around_blocks_and_blocks_by_themselves() -> None:
    louder = rewrite_prose(TEXT, str.upper)
    assert louder.startswith("IT IS `ADD`.\n\n```python\ndef add(self, article):\n")
    assert louder.endswith("```\n\nNOBODY ELSE DOES.")
    assert rewrite_prose(TEXT, str, lambda _: ()) == "It is `add`.\n\nNobody else does."
    shorter = rewrite_prose(TEXT, str, lambda lines: lines[:1])
    assert list(code_blocks(shorter)) == [BLOCK[:1]]


def test_a_passage_that_is_rewritten_to_nothing_goes() -> None:
    without_end = rewrite_prose(TEXT, lambda passage: passage if "add" in passage else "")
    assert without_end.endswith("```")


def test_a_block_may_have_a_title() -> None:
    text = f"It pays.\n\n{code_block(['pay()'], 'python', 'Till.book')}\n\nIt is done."
    assert "```python Till.book\n" in text
    assert list(texts_and_blocks(text)) == [
        ("It pays.\n\n", "Till.book", ("pay()",)),
        ("\n\nIt is done.", "", ()),
    ]
    assert without_code_blocks(text) == "It pays. It is done."
