"""Code inside prose: names, literals and expressions, in a spelling that can be compared.

Writers vary how they spell a name: with or without its class, ``self.`` or call parentheses, as
words in quotes. Two spellings are the same name when one ends in all parts of the other. Names are
compared as they stand and never by stems: ``close`` is not ``closed``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

# A name, string or number: its dotted parts in lower case without underscores.
Atom = tuple[str, ...]

# Stands before the text of a message, which is recognised by a part of it.
_MESSAGE: Final = "“"
# A quoted text with at least this many words is a message, and not a name spelled as words.
_FEWEST_MESSAGE_WORDS: Final = 3
# Letters of a message that a part must have; shorter ones are chance.
_SHORTEST_PART: Final = 12
# Names that are English words of a single letter.
_LETTER_WORDS: Final = frozenset({"a", "i"})
_EMPTY: Final = '""'
# A call that something is taken of the result of: ``super().close`` is not ``door.close``.
_RESULT: Final = "()"
_CONSTANTS: Final = frozenset({"none", "true", "false"})
_KEYWORDS: Final = frozenset(
    "and as async await else for from if in is lambda not or self cls while with yield".split()
)
_LEXEME: Final = re.compile(
    r"""(?P<string>\b[A-Za-z]{0,2}(?:"[^"]*"|'[^']*')|"[^"]*"|'[^']*')
    |(?P<path>(?:[\w.-]+/)+[\w.-]+|\b\w+\.(?:pyi?|toml|cfg|ini|json|ya?ml|md|rst|txt)\b)
    |(?P<number>-?\d[\d_]*(?:\.\d+)?)
    |(?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)*)""",
    re.VERBOSE,
)
# An option of a command line, a header.
_DASHED: Final = re.compile(r"-{0,2}[^\W\d]\w*(?:-\w+)+|--[^\W\d]\w*")
_NOT_ALPHANUMERIC: Final = re.compile(r"[\W_]+")
_WHITE_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class CodePiece:
    """One piece of code in a text.

    Attributes:
        text: The piece as it was written.
        spelling: The piece without white space, to compare expressions as wholes.
        atoms: Its names, strings and numbers, in their order.
        is_quoted: Whether it is a text in quotes.
    """

    text: str
    spelling: str
    atoms: tuple[Atom, ...]
    is_quoted: bool = False


def read_code(code: str) -> CodePiece:
    """Take a piece of code apart."""
    joined = _WHITE_SPACE.sub("", code)
    uncalled = joined.removesuffix("()") or joined
    spelling = uncalled.removeprefix("self.").lower()
    if code in _KEYWORDS:
        return CodePiece(code, spelling, ((code,),))
    if _DASHED.fullmatch(code):
        return CodePiece(code, spelling, (_text_atom(code),))
    atoms: list[Atom] = []
    for match in _LEXEME.finditer(code):
        is_of_result = code[: match.start()].endswith(").")
        is_name = match.lastgroup == "name"
        owner = (_RESULT,) if is_of_result and is_name else ()
        own_atoms = _atoms_of(match.lastgroup, match[0])
        atoms.extend((*owner, *atom) for atom in own_atoms)
    # What has no name in it, such as ``()``, stands for itself.
    return CodePiece(code, spelling, tuple(atoms) or ((spelling,),))


def read_quotation(text: str) -> CodePiece:
    """Read words in quotes: a message, or a name that is spelled as words."""
    atom = _text_atom(text)
    return CodePiece(text, atom[-1], (atom,), is_quoted=True)


def piece_of(name: Atom) -> CodePiece:
    """Write a name as a piece of code."""
    spelling = ".".join(name)
    return CodePiece(spelling, spelling, (name,))


def plain_text(text: str) -> str:
    """Letters and digits in lower case; a message that is cut short keeps its ellipsis."""
    joined = _NOT_ALPHANUMERIC.sub("", text).lower()
    if text.rstrip().endswith(("…", "...")):
        return f"{joined}…"
    return joined


def are_same(first: Atom, second: Atom) -> bool:
    """Return whether two atoms can be spellings of one name or message."""
    messages = list(filter(is_message, (first, second)))
    if not messages:
        shared = min(len(first), len(second))
        return first[-shared:] == second[-shared:]
    if first[-1] == second[-1]:
        return True
    if len(messages) == 1:
        return False
    text, second_text = first[1], second[1]
    return _is_part(text, second_text) or _is_part(second_text, text)


def holds_message(atom: Atom, atoms: Iterable[Atom]) -> bool:
    """Whether one of some atoms holds all of a message that a part may stand for elsewhere."""
    plain = atom[-1].removesuffix("…")
    texts = (candidate[-1] for candidate in atoms if is_message(candidate))
    return any(plain in text for text in texts)


def is_message(atom: Atom) -> bool:
    """Return whether an atom is the text of a message."""
    return atom[0] == _MESSAGE


def is_named(atom: Atom, atoms: Iterable[Atom]) -> bool:
    """Return whether one of some atoms is the same."""
    return any(are_same(atom, candidate) for candidate in atoms)


def is_spelled_out(atom: Atom, words: Sequence[str]) -> bool:
    """Return whether the last part of a name stands among words, whole or as several in a row."""
    name = atom[-1].lstrip("_")
    if name in _LETTER_WORDS:
        return False
    tails = (words[first:] for first in range(len(words)))
    return any(_begin_with(tail, name) for tail in tails)


def is_told(atom: Atom, letters: str) -> bool:
    """Return whether an atom is a message that a text tells without quotes, by its letters."""
    return is_message(atom) and _is_part(atom[1], letters)


def is_number(atom: Atom) -> bool:
    """Return whether an atom is a number."""
    digits = atom[0].lstrip("-")
    return digits[:1].isdigit()


def is_path(atom: Atom) -> bool:
    """Return whether an atom is the path of a file."""
    return "." in atom[-1]


def is_constant(atom: Atom) -> bool:
    """Return whether an atom is ``None``, ``True`` or ``False``."""
    return atom[0] in _CONSTANTS


def is_value(atom: Atom) -> bool:
    """Return whether an atom is a literal, which nothing in a text can be about."""
    if is_constant(atom):
        return True
    first_letter = atom[0].lstrip("_")[:1]
    return not first_letter.isalpha()


def _begin_with(words: Sequence[str], name: str) -> bool:
    joined = ""
    for word in words:
        joined += word
        if joined == name:
            return True
        if not name.startswith(joined):
            return False
    return False


def _atoms_of(kind: str | None, text: str) -> Iterator[Atom]:
    match kind:
        case "string":
            inner = text.strip("rRbBfFuU").strip("\"'")
            yield _text_atom(inner)
        case "path":
            path = tuple(text.lower().split("/"))
            # A media type has a slash as well.
            yield path if is_path(path) else _text_atom(text)
        case "number":
            yield (text.replace("_", ""),)
        case "name" if text not in _KEYWORDS:
            all_parts = text.split(".")
            parts = [part for part in all_parts if part not in {"self", "cls"}]
            if parts:
                yield tuple(map(_plain_name, parts))


def _text_atom(text: str) -> Atom:
    plain = plain_text(text) or text or _EMPTY
    if len(text.split()) < _FEWEST_MESSAGE_WORDS:
        return (plain,)
    return (_MESSAGE, plain)


def _plain_name(part: str) -> str:
    # ``_close`` and ``close`` often stand side by side, and are two.
    is_private = part.startswith("_") and not part.startswith("__")
    plain = part.lower().replace("_", "")
    return f"{'_' * is_private}{plain}" if plain else part


def _is_part(part: str, expression: str) -> bool:
    beginning = part.removesuffix("…")
    return len(beginning) >= _SHORTEST_PART and beginning in expression
