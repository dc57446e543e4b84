"""What holds of every language that a snapshot reads."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.snapshot.changed_definitions import DefinitionChanges
from goldwright.snapshot.file_facts import Definition, FileFacts
from goldwright.snapshot.languages.language_catalog import (
    ALL_LANGUAGES,
    LANGUAGES,
    language_named,
    language_of,
)
from goldwright.snapshot.languages.language_port import (
    BLANK,
    CodeLines,
    Language,
    LanguageWords,
    StrippedLines,
)
from goldwright.snapshot.languages.plain_language import PlainLanguage


class Notes(PlainLanguage):
    """The least that a language may be: names that are underlined, and comments behind ``;``."""

    name = "notes"
    title = "Notes"
    suffixes = (".notes",)

    def read_facts(self, data: bytes) -> FileFacts:
        lines = self.decode(data).split("\n")
        definitions = [
            Definition(name.strip(), "function", number, number + 1)
            for number, (name, underline) in enumerate(pairwise(lines), 1)
            if name.strip() and underline.strip() == "---"
        ]
        return FileFacts(definitions=tuple(definitions))

    def code_lines(self, text: str) -> CodeLines:
        lines = text.split("\n")
        numbers = (number for number, line in enumerate(lines, 1) if line.split(";")[0].strip())
        return CodeLines(frozenset(numbers), len(lines))

    def strip_comments(self, lines: Sequence[str]) -> StrippedLines:
        stripped = (re.sub(";.*", BLANK, line) for line in lines)
        return StrippedLines(tuple(stripped), len(lines))


NOTES = Notes()
every_language = pytest.mark.parametrize(
    "language", [*LANGUAGES, NOTES], ids=lambda language: language.name
)


@dataclass(frozen=True)
class Sample:
    """A file of a language, and the definitions in it, with their kinds."""

    data: bytes
    definitions: tuple[tuple[str, str], ...]


DEFINITIONS = (
    ("LIMIT", "variable"),
    ("Basket", "class"),
    ("Basket.add", "method"),
    ("pay", "function"),
)
SAMPLES = {
    "python": Sample(
        b"""
LIMIT = 3

class Basket:
    def add(self, item):
        pass

def pay():
    pass
""",
        DEFINITIONS,
    ),
    "typescript": Sample(
        b"""
const LIMIT = 3;
class Basket {
  add(item) {}
}
function pay() {}
""",
        DEFINITIONS,
    ),
    "notes": Sample(b"pay\n---\nin cash  ; at the till\n", (("pay", "function"),)),
}
# What is no program in any language, or hardly one: nothing, binary data, bytes of no encoding,
# lines that end in any way, open brackets, quotes and comments, and deep nesting.
BROKEN = (
    b"",
    b"\0\1\2",
    b"\xff\xfe\xe9",
    b"\xef\xbb\xbf",
    b"a\r\nb\rc\n\x0c\xc2\x85",
    b"def f(:\n  '''",
    b"\"'`{[(<!-- /* //",
    b"(" * 5000 + b")" * 5000,
    b"\t \n" * 100,
)
contents = st.binary(max_size=200) | st.text(max_size=200).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)
# What a file is decoded to: whole characters.
characters = st.characters(codec="utf-8", exclude_characters="\r\n")
lines = st.lists(st.text(characters, max_size=40), max_size=12)


def test_names_and_suffixes_are_unique() -> None:
    """A file belongs to one language, and a language is found by its name."""
    names = [language.name for language in LANGUAGES]
    suffixes = [suffix for language in LANGUAGES for suffix in language.suffixes]
    assert len(set(names)) == len(names)
    for suffix in suffixes:
        assert suffix.startswith(".")
        assert [other for other in suffixes if suffix.endswith(other)] == [suffix]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_a_language_is_found_by_its_name_and_by_its_files(language: Language) -> None:
    assert language_named(language.name) is language
    for suffix in language.suffixes:
        assert language_of(f"folder/file{suffix}") is language
    assert language_of(f"folder{language.suffixes[0]}/file") is None


def test_every_language_has_a_sample() -> None:
    names = {language.name for language in (*ALL_LANGUAGES, NOTES)}
    assert names == SAMPLES.keys(), "add a file of it with its definitions to SAMPLES"


@every_language
def test_the_definitions_of_a_file_are_found(language: Language) -> None:
    sample = SAMPLES[language.name]
    facts = language.read_facts(sample.data)
    assert tuple((found.name, found.kind) for found in facts.definitions) == sample.definitions


def test_a_language_that_is_not_installed_says_what_to_install() -> None:
    missing_languages = [language for language in ALL_LANGUAGES if not language.is_installed]
    assert [language.name for language in missing_languages if not language.extra] == []
    assert set(missing_languages).isdisjoint(LANGUAGES)


@every_language
@given(data=contents)
def test_any_bytes_can_be_decoded(language: Language, data: bytes) -> None:
    assert isinstance(language.decode(data), str)


@every_language
@pytest.mark.parametrize(
    "data",
    [b"# coding: utf-7\nx = '+2AA-'\n", b"# coding: raw_unicode_escape\nx = '\\ud800'\n"],
    ids=["utf-7", "escape"],
)
def test_a_file_is_decoded_to_whole_characters(language: Language, data: bytes) -> None:
    """A half of one can be written in no record, and from Python 3.12 on it ends its tokenizer."""
    text = language.decode(data)
    assert text.encode("utf-8").decode("utf-8") == text
    assert len(language.strip_comments(text.splitlines()).lines) == len(text.splitlines())


@every_language
def test_an_empty_file_is_read_and_holds_nothing(language: Language) -> None:
    assert language.read_facts(b"") == FileFacts()


@every_language
@pytest.mark.parametrize("data", BROKEN)
def test_a_broken_file_has_facts_or_a_reason_in_one_line(language: Language, data: bytes) -> None:
    facts = language.read_facts(data)
    assert "\n" not in facts.reason
    if facts.reason:
        assert facts == FileFacts(reason=facts.reason)


@every_language
@given(data=contents)
def test_reading_facts_never_fails(language: Language, data: bytes) -> None:
    facts = language.read_facts(data)
    assert isinstance(language.may_fallback_read(data, facts.reason), bool)
    for definition in facts.definitions:
        assert 1 <= definition.first <= definition.last


@every_language
def test_a_resolver_of_nothing_resolves_nothing(language: Language) -> None:
    resolver = language.name_resolver({}, {})
    assert resolver.bases == {}
    assert resolver.kind("a::b") is None


@every_language
@pytest.mark.parametrize("dotted", ["a", "a.b.c", "self.a", "super().a", "(A).b", "", "."])
def test_a_resolver_of_an_empty_file_resolves_nothing(language: Language, dotted: str) -> None:
    path = f"a{language.suffixes[0]}"
    resolver = language.name_resolver({path: FileFacts()}, {})
    assert resolver.resolve_name(path, dotted) is None
    assert resolver.resolve_call(path, "owner.inner", dotted) is None


@every_language
@given(lines=lines)
def test_stripping_comments_keeps_the_number_of_lines(language: Language, lines: list[str]) -> None:
    stripped = language.strip_comments(lines)
    assert len(stripped.lines) == len(lines)
    assert stripped.lines[stripped.last_read :] == tuple(lines[stripped.last_read :])


@every_language
@given(lines=lines)
def test_code_lines_are_lines_of_the_file(language: Language, lines: list[str]) -> None:
    code = language.code_lines("\n".join(lines))
    assert all(1 <= number <= len(lines) for number in code.numbers)
    assert not any(lines[number - 1].strip() == "" for number in code.numbers)


@every_language
@given(lines=lines)
def test_dedenting_keeps_the_number_of_lines(language: Language, lines: list[str]) -> None:
    assert language.dedent(lines).count("\n") == len(lines)


@every_language
@given(body=st.lists(st.text("ab (){};:", max_size=20), max_size=8))
def test_a_definition_reads_the_same_at_any_depth(language: Language, body: list[str]) -> None:
    definition = ["ab", *body]
    indented = [f"    {line}" for line in definition]
    assert language.dedent(indented) == language.dedent(definition)


@every_language
@given(text=st.text(max_size=200))
def test_any_text_has_names_or_cannot_be_read(language: Language, text: str) -> None:
    names = language.names(f"a{language.suffixes[0]}", text)
    assert names is None or names.uses is not None


@every_language
@given(text=st.text("ab'\"#(){}[]:.,= \nf…", max_size=60))
def test_blanking_strings_keeps_offsets(language: Language, text: str) -> None:
    blanked = language.blank_strings(text)
    assert blanked is None or len(blanked) == len(text)


@every_language
def test_modules_are_named_by_their_paths(language: Language) -> None:
    suffix = language.suffixes[0]
    assert language.module_name(f"shop/basket{suffix}") == "shop.basket"
    assert language.import_roots([]) == frozenset()
    assert language.import_roots([f"shop/basket{suffix}"]) == {"shop"}


@every_language
def test_plain_words_are_no_special_names(language: Language) -> None:
    for word in ("", "basket", "price_of", "Basket", "_", "__"):
        assert not language.is_special_name(word)


def test_a_plain_language_says_of_what_it_does_not_know_that_it_does_not() -> None:
    assert NOTES.words == LanguageWords()
    assert NOTES.names("a.notes", "pay") is None
    assert NOTES.blank_strings("pay") is None
    assert not NOTES.is_special_name("__pay__")
    unread = DefinitionChanges(reason="changes of Notes code are not read")
    assert NOTES.code_change(b"a", b"b", ()) == unread


def test_a_plain_language_names_modules_by_their_paths() -> None:
    assert NOTES.module_name("shop/till/pay.notes") == "shop.till.pay"
    assert NOTES.import_roots(["shop/pay.notes", "open.notes"]) == {"shop", "open"}
    assert NOTES.dedent(["  pay", "    twice  ", "", "at the margin"]) == (
        "pay\n  twice\n\nat the margin\n"
    )


def test_a_plain_language_resolves_what_a_file_defines_itself() -> None:
    resolver = NOTES.name_resolver({}, {"a.notes::pay": "function"})
    assert resolver.resolve_name("a.notes", "pay") == "a.notes::pay"
    assert resolver.resolve_call("a.notes", "", "pay") == "a.notes::pay"
    assert resolver.resolve_name("b.notes", "pay") is None
    assert resolver.kind("a.notes::pay") == "function"
    assert resolver.bases == {}
