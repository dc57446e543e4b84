"""Real files with small faults in them: of bytes, and of tokens."""

import io
import tokenize
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

# What readers of bytes and lines stumble over.
ODD_BYTES: Final = (
    b"\0",
    b"\r",
    b"\f",
    b"\v",
    b"\x1a",
    b"\x1b]0;x\x07",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc0\xaf",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\xe2\x80\xae",
    b"\\\n",
    b"\t",
    b"'''",
    b'"""',
    b"#",
    b"(",
    b")",
    b"]",
    b"}",
    b":",
    b"\n",
    b" ",
    b"# coding: idna\n",
    b"f'{",
    b"\\N{",
    b"\\x",
    b"@",
    b";",
)
ODD_TOKENS: Final = (
    *"( ) [ ] { } : := = , . ... -> * ** @ ~ not lambda await async yield match case type".split(),
    *"except* global del in is if else for while with try except finally class def return".split(),
    *"raise import from None 0 0x 1_ 1e999 '' b'' f'{x!r:>{y}}' \\".split(),
)

ByteMutation = Callable[[bytes, Random, Sequence[bytes]], bytes]


def mutate(data: bytes, rng: Random, corpus: Sequence[bytes]) -> bytes:
    """Put one to four faults into a file.

    Args:
        data: The file.
        rng: The chance.
        corpus: Other files, of which parts may be taken.
    """
    is_of_tokens = rng.random() < 0.5
    for _ in range(rng.choice((1, 1, 1, 1, 2, 4))):
        mutate_once = _mutate_tokens if is_of_tokens else _mutate_bytes
        data = mutate_once(data, rng, corpus)
    return data


def _mutate_bytes(data: bytes, rng: Random, corpus: Sequence[bytes]) -> bytes:
    return rng.choice(BYTE_MUTATIONS)(data or b"\n", rng, corpus)


def _flip(data: bytes, rng: Random, _corpus: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _delete(data: bytes, rng: Random, _corpus: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randint(1, 40) :]


def _insert(data: bytes, rng: Random, _corpus: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(ODD_BYTES) * rng.choice((1, 1, 1, 2, 50)) + data[at:]


def _cut(data: bytes, rng: Random, _corpus: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data))]


def _repeat(data: bytes, rng: Random, _corpus: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data))
    part = data[at : at + rng.randint(1, 200)]
    return data[:at] + part * rng.choice((2, 3, 30)) + data[at:]


def _splice(data: bytes, rng: Random, corpus: Sequence[bytes]) -> bytes:
    other = rng.choice(corpus)
    return data[: rng.randrange(len(data))] + other[rng.randrange(len(other)) :]


def _mix_lines(data: bytes, rng: Random, corpus: Sequence[bytes]) -> bytes:
    lines, others = data.splitlines(keepends=True), rng.choice(corpus).splitlines(keepends=True)
    lines[rng.randrange(len(lines))] = rng.choice(others)
    return b"".join(lines)


def _indent(data: bytes, rng: Random, _corpus: Sequence[bytes]) -> bytes:
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    lines[at] = rng.choice((b" ", b"\t", b"    ", b"\f")) + lines[at].lstrip()
    return b"".join(lines)


BYTE_MUTATIONS: Final[tuple[ByteMutation, ...]] = (
    _flip, _delete, _insert, _cut, _repeat, _splice, _mix_lines, _indent,
)  # fmt: skip


def _mutate_tokens(data: bytes, rng: Random, corpus: Sequence[bytes]) -> bytes:
    """Take away, double, exchange or replace a token; what stands between stays."""
    places = _token_places(data)
    if len(places) < 2:
        return _mutate_bytes(data, rng, corpus)
    begin, end = rng.choice(places)
    match rng.randrange(5):
        case 0:
            return data[:begin] + data[end:]
        case 1:
            return data[:end] + b" " + data[begin:end] + data[end:]
        case 2:
            other_begin, other_end = rng.choice(places)
            return data[:begin] + data[other_begin:other_end] + data[end:]
        case 3:
            return data[:begin] + b" " + rng.choice(ODD_TOKENS).encode() + b" " + data[end:]
        case _:
            # As deep as no person writes: most parsers recurse over brackets.
            depth = rng.choice((3, 30, 150))
            return data[:begin] + b"(" * depth + data[begin:end] + b")" * depth + data[end:]


def _token_places(data: bytes) -> list[tuple[int, int]]:
    """Find where tokens begin and end, in bytes, as far as the file can be read."""
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    places = []
    try:
        for token in tokenize.tokenize(io.BytesIO(data).readline):
            if token.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING):
                begin = starts[token.start[0] - 1] + token.start[1]
                places.append((begin, starts[token.end[0] - 1] + token.end[1]))
    except (tokenize.TokenError, SyntaxError, UnicodeError, LookupError, IndexError):
        # A file with faults already; the tokens before the fault will do.
        pass
    return places
