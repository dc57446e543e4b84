"""The rule by which logs of shards are joined."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.app.shards.merge_conflicts import by_piece, missing_records
from goldwright.errors import QualityGateError

Trial = tuple[str, int]
TARGET = Path("all")


def joined(held: Sequence[Trial], shards: Sequence[Sequence[Trial]]) -> list[Trial]:
    named = [(Path(f"shard-{n}"), by_piece(shard, task_of)) for n, shard in enumerate(shards)]
    return [*held, *missing_records(by_piece(held, task_of), named, TARGET)]


def task_of(trial: Trial) -> str:
    return trial[0]


def in_pieces(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    return {task: list(records) for task, records in by_piece(trials, task_of).items()}


@st.composite
def logs_of_one_search(draw: st.DrawFn) -> tuple[list[Trial], list[list[Trial]]]:
    """Logs that hold the first trials of some tasks each, and the longest ones of all."""
    tasks = draw(st.lists(st.sampled_from("abcdef"), unique=True, max_size=5))
    logs: list[list[Trial]] = []
    longest: dict[str, int] = {}
    for _ in range(draw(st.integers(1, 4))):
        log: list[Trial] = []
        for task in tasks:
            length = draw(st.integers(0, 3))
            longest[task] = max(longest.get(task, 0), length)
            log.extend((task, number) for number in range(length))
        # The trials of several tasks are under way at a time.
        order = draw(st.permutations(sorted({task for task, _ in log})))
        logs.append([trial for task in order for trial in log if trial[0] == task])
    whole = [(task, number) for task, length in longest.items() for number in range(length)]
    return whole, logs


@given(logs_of_one_search(), st.randoms())
def test_joining_gives_each_record_once_in_whatever_order_shards_come(
    search: tuple[list[Trial], list[list[Trial]]], chance: object
) -> None:
    whole, logs = search
    result = joined([], logs)
    assert in_pieces(result) == in_pieces(whole)
    shuffled = list(logs)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a Random
    assert joined([], shuffled) == result
    # What is there stays, and joining again brings nothing.
    assert joined(result, logs) == result
    held = logs[0]
    onto = joined(held, logs)
    assert onto[: len(held)] == held
    assert in_pieces(onto) == in_pieces(whole)


def test_a_conflict_names_the_piece_and_both_places() -> None:
    with pytest.raises(QualityGateError, match="a: shard-0 and shard-1 hold different outcomes"):
        joined([], [[("a", 1)], [("a", 2)]])
    with pytest.raises(QualityGateError, match="a: all and shard-0 hold different outcomes"):
        joined([("a", 1), ("b", 1)], [[("b", 1)], [("a", 2)]][1:])
