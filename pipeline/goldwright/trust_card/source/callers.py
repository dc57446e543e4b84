"""Who surely calls a function or class, in the code that is no test."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldwright.trust_card.source.calls import Call, called_entity, calls_in
from goldwright.trust_card.source.codebase import CodeReading
from goldwright.trust_card.source.modules import CodeDefinition

_CONSTRUCTORS: Final = frozenset({"__init__", "__new__"})
# These are used without a call, so calls say nothing of who uses them.
_CALLED_UNSEEN: Final = frozenset({"property", "cached_property", "setter", "getter"})
# A file's calls are asked for again for other names, mostly those of the same records.
_FILES_KEPT: Final = 256


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

    def places(self, entity_id: str) -> tuple[CallPlace, ...] | None:
        """The places that surely call an entity, in the order of files and lines.

        Returns:
            None where calls do not show who uses it: for a property, a special method or a name
            that the codebase does not define as a class or function.
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
            class_id = entity_id.rpartition(".")[0]
            target_ids.add(class_id)
            called_name = class_id.rpartition("::")[2].rpartition(".")[2]
        places = [
            CallPlace(_caller_id(call), call.path, call.line)
            for call in self._calls_of(called_name)
            if called_entity(call, self._code.names) in target_ids
        ]
        return tuple(places)

    def _calls_of(self, name: str) -> Iterator[Call]:
        word = re.compile(rf"\b{re.escape(name)}\b")
        for path in self._code.product_paths:
            # Most files do not hold the name, and only those that do are parsed again.
            text = self._code.text(path)
            if name not in text or word.search(text) is None:
                continue
            calls = self._calls_in(path)
            for called_name in (name, *self._aliases(path, name)):
                yield from calls.get(called_name, ())

    def _aliases(self, path: str, name: str) -> Iterable[str]:
        imports = self._code.modules[path].imports
        return [
            alias for alias, binding in imports.items() if binding.name == name and alias != name
        ]

    def _read_calls(self, path: str) -> Mapping[str, tuple[Call, ...]]:
        tree: ast.Module | None = self._code.parsed(path)
        return {} if tree is None else calls_in(path, tree)


def _is_called_by_name(definition: CodeDefinition) -> bool:
    name = definition.simple_name
    if name.startswith("__") and name.endswith("__") and name not in _CONSTRUCTORS:
        return False
    decorator_names = {decorator.rpartition(".")[2] for decorator in definition.decorators}
    return not decorator_names & _CALLED_UNSEEN


def _caller_id(call: Call) -> str | None:
    return f"{call.path}::{call.scope.name}" if call.scope.name else None


def _is_inside(entity_id: str, outer_id: str) -> bool:
    return entity_id == outer_id or entity_id.startswith(f"{outer_id}.")
