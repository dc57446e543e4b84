"""TREC runs read in blocks of columns, so that a run of any size is read fast and in little memory.

A block whose lines all look alike is split as a whole; others are read line by line, which is
slower and finds the line that is malformed.
"""

import contextlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from goldwright.errors import InputError
from goldwright.retrieval.column_ids import decoded
from goldwright.retrieval.trec_text import RUN_COLUMNS, malformed_line, open_trec

_COLUMN_COUNT: Final = 6
# Characters read at a time, the hits of a few queries: what is split of them stays in the caches
# of a processor, which takes two thirds of the time of blocks eight times as large.
_BLOCK_SIZE: Final = 1 << 15

_DECODER: Final = msgspec.json.Decoder(list[float])


@dataclass(frozen=True, slots=True)
class RunBlock:
    """Consecutive lines of a run, as columns of equal length.

    Attributes:
        line_numbers: The numbers of the lines in the file, from 1.
        queries: Ids as they are written, so that equal ones are compared fast.
        documents: Ids, decoded.
        scores: All finite.
    """

    line_numbers: Sequence[int]
    queries: list[str]
    documents: list[str]
    scores: list[float]


def read_blocks(path: Path) -> Iterator[RunBlock]:
    """Read a run block by block.

    Raises:
        InputError: The file cannot be read, a line is malformed, or a score is not finite.
    """
    first_number = 1
    unfinished = ""
    with open_trec(path) as file:
        while text := file.read(_BLOCK_SIZE):
            # What stands behind the last newline waits for the rest of its line.
            lines, newline, unfinished = (unfinished + text).rpartition("\n")
            if newline:
                yield _read_block(path, first_number, lines)
                first_number += lines.count("\n") + 1
        if unfinished:
            yield _read_block(path, first_number, unfinished)


def _read_block(path: Path, first_number: int, text: str) -> RunBlock:
    block = _split_uniform_block(first_number, text)
    if block is None:
        return _split_line_by_line(path, first_number, text)
    return block


def _split_uniform_block(first_number: int, text: str) -> RunBlock | None:
    """Split a block at once; None where its lines need a closer look."""
    words = text.split()
    line_count = text.count("\n") + 1
    if len(words) != _COLUMN_COUNT * line_count:
        return None
    # Where one line is too short and another too long, some other word stands in this column.
    if words[1::_COLUMN_COUNT].count("Q0") != line_count:
        return None
    scores = _parse_scores(words[4::_COLUMN_COUNT])
    if scores is None:
        return None
    # The sum of finite scores is finite, or else at worst the slow way is taken without need.
    if not math.isfinite(sum(scores)):
        return None
    document_texts = words[2::_COLUMN_COUNT]
    line_numbers = range(first_number, first_number + line_count)
    queries = words[::_COLUMN_COUNT]
    return RunBlock(
        line_numbers=line_numbers,
        queries=queries,
        documents=_decode_all(document_texts, text),
        scores=scores,
    )


def _parse_scores(texts: Sequence[str]) -> list[float] | None:
    """Read numbers; None where a text is none."""
    # As JSON they are read to the same bits seven times as fast, which is a fifth of all work.
    with contextlib.suppress(msgspec.DecodeError):
        numbers = ",".join(texts)
        scores = _DECODER.decode(f"[{numbers}]")
        # A text with a comma would be two numbers.
        if len(scores) == len(texts):
            return scores
    # JSON has no ``1.``, ``+1`` or ``nan``.
    try:
        return list(map(float, texts))
    except ValueError:
        return None


def _split_line_by_line(path: Path, first_number: int, text: str) -> RunBlock:
    numbers: list[int] = []
    queries: list[str] = []
    documents: list[str] = []
    scores: list[float] = []
    for number, line in enumerate(text.split("\n"), start=first_number):
        if not line.strip():
            continue
        try:
            query, _, document, _, score_text, _ = line.split()
            score = float(score_text)
        except ValueError as error:
            raise malformed_line(path, number, line, RUN_COLUMNS) from error
        if not math.isfinite(score):
            raise InputError(f"{path}, line {number}: a score of {query!r} is not a finite number")
        numbers.append(number)
        queries.append(query)
        documents.append(document)
        scores.append(score)
    return RunBlock(numbers, queries, _decode_all(documents, text), scores)


def _decode_all(documents: list[str], text: str) -> list[str]:
    if "%" not in text:
        return documents
    return list(map(decoded, documents))
