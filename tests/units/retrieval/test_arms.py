"""Arms over one index: their order, what a model can change, and what it cannot."""

import hashlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from goldwright.errors import InputError
from goldwright.retrieval.arms.catalog import ARMS, WITHOUT_MODEL, ArmSettings, check_arms
from goldwright.retrieval.codebase_index import CodebaseIndex
from goldwright.retrieval.embedders.port import Vectors
from goldwright.retrieval.embedders.random_vectors import RandomEmbedder
from goldwright.retrieval.fusions.catalog import FUSIONS
from goldwright.retrieval.rerankers.lexical_features import LexicalFeatureReranker
from goldwright.snapshot import Snapshot, open_snapshot

QUERIES = ("read the bytes of file 7", "what parses a header", "count_7", "zebra", "the of")
EVERY_ARM = pytest.mark.parametrize("name", ARMS)


class CountingEmbedder:
    """Counts words in dimensions chosen by their digest."""

    name = "counting"

    def encode(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), 64), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().replace("_", " ").split():
                rows[row, hashlib.sha256(word.encode()).digest()[0] % 64] += 1
        return rows


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root = tmp_path_factory.mktemp("code")
    lines = ["def parse_header(line):", '    """Parse one header."""', "    return count_7(line)"]
    for number in range(150):
        lines += [f"def count_{number}(data):", f"    return read_bytes_{number}(data)"]
        lines += [f"def read_bytes_{number}(file):", f"    return file.read({number})"]
    (root / "shop.py").write_text("\n".join(lines) + "\n")
    return open_snapshot(root, cache=tmp_path_factory.mktemp("cache"))


def settings(fusion: str = "zscore", *, with_callers: bool = False) -> ArmSettings:
    return ArmSettings(
        fuse=FUSIONS[fusion],
        open_reranker=lambda index: LexicalFeatureReranker(index.bm25),
        with_callers=with_callers,
    )


def ranked(index: CodebaseIndex, name: str, query: str, **options: bool) -> list[str]:
    arm = ARMS[name](index, settings(**options))  # type: ignore[arg-type]
    return [hit.entity_id for hit in arm.rank(index.question(query), 20)]


@EVERY_ARM
class TestContract:
    """What any arm keeps to."""

    @pytest.mark.parametrize("query", QUERIES)
    def test_hits_fall_and_come_once(self, snapshot: Snapshot, name: str, query: str) -> None:
        index = CodebaseIndex(snapshot, CountingEmbedder())
        hits = ARMS[name](index, settings()).rank(index.question(query), 20)
        assert len(hits) <= 20
        assert len({hit.entity_id for hit in hits}) == len(hits)
        assert all(better.score >= worse.score for better, worse in pairwise(hits))
        again = ARMS[name](index, settings()).rank(index.question(query), 20)
        assert hits == again

    @pytest.mark.parametrize("query", QUERIES)
    def test_fewer_hits_are_the_first_of_more(
        self, snapshot: Snapshot, name: str, query: str
    ) -> None:
        index = CodebaseIndex(snapshot, CountingEmbedder())
        arm = ARMS[name](index, settings())
        many = [hit.entity_id for hit in arm.rank(index.question(query), 60)]
        few = [hit.entity_id for hit in arm.rank(index.question(query), 12)]
        assert few == many[:12]


class TestModels:
    """What a model can do, and what it cannot."""

    @pytest.mark.parametrize("name", sorted(WITHOUT_MODEL))
    @pytest.mark.parametrize("query", QUERIES)
    def test_an_arm_without_a_model_is_the_same_with_any(
        self, snapshot: Snapshot, name: str, query: str
    ) -> None:
        rankings = [
            ranked(CodebaseIndex(snapshot, embedder), name, query)
            for embedder in (None, CountingEmbedder(), RandomEmbedder())
        ]
        assert rankings[0] == rankings[1] == rankings[2]

    @pytest.mark.parametrize("fusion", FUSIONS)
    @pytest.mark.parametrize("name", ["hybrid", "adaptive"])
    def test_a_model_that_knows_nothing_leaves_what_words_found(
        self, snapshot: Snapshot, name: str, fusion: str
    ) -> None:
        lexical = CodebaseIndex(snapshot)
        for seed in range(10):
            index = CodebaseIndex(snapshot, RandomEmbedder(seed))
            arm = ARMS[name](index, settings(fusion))
            hits = arm.rank(index.question(QUERIES[0]), 10)
            ids = [hit.entity_id for hit in hits]
            assert ids == ranked(lexical, "bm25", QUERIES[0])[:10]

    def test_where_words_find_nothing_the_model_decides(self, snapshot: Snapshot) -> None:
        index = CodebaseIndex(snapshot, CountingEmbedder())
        assert ranked(index, "bm25", "zebra") == []
        assert ranked(index, "hybrid", "zebra") == ranked(index, "dense", "zebra")

    def test_an_index_without_a_model_says_so(self, snapshot: Snapshot) -> None:
        with pytest.raises(InputError, match="no embedder"):
            ranked(CodebaseIndex(snapshot), "dense", "read")


class TestCallGraph:
    """Neighbours stand behind the first five."""

    def test_the_first_five_stay_and_a_callee_follows(self, snapshot: Snapshot) -> None:
        index = CodebaseIndex(snapshot, CountingEmbedder())
        plain = ranked(index, "hybrid", "what parses a header")
        expanded = ranked(index, "hybrid+graph", "what parses a header")
        assert plain[0] == "shop.py::parse_header"
        assert expanded[:5] == plain[:5]
        assert "shop.py::count_7" in expanded[5:10]

    def test_callers_too_leave_the_first_five(self, snapshot: Snapshot) -> None:
        index = CodebaseIndex(snapshot, CountingEmbedder())
        plain = ranked(index, "hybrid", "count_7")
        assert ranked(index, "hybrid+graph", "count_7", with_callers=True)[:5] == plain[:5]


def test_an_unknown_arm_is_named_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match=r"sparse: no arm; wanted some of dense, bm25"):
        check_arms(["bm25", "sparse"])


def test_vectors_are_made_once_for_all_arms_and_runs(snapshot: Snapshot, tmp_path: Path) -> None:
    class Counted(CountingEmbedder):
        texts = 0

        def encode(self, texts: Sequence[str]) -> Vectors:
            self.texts += len(texts)
            return super().encode(texts)

    first, second = Counted(), Counted()
    index = CodebaseIndex(snapshot, first, cache=tmp_path)
    for name in ARMS:
        ranked(index, name, "read")
    # The documents once, and the question once for all arms that search by meaning.
    assert first.texts == len(index.documents) + 1
    CodebaseIndex(snapshot, second, cache=tmp_path)
    assert second.texts == 0
