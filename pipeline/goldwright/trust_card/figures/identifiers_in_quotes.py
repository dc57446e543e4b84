"""Whether narratives speak identifiers and code as quoted words."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from goldwright.trust_card.estimates import share
from goldwright.trust_card.material import AnsweredQuery, CardMaterial
from goldwright.trust_card.measure import NO_FAULT, FigureMeasure, FigureText, Observation
from goldwright.trust_card.prose.identifiers import split_identifier
from goldwright.trust_card.prose.sentences import quotations
from goldwright.trust_card.prose.words import stand_in_order, words
from goldwright.trust_card.source.codebase import CodeReading

_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLAIN_WORDS: Final = re.compile(r"[a-z0-9][a-z0-9 ]*")


def _observe(material: CardMaterial) -> Iterator[Observation]:
    files = _QuotedFiles(material.code)
    for record in material.records:
        problem = ""
        for quotation in quotations(record.prose):
            if _is_spoken_code(quotation, record, files):
                problem = f"“{quotation}” are the words of code"
                break
        yield Observation.of_fault(record.query_id, problem)


class _QuotedFiles:
    """The cited files, prepared for looking quotations up in them."""

    def __init__(self, code: CodeReading) -> None:
        self._code = code
        self.lower_text = lru_cache(maxsize=64)(self._read_lower_text)
        self.identifiers = lru_cache(maxsize=64)(self._read_identifiers)

    def cited_lines(self, record: AnsweredQuery) -> Iterator[str]:
        """Yield the lines that the facts of a record cite."""
        for cited in record.answer.fact_citations:
            lines = self._code.lines(cited.file)
            yield from lines[cited.start - 1 : cited.end]

    def _read_lower_text(self, path: str) -> str:
        lower_words = self._code.text(path).lower().split()
        return " ".join(lower_words)

    def _read_identifiers(self, path: str) -> frozenset[tuple[str, ...]]:
        """The words of every identifier of a file."""
        text = self._code.text(path)
        names = set(_IDENTIFIER.findall(text))
        return frozenset(split_identifier(name) for name in names)


def _is_spoken_code(quotation: str, record: AnsweredQuery, files: _QuotedFiles) -> bool:
    """Whether quoted words are those of an identifier or of a line of code, and no message."""
    if _PLAIN_WORDS.fullmatch(quotation) is None:
        return False
    spoken_words = tuple(quotation.split())
    if any(_holds_as_text(quotation, path, files) for path in record.cited_paths):
        return False
    if len(spoken_words) == 1:
        # A common word is some name in every file; here it has to be one in the cited lines.
        return _is_cited_identifier(quotation, record, files)
    for path in record.cited_paths:
        if spoken_words in files.identifiers(path):
            return True
    return _stand_in_cited_line(spoken_words, record, files)


def _holds_as_text(quotation: str, path: str, files: _QuotedFiles) -> bool:
    """Whether a file holds words as they are quoted: in a string, a comment or a docstring."""
    text = files.lower_text(path)
    if " " in quotation:
        return quotation in text
    # A single word stands in every file that uses it as a name.
    is_in_double_quotes = f'"{quotation}"' in text
    return is_in_double_quotes or f"'{quotation}'" in text


def _is_cited_identifier(word: str, record: AnsweredQuery, files: _QuotedFiles) -> bool:
    for line in files.cited_lines(record):
        identifiers = _IDENTIFIER.findall(line)
        if (word,) in map(split_identifier, identifiers):
            return True
    return False


def _stand_in_cited_line(
    spoken_words: Sequence[str], record: AnsweredQuery, files: _QuotedFiles
) -> bool:
    """Whether the words of one cited line hold the spoken ones in their order."""
    cited_lines = files.cited_lines(record)
    return any(stand_in_order(spoken_words, words(line)) for line in cited_lines)


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "identifiers_as_words",
            "narratives that speak identifiers as quoted words",
            "Narratives with a quotation in lower case, such as “error insufficient buffer”, whose "
            "words are those of an identifier in the cited files, or stand in one cited line in "
            "this order, and that no string, comment or docstring of these files holds.",
            goal=NO_FAULT,
        ),
        _observe,
        share,
    ),
)
