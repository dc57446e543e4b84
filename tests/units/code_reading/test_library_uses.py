"""Where names of libraries are used: the closed set, and what keeps it from being closed."""

from pathlib import Path
from typing import Final

import pytest

from goldwright.code_reading.library_uses import (
    closed_library_uses,
    is_unused,
    library_uses_in,
)
from goldwright.snapshot import Snapshot, open_snapshot
from units.code_reading.sources import read_module

RUN: Final = {"subprocess.run"}


def _open(tmp_path: Path, **files: str) -> Snapshot:
    root = tmp_path / "code"
    root.mkdir()
    for name, code in files.items():
        (root / f"{name}.py").write_text(code)
    return open_snapshot(root, cache=tmp_path / "cache")


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import subprocess", "subprocess.run"),
        ("import subprocess as processes", "processes.run"),
        ("from subprocess import run", "run"),
        ("from subprocess import run as start", "start"),
    ],
)
def test_a_name_is_followed_through_every_way_to_import_it(imports: str, call: str) -> None:
    """What it is called in a file is up to the file."""
    module = read_module(f"{imports}\n\ndef work(command):\n    return {call}(command)\n")
    (use,) = library_uses_in(module)
    assert (use.name, use.owner, use.line) == ("subprocess.run", "work", 4)


def test_an_import_inside_a_function_counts(tmp_path: Path) -> None:
    """Slow modules are imported late."""
    snapshot = _open(tmp_path, shop="def f(c):\n    import subprocess\n    subprocess.run(c)\n")
    (use,) = closed_library_uses(snapshot, RUN) or ()
    assert use.entity_id == "shop.py::f"


@pytest.mark.parametrize(
    "other",
    [
        # A method of that name may be meant by a call of it.
        "def g(job):\n    job.run()\n",
        # Others may take it from here.
        "from subprocess import run\n",
        # What comes with a star is not told.
        "from subprocess import *\n\ndef g(c):\n    run(c)\n",
        # It may be called under that name.
        'def g(module):\n    return getattr(module, "run")\n',
    ],
)
def test_what_may_be_another_use_leaves_the_set_open(tmp_path: Path, other: str) -> None:
    """A set that nobody can be sure of is no answer to "where"."""
    shop = "import subprocess\n\ndef f(c):\n    subprocess.run(c)\n"
    snapshot = _open(tmp_path, shop=shop, other=other)
    assert closed_library_uses(snapshot, RUN) is None


def test_all_names_of_one_deed_are_looked_for(tmp_path: Path) -> None:
    """A process may be started in several ways."""
    shop = "import subprocess\n\ndef f(c):\n    subprocess.run(c)\n"
    other = "import os\n\ndef g(c):\n    return os.system(c)\n"
    snapshot = _open(tmp_path, shop=shop, other=other)
    uses = closed_library_uses(snapshot, {"subprocess.run", "os.system"}) or ()
    assert {use.entity_id for use in uses} == {"shop.py::f", "other.py::g"}


def test_a_relative_import_is_no_library() -> None:
    """The codebase may have a module of that name."""
    assert library_uses_in(read_module("from .subprocess import run\n\nrun()\n")) == ()


def test_a_name_is_unused_only_where_nothing_bears_it(tmp_path: Path) -> None:
    """An import alone is no use; a call of anything else so named might be one."""
    code = "from os import unlink\n\ndef f(books):\n    books.remove(1)\n"
    snapshot = _open(tmp_path, shop=code)
    assert is_unused(snapshot, "os.unlink")
    assert not is_unused(snapshot, "os.remove")
