"""Reading a repository's own configuration without git, which would follow what it includes.

Only what decides how the repository is read is looked up here, so only the plain parts of the
format matter: sections, names, and values with their quotes and escapes.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from goldwright.snapshot.plain_files import read_plain_text

# Configurations with thousands of branches have some 100 kB.
MOST_SETTINGS_BYTES: Final = 4 * 1024 * 1024
_SECTION: Final = re.compile(r'\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]\s*')
_SETTING: Final = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?")
_VALUE_PART: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|([^"#;]+)')
_ESCAPED: Final = re.compile(r"\\(.)")
_ESCAPES: Final[Mapping[str, str]] = {"n": "\n", "t": "\t", "b": "\b"}


def read_settings(git_directory: Path) -> Mapping[str, str]:
    """Give the settings of a repository's ``config``, as in ``core.worktree``.

    Names are in lower case, but for the middle of three. Of several values the last counts, as it
    does for git. What cannot be read holds no settings.
    """
    text = read_plain_text(git_directory / "config", most_bytes=MOST_SETTINGS_BYTES)
    settings: dict[str, str] = {}
    section = ""
    for line in text.replace("\\\n", "").splitlines():
        if header := _SECTION.match(line):
            section = _section_name(header)
            line = line[header.end() :]  # noqa: PLW2901  # a setting may follow its section
        setting = _SETTING.fullmatch(line)
        if section and setting is not None:
            name = f"{section}.{setting[1].lower()}"
            # A name alone means yes.
            value = setting[2]
            settings[name] = "true" if value is None else _read_value(value)
    return settings


def _section_name(header: re.Match[str]) -> str:
    name = header[1].lower()
    if header[2] is None:
        return name
    middle = _ESCAPED.sub(r"\1", header[2])
    return f"{name}.{middle}"


def _read_value(text: str) -> str:
    """Put the parts of a value together, up to a comment."""
    value = ""
    position = 0
    while part := _VALUE_PART.match(text, position):
        value += part[2] if part[1] is None else part[1]
        position = part.end()
    return _ESCAPED.sub(_unescape, value.strip())


def _unescape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[1], match[1])
