"""Leaving out of a codebase the sentences that queries were taken from.

A query that is the first sentence of a docstring stands word for word in the document that matters.
Where that document is shown with it, a search by words finds it at once, and so would a solver.
"""

import re
from collections.abc import Iterable, Mapping

from goldwright.relevance.tasks import RelevanceTask
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id

# Marks that set code and stress off, which a query does without.
_MARKS = "[`*]*"
_LINE_ENDS = re.compile(r"\r\n|\r|\n")


def leave_out(text: str, sentence: str) -> str:
    """Leave the first occurrence of a sentence out of a text; its lines stay as many.

    Spaces, line ends and the marks of code and stress may be others than in the sentence. A text
    that does not hold it comes back as it is.
    """
    words = [_MARKS.join(map(re.escape, word)) for word in sentence.split()]
    if not words:
        return text
    between_words = rf"{_MARKS}\s+{_MARKS}"
    pattern = _MARKS + between_words.join(words) + _MARKS
    return re.sub(pattern, lambda match: _line_ends(match[0]), text, count=1)


def _line_ends(text: str) -> str:
    return "".join(_LINE_ENDS.findall(text))


def asked_sentences(tasks: Iterable[RelevanceTask]) -> Mapping[str, str]:
    """Return the queries of tasks that were taken from documents, by the ids of these."""
    return {task.asked_of: task.query for task in tasks if task.asked_of is not None}


def leave_sentences_out(snapshot: Snapshot, sentences: Mapping[str, str]) -> None:
    """Show the entities of a codebase without the sentences that queries were taken from.

    Args:
        snapshot: The codebase; what reads an entity's lines from here on reads them without.
        sentences: By entity id, the sentence.
    """
    for document_id, sentence in sentences.items():
        entity = snapshot.entity(document_id)
        if entity is None:
            continue
        path, _ = split_entity_id(document_id)
        lines = list(snapshot.source(path).lines)
        for span in entity.spans:
            block = slice(span.first - 1, span.last)
            block_text = "\n".join(lines[block])
            lines[block] = leave_out(block_text, sentence).split("\n")
        snapshot.show_instead(path, "\n".join(lines) + "\n")
