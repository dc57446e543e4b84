"""Print what the offline Author asks about a code base, cell by cell, and how varied its wording
is.

python tests/benchmarks/wording.py DIRECTORY [--seed N] [--plan FILE] [--brief]
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from goldwright.agents.roles import AuthorWork
from goldwright.offline_agents.author import OfflineAuthor
from goldwright.plan import Cell, read_plan
from goldwright.records import DIFFICULTIES, CandidateDraft, TaskType, opening
from goldwright.snapshot import open_snapshot
from goldwright.snapshot.identifier_leaks import leaked_identifiers

ROWS: tuple[tuple[TaskType, tuple[int, int, int]], ...] = (
    ("locate", (6, 4, 0)),
    ("explain", (2, 6, 4)),
    ("debug", (2, 6, 4)),
    ("extend", (2, 6, 4)),
    ("review", (1, 5, 2)),
    ("general", (2, 2, 2)),
)


def main() -> None:
    """Read the arguments, author one round and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plan", type=Path)
    parser.add_argument("--brief", action="store_true", help="figures only")
    options = parser.parse_args()
    asks = asks_of(options.plan)
    with tempfile.TemporaryDirectory() as cache:
        snapshot = open_snapshot(options.directory, rev=None, cache=Path(cache), allow_dirty=True)
        since = time.perf_counter()
        author = OfflineAuthor(snapshot)
        agenda = author.agenda(AuthorWork(asks[0][0], asks[0][1], 0, asks, (), options.seed))
        seconds = time.perf_counter() - since
    for cell, count in asks:
        print_cell(cell, count, agenda[cell], brief=options.brief)
    print_figures(
        [draft for cell, _ in asks for draft in agenda[cell]],
        sum(count for _, count in asks),
        seconds,
    )


def asks_of(plan: Path | None) -> tuple[tuple[Cell, int], ...]:
    """What each cell asks for: of a plan file, or of the built-in matrix of Phase 1."""
    if plan is not None:
        read = read_plan(plan)
        return tuple((cell, read.emission(read.target(cell))) for cell in read.filled_cells())
    cells = (
        (Cell(kind, level), n)
        for kind, row in ROWS
        for level, n in zip(DIFFICULTIES, row, strict=True)
    )
    return tuple((cell, -(-3 * n // 2)) for cell, n in cells if n)


def print_cell(cell: Cell, count: int, drafts: Iterable[CandidateDraft], *, brief: bool) -> None:
    """Print the queries of one cell with their targets."""
    shown = tuple(drafts)
    print(f"## {cell}: {len(shown)} of {count}")
    for draft in () if brief else shown:
        print(f"  {draft.query_text}")
        print(
            f"      -> {', '.join(target.rpartition('/')[2] for target in draft.target_entity_ids)}"
        )
        leaks = leaked_identifiers(draft.query_text, draft.target_entity_ids)
        if leaks:
            print(f"      LEAKS {leaks}")


def print_figures(drafts: list[CandidateDraft], wanted: int, seconds: float) -> None:
    """Print how much was written, how fast, and how alike it opens."""
    starts = Counter(opening(draft.query_text) for draft in drafts)
    words = Counter(start[0] for start in starts.elements())
    lengths = sorted(len(draft.query_text.split()) for draft in drafts)
    if not drafts:
        print("nothing to ask")
        return
    word, times = words.most_common(1)[0]
    print(f"{len(drafts)} of {wanted} drafts in {seconds:.2f} s")
    print(
        f"{len(starts)} different first three words, {len(words)} first words; "
        f"most frequent: {word!r} {times / len(drafts):.0%}"
    )
    print(f"words a query: {lengths[0]} to {lengths[-1]}, median {lengths[len(lengths) // 2]}")


if __name__ == "__main__":
    main()
