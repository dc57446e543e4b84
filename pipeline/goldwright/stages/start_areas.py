"""Where the Authors of a run begin to look: each in a part of the codebase of its own.

Authors who all begin at the first page of one listing ask about the same few files. An area is a
place to begin, and no fence.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from math import inf, log
from random import Random
from typing import Final

from goldwright.plan import Cell
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import product_code_among
from goldwright.stages.transcript import CellCounts

# So that a top-up, too, finds an area where nobody of its run has begun.
AREAS_PER_AUTHOR: Final = 2
FILES_ALONE: Final = "*"
"""Ends an area that is the files right in a directory, without those of the directories in it."""

Sizes = Mapping[str, int]
"""Bytes by path."""


def draw_areas(
    snapshot: Snapshot, wanted_count: int, *, seed: int, focus_area: str | None
) -> list[str]:
    """Cut the product code into areas, and put them in the order in which Authors get them.

    Args:
        snapshot: The codebase.
        wanted_count: The least number of areas, where the codebase has so many files.
        seed: The run's; larger areas tend to come first, and which ones is drawn with it.
        focus_area: How the paths begin that count; ``None`` for all of them.

    Returns:
        Directories (``shop/``), files right in a directory (``shop/*``) and files; none if no
        source file is in focus.
    """
    sources = snapshot.source_files
    product_code = product_code_among(snapshot, sources) or sources
    in_focus = [path for path in product_code if path.startswith(focus_area or "")]
    sizes = {path: snapshot.files[path].size for path in in_focus}
    areas = cut_into_areas(sizes, wanted_count)
    random = Random(f"areas {seed}")  # noqa: S311  # reproducible draws, no secret
    # The least of exponential draws, each divided by a size, falls on an area by its size.
    ranks = {}
    for area, size in sorted(areas.items()):
        if size:
            draw = -log(1.0 - random.random())
            ranks[area] = draw / size
        else:
            ranks[area] = inf
    return sorted(ranks, key=lambda area: (ranks[area], area))


def cut_into_areas(sizes: Sizes, wanted_count: int) -> dict[str, int]:
    """Cut the largest directory into what is in it, until there are areas enough.

    Returns:
        The areas with their sizes in bytes, which together hold every file once.
    """
    areas: dict[str, Sizes] = {"": sizes} if sizes else {}
    while len(areas) < wanted_count:
        divisible = [area for area in areas if _is_divisible(area, areas[area])]
        if not divisible:
            break
        largest = max(divisible, key=lambda area: (sum(areas[area].values()), area))
        areas.update(_parts(largest, areas.pop(largest)))
    return {area or "/": sum(files.values()) for area, files in areas.items()}


def deal_areas(areas: list[str], rounds: Mapping[int, CellCounts]) -> dict[tuple[int, Cell], str]:
    """Give the Author of every cell in every round an area, the same however often it is asked.

    No area is given twice before all were given, and no cell gets one again that it had, unless it
    had them all.
    """
    dealt: dict[tuple[int, Cell], str] = {}
    times_given: Counter[str] = Counter()
    times_in_cell: defaultdict[Cell, Counter[str]] = defaultdict(Counter)
    for number, cell_counts in sorted(rounds.items()) if areas else ():
        for cell, _ in cell_counts:
            area = _least_given(areas, times_in_cell[cell], times_given)
            times_in_cell[cell][area] += 1
            times_given[area] += 1
            dealt[number, cell] = area
    return dealt


def _least_given(areas: list[str], times_in_cell: Counter[str], times_given: Counter[str]) -> str:
    # Of several, min takes the first in the order of the draw.
    return min(areas, key=lambda area: (times_in_cell[area], times_given[area]))


def _is_divisible(area: str, files: Sizes) -> bool:
    is_one_file = area in files
    has_parts = len(files) > 1 or not area.endswith(FILES_ALONE)
    return not is_one_file and has_parts


def _parts(area: str, files: Sizes) -> Iterator[tuple[str, Sizes]]:
    """Cut a directory into its directories and its own files, and those into single files."""
    if area.endswith(FILES_ALONE):
        yield from ((path, {path: size}) for path, size in files.items())
        return
    parts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for path, size in files.items():
        path_in_area = path[len(area) :]
        directory, slash, _ = path_in_area.partition("/")
        name = f"{directory}/" if slash else FILES_ALONE
        parts[f"{area}{name}"][path] = size
    for part, files_of_part in parts.items():
        is_file = part.endswith(FILES_ALONE) and len(files_of_part) == 1
        path_of_part = next(iter(files_of_part)) if is_file else part
        yield path_of_part, files_of_part
