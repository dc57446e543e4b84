"""What is of no format, or not sound, is refused in one line that names the file and the place."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from goldwright.errors import InputError
from goldwright.interchange.atomic_output import write_atomically
from goldwright.interchange.catalog import BY_NAME, FORMATS
from units.interchange.datasets import HOLD, RAIL, of

Change = Callable[[Path], object]


def edit(name: str, old: str, new: str) -> Change:
    """Put another text into a file of the folder; no name for the file itself."""

    def change(root: Path) -> None:
        path = root / name if name else root
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    return change


def add(name: str, line: str) -> Change:
    def change(root: Path) -> None:
        path = root / name if name else root
        path.write_text(path.read_text() + line)

    return change


def remove(name: str) -> Change:
    return lambda root: (root / name).unlink()


def table(name: str, columns: dict[str, list[object]]) -> Change:
    return lambda root: pq.write_table(pa.table(columns), root / name)


TSV = "qrels/test.tsv"
REFUSED: list[tuple[str, Change, str]] = [
    ("beir", remove(TSV), "found no qrels/*.tsv"),
    ("beir", remove("queries.jsonl"), "queries.jsonl: cannot read the queries"),
    ("beir", edit(TSV, "query-id\tcorpus-id\tscore\n", ""), "test.tsv: line 1: wanted the header"),
    (
        "beir",
        edit(TSV, "\t1", "\t1.5"),
        "test.tsv: line 2: wanted a whole number as grade, found '1.5'",
    ),
    ("beir", edit(TSV, "\t1", ""), "test.tsv: line 2: wanted query-id corpus-id score"),
    (
        "beir",
        add(TSV, "q1\thinge.py::bend\t1\n"),
        "test.tsv: line 5: 'hinge.py::bend' is judged a second time for 'q1'",
    ),
    (
        "beir",
        add(TSV, "q9\thinge.py::bend\t1\n"),
        "test.tsv: line 5: 'q9' is judged, and is none of the queries",
    ),
    (
        "beir",
        add(TSV, "q2\tnowhere.py::f\t1\n"),
        "'nowhere.py::f' is judged, and is no document of the corpus",
    ),
    (
        "beir",
        add(TSV, "q2\thinge.py::bend\t1\n"),
        "test.tsv: line 4: the relevant documents of 'q2' are not",
    ),
    (
        "beir",
        add("corpus.jsonl", '{"_id": "hinge.py::bend"}\n'),
        "corpus.jsonl: line 4: the document",
    ),
    (
        "beir",
        add("queries.jsonl", '{"_id": "q1", "text": "?"}\n'),
        "queries.jsonl: line 3: the query id 'q1' stands",
    ),
    (
        "beir",
        edit("queries.jsonl", '"text"', '"test"'),
        "queries.jsonl: line 1: wanted text, found none",
    ),
    (
        "beir",
        edit("queries.jsonl", "rail bend?", "rail end?"),
        "queries.jsonl: line 2: the record in its metadata",
    ),
    ("trec", remove("qrels.txt"), "qrels.txt: cannot read the judgements"),
    ("trec", edit("qrels.txt", " 0 ", " "), "qrels.txt: line 1: wanted query 0 document grade"),
    (
        "trec",
        edit("qrels.txt", " 1\n", " yes\n"),
        "qrels.txt: line 1: wanted a whole number as grade, found 'yes'",
    ),
    (
        "trec",
        edit("queries.tsv", "q2\t", "q2 "),
        "queries.tsv: line 2: wanted a query id, a tab and a text",
    ),
    (
        "trec",
        edit("queries.tsv", "q2\t", "q1\t"),
        "qrels.txt: line 3: 'q2' is judged, and is none of the queries",
    ),
    (
        "trec",
        add("queries.tsv", "q2\tAgain?\n"),
        "queries.tsv: line 3: the query id 'q2' stands there a second time",
    ),
    ("mteb", remove("corpus/corpus.parquet"), "found no corpus/*.parquet"),
    (
        "mteb",
        table("qrels/test.parquet", {"query": ["q1"]}),
        "test.parquet: wanted the columns query-id, corpus-id, score",
    ),
    (
        "mteb",
        lambda root: (root / "qrels/test.parquet").write_text("no"),
        "test.parquet: no Parquet file",
    ),
    (
        "mteb",
        table(
            "qrels/test.parquet",
            {"query-id": ["q1"], "corpus-id": ["hinge.py::bend"], "score": [0.5]},
        ),
        "test.parquet: row 1: wanted a whole number as grade, found 0.5",
    ),
    (
        "mteb",
        table("corpus/more.parquet", {"id": ["x", "x"]}),
        "more.parquet: row 2: the document 'x'",
    ),
    (
        "inspect_ai",
        edit("", '"input"', '"inputs"'),
        "line 1: input is null, and the record in its metadata says other",
    ),
    (
        "inspect_ai",
        edit("", "Where does the rail", "Where did the rail"),
        "line 2: input is 'Where did the rail bend?'",
    ),
    (
        "inspect_ai",
        add("", '{"id": "q1", "input": "Again?", "target": "x"}\n'),
        "line 3: the query id 'q1'",
    ),
    (
        "inspect_ai",
        add("", '{"id": 3, "input": ["chat"], "target": "x"}\n'),
        "line 3: input: wanted a text",
    ),
    (
        "inspect_ai",
        edit("", '"confidence": "high"', '"confidence": "sure"'),
        "line 1: the record in its metadata: conf",
    ),
    ("promptfoo", add("", '{"vars": "x"}\n'), "line 3: vars: wanted an object, found a text"),
    (
        "promptfoo",
        add("", '{"vars": {"question": "x"}}\n'),
        "line 3: vars: wanted query, found none",
    ),
    ("deepeval", edit("", '"input"', '"inputs"'), "record 1: input is null"),
    ("deepeval", lambda root: root.write_text('{"a": 1}'), "line 1: wanted input, found none"),
    (
        "coderag",
        lambda root: root.write_text('{"text": "x"}\n'),
        "line 1: wanted JSON Lines of {id, query",
    ),
    (
        "vaultmind",
        lambda root: root.write_text("- query: x\n"),
        "record 1: wanted a YAML list of {name, text, expected}",
    ),
]


@pytest.mark.parametrize(("name", "change", "words"), REFUSED)
def test_a_defect_is_named_with_its_file_and_place(
    tmp_path: Path, name: str, change: Change, words: str
) -> None:
    out = tmp_path / "out"
    BY_NAME[name].write(of(HOLD, RAIL), out)
    BY_NAME[name].read(out)
    change(out)
    with pytest.raises(InputError) as caught:
        BY_NAME[name].read(out)
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(out))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.name)
@pytest.mark.parametrize("data", [None, b"", b"\xff\xfe\x00", b"plain words\n", b"[1, 2]"])
def test_what_is_no_dataset_at_all_is_refused(tmp_path: Path, one: Any, data: bytes | None) -> None:
    if data is not None:
        (tmp_path / "in").write_bytes(data)
    with pytest.raises(InputError) as caught:
        one.read(tmp_path / "in")
    assert str(caught.value).startswith(str(tmp_path / "in"))


def test_parquet_without_pyarrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'goldwright\[parquet\]'"):
        write_atomically(
            tmp_path / "out", lambda fresh: BY_NAME["mteb"].write(of(HOLD, RAIL), fresh)
        )
    assert list(tmp_path.iterdir()) == []


def test_rows_of_somebody_else_come_back_as_far_as_they_go(tmp_path: Path) -> None:
    (tmp_path / "samples.jsonl").write_text(
        '{"input": "Where?", "target": "a.py::f"}\n{"id": 7, "input": "What?"}\n'
    )
    samples = BY_NAME["inspect_ai"].read(tmp_path / "samples.jsonl").queries
    assert [(one.query_id, one.query_text, one.expected_ids) for one in samples] == [
        ("line 1", "Where?", ("a.py::f",)),
        ("7", "What?", ()),
    ]


def test_a_grade_of_nothing_is_not_expected(tmp_path: Path) -> None:
    root = tmp_path / "set"
    (root / "qrels").mkdir(parents=True)
    (root / "queries.jsonl").write_text(json.dumps({"_id": "1", "text": "Where?"}) + "\n")
    (root / TSV).write_text("query-id\tcorpus-id\tscore\n1\ta\t0\n1\tb\t2\n1\tc\t-1\n")
    (query,) = BY_NAME["beir"].read(root).queries
    assert (query.expected_ids, query.grades) == (("b",), {"a": 0, "b": 2, "c": -1})


@pytest.mark.parametrize("taken", ["file", "folder", "link"])
def test_what_is_there_is_never_written_over(tmp_path: Path, taken: str) -> None:
    out = tmp_path / "out"
    makers: dict[str, Callable[[], object]] = {
        "file": out.touch,
        "folder": out.mkdir,
        "link": lambda: out.symlink_to("nowhere"),
    }
    makers[taken]()
    with pytest.raises(InputError, match="is there already, and is never overwritten"):
        write_atomically(out, lambda fresh: BY_NAME["beir"].write(of(HOLD, RAIL), fresh))
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    "name", ["x" * 300, "file/out"], ids=["a name too long", "a file for a folder"]
)
def test_a_place_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        write_atomically(tmp_path / name, Path.mkdir)
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_record_that_is_nested_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text('{"input": "x", "metadata": {"record": ' + "[" * 900 + "]" * 900 + "}}\n")
    with pytest.raises(InputError, match="line 1"):
        BY_NAME["inspect_ai"].read(path)


def test_what_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    def half(fresh: Path) -> None:
        BY_NAME["beir"].write(of(HOLD, RAIL), fresh)
        raise InputError("enough")

    with pytest.raises(InputError, match="enough"):
        write_atomically(tmp_path / "out", half)
    assert list(tmp_path.iterdir()) == []


def test_somebody_who_takes_the_place_meanwhile_keeps_it(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def slowly(fresh: Path) -> None:
        fresh.write_text("ours")
        out.write_text("theirs")

    with pytest.raises(InputError, match="is there already"):
        write_atomically(out, slowly)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("out", "theirs")]
