"""Why asked: something that is kept from call to call. Asked: whether it is ever dropped."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Final

from goldwright.code_reading.contracts import methods_of
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import FEWEST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.cache_droppers import (
    RESULTS,
    Keeping,
    has_parameters,
    keeping_of,
)
from goldwright.offline_agents.inquiries.effects import neighbouring_function
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.kept_values import fillings, store_of
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    find_statements,
    intent_of,
    lead_of_definition,
)
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.keeps_results import (
    OnlyClearers,
    cache_decorator,
)
from goldwright.offline_agents.statements.only_changers import OnlyChangers, OnlyDroppers
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.starts_as import StartsAs
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

_OF_MANY: Final = (
    "Does anything ever clear the cache of `{name}`?",
    "What keeps the cache of `{name}` from leaking memory, if anything?",
    "What bounds the cache of `{name}`, if anything?",
    "What invalidates the values that `{name}` caches?",
    "How long does `{name}` keep its cached values, and who clears them?",
    "Who clears the values that `{name}` caches, if anyone?",
    "When are the cached values of `{name}` dropped?",
    "Are the values that `{name}` caches ever cleared, or do they stay for good?",
    "When could `{name}` return a stale value from its cache?",
    "In a long-running process, what limits how much `{name}` caches?",
)
_OF_ONE: Final = (
    "When can `{name}` return a stale value?",
    "When does `{name}` compute its value again instead of returning the cached one?",
    "If the input changes later, does `{name}` notice, or does the first result stick?",
    "Is the value that `{name}` caches ever reset, or does it stay?",
    "Does anything reset the cached value of `{name}`, or does the first one stick?",
    "What resets the value that `{name}` caches on first use?",
    "Which code clears the cached value of `{name}`, if any?",
    "Once `{name}` has computed its value, when is it computed again, if ever?",
    "How long is the cached value of `{name}` kept?",
    "Who invalidates the cached value of `{name}`, if anyone?",
)
_CLEANING: Final = re.compile(r"clos|clear|reset|stop|exit|clean|shut|flush|remov|delet|invalid")
# What is made on first use and worked out from nothing: no value that could go stale.
_TOOL: Final = re.compile(
    r"(?:await )?(?:\w+\.)*(?:R?Lock|Event|Condition|(?:Bounded)?Semaphore|Barrier|\w*Queue)\("
)


class CacheLifetime(Inquiry):
    """Is what is kept between calls ever dropped?"""

    kind: ClassVar[str] = "cache_lifetime"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("review", "easy"),)

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the functions that keep what they work out, by a decorator or by hand."""
        for name in module.definitions:
            function = module.function(name)
            if function is None or name.rpartition(".")[2] == "__init__":
                continue
            entity_id = f"{module.path}::{name}"
            outer = name.rpartition(".")[0]
            decorator = cache_decorator(module, function)
            # What a function inside another one keeps goes with the call of the outer one.
            if decorator is not None and module.function(outer) is None:
                yield lead_of_definition(self.kind, entity_id, function, RESULTS)
            for finding in fillings(module, name, function):
                if _TOOL.match(str(getattr(finding.statement, "value", ""))):
                    continue
                lines = finding.lines
                store = store_of(finding.statement)
                yield Lead(self.kind, entity_id, lines.start, lines.end, store, "")

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask by name whether anything drops what is kept, where nothing does.

        Who does would be an answer as well, and a question that names its target has one alone.
        """
        intent = intent_of(lead, ("what is kept", "who throws it away", "whether it can grow"))
        keeping = keeping_of(code, intent)
        if keeping is None or keeping.droppers:
            return
        yield Question(
            cell=self.cells[0],
            phrasings=_OF_ONE if _keeps_one(code, lead) else _OF_MANY,
            slots={"name": name_of(lead.subject)},
            targets=(lead.subject,),
            intent=intent,
            score=0.9,
            rationale="What is kept is seen in the function; that nobody else drops it is not.",
        )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """Give the verdict, what is kept, and everybody who throws it away."""
        keeping = keeping_of(code, intent)
        if keeping is None:
            return None
        results = tuple(find_statements(code, intent.subject, (Returned, Raises)))
        callers = callers_of(code, intent.subject, targets)
        circumstances = keeping.circumstances
        facts = [keeping.keeps, keeping.drops, *circumstances]
        if intent.detail != RESULTS:
            facts.extend(results[-1:])
        if len(facts) < FEWEST_FACTS and callers is not None:
            facts.append(callers)
        name = name_of(intent.subject)
        place = f"`{name}` is in `{path_of(intent.subject)}`."
        opening = f"{keeping.verdict} {place} {keeping.meaning}"
        starts = [finding for finding in circumstances if isinstance(finding.statement, StartsAs)]
        supporting = [finding.entity_id for finding in starts]
        parts = answer_parts(
            intent.subject,
            (*targets, *supporting),
            subject_does="keeps what it works out",
            others_do="is what it is kept in",
        )
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=tuple(facts),
            context=results,
            neighbours=results,
            falsehoods=tuple(_wrong_droppers(code, intent.subject, keeping)),
        )


def _keeps_one(code: CodeContext, lead: Lead) -> bool:
    """Find out whether a function keeps a single value, and not one for each key or argument."""
    opened = code.function(lead.subject)
    if opened is None:
        return False
    module, function = opened
    if lead.detail == RESULTS:
        return not has_parameters(function)
    for finding in fillings(module, name_of(lead.subject), function):
        if finding.lines.start == lead.first:
            return isinstance(finding.statement, Assigned)
    return False


def _wrong_droppers(code: CodeContext, subject: str, keeping: Keeping) -> Iterator[Finding]:
    """Yield that somebody near by throws it away, where nobody does."""
    drops = keeping.drops
    match drops.statement:
        case OnlyDroppers(keeper=keeper, state=state, droppers=()):
            suspects = _suspects(code, subject, keeping)
            for suspect in suspects[:1]:
                yield replace(drops, statement=OnlyDroppers(keeper, state, (suspect,)))
        case OnlyClearers(function=function, clearers=()):
            for caller in (code.closed_callers(subject) or ())[:1]:
                yield replace(drops, statement=OnlyClearers(function, (name_of(caller),)))
        case _:
            return


def _suspects(code: CodeContext, subject: str, keeping: Keeping) -> list[str]:
    """Name who may be thought to throw it away: who changes it too, who cleans up, who is near."""
    statements = [finding.statement for finding in keeping.circumstances]
    name = name_of(subject)
    closed_sets = [statement for statement in statements if isinstance(statement, OnlyChangers)]
    changers = [changer for closed in closed_sets for changer in closed.changers if changer != name]
    module = code.module(path_of(subject))
    class_name = name.rpartition(".")[0]
    own_methods = methods_of(module, class_name) if module is not None and class_name else {}
    cleaning_methods = filter(_CLEANING.search, own_methods)
    cleaners = [f"{class_name}.{method}" for method in cleaning_methods]
    neighbour = neighbouring_function(code, subject)
    near = []
    if neighbour is not None and "__" not in neighbour:
        near.append(name_of(neighbour))
    return [*changers, *cleaners, *near]
