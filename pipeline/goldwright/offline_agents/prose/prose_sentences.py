"""Prose split into sentences, with the subject put back where it says "it" or "its"."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.bracketed_files import without_files
from goldwright.code_blocks import without_code_blocks
from goldwright.offline_agents.prose.prose_paraphrases import in_grammar, without_each
from goldwright.offline_agents.prose.prose_references import (
    as_set,
    subject_named,
    with_subject,
    without_lead,
)

# A full stop ends a sentence where a blank follows, outside of code and quotations.
_PIECE: Final = re.compile(r"`[^`]*`|“[^”]*”|\.(?= |$)")


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text in full: with their subject, and without what leads them in."""
    text = in_grammar(without_files(without_code_blocks(text)))
    start = 0
    subject = before = ""
    for match in _PIECE.finditer(text):
        if match[0] != ".":
            continue
        spoken = text[start : match.end()].strip()
        start = match.end()
        in_full = without_each(without_lead(spoken), before)
        sentence = before = as_set(with_subject(in_full, subject))
        subject = subject_named(sentence) or subject
        yield sentence


def sentences_as_written(text: str) -> Iterator[str]:
    """Yield the sentences of a text without code blocks as they stand, each with its blank."""
    start = 0
    for match in _PIECE.finditer(text):
        if match[0] == ".":
            has_blank = text.startswith(" ", match.end())
            end = match.end() + has_blank
            yield text[start:end]
            start = end
    if start < len(text):
        yield text[start:]
