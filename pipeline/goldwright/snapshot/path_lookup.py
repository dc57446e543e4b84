"""Finding files, directories and modules of a codebase by the partial names that people write."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import Entity

_PYTHON_SUFFIXES = (".py", ".pyi")
_SOURCE_ROOTS = frozenset({"src", "lib", "python"})


class PathLookup:
    """The paths of one codebase by their last parts; a directory is written with a slash at its
    end.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_last: dict[str, list[str]] = defaultdict(list)
        self._paths = frozenset(paths)
        directories: set[str] = set()
        for path in self._paths:
            parts = path.split("/")
            self._by_last[parts[-1]].append(path)
            directories.update("/".join(parts[:depth]) for depth in range(1, len(parts)))
        for directory in directories:
            self._by_last[directory.rpartition("/")[2]].append(directory + "/")

    def paths(self, written: str) -> frozenset[str]:
        """Find every file and directory whose path ends with ``written``; a whole path with a slash
        is only itself.
        """
        if written in self._paths and "/" in written:
            return frozenset({written})
        wanted = written.rstrip("/")
        places = self._by_last.get(wanted.rpartition("/")[2])
        if not places or not wanted:
            return frozenset()
        tail = "/" + wanted
        only_directories = written.endswith("/")
        return frozenset(
            place
            for place in places
            if ("/" + place.rstrip("/")).endswith(tail)
            and (place.endswith("/") or not only_directories)
        )

    def knows_file(self, name: str) -> bool:
        """Tell whether any file or directory has this last part."""
        return name in self._by_last

    def modules(self, dotted: str) -> frozenset[str]:
        """Find the Python files of a module, or the directories of a package, by the end of its
        dotted name.
        """
        stem = dotted.replace(".", "/")
        files = {path for suffix in _PYTHON_SUFFIXES for path in self.paths(stem + suffix)}
        packages = {place for place in self.paths(stem + "/") if place in self._code_folders}
        return frozenset(files | packages)

    def is_own(self, top_level: str) -> bool:
        """Tell whether ``import top_level`` would take a module of this codebase."""
        return top_level in self._roots

    @cached_property
    def _code_folders(self) -> frozenset[str]:
        return frozenset(
            path.rpartition("/")[0] + "/"
            for path in self._paths
            if "/" in path and path.endswith(_PYTHON_SUFFIXES)
        )

    @cached_property
    def _roots(self) -> frozenset[str]:
        return frozenset(
            name
            for path in self._paths
            if path.endswith(_PYTHON_SUFFIXES)
            for name in self._tops(path)
        )

    def _tops(self, path: str) -> Iterator[str]:
        """Yield the names that an import of this file can start with."""
        *folders, name = path.split("/")
        if folders and folders[0] in _SOURCE_ROOTS:
            folders = folders[1:]
        yield folders[0] if folders else name.partition(".")[0]
        inner = path.rpartition("/")[0]
        while inner and self._is_package(inner):
            outer, _, last = inner.rpartition("/")
            if not self._is_package(outer):
                yield last
            inner = outer

    def _is_package(self, folder: str) -> bool:
        return any(f"{folder}/__init__{suffix}" in self._paths for suffix in _PYTHON_SUFFIXES)


@lru_cache(maxsize=4)
def path_lookup_of(codebase: Codebase) -> PathLookup:
    """Build the gazetteer of a codebase, once; a codebase never changes."""
    return PathLookup(codebase.files)


@lru_cache(maxsize=1 << 16)
def module_name(path: str) -> str:
    """Write the path of a Python file as the dotted name it is imported by, counted from the root."""
    stem = path.rpartition(".")[0]
    return stem.removesuffix("/__init__").replace("/", ".")


def is_called(entity: Entity, dotted: str) -> bool:
    """Tell whether a dotted name is the end of the entity's full name, module included."""
    name = entity.name
    if len(dotted) <= len(name):
        return dotted == name or name.endswith("." + dotted)
    if not dotted.endswith("." + name):
        return False
    return f".{module_name(entity.path)}".endswith("." + dotted[: -len(name) - 1])
