"""Docstrings of code, and how many definitions have one."""

from pathlib import Path

from goldwright.code_reading.docstrings import content_words, docstring_of, documented_share
from goldwright.snapshot import Snapshot, open_snapshot

CODE = '''
class Kettle:
    """Boils water."""

    def boil(self):
        """Boil until it whistles."""

    def pour(self):
        pass


def drink():
    "Drink it."
'''


def open_kitchen(tmp_path: Path, files: int = 1) -> Snapshot:
    root = tmp_path / "kitchen"
    root.mkdir()
    for number in range(files):
        (root / f"part_{number:04}.py").write_text(CODE)
    return open_snapshot(root, cache=tmp_path / "cache")


def test_the_share_counts_functions_methods_and_classes(tmp_path: Path) -> None:
    snapshot = open_kitchen(tmp_path)
    assert documented_share(snapshot, ["part_0000.py"]) == 3 / 4
    assert documented_share(snapshot, []) == 0
    assert documented_share(snapshot, ["missing.py"]) == 0


def test_a_share_over_many_files_is_that_of_some_of_them(tmp_path: Path) -> None:
    snapshot = open_kitchen(tmp_path, files=3)
    paths = ["part_0000.py", *["missing.py"] * 400, "part_0001.py"]
    assert documented_share(snapshot, paths) == 3 / 4


def test_a_docstring_is_told_without_its_indentation(tmp_path: Path) -> None:
    snapshot = open_kitchen(tmp_path)
    assert docstring_of(snapshot, "part_0000.py::Kettle.boil") == "Boil until it whistles."
    assert docstring_of(snapshot, "part_0000.py::Kettle.pour") == ""
    assert content_words(docstring_of(snapshot, "part_0000.py::Kettle")) == {"boils", "water"}
