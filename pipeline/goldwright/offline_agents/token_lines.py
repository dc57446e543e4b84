"""Code as rows of tokens with the conditions they stand under: a reading that owes nothing to a
parser.

A row is one logical line, or the part of it behind a block's colon. Blocks are told by indentation
alone.
"""

import io
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from goldwright.offline_agents.behaviours import PathCondition
from goldwright.offline_agents.condition_wording import negate, squash

_SKIPPED: Final = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER})
_OPENERS: Final = frozenset(
    {"if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class"}
)
_UNKNOWN: Final = PathCondition("some", "?")


@dataclass(frozen=True, slots=True)
class TokenLine:
    """Tokens of one statement or block header.

    ``owner`` is the qualified name of the definition around it (a ``def`` or ``class`` row and its
    decorators belong to what they define); ``contexts`` are the ``with`` items it stands in.
    """

    tokens: tuple[tokenize.TokenInfo, ...]
    owner: str
    guards: tuple[PathCondition, ...]
    contexts: tuple[str, ...]

    @property
    def first(self) -> int:
        """The line of its first token."""
        return self.tokens[0].start[0]

    @property
    def last(self) -> int:
        """The line of its last token."""
        return self.tokens[-1].end[0]

    @property
    def keyword(self) -> str:
        """Its first word, ``async`` left out."""
        words = [token.string for token in self.tokens[:2]]
        return words[1] if words[0] == "async" and len(words) > 1 else words[0]

    @property
    def code(self) -> str:
        """Its tokens with one blank between them."""
        return squash(text_of(self.tokens))

    @property
    def rest(self) -> str:
        """What follows the keyword, as written, without outer parentheses."""
        return bare(text_of(self.tokens[2 if self.tokens[0].string == "async" else 1 :]))


@dataclass(slots=True)
class _LineBlock:
    depth: int
    owner: str
    guards: tuple[PathCondition, ...]
    contexts: tuple[str, ...]
    subject: str = ""


@dataclass(slots=True)
class _TokenLineReader:
    blocks: list[_LineBlock]
    rows: list[TokenLine] = field(default_factory=list)
    tests: dict[int, list[str]] = field(default_factory=dict)
    before: dict[int, str] = field(default_factory=dict)
    decorators: list[tuple[tokenize.TokenInfo, ...]] = field(default_factory=list)

    def line(self, tokens: tuple[tokenize.TokenInfo, ...], depth: int) -> None:
        while len(self.blocks) > 1 and self.blocks[-1].depth >= depth:
            self.blocks.pop()
        around = self.blocks[-1]
        if tokens[0].string == "@":
            self.decorators.append(tokens)
            return
        colon = _colon(tokens)
        if colon is None:
            self._add(tokens, around)
            self.tests.pop(depth, None)
            self.before[depth] = ""
            return
        header, inline = tokens[:colon], tokens[colon + 1 :]
        inner = self._open(header, depth, around)
        self.blocks.append(inner)
        if inline:
            self._add(inline, inner)

    def _add(self, tokens: tuple[tokenize.TokenInfo, ...], block: _LineBlock) -> None:
        self.rows.append(TokenLine(tokens, block.owner, block.guards, block.contexts))

    def _open(
        self, header: tuple[tokenize.TokenInfo, ...], depth: int, around: _LineBlock
    ) -> _LineBlock:
        row = TokenLine(header, around.owner, around.guards, around.contexts)
        keyword = row.keyword
        inner = _LineBlock(depth, around.owner, around.guards, around.contexts, around.subject)
        if keyword in {"def", "class"}:
            place = [token.string for token in header].index(keyword) + 1
            name = header[place].string
            inner = _LineBlock(depth, f"{around.owner}.{name}" if around.owner else name, (), ())
            row = TokenLine(header, inner.owner, around.guards, around.contexts)
            self.rows.extend(TokenLine(one, inner.owner, (), ()) for one in self.decorators)
            self.decorators.clear()
        elif keyword == "with":
            inner.contexts = (*around.contexts, row.rest)
        elif keyword not in {"try", "finally"}:
            inner.guards = (*around.guards, *self._guards(keyword, row, depth, around))
        if keyword == "match":
            inner.guards, inner.subject = around.guards, row.rest
        self.rows.append(row)
        self.before[depth] = keyword
        return inner

    def _guards(  # noqa: C901, PLR0911  # one arm a form
        self, keyword: str, row: TokenLine, depth: int, around: _LineBlock
    ) -> tuple[PathCondition, ...]:
        before = self.before.get(depth, "")
        if keyword == "if":
            self.tests[depth] = [row.rest]
        elif keyword == "elif":
            self.tests.setdefault(depth, []).append(row.rest)
        if keyword in {"if", "elif"}:
            return (PathCondition("when", row.rest),)
        if keyword == "else":
            if before in {"if", "elif"}:
                return tuple(
                    PathCondition("when", negate(test)) for test in self.tests.get(depth, ())
                )
            return () if before in {"except", "try"} else (_UNKNOWN,)
        if keyword == "while":
            return (PathCondition("while", row.rest),)
        if keyword == "except":
            return (PathCondition("handling", caught_by(row)),)
        if keyword == "for":
            variable, iterated = loop_parts(row)
            return (PathCondition("each", iterated, variable),)
        return (PathCondition("case", around.subject, row.rest),) if keyword == "case" else ()


def read_rows(lines: Sequence[str], first: int, owner: str) -> tuple[TokenLine, ...]:
    """Read lines into rows; what comes after a place that makes no tokens is left out.

    Args:
        lines: Consecutive lines of a file, at any indentation.
        first: The number of the first one.
        owner: The qualified name of what encloses them; empty at module level.
    """
    reader = _TokenLineReader([_LineBlock(-1, owner, (), ())])
    depth = 0
    current: list[tokenize.TokenInfo] = []
    for token in _tokens(lines, first):
        if token.type == tokenize.INDENT:
            depth += 1
        elif token.type == tokenize.DEDENT:
            depth -= 1
        elif token.type == tokenize.NEWLINE or (token.type == tokenize.OP and token.string == ";"):
            if current:
                reader.line(tuple(current), depth)
            current = []
        elif token.type not in _SKIPPED:
            current.append(token)
    if current:
        reader.line(tuple(current), depth)
    return tuple(reader.rows)


def text_of(tokens: Sequence[tokenize.TokenInfo]) -> str:
    """Put tokens together as they are written, lines joined by a blank."""
    parts: list[str] = []
    end = (0, 0)
    for token in tokens:
        if parts:
            parts.append(" " * (token.start[1] - end[1]) if token.start[0] == end[0] else " ")
        parts.append(token.string)
        end = token.end
    return "".join(parts)


def bare(text: str) -> str:
    """Take off parentheses around the whole of an expression."""
    stripped = text.strip()
    while stripped.startswith("(") and stripped.endswith(")") and _is_wrapped(stripped):
        stripped = stripped[1:-1].strip()
    return stripped


def caught_by(row: TokenLine) -> str:
    """The exceptions of an ``except`` row, as written."""
    words = [token.string for token in row.tokens]
    end = words.index("as") if "as" in words else len(words)
    return text_of(row.tokens[1:end]) or "BaseException"


def loop_parts(row: TokenLine) -> tuple[str, str]:
    """The variable and the iterable of a ``for`` row, as written."""
    tokens = row.tokens[row.tokens[0].string == "async" :][1:]
    place = next((n for n, token in enumerate(tokens) if token.string == "in"), len(tokens))
    return text_of(tokens[:place]), text_of(tokens[place + 1 :])


def _tokens(lines: Sequence[str], first: int) -> Iterator[tokenize.TokenInfo]:
    indented = lines[0][:1] in " \t" if lines else False
    source = "\n".join(["if 1:", *lines] if indented else lines) + "\n"
    shift = first - (2 if indented else 1)
    found = tokenize.generate_tokens(io.StringIO(source).readline)
    try:
        for token in found:
            if indented and token.start[0] == 1:
                continue
            yield token._replace(
                start=(token.start[0] + shift, token.start[1]),
                end=(token.end[0] + shift, token.end[1]),
            )
    except (tokenize.TokenError, SyntaxError):
        return


def _colon(tokens: tuple[tokenize.TokenInfo, ...]) -> int | None:
    """Find the colon that ends a block's header; ``None`` when the row opens no block."""
    words = [token.string for token in tokens]
    keyword = words[1] if words[0] == "async" and len(words) > 1 else words[0]
    soft = keyword in {"match", "case"} and words[-1] == ":" and words[1] not in {"=", ".", ":"}
    if keyword not in _OPENERS and not soft:
        return None
    nesting = lambdas = 0
    for place, word in enumerate(words):
        nesting += (word in "([{") - (word in ")]}") if len(word) == 1 else 0
        lambdas += word == "lambda" and nesting == 0
        if word == ":" and nesting == 0:
            if not lambdas:
                return place
            lambdas -= 1
    return None


def _is_wrapped(text: str) -> bool:
    depth = 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return place == len(text) - 1
    return False
