"""Whether a query names its target in another spelling, or the file that it is to find."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from goldwright.snapshot import Snapshot
from goldwright.snapshot.identifiers import BRANDS, code_spans, is_code_shaped
from goldwright.snapshot.languages import is_special_name
from goldwright.text import without_hidden

_WORD: Final = re.compile(r"[^\W\d]\w*")
_SHORTEST: Final = 3


def plainly(query: str) -> str:
    """Write a query without characters that cannot be seen, and wide or styled letters as what
    they stand for.

    Source: Unicode Standard Annex 15, normalization form KC, by which Python itself reads
    identifiers.
    """
    return unicodedata.normalize("NFKC", without_hidden(query))


def is_telling(name: str) -> bool:
    """Tell whether a name is like no word of English: an underscore, a capital inside or a digit
    makes it so.

    Python's own double-underscore names, trade names such as ``sha256``, and what has fewer than
    three letters and digits are words that a query may need; they tell nothing.
    """
    letters = folded(name)
    return is_code_shaped(name) and not is_special_name(name) and letters not in BRANDS and len(letters) >= _SHORTEST


def folded(name: str) -> str:
    """What all spellings of a name have in common: ``price_of``, ``PRICE_OF`` and ``priceOf`` are
    ``priceof``.
    """
    return name.replace("_", "").casefold()


def respelled(query: str, names: Iterable[str]) -> tuple[str, str] | None:
    """Find a word of a query that spells a telling name in any way: the word, and the name; None if
    there is none.

    Only a word that itself looks like code counts: ``price of`` and ``setup`` are no spellings of
    ``price_of`` and ``set_up``.
    """
    known = {folded(name): name for name in names if is_telling(name)}
    return next(_spelling(query, known), None)


def _spelling(query: str, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for word in _WORD.findall(query) if known else ():
        name = known.get(folded(word))
        if name is not None and is_telling(word):
            yield word, name


@dataclass(frozen=True)
class NamedFile:
    """A file that a query may not name, and the telling names of what is defined in it, by their
    folded form.
    """

    path: str
    entities: Mapping[str, str]

    @classmethod
    def of(cls, written: str, snapshot: Snapshot) -> "NamedFile":
        """Take a path as a dataset writes it; one that is not in the snapshot has no entities."""
        path = str(PurePosixPath(written.replace("\\", "/")))
        names = {part for one in snapshot.entities_in(path) for part in one.name.split(".")}
        return cls(path, {folded(name): name for name in sorted(names) if is_telling(name)})

    def named_in(self, query: str) -> str | None:
        """Say what of a file a query names, or None.

        It names the file by its path or the end of it (``shop/models.py``, ``shop/models``,
        ``shop.models``), by its name with the ending (``models.py``, but not a double-underscore
        one: every package has that), or by its stem alone where the stem is telling
        (``price_table``, in any spelling) or stands alone between code marks. A stem of plain
        letters (``models``, ``utils``, ``app``, ``errors``) is taken for a word of English, as the
        names of entities are: alone and unmarked it is no leak, even if it is in no dictionary. Of
        the file's own entities those that are telling are named by any spelling.
        """
        place = self._as_place(query)
        if place is not None:
            return f"the query holds {place!r}, which names the expected file {self.path!r}"
        spelt = next(_spelling(query, self.entities), None)
        if spelt is not None:
            return f"the query holds {spelt[0]!r}, {_the_name(*spelt)} of an entity in the expected file {self.path!r}"
        return None

    def _as_place(self, query: str) -> str | None:
        file = PurePosixPath(self.path)
        stem = file.stem
        if not stem:
            return None
        if stem.casefold() in query.casefold():
            for pattern in _written(file):
                if match := re.search(pattern, query, re.IGNORECASE):
                    return match[0]
        if stem in (span.strip() for span in code_spans(query)):
            return stem
        spelt = respelled(query, (stem,))
        return spelt[0] if spelt else None


def _written(file: PurePosixPath) -> Iterator[str]:
    """Give the patterns of a path or the end of one, and of a name with its ending."""
    stem, ending, above = re.escape(file.stem), re.escape(file.suffix), re.escape(file.parent.name)
    if above:
        yield rf"(?<![\w-]){above}[/\\]{stem}(?:{ending})?(?![\w/\\-]|\.\w)"
        yield rf"(?<![\w-]){above}\.{stem}(?!\w)"
    if ending and not is_special_name(file.stem):
        yield rf"(?<![\w./\\-])(?:\.{{1,2}}[/\\])*{stem}{ending}(?![\w/\\-]|\.\w)"


def _the_name(word: str, name: str) -> str:
    return "the name" if word == name else f"a spelling of {name!r}, the name"
