"""Shares of independent pieces, and executors that compute them."""

import math
import signal
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.engine.piece_executors import (
    PieceExecutor,
    ProcessDiedError,
    ProcessExecutor,
    SequentialExecutor,
)
from goldwright.engine.shards import Shard, read_shard
from goldwright.errors import InputError

TRIED_PIECE_EXECUTORS: tuple[PieceExecutor, ...] = (SequentialExecutor(), ProcessExecutor(2))


@given(st.integers(0, 50), st.integers(1, 12))
def test_the_shards_of_one_count_hold_every_piece_once(pieces: int, count: int) -> None:
    shares = [Shard(number, count).share_of(range(pieces)) for number in range(1, count + 1)]
    assert sorted(piece for share in shares for piece in share) == list(range(pieces))
    sizes = [len(share) for share in shares]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "a/b", "1/0", "-1/2", " 1/2", "1/2\n"])
def test_a_shard_that_there_is_not_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--shard"):
        read_shard(text)


@pytest.mark.parametrize("executor", TRIED_PIECE_EXECUTORS)
def test_an_error_costs_its_own_piece_alone(executor: PieceExecutor) -> None:
    settled = {result.task: result for result in executor.settle(math.log2, iter([1, 0, 2, 4]))}
    outcomes = {task: result.outcome for task, result in settled.items()}
    assert outcomes == {1: 0.0, 0: None, 2: 1.0, 4: 2.0}
    assert isinstance(settled[0].error, ValueError)


def test_a_process_that_dies_costs_its_own_piece_alone() -> None:
    """Nobody knows which of the pieces under way it had: the others are computed once more."""
    # Signal 0 is none.
    pieces = [0, 0, signal.SIGKILL, 0, 0, 0, signal.SIGKILL, 0]
    settled = list(ProcessExecutor(2).settle(signal.raise_signal, iter(pieces)))
    endings = Counter((result.task, type(result.error)) for result in settled)
    assert endings == {(0, type(None)): 6, (signal.SIGKILL, ProcessDiedError): 2}
