"""Where a relative path of the settings starts: at the directory of their file."""

import re
from pathlib import Path
from typing import Any, Final

# Flags that name a file or directory. Relative ones start at the settings, wherever the command
# is called.
PATH_KEYS: Final = frozenset(
    {
        "repo",
        "out",
        "html",
        "junit",
        "markdown",
        "run_out",
        "baseline",
        "sign_key",
        "allowed_signers",
    }
)
# A run of elsewhere is the one retriever whose specification is the name of a file.
_TREC_RETRIEVER: Final = re.compile(r"(?P<prefix>(?:[^=:]*=)?trec:)(?P<file>.+)", re.DOTALL)


def with_absolute_paths(key: str, value: Any, directory: Path) -> Any:
    """Give the value of a setting with the paths in it absolute.

    Args:
        key: The flag that it is for.
        value: What the settings say.
        directory: The absolute directory of the settings.
    """
    if key == "retriever" and isinstance(value, list):
        return [with_absolute_paths(key, item, directory) for item in value]
    if not isinstance(value, str):
        return value
    if key in PATH_KEYS:
        return str(directory / value)
    if key == "retriever":
        return _with_absolute_run(value, directory)
    if key == "against" and (directory / value).exists():
        # Else it is a version.
        return str(directory / value)
    return value


def _with_absolute_run(retriever: str, directory: Path) -> str:
    match = _TREC_RETRIEVER.fullmatch(retriever)
    if match is None:
        return retriever
    run = directory / match["file"]
    return f"{match['prefix']}{run}"
