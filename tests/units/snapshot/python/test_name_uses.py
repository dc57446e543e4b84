"""Reading which names the code of a file uses, and on which lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.snapshot.languages.language_port import CodeNames, ImportedFrom, NameChain
from goldwright.snapshot.languages.python.name_uses import names_of

PATH = "src/shop/till.py"
SOURCE = '''\
import typing as t
import os.path
from json import dumps as to_json
from . import local_one
from ..bank.notes import Note

LIMIT: t.Final = 3


@wrap(LIMIT)
def outer(first, *rest, key=None, **more):
    """Speaks of prose_only."""
    global LIMIT  # and of comment_only
    LIMIT = first.size
    total = sum(item for item in rest)
    with open(key) as stream, lock.held():
        stream.write(to_json({"answer": total}, indent=2)).close()
    try:
        def inner(nested):
            return f"{nested} of sorts"
    except errors.Missing as problem:
        raise
    return lambda late: late


class Holder(Note, t.Generic):
    size = 1

    def grow(self):
        self.size = self.next_size()
        super().grow()
        match self.size:
            case Point(x=0, y=other):
                pass
'''


def names(source: str = SOURCE) -> CodeNames:
    code_names = names_of(PATH, source)
    assert code_names is not None
    return code_names


def lines_of(name: str, kind: str = "use") -> list[tuple[int, int]]:
    uses = names().uses.get(name, ())
    return sorted((use.lines.first, use.lines.last) for use in uses if use.kind == kind)


def chains(name: str) -> list[tuple[str, ...]]:
    return [use.chain for use in names().uses.get(name, ()) if use.kind == "use"]


def is_called(name: str) -> list[bool]:
    return [use.is_called for use in names().uses[name] if use.kind == "use"]


@given(st.text())
def test_any_text_has_names_or_none(text: str) -> None:
    """A file that does not parse has none, and that is no error."""
    code_names = names_of("a.py", text)
    assert code_names is None or isinstance(code_names, CodeNames)


@pytest.mark.parametrize("word", ["first", "rest", "key", "more", "total", "stream", "problem"])
def test_parameters_and_local_names_are_known_in_the_whole_function(word: str) -> None:
    """Wherever a range touches the function, its names are known."""
    assert lines_of(word, "local") == [(11, 23)]


def test_a_global_is_no_local_name_although_a_function_binds_it() -> None:
    """It belongs to the module."""
    assert lines_of("LIMIT", "local") == []
    assert lines_of("LIMIT") == [(7, 7), (10, 10), (13, 13), (14, 14)]


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [("outer", 10, 23), ("inner", 19, 20), ("Holder", 26, 34), ("grow", 29, 34)],
)
def test_a_definition_is_known_on_all_of_its_lines(name: str, first: int, last: int) -> None:
    """From its first decorator to its end."""
    assert lines_of(name, "definition") == [(first, last)]


@pytest.mark.parametrize("word", ["prose_only", "comment_only", "Speaks"])
def test_comments_and_docstrings_use_no_names(word: str) -> None:
    """What is written about code is no code."""
    assert word not in names().uses
    assert not any(word in literal.text for literal in names().literals)


def test_names_joined_by_dots_are_one_chain_under_each_of_them() -> None:
    """What hangs on an expression has no first name."""
    assert chains("Missing") == chains("errors") == [("errors", "Missing")]
    assert chains("close") == [("", "close")]
    assert chains("path") == [("os", "path"), ("path",)]
    assert ("super", "grow") in chains("grow")
    assert ("", "x") in chains("x")


@pytest.mark.parametrize(
    ("name", "called"),
    [("held", [True]), ("next_size", [True]), ("size", [False] * 4), ("wrap", [True])],
)
def test_what_is_called_is_told_from_what_is_read(name: str, called: list[bool]) -> None:
    """A decorator with arguments is called as well."""
    assert is_called(name) == called


def test_keywords_and_literals_stand_on_their_lines() -> None:
    """The text of an f-string is literal, too."""
    assert [(span.first, span.last) for span in names().keywords["indent"]] == [(17, 17)]
    texts = {literal.text: literal.lines.first for literal in names().literals}
    assert texts == {"answer": 17, " of sorts": 20}


def test_imports_name_what_they_come_from() -> None:
    """Relative ones count from the root of the codebase."""
    assert dict(names().imports) == {
        "t": ImportedFrom("typing", is_relative=False),
        "os": ImportedFrom("os", is_relative=False),
        "to_json": ImportedFrom("json.dumps", is_relative=False),
        "local_one": ImportedFrom("src.shop.local_one", is_relative=True),
        "Note": ImportedFrom("src.bank.notes.Note", is_relative=True),
    }


def test_classes_name_their_bases_as_they_are_written() -> None:
    """What they mean is decided later."""
    assert dict(names().bases) == {"Holder": ("Note", "t.Generic")}


def test_newer_syntax_has_names_as_well() -> None:
    """The file is read as the index reads it."""
    newer = names("type Pair[T] = tuple[T, T]\ndef f[T](x: T): return f'{x['key']}'\n")
    assert NameChain(("x",), newer.uses["x"][0].lines, kind="local") in newer.uses["x"]
    assert [literal.text for literal in newer.literals] == ["key"]


def test_a_strange_escape_in_a_source_is_no_warning_of_ours() -> None:
    """Other people's warnings are not raised here, where warnings are errors."""
    assert "pattern" in names('def match(pattern):\n    return "\\d"\n').uses
