"""Reading prose back: what the sentences of a narrative state, wherever a form is known.

It is the other half of ``prose``: a narrative is believed by people, so its conditions are held
against the code like those of the facts.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from goldwright.bracketed_files import told_files, without_files
from goldwright.code_blocks import without_code_blocks
from goldwright.offline_agents.prose.prose_deeds import read_deeds
from goldwright.offline_agents.prose.prose_failures import read_failures
from goldwright.offline_agents.prose.prose_forms import read_form
from goldwright.offline_agents.prose.prose_links import SaidBefore
from goldwright.offline_agents.prose.prose_paraphrases import in_grammar
from goldwright.offline_agents.prose.prose_references import (
    AND_THERE,
    EITHER_WAY,
    OTHERWISE,
    PAST_CHECK,
    PAST_CHECKS,
    with_loops,
)
from goldwright.offline_agents.prose.prose_sentences import split_sentences
from goldwright.offline_agents.prose.prose_writing import NO_OTHER_HOLDER
from goldwright.offline_agents.prose.short_names import lengthen_names
from goldwright.offline_agents.statements.catalog import read_statement
from goldwright.offline_agents.statements.deed import Deed
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.only_holder import OnlyHolder
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Statement
from goldwright.path_conditions import Path, without_implied

# How a sentence begins that refers to tests before it, the longer words first.
_REFERRING: Final = re.compile(
    rf"(?P<words>{OTHERWISE}|{PAST_CHECKS}|{PAST_CHECK}|{EITHER_WAY}) it (?P<deeds>.+)\."
)
_SAME_CONDITIONS: Final = re.compile(
    r"(?:Under the same conditions?|In the same loop) it (?P<deeds>.+)\."
)


def read_narrative(narrative: str, names: Collection[str] = ()) -> Iterator[tuple[str, Statement]]:
    """Yield the statements of a narrative, each with its sentence; other sentences are left out.

    Args:
        narrative: The narrative.
        names: The qualified names of what it is about: a method may go by its own name alone.
    """
    before: Deed | None = None
    said = SaidBefore()
    with_files = without_code_blocks(narrative)
    for name, file in told_files(lengthen_names(with_files, names)):
        yield f"`{name}` (`{file}`)", DefinedIn(name, file)
    # Loops that are named again are looked for in the words of the grammar.
    prose = in_grammar(without_files(with_files))
    for spoken in split_sentences(with_loops(lengthen_names(prose, names))):
        sentence, attempts = read_failures(spoken)
        yield from ((spoken, attempt) for attempt in attempts)
        repetition = _SAME_CONDITIONS.fullmatch(sentence)
        referring = _REFERRING.fullmatch(sentence)
        function, path = said.meaning(referring["words"]) if referring else ("", ())
        statements = list(_read_sentence(sentence, before))
        reference: tuple[str, Path] | None = None
        if repetition is not None and before is not None:
            statements = list(read_deeds(before.subject, repetition["deeds"], before.path))
        elif referring is not None and path:
            clauses = referring["deeds"].split(AND_THERE)
            own_deeds = [deed for text in clauses for deed in read_deeds(function, text, None)]
            statements = [_with_conditions_before(path, deed) for deed in own_deeds]
            reference = (referring["words"], own_deeds[0].path) if own_deeds else None
        for statement in statements:
            yield spoken, statement
        deeds = [statement for statement in statements if isinstance(statement, Deed)]
        before = deeds[-1] if deeds else None
        if not deeds:
            said.otherwise.forget()
        elif repetition is None:
            said.follow(deeds, reference)
        else:
            said.remember_checks(deeds)


def _with_conditions_before(path: Path, deed: Deed) -> Deed:
    """Put the conditions of a reference before those of a deed."""
    conditions = without_implied((*path, *deed.path))
    return replace(deed, path=conditions)


def _read_sentence(sentence: str, before: Deed | None) -> Iterator[Statement]:
    if sentence == NO_OTHER_HOLDER and isinstance(before, Raises | Logs):
        yield OnlyHolder(before.subject, before.message)
        return
    statement = read_statement(sentence)
    if statement is not None:
        yield statement
        return
    yield from read_form(sentence)
