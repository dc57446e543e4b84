"""The line format of ``calls.jsonl``: canonical JSON, each line chained to all lines before it.

A line reads ``{"b":12,…,"s":12,"t":"reply","h":"16 hex digits"}``: the fields of the body together
with ``b`` (number of the write), ``s`` (number of the line; one write is one line, so the two are
equal) and ``t`` (the kind), sorted, and then ``h``. ``h`` is the first 64 bits of SHA-256 over the
``h`` of the line before, a newline, and the bytes of this line up to ``,"h":``. The line before the
first is taken to have the hash of ``RUN``, a newline, ``calls`` and a newline, so a line of another
run, or one in another place, does not verify.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.canonical import canonical_json

# In bytes, the newline included.
LONGEST_LINE: Final = 1 << 20
_FRAME_FIELDS: Final = frozenset("bsth")
# 64 bits are plenty against accidents. Longer hashes would not stop a forger either: whoever can
# write the file can compute the chain again.
_HASH_DIGITS: Final = 16
_HASH_PREFIX: Final = b',"h":"'
_HASH_SUFFIX: Final = b'"}'
_HASH_MEMBER_LENGTH: Final = len(_HASH_PREFIX) + _HASH_DIGITS + len(_HASH_SUFFIX)


@dataclass(frozen=True, slots=True)
class CallEntry:
    """The content of one line.

    Attributes:
        sequence: The number of the line; the header is 0.
        kind: What the line records, such as ``intent`` or ``reply``.
        body: The fields without those of the frame.
    """

    sequence: int
    kind: str
    body: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ChainedLine:
    """One line without its newline, and the hash that it ends in."""

    data: bytes
    hash: str


def first_hash(run: str) -> str:
    """Compute the hash that the header of a run's file is chained to."""
    return _hash_line(f"{run}\ncalls", b"")


def encode_entry(entry: CallEntry, *, previous_hash: str) -> ChainedLine:
    """Write an entry as the line that follows the one with ``previous_hash``.

    Raises:
        ValueError: The body uses a name of the frame, holds NaN, or makes a line over 1 MiB.
    """
    reserved_names = _FRAME_FIELDS & entry.body.keys()
    if reserved_names:
        raise ValueError(f"the names {sorted(reserved_names)} belong to the frame of a line")
    frame = {"b": entry.sequence, "s": entry.sequence, "t": entry.kind}
    encoded_fields = canonical_json({**entry.body, **frame}).encode("ascii")
    line = _append_hash(encoded_fields.removesuffix(b"}"), previous_hash)
    # The limit counts the newline, which the file adds.
    if len(line.data) >= LONGEST_LINE:
        length = len(line.data) + 1
        raise ValueError(f"a line of {length} bytes; the longest is {LONGEST_LINE}")
    return line


def parse_fields(data: bytes) -> dict[str, object] | None:
    """Read the members of a line, or None where it is not one JSON object.

    Only the shape matters here: the chain vouches for every byte.
    """
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def verify_line(
    data: bytes, fields: Mapping[str, object], *, number: int, previous_hash: str
) -> ChainedLine | None:
    """Check that a line is number ``number`` and follows the line with ``previous_hash``.

    Returns:
        The line with its hash, or None where it does not follow.
    """
    line = _append_hash(data[:-_HASH_MEMBER_LENGTH], previous_hash)
    if data != line.data:
        return None
    # A program that counts wrongly writes lines whose hashes fit.
    is_numbered = fields.get("s") == number and fields.get("b") == number
    return line if is_numbered else None


def decode_entry(fields: Mapping[str, object], *, number: int) -> CallEntry:
    """Take the entry out of the members of a verified line."""
    body = {name: value for name, value in fields.items() if name not in _FRAME_FIELDS}
    return CallEntry(number, str(fields.get("t")), body)


def _append_hash(unhashed: bytes, previous_hash: str) -> ChainedLine:
    line_hash = _hash_line(previous_hash, unhashed)
    data = unhashed + _HASH_PREFIX + line_hash.encode("ascii") + _HASH_SUFFIX
    return ChainedLine(data, line_hash)


def _hash_line(previous_hash: str, unhashed: bytes) -> str:
    chained_data = previous_hash.encode() + b"\n" + unhashed
    return hashlib.sha256(chained_data).hexdigest()[:_HASH_DIGITS]
