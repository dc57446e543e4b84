"""Entities that are the same code under other names, layouts or docstrings.

The whole codebase is read with ``ast`` alone, which leaves few candidates: definitions of the same
outline. Only these are read by libcst, which takes a hundred times as long, and compared in their
normal form.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.entities import Entity, entity_id, split_entity_id
from goldwright.snapshot.file_guard import guarded
from goldwright.snapshot.garbage import garbage_collection_paused
from goldwright.snapshot.languages.language_port import Clones
from goldwright.snapshot.languages.python.bodies import dedent, normal_form
from goldwright.snapshot.languages.python.code_outlines import CodeOutline, outline_module
from goldwright.snapshot.languages.python.modules import SUFFIXES
from goldwright.snapshot.languages.python.parsing import UnparsableError, parse_module
from goldwright.snapshot.source_text import SPAN_SEPARATOR

# Below this many syntax nodes in the body, code is alike because there is hardly another way to
# write it: in four codebases, constructors that store their arguments, representations and
# factories of two lines.
FEWEST_NODES: Final = 18

_PURPOSE: Final = "looking for clones"
_OVERLOAD: Final = re.compile(r"^@(?:\w+\.)*overload\b", re.MULTILINE)


def same_code(codebase: SourceTree, entity_ids: Iterable[str]) -> Clones:
    """Give for each entity that has clones the other entities of the same normal form, sorted.

    Only functions, methods and classes have clones. Stubs and short code have none, nor do the
    overloads of a function count as code; an entity and what stands inside it are no clones of each
    other.
    """
    requested = frozenset(entity_ids)
    with garbage_collection_paused():
        candidates = _candidates(codebase, requested)
    forms = _NormalForms(codebase)
    clones: Clones = {}
    for identifier in sorted(requested & candidates.keys()):
        equals = forms.select_equal(identifier, candidates[identifier])
        if equals:
            clones[identifier] = equals
    return clones


def _candidates(codebase: SourceTree, requested: frozenset[str]) -> Mapping[str, Sequence[str]]:
    """Map each requested entity that is more than trivial to all others of its outline, sorted."""
    skeletons = _skeletons(codebase, requested)
    if not skeletons:
        return {}
    groups: dict[tuple[int, int], list[str]] = defaultdict(list)
    for path in codebase.source_files:
        for name, outline in _outlines(codebase, path).items():
            if outline.skeleton in skeletons and outline.weight >= FEWEST_NODES:
                group_key = (outline.skeleton, outline.fingerprint())
                groups[group_key].append(entity_id(path, name))
    candidates: dict[str, list[str]] = {}
    for group in groups.values():
        members = frozenset(group)
        for identifier in members & requested:
            candidates[identifier] = sorted(members - {identifier})
    return candidates


def _skeletons(codebase: SourceTree, requested: frozenset[str]) -> set[int]:
    """Give the skeletons of the requested entities."""
    names_by_path: dict[str, set[str]] = defaultdict(set)
    for identifier in requested:
        path, name = split_entity_id(identifier)
        names_by_path[path].add(name)
    skeletons: set[int] = set()
    for path in set(codebase.source_files).intersection(names_by_path):
        for name, outline in _outlines(codebase, path).items():
            if name in names_by_path[path]:
                skeletons.add(outline.skeleton)
    return skeletons


def _outlines(codebase: SourceTree, path: str) -> Mapping[str, CodeOutline]:
    """Outline the definitions of a file; none where it is no Python that ``ast`` can read."""
    if not path.endswith(SUFFIXES) or path in codebase.unparsed:
        return {}

    def outline() -> Mapping[str, CodeOutline]:
        try:
            return outline_module(parse_module(codebase.data(path)))
        except UnparsableError:
            return {}

    return guarded(codebase, path, _PURPOSE, outline, {})


class _NormalForms:
    """The normal forms of entities, each computed once."""

    def __init__(self, codebase: SourceTree) -> None:
        self._codebase = codebase
        self._forms: dict[str, str | None] = {}

    def select_equal(self, identifier: str, candidates: Iterable[str]) -> tuple[str, ...]:
        """Select the entities whose normal form equals that of the given one."""
        apart = [candidate for candidate in candidates if not _is_nested(identifier, candidate)]
        # Without a candidate there is no need to read the entity itself.
        if not apart:
            return ()
        form = self._form_of(identifier)
        if form is None:
            return ()
        return tuple(candidate for candidate in apart if self._form_of(candidate) == form)

    def _form_of(self, identifier: str) -> str | None:
        if identifier not in self._forms:
            path, _ = split_entity_id(identifier)
            write = partial(self._write_form, identifier)
            form = guarded(self._codebase, path, _PURPOSE, write, None)
            self._forms[identifier] = form
        return self._forms[identifier]

    def _write_form(self, identifier: str) -> str | None:
        entity = self._codebase.entity(identifier)
        if entity is None:
            return None
        source = self._codebase.source(entity.path)
        texts: list[str] = []
        for span in entity.spans:
            text = dedent(source.lines_of(span))
            # At the margin of a dedented definition stand its decorators alone.
            if not _OVERLOAD.search(text):
                texts.append(text)
        body = SPAN_SEPARATOR.join(texts)
        return normal_form(body, in_class=self._is_in_class(entity))

    def _is_in_class(self, entity: Entity) -> bool:
        if entity.kind != "class":
            return entity.kind == "method"
        if not entity.parent_name:
            return False
        parent_id = entity_id(entity.path, entity.parent_name)
        parent = self._codebase.entity(parent_id)
        return parent is not None and parent.kind == "class"


def _is_nested(first: str, second: str) -> bool:
    """Return whether one of two entities stands inside the other."""
    return first.startswith(f"{second}.") or second.startswith(f"{first}.")
