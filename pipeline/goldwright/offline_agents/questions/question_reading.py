"""Whether an answer meets its question, by the Adversary's own reading of tokens.

An answer may be true in every word and answer another question. The reason of the question names
lines; what stands on them must be what the facts are about, with the thing that was meant.
"""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from tokenize import TokenInfo
from typing import Final

from goldwright.offline_agents.questions.kind_readings import KIND_READINGS
from goldwright.offline_agents.statements.catalog import read_statement
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.only_catchers import OnlyCatchers
from goldwright.offline_agents.statements.statement import Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.offline_agents.token_reading.line_blocks import CodeLine
from goldwright.offline_agents.token_reading.string_text import string_text
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.records import AnswerDraft, FileRange, Intent
from goldwright.snapshot.entities import split_entity_id

_CODE: Final = re.compile(r"`([^`]+)`")
_WORD: Final = re.compile(r"[^\W_]+")
_LONG_WORD: Final = re.compile(r"[A-Za-z]{4,}")
# What a formatted string or a template puts in.
_GAP: Final = re.compile(r"\{[^{}]*\}|%\(\w+\)\w|%[sdrfi]")
_COMPOUND: Final = frozenset({"if", "elif", "except", "for", "while", "with", "case"})
# Answers cut long messages at about this length.
LONGEST_QUOTE: Final = 80
# Fewer words may be a key or a mode, which say little alone.
FEWEST_MESSAGE_WORDS: Final = 2


@dataclass(frozen=True, slots=True)
class ReadFact:
    """A fact as far as it can be read back.

    Attributes:
        text: The fact.
        statement: What it states; None where it is in free words.
        lines: Where the code shows it; its own citations where that could not be looked up.
    """

    text: str
    statement: Statement | None
    lines: tuple[FileRange, ...]


def read_facts(answer: AnswerDraft, code: TokenCodebase) -> tuple[ReadFact, ...]:
    """Read the facts of an answer, each with the lines that show it."""
    facts = []
    for number, text in enumerate(answer.must_mention_facts, start=1):
        claim_id = f"fact-{number}"
        cited = [citation for citation in answer.fact_citations if citation.claim_id == claim_id]
        statement = read_statement(text)
        lines = [] if statement is None else _lines_that_show(statement, cited, code)
        fact_lines = tuple(lines or cited)
        facts.append(ReadFact(text, statement, fact_lines))
    return tuple(facts)


def _lines_that_show(
    statement: Statement, cited: Sequence[FileRange], code: TokenCodebase
) -> list[FileRange]:
    """List the lines that show a statement: the first ones, and the first of those cited."""
    _, first_lines = statement.is_shown(code)
    _, first_cited_lines = statement.is_shown(code.limited_to(cited))
    places = (first_lines, first_cited_lines)
    return [place for place in places if place is not None]


def open_points(intent: Intent, answer: AnswerDraft, code: TokenCodebase) -> Iterator[str]:
    """Yield what the answer leaves open of its question."""
    if intent.kind == "other":
        return
    facts = read_facts(answer, code)
    asked_lines = [line for _, line in _lines_of(intent, code)]
    line_ends = {(line.first, line.last) for line in asked_lines}
    on_lines = [fact for fact in facts if _is_about(fact, intent.lines, line_ends)]
    # Who uses something is no matter of single lines.
    if not on_lines and intent.kind != "callers":
        yield f"the question turns on {intent.lines}, and no fact is about these lines"
        return
    if on_lines and not _names_detail(intent, on_lines, code):
        yield f"the question means `{intent.detail}`, and no fact on {intent.lines} names it"
    if intent.kind == "outcomes":
        yield from _open_ways_out(intent, facts, code)
    if KIND_READINGS[intent.kind].asks_for_all and not _has_set(facts):
        yield "the question asks for all of them, and no fact says who they are"
    if intent.kind == "caller_coping":
        yield from _open_callers(intent, facts)


def quote_reason(intent: Intent, code: TokenCodebase) -> str | None:
    """Quote what a question turns on; None where it cannot be read or marked.

    That is what is meant inside the lines, where this is a name or literal of the code; else the
    message on them; else the code itself.
    """
    asked_lines = (line for _, line in _lines_of(intent, code))
    line = next(asked_lines, None)
    if line is None:
        return None
    name = split_entity_id(intent.subject)[1]
    place = f"in `{name}`"
    is_name = KIND_READINGS[intent.kind].is_about_value and "`" not in intent.detail
    if is_name and intent.detail and _stands(intent, code):
        return f"The question turns on `{intent.detail}` {place}."
    if line.keyword in {"def", "class", "@"}:
        return f"The question turns on `{name}`."
    quoted = " ".join(line.line.code.split())
    is_message = KIND_READINGS[intent.kind].quotes_message or line.keyword == "raise"
    if is_message and line.keyword not in _COMPOUND:
        argument = string_text(_first_argument(line.line))
        message = _GAP.sub("…", argument).replace("”", "'")
        if len(_LONG_WORD.findall(message)) >= FEWEST_MESSAGE_WORDS:
            return f"The question turns on “{_cut(message)}” {place}."
        # Without a message, what is called or raised is all there is to name.
        quoted = quoted.partition("(")[0]
    if "`" in quoted or len(quoted) > LONGEST_QUOTE:
        return None
    return f"The question turns on `{quoted}` {place}."


def _cut(message: str) -> str:
    """Cut a long message behind a word: half a word would stand in no answer."""
    if len(message) <= LONGEST_QUOTE:
        return message
    return message[:LONGEST_QUOTE].rpartition(" ")[0]


def _first_argument(line: CodeLine) -> CodeLine:
    """Cut a call behind its first argument: a message comes first, and what fills it after it.

    What a call adds to the message is no part of its text.
    """
    kept: list[TokenInfo] = []
    depth = 0
    is_sum = False
    for token in line.tokens:
        if token.string == "," and depth == 1:
            break
        is_sum = is_sum or (token.string == "+" and depth == 1)
        if not is_sum or depth <= 1:
            kept.append(token)
        depth += (token.string in "([{") - (token.string in ")]}")
    return CodeLine(tuple(kept))


def _stands(intent: Intent, code: TokenCodebase) -> bool:
    asked_lines = [line for _, line in _lines_of(intent, code)]
    text = " ".join(line.line.code for line in asked_lines)
    detail_words = set(_WORD.findall(intent.detail.lower()))
    return detail_words <= set(_WORD.findall(text.lower()))


def _is_about(
    fact: ReadFact, asked_lines: FileRange, line_ends: Container[tuple[int, int]]
) -> bool:
    """Find out whether a fact is shown on lines that are asked about."""
    return any(_is_on(lines, asked_lines, line_ends) for lines in fact.lines)


def _is_on(lines: FileRange, asked_lines: FileRange, line_ends: Container[tuple[int, int]]) -> bool:
    """Whether lines lie inside those that are asked about, or are the one line around them."""
    if lines.file != asked_lines.file:
        return False
    is_inside = asked_lines.start <= lines.start and lines.end <= asked_lines.end
    return is_inside or (lines.start, lines.end) in line_ends


def _names_detail(intent: Intent, on_lines: Sequence[ReadFact], code: TokenCodebase) -> bool:
    if not KIND_READINGS[intent.kind].names_detail or not intent.detail:
        return True
    # A model may put the detail in words of its own; then nothing can be looked up.
    if not _stands(intent, code):
        return True
    texts = [fact.text.lower() for fact in on_lines]
    fact_words = {word for text in texts for word in _WORD.findall(text)}
    detail_words = set(_WORD.findall(intent.detail.lower()))
    return detail_words <= fact_words


def _lines_of(intent: Intent, code: TokenCodebase) -> Iterator[tuple[TokenDefinition, TokenLine]]:
    """Yield the lines of code that a question turns on."""
    for definition in code.definitions:
        if definition.entity_id != intent.subject:
            continue
        for line in definition.lines:
            if line.first <= intent.lines.end and intent.lines.start <= line.last:
                yield definition, line


def _open_ways_out(intent: Intent, facts: Sequence[ReadFact], code: TokenCodebase) -> Iterator[str]:
    cited_starts = {(lines.file, lines.start) for fact in facts for lines in fact.lines}
    for definition, line in _lines_of(intent, code):
        is_own = line.owner == definition.name
        is_way_out = is_own and line.keyword in {"return", "raise"}
        # Errors that are only passed on, and ways that cannot be said, are nobody's outcome.
        if (
            is_way_out
            and line.operand
            and line.path
            and (definition.path, line.first) not in cited_starts
        ):
            way_out = f"{line.keyword} {line.operand}"
            yield f"no fact tells of `{way_out}` on line {line.first}"


def _has_set(facts: Sequence[ReadFact]) -> bool:
    statements = (fact.statement for fact in facts)
    return any(statement is not None and statement.set_field for statement in statements)


def _open_callers(intent: Intent, facts: Sequence[ReadFact]) -> Iterator[str]:
    """Yield the callers of whom no fact says whether they cope."""
    statements = [fact.statement for fact in facts]
    if any(isinstance(statement, OnlyCatchers) for statement in statements):
        return
    name = split_entity_id(intent.subject)[1]
    coping_facts = [fact for fact in facts if not isinstance(fact.statement, OnlyCallers)]
    spoken = {piece for fact in coping_facts for piece in _CODE.findall(fact.text)}
    for statement in statements:
        if isinstance(statement, OnlyCallers) and statement.callee == name:
            for caller in statement.callers:
                if caller not in spoken:
                    yield f"no fact says whether `{caller}` copes"
