"""Finding files, directories and modules of a codebase by the partial names that people write."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.languages.language_catalog import LANGUAGES, SOURCE_SUFFIXES, paths_in


class PathLookup:
    """The paths of one codebase by their last parts.

    A directory is written with a slash at its end.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._by_last_part: dict[str, list[str]] = defaultdict(list)
        directories: set[str] = set()
        for path in self._paths:
            self._add(path)
            directories.update(_directories_around(path))
        for directory in directories:
            self._add(directory)

    def paths(self, ending: str) -> frozenset[str]:
        """Find every file and directory whose path ends with the given parts.

        A complete path with a slash is only itself, and a slash at the end asks for directories.
        """
        if ending in self._paths and "/" in ending:
            return frozenset({ending})
        stem = ending.rstrip("/")
        if not stem:
            return frozenset()
        # The slash makes the match begin at a complete part.
        tail = f"/{stem}"
        matches: set[str] = set()
        for path in self._by_last_part.get(_last_part(stem), ()):
            full_path = f"/{path}".rstrip("/")
            if full_path.endswith(tail) and (path.endswith("/") or not ending.endswith("/")):
                matches.add(path)
        return frozenset(matches)

    def has_name(self, name: str) -> bool:
        """Return whether any file or directory has this last part."""
        return name in self._by_last_part

    def modules(self, dotted: str) -> frozenset[str]:
        """Find the files of a module, or the directories of a package, by the end of its name."""
        stem = dotted.replace(".", "/")
        modules: set[str] = set()
        for suffix in SOURCE_SUFFIXES:
            modules |= self.paths(stem + suffix)
        # Of the directories only those that hold source files are packages.
        modules |= self.paths(stem + "/") & self._source_directories
        return frozenset(modules)

    def guess_file(self, stem: str) -> frozenset[str]:
        """Find source files by the end of a path that lacks its suffix."""
        files: set[str] = set()
        for language in LANGUAGES:
            usual_suffix = language.suffixes[0]
            files |= self.paths(stem + usual_suffix)
        return frozenset(files)

    def is_own_module(self, top_level: str) -> bool:
        """Return whether ``import top_level`` would take a module of this codebase."""
        return top_level in self._import_roots

    @cached_property
    def _source_directories(self) -> frozenset[str]:
        directories: set[str] = set()
        for path in self._paths:
            directory, slash, _ = path.rpartition("/")
            if slash and path.endswith(SOURCE_SUFFIXES):
                directories.add(f"{directory}/")
        return frozenset(directories)

    @cached_property
    def _import_roots(self) -> frozenset[str]:
        roots: set[str] = set()
        for language in LANGUAGES:
            paths = paths_in(language, self._paths)
            roots |= language.import_roots(paths)
        return frozenset(roots)

    def _add(self, path: str) -> None:
        last_part = _last_part(path.rstrip("/"))
        self._by_last_part[last_part].append(path)


# A run looks at one codebase, a rebase at two.
@lru_cache(maxsize=4)
def path_lookup_of(codebase: Codebase) -> PathLookup:
    """Index the paths of a codebase, once; a codebase never changes."""
    return PathLookup(codebase.files)


def _directories_around(path: str) -> Iterator[str]:
    """Yield the directories that hold a file, from the inside out, with slashes at their ends."""
    directory, slash, _ = path.rpartition("/")
    while slash:
        yield f"{directory}/"
        directory, slash, _ = directory.rpartition("/")


def _last_part(path: str) -> str:
    return path.rpartition("/")[2]
