"""The forms of prose about a class and its subclasses: who they are, and what they define."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from goldwright.offline_agents.statements.lists import read_code_list
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.only_subclasses import OnlySubclasses
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.overrides import Overrides
from goldwright.offline_agents.statements.statement import Statement

_SUBCLASSES: Final = re.compile(
    r"In product code, `(?P<base>[\w.]+)` in `[^`]+` has the direct subclass(?:es)? "
    r"(?P<members>`.+`) and no other\."
)
_OVERRIDES: Final = re.compile(r"Of the methods that (?P<base>`[\w.]+`) defines, (?P<each>.+)\.")
_OVERRIDE_JOINT: Final = "; "
_MUST: Final = re.compile(
    r"A subclass of `(?P<base>[\w.]+)` must define (?P<methods>`.+`), which are "
    r"(?P<why>abstract|not implemented) there\."
)
_MAY: Final = re.compile(
    r"A subclass of `(?P<base>[\w.]+)` can leave (?P<methods>`.+`) as they are\."
)
_EVERY: Final = re.compile(
    r"Every direct subclass of `(?P<base>[\w.]+)` defines (?P<methods>`[^:]+`): (?P<members>`.+`)\."
)
_SOME: Final = re.compile(
    r"Of the direct subclasses of `(?P<base>[\w.]+)`, only (?P<members>`.+`) defines? "
    r"(?P<methods>`.+`)\."
)
_FAMILY: Final = re.compile(
    r"(?P<family>In product code, `(?P<base>[\w.]+)` has the direct subclass(?:es)? "
    r"(?P<members>`.+`) and no other), and (?:each of them|it) defines (?P<methods>`.+`)\."
)
_OVERRIDE_NOTHING: Final = re.compile(
    r"(?P<names>`.+`) override none of the methods that `(?P<base>[\w.]+)` defines\."
)


def _read_must(match: re.Match[str]) -> Iterator[Statement]:
    for method in read_code_list(match["methods"]) or ():
        yield MustDefine(match["base"], method, match["why"])


def _read_may(match: re.Match[str]) -> Iterator[Statement]:
    for method in read_code_list(match["methods"]) or ():
        yield MayDefine(match["base"], method)


def _read_overridden(match: re.Match[str]) -> Iterator[Statement]:
    members = tuple(read_code_list(match["members"]) or ())
    is_every = match.re is _EVERY
    for method in read_code_list(match["methods"]) or ():
        yield OverriddenBy(match["base"], method, members, is_every)


def _read_family(match: re.Match[str]) -> Iterator[Statement]:
    """Read which classes derive from another one, and what each of them defines."""
    members = tuple(read_code_list(match["members"]) or ())
    if members:
        yield OnlySubclasses(match["base"], members)
        for method in read_code_list(match["methods"]) or ():
            yield OverriddenBy(match["base"], method, members, is_every=True)


def _read_subclasses(match: re.Match[str]) -> Iterator[Statement]:
    """Read which classes derive from another one, whose file is told in between."""
    members = read_code_list(match["members"])
    if members:
        yield OnlySubclasses(match["base"], members)


def _read_override_nothing(match: re.Match[str]) -> Iterator[Statement]:
    for name in read_code_list(match["names"]) or ():
        yield Overrides(name, match["base"], ())


def _read_overrides(match: re.Match[str]) -> Iterator[Statement]:
    """Read which methods of a class each of its subclasses overrides."""
    for part in match["each"].split(_OVERRIDE_JOINT):
        overrides = Overrides.read(f"Of the methods that {match['base']} defines, {part}.")
        if overrides is not None:
            yield overrides


FAMILY_FORMS: Final[
    tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Iterator[Statement]]], ...]
] = (
    (_OVERRIDES, _read_overrides),
    (_FAMILY, _read_family),
    (_SUBCLASSES, _read_subclasses),
    (_EVERY, _read_overridden),
    (_SOME, _read_overridden),
    (_MUST, _read_must),
    (_MAY, _read_may),
    (_OVERRIDE_NOTHING, _read_override_nothing),
)
"""Patterns of whole sentences, each with what reads it; none fits a sentence of another form."""
