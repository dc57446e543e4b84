"""The tables of the rules: what each looks for, with examples of what it catches and lets pass."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import msgspec

from goldwright.scanners.data_files import join_indented_lines, read_data_file

# One file each. A text whose words were torn apart is searched for their cores in this order.
RULES: Final = ("override", "address", "verdict", "authority", "tools", "identity", "fence")
_PACKAGE: Final = "goldwright.scanners.injection"
# A row of alternatives is broken before a "|", where the phrase has no space.
_LINE_END_IN_ALTERNATIVES: Final = re.compile(r"\n +(?=\|)")


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
    tables: dict[str, Any] = {}
    for rule in RULES:
        tables[rule] = read_table(f"{rule}.toml")
    return RuleTables(
        english=_read_phrases(tables, "english"),
        foreign=_read_phrases(tables, "foreign"),
        torn=_read_phrases(tables, "torn"),
        unspaced=_read_patterns(tables, "unspaced"),
        marks=_read_marks(tables, "marks"),
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


def _read_phrases(tables: Mapping[str, Any], section: str) -> tuple[RuleGroup, ...]:
    groups: list[RuleGroup] = []
    for row in _rows(tables, section):
        phrases = _LINE_END_IN_ALTERNATIVES.sub("", row["phrases"])
        row["entries"] = join_indented_lines(phrases, gap=" ")
        groups.append(msgspec.convert(row, RuleGroup))
    return tuple(groups)


def _read_patterns(tables: Mapping[str, Any], section: str) -> tuple[RuleGroup, ...]:
    groups: list[RuleGroup] = []
    for row in _rows(tables, section):
        row["entries"] = join_indented_lines(row["patterns"], gap="")
        groups.append(msgspec.convert(row, RuleGroup))
    return tuple(groups)


def _read_marks(tables: Mapping[str, Any], section: str) -> tuple[TemplateMark, ...]:
    marks: list[TemplateMark] = []
    for row in _rows(tables, section):
        (row["pattern"],) = join_indented_lines(row["pattern"], gap="")
        marks.append(msgspec.convert(row, TemplateMark))
    return tuple(marks)


def _rows(tables: Mapping[str, Any], section: str) -> Iterator[dict[str, Any]]:
    """Yield a copy of every row of a section, in the order of the rules, with its rule."""
    for rule, table in tables.items():
        for row in table.get(section, ()):
            yield {**row, "rule": rule}
