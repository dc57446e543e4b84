"""Whether a file holds secrets by its name, whatever stands in it."""

import re
from functools import cache
from pathlib import PurePosixPath
from typing import Final

from goldwright.scanners.secrets.value_tables import values_of

# Backups keep the secrets of what they are copies of.
_COPY: Final = re.compile(r"(?:\.(?:bak|old|orig|save|backup|copy|swp)|~)$")


def is_secret_file(path: str) -> bool:
    """Return whether a file of the repository holds secrets by its name.

    Samples such as ``.env.example`` and source files such as ``credentials.py`` are not private.
    """
    lower_path = path.replace("\\", "/").casefold()
    place = PurePosixPath(lower_path)
    name = _COPY.sub("", place.name)
    if _sample_mark().search(name):
        return False
    if _has_private_name(name) or _is_in_private_place(place, name):
        return True
    suffix = PurePosixPath(name).suffix
    if name.startswith(_values("credentials")):
        return suffix not in _values("source_suffixes")
    if suffix not in _values("data_suffixes"):
        return False
    stem = name.removesuffix(suffix)
    return _private_stem().fullmatch(stem) is not None


def _has_private_name(name: str) -> bool:
    if name in _values("names") or name.startswith(_values("beginnings")):
        return True
    return name.endswith(_values("endings"))


def _is_in_private_place(place: PurePosixPath, name: str) -> bool:
    folders = place.parts[:-1]
    if not set(_values("folders")).isdisjoint(folders):
        # The public half of a key pair stands in the same folder.
        return not name.endswith(".pub")
    folder = place.parent.name
    return f"{folder}/{name}" in _values("places")


@cache
def _private_stem() -> re.Pattern[str]:
    stems = "|".join(_values("stems"))
    return re.compile(rf"(?:{stems})(?:[._-][a-z0-9_.-]{{0,60}})?")


@cache
def _sample_mark() -> re.Pattern[str]:
    samples = "|".join(_values("samples"))
    return re.compile(rf"\.(?:{samples})(?:\.|$)")


def _values(section: str) -> tuple[str, ...]:
    return values_of("file_names.toml", section)
