"""Which entity or file may be meant by an id or a path that names none."""

import difflib
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter
from typing import Final

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import Entity, split_entity_id
from goldwright.snapshot.languages.language_catalog import (
    LANGUAGE_TITLES,
    language_of,
    missing_extra_note,
)
from goldwright.snapshot.mentions.path_lookup import path_lookup_of

# Comparing an id takes a moment each, and a common name may have thousands of namesakes.
_MOST_COMPARED: Final = 200
_SEPARATOR: Final = re.compile(r"\.pyi?(?=::)|::|[/\\#]")


def nearest_entity(identifier: str, codebase: Codebase) -> str | None:
    """Give the id most like one that does not resolve.

    Entities of the same name come first, unless the id names a file that has similar ones; then
    those of its file. Ids are written in many ways: with the package in front, without the source
    root, as a dotted module path. The last part of the name is what all of them have.
    """
    last_part = re.split(r"[.:/#]", identifier)[-1]
    namesakes = codebase.named(last_part)
    dotted = _dotted(identifier)
    same_names = [entity for entity in namesakes if dotted.endswith(f".{entity.name}")]
    in_file = _similar_in_file(identifier, codebase)
    if codebase.has_text(split_entity_id(identifier)[0]) and in_file:
        namesakes = ()
    candidates = same_names or list(namesakes) or in_file or _spelled_otherwise(last_part, codebase)
    return _most_similar(identifier, candidates)


def nearest_file(path: str, codebase: Codebase) -> str | None:
    """Give the file that a path means when leading directories are left out on either side."""
    lookup = path_lookup_of(codebase)
    posix_path = path.replace("\\", "/")
    tail = posix_path.removeprefix("./").strip("/")
    while tail:
        # A slash at the end marks a directory.
        matches = lookup.paths(tail)
        files = [match for match in matches if not match.endswith("/")]
        if files:
            return min(files)
        _, _, tail = tail.partition("/")
    return None


def unresolved_message(identifier: str, codebase: Codebase) -> str:
    """Say that an id names no entity, and which one may be meant."""
    message = f"no entity {identifier!r} in the snapshot"
    nearest = nearest_entity(identifier, codebase)
    if nearest is not None:
        return f"{message}; the nearest is {nearest}"
    path, _ = split_entity_id(identifier)
    if codebase.has_text(path) and language_of(path) is None:
        note = missing_extra_note([path])
        if note is None:
            note = f"only the entities of {LANGUAGE_TITLES} files are known"
        return f"{message}; {note}"
    return message


def _similar_in_file(identifier: str, codebase: Codebase) -> list[Entity]:
    path, name = split_entity_id(identifier)
    file = nearest_file(path, codebase)
    if file is None:
        return []
    entities = {entity.name: entity for entity in codebase.entities_in(file)}
    similar_names = difflib.get_close_matches(name, entities, n=1)
    return [entities[similar_name] for similar_name in similar_names]


def _spelled_otherwise(name: str, codebase: Codebase) -> list[Entity]:
    """Find what has a name that differs in its capitals and underscores alone, as of another
    style: ``stripEscapes`` for ``strip_escapes``.
    """
    return _entities_by_letters(codebase).get(_letters(name), [])


@lru_cache(maxsize=1)
def _entities_by_letters(codebase: Codebase) -> dict[str, list[Entity]]:
    by_letters: dict[str, list[Entity]] = defaultdict(list)
    for entity in codebase.entities():
        last_part = entity.name.rpartition(".")[2]
        by_letters[_letters(last_part)].append(entity)
    return dict(by_letters)


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def _most_similar(identifier: str, entities: Iterable[Entity]) -> str | None:
    ids = sorted(map(attrgetter("entity_id"), entities))
    # The matcher prepares its second text once for all comparisons.
    matcher = difflib.SequenceMatcher(b=_dotted(identifier), autojunk=False)

    def similarity(candidate: str) -> float:
        matcher.set_seq1(_dotted(candidate))
        return matcher.ratio()

    return max(ids[:_MOST_COMPARED], key=similarity, default=None)


def _dotted(identifier: str) -> str:
    """Write an id with dots alone, so that paths and modules look the same."""
    dotted = _SEPARATOR.sub(_dot_for, identifier)
    return f".{dotted}"


def _dot_for(match: re.Match[str]) -> str:
    is_file_ending = match[0].startswith(".")
    return "" if is_file_ending else "."
