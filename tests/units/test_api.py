"""The library: its lists of names agree, its page is complete, and importing it costs nothing."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import goldwright

STUB = Path(goldwright.__file__).with_suffix(".pyi")
PAGE = Path(__file__).parents[2] / "docs" / "library.md"
# What takes long to load, and what only some users have installed.
HEAVY = (
    "anthropic",
    "asyncio",
    "click",
    "goldwright.api",
    "goldwright.app",
    "google.genai",
    "jinja2",
    "libcst",
    "msgspec",
    "numpy",
    "openai",
    "pydantic",
    "rich",
    "sentence_transformers",
    "starlette",
)


def test_the_names_stand_in_order() -> None:
    assert goldwright.__all__ == sorted(goldwright.__all__)


def test_every_name_is_loaded_from_where_type_checkers_look_for_it() -> None:
    modules = modules_in_stub()
    assert sorted(modules) == goldwright.__all__
    for name, module in modules.items():
        assert getattr(goldwright, name) is getattr(import_module(module), name)


def test_type_checkers_see_exactly_what_the_package_shows() -> None:
    declared = [
        statement.target.id
        for statement in stub().body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    ]
    assert {*modules_in_stub(), *declared} == set(dir(goldwright))
    (listed,) = (node.value for node in stub().body if isinstance(node, ast.Assign))
    assert ast.literal_eval(listed) == goldwright.__all__


def stub() -> ast.Module:
    return ast.parse(STUB.read_text(encoding="utf-8"))


def modules_in_stub() -> dict[str, str]:
    """The module that the stub imports each name from."""
    modules: dict[str, str] = {}
    for statement in stub().body:
        if isinstance(statement, ast.ImportFrom):
            modules |= {alias.name: str(statement.module) for alias in statement.names}
    return modules


def test_a_name_that_is_not_offered_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'open_snapshots'"):
        _ = goldwright.open_snapshots  # type: ignore[attr-defined]  # that is the point


def test_a_name_that_is_misspelt_is_guessed_by_python() -> None:
    """It needs the name, and the module among whose names it looks."""
    with pytest.raises(AttributeError) as caught:
        _ = goldwright.evalute  # type: ignore[attr-defined]  # that is the point
    assert (caught.value.name, caught.value.obj) == ("evalute", goldwright)


@pytest.mark.parametrize("name", goldwright.__all__)
def test_every_name_is_on_the_page(name: str) -> None:
    """In code marks or in an example, where a reader looks for it."""
    assert name in re.findall(r"\w+", code_on_page())


def code_on_page() -> str:
    """The Python blocks of the page, and what stands between code marks in its text."""
    page = PAGE.read_text(encoding="utf-8")
    pieces = re.findall(r"^```python$.*?^```$|`[^`\n]+`", page, re.DOTALL | re.MULTILINE)
    return "\n".join(pieces)


@pytest.mark.parametrize("name", goldwright.__all__)
def test_every_name_has_a_docstring_of_its_own(name: str) -> None:
    assert getattr(goldwright, name).__doc__


def test_importing_the_package_loads_nothing_heavy() -> None:
    program = f"import sys, goldwright; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert run_python(program) == "[]"


def test_the_library_loads_when_a_name_is_used() -> None:
    program = "import sys, goldwright; goldwright.run; print('goldwright.api' in sys.modules)"
    assert run_python(program) == "True"


def test_scoring_does_not_load_what_makes_datasets() -> None:
    unneeded = ("goldwright.app.runs.run", "goldwright.app.datasets.export", "goldwright.web")
    program = (
        "import sys, goldwright; goldwright.bench; goldwright.compare; goldwright.evaluate; "
        f"print([module for module in {unneeded!r} if module in sys.modules])"
    )
    assert run_python(program) == "[]"


def run_python(program: str) -> str:
    """Run a program in a process of its own and give what it prints."""
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return result.stdout.strip()
