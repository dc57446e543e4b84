"""Which entities are the same code."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.snapshot.python.clones import same_code

Codebase = Callable[[Mapping[str, str]], Snapshot]

TOTAL = """\
def total(rows, limit=3):
    found = 0
    for row in rows:
        if row.price > limit:
            found += row.price * row.amount
    return found
"""
RENAMED = '''\
def sum_up(lines, most=3):
    """Add them up."""
    kept = 0  # cents
    for one in lines:
        if one.price > most: kept += one.price * one.amount

    return kept
'''


def indented(text: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())


@pytest.fixture
def codebase(tmp_path: Path) -> Codebase:
    def write(files: Mapping[str, str]) -> Snapshot:
        for name, content in files.items():
            path = tmp_path / "code" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return open_snapshot(tmp_path / "code", cache=tmp_path / "cache")

    return write


def test_the_same_code_under_other_names_is_a_clone(codebase: Codebase) -> None:
    snapshot = codebase({"z.py": TOTAL, "a.py": RENAMED, "m/b.py": f"class C:\n{indented(TOTAL)}"})
    assert same_code(snapshot, ["z.py::total"]) == {
        "z.py::total": ("a.py::sum_up", "m/b.py::C.total")
    }
    assert same_code(snapshot, ["a.py::sum_up", "m/b.py::C.total"]) == {
        "a.py::sum_up": ("m/b.py::C.total", "z.py::total"),
        "m/b.py::C.total": ("a.py::sum_up", "z.py::total"),
    }


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("row.price * row.amount", "row.price + row.amount"),
        ("row.price * row.amount", "row.amount * row.price"),
        ("found = 0", "found = 1"),
        ("limit=3", "limit=4"),
        ("limit=3", "*, limit=3"),
        ("> limit", "> LIMIT"),
        ("return found", "return row"),
        ("def total", "async def total"),
        ("def total", "@cached\ndef total"),
    ],
)
def test_code_that_does_something_else_is_none(codebase: Codebase, before: str, now: str) -> None:
    snapshot = codebase({"a.py": TOTAL, "b.py": TOTAL.replace(before, now)})
    assert same_code(snapshot, ["a.py::total"]) == {}


def test_classes_have_clones_and_so_have_their_methods(codebase: Codebase) -> None:
    text = f"class Till:\n{indented(TOTAL)}    def open(self):\n        return Till(self.total([]), self)\n"
    snapshot = codebase(
        {"a.py": text, "b.py": text.replace("Till", "Desk").replace("rows", "those")}
    )
    assert same_code(snapshot, ["a.py::Till", "a.py::Till.total", "a.py::Till.open"]) == {
        "a.py::Till": ("b.py::Desk",),
        "a.py::Till.total": ("b.py::Desk.total",),
    }


@pytest.mark.parametrize(
    "body",
    [
        "    ...",
        '    """Say a lot about nothing."""',
        "    pass",
        '    raise NotImplementedError("subclasses say what a total is, and how much of it counts for anything")',
        "    return self._x",
        "    self.a = rows\n    self.b = limit\n    self.c = rest\n    self.d = more",
    ],
)
def test_trivial_code_has_no_clones(codebase: Codebase, body: str) -> None:
    text = f"def f(self, rows: list[int], limit: int = 3, rest: str = 'x', more: bytes = b'y') -> None:\n{body}\n"
    snapshot = codebase({"a.py": text, "b.py": text})
    assert same_code(snapshot, ["a.py::f"]) == {}


def test_a_class_of_stubs_has_no_clones(codebase: Codebase) -> None:
    stubs = "class P:\n" + "".join(
        f"    def f{n}(self, a: int, b: int = {n}) -> int: ...\n" for n in range(9)
    )
    assert same_code(codebase({"a.py": stubs, "b.pyi": stubs}), ["a.py::P", "a.py::P.f1"]) == {}


def test_overloads_are_no_code(codebase: Codebase) -> None:
    stub = "@typing.overload\ndef total(rows: int, limit: int = ...) -> int: ...\n\n\n"
    snapshot = codebase({"a.py": stub + TOTAL, "b.py": TOTAL, "c.py": stub, "d.py": stub})
    assert same_code(snapshot, ["b.py::total", "c.py::total"]) == {"b.py::total": ("a.py::total",)}


def test_what_stands_inside_an_entity_is_no_clone_of_it(codebase: Codebase) -> None:
    inner = f"{TOTAL.replace('total', 'outer')[:-1]}"
    snapshot = codebase(
        {"a.py": f"class outer:\n    class outer:\n{indented(indented(inner))}\n", "b.py": inner}
    )
    assert same_code(snapshot, ["a.py::outer", "a.py::outer.outer"]) == {}
    assert same_code(snapshot, ["a.py::outer.outer.outer"]) == {
        "a.py::outer.outer.outer": ("b.py::outer",)
    }


def test_the_bare_name_of_a_method_means_another_function_inside_it(codebase: Codebase) -> None:
    text = TOTAL.replace("(rows", "(self, rows").replace("found = 0", "found = total(self)")
    other = text.replace("total(", "sum_up(")
    methods = codebase(
        {"a.py": f"class C:\n{indented(text)}", "b.py": f"class C:\n{indented(other)}"}
    )
    assert same_code(methods, ["a.py::C.total"]) == {}
    functions = codebase({"a.py": text, "b.py": other})
    assert same_code(functions, ["a.py::total"]) == {"a.py::total": ("b.py::sum_up",)}


def test_files_that_do_not_parse_are_passed_over(codebase: Codebase) -> None:
    snapshot = codebase({"a.py": TOTAL, "b.py": RENAMED, "broken.py": f"{TOTAL}\ndef (:\n"})
    asked = ["a.py::total", "broken.py::total", "missing.py::f", "a.py", "a.py::nothing"]
    assert same_code(snapshot, asked) == {"a.py::total": ("b.py::sum_up",)}


def test_nothing_asked_is_nothing_found(codebase: Codebase) -> None:
    assert same_code(codebase({"a.py": TOTAL, "b.py": TOTAL}), []) == {}
