"""Reading which words of a file are its own data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.snapshot.entities import Span
from goldwright.snapshot.language import BindingKind
from goldwright.snapshot.python.bindings import bindings_of

SOURCE = """\
import typing as t
from json import dumps as to_json
from . import local_one

LIMIT = 3


def outer(first, *rest, key=None, **more):
    global LIMIT
    LIMIT = first.size
    total = sum(item for item in rest)
    with open(key) as stream, lock.held():
        stream.write(to_json({"answer": total}, indent=2))
    try:
        def inner(nested):
            return nested
    except OSError as problem:
        raise
    return lambda late: late


class Holder:
    size = 1

    def grow(self):
        self.size = self.next_size()
"""


@given(st.text())
def test_any_text_has_bindings(text: str) -> None:
    """A file that does not parse has none, and that is no error."""
    assert bindings_of(text) is not None


KINDS: tuple[BindingKind, ...] = ("local", "attribute", "value")


def binds(kind: BindingKind, word: str, first: int, last: int) -> bool:
    return bindings_of(SOURCE).binds(kind, word, Span(first, last))


@pytest.mark.parametrize(
    "word", ["first", "rest", "key", "more", "total", "stream", "inner", "problem"]
)
def test_parameters_and_local_names_are_data_in_the_whole_function(word: str) -> None:
    """Wherever a range touches the function, its names are known."""
    assert binds("local", word, 18, 18)
    assert not binds("local", word, 22, 26)


@pytest.mark.parametrize(
    "word", ["LIMIT", "outer", "Holder", "grow", "to_json", "t", "self_", "open"]
)
def test_entities_imports_and_globals_are_no_data(word: str) -> None:
    """What stands for something outside the function is not the function's own."""
    assert not any(binds(kind, word, 1, 30) for kind in KINDS)


@pytest.mark.parametrize(
    ("kind", "word", "line"),
    [
        ("local", "item", 11),
        ("local", "nested", 16),
        ("local", "late", 19),
        ("attribute", "size", 10),
        ("attribute", "size", 26),
        ("value", "indent", 13),
        ("value", "answer", 13),
    ],
)
def test_a_word_is_data_on_its_own_lines(kind: BindingKind, word: str, line: int) -> None:
    """Attributes, keywords and strings count where they stand."""
    assert binds(kind, word, line, line)


@pytest.mark.parametrize("word", ["write", "held", "next_size"])
def test_a_called_attribute_is_no_data(word: str) -> None:
    """A method that is called is an entity of somebody."""
    assert not any(binds(kind, word, 1, 30) for kind in KINDS)


def test_imports_name_the_module_they_come_from() -> None:
    """Relative imports never lead outside."""
    assert dict(bindings_of(SOURCE).imports) == {"t": "typing", "to_json": "json"}


def test_a_strange_escape_in_a_source_is_no_warning_of_ours() -> None:
    """Other people's warnings are not raised here, where warnings are errors."""
    bindings = bindings_of('def match(pattern):\n    return "\\d"\n')
    assert bindings.binds("local", "pattern", Span(1, 1))
