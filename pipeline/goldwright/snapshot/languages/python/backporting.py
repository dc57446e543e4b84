"""Writing newer Python as Python that this interpreter's ``ast`` reads, on the same lines.

The tree of the older text has the definitions, imports, calls and names of the newer one. What is
rewritten keeps its place, mostly to the column:

- type parameters (PEP 695, 696) become blanks, and a ``type`` statement an assignment;
- ``except A, B`` (PEP 758) becomes ``except A| B``;
- a template string (PEP 750) becomes an f-string, and an f-string whose fields only PEP 701 allows
  becomes the tuple of its expressions;
- ``lazy import`` (PEP 810) loses its first word, and ``[*x for x in y]`` (PEP 798) its star.
"""

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from goldwright.snapshot.languages.python.string_scanning import (
    MOST_NESTED_BRACKETS,
    MalformedSourceError,
    StringToken,
    closing_bracket,
    code_marks,
    read_string,
)

# Brackets, strings and the like. What a comprehension unpacks is hardly ever more than a name, and
# the many calls with a star are not to be read to their ends.
_MOST_MARKS_OF_ELEMENT: Final = 40
_KEYWORD: Final = (
    r"(?>(?:async[ \t]++)?)def[ \t]++\w++[ \t]*+\["
    r"|class[ \t]++\w++[ \t]*+\["
    r"|except\b"
    r"|type[ \t]++(?=\w)"
    r"|lazy[ \t]++(?=(?:import|from)\b)"
)
# Each branch begins with a plain character: the search skips everything else at the speed of C.
_CANDIDATE: Final = re.compile(
    rf"#[^\n]*+|'|\"|\n[ \t\f]*+(?:{_KEYWORD})"
    r"|:[ \t]*+type[ \t]++(?=\w)|;[ \t]*+type[ \t]++(?=\w)"
    r"|\[\s*+\*|\(\s*+\*|\{\s*+\*"
)
_NAME: Final = re.compile(r"\w++")
_OPENING_BRACKET: Final = re.compile(r"[ \t]*+\[")
_EQUALS: Final = re.compile(r"[ \t]*+=(?!=)")
_JOINT: Final = re.compile(r"(?>(?:[ \t\f]|\\\n|\n|#[^\n]*+)*)")
# Within a line; a line break ends a statement unless a backslash or a bracket holds it.
_JOINT_IN_LINE: Final = re.compile(r"(?>(?:[ \t\f]|\\\n)*)")
_SOFT_KEYWORD_FOLLOWERS: Final = frozenset("and else for if in is not or".split())


def backport(text: str) -> str:
    r"""Rewrite what is newer; the text comes back unchanged where nothing is.

    Args:
        text: A module, whose lines end in ``\n``.

    Raises:
        MalformedSourceError: It cannot be read.
    """
    # Every statement of the text begins behind a line end.
    module = f"\n{text}"
    rewriting = _Rewriting(module, 0, len(module))
    return rewriting.result().removeprefix("\n")


@dataclass(slots=True)
class _Rewriting:
    """The rewriting of a part of a text.

    Attributes:
        text: The text.
        start: Where the part begins.
        end: Where it ends.
        depth: How many brackets are open where the part begins.
        level: How many formatted strings are around the part.
    """

    text: str
    start: int
    end: int
    depth: int = 0
    level: int = 0
    _position: int = 0
    _pieces: list[str] = field(default_factory=list)
    _written: int = 0
    _uncounted: list[str] = field(default_factory=list)
    _strings: list[StringToken] = field(default_factory=list)

    def result(self) -> str:
        """Rewrite the part."""
        self._position = self._written = self.start
        while match := _CANDIDATE.search(self.text, self._position, self.end):
            code_before = self.text[self._position : match.start()]
            self._uncounted.append(code_before)
            self._position = match.end()
            self._take(match)
        self._write_strings()
        if not self._pieces:
            return self.text[self.start : self.end]
        rest = self.text[self._written : self.end]
        self._pieces.append(rest)
        return "".join(self._pieces)

    def _depth(self) -> int:
        """Count the brackets that are open; few readers ask, so they are counted at a time."""
        code = "".join(self._uncounted)
        self._uncounted = []
        opening_count = sum(map(code.count, "([{"))
        closing_count = sum(map(code.count, ")]}"))
        self.depth += opening_count - closing_count
        if not 0 <= self.depth <= MOST_NESTED_BRACKETS:
            raise MalformedSourceError("brackets without their partners")
        return self.depth

    def _take(self, match: re.Match[str]) -> None:
        first = match[0][0]
        if first == "#":
            return
        if first in "'\"":
            self._take_string(match.start())
            return
        # Replacements are written in the order of their places.
        self._write_strings()
        if first in "([{":
            self._take_star(match)
        else:
            self._take_keyword(match)

    def _replace(self, start: int, end: int, replacement: str) -> None:
        self._pieces.append(self.text[self._written : start])
        self._pieces.append(replacement)
        self._written = end

    def _take_keyword(self, match: re.Match[str]) -> None:
        statement = match[0].lstrip("\n\t\f :;")
        keyword = statement.split()[0]
        # Behind a colon inside brackets stands no statement.
        if self._depth() > 0:
            return
        match keyword:
            case "type":
                self._take_type_statement(match)
            case "except":
                self._take_except(match.end())
            case "lazy":
                self._take_lazy_import(match)
            case _:
                self._blank_brackets(match.end() - 1)

    def _blank_brackets(self, opening: int) -> None:
        """Blank out type parameters."""
        end = closing_bracket(self.text, opening) + 1
        brackets = self.text[opening:end]
        self._replace(opening, end, _joined_blanks(brackets))
        self._position = end

    def _take_type_statement(self, match: re.Match[str]) -> None:
        """Write ``type Pair[T] = ...`` as ``Pair         = ...``."""
        start = match.start() + match[0].index("type")
        name = _NAME.match(self.text, match.end())
        if name is None or name[0] in _SOFT_KEYWORD_FOLLOWERS:
            return
        end = name.end()
        parameters = _OPENING_BRACKET.match(self.text, end)
        if parameters is not None:
            opening = parameters.end() - 1
            end = closing_bracket(self.text, opening) + 1
        if _EQUALS.match(self.text, end) is None:
            return
        name_end = start + len(name[0])
        blanks = _joined_blanks(self.text[name_end:end])
        self._replace(start, end, name[0] + blanks)
        self._position = end

    def _take_except(self, start: int) -> None:
        """Join exception types that stand without brackets by an operator."""
        commas: list[int] = []
        for mark in code_marks(self.text, start):
            if mark.depth < 0 or mark.text == "as":
                return
            if mark.depth > 0:
                continue
            if mark.text == ":":
                self._join_types(commas, mark.start)
            is_continued = self.text[mark.start - 1] == "\\"
            if mark.text == ":" or (mark.text == "\n" and not is_continued):
                return
            if mark.text == ",":
                commas.append(mark.start)

    def _join_types(self, commas: list[int], end: int) -> None:
        for number, comma in enumerate(commas, start=1):
            operator = "|"
            behind = self.text[comma + 1 : end]
            if number == len(commas) and not behind.strip():
                operator = " "
            self._replace(comma, comma + 1, operator)
            self._position = comma + 1

    def _take_lazy_import(self, match: re.Match[str]) -> None:
        """Write ``lazy import a`` as ``import      a``."""
        start = match.start() + match[0].index("lazy")
        keyword = _NAME.match(self.text, match.end())
        if keyword is not None:
            padding = " " * (match.end() - start)
            padded_keyword = keyword[0] + padding
            self._replace(start, keyword.end(), padded_keyword)
            self._position = keyword.end()

    def _take_star(self, match: re.Match[str]) -> None:
        """Blank out the star of an element that a comprehension unpacks."""
        self._uncounted.append(match[0][0])
        # Unclosed brackets by the thousand would each be read to the same end.
        self._depth()
        star = match.end() - 1
        end = match.end()
        if match[0][0] == "{" and self.text.startswith("*", end):
            end += 1
        self._position = end
        if self._is_comprehension(end):
            self._replace(star, end, " " * (end - star))

    def _is_comprehension(self, start: int) -> bool:
        """Return whether a ``for`` follows the first element inside brackets."""
        marks = code_marks(self.text, start, level=self.level)
        for mark in islice(marks, _MOST_MARKS_OF_ELEMENT):
            if mark.depth == 0 and mark.text in {",", "for"}:
                return mark.text == "for"
        return False

    def _take_string(self, quote_start: int) -> None:
        token = read_string(self.text, quote_start, level=self.level)
        if self._strings and not self._is_joined(self._strings[-1], token):
            self._write_strings()
        self._strings.append(token)
        self._position = token.end

    def _is_joined(self, before: StringToken, after: StringToken) -> bool:
        """Return whether two strings stand side by side, so that they are one."""
        between = self.text[before.end : after.start]
        if _JOINT.fullmatch(between) is None:
            return False
        is_in_one_line = _JOINT_IN_LINE.fullmatch(between) is not None
        return is_in_one_line or self._depth() > 0

    def _write_strings(self) -> None:
        """Write the strings that stand side by side and were not written so far."""
        strings = self._strings
        if any(string.is_newer for string in strings):
            start = strings[0].start
            end = strings[-1].end
            self._replace(start, end, self._tuple_of(strings))
        else:
            for string in strings:
                if "t" in string.prefix:
                    self._write_f_string(string)
        self._strings = []

    def _write_f_string(self, template: StringToken) -> None:
        prefix_end = template.start + len(template.prefix)
        prefix = template.prefix.replace("t", "f")
        self._replace(template.start, prefix_end, prefix)

    def _tuple_of(self, strings: list[StringToken]) -> str:
        """Write strings as the tuple of the expressions in their fields, each in its place."""
        start = strings[0].start
        end = strings[-1].end
        pieces = ["("]
        position = start + 1
        for string in strings:
            for expression_start, expression_end in string.expressions:
                pieces.append(_blanks(self.text[position:expression_start]))
                inner = _Rewriting(
                    self.text, expression_start, expression_end, depth=1, level=self.level + 1
                )
                # Behind each expression stands at least the brace that ends its field.
                pieces += [inner.result(), ","]
                position = expression_end + 1
        rest = self.text[position : end - 1]
        pieces += [_blanks(rest), ")"]
        return "".join(pieces)


def _blanks(text: str) -> str:
    """Give blanks as wide as a text in UTF-8, by which ``ast`` counts columns; line ends stay."""
    blank_lines: list[str] = []
    for line in text.split("\n"):
        width = len(line.encode("utf-8", "surrogatepass"))
        blank_lines.append(" " * width)
    return "\n".join(blank_lines)


def _joined_blanks(text: str) -> str:
    """Blank a text out so that its lines are one for the parser."""
    *lines, last_line = _blanks(text).split("\n")
    # A line with a backslash at its end goes on in the next one.
    joined = [f"{line[:-1]}\\\n" for line in lines]
    return "".join([*joined, last_line])
