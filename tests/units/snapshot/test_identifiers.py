"""Which words are code, and which queries give their answer away."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.snapshot.identifier_leaks import leaked_identifiers
from goldwright.snapshot.identifiers import is_code_shaped

_words = st.from_regex(r"[a-z]{2,8}(_[a-z]{2,8}){1,2}", fullmatch=True)


@given(_words, st.text(alphabet="abc ,.`()\n"), st.text(alphabet="abc ,.`()\n"))
def test_a_code_shaped_identifier_leaks_wherever_it_is_a_whole_word(
    name: str, before: str, after: str
) -> None:
    """Marks, punctuation and place make no difference."""
    assert leaked_identifiers(f"{before} {name} {after}", [f"a.py::{name}"]) == (name,)


@given(st.text(alphabet=st.characters(exclude_characters="_")), _words)
def test_a_query_without_the_identifier_leaks_nothing(query: str, name: str) -> None:
    """Only what stands in the query can leak."""
    assert leaked_identifiers(query, [f"a.py::{name}"]) == ()


@pytest.mark.parametrize(
    ("word", "shaped"),
    [
        ("make_response", True),
        ("_build", True),
        ("__init__", True),
        ("SessionInterface", True),
        ("HTTPError", True),
        ("iPhone", True),
        ("sha256", True),
        ("h11", True),
        ("build", False),
        ("Flask", False),
        ("HTTP", False),
        ("URLs", False),
        ("I", False),
        ("_", False),
        ("__", False),
        ("3rd", False),
        ("two-step", False),
        ("a.b", False),
        ("", False),
    ],
)
def test_the_shape_of_a_word_tells_code_from_english(word: str, *, shaped: bool) -> None:
    """Underscore, inner capital or digit; acronyms are English."""
    assert is_code_shaped(word) is shaped


@pytest.mark.parametrize(
    ("query", "leaked"),
    [
        ("How does Session.send pick an adapter?", ("Session", "send")),
        ("What happens in `send` when it times out?", ("send",)),
        ("What happens when send() times out?", ("send",)),
        ("Why does session.send fail?", ("send",)),
        ("Where do we send requests in a session?", ()),
        ("Where does a Session keep cookies?", ()),
        ("We send. Then what?", ()),
        ("Is the resend logic `resend`?", ()),
        ("Where is ``Session`` made?", ("Session",)),
        ("Where does x.Session come from?", ("Session",)),
        ("Rebuild proxies on Session#send", ("Session", "send")),
        ("Rebuild proxies on #send of a Session", ("send",)),
        ("Rebuild proxies in Session::send", ("Session", "send")),
        ("We send: then what? Session # 1", ()),
        ("Is a session like issue#12 to send?", ()),
    ],
)
def test_an_english_identifier_leaks_only_as_code(query: str, leaked: tuple[str, ...]) -> None:
    """Marked, called, or joined to another name; in a plain sentence it is a word."""
    assert leaked_identifiers(query, ["src/sessions.py::Session.send"]) == leaked


@pytest.mark.parametrize(
    ("query", "leaked"),
    [
        ("Why is get_adapter slow?", ("get_adapter",)),
        ("Why is Get_Adapter slow?", ()),
        ("Why is get_adapters slow?", ()),
        ("Why is my_get_adapter slow?", ()),
        ("Does __init__ open HTTPAdapter?", ("HTTPAdapter", "__init__")),
        ("Does the adapters module matter?", ()),
    ],
)
def test_a_code_shaped_identifier_leaks_as_a_whole_word_in_its_case(
    query: str, leaked: tuple[str, ...]
) -> None:
    """Parts of words and other cases are other words; the path is not part of the name."""
    targets = ["src/adapters.py::get_adapter", "src/adapters.py::HTTPAdapter.__init__"]
    assert leaked_identifiers(query, targets) == leaked
