"""Finding what a text names, and telling what steps outside."""

import ast
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.records import FileRange
from goldwright.snapshot.entities import Entity, Span, entity_id
from goldwright.snapshot.mention_coverage import MentionScope, uncovered_mentions
from goldwright.snapshot.mentions import Mention, mentions
from goldwright.stages.gate.examples import ShopCodebase

APP = "src/kiln/app.py"
HELPERS = "src/kiln/helpers.py"
SESSIONS = "src/kiln/sessions.py"
JSON = "src/kiln/json/__init__.py"

SOURCES = {
    "README.md": "# Kiln\n",
    "pyproject.toml": "[project]\nname = 'kiln'\n",
    "src/kiln/__init__.py": "from kiln.app import Kiln\n",
    APP: """\
import json
from html import escape

from kiln.helpers import build, url_for
from kiln.sessions import SessionInterface


class Kiln(SessionInterface):
    default_glaze = "matt"

    def __init__(self, max_heat, timeout=None):
        self.max_heat = max_heat
        self.timeout = timeout

    def fire(self, pot, status_code, *, retry=3, helpers=None):
        first_try = True
        if pot.glaze_name == "raku_red" and self.timeout and helpers.label:
            return self.load_rules(pot, strict_mode=True)
        for start_url in (f(pot) for f in self.steps()):
            build(start_url)
        return escape(json.dumps({"max_age": status_code}))

    def load_rules(self, pot, strict_mode):
        return url_for("config.py", pot)

    def steps(self):
        return []
""",
    HELPERS: """\
def url_for(name, pot):
    return name


def build(rows):
    def inner_step(row):
        return row
    return [inner_step(row) for row in rows]


def label(pot):
    return pot


class status_code:
    pot = 1
    start_url = 2
    strict_mode = 3
    glaze_name = 4
    max_age = 5
    first_try = 6
    retry = 7
    timeout = 8


def escape(text):
    return text
""",
    SESSIONS: """\
class SessionInterface:
    def open_session(self, request):
        return None

    def send(self):
        return self


class Response:
    def close(self):
        return None

    def print(self):
        return None


def MD5():
    return None
""",
    JSON: "def dumps(value):\n    return str(value)\n",
    "src/kiln/config.py": "class Config:\n    limit_2 = 1\n",
    "tests/test_app.py": "def test_fire():\n    pass\n",
}


def _entities(path: str, body: list[ast.stmt], prefix: str) -> Iterator[Entity]:
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                kind = "class" if isinstance(node, ast.ClassDef) else "function"
                span = Span(node.lineno, node.end_lineno or 0)
                yield Entity(entity_id(path, prefix + name), path, prefix + name, kind, (span,))  # type: ignore[arg-type]
                yield from _entities(path, node.body, f"{prefix}{name}.")
            case ast.Assign(targets=[ast.Name(id=name)]):
                if "." not in prefix or prefix[0].isupper():
                    found = prefix + name
                    yield Entity(
                        entity_id(path, found),
                        path,
                        found,
                        "variable",
                        (Span(node.lineno, node.lineno),),
                    )


KILN = ShopCodebase(
    SOURCES,
    tuple(
        entity
        for path, text in SOURCES.items()
        if path.endswith(".py")
        for entity in _entities(path, ast.parse(text).body, "")
    ),
)
GROUND = MentionScope(
    frozenset({f"{APP}::Kiln.fire"}), frozenset({APP}), (FileRange(file=APP, start=15, end=21),)
)

WRAPPINGS = (
    "then {} runs",
    "{} runs",
    "then {}.",
    "then {}, and so on",
    "then ({}) runs",
    "then {}'s result",
    "then {}’s result",
    "then {}-like things",
    "then **{}** runs",
    'then "{}" runs',
    "then `{}` runs",
    "then ``{}``.",
    "then `{}`'s result",
    "then [`{}`] runs",
    "then <code>{}</code> runs",
    "one—{}—two",
    "then:\n- {}\n- more",
    "`x` or `{}`",
    "a/b, {}; c",
)


def _outside(text: str, ground: MentionScope = GROUND) -> list[tuple[str, str]]:
    return [(mention.kind, mention.text) for mention in uncovered_mentions(text, ground, KILN)]


def _seconds(text: str) -> float:
    start = time.perf_counter()
    _outside(text)
    return time.perf_counter() - start


def _one(text: str) -> Mention:
    [mention] = mentions(text, KILN)
    return mention


@given(st.text())
def test_any_text_has_mentions_in_order_and_inside_it(text: str) -> None:
    """No text breaks the search, and offsets point into the text."""
    found = mentions(text, KILN)
    assert all(0 <= mention.start < mention.end <= len(text) for mention in found)
    assert [mention.start for mention in found] == sorted(mention.start for mention in found)


@given(
    st.lists(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1), max_size=30),
    st.sampled_from(" -\n,/"),
)
def test_plain_words_without_marks_never_are_mentions(words: list[str], separator: str) -> None:
    """English stays English, even where an entity has the same name."""
    assert mentions(f"{separator} ".join([*words, "build", "fire", "escape", "send"]), KILN) == ()


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize(
    "name",
    [
        "url_for",
        "SessionInterface",
        "limit_2",
        "Response.close",
        "self.print()",
        "SessionInterface.open_session",
        "Kiln.load_rules",
        "Kiln.open_session",
        "kiln.helpers.build",
        "sessions.Response",
        "kiln.url_for",
        "kiln.sessions",
        "self.load_rules",
        "build()",
        "build(rows)",
        "self.steps()",
        "app.open_session()",
        "session_interface.send()",
        "response.close()",
        HELPERS,
        f"./{HELPERS}",
        "kiln/helpers.py",
        "helpers.py",
        "helpers.py:2",
        "helpers.py:2-9",
        "helpers.py#L2-L9",
        "tests/test_app.py",
        "README.md",
        "pyproject.toml",
        "src/kiln/json/",
        f"{HELPERS}::build",
        "helpers.py::build",
        f"{APP}::Kiln.load_rules",
        f"{APP}::Kiln.invented",
        "src/kiln/lost.py",
        "lost_part.py",
        "frobnicate_all()",
    ],
)
def test_a_name_drop_is_caught_in_every_wrapping(name: str, wrapping: str) -> None:
    """However a name outside the ground is written, it is seen."""
    assert _outside(wrapping.format(name))


@pytest.mark.parametrize(
    "name",
    ["build", "Config", "Response", "send", "@build", "def build", "build(rows)", "class Config"],
)
def test_a_plain_word_is_a_mention_between_code_marks(name: str) -> None:
    """Code marks make a name of a word."""
    assert _outside(f"then `{name}` runs")


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize(
    "name",
    [
        "Kiln",
        "Kiln.fire",
        "self.fire",
        "kiln.app.Kiln.fire",
        "kiln.Kiln.fire",
        "kiln.app",
        f"{APP}::Kiln.fire",
        "app.py",
        "app.py:15-21",
        "src/kiln/",
        "fire()",
        "fire",
        "None",
        "ValueError",
        "print()",
        "__init__",
        "Kiln.__name__",
        "os.path.join",
        "json.dumps",
        "escape",
        "html.escape",
        "status_code",
        "first_try",
        "start_url",
        "pot",
        "pot.glaze_name",
        "glaze_name",
        "self.timeout",
        "timeout",
        "strict_mode",
        "max_age",
        "retry",
        "raku_red",
        "helpers.label",
        "value.strip()",
        "sock.close()",
        "dict.fromkeys()",
        "application/json",
        "/api/pots",
        "https://example.org/src/kiln/helpers.py",
        "someone@helpers.py",
        "*.py",
        "--max-heat",
        "e.g",
        "i.e",
        "3.11",
        "Python 3",
        "text/html",
        "HTTP",
        "URLs",
        "TypeVar",
        "GitHub",
        "dict[str, int]",
    ],
)
def test_a_clean_name_never_fails(name: str, wrapping: str) -> None:
    """What is in the ground, in the cited lines as data, Python's own or no name at all is no
    name-drop.
    """
    assert _outside(wrapping.format(name)) == []


def test_a_clean_narrative_of_many_styles_never_fails() -> None:
    """Prose, Markdown, reStructuredText and quoted source, as writers mix them."""
    narrative = """\
## How it works

The **`Kiln.fire`** method (see [`app.py`](src/kiln/app.py#L15-L21), or :meth:`~kiln.app.Kiln.fire`) takes a *pot*, a
`status_code` and `retry=3`. It's the only place where `pot.glaze_name == "raku_red"` and `self.timeout` meet: if both
hold, it returns early; otherwise each `start_url` is handled in order. Finally `json.dumps({"max_age": status_code})`
is passed through `html.escape` -- e.g. "<" becomes "&lt;" -- and returned as a `str`. Nothing is read/written; a
`TypeError` or `KeyError` isn't caught. The `Kiln`'s other parts (build tools and/or sessions) play no role.

```python
for start_url in (f(pot) for f in steps):
    print(start_url)
```
"""
    assert _outside(narrative) == []


def test_what_the_cited_code_calls_is_still_a_name_drop() -> None:
    """A callee is an entity of its own; a narrative that leans on it must list it."""
    assert _outside("It calls `self.load_rules(pot)`, then `build(start_url)`.") == [
        ("member", "self.load_rules"),
        ("name", "build"),
    ]


def test_a_member_is_not_covered_by_its_class_but_a_class_by_its_member() -> None:
    """To expect a class is not to expect everything in it."""
    whole = MentionScope(
        frozenset({f"{APP}::Kiln"}), frozenset({APP}), (FileRange(file=APP, start=8, end=10),)
    )
    assert _outside("See Kiln.fire.", whole) == [("dotted", "Kiln.fire")]
    assert _outside("See `Kiln`.") == []


def test_data_of_lines_that_are_not_cited_is_a_name_drop() -> None:
    """A word is data only where it is used as such."""
    elsewhere = MentionScope(frozenset({f"{APP}::Kiln.steps"}), frozenset({APP}))
    assert _outside("It reads `status_code`.", elsewhere) == [("name", "status_code")]


@pytest.mark.parametrize(
    "before",
    ["`@pot.route`", "`https://example.org/a`", "<me@example.org>", "`a@b.c`", "`x` at www.a.b"],
)
def test_an_address_hides_nothing_that_follows_it(before: str) -> None:
    """Code marks around an address stay marks."""
    assert _outside(f"See {before}, then (`build` helps) and more `text`.") == [("name", "build")]


@pytest.mark.parametrize(
    "piece", ["a", "a.", "a_b ", "`", "x(", "a+", '"a ', "::a", "a-", "/a", "\\_", "*", "<code>"]
)
def test_a_huge_text_takes_no_more_than_its_length(piece: str) -> None:
    """No pattern tries a text again from every place: 20 times the length may take 100 times as
    long, not 400.
    """
    short, long = piece * 2_000, piece * 40_000
    times = [_seconds(short), _seconds(long)]
    assert times[1] < max(0.5, times[0] * 100)


def test_a_message_of_the_cited_file_may_be_quoted() -> None:
    """Words that the source itself says in a row are no names of the narrative's own."""
    shop = MentionScope(frozenset({f"{HELPERS}::label"}), frozenset({HELPERS}))
    assert _outside('It returns "[inner_step(row) for row in rows]" as it stands.', shop) == []
    assert _outside("It returns “[inner_step(row) … in rows]” as it stands.", shop) == []
    assert _outside('It returns "the inner_step of rows" as it stands.', shop) == [
        ("name", "inner_step")
    ]


def test_the_name_of_a_technology_is_no_mention_unless_marked() -> None:
    """MD5 and GitHub look like code and are plain words of the trade."""
    assert _outside("An MD5 hash, a GitHub page.") == []
    assert _outside("It calls `MD5`.") == [("name", "MD5")]


def test_a_string_inside_code_is_data() -> None:
    """Quotation marks between code marks make a value of a word, outside they are emphasis."""
    assert _outside("Called with `mode='url_for'`.") == []
    assert _outside("Called with 'url_for'.") == [("name", "url_for")]


def test_an_invented_name_is_caught_unless_the_cited_files_hold_it() -> None:
    """A word that stands in the source is a quotation, not an invention."""
    assert _outside("Then `conjure_rabbits()` runs.") == [("name", "conjure_rabbits")]
    assert _outside("It was tuned for `raku_red`, not `RakuBlue`.") == [("name", "RakuBlue")]


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
    mention = _one(text)
    assert (str(mention.kind), set(mention.entity_ids), set(mention.paths)) == (kind, ids, paths)


def test_a_mention_knows_its_place_in_the_text() -> None:
    """A reviewer's page marks the words."""
    mention = _one("Then `build` runs.")
    assert (mention.start, mention.end, mention.path) == (6, 11, None)
