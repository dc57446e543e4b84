"""The library: its lists of names agree, its page is complete, and importing it costs nothing."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import goldwright
from goldwright import api

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


def test_the_package_lists_the_names_of_the_library_in_order() -> None:
    assert goldwright.__all__ == api.__all__
    assert goldwright.__all__ == sorted(goldwright.__all__)


def test_every_name_is_that_of_the_library() -> None:
    for name in goldwright.__all__:
        assert getattr(goldwright, name) is getattr(api, name)


def test_type_checkers_see_exactly_what_the_package_shows() -> None:
    assert names_in_stub() == set(dir(goldwright))


def names_in_stub() -> set[str]:
    """The names that the stub declares; a star stands for the names of the library."""
    names: set[str] = set()
    for statement in ast.parse(STUB.read_text(encoding="utf-8")).body:
        match statement:
            case ast.ImportFrom(module="goldwright.api", names=[ast.alias(name="*")]):
                names.update(api.__all__)
            case ast.ImportFrom(module="goldwright.api", names=[ast.alias(asname="__all__")]):
                # A list of names, and no name of the library itself.
                pass
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case _:
                raise AssertionError(f"line {statement.lineno} of the stub: unknown to this test")
    return names


def test_a_name_that_is_not_offered_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'open_snapshots'"):
        _ = goldwright.open_snapshots  # type: ignore[attr-defined]  # that is the point


@pytest.mark.parametrize("name", api.__all__)
def test_every_name_is_on_the_page(name: str) -> None:
    """In code marks or in an example, where a reader looks for it."""
    assert name in re.findall(r"\w+", code_on_page())


def code_on_page() -> str:
    """The Python blocks of the page, and what stands between code marks in its text."""
    page = PAGE.read_text(encoding="utf-8")
    pieces = re.findall(r"^```python$.*?^```$|`[^`\n]+`", page, re.DOTALL | re.MULTILINE)
    return "\n".join(pieces)


@pytest.mark.parametrize("name", api.__all__)
def test_every_name_has_a_docstring_of_its_own(name: str) -> None:
    assert getattr(api, name).__doc__


def test_importing_the_package_loads_nothing_heavy() -> None:
    program = f"import sys, goldwright; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert run_python(program) == "[]"


def test_the_library_loads_when_a_name_is_used() -> None:
    program = "import sys, goldwright; goldwright.run; print('goldwright.api' in sys.modules)"
    assert run_python(program) == "True"


def run_python(program: str) -> str:
    """Run a program in a process of its own and give what it prints."""
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return result.stdout.strip()
