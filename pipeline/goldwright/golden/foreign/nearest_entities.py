"""Guessing which entity or file was meant by an id that names none."""

import difflib
import re
from collections.abc import Iterable
from typing import Final

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.path_lookup import path_lookup_of
from goldwright.snapshot.entities import Entity, split_entity_id
from goldwright.snapshot.languages import LANGUAGES, language_of

_MOST_COMPARED: Final = 200
_TITLES: Final = " and ".join(language.title for language in LANGUAGES)


def nearest_entity(identifier: str, codebase: Codebase) -> str | None:
    """The id most like one that does not resolve, among entities of the same name, then among those
    of its file.

    Ids are written in many ways: with the package in front, without the source root, as a dotted
    module path. The last part of the name is what all of them have.
    """
    last = re.split(r"[.:/#]", identifier)[-1]
    namesakes = codebase.named(last)
    same = [entity for entity in namesakes if _parts(identifier).endswith(f".{entity.name}")]
    found = same or list(namesakes) or _like_named(identifier, codebase)
    return _most_alike(identifier, found)


def nearest_file(path: str, codebase: Codebase) -> str | None:
    """The one file that a path means when leading directories are left out on either side."""
    written = path.replace("\\", "/").removeprefix("./").strip("/")
    while written:
        files = [place for place in path_lookup_of(codebase).paths(written) if not place.endswith("/")]
        if files:
            return min(files)
        written = written.partition("/")[2]
    return None


def unresolved(identifier: str, codebase: Codebase) -> str:
    """Say that an id names no entity, and which one may be meant."""
    path, _ = split_entity_id(identifier)
    meant = nearest_entity(identifier, codebase)
    if meant is not None:
        return f"no entity {identifier!r} in the snapshot; the nearest is {meant}"
    if codebase.has_text(path) and language_of(path) is None:
        return f"no entity {identifier!r} in the snapshot; only the entities of {_TITLES} files are known"
    return f"no entity {identifier!r} in the snapshot"


def _like_named(identifier: str, codebase: Codebase) -> list[Entity]:
    path, name = split_entity_id(identifier)
    home = nearest_file(path, codebase)
    here = {entity.name: entity for entity in codebase.entities_in(home)} if home else {}
    return [here[like] for like in difflib.get_close_matches(name, here, n=1)]


def _most_alike(identifier: str, entities: Iterable[Entity]) -> str | None:
    ids = sorted(entity.entity_id for entity in entities)[:_MOST_COMPARED]
    matcher = difflib.SequenceMatcher(b=_parts(identifier), autojunk=False)

    def likeness(candidate: str) -> float:
        matcher.set_seq1(_parts(candidate))
        return matcher.ratio()

    return max(ids, key=likeness, default=None)


def _parts(identifier: str) -> str:
    """Write an id with dots alone, so that paths and modules look the same."""
    return "." + re.sub(r"\.pyi?(?=::)|::|[/\\#]", lambda match: "" if match[0].startswith(".") else ".", identifier)
