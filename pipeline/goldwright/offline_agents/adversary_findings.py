"""What the Adversary found by itself, in prose, for the judge to hold against a narrative."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.offline_agents.condition_wording import worded_guards
from goldwright.offline_agents.stable_choice import number
from goldwright.offline_agents.token_lines import TokenLine, bare, caught_by, loop_parts

FEWEST_WORDS: Final = 64
MOST_WORDS: Final = 195
LONGEST_PIECE: Final = 70

_CALLED: Final = re.compile(r"(?<![\w.])([A-Za-z_][\w.]*)\(")
_DULL: Final = frozenset(
    "if elif while return yield raise not and or in is for with except assert await print len str isinstance super".split()
)


def write_findings(read: Sequence[tuple[str, str, Sequence[TokenLine]]]) -> str:
    """Tell what rows show: of every entity first the failures, then results, calls and loops.

    Args:
        read: Qualified name, file and rows of every entity, the most important first.
    """
    sentences: list[str] = []
    words = 0
    for rank in range(4):
        for name, path, rows in read:
            for sentence in _of_rank(rank, name, path, rows):
                length = len(sentence.split())
                if words + length <= MOST_WORDS and sentence not in sentences:
                    sentences.append(sentence)
                    words += length
        if words >= FEWEST_WORDS and rank == 2:
            break
    return " ".join(sentences)


def _of_rank(rank: int, name: str, path: str, rows: Sequence[TokenLine]) -> Iterator[str]:
    if rank == 0:
        yield _opening(name, path, rows)
        yield from list(_failures(name, rows))[:3]
    elif rank == 1:
        yield from list(_results(name, rows))[:2]
        yield from _calls(name, rows)
    elif rank == 2:
        yield from list(_work(name, rows))[:2]
        yield _tally(name, rows)
    else:
        yield _tokens(name, rows)


def _opening(name: str, path: str, rows: Sequence[TokenLine]) -> str:
    first, last = rows[0].first, max(row.last for row in rows)
    forms = (
        f"I read `{name}` on lines {first} to {last} of {path}.",
        f"`{name}` stands in {path}, lines {first} to {last}; I read all of them.",
        f"Lines {first} to {last} of {path} hold `{name}`.",
    )
    return forms[number(name, path) % len(forms)]


def _failures(name: str, rows: Sequence[TokenLine]) -> Iterator[str]:
    for row in rows:
        where = _condition(row)
        if row.keyword == "raise" and row.rest:
            exception = re.split(r"[(\s]", row.rest)[0]
            yield f"`{_subject(row, name)}` raises `{exception}`{where}."
        elif row.keyword == "raise":
            yield f"`{_subject(row, name)}` raises again what it caught{where}."
        elif (
            row.keyword in {"pass", "continue"} and row.guards and row.guards[-1].kind == "handling"
        ):
            yield f"`{_subject(row, name)}` drops a caught `{row.guards[-1].text}`."
        elif row.keyword == "except" and len(caught_by(row)) < LONGEST_PIECE:
            yield f"`{_subject(row, name)}` catches `{caught_by(row)}`."


def _results(name: str, rows: Sequence[TokenLine]) -> Iterator[str]:
    for row in reversed(rows):
        if (
            row.keyword in {"return", "yield"}
            and row.rest
            and len(row.rest) <= LONGEST_PIECE
            and "`" not in row.rest
        ):
            verb = "returns" if row.keyword == "return" else "yields"
            yield f"`{_subject(row, name)}` {verb} `{row.rest}`{_condition(row)}."


def _calls(name: str, rows: Sequence[TokenLine]) -> Iterator[str]:
    found: dict[str, None] = {}
    for row in rows:
        if row.keyword not in {"def", "class", "@"}:
            found.update(
                dict.fromkeys(
                    call for call in _CALLED.findall(row.rest or row.code) if call not in _DULL
                )
            )
    if found:
        yield f"Among what `{name}` calls are {_listing([f'`{call}`' for call in list(found)[:4]])}."


def _work(name: str, rows: Sequence[TokenLine]) -> Iterator[str]:
    for row in rows:
        if row.keyword == "for":
            variable, iterated = loop_parts(row)
            if len(iterated) <= LONGEST_PIECE and "`" not in iterated:
                yield f"`{_subject(row, name)}` runs a loop in which `{variable}` is taken from `{iterated}`."
        elif row.keyword == "with" and len(row.rest) <= LONGEST_PIECE and "`" not in row.rest:
            yield f"`{_subject(row, name)}` has a `with` block over `{row.rest}`."
        elif row.keyword == "class" and row.tokens[-1].string == ")":
            yield f"`{name}` is declared as `{bare(row.rest)}`."


def _tally(name: str, rows: Sequence[TokenLine]) -> str:
    branches = sum(row.keyword in {"if", "elif"} for row in rows)
    raised = sum(row.keyword == "raise" for row in rows)
    return (
        f"By my count `{name}` is made of {_many(len(rows), 'statement')}, "
        f"with {_many(branches, 'condition')} to decide on and {_many(raised, 'raise statement')}."
    )


def _tokens(name: str, rows: Sequence[TokenLine]) -> str:
    names = list(
        dict.fromkeys(
            token.string
            for row in rows
            for token in row.tokens
            if token.string.isidentifier() and len(token.string) > 3
        )
    )
    shown = _listing([f"`{one}`" for one in names[:8]])
    return f"The words of `{name}` begin with {shown}; I compared them with the claims one by one."


def _condition(row: TokenLine) -> str:
    if not row.guards:
        return ""
    texts = [piece for guard in row.guards for piece in (guard.text, guard.detail)]
    if any("`" in text or len(text) > LONGEST_PIECE for text in texts):
        return " on one of its paths"
    return f" {worded_guards(row.guards)}"


def _subject(row: TokenLine, name: str) -> str:
    return row.owner or name


def _many(count: int, noun: str) -> str:
    return f"no {noun}" if count == 0 else f"{count} {noun}" + ("" if count == 1 else "s")


def _listing(items: Sequence[str]) -> str:
    return (
        items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
    )
