"""What is mined, and why a commit is left out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from goldwright.records import MiningLevel

LeakRule = Literal["strict", "rule", "keep"]
LEAK_RULES: Final[tuple[LeakRule, ...]] = get_args(LeakRule)
LEVELS: Final[tuple[MiningLevel, ...]] = get_args(MiningLevel)

Filter = Literal[
    "merge",
    "first_commit",
    "bot",
    "revert",
    "reverted",
    "release",
    "backport",
    "few_words",
    "vague",
    "no_source",
    "tests_only",
    "sweeping",
    "unreadable",
    "formatting",
    "prose",
    "no_symbol",
    "gone",
    "names_target",
    "spells_target",
    "duplicate",
]

FILTER_TITLES: Final[Mapping[Filter, str]] = {
    "merge": "merges",
    "first_commit": "commits without a parent",
    "bot": "commits of bots",
    "revert": "reverts",
    "reverted": "commits that were reverted later",
    "release": "releases and version bumps",
    "backport": "backports of other commits",
    "few_words": "subjects with too few words of their own",
    "vague": "subjects that do not say what was changed",
    "no_source": "commits that change no source file",
    "tests_only": "commits that change tests alone",
    "sweeping": "sweeping commits",
    "unreadable": "commits with a changed file that cannot be read",
    "formatting": "commits that change the layout alone",
    "prose": "commits that change comments and docstrings alone",
    "no_symbol": "commits that change no function, method or class",
    "gone": "commits most of whose targets are not there",
    "names_target": "subjects that name their target",
    "spells_target": "subjects that spell their target's name in words",
    "duplicate": "subjects that nearly repeat an earlier case",
}
"""What each filter leaves out. A commit counts for the first that takes it, in this order."""

FILTERS: Final[tuple[Filter, ...]] = tuple(FILTER_TITLES)


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
