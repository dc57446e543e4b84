"""The tables of the rules: what each looks for, with examples of what it catches and lets pass."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from goldwright.scanners.data_files import join_indented_lines, read_data_file

RULES: Final = ("override", "address", "verdict", "authority", "tools", "identity", "fence")
"""One file each; the cores of torn phrases are tried in this order."""

_PACKAGE: Final = "goldwright.scanners.injection"


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """Phrases or patterns to one effect.

    Attributes:
        rule: The rule under which a match is reported.
        description: The effect, as one sentence.
        entries: One phrase or pattern each; where several match at one place, the first counts.
        catches: Texts in which the group must find something.
        passes: Near misses, in which no rule may find anything.
    """

    rule: str
    description: str
    entries: tuple[str, ...]
    catches: tuple[str, ...]
    passes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TemplateMark:
    """A mark of a chat template, of a tool reply or of a record.

    Attributes:
        rule: The rule under which a match is reported.
        description: What the mark is.
        hints: In lower case; the pattern is tried only on texts that hold one of them.
        pattern: A regular expression.
        catches: Texts in which the pattern must match.
        passes: Near misses, in which no rule may find anything.
    """

    rule: str
    description: str
    hints: tuple[str, ...]
    pattern: str
    catches: tuple[str, ...]
    passes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleTables:
    """All rules, by the way in which they are matched.

    Attributes:
        english: Phrases, which are looked for backwards and through rot13 too.
        foreign: Phrases of other languages that write spaces.
        torn: Cores of English phrases, for text whose words were torn apart.
        unspaced: Patterns for scripts that write no spaces.
        marks: Patterns for the text itself.
    """

    english: tuple[RuleGroup, ...]
    foreign: tuple[RuleGroup, ...]
    torn: tuple[RuleGroup, ...]
    unspaced: tuple[RuleGroup, ...]
    marks: tuple[TemplateMark, ...]


@cache
def load_rule_tables() -> RuleTables:
    """Read the tables of every rule."""
    tables = {rule: read_table(f"{rule}.toml") for rule in RULES}
    return RuleTables(
        english=tuple(_phrase_groups(tables, "english")),
        foreign=tuple(_phrase_groups(tables, "foreign")),
        torn=tuple(_phrase_groups(tables, "torn")),
        unspaced=tuple(_pattern_groups(tables, "unspaced")),
        marks=tuple(_template_marks(tables)),
    )


@cache
def load_vocabulary() -> Mapping[str, str]:
    """Read the sets of words that phrases share: by name, the words with a ``|`` between them."""
    words_by_name: dict[str, str] = {}
    for name, table in read_table("vocabulary.toml").items():
        words_by_name[name] = "".join(table["words"].split())
    return words_by_name


def read_table(name: str) -> dict[str, Any]:
    """Read one file of the rules."""
    return read_data_file(_PACKAGE, "rules", name)


def _phrase_groups(tables: Mapping[str, Any], section: str) -> Iterator[RuleGroup]:
    for rule, table in tables.items():
        for group in table.get(section, ()):
            phrases = join_indented_lines(group["phrases"], gap=" ")
            # A line of alternatives is broken before a "|", which takes no space.
            entries = [phrase.replace(" |", "|") for phrase in phrases]
            yield _rule_group(rule, group, entries)


def _pattern_groups(tables: Mapping[str, Any], section: str) -> Iterator[RuleGroup]:
    for rule, table in tables.items():
        for group in table.get(section, ()):
            yield _rule_group(rule, group, join_indented_lines(group["patterns"], gap=""))


def _rule_group(rule: str, group: Mapping[str, Any], entries: list[str]) -> RuleGroup:
    return RuleGroup(
        rule=rule,
        description=group["description"],
        entries=tuple(entries),
        catches=tuple(group["catches"]),
        passes=tuple(group["passes"]),
    )


def _template_marks(tables: Mapping[str, Any]) -> Iterator[TemplateMark]:
    for rule, table in tables.items():
        for mark in table.get("marks", ()):
            yield TemplateMark(
                rule=rule,
                description=mark["description"],
                hints=tuple(mark["hints"]),
                pattern="".join(join_indented_lines(mark["pattern"], gap="")),
                catches=tuple(mark["catches"]),
                passes=tuple(mark["passes"]),
            )
