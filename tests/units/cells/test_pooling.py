"""What a judge sees says nothing of the cells, and holds what measures the judge."""

from collections import Counter

from goldwright.cells.corpus import SampledDocument
from goldwright.cells.pooling import choose_second, make_pairs, pool_documents
from goldwright.cells.records import CellQuery, CellRanking, PooledPair
from goldwright.retrieval.chunkers.port import SourceDocument

PATHS = [f"d{place:03}.md" for place in range(200)]
QUERIES = [
    CellQuery(query_id=f"q{place}", text=f"question {place}", origin="hand") for place in range(25)
]


def document(path: str) -> SampledDocument:
    words = "word " * (5 + int(path[1:4]) % 40)
    return SampledDocument(SourceDocument(path, [words]), "markdown", ". (markdown)")


def ranking(cell: str, shift: int) -> CellRanking:
    ranked = {}
    for place, query in enumerate(QUERIES):
        start = (place * 3 + shift) % len(PATHS)
        ranked[query.query_id] = tuple((PATHS + PATHS)[start : start + 40])
    return CellRanking(cell=cell, vectors="", chunks=200, ranked=ranked)


RANKINGS = [ranking("a", 0), ranking("b", 10), ranking("c", 50)]
DOCUMENTS = [document(path) for path in PATHS]


def pairs_of(rankings: list[CellRanking]) -> list[PooledPair]:
    return list(make_pairs(QUERIES, rankings, DOCUMENTS, depth=30, seed=3))


def test_the_pool_of_a_query_is_the_top_of_every_cell() -> None:
    pool = pool_documents(RANKINGS, "q0", 30)
    assert set(pool) == {path for entry in RANKINGS for path in entry.ranked["q0"][:30]}
    assert len(pool) == len(set(pool))


def test_a_pool_that_is_cut_keeps_the_first_ranks_of_all_cells() -> None:
    pool = pool_documents(RANKINGS, "q0", 30, most=9)
    assert {path for entry in RANKINGS for path in entry.ranked["q0"][:3]} == set(pool)


def test_pairs_hold_each_pooled_one_once_and_hidden_ones_beside() -> None:
    pairs = pairs_of(RANKINGS)
    roles = Counter(pair.role for pair in pairs)
    pooled = {(pair.query_id, pair.path) for pair in pairs if pair.role == "pooled"}
    assert roles["pooled"] == len(pooled)
    assert roles["duplicate"] == roles["control"] == len(pooled) * 4 // 100
    duplicates = {(pair.query_id, pair.path) for pair in pairs if pair.role == "duplicate"}
    controls = {(pair.query_id, pair.path) for pair in pairs if pair.role == "control"}
    assert duplicates <= pooled
    assert not controls & pooled


def test_neither_numbers_nor_order_say_which_cell_brought_a_pair() -> None:
    """Two cells that swap their names leave every pair where it is."""
    swapped = [
        RANKINGS[0].model_copy(update={"cell": "b"}),
        RANKINGS[1].model_copy(update={"cell": "a"}),
        RANKINGS[2],
    ]
    assert pairs_of(swapped) == pairs_of(RANKINGS)
    of_first = {(query, path) for query, paths in RANKINGS[0].ranked.items() for path in paths[:30]}
    numbers = [pair.number for pair in pairs_of(RANKINGS) if (pair.query_id, pair.path) in of_first]
    total = len(pairs_of(RANKINGS))
    # The mean place of one cell's pairs is the middle, within four standard errors.
    error = total / (12 * len(numbers)) ** 0.5
    assert abs(sum(numbers) / len(numbers) - total / 2) < 4 * error


def test_controls_are_about_as_long_as_what_is_pooled() -> None:
    tokens = {entry.path: entry.tokens for entry in DOCUMENTS}
    pairs = pairs_of(RANKINGS)
    means = {}
    for role in ("pooled", "control"):
        sizes = [tokens[pair.path] for pair in pairs if pair.role == role]
        means[role] = sum(sizes) / len(sizes)
    assert abs(means["pooled"] - means["control"]) < 4


def test_what_the_dataset_grades_is_not_asked() -> None:
    expecting = [query.model_copy(update={"expected": {PATHS[0]: 3}}) for query in QUERIES]
    pairs = make_pairs(expecting, RANKINGS, DOCUMENTS, depth=30, seed=3)
    assert all(pair.path != PATHS[0] for pair in pairs)


def test_the_second_judge_gets_a_tenth_of_the_pool_and_nothing_hidden() -> None:
    pairs = pairs_of(RANKINGS)
    second = choose_second(pairs, seed=3)
    pooled = sum(pair.role == "pooled" for pair in pairs)
    assert len(second) == -(-pooled // 10)
    assert {pair.role for pair in second} == {"pooled"}
