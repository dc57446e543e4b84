"""Telling which mentions of a text step outside what it may speak of."""

import time

import pytest

from goldwright.records import FileRange
from goldwright.snapshot.mentions.mention_coverage import MentionScope, uncovered_mentions
from units.snapshot.kiln import APP, HELPERS, KILN, SCOPE, SESSIONS

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
    "`pot` or `{}`",
    "a/b, {}; c",
)


def outside(text: str, scope: MentionScope = SCOPE) -> list[tuple[str, str]]:
    return [(mention.kind, mention.text) for mention in uncovered_mentions(text, scope, KILN)]


def scope_of(first: int, last: int, path: str = APP) -> MentionScope:
    """Lines alone, and nothing that is expected."""
    return MentionScope(frozenset(), frozenset(), (FileRange(file=path, start=first, end=last),))


def seconds(text: str) -> float:
    start = time.process_time()
    outside(text)
    return time.process_time() - start


@pytest.mark.parametrize(
    "name",
    [
        "url_for",
        "SessionInterface",
        "limit_2",
        "Response.close",
        "self.print()",
        "SessionInterface.open_session",
        "Kiln.open_session",
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
        f"{HELPERS}::url_for",
        "helpers.py::label",
        f"{SESSIONS}::SessionInterface.send",
        f"{APP}::Kiln.invented",
        "Kiln.forget_all",
        "kiln.helpers.forget_all",
        "kiln.helpers.escape",
        "pot.forget_all",
        "raku_blue",
        "RakuBlue",
        "src/kiln/lost.py",
        "lost_part.py",
        "frobnicate_all()",
    ],
)
def test_a_name_drop_is_caught_in_every_wrapping(name: str) -> None:
    """However a name outside the scope is written, it is seen."""
    texts = [wrapping.format(name) for wrapping in WRAPPINGS]
    assert [text for text in texts if not outside(text)] == []


@pytest.mark.parametrize(
    "name",
    ["Config", "Response", "send", "@send", "def send", "send(pot)", "class Config", "rabbit"],
)
def test_a_plain_word_is_a_mention_between_code_marks(name: str) -> None:
    """Code marks make a name of a word."""
    assert outside(f"then `{name}` runs")


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
        "build",
        "build()",
        "build(start_url)",
        "kiln.helpers.build",
        "helpers.build",
        f"{HELPERS}::build",
        "helpers.py::build",
        "Kiln.load_rules",
        "self.load_rules",
        "self.load_rules()",
        f"{APP}::Kiln.load_rules",
        "self.steps()",
        "steps",
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
def test_a_clean_name_never_fails(name: str) -> None:
    """What is in the scope, in the cited lines as data, Python's own or no name at all is no
    name-drop.
    """
    texts = [wrapping.format(name) for wrapping in WRAPPINGS]
    assert [text for text in texts if outside(text)] == []


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


def test_what_the_cited_code_calls_may_be_named() -> None:
    """A callee stands in the cited lines, and whoever reads them finds it there."""
    assert outside("It calls `self.load_rules(pot)`, then `build(start_url)`.") == []


def test_a_member_is_called_only_where_the_code_calls_it() -> None:
    """An attribute that is read is data; another class may have a method of its name."""
    assert outside("It reads `helpers.label`.") == []
    assert outside("It calls `helpers.label()`.") == [("dotted", "helpers.label")]
    assert outside("It calls `label()`.") == [("name", "label")]


def test_a_member_is_not_covered_by_its_class_but_a_class_by_its_member() -> None:
    """To expect a class is not to expect everything in it."""
    kiln_class = MentionScope(
        frozenset({f"{APP}::Kiln"}), frozenset({APP}), (FileRange(file=APP, start=8, end=10),)
    )
    assert outside("See Kiln.fire.", kiln_class) == [("dotted", "Kiln.fire")]
    assert outside("See `Kiln`.") == []


def test_data_of_lines_that_are_not_cited_is_a_name_drop() -> None:
    """A word is data only where it is used as such."""
    elsewhere = scope_of(26, 27)
    assert outside("It reads `status_code`.", elsewhere) == [("name", "status_code")]


@pytest.mark.parametrize(
    "before",
    ["`@pot.glaze_name`", "`https://example.org/a`", "<me@example.org>", "`a@b.c`", "at www.a.b"],
)
def test_an_address_hides_nothing_that_follows_it(before: str) -> None:
    """Code marks around an address stay marks."""
    assert outside(f"See {before}, then (`send` helps) and more `pot`.") == [("name", "send")]


@pytest.mark.parametrize(
    "piece", ["a", "a.", "a_b ", "`", "x(", "a+", '"a ', "::a", "a-", "/a", "\\_", "*", "<code>"]
)
def test_a_huge_text_takes_no_more_than_its_length(piece: str) -> None:
    """No pattern tries a text again from every place: 20 times the length may take 100 times as
    long, not 400.
    """
    short, long = piece * 1_000, piece * 20_000
    short_time, long_time = seconds(short), seconds(long)
    assert long_time < max(0.5, short_time * 100)


def test_a_message_of_the_cited_lines_may_be_quoted() -> None:
    """Words that the source itself says in a row are no names of the text's own."""
    shop = scope_of(5, 8, HELPERS)
    assert outside('It returns "[inner_step(row) for row in rows]" as it stands.', shop) == []
    assert outside("It returns “[inner_step(row) … in rows]” as it stands.", shop) == []
    elsewhere = scope_of(11, 12, HELPERS)
    assert outside('It returns "the inner_step of rows" as it stands.', elsewhere) == [
        ("name", "inner_step")
    ]


def test_the_name_of_a_technology_is_no_mention_unless_marked() -> None:
    """MD5 and GitHub look like code and are plain words of the trade."""
    assert outside("An MD5 hash, a GitHub page.") == []
    assert outside("It calls `MD5`.") == [("name", "MD5")]


def test_a_string_inside_code_is_data() -> None:
    """Quotation marks between code marks make a value of a word, outside they are emphasis."""
    assert outside("Called with `retry='url_for'`.") == []
    assert outside("Called with 'url_for'.") == [("name", "url_for")]


def test_a_name_between_code_marks_keeps_its_underscores() -> None:
    """In prose they may be emphasis; in code they are the name."""
    assert outside("Then `_conjure_` is set.") == [("name", "_conjure_")]
    assert outside("Then _url_for_ runs.") == [("name", "url_for")]


def test_an_invented_name_is_caught_unless_the_cited_lines_hold_it() -> None:
    """A word that stands in the source is a quotation, not an invention."""
    assert outside("Then `conjure_rabbits()` runs.") == [("name", "conjure_rabbits")]
    assert outside("It was tuned for `raku_red`, not `RakuBlue`.") == [("name", "RakuBlue")]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("`pot`", (17, 17)),
        ("`retry`", (17, 17)),
        ("`first_try`", (19, 20)),
        ("`self.timeout`", (17, 17)),
        ("`timeout`", (17, 17)),
        ("`Kiln.timeout`", (17, 17)),
        ("`kiln.timeout`", (17, 17)),
        ("`json`", (21, 21)),
        ("`json.dumps`", (21, 21)),
        ("`escape`", (21, 21)),
        ("`html.escape`", (21, 21)),
        ("`default_glaze`", (9, 9)),
        ("`Kiln.default_glaze`", (9, 9)),
        ("`SessionInterface`", (8, 8)),
        ("`kiln.sessions.SessionInterface`", (8, 8)),
        ("kiln.sessions", (8, 8)),
        (f"{SESSIONS}::SessionInterface", (8, 8)),
        ("`build`", (20, 20)),
        ("`strict_mode`", (18, 18)),
        ("`raku_red`", (17, 17)),
        ("`max_age`", (21, 21)),
        ("config.py", (24, 24)),
        ("`Kiln.fire`", (20, 20)),
        ("`Kiln`", (20, 20)),
    ],
)
def test_a_name_is_covered_where_it_stands_and_resolves(name: str, lines: tuple[int, int]) -> None:
    """Parameter, local name, attribute, import, class variable, base, callee, keyword, literal,
    and the definitions around.
    """
    assert outside(f"It is about {name}.", scope_of(*lines)) == []


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("`raku_red`", (20, 20)),
        ("`self.timeout`", (20, 20)),
        ("`build`", (17, 17)),
        ("`default_glaze`", (17, 17)),
        ("`SessionInterface`", (20, 20)),
        (f"{SESSIONS}::SessionInterface", (4, 4)),
        ("`kiln.helpers.escape`", (21, 21)),
        (f"{HELPERS}::escape", (21, 21)),
        ("`SessionInterface.steps`", (19, 19)),
        ("`self.build`", (20, 20)),
        ("config.py", (17, 17)),
        ("src/kiln/config.py", (24, 24)),
        ("`Kiln.load_rules`", (12, 13)),
    ],
)
def test_a_name_is_not_covered_where_it_stands_as_something_else(
    name: str, lines: tuple[int, int]
) -> None:
    """Another line, another class, another module, another file of the same name."""
    assert outside(f"It is about {name}.", scope_of(*lines))


@pytest.mark.parametrize(
    "code",
    [
        "pot.glaze_name == 'raku_red' and helpers.label",
        'pot.glaze_name=="raku_red"',
        "not pot",
        "if self.timeout:",
        "if not self.timeout",
        "for start_url in self.steps()",
        "return self.load_rules(pot, strict_mode=True)",
        "retry=3, helpers=None",
        "*, retry=3",
        "def fire(self, pot, …)",
        "escape(...)",
        "build(start_url) is None or len(pot) > 0x1F",
        '{"max_age": status_code}',
        "isinstance(pot, dict | None)",
        "lambda pot: pot",
        "'url_for' in pot",
        'f"{pot}: url_for"',
        "print(pot)  # build it, load_rules",
        "except KeyError as first_try:",
        "utf-8",
        "application/json",
        "--max-heat",
        "-v",
        "3.11",
        "1e5",
        "0xFF_FF",
        "GET /pots",
        "HTTP",
        "None",
        "...",
        "=",
        "[]",
        "`",
        "",
    ],
)
def test_code_is_covered_when_each_of_its_names_is(code: str) -> None:
    """Keywords, numbers, strings, comments and words that are no code need no cover."""
    assert outside(f"It is about `{code}` there.") == []


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("pot is None and not rabbit", "rabbit"),
        ("pot.glaze_name == rabbit", "rabbit"),
        ("if rabbit:", "rabbit"),
        ("build(rabbit)", "rabbit"),
        ("fire(rabbit=3)", "rabbit"),
        ("self.rabbit + 1", "self.rabbit"),
        ("pot.rabbit + 1", "pot.rabbit"),
        ("steps()[0].rabbit", "rabbit"),
        ("'pot' in rabbit", "rabbit"),
        ("for rabbit in self.steps()", "rabbit"),
        ("raise RabbitError(pot)", "RabbitError"),
        ("except RabbitError as pot:", "RabbitError"),
        ("Kiln.rabbit", "Kiln.rabbit"),
        ("pot.übergröße", "pot.übergröße"),
        ("url_for(pot)", "url_for"),
        ("pot or Config", "Config"),
    ],
)
def test_code_with_a_strange_name_is_not_covered(code: str, name: str) -> None:
    """The name that is not there is found, at its place."""
    text = f"It is about `{code}` there."
    [mention] = uncovered_mentions(text, SCOPE, KILN)
    assert mention.text == name
    assert text[mention.start : mention.end].endswith(name.rpartition(".")[2])


def test_code_stands_on_the_cited_lines_up_to_blanks_quotation_marks_and_gaps() -> None:
    """Its names then mean what they mean there, whatever else has them."""
    scope = scope_of(1, 4, HELPERS)
    whole = "`pot)  :return name`"
    assert outside(f"It says {whole}.", scope) == []
    assert outside("It says `def url_for( name … return name`.", scope) == []


def test_names_are_compared_as_python_compares_them() -> None:
    """An identifier may be written with other characters of the same meaning (PEP 3131)."""
    assert outside("It is about `ﬁrst_try`.") == []


def test_lines_of_a_file_that_is_no_code_hold_their_words() -> None:
    """What no parser reads is taken by its words."""
    scope = scope_of(1, 2, "pyproject.toml")
    assert outside("The `project` has the `name` `kiln`.", scope) == []
    assert outside("The `project` has a `rabbit`.", scope) == [("name", "rabbit")]


@pytest.mark.parametrize("first", [-3, 0, 400])
def test_lines_that_do_not_exist_hold_nothing(first: int) -> None:
    """Other checks say that the range is wrong."""
    assert outside("It calls `build`.", scope_of(first, first)) == [("name", "build")]
