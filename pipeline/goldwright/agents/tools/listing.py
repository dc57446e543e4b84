"""Choosing paths by folder or by glob."""

import re
from collections.abc import Iterable
from typing import Final

import re2

from goldwright.agents.tools.outputs import ToolError
from goldwright.agents.tools.search import LONGEST_PATTERN, is_below

_GLOB_PART: Final = re.compile(r"\*\*/?|[*?]|[^*?]+")
_EXPRESSIONS: Final = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def matching_paths(paths: Iterable[str], pattern: str) -> tuple[str, ...]:
    """Choose the paths below a folder or, if the pattern has ``*`` or ``?``, those that match it.

    ``*`` and ``?`` stay inside one folder, ``**`` crosses folders; a pattern without a slash is a
    file name.

    Returns:
        The paths, sorted.

    Raises:
        ToolError: The pattern is too long.
    """
    if len(pattern) > LONGEST_PATTERN:
        raise ToolError(
            f"the pattern has {len(pattern)} characters; wanted at most {LONGEST_PATTERN}"
        )
    if "*" not in pattern and "?" not in pattern:
        chosen = [path for path in paths if is_below(path, pattern)]
    else:
        glob = re2.compile(_glob_expression(pattern))
        chosen = [path for path in paths if glob.fullmatch(path)]
    return tuple(sorted(chosen))


def _glob_expression(pattern: str) -> str:
    glob = pattern.removeprefix("./")
    if "/" not in glob:
        # A bare file name matches in every folder.
        glob = f"**/{glob}"
    return "".join(map(_part_expression, _GLOB_PART.findall(glob)))


def _part_expression(part: str) -> str:
    return _EXPRESSIONS.get(part) or str(re2.escape(part))
