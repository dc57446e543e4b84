"""Whether a comment is about the statement right below it, and about nothing else."""

import ast
import re
from typing import Final

from goldwright.code_reading.comments import Comment
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.parameters import parameters_of
from goldwright.offline_agents.statements.reasoned import Reasoned, split_reason
from goldwright.offline_agents.statements.statement import Finding
from goldwright.snapshot.identifiers import is_code_shaped

# Letters by which two forms of a word are known, and words that say nothing of what is spoken of.
_SAME_BEGINNING: Final = 4
_FILL_WORDS: Final = frozenset(
    "the and for not that this with from into when then only also none true fals self".split()
)
_WORD: Final = re.compile(r"[^\W\d]\w*")


def is_of_something_else(comment: Comment, module: Module, function: Function) -> bool:
    """Find out whether a comment speaks of parameters, and what stands below it of none of these.

    What is done about them stands further down then.
    """
    words = set(_WORD.findall(comment.text.lower()))
    parameters = map(str.lower, parameters_of(function))
    spoken_of = words.intersection(parameters)
    statement_code = module.text.of(comment.statement)
    below = set(_WORD.findall(statement_code.lower()))
    return bool(spoken_of) and below.isdisjoint(spoken_of)


def names_code(comment: Comment, reason: Finding) -> bool:
    """Find out whether what a comment names stands in the line below it, too.

    Args:
        comment: The comment.
        reason: The finding of it, whose statement has the code below.
    """
    assert isinstance(reason.statement, Reasoned)  # noqa: S101  # that is what was found
    words = " ".join(split_reason(comment.text)).split()
    for word in words:
        bare_word = word.strip(".,;:()'\"")
        # A plain word with brackets behind it is a call.
        is_name = "()" in word or is_code_shaped(bare_word)
        if is_name and bare_word not in reason.statement.code:
            return False
    return True


def is_alone(statement: ast.stmt, module: Module, function: Function) -> bool:
    """Find out whether no statement follows without a blank line or a comment between.

    Else the comment may be about any of them. What has a body is seen as one thing.
    """
    if hasattr(statement, "body"):
        return True
    following = (statement.end_lineno or statement.lineno) + 1
    next_place = (following, statement.col_offset)
    nodes = (reached.node for reached in statements_of(function, module.text))
    places = ((node.lineno, node.col_offset) for node in nodes)
    return next_place not in places


def speaks_of(comment: Comment, reason: Finding) -> bool:
    """Find out whether a comment uses a word of the names in the line below it.

    Args:
        comment: The comment.
        reason: The finding of it, whose statement has the code below.
    """
    assert isinstance(reason.statement, Reasoned)  # noqa: S101  # that is what was found
    beginnings_in_code = _word_beginnings(reason.statement.code)
    return not _word_beginnings(comment.text).isdisjoint(beginnings_in_code)


def _word_beginnings(text: str) -> set[str]:
    words = re.findall(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}", text)
    beginnings = {word[:_SAME_BEGINNING].lower() for word in words}
    return beginnings - _FILL_WORDS
