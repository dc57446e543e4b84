"""The rules that recognise secrets by their format, as they stand in ``rules.toml``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import msgspec

from goldwright.scanners.data_files import join_indented_lines, read_data_file
from goldwright.scanners.secrets.value_tables import PACKAGE


@dataclass(frozen=True)
class SecretRule:
    """The format of one kind of secret.

    Attributes:
        kind: What a mask calls the secret.
        description: What the secret is.
        hints: In lower case; the pattern is tried only on texts that hold one of them.
        expression: A regular expression; its group ``secret``, or else all of it, is hidden.
        catches: Examples in the notation of the file; what must be hidden is in ``«»``.
        passes: Near misses, in which nothing may be hidden.
        ignores_case: Whether capitals and small letters are the same to the expression.
        is_weighed: Whether the value must look like a secret too, not only its surroundings.
    """

    kind: str
    description: str
    hints: tuple[str, ...]
    expression: str
    catches: tuple[str, ...]
    passes: tuple[str, ...]
    ignores_case: bool = False
    is_weighed: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The expression, compiled when it is first tried: most texts hold few of the hints."""
        flags = re.ASCII
        if self.ignores_case:
            flags |= re.IGNORECASE
        return re.compile(self.expression, flags)

    @property
    def hidden_part(self) -> str | int:
        """The group of the pattern that is hidden; 0 is the whole match."""
        if "secret" in self.pattern.groupindex:
            return "secret"
        return 0


@cache
def load_rules() -> tuple[SecretRule, ...]:
    """Read the rules, in the order in which they are applied."""
    data = read_data_file(PACKAGE, "rules.toml")
    rules: list[SecretRule] = []
    for row in data["rules"]:
        row["expression"] = _expression(row, data["fragments"])
        rules.append(msgspec.convert(row, SecretRule))
    return tuple(rules)


def _expression(row: Mapping[str, Any], fragments: Mapping[str, str]) -> str:
    if "token" in row:
        # Beside a letter or digit it is the middle of something longer.
        token = _join_lines(row["token"])
        return rf"(?<![A-Za-z0-9])(?:{token})(?![A-Za-z0-9])"
    expression = _join_lines(row["pattern"])
    for name, fragment in fragments.items():
        expression = expression.replace("{{" + name + "}}", fragment)
    return expression


def _join_lines(block: str) -> str:
    return "".join(join_indented_lines(block, gap=""))
