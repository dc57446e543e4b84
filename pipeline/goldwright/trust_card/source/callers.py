"""Who surely calls a function or class, in the code that is no test."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from goldwright.trust_card.entity_names import owner_id, simple_name
from goldwright.trust_card.source.calls import Call, called_entity, calls_in
from goldwright.trust_card.source.codebase import CodeReading
from goldwright.trust_card.source.modules import CodeDefinition

_CONSTRUCTORS: Final = frozenset({"__init__", "__new__"})
# These are used without a call, so calls say nothing of who uses them.
_CALLED_UNSEEN: Final = frozenset({"property", "cached_property", "setter", "getter"})
# A file's calls are asked for again for other names, mostly those of the same records.
_FILES_KEPT: Final = 256
# Who calls a function whose name stands in more files than these, nobody could look up either.
MOST_FILES: Final = 300

_NAME: Final = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class CallPlace:
    """A place that surely calls an entity.

    Attributes:
        caller_id: The class or function around the call; None at module level.
        path: The file.
        line: The line of the call.
    """

    caller_id: str | None
    path: str
    line: int


class CallerIndex:
    """Finds the sure callers of entities, reading only files in which their names stand."""

    def __init__(self, code: CodeReading) -> None:
        self._code = code
        self._calls_in = lru_cache(maxsize=_FILES_KEPT)(self._read_calls)
        self._places = lru_cache(maxsize=None)(self._find_places)
        self._paths_with = cache(self._find_paths)

    def places(self, entity_id: str) -> tuple[CallPlace, ...] | None:
        """The places that surely call an entity, in the order of files and lines.

        Returns:
            None where calls do not show who uses it: for a property, a special method, a name that
            the codebase does not define as a class or function, and one that stands in more than
            ``MOST_FILES`` files.
        """
        return self._places(entity_id)

    def callers(self, entity_id: str) -> frozenset[str] | None:
        """The ids of the classes and functions that surely call an entity; None as above.

        An entity that calls itself is not its own caller.
        """
        places = self.places(entity_id)
        if places is None:
            return None
        callers = set()
        for place in places:
            if place.caller_id is not None and not _is_inside(place.caller_id, entity_id):
                callers.add(place.caller_id)
        return frozenset(callers)

    def _find_places(self, entity_id: str) -> tuple[CallPlace, ...] | None:
        definition = self._code.names.definition(entity_id)
        if definition is None or not _is_called_by_name(definition):
            return None
        target_ids = {entity_id}
        called_name = definition.simple_name
        if called_name in _CONSTRUCTORS:
            # Who makes an object of the class calls its constructor.
            target_ids.add(owner_id(entity_id))
            called_name = simple_name(owner_id(entity_id))
        paths = self._paths_with().get(called_name, [])
        if len(paths) > MOST_FILES:
            return None
        places: list[CallPlace] = []
        for call in self._calls_of(called_name, paths):
            called_id = called_entity(call, self._code.names)
            if called_id in target_ids:
                place = CallPlace(_caller_id(call), call.path, call.line)
                places.append(place)
        return tuple(places)

    def _calls_of(self, name: str, paths: Sequence[str]) -> Iterator[Call]:
        for path in paths:
            calls = self._calls_in(path)
            for called_name in (name, *self._aliases(path, name)):
                yield from calls.get(called_name, ())

    def _find_paths(self) -> Mapping[str, Sequence[str]]:
        """List the product files by the names of classes and functions that stand in them.

        Most files do not hold a name, and only those that do are parsed again; to look through all
        files for each name would take minutes where they are many.
        """
        names = {definition.simple_name for definition in self._code.definitions()}
        paths: dict[str, list[str]] = {}
        for path in self._code.product_paths:
            for name in names.intersection(_NAME.findall(self._code.text(path))):
                paths.setdefault(name, []).append(path)
        return paths

    def _aliases(self, path: str, name: str) -> Iterator[str]:
        for alias, binding in self._code.modules[path].imports.items():
            if binding.name == name and alias != name:
                yield alias

    def _read_calls(self, path: str) -> Mapping[str, tuple[Call, ...]]:
        tree = self._code.parsed(path)
        if tree is None:
            return {}
        return calls_in(path, tree)


def _is_called_by_name(definition: CodeDefinition) -> bool:
    name = definition.simple_name
    is_special = name.startswith("__") and name.endswith("__")
    if is_special and name not in _CONSTRUCTORS:
        return False
    for decorator in definition.decorators:
        if decorator.rpartition(".")[2] in _CALLED_UNSEEN:
            return False
    return True


def _caller_id(call: Call) -> str | None:
    if not call.scope.name:
        return None
    return f"{call.path}::{call.scope.name}"


def _is_inside(entity_id: str, outer_id: str) -> bool:
    return entity_id == outer_id or entity_id.startswith(f"{outer_id}.")
