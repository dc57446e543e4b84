"""Why a commit is left out: the filters, in their order, and what each is called for people."""

from collections.abc import Mapping
from typing import Final, Literal

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
