"""The table of what calls of libraries do."""

import tomllib
from importlib.resources import files
from itertools import chain

import pytest

from goldwright.offline_agents.inquiries.library_deeds import LibraryDeed, deeds_by_name

DEEDS = list(dict.fromkeys(deeds_by_name().values()))


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.do.replace(" ", "-"))
def test_both_forms_of_a_deed_say_the_same(deed: LibraryDeed) -> None:
    """They differ in the endings of verbs alone."""
    forms = zip(deed.do.split(), deed.does.split(), strict=True)
    endings = {does.removeprefix(do) for do, does in forms if do != does}
    assert endings <= {"s", "es"} or deed.do.startswith(("copy", "look"))
    assert deed.do != deed.does


def test_no_name_stands_for_two_deeds() -> None:
    """A call would be asked about in two ways, and each would be half of the answer."""
    table = files("goldwright.offline_agents.inquiries").joinpath("library_deeds.toml")
    rows = tomllib.loads(table.read_text("utf-8"))["deed"]
    names = list(chain.from_iterable(row["names"] for row in rows))
    assert len(names) == len(set(names)) > 200
