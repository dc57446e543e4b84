"""The toolset: caps, records and text that cannot act on its reader."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.agents.toolset import ToolError, Toolset
from goldwright.errors import InputError
from goldwright.records import FileRange
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity, FileEntry, Span
from goldwright.snapshot.git.git_objects import ObjectStore
from goldwright.snapshot.mirror.pinning import pin_commit
from goldwright.text import make_visible

EVERY_TOOL = frozenset({"list", "search", "read", "outline", "log", "blame"})


class Lines:
    """A decoded text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = tuple(text.removesuffix("\n").split("\n")) if text else ()


class Files:
    """As much of a snapshot as a toolset asks for, over a pinned directory."""

    def __init__(self, root: Path, store: Path) -> None:
        pinned = pin_commit(root, rev=None, store=store)
        self.mirror, self.commit = pinned.mirror, pinned.commit
        with ObjectStore(pinned.mirror, pinned.commit) as objects:
            self.files: Mapping[str, FileEntry] = {entry.path: entry for entry in objects.entries()}
            self._data = {path: objects.read(entry.oid) for path, entry in self.files.items()}
        self.source_files = tuple(
            path for path in self.files if path.endswith(".py") and self.has_text(path)
        )

    def has_text(self, path: str) -> bool:
        """Tell whether a path holds text."""
        return path in self.files and self.files[path].kind == "text"

    def data(self, path: str) -> bytes:
        """The bytes of a file."""
        if not self.has_text(path):
            raise InputError(path)
        return self._data[path]

    def source(self, path: str) -> Lines:
        """The text of a file."""
        return Lines(self.data(path).decode("utf-8"))

    def line_count(self, path: str) -> int:
        """The number of lines of a file."""
        return len(self.source(path).lines)

    def entities_in(self, path: str) -> tuple[Entity, ...]:
        """One function with two definitions."""
        return (Entity(f"{path}::main", path, "main", "function", (Span(1, 2), Span(5, 6))),)


def toolset_over(
    tmp_path: Path, files: Mapping[str, str], tools: frozenset[str] = EVERY_TOOL
) -> Toolset:
    """A toolset over a directory with these files."""
    root = tmp_path / "code"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode("utf-8"))
    return Toolset(cast("Snapshot", Files(root, tmp_path / "store")), tools)


@pytest.fixture
def toolset(tmp_path: Path) -> Toolset:
    """A toolset over a small codebase."""
    numbered = "".join(f"line {number}\n" for number in range(1, 1001))
    return toolset_over(
        tmp_path,
        {
            "app/main.py": "def main():\n    return 1\n\n\nx = main()\n",
            "app/odd.py": "x = '\u202e\u200b\U000e0041\x1b[31m'\n",
            "docs/long.txt": numbered,
            "docs/wide.txt": "w" * 100_000 + "\n",
            "empty.py": "",
            "icon.png": "no picture",
            "notes.txt": "call main()\n",
        },
    )


def test_a_reading_is_numbered_and_recorded(toolset: Toolset) -> None:
    """What was read is proved by the step that showed it."""
    reading = toolset.read("app/main.py", 1, 2)
    assert reading.text == "1: def main():\n2:     return 1"
    assert (reading.first, reading.last, reading.step, reading.truncated) == (1, 2, 1, False)
    assert toolset.has_shown(FileRange(file="app/main.py", start=1, end=2))
    assert not toolset.has_shown(FileRange(file="app/main.py", start=1, end=3))
    assert [(one.file, one.start, one.end, one.read_at_step) for one in toolset.shown] == [
        ("app/main.py", 1, 2, 1)
    ]


def test_a_reading_stops_at_400_lines_and_32_kib(toolset: Toolset) -> None:
    """The rest is not shown, and not proved."""
    reading = toolset.read("docs/long.txt", 100)
    assert (reading.first, reading.last, reading.truncated) == (100, 499, True)
    assert not toolset.has_shown(FileRange(file="docs/long.txt", start=499, end=500))
    assert len(toolset.read("docs/wide.txt").text) < 32 * 1024
    assert toolset.calls[-1].truncated


def test_a_range_may_be_shown_by_several_calls(toolset: Toolset) -> None:
    """Two readings that meet prove the lines of both."""
    toolset.read("docs/long.txt", 1, 5)
    toolset.read("docs/long.txt", 6, 9)
    assert toolset.has_shown(FileRange(file="docs/long.txt", start=3, end=8))


def test_an_empty_file_is_read_as_no_lines(toolset: Toolset) -> None:
    """Nothing is shown by it."""
    reading = toolset.read("empty.py")
    assert (reading.last, reading.lines, toolset.shown) == (0, (), ())


@pytest.mark.parametrize(
    ("path", "first", "last"),
    [
        ("nowhere.py", None, None),
        ("../code/notes.txt", None, None),
        ("icon.png", None, None),
        ("notes.txt", 0, 1),
        ("notes.txt", 2, 3),
        ("docs/long.txt", 9, 8),
        ("docs/long.txt", -5, None),
        ("empty.py", 1, 1),
    ],
)
def test_a_wrong_reading_is_an_error_of_the_tool(
    toolset: Toolset, path: str, first: int | None, last: int | None
) -> None:
    """It counts as a call, and shows nothing."""
    with pytest.raises(ToolError, match=r"no file|no lines|cannot be read"):
        toolset.read(path, first, last)
    assert (len(toolset.calls), toolset.shown) == (1, ())


def test_a_search_shows_lines_of_source_files_first(toolset: Toolset) -> None:
    """A hit is a shown line."""
    hits = toolset.search(r"main\(\)")
    assert [(hit.path, hit.line) for hit in hits.hits] == [
        ("app/main.py", 1),
        ("app/main.py", 5),
        ("notes.txt", 1),
    ]
    assert toolset.has_shown(FileRange(file="notes.txt", start=1, end=1))
    assert [
        hit.path
        for hit in toolset.search("MAIN()", "notes.txt", literal=True, ignore_case=True).hits
    ] == ["notes.txt"]
    assert toolset.search("main", "app/mai").hits == ()


def test_a_search_stops_at_200_lines_of_400_characters(toolset: Toolset) -> None:
    """Neighbouring lines are one range of evidence."""
    hits = toolset.search("^line")
    assert (len(hits.hits), hits.truncated) == (200, True)
    assert [(one.start, one.end) for one in toolset.shown] == [(1, 200)]
    assert len(toolset.search("www").hits[0].text) == 400


@pytest.mark.parametrize("pattern", ["", "(", "(?=x)", r"(a)\1", "x{5000}", "a" * 501, "\ud800"])
def test_a_wrong_pattern_is_an_error_of_the_tool(toolset: Toolset, pattern: str) -> None:
    """RE2 says no without a crash."""
    with pytest.raises(ToolError, match="pattern"):
        toolset.search(pattern)


@pytest.mark.parametrize("pattern", ["(w+)+$x", "(w|w)*y", "(.*)*z", "(w*)*(w*)*(w*)*q"])
def test_no_pattern_makes_a_search_slow(toolset: Toolset, pattern: str) -> None:
    """These take a backtracking engine years."""
    assert toolset.search(pattern, "docs/wide.txt").hits == ()


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("app", ["app/main.py", "app/odd.py"]),
        ("./app/", ["app/main.py", "app/odd.py"]),
        ("*.txt", ["docs/long.txt", "docs/wide.txt", "notes.txt"]),
        ("docs/*", ["docs/long.txt", "docs/wide.txt"]),
        ("**/m*.p?", ["app/main.py"]),
        ("a[p]p/*", []),
        ("ap", []),
    ],
)
def test_paths_are_listed_by_folder_or_glob(
    toolset: Toolset, pattern: str, found: list[str]
) -> None:
    """A star stays inside a folder, two do not."""
    assert list(toolset.list(pattern).paths) == found


def test_an_outline_has_every_definition_in_line_order(toolset: Toolset) -> None:
    """No line counts as shown by it."""
    outline = toolset.outline("app/main.py")
    assert outline.text == "1-2: function app/main.py::main\n5-6: function app/main.py::main"
    assert toolset.shown == ()


def test_history_is_for_toolsets_that_have_it(toolset: Toolset) -> None:
    """A toolset has the tools it was given and no others."""
    assert [entry.subject for entry in toolset.log().entries] == ["Files of a directory"]
    assert [one.line for one in toolset.blame("app/main.py", 1, 2).lines] == [1, 2]
    plain = Toolset(toolset.snapshot)
    with pytest.raises(ToolError, match="no tool log"):
        plain.log()
    with pytest.raises(ToolError, match="no tool blame"):
        plain.blame("app/main.py")


def test_calls_are_numbered_with_their_arguments(toolset: Toolset) -> None:
    """Steps count from 1, failed calls too."""
    toolset.list("app")
    with pytest.raises(ToolError):
        toolset.read("nowhere")
    toolset.search("x", "app")
    assert [(call.step, call.tool) for call in toolset.calls] == [
        (1, "list"),
        (2, "read"),
        (3, "search"),
    ]
    assert toolset.calls[2].arguments == {
        "pattern": "x",
        "path": "app",
        "literal": False,
        "ignore_case": False,
    }


def test_hidden_characters_are_written_out(toolset: Toolset) -> None:
    """The values stay raw, the text shows what is there."""
    assert toolset.read("app/odd.py").text == r"1: x = '\u{202e}\u{200b}\u{e0041}\u{1b}[31m'"
    assert toolset.read("app/odd.py").lines == ("x = '\u202e\u200b\U000e0041\x1b[31m'",)


@given(st.text())
def test_visible_text_holds_nothing_that_acts(text: str) -> None:
    """No control, format or surrogate character is left but the tab, and it can be encoded."""
    shown = make_visible(text)
    assert not set(shown) & {
        chr(code) for code in (*range(9), *range(10, 32), *range(127, 160), *range(0x202A, 0x202F))
    }
    shown.encode("utf-8")


def test_what_another_toolset_showed_is_taken_over_behind_the_calls_so_far(
    toolset: Toolset,
) -> None:
    """Its steps are numbered on, and its lines count as shown here."""
    toolset.read("app/main.py", 1, 1)
    other = Toolset(toolset.snapshot)
    other.read("app/main.py", 2, 2)
    other.note("a note")
    other.slip("unread")
    other.flag("a flag")
    before = other.calls
    toolset.take_over(other)
    assert [call.step for call in toolset.calls] == [1, 2]
    assert [evidence.read_at_step for evidence in toolset.shown] == [1, 2]
    assert toolset.has_shown(FileRange(file="app/main.py", start=1, end=2))
    assert (toolset.notes, toolset.flags) == (("a note",), ("a flag",))
    assert toolset.slips == {"unread": 1}
    assert other.calls == before
