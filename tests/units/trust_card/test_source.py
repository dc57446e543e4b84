"""The trust card's own reading of code: what is defined, what names mean, who calls whom."""

import ast

import pytest

from goldwright.trust_card.source.callers import CallerIndex
from goldwright.trust_card.source.conditions import conditions_at, plain_tests, source_of
from goldwright.trust_card.source.families import ClassFamilies
from units.trust_card.codebases import reading

PACKAGE = {
    "src/app/__init__.py": "from .core import Engine\n",
    "src/app/core.py": '''
        """The core."""
        import functools
        from app import helpers
        from app.helpers import load as read

        class Engine:
            """Runs."""
            def run(self):
                return self.step()
            def step(self):
                return helpers.load()
            @property
            def speed(self):
                return read()

        class Fast(Engine):
            def step(self):
                return super().step()

        def make(kind):
            def inner():
                return read()
            load = kind
            load()
            return inner()
        ''',
    "src/app/helpers.py": """
        def load():
            return 1
        """,
    "src/app/use.py": """
        import app
        from app.core import Engine as Machine

        def start(machine: Machine):
            other = app.Engine()
            other.run()
            machine.run()
            unknown.run()

        START = Machine()
        """,
    "tests/test_app.py": """
        from app.helpers import load
        def test_load():
            load()
        """,
}


def callers(entity_id: str) -> set[str]:
    """The sure callers of an entity of the package, by their qualified names."""
    found = CallerIndex(reading(PACKAGE)).callers(entity_id)
    return {caller.partition("::")[2] for caller in found or ()}


def test_definitions_have_the_ids_and_docstrings_that_stand_in_the_file() -> None:
    definitions = {
        definition.name: definition
        for definition in reading(PACKAGE).modules["src/app/core.py"].definitions
    }
    assert list(definitions) == [
        "Engine",
        "Engine.run",
        "Engine.step",
        "Engine.speed",
        "Fast",
        "Fast.step",
        "make",
        "make.inner",
    ]
    assert definitions["Engine"].docstring == "Runs."
    assert definitions["Engine.speed"].decorators == ("property",)
    assert definitions["Fast"].bases == ("Engine",)
    assert definitions["Engine.run"].is_method
    assert not definitions["make.inner"].is_method


def test_calls_are_found_through_modules_aliases_and_nested_functions() -> None:
    assert callers("src/app/helpers.py::load") == {"Engine.step", "Engine.speed", "make.inner"}


def test_a_local_name_that_is_bound_anew_calls_nothing_that_is_known() -> None:
    assert "make" not in callers("src/app/helpers.py::load")


def test_methods_are_found_through_self_super_annotations_and_constructors() -> None:
    assert callers("src/app/core.py::Engine.step") == {"Engine.run", "Fast.step"}
    assert callers("src/app/core.py::Engine.run") == {"start"}


def test_what_is_called_on_an_object_of_unknown_class_is_not_counted() -> None:
    places = CallerIndex(reading(PACKAGE)).places("src/app/core.py::Engine.run") or ()
    assert [place.line for place in places] == [6, 7]


def test_a_class_is_called_where_objects_of_it_are_made() -> None:
    places = CallerIndex(reading(PACKAGE)).places("src/app/core.py::Engine") or ()
    assert [(place.caller_id, place.line) for place in places] == [
        ("src/app/use.py::start", 5),
        (None, 10),
    ]


@pytest.mark.parametrize("name", ["Engine.speed", "Engine.__repr__", "Nobody"])
def test_calls_say_nothing_of_who_uses_a_property_or_what_is_not_defined(name: str) -> None:
    assert CallerIndex(reading(PACKAGE)).callers(f"src/app/core.py::{name}") is None


def test_overloads_do_not_hide_the_callers_of_a_function() -> None:
    texts = {
        "a.py": """
            import typing as t
            @t.overload
            def f(x: int): ...
            def f(x): return x
            def g(): return f(1)
            """
    }
    callers = CallerIndex(reading(texts)).callers("a.py::f")
    assert callers == frozenset({"a.py::g"})


def test_files_that_cannot_be_parsed_are_left_out() -> None:
    code = reading({"good.py": "def f(): pass\n", "bad.py": "def f(:\n"})
    assert list(code.modules) == ["good.py"]


def test_subclasses_are_found_across_files_and_subscripts() -> None:
    texts = {
        "base.py": "class Base: pass\nclass Middle(Base): pass\n",
        "more.py": """
            import base
            from base import Middle as M
            class One(base.Base[int]): pass
            class Two(M): pass
            class Other(missing.Base): pass
            """,
        "tests/test_base.py": "from base import Base\nclass Stub(Base): pass\n",
    }
    families = ClassFamilies(reading(texts))
    assert families.subclasses("base.py::Base") == ("base.py::Middle", "more.py::One")
    assert families.descendants("base.py::Base") == {
        "base.py::Middle",
        "more.py::One",
        "more.py::Two",
    }


BRANCHES = """
def f(a, b, c, d):
    if a is None:
        return
    with lock:
        if not b:
            raise First
        elif c == 1:
            d()
        else:
            second()
    try:
        d()
    except KeyError:
        third()
    else:
        fourth()
    while d:
        fifth()
    def g():
        sixth()
"""


def conditions(called: str) -> list[str] | None:
    """The conditions of the statement in which something is called, written out."""
    function = ast.parse(BRANCHES).body[0]
    assert isinstance(function, ast.FunctionDef)
    for node in ast.walk(function):
        is_statement = isinstance(node, ast.Expr | ast.Raise)
        if is_statement and called in ast.unparse(node):
            found = conditions_at(function, node)  # type: ignore[arg-type]  # one of the two above
            if found is None:
                return None
            return [
                f"{condition.kind} {condition.node and source_of(condition.node)} {condition.holds}"
                for condition in found
            ]
    raise KeyError(called)


def test_a_path_holds_early_exits_elif_else_and_the_else_of_try() -> None:
    assert conditions("First") == ["fall_through a is None False", "if not b True"]
    assert conditions("second") == [
        "fall_through a is None False",
        "else not b False",
        "else c == 1 False",
    ]
    assert conditions("third") == [
        "fall_through a is None False",
        "fall_through not b False",
        "handler KeyError True",
    ]
    assert conditions("fourth") == [
        "fall_through a is None False",
        "fall_through not b False",
        "try_else None True",
    ]
    assert conditions("fifth") == [
        "fall_through a is None False",
        "fall_through not b False",
        "while d True",
    ]


def test_the_path_to_a_nested_function_says_nothing_of_its_statements() -> None:
    assert conditions("sixth") is None


@pytest.mark.parametrize(
    ("code", "holds", "tests"),
    [
        ("a and not b", True, {("a", True), ("b", False)}),
        ("not (a or b)", True, {("a", False), ("b", False)}),
        ("a or b", True, {("a or b", True)}),
        ("a or b", False, {("a", False), ("b", False)}),
        ("a is not None", True, {("a is None", False)}),
        ("x not in xs", False, {("x in xs", True)}),
        ("n >= 2", True, {("n < 2", False)}),
    ],
)
def test_conditions_are_compared_without_their_negations(
    code: str, holds: bool, tests: set[tuple[str, bool]]
) -> None:
    expression = ast.parse(code, mode="eval").body
    plain = {(test.source, test.holds) for test in plain_tests(expression, holds=holds)}
    assert plain == tests


@pytest.mark.parametrize("name", ["__init__", "__new__"])
def test_who_makes_an_object_calls_its_constructor(name: str) -> None:
    code = {"a.py": f"class A:\n    def {name}(self): ...\n\ndef make():\n    return A()\n"}
    assert CallerIndex(reading(code)).callers(f"a.py::A.{name}") == frozenset({"a.py::make"})


def test_a_parameter_hides_what_bears_its_name_outside() -> None:
    code = {"a.py": "def load(): ...\n\ndef use(load):\n    load()\n\ndef call():\n    load()\n"}
    assert CallerIndex(reading(code)).callers("a.py::load") == frozenset({"a.py::call"})


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("from pack import load", "load()"),
        ("from pack import *", "load()"),
        ("from pack.inner import load as read", "read()"),
        ("import pack", "pack.load()"),
        ("import pack.inner", "pack.inner.load()"),
        ("from pack import inner", "inner.load()"),
        ("from pack import helper", "helper.load()"),
    ],
)
def test_a_name_is_followed_through_the_modules_that_hand_it_on(imports: str, call: str) -> None:
    """Through names, stars and modules of a package."""
    code = {
        "pack/__init__.py": "from .inner import *\n",
        "pack/inner.py": "from .deep.home import load\n",
        "pack/helper.py": "from pack.inner import load\n",
        "pack/deep/__init__.py": "",
        "pack/deep/home.py": "def load(): ...\n",
        "use.py": f"{imports}\n\ndef use():\n    {call}\n",
    }
    assert CallerIndex(reading(code)).callers("pack/deep/home.py::load") == frozenset(
        {"use.py::use"}
    )


def test_a_module_has_no_modules_of_its_own() -> None:
    """Only a package has."""
    code = {
        "pack.py": "",
        "load.py": "def go(): ...\n",
        "use.py": "import pack\n\ndef use():\n    pack.load.go()\n",
    }
    assert CallerIndex(reading(code)).callers("load.py::go") == frozenset()


def test_of_modules_of_one_name_the_least_nested_is_meant_and_of_equals_none() -> None:
    use = "from shop.till import pay\n\ndef use():\n    pay()\n"
    near, far, twin = ("shop/till.py", "vendored/copy/shop/till.py", "other/copy/shop/till.py")
    pay = "def pay(): ...\n"
    code = reading({near: pay, far: pay, "use.py": use})
    assert CallerIndex(code).callers(f"{near}::pay") == frozenset({"use.py::use"})
    assert CallerIndex(code).callers(f"{far}::pay") == frozenset()
    code = reading({far: pay, twin: pay, "use.py": use})
    assert CallerIndex(code).callers(f"{far}::pay") == frozenset()


def test_who_calls_a_name_that_stands_nearly_everywhere_nobody_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called = "src/app/core.py::Engine.run"
    assert CallerIndex(reading(PACKAGE)).places(called) is not None
    monkeypatch.setattr("goldwright.trust_card.source.callers.MOST_FILES", 0)
    assert CallerIndex(reading(PACKAGE)).places(called) is None
