"""Whether a query holds a name, in whatever way it is spelt there."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.snapshot.identifiers import BRANDS, is_code_shaped
from goldwright.snapshot.languages.language_catalog import is_special_name
from goldwright.text import without_hidden

_WORD: Final = re.compile(r"[^\W\d]\w*")
_FEWEST_LETTERS: Final = 3


@dataclass(frozen=True, slots=True)
class SpelledName:
    """A name in a query.

    Attributes:
        word: The word of the query.
        name: The name that it spells.
    """

    word: str
    name: str


def normalize_query(query: str) -> str:
    """Write a query without invisible characters, and with wide or styled letters as plain ones.

    Source: Unicode Standard Annex 15, normalization form KC, by which Python itself reads
    identifiers.
    """
    return unicodedata.normalize("NFKC", without_hidden(query))


def is_distinctive(name: str) -> bool:
    """Return whether a name is like no word of English.

    An underscore, a capital inside or a digit makes it so. Python's own double-underscore names,
    trade names such as ``sha256``, and names of fewer than three letters and digits are words that
    a query may need, so they are not.
    """
    if not is_code_shaped(name) or is_special_name(name):
        return False
    letters = fold_name(name)
    return letters not in BRANDS and len(letters) >= _FEWEST_LETTERS


def fold_name(name: str) -> str:
    """Give the form that all spellings share: ``priceof`` for ``price_of`` and ``priceOf``."""
    return name.replace("_", "").casefold()


def fold_names(names: Iterable[str]) -> dict[str, str]:
    """Map the folded forms of the distinctive names to the names."""
    return {fold_name(name): name for name in names if is_distinctive(name)}


def find_spelling(query: str, names: Iterable[str]) -> SpelledName | None:
    """Find the first word of a query that spells a distinctive name in any way.

    Only a word that itself looks like code counts: ``price of`` and ``setup`` are no spellings of
    ``price_of`` and ``set_up``.
    """
    return find_folded(query, fold_names(names))


def find_folded(query: str, names: Mapping[str, str]) -> SpelledName | None:
    """Do the same for names that are given by their folded forms."""
    if not names:
        return None
    for word in _WORD.findall(query):
        name = names.get(fold_name(word))
        if name is not None and is_distinctive(word):
            return SpelledName(word, name)
    return None
