"""What the code of an entity is: its text, and its form whatever its names."""

import pytest

from goldwright.snapshot import Snapshot
from goldwright.snapshot.entity_bodies import body_text
from goldwright.snapshot.languages.python.bodies import normal_form
from units.snapshot.codebases import OpenFiles

ORIGINAL = """\
def collect(rows, *rest, limit=3, **options):
    found = [row for row in rows if row.name]
    for one in rest:
        print(one, end="")
    def inner():
        nonlocal found
        found = collect(limit)
    with open(found) as stream:
        return f"{stream!r} {options}"
"""
RENAMED = '''\
def gather(lines, *others, limit_=3, **extra):
    """Say what it does."""
    kept = [x for x in lines if (x.name)]  # a comment
    for y in others: print(y, end='')

    def helper():
        nonlocal kept; kept = gather(limit_)
    with open(kept) as file:
        return f'{file!r} {extra}'
'''


def text(snapshot: Snapshot, entity_id: str) -> str:
    entity = snapshot.entity(entity_id)
    assert entity is not None
    return body_text(snapshot, entity)


def test_a_body_is_its_decorators_and_lines_dedented(open_files: OpenFiles) -> None:
    snapshot = open_files(
        {"a.py": b"class C:\n    @one\n    def f(self):  \n\n        return 1\n\n    x = 2\n"}
    )
    assert text(snapshot, "a.py::C.f") == "@one\ndef f(self):\n\n    return 1\n"
    assert text(snapshot, "a.py::C.x") == "x = 2\n"


def test_a_body_does_not_depend_on_line_ends(open_files: OpenFiles) -> None:
    snapshot = open_files(
        {
            "a.py": b"def f():\n    x = 1\n    return x\n",
            "b.py": b"def f():\r\n    x = 1\r\n    return x\r\n",
            "c.py": b"class C:\n\tdef f():\n\t    x = 1\n\t    return x\n",
        }
    )
    bodies = {text(snapshot, entity_id) for entity_id in ("a.py::f", "b.py::f", "c.py::C.f")}
    assert bodies == {"def f():\n    x = 1\n    return x\n"}


def test_several_definitions_of_one_name_are_one_body(open_files: OpenFiles) -> None:
    snapshot = open_files(
        {"a.py": b"if A:\n    def f(): ...\nelse:\n    def f():\n        return 2\n"}
    )
    assert text(snapshot, "a.py::f") == "def f(): ...\n\f\ndef f():\n    return 2\n"


def test_the_text_of_a_string_stays_as_it_is(open_files: OpenFiles) -> None:
    snapshot = open_files(
        {"a.py": b'class C:\n    def f(self):\n        return """\nleft \n    four""" \n'}
    )
    assert text(snapshot, "a.py::C.f") == 'def f(self):\n    return """\nleft \n    four"""\n'


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('def f():\n    return """a  \nb"""\n', 'def f():\n    return """a\nb"""\n'),
        ("def f():\n    return 'a \\\n  b'\n", "def f():\n    return 'a \\\nb'\n"),
        ('def f(x):\n    return f"""{x}  \n{x}"""\n', 'def f(x):\n    return f"""{x}\n{x}"""\n'),
        (
            'def f():\n    return """a\nb"""\n',
            'if True:\n    def f():\n        return """a\n    b"""\n',
        ),
        ('def f():\n    g(\n"""a\n  b"""\n    )\n', 'def f():\n    g(\n"""a\nb"""\n    )\n'),
    ],
)
def test_another_value_of_a_long_string_is_other_code(
    open_files: OpenFiles, first: str, second: str
) -> None:
    first_text = text(open_files({"a.py": first}), "a.py::f")
    assert text(open_files({"a.py": second}), "a.py::f") != first_text


def test_a_docstring_follows_its_definition_to_another_depth(open_files: OpenFiles) -> None:
    flat = open_files({"a.py": b'def f(self):\n    """One.\n\n    Two.\n    """\n    return 1\n'})
    deep = open_files(
        {
            "a.py": b'class C:\n    def f(self):\n        """One.\n\n'
            b'        Two.\n        """\n        return 1\n'
        }
    )
    assert text(flat, "a.py::f") == text(deep, "a.py::C.f")


def test_names_layout_comments_and_docstrings_do_not_show_in_the_normal_form() -> None:
    assert normal_form(ORIGINAL) is not None
    assert normal_form(ORIGINAL) == normal_form(RENAMED)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("def f(a, b): return a", "def f(x, y): return y"),
        ("def f(a): return a.x", "def f(a): return a.y"),
        ("def f(a): return g(a)", "def f(a): return h(a)"),
        ("def f(a): return g(k=a)", "def f(a): return g(l=a)"),
        ("def f(a): return 1", "def f(a): return 2"),
        ("def f(a): return 'x'", "def f(a): return b'x'"),
        ("def f(a): return a or None", "def f(a): return a and None"),
        ("def f(a):\n    global n\n    n = a", "def f(a):\n    n = a"),
        (
            "def f(a):\n    n = 1\n    def g():\n        n = a",
            "def f(a):\n    n = 1\n    def g():\n        nonlocal n; n = a",
        ),
        ("def f(a): return [b for b in a]", "def f(a): return [a for b in a]"),
        ("def f(a=n): return a", "def f(a=m): return a"),
        ("@one\ndef f(): return 1", "def f(): return 1"),
        ("async def f(a): return a", "def f(a): return a"),
        ("def f(a):\n    import os\n    return os", "def f(a):\n    import re\n    return re"),
        ("def f(*, a): return a", "def f(a): return a"),
    ],
)
def test_what_code_does_shows_in_the_normal_form(first: str, second: str) -> None:
    assert normal_form(first) is not None
    assert normal_form(first) != normal_form(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("def f(x: 'A') -> 'B[int]': return x", "def g(y: A) -> B[int]:\n    return y"),
        ("def f(n): return n and f(n - 1)", "def g(n): return n and g(n - 1)"),
        (
            "def f(a):\n    for b, *c in a: print(b, c)",
            "def f(x):\n    for y, *z in x: print(y, z)",
        ),
        (
            "def f(a):\n    try: g()\n    except E as b: print(b)",
            "def f(a):\n    try: g()\n    except E as c: print(c)",
        ),
        ("def f(a):\n    if (b := a): return b", "def f(a):\n    if (c := a): return c"),
        (
            "def f(a):\n    import os.path\n    return os.x",
            "def f(b):\n    import os.path\n    return os.x",
        ),
        ("def f(a): return lambda b, c=a: b + c", "def f(x): return lambda y, z=x: y + z"),
        (
            "def f(a):\n    match a:\n        case [b, *c] | P(k=b): return b, c",
            "def f(a):\n    match a:\n        case [x, *y] | P(k=x): return x, y",
        ),
        (
            "class A:\n    n = 1\n    def m(self, k): return A(k)",
            "class B:\n    n = 1\n    def m(me, l): return B(l)",
        ),
        (
            "def f(a):\n    from b import (c)\n    return c",
            "def f(a):\n    from b import c\n    return c",
        ),
        ("def f(a): return 'one' \"two\"", "def f(a): return ('one'\n    'two')"),
        ("def f(a): return 'one' f'{a} two'", "def f(b): return f'one{b} ' 'two'"),
        ("def f(a): return rf'\\{a}', '\\d'", "def f(b): return rf'\\{b}', r'\\d'"),
        ("def f(a): return 0xFF + 1_000 + 1e3", "def f(a): return 255 + 1000 + 1000.0"),
        ("def f[T](a: T) -> T: return a", "def f[U](b: U) -> U: return b"),
    ],
)
def test_local_names_are_a_matter_of_taste(first: str, second: str) -> None:
    assert normal_form(first) is not None
    assert normal_form(first) == normal_form(second)


def test_the_bare_name_of_a_method_means_something_else_inside_it() -> None:
    dumps, loads = "def dumps(self): return dumps(self.x)", "def loads(self): return loads(self.x)"
    assert normal_form(dumps) == normal_form(loads)
    assert normal_form(dumps, in_class=True) != normal_form(loads, in_class=True)


@pytest.mark.parametrize("name", ["x", "y"])
def test_attributes_of_a_class_keep_their_names(name: str) -> None:
    form = normal_form(f"class C:\n    {name} = 1\n    def get(self): return self.{name}")
    assert form is not None
    assert f"(Name {name} )" in form
    assert f".{name}" in form


@pytest.mark.parametrize(
    "text",
    [
        "def f(:",
        "def f():\n    return " + "[" * 300 + "]" * 300,
        "def f[T](): return " + "-" * 50_000 + "1",
        "def f(): return t'side' t'by side'",
    ],
)
def test_what_cannot_be_parsed_has_no_normal_form(text: str) -> None:
    assert normal_form(text) is None
