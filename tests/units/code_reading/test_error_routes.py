"""What becomes of an error on its way up: caught by a clause, let through, or nobody can say."""

from pathlib import Path

import pytest

from goldwright.code_reading.error_classes import error_class, is_kind_of
from goldwright.code_reading.error_routes import (
    ErrorStep,
    closed_catchers,
    error_step,
    escapes,
    raises_when_called,
)
from goldwright.code_reading.modules import open_function, open_module
from goldwright.snapshot import Snapshot, open_snapshot

SOURCES = {
    "harbour/errors.py": """
class HarbourError(Exception): ...

class StormError(HarbourError): ...

class FogError(HarbourError, LookupError): ...
""",
    "harbour/boats.py": """
import contextlib
import functools
import socket
from socket import timeout as Late

from harbour.errors import FogError, HarbourError, StormError

NightError = make_error("NightError")


class BoatError(socket.herror): ...


def sail(boat):
    if boat.is_old:
        raise StormError("the boat is too old")
    return boat


async def drift(boat):
    raise StormError("nobody steers")


def legs(boat):
    raise StormError("later")
    yield boat


@functools.cache
def chart(boat): ...


@staticmethod
def plan(boat): ...


def exact(boat):
    try:
        return sail(boat)
    except StormError:
        return None


def by_base(boat):
    try:
        sail(boat)
    except (ValueError, HarbourError) as error:
        print(error)
        print(boat)


def by_nothing(boat):
    try:
        sail(boat)
    except:
        return None


def of_another_kind(boat):
    try:
        sail(boat)
    except FogError:
        return None


def outer_clause(boat):
    try:
        try:
            sail(boat)
        except ValueError:
            return 1
    except LookupError:
        return 2
    except StormError:
        return 3


def innermost_first(boat):
    try:
        try:
            sail(boat)
        except HarbourError:
            return 1
    except StormError:
        return 2


def again(boat):
    try:
        sail(boat)
    except StormError:
        print(boat)
        raise


def again_by_name(boat):
    try:
        sail(boat)
    except StormError as storm:
        raise storm


def another_error(boat):
    try:
        sail(boat)
    except StormError as storm:
        raise ValueError("no") from storm


def in_the_clause(boat):
    try:
        boat.call()
    except StormError:
        sail(boat)


def behind_the_try(boat):
    try:
        boat.call()
    except StormError:
        return None
    return sail(boat)


def two_ways(boat):
    sail(boat)
    try:
        sail(boat)
    except StormError:
        return None


def twice_alike(boat):
    sail(boat)
    boat.fleet.sail(
        boat
    )


def suppressed(boat):
    with contextlib.suppress(StormError):
        sail(boat)


def beside_the_with(boat):
    with contextlib.suppress(StormError):
        print(boat)
    sail(boat)


def in_another_with(boat):
    with open(boat) as file:
        sail(file)


def unsure(boat):
    try:
        sail(boat)
    except NightError:
        return None


def unsure_but_covered(boat):
    try:
        sail(boat)
    except (NightError, Exception):
        return None


async def waits(boat):
    try:
        await drift(boat)
    except StormError:
        return None


async def does_not_wait(boat):
    try:
        return drift(boat)
    except StormError:
        return None


class Harbour:
    def open(self):
        raise StormError("the harbour is shut")

    def enter(self):
        try:
            self.open()
        except StormError:
            return None


def goes_through_legs(boat):
    return legs(boat)


def lets_everything_through(boat):
    return sail(boat)
""",
}
STORM = "harbour/errors.py::StormError"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root: Path = tmp_path_factory.mktemp("harbour")
    for path, code in SOURCES.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(code)
    return open_snapshot(root, cache=tmp_path_factory.mktemp("cache"))


def boat_id(name: str) -> str:
    return f"harbour/boats.py::{name}"


def step_of(harbour: Snapshot, caller: str, callee: str = "sail") -> ErrorStep | None:
    return error_step(harbour, boat_id(caller), boat_id(callee), STORM)


@pytest.mark.parametrize(
    ("caller", "clause"),
    [
        ("exact", "StormError"),
        ("by_base", "(ValueError, HarbourError)"),
        ("by_nothing", "BaseException"),
        ("outer_clause", "StormError"),
        ("innermost_first", "HarbourError"),
        ("again", "StormError"),
        ("unsure_but_covered", "(NightError, Exception)"),
        ("of_another_kind", ""),
        ("in_the_clause", ""),
        ("behind_the_try", ""),
        ("twice_alike", ""),
        ("beside_the_with", ""),
        ("in_another_with", ""),
        ("lets_everything_through", ""),
    ],
)
def test_an_error_is_taken_by_the_first_clause_for_it_or_its_bases(
    harbour: Snapshot, caller: str, clause: str
) -> None:
    step = step_of(harbour, caller)
    assert step is not None
    assert step.clause == clause
    assert (step.caller, step.callee) == (boat_id(caller), boat_id("sail"))
    assert bool(clause) == bool(step.clause_first) == bool(step.clause_last)


@pytest.mark.parametrize("caller", ["two_ways", "suppressed", "unsure", "exact_not_there"])
def test_where_calls_differ_or_anything_may_swallow_it_nobody_knows(
    harbour: Snapshot, caller: str
) -> None:
    assert step_of(harbour, caller) is None


def test_an_error_of_a_coroutine_comes_up_where_it_is_awaited(harbour: Snapshot) -> None:
    step = step_of(harbour, "waits", "drift")
    assert step is not None
    assert step.clause == "StormError"
    assert step_of(harbour, "does_not_wait", "drift") is None


def test_an_error_of_a_method_comes_up_where_its_simple_name_is_called(harbour: Snapshot) -> None:
    step = step_of(harbour, "Harbour.enter", "Harbour.open")
    assert step is not None
    assert step.clause == "StormError"


def test_an_error_of_a_generator_comes_up_elsewhere(harbour: Snapshot) -> None:
    assert step_of(harbour, "goes_through_legs", "legs") is None


def test_a_step_shows_the_lines_of_the_call_and_of_the_clause(harbour: Snapshot) -> None:
    lines = SOURCES["harbour/boats.py"].splitlines()
    step = step_of(harbour, "by_base")
    assert step is not None
    assert lines[step.first - 1].strip() == "sail(boat)"
    assert lines[step.clause_first - 1].strip().startswith("except (ValueError")
    assert lines[step.clause_last - 1].strip() == "print(boat)"
    several = step_of(harbour, "twice_alike")
    assert several is not None
    assert lines[several.first - 1].strip() == "sail(boat)", "the first of equal calls"
    assert several.first == several.last


@pytest.mark.parametrize(
    ("caller", "is_raised_again"),
    [("again", True), ("again_by_name", True), ("another_error", False), ("exact", False)],
)
def test_the_same_error_raised_again_is_not_caught_for_good(
    harbour: Snapshot, caller: str, *, is_raised_again: bool
) -> None:
    step = step_of(harbour, caller)
    assert step is not None
    assert step.raises_again is is_raised_again


@pytest.mark.parametrize(
    ("name", "raises"),
    [("sail", True), ("drift", True), ("legs", False), ("chart", False), ("plan", True)],
)
def test_a_decorator_or_a_yield_leaves_open_where_errors_come_up(
    harbour: Snapshot, name: str, *, raises: bool
) -> None:
    opened = open_function(harbour, boat_id(name))
    assert opened is not None
    assert raises_when_called(opened[1]) is raises


@pytest.mark.parametrize(
    ("name", "is_sure"),
    [
        ("exact", False),
        ("of_another_kind", True),
        ("in_the_clause", True),
        ("suppressed", False),
        ("beside_the_with", True),
        ("in_another_with", True),
        ("unsure", False),
        ("nowhere", False),
    ],
)
def test_what_no_clause_and_no_with_takes_leaves_the_function(
    harbour: Snapshot, name: str, *, is_sure: bool
) -> None:
    lines = SOURCES["harbour/boats.py"].splitlines()
    start = next((place for place, line in enumerate(lines) if f"def {name}(" in line), 0)
    line = next(place for place in range(start, len(lines)) if "sail(" in lines[place]) + 1
    assert escapes(harbour, boat_id(name), line, STORM) is is_sure


def write(root: Path, code: str) -> Snapshot:
    (root / "code").mkdir()
    (root / "code" / "sea.py").write_text(code)
    return open_snapshot(root / "code", cache=root / "cache")


@pytest.mark.parametrize(
    ("manager", "may_keep_it"),
    [
        ("suppress(KeyError)", True),
        ("ignoring(self)", True),
        ("catch_warnings()", True),
        ("error_log()", True),
        ("no_exceptions", True),
        ("pytest.raises(KeyError)", True),
        ("wrapped()", True),
        ("lock", False),
        ("lock, suppress(KeyError)", True),
    ],
)
def test_a_with_that_sounds_like_errors_may_keep_them_to_itself(
    tmp_path: Path, manager: str, *, may_keep_it: bool
) -> None:
    code = f"def dive():\n    with {manager}:\n        look()\n        swim()\n    rest()\n"
    snapshot = write(tmp_path, code)
    error = "builtins::KeyError"
    for line, is_inside in ((2, False), (3, True), (4, True), (5, False)):
        assert escapes(snapshot, "sea.py::dive", line, error) is not (is_inside and may_keep_it)


MANAGERS = """
from contextlib import contextmanager

@contextmanager
def noted():
    try:
        yield
    except KeyError:
        note()
        raise

@contextmanager
def timed():
    try:
        yield
    finally:
        note()

class Rope:
    def __exit__(self, kind, value, traceback):
        return kind is KeyError

class Anchor:
    def __exit__(self, kind, value, traceback):
        if kind is None:
            return False
        raise_anchor()
"""


@pytest.mark.parametrize(
    ("manager", "may_take_it"),
    [
        ("noted()", True),
        ("self.noted()", True),
        ("timed()", False),
        ("Rope()", True),
        ("Anchor()", False),
        ("open(place)", False),
    ],
)
def test_what_our_own_managers_do_with_errors_is_read(
    tmp_path: Path, manager: str, *, may_take_it: bool
) -> None:
    code = f"{MANAGERS}\ndef dive():\n    with {manager}:\n        look()\n"
    snapshot = write(tmp_path, code)
    line = code.splitlines().index("        look()") + 1
    assert escapes(snapshot, "sea.py::dive", line, "builtins::KeyError") is not may_take_it


SEA = """
class WaveError(Exception): ...

def swim():
    raise WaveError("high")

def bold():
    swim()

def careful():
    try:
        swim()
    except WaveError:
        return None
"""


def catchers(snapshot: Snapshot) -> list[str] | None:
    steps = closed_catchers(snapshot, "sea.py::swim", "sea.py::WaveError", ["sea.py"])
    return None if steps is None else [step.caller for step in steps]


def test_all_that_catch_an_error_are_a_closed_set(tmp_path: Path) -> None:
    assert catchers(write(tmp_path, SEA)) == ["sea.py::careful"]


@pytest.mark.parametrize(
    "addition",
    [
        "def odd(pool):\n    try:\n        pool.swim()\n    except WaveError:\n        return 1\n",
        # With overloads there are several definitions of one name.
        (
            "@overload\ndef odd(pool): ...\n\ndef odd(pool):\n    try:\n        swim()\n"
            "    except WaveError:\n        pass\n"
        ),
        "def back():\n    try:\n        swim()\n    except WaveError:\n        raise\n",
        "def maybe():\n    try:\n        swim()\n    except make():\n        return 1\n",
        "def quiet():\n    with contextlib.suppress(WaveError):\n        swim()\n",
    ],
    ids=["an unknown object", "overloads", "raised again", "an unknown class", "suppressed"],
)
def test_one_doubtful_catcher_leaves_the_set_open(tmp_path: Path, addition: str) -> None:
    assert catchers(write(tmp_path, f"{SEA}\n{addition}")) is None


def test_a_caller_that_catches_nothing_of_it_is_no_catcher(tmp_path: Path) -> None:
    other = "def other():\n    try:\n        swim()\n    except KeyError:\n        return 1\n"
    assert catchers(write(tmp_path, f"{SEA}\n{other}")) == ["sea.py::careful"]


@pytest.mark.parametrize(
    ("name", "class_id"),
    [
        ("StormError", STORM),
        ("BoatError", "harbour/boats.py::BoatError"),
        ("KeyError", "builtins::KeyError"),
        ("IOError", "builtins::OSError"),
        ("EnvironmentError", "builtins::OSError"),
        ("socket.herror", "elsewhere::socket.herror"),
        ("Late", "elsewhere::socket.timeout"),
        ("NightError", None),
        ("sail", None),
        ("len", None),
        ("Unheard", None),
    ],
)
def test_a_name_means_a_class_or_nobody_knows(
    harbour: Snapshot, name: str, class_id: str | None
) -> None:
    module = open_module(harbour, "harbour/boats.py")
    assert module is not None
    assert error_class(harbour, module, name) == class_id


@pytest.mark.parametrize(
    ("error", "caught", "is_taken"),
    [
        (STORM, STORM, True),
        (STORM, "harbour/errors.py::HarbourError", True),
        (STORM, "builtins::Exception", True),
        (STORM, "builtins::BaseException", True),
        (STORM, "builtins::ValueError", False),
        ("harbour/errors.py::HarbourError", STORM, False),
        ("harbour/errors.py::FogError", "builtins::LookupError", True),
        ("builtins::KeyError", "builtins::LookupError", True),
        ("builtins::LookupError", "builtins::KeyError", False),
        ("elsewhere::socket.herror", "builtins::Exception", True),
        ("elsewhere::socket.herror", "builtins::OSError", None),
        ("harbour/boats.py::BoatError", "builtins::Exception", True),
        ("harbour/boats.py::BoatError", "builtins::OSError", None),
        ("harbour/boats.py::sail", "builtins::OSError", None),
        ("nowhere.py::LostError", "builtins::OSError", None),
    ],
)
def test_a_clause_takes_a_class_and_what_derives_from_it(
    harbour: Snapshot, error: str, caught: str, *, is_taken: bool | None
) -> None:
    assert is_kind_of(harbour, error, caught) is is_taken


def test_a_name_that_is_imported_from_two_places_means_neither(tmp_path: Path) -> None:
    snapshot = write(
        tmp_path,
        "try:\n    from a import BoatError\nexcept ImportError:\n    from b import BoatError\n",
    )
    module = open_module(snapshot, "sea.py")
    assert module is not None
    assert error_class(snapshot, module, "BoatError") is None
    assert error_class(snapshot, module, "ImportError") == "builtins::ImportError"


def test_a_built_in_name_that_a_file_assigns_is_not_the_built_in(tmp_path: Path) -> None:
    snapshot = write(tmp_path, "for KeyError in other:\n    pass\nprint(KeyError, OSError)\n")
    module = open_module(snapshot, "sea.py")
    assert module is not None
    assert error_class(snapshot, module, "KeyError") is None
    assert error_class(snapshot, module, "OSError") == "builtins::OSError"
