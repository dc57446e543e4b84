"""What is mined: the level of targets, the limits of a case, and where its query comes from."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from goldwright.records import MiningLevel

LeakRule = Literal["strict", "rule", "keep"]
LEAK_RULES: Final[tuple[LeakRule, ...]] = get_args(LeakRule)
LEVELS: Final[tuple[MiningLevel, ...]] = get_args(MiningLevel)


@dataclass(frozen=True, slots=True)
class MiningSettings:
    """How cases are mined; a file holds cases of one such setting.

    Attributes:
        level: Whether the targets are files or symbols.
        max_files: The most source files that a case may change; tests count where they are
            targets.
        max_symbols: The most functions, methods and classes that a case may change.
        min_words: The fewest words of a query that are no stop words.
        leaks: Whether a subject may name its target: never by any reading, never by the rule for
            queries of ours, or always.
        with_body: Whether the first paragraph of the message belongs to the query.
        with_tests: Whether tests are targets.
        at_parent: Whether the targets are those at the parent of each commit, whose tree is all
            that a retriever may see.
    """

    level: MiningLevel = "file"
    max_files: int = 5
    max_symbols: int = 10
    min_words: int = 3
    leaks: LeakRule = "rule"
    with_body: bool = False
    with_tests: bool = False
    at_parent: bool = False
