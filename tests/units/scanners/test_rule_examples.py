"""Every rule of the tables catches its examples, and none catches a near miss."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from goldwright.scanners.data_files import join_indented_lines, read_data_file
from goldwright.scanners.injection import find_suspicions
from goldwright.scanners.injection.disguises import make_legible
from goldwright.scanners.injection.matching import find_phrases
from goldwright.scanners.injection.phrase_patterns import (
    index_phrases,
    join_patterns,
    join_torn_phrases,
)
from goldwright.scanners.injection.rule_tables import (
    RuleGroup,
    TemplateMark,
    load_rule_tables,
    load_vocabulary,
    read_table,
)
from goldwright.scanners.injection.word_stream import split_words
from goldwright.scanners.secrets import is_secret_file, mask_secrets
from goldwright.scanners.secrets.masking import apply_rule
from goldwright.scanners.secrets.rules import SecretRule, load_rules
from goldwright.scanners.secrets.value_tables import PACKAGE
from units.scanners.secret_examples import fill, read_example


def _always(_: str) -> bool:
    return True


@dataclass(frozen=True)
class RuleUnderTest:
    """A rule or a group of one, with its examples.

    Attributes:
        is_caught: Whether the scanner as a whole finds something in a text, and the right thing.
        is_clean: Whether it finds nothing.
        is_caught_alone: Whether this rule finds it without the help of others.
    """

    name: str
    description: str
    catches: Sequence[str]
    passes: Sequence[str]
    is_caught: Callable[[str], bool]
    is_clean: Callable[[str], bool]
    is_caught_alone: Callable[[str], bool] = field(default=_always)


def _words_of(text: str) -> list[str]:
    return split_words(make_legible(text)).words


def _is_free_of_suspicion(text: str) -> bool:
    return find_suspicions(text) == ()


def _group_under_test(
    kind: str, group: RuleGroup | TemplateMark, is_caught_alone: Callable[[str], bool]
) -> RuleUnderTest:
    def is_caught(text: str) -> bool:
        return group.rule in {suspicion.rule for suspicion in find_suspicions(text)}

    return RuleUnderTest(
        name=f"{group.rule}, {kind}: {group.description}",
        description=group.description,
        catches=group.catches,
        passes=group.passes,
        is_caught=is_caught,
        is_clean=_is_free_of_suspicion,
        is_caught_alone=is_caught_alone,
    )


def _phrase_rules() -> Iterator[RuleUnderTest]:
    tables = load_rule_tables()
    for group in (*tables.english, *tables.foreign):
        yield _phrase_rule(group)
    for group in tables.torn:
        yield _pattern_rule("torn", group, join_torn_phrases((group,)))
    for group in tables.unspaced:
        yield _pattern_rule("unspaced", group, join_patterns((group,)))


def _phrase_rule(group: RuleGroup) -> RuleUnderTest:
    index = index_phrases((group,))

    def is_caught_alone(text: str) -> bool:
        return any(find_phrases(_words_of(text), index))

    return _group_under_test("phrases", group, is_caught_alone)


def _pattern_rule(kind: str, group: RuleGroup, pattern: re.Pattern[str]) -> RuleUnderTest:
    def is_caught_alone(text: str) -> bool:
        return pattern.search("".join(_words_of(text))) is not None

    return _group_under_test(kind, group, is_caught_alone)


def _mark_rule(mark: TemplateMark) -> RuleUnderTest:
    pattern = re.compile(mark.pattern, re.IGNORECASE | re.MULTILINE)

    def is_caught_alone(text: str) -> bool:
        has_hint = any(hint in text.lower() for hint in mark.hints)
        return has_hint and pattern.search(text) is not None

    return _group_under_test("mark", mark, is_caught_alone)


def _word_rules() -> Iterator[RuleUnderTest]:
    tables = {"evaluation talk": read_table("evaluation_talk.toml")}
    tables |= read_table("harmless_code.toml")
    for name, table in tables.items():
        yield RuleUnderTest(
            name=name,
            description=table["description"],
            catches=table["catches"],
            passes=table["passes"],
            is_caught=lambda text: find_suspicions(text) != (),
            is_clean=_is_free_of_suspicion,
        )


def _hides_nothing(template: str) -> bool:
    text = fill(template)
    return mask_secrets(text) == text


def _secret_rule(rule: SecretRule) -> RuleUnderTest:
    def is_caught(template: str) -> bool:
        example = read_example(template)
        return mask_secrets(example.line) == example.masked(rule.kind)

    def is_caught_alone(template: str) -> bool:
        example = read_example(template)
        return apply_rule(rule, example.line) == example.masked(rule.kind)

    return RuleUnderTest(
        name=f"{rule.kind}: {rule.description}",
        description=rule.description,
        catches=rule.catches,
        passes=rule.passes,
        is_caught=is_caught,
        is_clean=_hides_nothing,
        is_caught_alone=is_caught_alone,
    )


def _plausibility_rules() -> Iterator[RuleUnderTest]:
    def is_caught(template: str) -> bool:
        example = read_example(template)
        return example.secret not in mask_secrets(example.line)

    for name, table in read_data_file(PACKAGE, "plausibility.toml").items():
        yield _table_rule(name, table, is_caught, _hides_nothing)


def _file_name_rules() -> Iterator[RuleUnderTest]:
    for name, table in read_data_file(PACKAGE, "file_names.toml").items():
        yield _table_rule(name, table, is_secret_file, lambda path: not is_secret_file(path))


def _table_rule(
    name: str,
    table: dict[str, Any],
    is_caught: Callable[[str], bool],
    is_clean: Callable[[str], bool],
) -> RuleUnderTest:
    return RuleUnderTest(
        name, table["description"], table["catches"], table["passes"], is_caught, is_clean
    )


RULES = (
    *_phrase_rules(),
    *map(_mark_rule, load_rule_tables().marks),
    *_word_rules(),
    *map(_secret_rule, load_rules()),
    *_plausibility_rules(),
    *_file_name_rules(),
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_catches_its_examples_and_lets_near_misses_pass(rule: RuleUnderTest) -> None:
    assert rule.description.endswith(".")
    assert rule.catches
    assert rule.passes
    assert [text for text in rule.catches if not rule.is_caught(text)] == []
    assert [text for text in rule.catches if not rule.is_caught_alone(text)] == []
    assert [text for text in rule.passes if not rule.is_clean(text)] == []


def test_phrases_name_no_set_that_the_vocabulary_lacks() -> None:
    tables = load_rule_tables()
    for group in (*tables.english, *tables.foreign, *tables.torn):
        for phrase in group.entries:
            assert set(re.findall(r"\{(\w+)\}", phrase)) <= load_vocabulary().keys()


def test_an_indented_line_goes_on_with_the_line_above_it() -> None:
    assert join_indented_lines("a b\n  |c\n\td\ne\n", gap=" ") == ["a b |c d", "e"]
    assert join_indented_lines("a\n    b\n", gap="") == ["ab"]
