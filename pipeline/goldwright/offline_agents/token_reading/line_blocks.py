"""Blocks of code by their indentation: lines of tokens, and the clauses that hold further ones."""

import io
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from goldwright.offline_agents.token_reading.code_text import bare, text_of
from goldwright.offline_agents.token_reading.formatted_strings import split_formatted

Tokens = tuple[tokenize.TokenInfo, ...]

_SKIPPED: Final = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER})
_OPENERS: Final = frozenset(
    {"if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class"}
)
# A clause that goes on with the statement above it on the same depth.
_CONTINUATIONS: Final = frozenset({"elif", "else", "except", "finally"})


@dataclass(frozen=True, slots=True)
class CodeLine:
    """The tokens of one logical line, or of the header of a clause without its colon."""

    tokens: Tokens

    @property
    def first(self) -> int:
        """The line of its first token, from 1."""
        return self.tokens[0].start[0]

    @property
    def last(self) -> int:
        """The line of its last token."""
        return self.tokens[-1].end[0]

    @property
    def keyword(self) -> str:
        """Its first word; ``async`` does not count."""
        words = [token.string for token in self.tokens[:2]]
        is_async = words[0] == "async" and len(words) > 1
        return words[1] if is_async else words[0]

    @property
    def is_string(self) -> bool:
        """Whether it is a single string and nothing else."""
        return len(self.tokens) == 1 and self.tokens[0].string.endswith(('"', "'"))

    @property
    def code(self) -> str:
        """The line as written, on one line."""
        return text_of(self.tokens)

    @property
    def operand(self) -> str:
        """What follows the keyword, without outer brackets."""
        start = 2 if self.tokens[0].string == "async" else 1
        # ``except*`` is one keyword of two tokens.
        if self.keyword == "except" and len(self.tokens) > start:
            start += self.tokens[start].string == "*"
        return bare(text_of(self.tokens[start:]))

    def words(self) -> list[str]:
        """Its tokens as written."""
        return [token.string for token in self.tokens]


@dataclass(slots=True)
class HeaderBlock:
    """A header and the block under it."""

    header: CodeLine
    body: "Block"


@dataclass(slots=True)
class Compound:
    """Clauses that belong together, as ``if``, ``elif`` and ``else`` do."""

    clauses: list[HeaderBlock]

    @property
    def keyword(self) -> str:
        """The keyword of its first clause."""
        return self.clauses[0].header.keyword


@dataclass(slots=True)
class Block:
    """What stands at one depth, from top to bottom."""

    items: list[CodeLine | Compound] = field(default_factory=list)


def read_blocks(lines: Sequence[str], first: int) -> Block:
    """Read lines into blocks; what comes after a place that makes no tokens is left out.

    Args:
        lines: Consecutive lines of a file, at any indentation.
        first: The number of the first one.
    """
    root = Block()
    open_blocks: list[tuple[int, Block]] = [(0, root)]
    for depth, tokens in _logical_lines(lines, first):
        while len(open_blocks) > 1 and open_blocks[-1][0] > depth:
            open_blocks.pop()
        block = open_blocks[-1][1]
        colon = _colon(tokens)
        if colon is None:
            block.items.append(CodeLine(tokens))
            continue
        header = CodeLine(tokens[:colon])
        clause = HeaderBlock(header, Block())
        _append(block, clause)
        behind_colon = tokens[colon + 1 :]
        if behind_colon:
            clause.body.items.append(CodeLine(behind_colon))
        open_blocks.append((depth + 1, clause.body))
    return root


def _append(block: Block, clause: HeaderBlock) -> None:
    keyword = clause.header.keyword
    above = block.items[-1] if block.items else None
    is_case = keyword == "case" and block.items != []
    goes_on = is_case or keyword in _CONTINUATIONS
    if goes_on and isinstance(above, Compound):
        above.clauses.append(clause)
    else:
        block.items.append(Compound([clause]))


def _logical_lines(lines: Sequence[str], first: int) -> Iterator[tuple[int, Tokens]]:
    depth = 0
    current: list[tokenize.TokenInfo] = []
    for token in _tokens(lines, first):
        if token.type == tokenize.INDENT:
            depth += 1
        elif token.type == tokenize.DEDENT:
            depth -= 1
        elif token.type == tokenize.NEWLINE or (token.type == tokenize.OP and token.string == ";"):
            if current:
                yield depth, tuple(current)
            current = []
        elif token.type not in _SKIPPED:
            current.extend(split_formatted(token))
    if current:
        yield depth, tuple(current)


def _tokens(lines: Sequence[str], first: int) -> Iterator[tokenize.TokenInfo]:
    first_line = lines[0] if lines else ""
    is_indented = first_line[:1] in {" ", "\t"}
    # Indented lines need a block around them, or the first indentation would be an error.
    source_lines = ["if 1:", *lines] if is_indented else list(lines)
    shift = first - 1 - is_indented
    text = "\n".join(source_lines) + "\n"
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    try:
        for token in tokens:
            if is_indented and (token.start[0] == 1 or _is_outer_indent(token)):
                continue
            # Most reads are of whole files, whose tokens stand where they say.
            yield _moved_down(token, shift) if shift else token
    except (tokenize.TokenError, SyntaxError):
        return


def _moved_down(token: tokenize.TokenInfo, lines: int) -> tokenize.TokenInfo:
    first_line, first_column = token.start
    last_line, last_column = token.end
    start = (first_line + lines, first_column)
    end = (last_line + lines, last_column)
    return token._replace(start=start, end=end)


def _is_outer_indent(token: tokenize.TokenInfo) -> bool:
    """Find out whether a token is the indentation of the block that was put around the lines."""
    return token.type == tokenize.INDENT and token.start[0] == 2  # below ``if 1:``


def _colon(tokens: Tokens) -> int | None:
    """Find the colon that ends the header of a clause; None where the line opens no block."""
    words = [token.string for token in tokens]
    is_async = words[0] == "async" and len(words) > 1
    keyword = words[1] if is_async else words[0]
    if keyword not in _OPENERS and not _is_soft_opener(keyword, words):
        return None
    nesting = lambdas = 0
    for place, word in enumerate(words):
        if word in {"(", "[", "{"}:
            nesting += 1
        elif word in {")", "]", "}"}:
            nesting -= 1
        elif word == "lambda" and nesting == 0:
            lambdas += 1
        elif word == ":" and nesting == 0:
            if not lambdas:
                return place
            lambdas -= 1
    return None


def _is_soft_opener(keyword: str, words: Sequence[str]) -> bool:
    """Find out whether a line opens a block with a word that may be a mere name elsewhere."""
    if keyword not in {"match", "case"} or words[-1] != ":":
        return False
    # A name would go on so: it is assigned, looked into or annotated.
    return words[1] not in {"=", ".", ":"}
