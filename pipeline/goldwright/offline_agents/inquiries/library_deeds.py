"""What calls of libraries do, in words that hold no name of the code."""

import importlib.resources
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

_TABLE: Final = "library_deeds.toml"


@dataclass(frozen=True, slots=True)
class LibraryDeed:
    """One thing that is done by calling a library.

    Attributes:
        do: It behind "we", as in "start a child process".
        does: It behind "the function that", as in "starts a child process".
        names: All the names of libraries under which it is done, the usual ones first.
        rivals: Names of what does it in another way, or as a method.
    """

    do: str
    does: str
    names: tuple[str, ...]
    rivals: tuple[str, ...] = ()


@cache
def deeds_by_name() -> Mapping[str, LibraryDeed]:
    """Give the deed of every name of the table."""
    table_file = importlib.resources.files(__package__).joinpath(_TABLE)
    table = table_file.read_text("utf-8")
    deeds: dict[str, LibraryDeed] = {}
    for row in tomllib.loads(table)["deed"]:
        rivals = tuple(row.get("rivals", ()))
        names = tuple(row["names"])
        deed = LibraryDeed(row["do"], row["does"], names, rivals)
        deeds.update(dict.fromkeys(names, deed))
    return deeds
