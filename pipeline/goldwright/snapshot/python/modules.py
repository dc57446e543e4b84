"""Which file a dotted module name means."""

from collections.abc import Mapping, Sequence


def module_names(paths: Sequence[str]) -> Mapping[str, str]:
    """Map dotted module names to paths.

    A module's name starts at the outermost directory that is a package, whatever lies above it
    (``src/``); its full path counts as a name too where nothing else claims it.
    """
    known = frozenset(paths)
    names: dict[str, str] = {}
    for path in paths:
        names.setdefault(".".join(dotted_path(path)[_package_depth(path, known) :]), path)
    for path in paths:
        names.setdefault(".".join(dotted_path(path)), path)
    return names


def dotted_path(path: str) -> list[str]:
    """The parts of a file's path as a module name, without ``__init__``."""
    parts = path.rpartition(".")[0].split("/")
    return parts[:-1] if parts[-1] == "__init__" else parts


def absolute_module(path: str, module: str, level: int) -> str:
    """The full-path name of a module that a file imports with ``level`` leading dots (at least
    one).
    """
    parts = path.split("/")[:-level]
    return ".".join([*parts, module] if module else parts)


def _package_depth(path: str, known: frozenset[str]) -> int:
    """How many leading directories of a path are not packages."""
    directories = path.split("/")[:-1]
    depth = len(directories)
    while depth and _is_package("/".join(directories[:depth]), known):
        depth -= 1
    return depth


def _is_package(directory: str, known: frozenset[str]) -> bool:
    return f"{directory}/__init__.py" in known or f"{directory}/__init__.pyi" in known
