"""Where a test of truth and a test for None part."""

import pytest

from goldwright.code_reading.modules import Function, Module, read_module
from goldwright.code_reading.truth_values import may_be_false_beside_none

CODE = """
class Crew:
    def __len__(self):
        return 0


class Captain:
    pass


class Boat:
    name: str | None = None
    captain = None

    def __init__(self, captain: Captain, crew: "Crew | None"):
        self.captain = captain
        self.crew = crew
        self.load = []

    def sail(
        self, wind, gear, size, flag=False,
        *, speed: int | None, place: "Path | None", rope: Optional[str],
        mate: Captain | None = None, call: Callable[[str], int] | None = None,
        kind: Literal["a", "b"] | None = None, hands: Crew | None = None,
    ):
        words = wind.split()
        gear.shift()
        if size > 3:
            return
        harbour = find_harbour(wind)
        copied = harbour
        named = rope
        either = harbour or ""
        count = 0 if wind else None
        nothing = None
        port = os.environ.get("PORT")
        sails = self.options.get("sails", [])
        rudder = self.options.get("rudder")
"""


def _sail() -> tuple[Module, Function]:
    module = read_module("boats.py", CODE.encode(), tuple(CODE.splitlines()))
    assert module is not None
    function = module.function("Boat.sail")
    assert function is not None
    return module, function


@pytest.mark.parametrize(
    "name",
    "wind size flag speed rope hands words named either count port sails "
    "self.name self.crew self.load".split(),
)
def test_what_can_be_empty_or_zero_is_told_from_none(name: str) -> None:
    assert may_be_false_beside_none(*_sail(), name)


@pytest.mark.parametrize(
    "name",
    "gear place mate call kind harbour copied nothing rudder unknown "
    "self.captain self.unknown".split(),
)
def test_what_shows_no_false_value_is_not(name: str) -> None:
    """Where an object is there or is None, one test says what the other says."""
    assert not may_be_false_beside_none(*_sail(), name)


def test_names_that_are_set_to_one_another_end() -> None:
    code = "def turn():\n    a = b\n    b = a\n"
    module = read_module("a.py", code.encode(), tuple(code.splitlines()))
    assert module is not None
    function = module.function("turn")
    assert function is not None
    assert not may_be_false_beside_none(module, function, "a")
