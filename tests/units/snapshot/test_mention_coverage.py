"""Telling which mentions of a text step outside what it may speak of."""

import time

import pytest

from goldwright.records import FileRange
from goldwright.snapshot.mention_coverage import MentionScope, uncovered_mentions
from units.snapshot.kiln import APP, HELPERS, KILN, SCOPE

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


def outside(text: str, scope: MentionScope = SCOPE) -> list[tuple[str, str]]:
    return [(mention.kind, mention.text) for mention in uncovered_mentions(text, scope, KILN)]


def seconds(text: str) -> float:
    start = time.process_time()
    outside(text)
    return time.process_time() - start


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
    """However a name outside the scope is written, it is seen."""
    assert outside(wrapping.format(name))


@pytest.mark.parametrize(
    "name",
    ["Config", "Response", "send", "@send", "def send", "send(rows)", "class Config"],
)
def test_a_plain_word_is_a_mention_between_code_marks(name: str) -> None:
    """Code marks make a name of a word."""
    assert outside(f"then `{name}` runs")


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
    """What is in the scope, in the cited lines as data, Python's own or no name at all is no
    name-drop.
    """
    assert outside(wrapping.format(name)) == []


def test_a_clean_narrative_of_many_styles_never_fails() -> None:
    """Prose, Markdown, reStructuredText and quoted source, as writers mix them."""
    narrative = """\
## How it works

The **`Kiln.fire`** method (see [`app.py`](src/kiln/app.py#L15-L21), or :meth:`~kiln.app.Kiln.fire`)
takes a *pot*, a `status_code` and `retry=3`. It's the only place where
`pot.glaze_name == "raku_red"` and `self.timeout` meet: if both hold, it returns early; otherwise
each `start_url` is handled in order. Finally `json.dumps({"max_age": status_code})` is passed
through `html.escape` -- e.g. "<" becomes "&lt;" -- and returned as a `str`. Nothing is
read/written; a `TypeError` or `KeyError` isn't caught. The `Kiln`'s other parts (build tools
and/or sessions) play no role.

```python
for start_url in (f(pot) for f in steps):
    print(start_url)
```
"""
    assert outside(narrative) == []


def test_what_the_cited_code_calls_may_be_spoken_of() -> None:
    """A callee stands in the cited lines: whoever checks the text sees it there."""
    assert outside("It calls `self.load_rules(pot)`, then `build(start_url)`.") == []


def test_a_callee_is_no_way_to_name_where_it_is_defined() -> None:
    """The lines hold its name, and not the class or module that it belongs to."""
    assert outside("It calls `Kiln.load_rules`, then kiln.helpers.build.") == [
        ("dotted", "Kiln.load_rules"),
        ("dotted", "kiln.helpers.build"),
    ]


def test_a_member_is_not_covered_by_its_class_but_a_class_by_its_member() -> None:
    """To expect a class is not to expect everything in it."""
    kiln_class = MentionScope(
        frozenset({f"{APP}::Kiln"}), frozenset({APP}), (FileRange(file=APP, start=8, end=10),)
    )
    assert outside("See Kiln.fire.", kiln_class) == [("dotted", "Kiln.fire")]
    assert outside("See `Kiln`.") == []


def test_data_of_lines_that_are_not_cited_is_a_name_drop() -> None:
    """A word is data only where it is used as such."""
    elsewhere = MentionScope(frozenset({f"{APP}::Kiln.steps"}), frozenset({APP}))
    assert outside("It reads `status_code`.", elsewhere) == [("name", "status_code")]


@pytest.mark.parametrize(
    "before",
    ["`@pot.route`", "`https://example.org/a`", "<me@example.org>", "`a@b.c`", "`x` at www.a.b"],
)
def test_an_address_hides_nothing_that_follows_it(before: str) -> None:
    """Code marks around an address stay marks."""
    assert outside(f"See {before}, then (`send` helps) and more `text`.") == [("name", "send")]


@pytest.mark.parametrize(
    "piece", ["a", "a.", "a_b ", "`", "x(", "a+", '"a ', "::a", "a-", "/a", "\\_", "*", "<code>"]
)
def test_a_huge_text_takes_no_more_than_its_length(piece: str) -> None:
    """No pattern tries a text again from every place: 20 times the length may take 100 times as
    long, not 400.
    """
    short, long = piece * 2_000, piece * 40_000
    short_time, long_time = seconds(short), seconds(long)
    assert long_time < max(0.5, short_time * 100)


def test_a_message_of_the_cited_file_may_be_quoted() -> None:
    """Words that the source itself says in a row are no names of the narrative's own."""
    shop = MentionScope(frozenset({f"{HELPERS}::label"}), frozenset({HELPERS}))
    assert outside('It returns "[inner_step(row) for row in rows]" as it stands.', shop) == []
    assert outside("It returns “[inner_step(row) … in rows]” as it stands.", shop) == []
    assert outside('It returns "the inner_step of rows" as it stands.', shop) == [
        ("name", "inner_step")
    ]


def test_the_name_of_a_technology_is_no_mention_unless_marked() -> None:
    """MD5 and GitHub look like code and are plain words of the trade."""
    assert outside("An MD5 hash, a GitHub page.") == []
    assert outside("It calls `MD5`.") == [("name", "MD5")]


def test_a_string_inside_code_is_data() -> None:
    """Quotation marks between code marks make a value of a word, outside they are emphasis."""
    assert outside("Called with `mode='url_for'`.") == []
    assert outside("Called with 'url_for'.") == [("name", "url_for")]


def test_an_invented_name_is_caught_unless_the_cited_files_hold_it() -> None:
    """A word that stands in the source is a quotation, not an invention."""
    assert outside("Then `conjure_rabbits()` runs.") == [("name", "conjure_rabbits")]
    assert outside("It was tuned for `raku_red`, not `RakuBlue`.") == [("name", "RakuBlue")]
