"""Whether a query that was mined from a message gives its targets away by their names."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

from goldwright.golden.foreign.spellings import find_spelling, fold_names, normalize_query
from goldwright.golden.foreign.target_files import TargetFile
from goldwright.mining.filters import Filter
from goldwright.mining.settings import LeakRule
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.identifier_leaks import leaked_identifiers, split_identifiers
from goldwright.snapshot.languages.language_catalog import is_special_name

_FEWEST_LETTERS: Final = 3


def leak_filter(
    query: str, files: Sequence[str], symbols: Sequence[str], rule: LeakRule
) -> Filter | None:
    """Give the filter that takes a query for the names that it holds.

    By the rule, it may hold no identifier of its targets that looks like one and no file name, as
    the queries of our own authors; by the strict reading neither their words in a row, nor the
    plain stem of a file.

    Args:
        query: The query.
        files: The paths of its targets.
        symbols: The ids of the definitions that the commit changed in them.
        rule: Which reading counts.
    """
    if rule == "keep":
        return None
    text = normalize_query(query)
    names = _names(symbols)
    if leaked_identifiers(text, symbols) or find_spelling(text, names) is not None:
        return "names_target"
    distinctive = fold_names(names)
    if any(TargetFile(path, distinctive).leak_in(text) is not None for path in files):
        return "names_target"
    if rule == "strict" and (split_identifiers(text, symbols) or _holds_stem(text, files)):
        return "spells_target"
    return None


def _names(symbols: Iterable[str]) -> list[str]:
    names: dict[str, None] = {}
    for symbol in symbols:
        _, qualified_name = split_entity_id(symbol)
        names.update(dict.fromkeys(qualified_name.split(".")))
    return sorted(names)


def _holds_stem(text: str, files: Iterable[str]) -> bool:
    """Look for the stem of a file, in the singular or plural, as a word."""
    for path in files:
        stem = PurePosixPath(path).stem
        if len(stem) < _FEWEST_LETTERS or is_special_name(stem):
            continue
        words = re.escape(stem.strip("_").removesuffix("s")).replace("_", r"[\s_-]?")
        if re.search(rf"(?<!\w){words}s?(?!\w)", text, re.IGNORECASE):
            return True
    return False
