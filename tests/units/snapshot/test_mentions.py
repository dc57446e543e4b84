"""Finding what a text names."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.snapshot import open_snapshot
from goldwright.snapshot.mentions.mention_search import Mention, mentions
from units.snapshot.kiln import APP, HELPERS, JSON, KILN, SESSIONS


def only_mention(text: str) -> Mention:
    [mention] = mentions(text, KILN)
    return mention


@given(st.text())
def test_any_text_has_mentions_in_order_and_inside_it(text: str) -> None:
    """No text breaks the search, and offsets point into the text."""
    all_mentions = mentions(text, KILN)
    starts = [mention.start for mention in all_mentions]
    assert starts == sorted(starts)
    for mention in all_mentions:
        assert 0 <= mention.start < mention.end <= len(text)


@given(
    st.lists(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1), max_size=30),
    st.sampled_from(" -\n,/"),
)
def test_plain_words_without_marks_never_are_mentions(words: list[str], separator: str) -> None:
    """English stays English, even where an entity has the same name."""
    assert mentions(f"{separator} ".join([*words, "build", "fire", "escape", "send"]), KILN) == ()


@pytest.mark.parametrize(
    ("text", "kind", "ids", "paths"),
    [
        ("url_for", "name", {f"{HELPERS}::url_for"}, set()),
        ("`build`", "name", {f"{HELPERS}::build"}, set()),
        ("Kiln.fire", "dotted", {f"{APP}::Kiln.fire"}, set()),
        ("self.fire", "member", {f"{APP}::Kiln.fire"}, set()),
        ("kiln.helpers", "path", set(), {HELPERS}),
        ("kiln.json", "path", set(), {"src/kiln/json/"}),
        ("kiln.json.dumps", "dotted", {f"{JSON}::dumps"}, set()),
        ("config.py", "path", set(), {"src/kiln/config.py"}),
        ("helpers.py::url_for", "entity_id", {f"{HELPERS}::url_for"}, set()),
        ("SessionInterfaces", "name", {f"{SESSIONS}::SessionInterface"}, set()),
        ("_SessionInterface_", "name", {f"{SESSIONS}::SessionInterface"}, set()),
        ("url\\_for", "name", {f"{HELPERS}::url_for"}, set()),
        ("src\\kiln\\app.py", "path", set(), {APP}),
        ("the `helpers` module", "path", set(), {HELPERS}),
        ("lost.py", "path", set(), set()),
    ],
)
def test_a_mention_says_what_it_names(text: str, kind: str, ids: set[str], paths: set[str]) -> None:
    """Kinds and ids are what other parts build on."""
    mention = only_mention(text)
    assert (str(mention.kind), set(mention.entity_ids), set(mention.paths)) == (kind, ids, paths)


def test_a_mention_knows_its_place_in_the_text() -> None:
    """A reviewer's page marks the words."""
    mention = only_mention("Then `build` runs.")
    assert (mention.start, mention.end, mention.path) == (6, 11, None)


def test_a_library_module_is_no_class_of_the_same_name(tmp_path: Path) -> None:
    """A class may be called ``email``; what is below a module inside of it is not the class's."""
    (tmp_path / "code").mkdir()
    code = "class email:\n    class parts:\n        host = 1\n\n    def check(self): ...\n"
    (tmp_path / "code" / "inputs.py").write_text(code)
    codebase = open_snapshot(tmp_path / "code", cache=tmp_path / "cache")
    assert mentions("It never calls `email.utils.parsedate`.", codebase) == ()
    assert [mention.text for mention in mentions("It has `email.check`.", codebase)] == [
        "email.check"
    ]
    assert [mention.text for mention in mentions("It has `email.parts.host`.", codebase)] == [
        "email.parts.host"
    ]
