"""Reading the rule tables of the scanners: TOML files that are shipped beside the modules."""

import importlib.resources
import tomllib
from typing import Any


def read_data_file(package: str, *path: str) -> dict[str, Any]:
    """Read a TOML file of a package.

    Args:
        package: The dotted name of the package.
        path: The parts of the file's path below the package.
    """
    file = importlib.resources.files(package).joinpath(*path)
    return tomllib.loads(file.read_text("utf-8"))


def join_indented_lines(block: str, *, gap: str) -> list[str]:
    """Split a block of text into entries, one a line.

    Args:
        block: The text. A line that starts with white space goes on with the line above it.
        gap: What stands between the lines of one entry in place of the line end.
    """
    entries: list[str] = []
    for line in block.splitlines():
        if line.startswith((" ", "\t")):
            entries[-1] += gap + line.strip()
        else:
            entries.append(line)
    return entries
