"""Prose split into sentences, with the subject put back where it says "it" or "its"."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.bracketed_files import without_files
from goldwright.code_blocks import without_code_blocks
from goldwright.offline_agents.prose_references import (
    as_set,
    subject_named,
    with_subject,
    without_lead,
)

# A full stop ends a sentence where a blank follows, outside of code and quotations.
_PIECE: Final = re.compile(r"`[^`]*`|“[^”]*”|\.(?= |$)")


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text in full: with their subject, and without what leads them in."""
    text = without_files(without_code_blocks(text))
    start = 0
    subject = ""
    for match in _PIECE.finditer(text):
        if match[0] != ".":
            continue
        spoken = text[start : match.end()].strip()
        start = match.end()
        sentence = as_set(with_subject(without_lead(spoken), subject))
        subject = subject_named(sentence) or subject
        yield sentence
