"""Whether a query names the file that it is to find."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from goldwright.golden.foreign.spellings import SpelledName, find_folded, find_spelling, fold_names
from goldwright.snapshot import Snapshot
from goldwright.snapshot.identifiers import code_spans
from goldwright.snapshot.languages.language_catalog import is_special_name


@dataclass(frozen=True)
class TargetFile:
    """A file that a query may not name.

    Attributes:
        path: The path of the file.
        entity_names: The distinctive names of what is defined in it, by their folded forms.
    """

    path: str
    entity_names: Mapping[str, str]

    @classmethod
    def read(cls, path: str, snapshot: Snapshot) -> "TargetFile":
        """Take a path as a dataset has it; a file that is not in the snapshot has no entities."""
        with_slashes = path.replace("\\", "/")
        posix_path = str(PurePosixPath(with_slashes))
        names: set[str] = set()
        for entity in snapshot.entities_in(posix_path):
            names.update(entity.name.split("."))
        # Sorted, so that of names with one folded form the same one is kept every time.
        return cls(posix_path, fold_names(sorted(names)))

    def leak_in(self, query: str) -> str | None:
        """Say what of the file a query names, if anything.

        It names the file by its path or the end of it (``shop/models.py``, ``shop/models``,
        ``shop.models``), by its name with the ending (``models.py``, but not a double-underscore
        one: every package has that), or by its stem alone where the stem is distinctive
        (``price_table``, in any spelling) or stands alone between code marks. A stem of plain
        letters (``models``, ``utils``, ``app``, ``errors``) is taken for a word of English, as the
        names of entities are: alone and unmarked it is no leak, even if it is in no dictionary. Of
        the file's own entities those with distinctive names are named by any spelling.
        """
        place = self._find_path(query)
        if place is not None:
            return f"the query holds {place!r}, which names the expected file {self.path!r}"
        spelling = find_folded(query, self.entity_names)
        if spelling is None:
            return None
        relation = _relation(spelling)
        return (
            f"the query holds {spelling.word!r}, {relation} of an entity "
            f"in the expected file {self.path!r}"
        )

    def _find_path(self, query: str) -> str | None:
        """Find the words of a query that name the file itself."""
        file = PurePosixPath(self.path)
        stem = file.stem
        if not stem:
            return None
        # Every pattern holds the stem, so most queries need none of them.
        if stem.casefold() in query.casefold():
            for pattern in _path_patterns(file):
                match = re.search(pattern, query, re.IGNORECASE)
                if match is not None:
                    return match[0]
        if any(span.strip() == stem for span in code_spans(query)):
            return stem
        spelling = find_spelling(query, [stem])
        if spelling is None:
            return None
        return spelling.word


def _path_patterns(file: PurePosixPath) -> Iterator[str]:
    """Give the patterns of a path or the end of one, and of a name with its ending."""
    stem = re.escape(file.stem)
    suffix = re.escape(file.suffix)
    folder = re.escape(file.parent.name)
    if folder:
        # "shop/models.py" and "shop/models", then "shop.models".
        yield rf"(?<![\w-]){folder}[/\\]{stem}(?:{suffix})?(?![\w/\\-]|\.\w)"
        yield rf"(?<![\w-]){folder}\.{stem}(?!\w)"
    # "models.py" and "./models.py", but not "__init__.py".
    if suffix and not is_special_name(file.stem):
        yield rf"(?<![\w./\\-])(?:\.{{1,2}}[/\\])*{stem}{suffix}(?![\w/\\-]|\.\w)"


def _relation(spelling: SpelledName) -> str:
    if spelling.word == spelling.name:
        return "the name"
    return f"a spelling of {spelling.name!r}, the name"
