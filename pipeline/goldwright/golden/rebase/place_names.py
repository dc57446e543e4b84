"""Names of files and entities in the words of a record, and what they are at the newer commit."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from goldwright.golden.rebase.anchor_targets import AnchorTarget
from goldwright.golden.rebase.anchors import Anchors

# A name is no part of a longer path, module name or entity id.
_NAME_START: Final = r"(?<![\w./:-])"
_NAME_END: Final = r"(?![\w-]|\.\w|::)"


class PlaceNames:
    """The names of the files and entities of a record that are called otherwise now."""

    def __init__(
        self,
        targets: Iterable[AnchorTarget],
        new_paths: Mapping[str, tuple[str, ...]],
        anchors: Anchors,
    ) -> None:
        self._new_paths = new_paths
        self._new_names = _new_names(targets, new_paths, anchors)
        self._pattern = _pattern_of(self._new_names)

    def replace(self, text: str) -> str:
        """Write every old name in a text as the new one."""
        if not self._new_names:
            return text
        return self._pattern.sub(self._new_name, text)

    def stale_names(self, text: str) -> Iterator[str]:
        """Say which names of files in a text cannot be replaced.

        These are short names of files that are called otherwise now, and names of files whose parts
        came apart.
        """
        for old_path, new_paths in self._new_paths.items():
            for name in _names_of_file(old_path, text):
                problem = _stale_name(name, old_path, new_paths)
                if problem is not None:
                    yield problem

    def _new_name(self, match: re.Match[str]) -> str:
        return self._new_names[match[0]]


def is_end_of(name: str, path: str) -> bool:
    """Return whether a name is a path or the last parts of it."""
    return f"/{path}".endswith(f"/{name}")


def _new_names(
    targets: Iterable[AnchorTarget], new_paths: Mapping[str, tuple[str, ...]], anchors: Anchors
) -> dict[str, str]:
    """Map what words may call an entity or a file to what it is called now.

    A name without a dot is left alone: it names the entity wherever that is.
    """
    names: dict[str, str] = {}
    for old_path, places in new_paths.items():
        if len(places) == 1 and places != (old_path,):
            names[old_path] = places[0]
    for old_path, new_path in tuple(names.items()):
        # The other entities of a file that is gone went with it; those of a file that is still
        # there did not.
        if anchors.file(old_path) == new_path:
            names[f"{old_path}::"] = f"{new_path}::"
    for target in targets:
        names[target.old.entity_id] = target.new.entity_id
        if "." in target.old.name:
            names[target.old.name] = target.new.name
    return {old: new for old, new in names.items() if old != new}


def _pattern_of(names: Iterable[str]) -> re.Pattern[str]:
    """Match any of these names as a whole; a longer name before one that it begins with."""
    longest_first = sorted(names, key=len, reverse=True)
    patterns: list[str] = []
    for name in longest_first:
        # The head of an entity id, after which the name of the entity comes.
        if name.endswith("::"):
            patterns.append(re.escape(name))
        else:
            patterns.append(re.escape(name) + _NAME_END)
    any_name = "|".join(patterns)
    return re.compile(f"{_NAME_START}(?:{any_name})")


def _names_of_file(path: str, text: str) -> Iterator[str]:
    """Find what a text may call a file by: its name, with any folders before it."""
    file_name = PurePosixPath(path).name
    pattern = rf"(?<![\w./-])(?:[\w.-]+/)*{re.escape(file_name)}(?![\w-]|\.\w)"
    for match in re.finditer(pattern, text):
        yield match[0]


def _stale_name(name: str, old_path: str, new_paths: Sequence[str]) -> str | None:
    if name == old_path:
        # A whole path is replaced, unless there is more than one to replace it by.
        if len(new_paths) == 1:
            return None
        places = " and ".join(new_paths)
        return f"the words name {old_path}, of which the parts stand in {places}"
    if not is_end_of(name, old_path) or _is_end_of_all(name, new_paths):
        return None
    return f"the words name {name}, which is {new_paths[0]} now"


def _is_end_of_all(name: str, paths: Iterable[str]) -> bool:
    return all(is_end_of(name, path) for path in paths)
