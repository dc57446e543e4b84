"""How an id that the codebase does not know would have to be written."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id

# What other tools write between file and name, or between the parts of a name.
_OTHER_SEPARATORS: Final = ("#", ":", "/", "@")


@dataclass(frozen=True, slots=True)
class KnownSpelling:
    """An id as the codebase knows it.

    Attributes:
        known_id: The id.
        advice: What has to be done to the other one, such as ``take 'src/' off``.
    """

    known_id: str
    advice: str


def nearest_spelling(raw_id: str, snapshot: Snapshot) -> KnownSpelling | None:
    """Find what an unknown id most likely means.

    Tried are the classes of its file, fewer and more leading directories, other separators, and
    dotted names of modules.

    Args:
        raw_id: An id that the codebase does not know.
        snapshot: The codebase.

    Returns:
        The first reading that the codebase knows; None where it knows none.
    """
    path, name = split_entity_id(raw_id)
    for spelling in _in_its_class(path, name, snapshot):
        return spelling
    for spelling in _moved(path, name, snapshot):
        return spelling
    for file, qualified_name in _read_otherwise(raw_id):
        if _knows(snapshot, file, qualified_name):
            return _written_as(_joined(file, qualified_name))
        for spelling in _moved(file, qualified_name, snapshot):
            return _written_as(spelling.known_id)
    return None


def _in_its_class(path: str, name: str, snapshot: Snapshot) -> Iterator[KnownSpelling]:
    """Yield what has the same last name in the same file, in a class or outside of one."""
    last_name = name.rpartition(".")[2]
    for entity in snapshot.entities_in(path) if last_name else ():
        if entity.simple_name == last_name:
            yield _written_as(entity.entity_id)


def _moved(path: str, name: str, snapshot: Snapshot) -> Iterator[KnownSpelling]:
    """Yield the same file and name under fewer directories, and then under more of them."""
    parts = PurePosixPath(path).parts
    for start in range(1, len(parts)):
        shorter_path = "/".join(parts[start:])
        if _knows(snapshot, shorter_path, name):
            prefix = path.removesuffix(shorter_path)
            advice = f"take {prefix!r} off"
            yield KnownSpelling(_joined(shorter_path, name), advice)
    for longer_path in snapshot.files:
        if path and longer_path.endswith(f"/{path}") and _knows(snapshot, longer_path, name):
            prefix = longer_path.removesuffix(path)
            advice = f"put {prefix!r} before it"
            yield KnownSpelling(_joined(longer_path, name), advice)


def _read_otherwise(raw_id: str) -> Iterator[tuple[str, str]]:
    """Yield file and qualified name by other separators, and by dots alone."""
    file, suffix, raw_name = raw_id.partition(".py")
    if suffix and raw_name:
        name = raw_name.strip("".join(_OTHER_SEPARATORS))
        for separator in ("::", *_OTHER_SEPARATORS):
            name = name.replace(separator, ".")
        yield f"{file}.py", name
    dotted = raw_id.replace("::", ".").replace(":", ".")
    parts = dotted.split(".")
    # A long module name before a short one: a.b.c is rather a file b.py than a class b.
    for length in range(len(parts), 0, -1):
        module = "/".join(parts[:length])
        name = ".".join(parts[length:])
        yield f"{module}.py", name
        yield f"{module}/__init__.py", name


def _knows(snapshot: Snapshot, path: str, name: str) -> bool:
    if name:
        return snapshot.entity(_joined(path, name)) is not None
    return snapshot.has_text(path)


def _joined(path: str, name: str) -> str:
    return f"{path}::{name}" if name else path


def _written_as(known_id: str) -> KnownSpelling:
    return KnownSpelling(known_id, f"write {known_id!r}")
