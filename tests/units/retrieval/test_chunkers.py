"""Chunkers: no line lost, none doubled beyond what is declared, and what each is for."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import InputError
from goldwright.retrieval.chunkers.catalog import CHUNKERS, find_chunker
from goldwright.retrieval.chunkers.port import Chunk, SourceDocument
from goldwright.retrieval.chunkers.token_windows import TokenWindowChunker
from goldwright.retrieval.source_tokens import count_tokens
from goldwright.snapshot import open_snapshot

EVERY_CHUNKER = pytest.mark.parametrize("name", CHUNKERS)
LINES = (
    "",
    "   ",
    "# One",
    "## Two ##",
    "Title",
    "=====",
    "---",
    "```python",
    "```",
    "<h1>One</h1>",
    "<h2 class='a'>Two</h2><p>seen</p>",
    "<script>hidden()</script>",
    "Ada: hello",
    "[00:12] Grace Hopper: hi",
    "words " * 300,
    "def f(x):",
    "    return x",
)
CODE = '''"""A shop."""
import os

LIMIT = 3; OTHER = 4


@cache
def price(item):
    """What it costs."""
    def rounded(value):
        return round(value)

    return rounded(item.cost)


class Shop:
    """A place."""

    open = True

    def sell(self, item):
        return price(item)

    class Counter:
        size = 3

        def clean(self):
            pass


if os.name == "nt":
    def where():
        return "C:"
else:
    def where():
        return "/"
'''

prose = st.lists(st.sampled_from(LINES), max_size=60).map(
    lambda lines: SourceDocument("notes.md", lines)
)


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> SourceDocument:
    root = tmp_path_factory.mktemp("code")
    (root / "shop.py").write_text(CODE)
    snapshot = open_snapshot(root, cache=tmp_path_factory.mktemp("cache"))
    lines = snapshot.source("shop.py").lines
    return SourceDocument("shop.py", lines, snapshot.entities_in("shop.py"))


def check_lines(document: SourceDocument, chunks: Sequence[Chunk]) -> None:
    """Every line stands in one chunk, but for the declared beginnings of some."""
    new_numbers: list[int] = []
    ends = 0
    for chunk in chunks:
        numbers = list(chunk.line_numbers)
        assert numbers == sorted(set(numbers))
        repeated = numbers[: chunk.overlap]
        assert repeated == list(range(ends - chunk.overlap + 1, ends + 1))
        new_numbers += numbers[chunk.overlap :]
        ends = numbers[-1]
    assert sorted(new_numbers) == list(range(1, len(document.lines) + 1))
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)


@EVERY_CHUNKER
class TestContract:
    """What any chunker keeps to."""

    @given(document=prose)
    def test_each_line_of_prose_is_in_one_chunk(self, name: str, document: SourceDocument) -> None:
        check_lines(document, CHUNKERS[name].chunk(document))

    def test_each_line_of_code_is_in_one_chunk(self, name: str, code: SourceDocument) -> None:
        check_lines(code, CHUNKERS[name].chunk(code))

    def test_every_entity_is_found_from_a_chunk(self, name: str, code: SourceDocument) -> None:
        chunks = CHUNKERS[name].chunk(code)
        named = {entity.entity_id for chunk in chunks for entity in chunk.entities(code.entities)}
        assert named == {entity.entity_id for entity in code.entities}

    @given(document=prose)
    def test_the_same_document_gives_the_same_chunks(
        self, name: str, document: SourceDocument
    ) -> None:
        assert CHUNKERS[name].chunk(document) == CHUNKERS[name].chunk(document)

    def test_an_empty_document_has_no_chunk(self, name: str) -> None:
        assert CHUNKERS[name].chunk(SourceDocument("a.md", [])) == []


class TestWindows:
    """Windows of tokens."""

    @given(document=prose, size=st.integers(2, 80), share=st.floats(0, 0.9))
    def test_windows_keep_to_their_size_and_overlap(
        self, document: SourceDocument, size: int, share: float
    ) -> None:
        overlap = int(size * share)
        chunks = TokenWindowChunker(size, overlap).chunk(document)
        check_lines(document, chunks)
        for chunk in chunks:
            lines = chunk.text.split("\n")
            assert count_tokens("\n".join(lines[: chunk.overlap])) <= overlap
            assert count_tokens(chunk.text) <= size or len(lines) == 1 + chunk.overlap

    def test_an_overlap_that_leaves_no_room_is_refused(self) -> None:
        with pytest.raises(ValueError, match="does not fit"):
            TokenWindowChunker(10, 10)


class TestCode:
    """Chunks of code."""

    def test_functions_stand_alone_and_classes_without_them(self, code: SourceDocument) -> None:
        texts = {chunk.title: chunk.text for chunk in CHUNKERS["entity"].chunk(code)}
        assert set(texts) == {
            "shop.py",
            "shop.py::price",
            "shop.py::Shop",
            "shop.py::Shop.sell",
            "shop.py::Shop.Counter",
            "shop.py::Shop.Counter.clean",
            "shop.py::where",
        }
        assert texts["shop.py::price"].startswith("@cache\ndef price")
        assert "def rounded" in texts["shop.py::price"]
        assert "def sell" not in texts["shop.py::Shop"]
        assert texts["shop.py::where"].count("def where") == 2

    def test_small_neighbours_share_a_chunk(self, code: SourceDocument) -> None:
        (chunk,) = CHUNKERS["code-512"].chunk(code)
        assert chunk.text == "\n".join(code.lines)


class TestSections:
    """Chunks of prose."""

    def test_markdown_is_cut_at_headings_outside_code(self) -> None:
        lines = "a\n# Top\nb\n```\n# no heading\n```\nSub\n---\nc\n- x\n---\n# Next".split("\n")
        chunks = find_chunker("markdown-512").chunk(SourceDocument("a.md", lines))
        assert [(chunk.title, chunk.text.split("\n")[0]) for chunk in chunks] == [
            ("", "a"),
            ("Top", "# Top"),
            ("Top > Sub", "Sub"),
            ("Next", "# Next"),
        ]

    def test_html_is_indexed_by_what_a_reader_sees(self) -> None:
        lines = "<title>T</title>\n<h1>One <b>bold</b></h1>\n<p>a &amp; b</p><script>x()</script>"
        chunks = find_chunker("html-512").chunk(SourceDocument("a.html", lines.split("\n")))
        assert [(chunk.title, chunk.text) for chunk in chunks] == [
            ("", "T"),
            ("One bold", "One bold\na & b"),
        ]

    def test_turns_of_speakers_stay_whole(self) -> None:
        turn = "Ada: " + "word " * 400
        lines = ["Minutes", turn, "more", "[00:01:02] Grace Hopper: no", "note: not a speaker"]
        chunks = find_chunker("turns-512").chunk(SourceDocument("a.txt", [*lines, turn]))
        assert [chunk.title for chunk in chunks] == ["Ada, Grace Hopper", "Ada"]


def test_an_unknown_chunker_is_named_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match="lines: no chunker; wanted one of entity, code-512"):
        find_chunker("lines")


def test_own_files_are_cut_without_losing_a_line(tmp_path: Path) -> None:
    """A file of some hundred lines as it stands in a real package."""
    source = Path(pytest.__file__).with_name("__init__.py").read_text("utf-8")
    (tmp_path / "a.py").write_text(source)
    snapshot = open_snapshot(tmp_path, cache=tmp_path.parent / f"{tmp_path.name}-cache")
    lines = snapshot.source("a.py").lines
    document = SourceDocument("a.py", lines, snapshot.entities_in("a.py"))
    for chunker in CHUNKERS.values():
        check_lines(document, chunker.chunk(document))
