"""Which file a dotted module name means."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

SUFFIXES: Final = (".py", ".pyi")
"""The endings of Python files; ``.py`` comes first, for it is what a bare module name means."""

# Directories that hold packages and are no packages themselves, by custom.
_SOURCE_ROOTS: Final = frozenset({"src", "lib", "python"})


def module_names(paths: Sequence[str]) -> Mapping[str, str]:
    """Map dotted module names to paths.

    A module's name starts at the outermost directory that is a package, whatever lies above it
    (``src/``); its full path counts as a name too where no other file claims it.
    """
    path_set = frozenset(paths)
    names: dict[str, str] = {}
    for path in paths:
        depth = _depth_of_outermost_package(path, path_set)
        parts = module_parts(path)[depth:]
        names.setdefault(".".join(parts), path)
    # In a second pass, so that no full path takes a name that a package has.
    for path in paths:
        parts = module_parts(path)
        names.setdefault(".".join(parts), path)
    return names


def module_parts(path: str) -> list[str]:
    """Split the path of a file into the parts of its module name, without ``__init__``."""
    stem = path.rpartition(".")[0]
    parts = stem.split("/")
    if parts[-1] == "__init__":
        parts.pop()
    return parts


def module_name(path: str) -> str:
    """Write the path of a file as the dotted name it is imported by, counted from the root.

    An ``__init__`` file at the root, which no import can name, keeps its own name.
    """
    stem = path.rpartition(".")[0]
    return stem.removesuffix("/__init__").replace("/", ".")


def absolute_module(path: str, module: str, level: int) -> str:
    """Name the module that a file imports with ``level`` leading dots (at least one).

    The name is counted from the root of the codebase.
    """
    parts = path.split("/")[:-level]
    if module:
        parts.append(module)
    return ".".join(parts)


def import_roots(paths: Collection[str]) -> frozenset[str]:
    """Give the names that an import of one of these files can start with.

    They are the first directory below a source root, and the outermost package, which may lie
    deeper.
    """
    path_set = frozenset(paths)
    roots: set[str] = set()
    for path in paths:
        roots.add(_first_part(path))
        directories = path.split("/")[:-1]
        depth = _depth_of_outermost_package(path, path_set)
        outermost = directories[depth : depth + 1]
        roots.update(outermost)
    return frozenset(roots)


def _first_part(path: str) -> str:
    """Name the first directory of a path below a source root, or the file where there is none."""
    *directories, file_name = path.split("/")
    if directories and directories[0] in _SOURCE_ROOTS:
        del directories[0]
    if directories:
        return directories[0]
    return file_name.partition(".")[0]


def _depth_of_outermost_package(path: str, path_set: frozenset[str]) -> int:
    """Count the leading directories of a path that lie above its outermost package."""
    directories = path.split("/")[:-1]
    depth = len(directories)
    while depth and _is_package("/".join(directories[:depth]), path_set):
        depth -= 1
    return depth


def _is_package(directory: str, path_set: frozenset[str]) -> bool:
    return f"{directory}/__init__.py" in path_set or f"{directory}/__init__.pyi" in path_set
