"""Finding files, directories and modules of a codebase by the partial names that people write."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.languages import LANGUAGES, SOURCE_SUFFIXES, paths_in


class PathLookup:
    """The paths of one codebase by their last parts.

    A directory is written with a slash at its end.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._by_last_part: dict[str, list[str]] = defaultdict(list)
        directories: set[str] = set()
        for path in self._paths:
            parts = path.split("/")
            self._by_last_part[parts[-1]].append(path)
            for depth in range(1, len(parts)):
                directories.add("/".join(parts[:depth]))
        for directory in directories:
            last_part = directory.rpartition("/")[2]
            self._by_last_part[last_part].append(f"{directory}/")

    def paths(self, ending: str) -> frozenset[str]:
        """Find every file and directory whose path ends with the given parts.

        A complete path with a slash is only itself, and a slash at the end asks for directories.
        """
        if ending in self._paths and "/" in ending:
            return frozenset({ending})
        stem = ending.rstrip("/")
        if not stem:
            return frozenset()
        last_part = stem.rpartition("/")[2]
        matches: set[str] = set()
        for path in self._by_last_part.get(last_part, ()):
            is_match = f"/{path.rstrip('/')}".endswith(f"/{stem}")
            if is_match and (path.endswith("/") or not ending.endswith("/")):
                matches.add(path)
        return frozenset(matches)

    def has_name(self, name: str) -> bool:
        """Tell whether any file or directory has this last part."""
        return name in self._by_last_part

    def modules(self, dotted: str) -> frozenset[str]:
        """Find the files of a module, or the directories of a package, by the end of its name."""
        stem = dotted.replace(".", "/")
        modules: set[str] = set()
        for suffix in SOURCE_SUFFIXES:
            modules.update(self.paths(f"{stem}{suffix}"))
        # Of the directories only those that hold source files are packages.
        modules.update(self.paths(f"{stem}/") & self._source_directories)
        return frozenset(modules)

    def guess_file(self, stem: str) -> frozenset[str]:
        """Find source files by the end of a path that lacks its suffix."""
        files: set[str] = set()
        for language in LANGUAGES:
            usual_suffix = language.suffixes[0]
            files.update(self.paths(f"{stem}{usual_suffix}"))
        return frozenset(files)

    def is_own_module(self, top_level: str) -> bool:
        """Tell whether ``import top_level`` would take a module of this codebase."""
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
            roots.update(language.import_roots(paths_in(language, self._paths)))
        return frozenset(roots)


@lru_cache(maxsize=4)
def path_lookup_of(codebase: Codebase) -> PathLookup:
    """Index the paths of a codebase, once; a codebase never changes."""
    return PathLookup(codebase.files)
