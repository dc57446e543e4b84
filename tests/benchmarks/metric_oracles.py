"""Our measures against pytrec_eval, ir_measures and ranx: the same values, and the time from files
to means.

Wants those three beside this package (``make bench-metrics`` makes an environment for them). For
each it writes runs with graded judgements, unjudged documents and many ties, and compares every
query's values; then it times all four from the same files, several times in turn, and prints each
one's CPU time as a ratio to ours.
"""

import argparse
import importlib
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from goldwright.app.scoring.score_trec import score_files

NAMES = ("MRR", "nDCG@10", "R@10", "P@5", "Hit@5")
# Compared as well where a tool has them; ir_measures has RBP from yet another package.
FURTHER_NAMES = ("MAP", "MAP@10", "Rprec", "RBP", "RBP.95")
TREC = {
    "MRR": "recip_rank",
    "nDCG@10": "ndcg_cut_10",
    "R@10": "recall_10",
    "P@5": "P_5",
    "Hit@5": "success_5",
    "MAP": "map",
    "MAP@10": "map_cut_10",
    "Rprec": "Rprec",
}
MEASURES = {
    "MRR": "RR",
    "nDCG@10": "nDCG@10",
    "R@10": "R@10",
    "P@5": "P@5",
    "Hit@5": "Success@5",
    "MAP": "AP",
    "MAP@10": "AP@10",
    "Rprec": "Rprec",
}
RANX = {
    "MRR": "mrr",
    "nDCG@10": "ndcg@10",
    "R@10": "recall@10",
    "P@5": "precision@5",
    "Hit@5": "hit_rate@5",
    "MAP": "map",
    "MAP@10": "map@10",
    "Rprec": "r-precision",
    "RBP": "rbp.80",
    "RBP.95": "rbp.95",
}
Values = Mapping[str, Mapping[str, float]]


def write(
    folder: Path, chance: random.Random, queries: int, results: int, *, ties: bool
) -> tuple[Path, Path]:
    """Write judgements and a run."""
    qrels, run = folder / "qrels.txt", folder / "run.txt"
    with qrels.open("w") as judged, run.open("w") as found:
        for number in range(queries):
            pool = [f"pkg/m{chance.randrange(10**6)}.py::C{place}" for place in range(results)]
            for document in chance.sample(pool, min(6, results)):
                judged.write(f"q{number} 0 {document} {chance.choice([0, 1, 1, 2, 3])}\n")
            judged.write(f"q{number} 0 pkg/elsewhere.py::f{number} 1\n")
            scores = [chance.randrange(8) / 4 if ties else chance.random() for _ in pool]
            for place, (document, score) in enumerate(zip(pool, scores, strict=True), start=1):
                found.write(f"q{number} Q0 {document} {place} {score!r} made\n")
    return qrels, run


def ours(qrels: Path, run: Path, names: Sequence[str] = NAMES) -> Values:
    """Our values by query."""
    found = score_files(qrels, run, names)
    return {
        query: {name: found.columns[name][place] for name in names}
        for place, query in enumerate(found.queries)
    }


def trec_eval(qrels: Path, run: Path, names: Sequence[str] = NAMES) -> Values:
    """Those of trec_eval."""
    library: Any = importlib.import_module("pytrec_eval")
    trec_names = {name: TREC[name] for name in names if name in TREC}
    with qrels.open() as judged, run.open() as found:
        evaluator = library.RelevanceEvaluator(library.parse_qrel(judged), set(trec_names.values()))
        values = evaluator.evaluate(library.parse_run(found))
    return {
        query: {name: row[other] for name, other in trec_names.items()}
        for query, row in values.items()
    }


def ir_measures(qrels: Path, run: Path, names: Sequence[str] = NAMES) -> Values:
    """Those of ir_measures."""
    library: Any = importlib.import_module("ir_measures")
    wanted = {library.parse_measure(MEASURES[name]): name for name in names if name in MEASURES}
    judged, found = library.read_trec_qrels(str(qrels)), library.read_trec_run(str(run))
    values: dict[str, dict[str, float]] = {}
    for metric in library.iter_calc(list(wanted), judged, found):
        values.setdefault(metric.query_id, {})[wanted[metric.measure]] = metric.value
    return values


def ranx(qrels: Path, run: Path, names: Sequence[str] = NAMES) -> Values:
    """Those of ranx; its RBP takes grades for gains, so it is given none but 0 and 1."""
    library: Any = importlib.import_module("ranx")
    found = library.Run.from_file(str(run), kind="trec")
    judged = library.Qrels.from_file(str(qrels), kind="trec")
    graded = [RANX[name] for name in names if not name.startswith("RBP")]
    library.evaluate(judged, found, graded)
    scores = dict(found.scores)
    binary = [RANX[name] for name in names if name.startswith("RBP")]
    if binary:
        relevant = {
            query: {document: min(grade, 1) for document, grade in grades.items()}
            for query, grades in judged.to_dict().items()
        }
        library.evaluate(library.Qrels(relevant), found, binary)
        scores |= found.scores
    queries = scores["mrr"]
    return {query: {name: float(scores[RANX[name]][query]) for name in names} for query in queries}


OTHERS: Mapping[str, Callable[..., Values]] = {
    "pytrec_eval": trec_eval,
    "ir_measures": ir_measures,
    "ranx": ranx,
}


def farthest(one: Values, other: Values) -> float:
    """How far the two are apart at most, in what the second one has."""
    if one.keys() != other.keys():
        return float("inf")
    return max(abs(one[query][name] - other[query][name]) for query in one for name in other[query])


def main() -> int:
    """Compare and time; 1 where values differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20, help="runs whose values are compared")
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--results", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    all_names = (*NAMES, *FURTHER_NAMES)
    differ = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for tool, values in OTHERS.items():
            # ranx tells ties by the order of the file, which is no property of a run.
            tied = tool != "ranx"
            apart = 0.0
            for seed in range(given.runs):
                paths = write(folder, random.Random(seed), 60, 40, ties=tied)
                apart = max(apart, farthest(ours(*paths, all_names), values(*paths, all_names)))
            differ |= apart > 1e-9
            kind = "with ties" if tied else "without ties"
            print(f"{tool}: {given.runs} runs {kind}, apart by {apart:.1e} at most")
        paths = write(folder, random.Random(0), given.queries, given.results, ties=False)
        everybody: dict[str, Callable[..., Values]] = {"ours": ours, **OTHERS}
        seconds: dict[str, list[float]] = {tool: [] for tool in everybody}
        for turn in range(given.rounds + 1):
            for tool, values in everybody.items():
                began = time.process_time()
                values(*paths)
                if turn:
                    seconds[tool].append(time.process_time() - began)
        for tool, times in seconds.items():
            best = min(times)
            ratio = best / min(seconds["ours"])
            print(f"{tool}: {best:.2f} s of CPU at best of {given.rounds}, {ratio:.2f} of ours")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
