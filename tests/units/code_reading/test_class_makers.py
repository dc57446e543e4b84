"""Who makes objects of a class, and where a name is used at all: nothing written is overlooked."""

from pathlib import Path

import pytest

from goldwright.code_reading.class_makers import closed_makers
from goldwright.code_reading.name_uses import uses_of
from goldwright.snapshot import Snapshot, open_snapshot
from units.code_reading.sources import PATH, CodeInMemory

POTTERY = """
class Pot: ...

def throw(clay):
    return Pot()

class Wheel:
    def turn(self, clay):
        return [Pot() for _ in clay]
"""


def write(root: Path, code: str) -> Snapshot:
    (root / "code").mkdir()
    (root / "code" / "kiln.py").write_text(code)
    return open_snapshot(root / "code", cache=root / "cache")


def makers(root: Path, code: str) -> list[str] | None:
    found = closed_makers(write(root, code), "kiln.py::Pot", ["kiln.py"])
    return None if found is None else [maker.partition("::")[2] for maker in found]


@pytest.mark.parametrize(
    "addition",
    [
        "def check(pot: Pot) -> Pot:\n    return isinstance(pot, Pot)",
        "def check(pot):\n    shelf: Pot = pot\n    return shelf",
        "def check(kind):\n    return issubclass(kind, (Pot, int))",
        "def check(pot):\n    try:\n        pot()\n    except Pot:\n        return 1",
        "__all__ = ['Pot']",
        "def check(pot):\n    return cast(pot, 'Pot')",
    ],
)
def test_annotations_checks_and_exports_make_nothing(tmp_path: Path, addition: str) -> None:
    assert makers(tmp_path, f"{POTTERY}\n{addition}\n") == ["throw", "Wheel.turn"]


@pytest.mark.parametrize(
    "addition",
    [
        "KINDS = [Pot]",
        "FIRST = Pot()",
        "def hand(shelf):\n    shelf.add(Pot)",
        "def hand(kind=Pot):\n    return kind()",
        "def hand(*, kind=Pot):\n    return kind()",
        "@register(Pot)\ndef hand(): ...",
        "class Vase(Pot): ...",
        "def hand():\n    shelf: object = Pot\n    return shelf",
        "def hand(module):\n    return getattr(module, 'Pot')()",
        "from other import Pot as Vase",
        "def hand(pot):\n    return isinstance(Pot, pot)",
        "def hand(pot):\n    try:\n        pot()\n    except OSError:\n        return Pot",
        "def hand(shop):\n    return shop.Pot",
        "def hand(shop):\n    return isinstance(pot, Pot) or Pot",
    ],
)
def test_a_class_that_is_handed_on_may_be_made_by_anybody(tmp_path: Path, addition: str) -> None:
    assert makers(tmp_path, f"{POTTERY}\n{addition}\n") is None


@pytest.mark.parametrize("made", ["cls(clay)", "type(self)(clay)", "self.__class__(clay)"])
@pytest.mark.parametrize("owner", ["Pot", "Clayware"])
def test_a_class_that_makes_its_own_kind_has_no_closed_makers(
    tmp_path: Path, owner: str, made: str
) -> None:
    # Of ``cls``, ``self`` and their like nobody who searches for ``Pot`` learns anything.
    copying = f"    def copy(self, cls, clay):\n        return {made}\n"
    bodies = {"Clayware": "    ...\n", "Pot": "    ...\n", owner: copying}
    classes = f"class Clayware:\n{bodies['Clayware']}\nclass Pot(Clayware):\n{bodies['Pot']}"
    assert makers(tmp_path, f"{classes}\ndef throw(clay):\n    return Pot()\n") is None


def test_arguments_of_the_making_are_looked_into(tmp_path: Path) -> None:
    nested = "def nest():\n    return Pot(inside=Pot())\n"
    assert makers(tmp_path, f"{POTTERY}\n{nested}") == ["throw", "Wheel.turn", "nest"]


def test_makers_in_other_files_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "test_kiln.py").write_text(
        "from kiln import Pot\n\ndef test_pot():\n    Pot()\n"
    )
    (tmp_path / "code" / "kiln.py").write_text(POTTERY)
    snapshot = open_snapshot(tmp_path / "code", cache=tmp_path / "cache")
    assert closed_makers(snapshot, "kiln.py::Pot", ["kiln.py"]) == (
        "kiln.py::throw",
        "kiln.py::Wheel.turn",
    )
    assert closed_makers(snapshot, "kiln.py::Pot", ["kiln.py", "missing.py"]) is None


@pytest.mark.parametrize(
    ("code", "uses"),
    [
        ("glaze()", [("", "call")]),
        ("pot.glaze()", [("", "call")]),
        ("pot.glaze", [("", "name")]),
        ("glaze().fire()", [("", "call")]),
        ("fire(glaze)", [("", "name")]),
        ("fire(glaze=1)", [("", "name")]),
        ("fire(**glaze)", [("", "name")]),
        ("getattr(pot, 'glaze')", [("", "string")]),
        ("'to glaze'", []),
        ("glaze = 1", []),
        ("pot.glaze = 1", []),
        ("del glaze", [("", "name")]),
        ("from shop import glaze", [("", "import")]),
        ("import shop.glaze", [("", "import")]),
        ("from shop import glaze as glaze", [("", "import")]),
        ("import shop.glaze as glaze", [("", "import")]),
        ("from shop import glaze as shine", [("", "import"), ("", "name")]),
        ("from shop import shine as glaze", []),
        ("__all__ = ['glaze']", []),
        ("__all__ += ['glaze']", []),
        ("__all__: list = ['glaze']", []),
        ("NAMES = ['glaze']", [("", "string")]),
        ("def glaze(): ...", []),
        ("def fire():\n    glaze()", [("fire", "call")]),
        ("class Pot:\n    def fire(self):\n        glaze()", [("Pot.fire", "call")]),
        ("def fire(act=glaze): ...", [("", "name")]),
        ("@glaze\ndef fire(): ...", [("", "name")]),
        ("@glaze()\ndef fire(): ...", [("", "call")]),
        ("class Pot(glaze): ...", [("", "name")]),
        ("def fire():\n    def inner():\n        return glaze", [("fire.inner", "name")]),
        ("glazed()", []),
    ],
)
def test_every_use_has_its_place_and_its_manner(code: str, uses: list[tuple[str, str]]) -> None:
    found = uses_of(CodeInMemory({PATH: f"{code}\n"}), [PATH], "glaze")
    assert [(use.owner, use.kind) for use in found] == uses
    assert all(use.path == PATH for use in found)


def test_a_use_is_on_the_line_where_it_stands() -> None:
    code = "fire(\n    1,\n    glaze=(\n        2),\n    pot=glaze,\n)\n"
    found = uses_of(CodeInMemory({PATH: code}), [PATH], "glaze")
    assert sorted(use.line for use in found) == [4, 5]
