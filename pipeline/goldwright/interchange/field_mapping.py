"""Fields of a list or table by names that no reader could know, as its user states them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from goldwright.errors import InputError
from goldwright.interchange.fields import STRATUM_FIELDS, Row
from goldwright.interchange.quoting import quote_excerpt
from goldwright.interchange.row_locations import LocatedRow

# What a query may consist of, by the name that lists and tables are read by.
ROLES: Final[Mapping[str, str]] = {
    "query": "query",
    "expected": "expected",
    "id": "id",
    "facts": "must_mention_facts",
    "grade": "grade",
    "grades": "grades",
    **{name: name for name in STRATUM_FIELDS},
}
# Without these there is no dataset; any other field may be missing from a row.
_NEEDED: Final = ("query", "expected")
# A column may have a comma in its name, so only one before another role parts two of them.
_BETWEEN: Final = re.compile(r",\s*(?=[a-z_]+=)")


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """Which field holds what.

    Attributes:
        names: The name of a field in the file by role: ``query``, ``expected``, ``id``, ``facts``,
            ``grade``, ``grades`` or a customary stratum. A dot leads into an object.
    """

    names: Mapping[str, str]

    @classmethod
    def read(cls, texts: Iterable[str]) -> "FieldMapping":
        """Read ``query=question,expected=gold``, all in one or each alone.

        Raises:
            InputError: A text is no such list, or a role does not exist or stands there twice.
        """
        pairs = [pair for text in texts for pair in _BETWEEN.split(text)]
        names: dict[str, str] = {}
        for pair in pairs:
            role, separator, name = pair.partition("=")
            if not separator or not name.strip():
                raise InputError(
                    f"--fields: wanted ROLE=FIELD, as in query=question, found {pair!r}"
                )
            if role.strip() in names:
                raise InputError(f"--fields: {role.strip()} stands there twice")
            names[role.strip()] = name.strip()
        return cls.of(names)

    @classmethod
    def of(cls, names: Mapping[str, str]) -> "FieldMapping":
        """Take the names of fields by role.

        Raises:
            InputError: A role does not exist.
        """
        for role in names:
            if role not in ROLES:
                hint = _hint(role)
                raise InputError(f"--fields: {role!r} is no part of a query; {hint}")
        return cls(dict(names))

    def apply(self, located: LocatedRow) -> LocatedRow:
        """Give the fields of a row the names that lists and tables are read by.

        Raises:
            InputError: The row has no such field for its query, or for what that expects.
        """
        row = dict(located.row)
        for role, name in self.names.items():
            canonical_name = ROLES[role]
            value = _find(located.row, name)
            if value is None and role in _NEEDED:
                raise _missing(located, role, name)
            # A field of that name meant something else, or it would not have been renamed.
            for field in located.row:
                if field.lower() == canonical_name:
                    row.pop(field, None)
            if value is not None:
                row[canonical_name] = value
        return LocatedRow(located.place, row)

    def __str__(self) -> str:
        return ",".join(f"{role}={name}" for role, name in self.names.items())


def _find(row: Row, name: str) -> object:
    """Find a field by its name, or by a path of names with dots; None where there is none."""
    if name in row:
        return row[name]
    first_name, separator, further_names = name.partition(".")
    value = row.get(first_name)
    if separator and isinstance(value, dict):
        return _find(value, further_names)
    return None


def _missing(located: LocatedRow, role: str, name: str) -> InputError:
    fields = ", ".join(quote_excerpt(field) for field in located.row)
    return InputError(
        f"{located.place}: wanted the field {quote_excerpt(name)} ({role}), found {fields}"
    )


def _hint(unknown_role: str) -> str:
    """Say which role is meant, or which ones there are."""
    similar = get_close_matches(unknown_role, ROLES, n=1)
    if similar:
        return f"did you mean {similar[0]}?"
    roles = ", ".join(ROLES)
    return f"wanted {roles}"
