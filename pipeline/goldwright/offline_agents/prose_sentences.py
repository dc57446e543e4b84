"""Prose split into sentences, with the subject put back where it says "It"."""

import re
from collections.abc import Iterator
from typing import Final

# A full stop ends a sentence where a blank follows, outside of code and quotations.
_PIECE: Final = re.compile(r"`[^`]*`|“[^”]*”|\.(?= |$)")
_SUBJECT: Final = re.compile(r"(`[\w.]+`) ")


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text; one that begins with "It" gets the subject before it."""
    start = 0
    subject = ""
    for match in _PIECE.finditer(text):
        if match[0] != ".":
            continue
        sentence = text[start : match.end()].strip()
        start = match.end()
        naming = _SUBJECT.match(sentence)
        if naming is not None:
            subject = naming[1]
        elif sentence.startswith("It ") and subject:
            sentence = f"{subject} {sentence.removeprefix('It ')}"
        yield sentence
