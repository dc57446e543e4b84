"""What the cited lines of a record say, as a digest that shows when they say something else."""

from collections.abc import Iterable, Iterator

from goldwright.canonical import digest_bytes
from goldwright.records import AnswerDraft, FileRange, GoldenLabel, OracleAnswer
from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.entities import Span

Citations = dict[str, str]
"""The digest of the text of each range, by the range as in ``shop.py:6-10``."""


def every_range(answer: AnswerDraft) -> Iterator[FileRange]:
    """Yield the expected ranges, the citations of facts and the evidence, without their claims."""
    ranges = (*answer.expected_line_ranges, *answer.fact_citations, *answer.source_evidence)
    for cited in ranges:
        yield FileRange(file=cited.file, start=cited.start, end=cited.end)


def cited_digests(ranges: Iterable[FileRange], codebase: SourceTree) -> Citations:
    """Digest the text of every range that stands for lines of the codebase."""
    digests: Citations = {}
    for cited in ranges:
        if _is_valid(cited, codebase):
            digests[str(cited)] = text_digest(cited, codebase)
    # Sorted, since formats that carry a whole record sort the keys of its objects.
    return dict(sorted(digests.items()))


def recorded_digests(answer: AnswerDraft) -> Citations | None:
    """Give the digests that a record keeps; None for an answer that was just written."""
    match answer:
        case GoldenLabel():
            return answer.cited_text
        case OracleAnswer():
            return answer.cited_text or None
        case _:
            return None


def text_digest(cited: FileRange, codebase: SourceTree) -> str:
    r"""Digest the normalised text of lines that are there.

    Lines end in ``\n`` and have no trailing blanks, and each loses the indentation of the smallest
    entity around all of them. So a body that moves into a class keeps its digest, and a statement
    that moves out of its ``if`` does not.
    """
    text = "\n".join(normalised_lines(cited, codebase))
    return digest_bytes(text.encode("utf-8", "surrogatepass"))


def normalised_lines(cited: FileRange, codebase: SourceTree) -> tuple[str, ...]:
    """Give the lines of a range as their digest reads them."""
    lines = codebase.source(cited.file).lines
    span = _smallest_span(cited, codebase)
    indentation = ""
    if span is not None:
        indentation = _indentation(lines[span.first - 1])
    in_range = lines[cited.start - 1 : cited.end]
    return tuple(normalised_line(line, indentation) for line in in_range)


def normalised_line(line: str, indentation: str) -> str:
    """Give a line without trailing blanks and without the indentation of its entity."""
    return line.removeprefix(indentation).rstrip()


def _smallest_span(cited: FileRange, codebase: SourceTree) -> Span | None:
    """Give the smallest span of an entity around a range; None at the level of the module."""
    smallest: Span | None = None
    for entity in codebase.entities_in(cited.file):
        for span in entity.spans:
            if not (span.first <= cited.start and cited.end <= span.last):
                continue
            if smallest is None or span.last - span.first < smallest.last - smallest.first:
                smallest = span
    return smallest


def _indentation(line: str) -> str:
    text_length = len(line.lstrip())
    return line[: len(line) - text_length]


def _is_valid(cited: FileRange, codebase: SourceTree) -> bool:
    if not codebase.has_text(cited.file):
        return False
    return 1 <= cited.start <= cited.end <= codebase.line_count(cited.file)
