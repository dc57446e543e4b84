"""Which entities are the same code."""

import textwrap

import pytest

from goldwright.snapshot.languages.python.clones import same_code
from units.snapshot.codebases import OpenFiles

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
    return textwrap.indent(text, "    ")


def test_the_same_code_under_other_names_is_a_clone(open_files: OpenFiles) -> None:
    snapshot = open_files(
        {"z.py": TOTAL, "a.py": RENAMED, "m/b.py": f"class C:\n{indented(TOTAL)}"}
    )
    assert same_code(snapshot, ["z.py::total"]) == {
        "z.py::total": ("a.py::sum_up", "m/b.py::C.total")
    }
    assert same_code(snapshot, ["a.py::sum_up", "m/b.py::C.total"]) == {
        "a.py::sum_up": ("m/b.py::C.total", "z.py::total"),
        "m/b.py::C.total": ("a.py::sum_up", "z.py::total"),
    }


@pytest.mark.parametrize(
    ("before", "after"),
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
def test_code_that_does_something_else_is_none(
    open_files: OpenFiles, before: str, after: str
) -> None:
    snapshot = open_files({"a.py": TOTAL, "b.py": TOTAL.replace(before, after)})
    assert same_code(snapshot, ["a.py::total"]) == {}


def test_classes_have_clones_and_so_have_their_methods(open_files: OpenFiles) -> None:
    method = "    def open(self):\n        return Till(self.total([]), self)\n"
    text = f"class Till:\n{indented(TOTAL)}{method}"
    snapshot = open_files(
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
        '    raise NotImplementedError("subclasses say what a total is, and how much counts")',
        "    return self._x",
        "    self.a = rows\n    self.b = limit\n    self.c = rest\n    self.d = more",
    ],
)
def test_trivial_code_has_no_clones(open_files: OpenFiles, body: str) -> None:
    parameters = "self, rows: list[int], limit: int = 3, rest: str = 'x', more: bytes = b'y'"
    text = f"def f({parameters}) -> None:\n{body}\n"
    snapshot = open_files({"a.py": text, "b.py": text})
    assert same_code(snapshot, ["a.py::f"]) == {}


def test_a_class_of_stubs_has_no_clones(open_files: OpenFiles) -> None:
    stubs = "class P:\n" + "".join(
        f"    def f{n}(self, a: int, b: int = {n}) -> int: ...\n" for n in range(9)
    )
    assert same_code(open_files({"a.py": stubs, "b.pyi": stubs}), ["a.py::P", "a.py::P.f1"]) == {}


def test_overloads_are_no_code(open_files: OpenFiles) -> None:
    stub = "@typing.overload\ndef total(rows: int, limit: int = ...) -> int: ...\n\n\n"
    snapshot = open_files({"a.py": stub + TOTAL, "b.py": TOTAL, "c.py": stub, "d.py": stub})
    assert same_code(snapshot, ["b.py::total", "c.py::total"]) == {"b.py::total": ("a.py::total",)}


def test_what_stands_inside_an_entity_is_no_clone_of_it(open_files: OpenFiles) -> None:
    inner = f"{TOTAL.replace('total', 'outer')[:-1]}"
    snapshot = open_files(
        {"a.py": f"class outer:\n    class outer:\n{indented(indented(inner))}\n", "b.py": inner}
    )
    assert same_code(snapshot, ["a.py::outer", "a.py::outer.outer"]) == {}
    assert same_code(snapshot, ["a.py::outer.outer.outer"]) == {
        "a.py::outer.outer.outer": ("b.py::outer",)
    }


def test_the_bare_name_of_a_method_means_another_function_inside_it(open_files: OpenFiles) -> None:
    text = TOTAL.replace("(rows", "(self, rows").replace("found = 0", "found = total(self)")
    renamed = text.replace("total(", "sum_up(")
    methods = open_files(
        {"a.py": f"class C:\n{indented(text)}", "b.py": f"class C:\n{indented(renamed)}"}
    )
    assert same_code(methods, ["a.py::C.total"]) == {}
    functions = open_files({"a.py": text, "b.py": renamed})
    assert same_code(functions, ["a.py::total"]) == {"a.py::total": ("b.py::sum_up",)}


def test_files_that_do_not_parse_are_passed_over(open_files: OpenFiles) -> None:
    snapshot = open_files({"a.py": TOTAL, "b.py": RENAMED, "broken.py": f"{TOTAL}\ndef (:\n"})
    ids = ["a.py::total", "broken.py::total", "missing.py::f", "a.py", "a.py::nothing"]
    assert same_code(snapshot, ids) == {"a.py::total": ("b.py::sum_up",)}


def test_without_entities_there_are_no_clones(open_files: OpenFiles) -> None:
    assert same_code(open_files({"a.py": TOTAL, "b.py": TOTAL}), []) == {}
