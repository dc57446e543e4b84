"""The page on the library, its notebook and its docstrings: their examples run as they stand."""

import doctest
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import goldwright
from journeys.sample_code import SHOP, write_code

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "library.md"
NOTEBOOK = DOCS / "compare.ipynb"
MOST_LINES = 10
QUERIES = """id,query,expected
q1,Where is an order placed?,shop/orders.py::place_order
q2,Which error says that the stock is used up?,shop/errors.py::OutOfStockError
q3,What takes items off a shelf?,shop/stock.py::Shelf.take_items
"""
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=120).execute()
nbformat.write(notebook, "executed.ipynb")
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A directory to work in, with the small package that the examples are about."""
    root = tmp_path / "workspace"
    write_code(root / "shop", SHOP)
    return root


def test_the_examples_run_in_their_order_in_one_namespace(workspace: Path, tmp_path: Path) -> None:
    program = workspace / "library.py"
    program.write_text(python_lines(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-W", "error", program.name],
        cwd=workspace,
        env={**os.environ, "GOLDWRIGHT_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    # Lines of the traceback are lines of the page.
    assert result.returncode == 0, result.stderr
    assert len(result.stdout.splitlines()) > 20


def python_lines(page: str) -> str:
    """Keep the lines of Python blocks where they are, and blank all others."""
    lines = []
    inside = False
    for line in page.splitlines():
        if line.startswith("```"):
            inside = line == "```python"
            lines.append("")
        else:
            lines.append(line if inside else "")
    return "\n".join(lines) + "\n"


def test_the_examples_of_docstrings_give_what_they_say(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace)
    monkeypatch.setenv("GOLDWRIGHT_CACHE", str(tmp_path / "cache"))
    Path("queries.csv").write_text(QUERIES, encoding="utf-8")
    names = {
        "goldwright": goldwright,
        "before": goldwright.evaluate("queries.csv", "grep", repo="shop"),
        "after": goldwright.evaluate("queries.csv", "bm25", repo="shop"),
    }
    runner = doctest.DocTestRunner(verbose=False)
    finder = doctest.DocTestFinder()
    for name in goldwright.__all__:
        for example in finder.find(getattr(goldwright, name), name, globs=names):
            runner.run(example)
    # What differs was printed.
    assert runner.summarize(verbose=False).failed == 0
    assert runner.tries >= 15


def test_the_notebook_runs_from_installation_to_comparison(tmp_path: Path) -> None:
    places = {
        "GOLDWRIGHT_CACHE": "cache",
        "IPYTHONDIR": "ipython",
        "JUPYTER_RUNTIME_DIR": "kernels",
    }
    settings = {name: str(tmp_path / place) for name, place in places.items()}
    result = subprocess.run(
        [sys.executable, "-c", EXECUTE, NOTEBOOK],
        cwd=tmp_path,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    executed = code_cells(tmp_path / "executed.ipynb")
    shown = code_cells(NOTEBOOK)
    # A reader who runs it sees what the page shows, whatever the figures are by then.
    assert [kinds_of_outputs(cell) for cell in executed] == [
        kinds_of_outputs(cell) for cell in shown
    ]
    (bench,) = (cell for cell in executed if "".join(cell["source"]).endswith("\nbench"))
    assert "2 systems on 8 queries" in "".join(bench["outputs"][0]["data"]["text/html"])


def test_ten_lines_of_code_lead_to_the_comparison() -> None:
    lines = []
    for cell in code_cells(NOTEBOOK):
        source = "".join(cell["source"])
        # The list of queries is data.
        if not source.startswith("%%writefile"):
            lines += [line for line in source.splitlines() if line and not line.startswith("#")]
    assert lines.index("bench") + 1 <= MOST_LINES


def code_cells(notebook: Path) -> list[Any]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def kinds_of_outputs(cell: Any) -> list[list[str]]:
    return [sorted(kinds(output)) for output in cell["outputs"]]


def kinds(output: Any) -> Iterator[str]:
    yield output["output_type"]
    yield from output.get("data", {})
