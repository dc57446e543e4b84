"""Why asked: a value of a module that several functions change. Asked: who does, and how safely."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.modules import Module
from goldwright.code_reading.state_changes import StateUse
from goldwright.code_reading.word_lines import is_on_few_lines
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.hidden_names import gives_away
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.message_words import is_telling
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    find_statements,
    inside_sentence,
    intent_of,
    lead_of_definition,
)
from goldwright.offline_agents.kept_state import KeptState, module_state
from goldwright.offline_agents.statements.changes_inside import ChangesInside
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.only_changers import OnlyChangers
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.starts_as import StartsAs
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.stores_item import StoresItem
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent

MOST_CHANGERS: Final = 6

_PHRASINGS: Final = (
    (
        'There is a variable described as "{comment}". Which functions change it, and do '
        "they take a lock?"
    ),
    (
        'Which functions modify the variable with the comment "{comment}", and does any of '
        "them take a lock?"
    ),
    (
        'Is the variable with the comment "{comment}" only changed under a lock? Which '
        "functions change it?"
    ),
    'Who modifies the module variable with the comment "{comment}", and is that thread-safe?',
    'Are there races on the variable that a comment describes as "{comment}"? Who writes to it?',
    'What writes to the module variable described as "{comment}", and is there a lock around it?',
    (
        'Does the code take a lock when it changes the variable described as "{comment}", '
        "and who changes it?"
    ),
    'Where is the variable with the comment "{comment}" changed, and is that done under a lock?',
    'A comment describes a variable as "{comment}". Who changes it at run time, and is it guarded?',
)
# A comment that names a thing, and does not say what to do with it.
_THING: Final = re.compile(
    r"(?:an?|the|all|every|how|what|which|global|shared|(?:list|set|mapping|count|cache|registry|table)s?|"
    r"[a-z-]+(?: [a-z]+)?s (?:of|by|for|from|that|to|which)|[\w-]+ (?:cache|list|set|map)) ",
    re.IGNORECASE,
)
_MUTABLE: Final = re.compile(
    r"(?:\{\}|\[\]|(?:[\w.]+\.)?(?:dict|list|set|defaultdict|deque|OrderedDict|Counter|WeakSet|"
    r"WeakKeyDictionary|WeakValueDictionary|LimitedSet|LRUCache)\(.*\))"
)
_MARKUP: Final = re.compile(r":\w+:`~?(?:\w+\.)*(\w+)`")
_COMMENT: Final = re.compile(r"\s*#:? ?(?P<text>.*\S)\s*$")


class SharedState(Inquiry):
    """Who changes what several functions share?"""

    kind: ClassVar[str] = "shared_state"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("review", "medium"), Cell("review", "hard"))

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the mutable values of a module that a comment describes."""
        for node in module.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    pass
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    pass
                case _:
                    continue
            if _MUTABLE.fullmatch(module.text.of(value)) is None:
                continue
            words = _comment_above(module.lines, node.lineno)
            if is_telling(words) and _THING.match(words):
                entity_id = f"{module.path}::{name}"
                yield lead_of_definition(self.kind, entity_id, node, name, words)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask who changes it, where they are several and all known."""
        state = module_state(code, path_of(lead.subject), lead.detail)
        if state is None:
            return
        changers = state.changers("put", "drop", "replace")
        is_few = 1 < len(changers) <= MOST_CHANGERS
        if not is_few or not is_on_few_lines(code.snapshot, lead.detail):
            return
        targets = (lead.subject, *changers)
        if gives_away(lead.words, targets):
            return
        settles = ("all who change it", "whether they hold a lock", "the verdict")
        for cell in self.cells:
            yield Question(
                cell=cell,
                phrasings=_PHRASINGS,
                slots={"comment": lead.words},
                targets=targets,
                intent=intent_of(lead, settles),
                score=0.9,
                rationale="The functions that change it say nothing of one another.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """Give the verdict, everybody who changes it, and what stands around each change."""
        path = path_of(intent.subject)
        state = module_state(code, path, intent.detail)
        module = code.module(path)
        if state is None or module is None:
            return None
        start = StartsAs.find_for(module, intent.detail)
        changers = state.changers("put", "drop", "replace")
        if start is None or len(changers) < 2:
            return None
        around = [_around(state, changer) for changer in changers]
        changes = [finding for finding in around if finding is not None]
        if len(changes) < len(around):
            return None
        names = tuple(name_of(changer) for changer in changers)
        only_changers = OnlyChangers(intent.detail, names)
        closed = Finding(only_changers, changers[0], changes[0].lines)
        context: list[Finding] = []
        for changer in changers:
            context.extend(find_statements(code, changer, (StoresItem, Raises, Returned)))
            callers = callers_of(code, changer, targets)
            if callers is not None:
                context.append(callers)
        parts = answer_parts(
            intent.subject, targets, subject_does="is what is shared", others_do="changes it"
        )
        opening = _opening(intent.detail, path, changes)
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=(closed, *changes, start),
            context=tuple(context),
            neighbours=tuple(changes),
        )


def _around(state: KeptState, changer: str) -> Finding | None:
    """State what stands around the changes of a function; None where they differ in it."""
    all_changes = state.changes("put", "drop", "replace")
    changes = [use for use in all_changes if _owner_of(use) == changer]
    contexts = {use.contexts[-1] if use.contexts else "" for use in changes}
    if len(contexts) != 1:
        return None
    first = min(changes, key=_line)
    lines = FileRange(file=first.path, start=first.first, end=first.last)
    statement = ChangesInside(first.owner, state.name, contexts.pop())
    return Finding(statement, changer, lines)


def _owner_of(use: StateUse) -> str:
    return f"{use.path}::{use.owner}"


def _line(use: StateUse) -> int:
    return use.first


def _comment_above(lines: Sequence[str], line: int) -> str:
    """Give the first sentence of the comment that stands right above a line; empty for none."""
    texts: list[str] = []
    for place in range(line - 2, -1, -1):
        match = _COMMENT.match(lines[place])
        if match is None:
            break
        texts.append(match["text"])
    comment = " ".join(reversed(texts))
    text = _MARKUP.sub(r"\1", comment)
    first_sentence = text.partition(". ")[0]
    text = first_sentence.rstrip(" .:").replace("``", "")
    # It stands inside a sentence; an abbreviation keeps its capitals.
    is_abbreviation = text[1:2].isupper()
    return text if is_abbreviation else inside_sentence(text)


def _opening(name: str, path: str, around: Sequence[Finding]) -> str:
    statements = [
        finding.statement for finding in around if isinstance(finding.statement, ChangesInside)
    ]
    bare = [statement.function for statement in statements if not statement.context]
    if not bare:
        verdict = "Every change is made inside a `with`."
    elif len(bare) == len(statements):
        verdict = "No change of it is made under a lock: none stands inside a `with`."
    else:
        verdict = f"It is guarded in part only: {join_code(bare)} has no `with` around its change."
    return (
        f"{verdict} It is about `{name}` in {path}, which {len(statements)} functions change, and "
        "which lives as long as the process does, so all threads and all callers see the same one."
    )
