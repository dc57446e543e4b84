"""The Adversary's verdicts on single statements: what lines of tokens say of a sentence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.offline_agents.prose.prose_reading import read_narrative
from goldwright.offline_agents.statements.catalog import read_statement
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FactCitation, FileRange, SupportVerdict

_CODE: Final = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """A verdict on one claim.

    Attributes:
        verdict: Whether the code bears it out.
        lines: Where that was seen; None where nothing could be looked at.
        note: The reason, where it is not good.
    """

    verdict: SupportVerdict
    lines: FileRange | None
    note: str | None = None


def weigh_fact(
    sentence: str, citations: Sequence[FactCitation], code: TokenCodebase
) -> StatementVerdict:
    """Say whether the cited lines bear a fact out."""
    statement = read_statement(sentence)
    if statement is None:
        return _weigh_words(sentence, citations, code)
    showing, lines = statement.is_shown(code)
    if showing == "unclear" or lines is None:
        return StatementVerdict("partial", lines, "I cannot see all that this depends on")
    if showing == "refuted":
        return StatementVerdict("unsupported", lines, f"{lines} says otherwise")
    if any(_overlap(cited, lines) for cited in citations):
        return StatementVerdict("supported", lines)
    # The same may be true of several places, and another one is cited.
    cited_showing, cited_lines = statement.is_shown(code.limited_to(citations))
    is_cited = cited_lines and any(_overlap(cited, cited_lines) for cited in citations)
    if cited_showing == "shown" and is_cited:
        return StatementVerdict("supported", cited_lines)
    return StatementVerdict("unsupported", lines, f"it stands at {lines}, which is not cited")


def weigh_falsehood(sentence: str, code: TokenCodebase) -> StatementVerdict:
    """Say whether a statement is really false; ``supported`` means that it is."""
    statement = read_statement(sentence)
    if statement is None:
        note = "reading alone cannot refute a statement in this form"
        return StatementVerdict("partial", None, note)
    showing, lines = statement.is_shown(code)
    match showing:
        case "refuted":
            return StatementVerdict("supported", lines)
        case "shown":
            return StatementVerdict("unsupported", lines, f"it is true: see {lines}")
        case _:
            return StatementVerdict("partial", lines, "I cannot see all that this depends on")


def false_sentences(narrative: str, code: TokenCodebase) -> Iterator[str]:
    """Yield the sentences of a narrative that are statements and that the code refutes."""
    names = {definition.name for definition in code.definitions}
    for sentence, statement in read_narrative(narrative, names):
        if statement.is_shown(code)[0] == "refuted":
            yield sentence


def _weigh_words(
    sentence: str, citations: Sequence[FactCitation], code: TokenCodebase
) -> StatementVerdict:
    """Look for the code of a sentence in free words; more than *partial* cannot be reached so."""
    names = {part for definition in code.definitions for part in definition.name.split(".")}
    cited_code: list[str] = []
    lines: FileRange | None = None
    for definition in code.definitions:
        for line in definition.lines:
            place = definition.at(line)
            if any(_overlap(cited, place) for cited in citations):
                cited_code.append(plain_code(line.line.code))
                lines = lines or place
    if lines is None:
        return StatementVerdict("unsupported", None, "no cited line lies in an expected entity")
    text = f" {' '.join(cited_code)} "
    for piece in _CODE.findall(sentence):
        if piece.rpartition(".")[2] not in names and f" {plain_code(piece)} " not in text:
            note = f"`{piece}` does not stand on the cited lines"
            return StatementVerdict("unsupported", lines, note)
    note = "its code stands on the cited lines; what the sentence says of it was not checked"
    return StatementVerdict("partial", lines, note)


def _overlap(first: FileRange, second: FileRange) -> bool:
    if first.file != second.file:
        return False
    return first.start <= second.end and second.start <= first.end
