"""What a snapshot says of a codebase: entities with exact spans, files that do not parse, and
calls.
"""

from pathlib import Path

import pytest

from goldwright.snapshot import Snapshot, UnknownPathError, open_snapshot
from goldwright.snapshot.entities import Span
from units.snapshot.codebases import OpenFiles


def spans(snapshot: Snapshot, entity_id: str) -> list[tuple[int, int]]:
    entity = snapshot.entity(entity_id)
    assert entity is not None, entity_id
    return [(span.first, span.last) for span in entity.spans]


def callees(snapshot: Snapshot, entity_id: str) -> list[str]:
    return [site.entity_id for site in snapshot.graph.callees(entity_id)]


def test_every_kind_of_definition_has_its_span_from_the_first_decorator(
    open_files: OpenFiles,
) -> None:
    """Functions, classes, methods, nested ones and names, with decorators."""
    snapshot = open_files(
        {
            "a.py": "LIMIT = 3\n\n@one\n@two(\n    1)\ndef f():\n    def inner():\n        pass\n"
            "    return inner\n\nclass C:\n    size: int = 0\n\n    @property\n"
            "    def width(self):\n        return 1\n\n    async def go(self): ...\n"
        }
    )
    entities = snapshot.entities_in("a.py")
    assert {entity.name: (entity.kind, entity.spans) for entity in entities} == {
        "LIMIT": ("variable", (Span(1, 1),)),
        "f": ("function", (Span(3, 9),)),
        "f.inner": ("function", (Span(7, 8),)),
        "C": ("class", (Span(11, 18),)),
        "C.size": ("variable", (Span(12, 12),)),
        "C.width": ("method", (Span(14, 16),)),
        "C.go": ("method", (Span(18, 18),)),
    }


def test_several_definitions_of_one_name_are_one_entity(open_files: OpenFiles) -> None:
    """Property setters, overloads and branches add spans."""
    snapshot = open_files(
        {
            "a.py": "class C:\n    @property\n    def x(self): ...\n"
            "    @x.setter\n    def x(self, v): ...\n\n"
            "if A:\n    def f(): ...\nelse:\n    def f(): ...\n"
            "try:\n    import z\nexcept E:\n    y = 1\nwith q:\n    y = 2\n"
        }
    )
    assert spans(snapshot, "a.py::C.x") == [(2, 3), (4, 5)]
    assert spans(snapshot, "a.py::f") == [(8, 8), (10, 10)]
    assert spans(snapshot, "a.py::y") == [(14, 14), (16, 16)]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"# -*- coding: latin-1 -*-\nname = '\xe9'\ndef f(): ...\n", 3),
        (b"\xef\xbb\xbfx = 1\ndef f(): ...\n", 2),
        (b"x = 1\r\ndef f(): ...\r\n", 2),
        (b"x = 1\rdef f(): ...\r", 2),
        (b"x = 1\n\x0c\ndef f(): ...", 3),
        ("x = '\u2028\u0085'\ndef f(): ...\n".encode(), 2),
    ],
)
def test_lines_are_counted_as_python_counts_them(
    open_files: OpenFiles, content: bytes, line: int
) -> None:
    """Encodings, byte order marks, carriage returns, form feeds and separators that end no line."""
    snapshot = open_files({"a.py": content})
    assert spans(snapshot, "a.py::f") == [(line, line)]
    assert snapshot.source("a.py").lines[line - 1].lstrip("\x0c") == "def f(): ..."
    assert snapshot.line_count("a.py") == line


@pytest.mark.parametrize(
    "content",
    [
        b"def f(:\n",
        b"x = 1\0\n",
        b"# coding: nonesuch\nx = 1\n",
        b"# coding: punycode\nx = 1\n",
        b"# coding: undefined\nx = 1\n",
        b"# coding: zlib\nx = 1\n",
        b"x = '\xff'\n",
        b"print 'two'\n",
        b"x = " + b"(" * 5000 + b")" * 5000,
        b"x = a" + b".b" * 100_000,
        b"x = " + b"-" * 100_000 + b"1",
        b"if a: pass\n" + b"elif b: pass\n" * 5000,
        b"x = " + b"{1:" * 3000 + b"1" + b"}" * 3000 + b"\ntype X = 1\n",
    ],
)
def test_a_file_that_does_not_parse_is_listed_with_its_reason_and_stops_nothing(
    open_files: OpenFiles, content: bytes
) -> None:
    """The other files are indexed, and the bad one can still be shown."""
    snapshot = open_files({"bad.py": content, "good.py": "def f(): ...\n"})
    assert list(snapshot.unparsed) == ["bad.py"]
    assert "\n" not in snapshot.unparsed["bad.py"]
    assert snapshot.unparsed["bad.py"]
    assert spans(snapshot, "good.py::f") == [(1, 1)]
    assert snapshot.entities_in("bad.py") == ()
    # With a null byte it is no text, and nothing of it is shown.
    assert b"\0" in content or snapshot.source("bad.py").lines


def test_an_encoding_of_names_is_no_encoding_of_a_file(open_files: OpenFiles) -> None:
    """Python refuses the bytes; a person sees them all the same."""
    snapshot = open_files({"a.py": b"# coding: idna\nname = '\xc3\xa9'\n"})
    assert snapshot.source("a.py").lines[1] == "name = 'é'"
    assert list(snapshot.unparsed) == ["a.py"]


def test_syntax_that_is_newer_than_the_interpreter_is_read_all_the_same(
    open_files: OpenFiles,
) -> None:
    """Type parameters, type statements and nested quotes in f-strings."""
    snapshot = open_files(
        {
            "a.py": "type Pair[T] = tuple[T, T]\n\n@deco\ndef f[T](x: T) -> T:\n    return x\n\n"
            "class C[T]:\n    def m(self): ...\n"
        }
    )
    assert spans(snapshot, "a.py::f") == [(3, 5)]
    assert spans(snapshot, "a.py::C.m") == [(8, 8)]
    assert not snapshot.unparsed


def test_calls_are_followed_through_imports_re_exports_and_packages(open_files: OpenFiles) -> None:
    """Absolute, relative, aliased and star imports, from a source root of any name."""
    snapshot = open_files(
        {
            "src/shop/__init__.py": "from .core import run\nfrom shop.extra import *\n",
            "src/shop/core.py": "def run(): ...\n",
            "src/shop/extra.py": "def spare(): ...\n",
            "src/shop/deep/__init__.py": "",
            "src/shop/deep/use.py": "import shop\nimport shop.core as c\n"
            "from ..core import run as go\nfrom shop import spare\n\n"
            "def f():\n    go()\n    c.run()\n    shop.run()\n    spare()\n    len([])\n",
        }
    )
    core, extra = "src/shop/core.py::run", "src/shop/extra.py::spare"
    assert callees(snapshot, "src/shop/deep/use.py::f") == [core, core, core, extra]
    assert [site.line for site in snapshot.graph.callers(extra)] == [10]


def test_calls_on_self_super_attributes_and_locals_reach_the_method(open_files: OpenFiles) -> None:
    """Through base classes, and through what an attribute or a local was made by."""
    snapshot = open_files(
        {
            "a.py": "class Engine:\n    def start(self): ...\n\n"
            "class Base:\n    def go(self): ...\n    def stop(self): ...\n\n"
            "class Car(Base):\n    def __init__(self):\n        self.engine = Engine()\n\n"
            "    def go(self):\n        super().go()\n        self.stop()\n"
            "        self.engine.start()\n        other = Engine()\n        other.start()\n"
            "        Car.go(self)\n        unknown.start()\n"
        }
    )
    assert callees(snapshot, "a.py::Car.go") == [
        "a.py::Base.go",
        "a.py::Base.stop",
        "a.py::Engine.start",
        "a.py::Engine",
        "a.py::Engine.start",
    ]
    assert snapshot.graph.bases("a.py::Car") == ("a.py::Base",)
    assert snapshot.graph.subclasses("a.py::Base") == ("a.py::Car",)


def test_a_nested_function_keeps_its_calls_to_itself(open_files: OpenFiles) -> None:
    """The outer one calls the inner one, and nothing that only the inner one calls."""
    snapshot = open_files(
        {"a.py": "def far(): ...\n\ndef outer():\n    def inner():\n        far()\n    inner()\n"}
    )
    assert callees(snapshot, "a.py::outer") == ["a.py::outer.inner"]
    assert callees(snapshot, "a.py::outer.inner") == ["a.py::far"]


def test_modules_that_import_everything_from_one_another_are_each_looked_through_once(
    open_files: OpenFiles,
) -> None:
    """There are 30 to the power of eight ways through them."""
    names = [f"stars_{number}" for number in range(30)]
    stars = "".join(f"from {name} import *\n" for name in names)
    files = {f"{name}.py": stars for name in names}
    files["stars_29.py"] += "def far():\n    return nowhere()\n"
    files["a.py"] = "from stars_0 import *\n\ndef f():\n    far()\n    nowhere()\n"
    snapshot = open_files(files)
    assert callees(snapshot, "a.py::f") == ["stars_29.py::far"]


def test_entities_are_linked_by_registries_members_and_decorators(open_files: OpenFiles) -> None:
    """One hop either way, whatever kind of hop."""
    snapshot = open_files(
        {
            "a.py": "def deco(f): ...\nclass A:\n    def m(self): ...\n"
            "@deco\ndef g(): ...\nTABLE = {'a': A, 'g': g}\n"
        }
    )
    linked = snapshot.graph.linked
    assert linked("a.py::TABLE") == {"a.py::A", "a.py::g"}
    assert linked("a.py::A") == {"a.py::A.m", "a.py::TABLE"}
    assert linked("a.py::g") == {"a.py::deco", "a.py::TABLE"}


def test_the_number_of_workers_and_a_cache_change_nothing(tmp_path: Path) -> None:
    """Enough text for a pool: one process, two, and the cache give the same entities and edges."""
    code = tmp_path / "code"
    code.mkdir()
    body = "".join(
        f"def f{n}():\n    '''{'words ' * 40}'''\n    return f{n - 1 if n else 0}()\n\n"
        for n in range(120)
    )
    for number in range(60):
        (code / f"m{number}.py").write_text(body + f"def last{number}(): return f{number}()\n")

    def look(cache: str, workers: int) -> list[object]:
        snapshot = open_snapshot(code, cache=tmp_path / cache, workers=workers)
        return [
            (entity, snapshot.graph.callees(entity.entity_id)) for entity in snapshot.entities()
        ]

    alone = look("one", 1)
    assert len(alone) == 60 * 121
    assert look("two", 2) == alone
    assert look("two", 1) == alone


def test_a_damaged_cache_is_built_again(open_files: OpenFiles, tmp_path: Path) -> None:
    """A cache is never trusted beyond its digest."""
    files = {"a.py": "def f(): ...\n"}
    before = list(open_files(files).entities())
    for path in (tmp_path / "cache/index").iterdir():
        path.write_bytes(path.read_bytes()[:-3] + b"xyz")
    assert list(open_files(files).entities()) == before


def test_only_text_files_of_the_tree_are_read(open_files: OpenFiles) -> None:
    """Binary content and paths that are not there are refused by name."""
    snapshot = open_files({"a.py": "x = 1\n", "data.bin": b"\0\1\2", "odd.txt": b"a\0b"})
    assert snapshot.has_text("a.py")
    for path in ("data.bin", "odd.txt", "nowhere.py", "../a.py", "/etc/passwd"):
        assert not snapshot.has_text(path)
        with pytest.raises(UnknownPathError, match="no text file"):
            snapshot.source(path)
