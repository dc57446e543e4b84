"""The names of sections and settings: what is not one is refused with what may have been meant."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn

from goldwright.errors import InputError

# What they hold is named by the user.
OPEN_SECTIONS: Final = ("providers", "prices")
# More names than that make no line that anybody reads.
_MOST_SECTIONS_NAMED: Final = 16


def check_names(
    document: Mapping[str, Any], sections: Mapping[str, tuple[str, ...]], path: Path
) -> None:
    """Refuse sections and settings that do not exist.

    Args:
        document: The content of the file.
        sections: The settings of each section whose settings are fixed.
        path: The file, as messages name it.

    Raises:
        InputError: There is one; the text says what it may have been meant to be.
    """
    every_section = (*sections, *OPEN_SECTIONS)
    for section, table in document.items():
        if section not in every_section:
            _refuse_outside(section, table, sections, path)
            _refuse(f"{path}: [{section}]: no such section", section, every_section)
        keys = sections.get(section)
        if keys is None:
            continue
        if not isinstance(table, dict):
            raise InputError(f"{path}: {section}: wanted a section, as in [{section}]")
        for key in table:
            if key not in keys:
                _refuse(f"{path}: {section}.{key}: no such setting", key, keys)


def _refuse_outside(
    name: str, value: object, sections: Mapping[str, tuple[str, ...]], path: Path
) -> None:
    """Refuse a setting that stands in front of all sections, with the one where it belongs."""
    places = [f"[{section}]" for section, keys in sections.items() if name in keys]
    if places and not isinstance(value, dict):
        # The last one is what all commands share.
        ends = " or ".join(dict.fromkeys((places[0], places[-1])))
        raise InputError(f"{path}: {name}: stands in no section; write it below {ends}")


def _refuse(problem: str, name: str, names: Iterable[str]) -> NoReturn:
    names = tuple(names)
    # Flags are written with a hyphen, and settings with an underscore.
    similar_names = get_close_matches(name.replace("-", "_").lower(), names, n=1)
    if similar_names:
        raise InputError(f"{problem}; did you mean {similar_names[0]}?")
    if len(names) > _MOST_SECTIONS_NAMED:
        raise InputError(f"{problem}; goldwright init writes a file with all of them")
    raise InputError(f"{problem}; wanted one of {', '.join(names)}")
