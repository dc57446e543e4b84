"""The documents of a source, and a sample of them by directory and kind."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from random import Random
from typing import Final

from goldwright.canonical import digest_bytes
from goldwright.cells.records import CorpusEntry
from goldwright.errors import InputError
from goldwright.retrieval.chunkers.port import SourceDocument
from goldwright.retrieval.source_tokens import count_tokens
from goldwright.snapshot import Snapshot
from goldwright.text import counted

# By the ends of names; what has another end is no document of any chunker here.
KINDS: Final[Mapping[str, str]] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".txt": "text",
    ".rst": "text",
    ".py": "code",
}
# Of fewer documents, the first ten are a large part, and no set-up can be told from another one.
FEWEST_DOCUMENTS: Final = 20


@dataclass(frozen=True)
class SampledDocument:
    """A document of the sample.

    Attributes:
        source: What chunkers see of it.
        kind: What it is: markdown, html, text or code.
        stratum: Its directory and kind.
    """

    source: SourceDocument
    kind: str
    stratum: str

    @property
    def path(self) -> str:
        """Its path, which is its id."""
        return self.source.path

    @cached_property
    def tokens(self) -> int:
        """How many words and marks it holds."""
        return sum(map(count_tokens, self.source.lines))

    @property
    def entry(self) -> CorpusEntry:
        """Its record."""
        text = "\n".join(self.source.lines)
        sha256 = digest_bytes(text.encode("utf-8", "surrogatepass"))
        return CorpusEntry(path=self.path, sha256=sha256, stratum=self.stratum, tokens=self.tokens)


def sample_documents(
    snapshot: Snapshot, *, required: Collection[str], most: int, seed: int
) -> Sequence[SampledDocument]:
    """Draw documents so that each stratum has its share; all of them where there are few.

    Args:
        snapshot: Holds them.
        required: Paths that the sample has to hold, for a query expects them.
        most: How many are drawn.
        seed: Settles the draw.

    Returns:
        The documents, in the order of their paths.

    Raises:
        InputError: There are too few documents, or a required one is missing.
    """
    strata: dict[str, list[str]] = defaultdict(list)
    for path in snapshot.files:
        kind = KINDS.get(PurePosixPath(path).suffix.lower())
        if kind is not None and snapshot.has_text(path) and snapshot.line_count(path):
            strata[_stratum(path, kind)].append(path)
    total = sum(map(len, strata.values()))
    if total < FEWEST_DOCUMENTS:
        ends = ", ".join(KINDS)
        count = counted(total, "document")
        raise InputError(f"{count}; wanted {FEWEST_DOCUMENTS} with the ends {ends}")
    stratum_of = {path: stratum for stratum, paths in strata.items() for path in paths}
    missing = sorted(set(required) - stratum_of.keys())
    if missing:
        raise InputError(f"{missing[0]}: a query expects it, and it is no document of the source")
    random = Random(seed)  # noqa: S311
    drawn = _draw(strata, frozenset(required), min(most, total), random)
    return [_read(snapshot, path, stratum_of[path]) for path in sorted(drawn)]


def _stratum(path: str, kind: str) -> str:
    """Name the first directory and the kind."""
    first, slash, _ = path.partition("/")
    return f"{first if slash else '.'} ({kind})"


def _draw(
    strata: Mapping[str, Sequence[str]], required: frozenset[str], size: int, random: Random
) -> set[str]:
    """Take the required ones, and fill up with the documents that stand first in their strata.

    Each document stands at a random place of its stratum, in shares of the stratum; so the first
    ones of all strata together hold each by its size.
    """
    places: list[tuple[float, str]] = []
    for stratum in sorted(strata):
        shuffled = sorted(strata[stratum])
        random.shuffle(shuffled)
        for place, path in enumerate(shuffled):
            relative_place = (place + 0.5) / len(shuffled)
            places.append((relative_place, path))
    drawn = set(required)
    for _, path in sorted(places):
        if len(drawn) >= size:
            break
        drawn.add(path)
    return drawn


def _read(snapshot: Snapshot, path: str, stratum: str) -> SampledDocument:
    is_parsed = path in snapshot.source_files and path not in snapshot.unparsed
    entities = snapshot.entities_in(path) if is_parsed else ()
    source = SourceDocument(path, snapshot.source(path).lines, entities)
    ending = PurePosixPath(path).suffix.lower()
    return SampledDocument(source, KINDS[ending], stratum)
