"""Whether a file holds secrets by its name, whatever stands in it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any, Final

from goldwright.scanners.data_files import read_data_file
from goldwright.scanners.secrets.rules import PACKAGE

# Backups keep the secrets of what they are copies of.
_COPY: Final = re.compile(r"(?:\.(?:bak|old|orig|save|backup|copy|swp)|~)$")


@dataclass(frozen=True, slots=True)
class FileNameTable:
    """What ``file_names.toml`` lists; all of it is in lower case.

    Attributes:
        names: Whole names of files.
        beginnings: How names of private files begin.
        endings: How names of private files end.
        places: Private files as ``folder/name``.
        folders: Names of folders whose files are private.
        credentials: How names begin that are private unless they end in a source suffix.
        stem: Matches names, without their data suffix, of files that are called after secrets.
        sample: Finds the mark of a sample in a name.
        data_suffixes: Suffixes of data files, with their dots.
        source_suffixes: Suffixes of source files and documents, with their dots.
    """

    names: frozenset[str]
    beginnings: tuple[str, ...]
    endings: tuple[str, ...]
    places: frozenset[str]
    folders: frozenset[str]
    credentials: tuple[str, ...]
    stem: re.Pattern[str]
    sample: re.Pattern[str]
    data_suffixes: frozenset[str]
    source_suffixes: frozenset[str]


def is_secret_file(path: str) -> bool:
    """Tell whether a file of the repository holds secrets by its name.

    Samples such as ``.env.example`` and source files such as ``credentials.py`` are not private.
    """
    table = load_file_names()
    place = PurePosixPath(path.replace("\\", "/").casefold())
    name = _COPY.sub("", place.name)
    if table.sample.search(name):
        return False
    if _has_private_name(name, table) or _is_in_a_private_place(place, name, table):
        return True
    suffix = PurePosixPath(name).suffix
    if name.startswith(table.credentials):
        return suffix not in table.source_suffixes
    if suffix not in table.data_suffixes:
        return False
    return table.stem.fullmatch(name.removesuffix(suffix)) is not None


@cache
def load_file_names() -> FileNameTable:
    """Read the table of names."""
    data = read_data_file(PACKAGE, "file_names.toml")
    stems = "|".join(_values(data, "stems"))
    samples = "|".join(_values(data, "samples"))
    return FileNameTable(
        names=frozenset(_values(data, "names")),
        beginnings=tuple(_values(data, "beginnings")),
        endings=tuple(_values(data, "endings")),
        places=frozenset(_values(data, "places")),
        folders=frozenset(_values(data, "folders")),
        credentials=tuple(_values(data, "credentials")),
        stem=re.compile(rf"(?:{stems})(?:[._-][a-z0-9_.-]{{0,60}})?"),
        sample=re.compile(rf"\.(?:{samples})(?:\.|$)"),
        data_suffixes=frozenset(_values(data, "data_suffixes")),
        source_suffixes=frozenset(_values(data, "source_suffixes")),
    )


def _has_private_name(name: str, table: FileNameTable) -> bool:
    if name in table.names:
        return True
    return name.startswith(table.beginnings) or name.endswith(table.endings)


def _is_in_a_private_place(place: PurePosixPath, name: str, table: FileNameTable) -> bool:
    if not table.folders.isdisjoint(place.parts[:-1]):
        # The public half of a key pair stands in the same folder.
        return not name.endswith(".pub")
    return f"{place.parent.name}/{name}" in table.places


def _values(data: Mapping[str, Any], section: str) -> list[str]:
    values: str = data[section]["values"]
    return values.split()
