"""A process that parses files for another one: frames of files come in, frames of facts go out.

A frame holds a list of byte strings in msgpack. It is read to its end before the next one is
written, so that neither side waits for the other with a full pipe.

In both directions a frame is four bytes of length, most significant first, and then the content.
The process ends when its input does, so it never outlives the one it works for.
"""

import sys
from collections.abc import Callable
from typing import IO, Final

import msgspec

from goldwright.snapshot.garbage import garbage_collection_paused
from goldwright.snapshot.languages import language_named

LENGTH_BYTES: Final = 4
FALLBACK: Final = "--fallback"


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Read one frame; ``None`` when the stream ended."""
    head = stream.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    size = int.from_bytes(head, "big")
    data = stream.read(size)
    if len(data) < size:
        return None
    return data


def write_frame(stream: IO[bytes], data: bytes) -> None:
    """Write one frame, to the last byte."""
    head = len(data).to_bytes(LENGTH_BYTES, "big")
    stream.write(head)
    stream.write(data)
    stream.flush()


def main(arguments: list[str]) -> None:
    """Answer frames until there are no more.

    Args:
        arguments: The name of a language, and ``--fallback`` for its fallback reader.
    """
    language = language_named(arguments[0])
    read_facts = language.read_facts
    if FALLBACK in arguments:
        read_facts = language.read_facts_by_fallback
    encoder = msgspec.msgpack.Encoder()

    def answer(data: bytes) -> bytes:
        return encoder.encode(read_facts(data))

    answer_frames(answer)


def answer_frames(answer: Callable[[bytes], bytes]) -> None:
    """Answer each byte string of each frame until there are no more frames."""
    encoder = msgspec.msgpack.Encoder()
    decoder = msgspec.msgpack.Decoder(list[bytes])
    with garbage_collection_paused():
        while (frame := read_frame(sys.stdin.buffer)) is not None:
            answers = [answer(data) for data in decoder.decode(frame)]
            write_frame(sys.stdout.buffer, encoder.encode(answers))


if __name__ == "__main__":
    main(sys.argv[1:])
