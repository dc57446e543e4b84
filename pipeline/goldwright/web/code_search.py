"""Searching the codebase from the page: entities by name, and lines by text."""

from dataclasses import dataclass
from itertools import islice
from typing import Final

from goldwright.agents.tools.outputs import SearchMatch
from goldwright.agents.toolset import ToolError, Toolset
from goldwright.scanners.secrets import is_secret_file
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity
from goldwright.text import shorten

# A person who is shown more looks for a better word instead.
MOST_ENTITIES: Final = 40
MOST_FILES: Final = 20
MOST_LINES: Final = 60
SHORTEST_TEXT: Final = 2
LONGEST_TEXT: Final = 200
_LONGEST_SHOWN: Final = 160


@dataclass(frozen=True, slots=True)
class EntityHit:
    """An entity whose name holds the text; ``line`` is the first of its definition."""

    entity_id: str
    file: str
    line: int
    kind: str


@dataclass(frozen=True, slots=True)
class LineHit:
    """A line that holds the text."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class SearchResults:
    """What a search found.

    Attributes:
        text: What was searched for.
        entities: The entities whose names hold it.
        files: The files whose paths hold it.
        lines: The lines that hold it, without regard to capitals.
        is_cut: Whether there are more.
        problem: Why nothing was searched; None where something was.
    """

    text: str
    entities: tuple[EntityHit, ...] = ()
    files: tuple[str, ...] = ()
    lines: tuple[LineHit, ...] = ()
    is_cut: bool = False
    problem: str | None = None


def search_codebase(snapshot: Snapshot, text: str) -> SearchResults:
    """Search names, paths and lines; files that are kept private are in none of the results."""
    text = text.strip()
    if not SHORTEST_TEXT <= len(text) <= LONGEST_TEXT:
        problem = f"Search for {SHORTEST_TEXT} to {LONGEST_TEXT} characters."
        return SearchResults(shorten(text, LONGEST_TEXT), problem=problem)
    try:
        # With the bounds in lines, bytes and memory that the tools of the agents have.
        output = Toolset(snapshot).search(text, literal=True, ignore_case=True)
    except ToolError as error:
        return SearchResults(text, problem=str(error))
    entities = _entities(snapshot, text)
    files = _files(snapshot, text)
    hits = output.hits[:MOST_LINES]
    lines = tuple(map(_line_hit, hits))
    lacks_lines = output.truncated or len(output.hits) > MOST_LINES
    lacks_names = len(entities) > MOST_ENTITIES or len(files) > MOST_FILES
    is_cut = lacks_lines or lacks_names
    return SearchResults(text, entities[:MOST_ENTITIES], files[:MOST_FILES], lines, is_cut)


def _line_hit(hit: SearchMatch) -> LineHit:
    return LineHit(hit.path, hit.line, shorten(hit.text, _LONGEST_SHOWN))


def _entities(snapshot: Snapshot, text: str) -> tuple[EntityHit, ...]:
    """The entities whose qualified name holds a text; whole names before parts of names."""
    wanted_text = text.casefold()
    hits = []
    for entity in snapshot.entities():
        name = entity.name.casefold()
        if wanted_text not in name or is_secret_file(entity.path):
            continue
        is_part = wanted_text not in {name, name.rpartition(".")[2]}
        hits.append((is_part, EntityHit(entity.entity_id, entity.path, _line(entity), entity.kind)))
    hits.sort(key=_part_and_id)
    return tuple(hit for _, hit in hits[: MOST_ENTITIES + 1])


def _line(entity: Entity) -> int:
    return entity.spans[0].first if entity.spans else 1


def _part_and_id(hit: tuple[bool, EntityHit]) -> tuple[bool, str]:
    is_part, entity_hit = hit
    return is_part, entity_hit.entity_id


def _files(snapshot: Snapshot, text: str) -> tuple[str, ...]:
    wanted_text = text.casefold()
    paths = (path for path in sorted(snapshot.files) if wanted_text in path.casefold())
    readable = (path for path in paths if not is_secret_file(path) and snapshot.has_text(path))
    return tuple(islice(readable, MOST_FILES + 1))
