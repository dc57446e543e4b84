"""Which function a reader would take for another one who goes by words alone."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.effects import neighbouring_function
from goldwright.offline_agents.inquiries.surroundings import called_name, find_statements
from goldwright.offline_agents.statements.holds_text import HoldsText
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding, Statement
from goldwright.offline_agents.statements.warns import Warns
from goldwright.retrieval.lexical_index import lexical_index

# Of a large codebase, the file of an answer may come far down.
MOST_HITS: Final = 1_000
# Messages with so many words in common are about the same matter.
_FEWEST_SHARED_WORDS: Final = 2
# Of so many, one may be overlooked.
_SEVERAL: Final = 2
_WORD: Final = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class MistakenFunction:
    """A function that may be taken for an answer.

    Attributes:
        entity_id: Its id.
        is_likely: Whether something leads there; otherwise it merely stands nearby.
    """

    entity_id: str
    is_likely: bool


def mistaken_function(
    code: CodeContext, words: str, answers: Sequence[str], *, goes_below: bool = True
) -> MistakenFunction | None:
    """Give the function that is most easily taken for one of the answers.

    Who calls an answer comes first, and then what an answer calls: a level is easily skipped. Then
    come the methods of the same class, and then what stands in the same files; of each, what a
    lexical search for some words puts first. Only the levels are likely: readers of records call
    hardly any mere neighbour tempting.

    Args:
        code: The codebase.
        words: What is asked for, as code or in words.
        answers: The ids of all functions for which it is true.
        goes_below: Whether somebody could mean what an answer calls.

    Returns:
        A function of a file in which an answer stands; where the search finds none, the one that
        stands nearest to the first answer, and None where that is alone in its file.
    """
    # What is said to be elsewhere nobody who reads the answer would look up.
    files = {path_of(answer) for answer in answers}
    below = _called_by(code, answers) if goes_below else ()
    for other in (*_callers_of(code, answers), *below):
        if path_of(other) in files and _is_apart(code, other, answers):
            return MistakenFunction(other, is_likely=True)
    found = (other for other in _found(code, words) if "__" not in other)
    for other in (*_methods_beside(code, words, answers), *found):
        if path_of(other) in files and _is_apart(code, other, answers):
            return MistakenFunction(other, is_likely=False)
    neighbour = neighbouring_function(code, answers[0])
    if neighbour is None or called_name(neighbour) in set(map(called_name, answers)):
        return None
    return MistakenFunction(neighbour, is_likely=False)


def believed(fact: Finding, mistaken: MistakenFunction, falsehood: Statement) -> Finding:
    """Put a false statement that names a mistaken function beside a fact."""
    return replace(fact.refuting(falsehood), is_unlikely=not mistaken.is_likely)


def wrong_caller(
    code: CodeContext, all_callers: Finding, callers: Sequence[str]
) -> Iterator[Finding]:
    """Yield the callers with a neighbour in the place of one of them."""
    statement = all_callers.statement
    if not isinstance(statement, OnlyCallers):
        return
    callee = statement.callee.rpartition(".")[2]
    answers = [*callers, all_callers.entity_id]
    mistaken = mistaken_function(code, callee, answers, goes_below=False)
    if mistaken is not None:
        name = name_of(mistaken.entity_id)
        if name not in statement.members and name != statement.callee:
            right_members = statement.members[:-1]
            falsehood = statement.with_members((*right_members, name))
            # Of several callers one is overlooked, rather than taken for another one.
            is_likely = mistaken.is_likely and len(statement.members) == 1
            yield believed(all_callers, replace(mistaken, is_likely=is_likely), falsehood)


def overlooked_caller(
    code: CodeContext, all_callers: Finding, callers: Sequence[str]
) -> Iterator[Finding]:
    """Yield the callers without the one that is overlooked first.

    It is in another file, has no word of the name in its own, and is what a search finds last.

    Args:
        code: The codebase.
        all_callers: Who calls a function.
        callers: The ids of these, in the order in which the statement names them.
    """
    statement = all_callers.statement
    if not isinstance(statement, OnlyCallers) or len(callers) < _SEVERAL:
        return
    own_path = path_of(all_callers.entity_id)
    callee = statement.callee.rpartition(".")[2]
    found = list(_found(code, callee))
    words = _words(callee)
    ranks = {caller: found.index(caller) if caller in found else len(found) for caller in callers}

    def depth(caller: str) -> tuple[bool, int, int]:
        in_common = len(words & _words(name_of(caller)))
        is_elsewhere = path_of(caller) != own_path
        return is_elsewhere, -in_common, ranks[caller]

    overlooked = callers.index(max(callers, key=depth))
    remaining = list(statement.members)
    del remaining[overlooked]
    yield all_callers.refuting(statement.with_members(tuple(remaining)))


def said_elsewhere(code: CodeContext, finding: Finding) -> Iterator[Finding]:
    """Yield that the message of a finding stands in another function: the one to be mistaken."""
    statement = finding.statement
    if not isinstance(statement, Raises | Logs | Warns):
        return
    similar = _with_similar_message(code, finding.entity_id, statement.message)
    if similar is None:
        mistaken = mistaken_function(code, statement.message, [finding.entity_id])
    else:
        mistaken = MistakenFunction(similar, is_likely=True)
    if mistaken is not None:
        falsehood = HoldsText(name_of(mistaken.entity_id), statement.message)
        yield believed(finding, mistaken, falsehood)


def _callers_of(code: CodeContext, answers: Sequence[str]) -> Iterator[str]:
    """Yield what calls an answer, as far as the graph knows."""
    for answer in answers:
        sites = code.snapshot.graph.callers(answer.removesuffix(".__init__"))
        yield from dict.fromkeys(site.entity_id for site in sites)


def _called_by(code: CodeContext, answers: Sequence[str]) -> Iterator[str]:
    """Yield what an answer calls, as far as the graph knows."""
    for answer in answers:
        callees = code.snapshot.graph.callees(answer)
        yield from dict.fromkeys(site.entity_id for site in callees)


def _methods_beside(code: CodeContext, words: str, answers: Sequence[str]) -> Iterator[str]:
    """Yield the methods of the classes of answers: what a search finds, and the maker of both."""
    methods = [answer for answer in answers if "." in name_of(answer)]
    classes = [method.rpartition(".")[0] for method in methods]
    found = [other for other in _found(code, words) if other.rpartition(".")[0] in classes]
    yield from (other for other in found if "__" not in name_of(other))
    yield from (f"{class_id}.__init__" for class_id in classes)


def _found(code: CodeContext, words: str) -> Iterator[str]:
    index = lexical_index(code.snapshot)
    hits = index.search(words, limit=MOST_HITS)
    return (hit.entity_id for hit in hits)


def _is_apart(code: CodeContext, other: str, answers: Sequence[str]) -> bool:
    """Find out whether a function does something, and is called by another name than the answers.

    Whoever says ``wrap_file`` of ``Progress.wrap_file`` is right, and must mean no other function.
    """
    names = {called_name(answer) for answer in answers}
    has_other_name = called_name(other) not in names
    is_other = has_other_name and not _is_nested(other, answers)
    return is_other and _does_something(code, other)


def _with_similar_message(code: CodeContext, entity_id: str, message: str) -> str | None:
    """Give the function of the same file whose message has most words in common with another."""
    module = code.module(path_of(entity_id))
    words = _words(message)
    shared: dict[str, int] = {}
    for name in module.definitions if module is not None else ():
        other = f"{path_of(entity_id)}::{name}"
        if not _is_apart(code, other, [entity_id]):
            continue
        for found in find_statements(code, other, (Raises, Logs)):
            similar_message = str(getattr(found.statement, "message", ""))
            in_common = len(words & _words(similar_message))
            shared[other] = max(shared.get(other, 0), in_common)
    nearest = max(shared, key=lambda other: shared[other], default=None)
    if nearest is None:
        return None
    return nearest if shared[nearest] >= _FEWEST_SHARED_WORDS else None


def _words(message: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(message))


def _is_nested(entity_id: str, answers: Sequence[str]) -> bool:
    """Find out whether it is defined inside an answer, or around one."""
    for answer in answers:
        is_inside = entity_id.startswith(f"{answer}.")
        if is_inside or answer.startswith(f"{entity_id}."):
            return True
    return False


def _does_something(code: CodeContext, entity_id: str) -> bool:
    """Find out whether it is a function that is more than declared."""
    opened = code.function(entity_id)
    if opened is None:
        return False
    _, function = opened
    return not all(map(_is_empty, function.body))


def _is_empty(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Pass)
