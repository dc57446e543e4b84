"""Choosing paths by folder or by glob."""

import re
from collections.abc import Iterable
from typing import Final

import re2

from goldwright.agents.tools.outputs import ToolError
from goldwright.agents.tools.search import LONGEST_PATTERN, is_below

_WILD: Final = re.compile(r"\*\*/?|[*?]|[^*?]+")


def matching_paths(paths: Iterable[str], pattern: str) -> tuple[str, ...]:
    """Choose the paths below a folder or, where the pattern has ``*`` or ``?``, those that match
    it, sorted.

    ``*`` and ``?`` stay inside one folder, ``**`` crosses folders; a pattern without a slash is a
    file name.

    Raises:
        ToolError: The pattern is too long.
    """
    if len(pattern) > LONGEST_PATTERN:
        raise ToolError(
            f"the pattern has {len(pattern)} characters; wanted at most {LONGEST_PATTERN}"
        )
    if not {"*", "?"} & set(pattern):
        return tuple(sorted(path for path in paths if is_below(path, pattern)))
    wanted = pattern.removeprefix("./")
    expression = "".join(
        map(_expression, _WILD.findall(wanted if "/" in wanted else f"**/{wanted}"))
    )
    compiled = re2.compile(expression)
    return tuple(sorted(path for path in paths if compiled.fullmatch(path)))


def _expression(part: str) -> str:
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return known.get(part) or str(re2.escape(part))
