"""A narrative as it is written: the answer, code that bears it out, and what stands beside it."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Final

from goldwright.bracketed_files import add_files, told_files
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan
from goldwright.offline_agents.narratives.code_excerpts import CodeExcerpt
from goldwright.offline_agents.narratives.narrative_context import (
    origins_of_tests,
    paragraphs,
)
from goldwright.offline_agents.prose.prose_failures import say_failures
from goldwright.offline_agents.prose.prose_paraphrases import as_spoken, with_each
from goldwright.offline_agents.prose.prose_references import subject_named
from goldwright.offline_agents.prose.prose_sentences import sentences_as_written, split_sentences
from goldwright.offline_agents.prose.prose_writing import write_paragraphs, write_prose
from goldwright.offline_agents.prose.short_names import shorten_names
from goldwright.offline_agents.statements.commented import Commented
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.hands_on import HandsOn
from goldwright.offline_agents.statements.maps_to import MapsTo
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.statement import Finding, Statement
from goldwright.offline_agents.statements.takes import Takes
from goldwright.offline_agents.statements.tries import Tries
from goldwright.path_conditions import Condition

# Stands for code while names are shortened, which have code marks of their own.
_CODE_HERE: Final = "\x00"
_INIT: Final = ".__init__"


@dataclass
class Narrative:
    """A narrative that is being written.

    Attributes:
        plan: What the answer says.
        facts: The answer key.
        code: The codebase.
        excerpts: The lines that bear facts out, and calls of what the answer is about.
        has_closing: Whether it says what follows, where the plan does.
        has_spare: Whether it says what is only said for want of anything else.
        context: What is told beside the answer.
        attempts: What may be said to be tried, where it is said that an error was caught.
    """

    plan: AnswerPlan
    facts: Sequence[Finding]
    code: CodeContext
    excerpts: list[CodeExcerpt] = field(default_factory=list)
    has_closing: bool = False
    has_spare: bool = False
    context: list[Finding] = field(default_factory=list)
    attempts: Sequence[Finding] = ()
    _written: dict[tuple[object, ...], str] = field(default_factory=dict)
    _answers: dict[tuple[object, ...], tuple[str, Collection[Tries]]] = field(default_factory=dict)

    def text(self) -> str:
        """Write it as it stands."""
        text = self._text_with_marks()
        for block in self._blocks():
            text = text.replace(_CODE_HERE, block, 1)
        return text

    def _blocks(self) -> Iterator[str]:
        """Yield the code that it quotes."""
        for excerpt in self.excerpts:
            # Of one alone, everybody knows what it is of.
            yield excerpt.text(is_titled=len(self.excerpts) > 1)

    def _text_with_marks(self) -> str:
        """Write it with a mark for each excerpt."""
        statements = [fact.statement for fact in self._facts_behind_opening]
        places = {statement for statement in statements if isinstance(statement, DefinedIn)}
        # Its words are counted before and after each line of code that is taken in.
        context = tuple(map(id, self.context))
        key = context, self.has_closing, self.has_spare, len(self.excerpts)
        if key not in self._written:
            text = self._prose(places)
            # What is told in brackets needs no sentence of its own.
            files = told_files(text)
            told = {DefinedIn(name, path) for name, path in files}
            if not places <= told:
                text = self._prose(told)
            self._written[key] = text
        return self._written[key]

    @property
    def _facts_behind_opening(self) -> Sequence[Finding]:
        """The facts that come behind those that its opening states."""
        return self.facts[self.plan.said_in_opening :]

    def _prose(self, places: Collection[Statement]) -> str:
        """Write it with a mark for each excerpt, and without sentences on some places."""
        answer, _ = self._answer_with_failures(places)
        beside, _ = self._beside_with_failures()
        makers = self._makers
        easy_answer = "".join(_in_easy_words(answer, makers))
        easy_beside = "".join(_in_easy_words(beside, makers))
        marks = [_CODE_HERE] * len(self.excerpts)
        parts = [easy_answer, *marks, easy_beside]
        entity_ids = [part.entity_id for part in self.plan.parts]
        paths = {name_of(entity_id): path_of(entity_id) for entity_id in entity_ids}
        text = "\n\n".join(filter(None, parts))
        short_text = shorten_names(text, paths)
        made = {name.removesuffix(_INIT): path for name, path in paths.items()}
        return add_files(short_text, {**paths, **made})

    @cached_property
    def _makers(self) -> set[str]:
        """Name the classes whose ``__init__`` is called only where objects of them are made."""
        statements = [fact.statement for fact in self.facts]
        callees = {sole.callee for sole in statements if isinstance(sole, OnlyCallers)}
        parts = [part.entity_id for part in self.plan.parts]
        callers = [entity_id for entity_id in parts if name_of(entity_id) not in callees]
        # A subclass calls it without making one, and nobody knows which of the two is meant.
        if any(f"{_INIT}(" in self._source(caller) for caller in callers):
            return set()
        initialisers = [name for name in callees if name.endswith(_INIT)]
        return {name.removesuffix(_INIT) for name in initialisers}

    def _source(self, entity_id: str) -> str:
        opened = self.code.function(entity_id)
        if opened is None:
            return ""
        module, function = opened
        return module.text.of(function)

    def failures(self) -> Iterator[Finding]:
        """Yield the attempts that it tells in the midst of conditions."""
        _, told_in_answer = self._answer_with_failures()
        _, told_beside = self._beside_with_failures()
        told = {*told_in_answer, *told_beside}
        for attempt in self.attempts:
            if attempt.statement in told:
                yield attempt

    def _answer_with_failures(
        self, places: Collection[Statement] = ()
    ) -> tuple[str, Collection[Tries]]:
        """Write the answer; what was tried is a sentence of its own only where no condition is."""
        # The same while excerpts are taken in.
        key = frozenset(places), tuple(self._introduction())
        if key not in self._answers:
            self._answers[key] = self._written_answer(places)
        return self._answers[key]

    def _written_answer(self, places: Collection[Statement]) -> tuple[str, Collection[Tries]]:
        attempts = self._attempts
        sentences_without_attempts = self._answer({*attempts, *places})
        text, told = say_failures(" ".join(sentences_without_attempts), attempts)
        left_out = {attempt for attempt in attempts if attempt not in told}
        facts = [fact.statement for fact in self.facts]
        if left_out.isdisjoint(fact for fact in facts if isinstance(fact, Tries)):
            return text, told
        sentences_with_others = self._answer({*told, *places})
        return say_failures(" ".join(sentences_with_others), attempts)

    def _beside_with_failures(self) -> tuple[str, Collection[Tries]]:
        """Write what is told beside the answer, with attempts in the midst of conditions."""
        return say_failures(" ".join(self._beside()), self._attempts)

    @cached_property
    def _attempts(self) -> list[Tries]:
        statements = [attempt.statement for attempt in self.attempts]
        attempts = [statement for statement in statements if isinstance(statement, Tries)]
        # What the verdict says already is not said again.
        opening = self.plan.opening
        return [attempt for attempt in attempts if not _is_in_verdict(attempt, opening)]

    def lines_of_code(self) -> int:
        """Count the lines that it quotes."""
        return sum(excerpt.lines() for excerpt in self.excerpts)

    def word_count(self) -> int:
        """Count its words; those of code are what blanks separate."""
        text = self._text_with_marks()
        marks = text.count(_CODE_HERE)
        words = len(text.split()) - marks
        code = " ".join(self._blocks())
        return words + len(code.split())

    def says(self, finding: Finding) -> bool:
        """Find out whether its opening says so already, or its code shows it."""
        return self._is_in_opening(finding) or self.shows(finding)

    def _is_in_opening(self, finding: Finding) -> bool:
        """Find out whether its opening says so already."""
        if not self.facts:
            return False
        return _is_told(finding, self.facts[0], self.plan.opening)

    def shows(self, finding: Finding) -> bool:
        """Find out whether the lines are quoted that say so: nobody wants to hear them as well."""
        if not _is_visible(finding.statement):
            return False
        entity_id = finding.entity_id
        own_excerpts = [excerpt for excerpt in self.excerpts if excerpt.entity_id == entity_id]
        cited_lines = finding.cited_lines()
        return any(excerpt.shows(cited_lines) for excerpt in own_excerpts)

    def _answer(self, told: Collection[Statement]) -> Iterator[str]:
        yield self.plan.opening
        untold_facts = [
            fact for fact in self._facts_behind_opening if not self._is_in_opening(fact)
        ]
        told_facts = [fact for fact in untold_facts if fact.statement not in told]
        opened: Statement | None = None
        if self.plan.said_in_opening and self.facts:
            opened = self.facts[0].statement
        *_, last_sentence = split_sentences(self.plan.opening)
        # What is said in between has other conditions, or none.
        if opened is not None and f"`{opened.subject}`" not in last_sentence:
            opened = None
        # Behind a sentence about somebody else, "it" would not be clear.
        last_subject = subject_named(last_sentence)
        is_about_it = opened is not None and last_subject == opened.subject
        subject = opened.subject if opened is not None and is_about_it else ""
        if opened is None:
            # What it is comes before what it does.
            yield from write_prose(self._introduction(), None, last_subject)
        yield from write_prose(_statements(_function_by_function(told_facts)), opened, subject)
        if opened is not None:
            # What it is for comes behind what was asked, and before the code.
            yield from write_prose(self._introduction())

    def _beside(self) -> Iterator[str]:
        if self.has_closing:
            yield self.plan.closing
        if self.has_spare:
            yield self.plan.spare
        introduction = self._introduction()
        context = [finding for finding in self.context if finding.statement not in introduction]
        tested = list(origins_of_tests(self.facts, self.code))
        yield from write_paragraphs(paragraphs(context, self.facts, tested))

    def _introduction(self) -> list[Statement]:
        """Give what the author of the subject says of it, if it is told."""
        subject = self.plan.parts[0].entity_id
        for finding in self.context:
            if isinstance(finding.statement, Described) and finding.entity_id == subject:
                return [finding.statement]
        return []


def _in_easy_words(text: str, makers: Collection[str]) -> Iterator[str]:
    before = ""
    for sentence in sentences_as_written(text):
        yield as_spoken(with_each(sentence, before), makers)
        before = sentence


def _is_visible(statement: Statement) -> bool:
    """Find out whether code that is quoted says the same without a word."""
    match statement:
        case Commented() | Takes() | Tries():
            return True
        case _:
            return predicate_of(statement) != ""


def _statements(findings: Sequence[Finding]) -> list[Statement]:
    return [finding.statement for finding in findings]


def _function_by_function(facts: Sequence[Finding]) -> list[Finding]:
    """Put what a function does together, where neighbours tell the deeds of several in turns."""
    ordered: list[Finding] = []
    for is_deed, group in groupby(facts, key=lambda fact: predicate_of(fact.statement) != ""):
        members = list(group)
        if is_deed:
            subjects = [member.statement.subject for member in members]
            functions = list(dict.fromkeys(subjects))
            members.sort(key=lambda member: functions.index(member.statement.subject))
        ordered.extend(members)
    return ordered


def _is_told_with_clause(statement: Statement, predicate: str, opening: str) -> bool:
    """Find out whether an opening names who catches an error, and what is done about it there."""
    match statement.conditions:
        case (Condition(kind="except", code=caught),):
            who = rf"`{re.escape(statement.subject)}` in `[^`]+` catches [^;]*"
            handling = f"with `except {caught}` and {predicate}"
            ending = re.escape(handling)
            return re.search(who + ending, opening) is not None
        case _:
            return False


def _is_in_verdict(attempt: Tries, opening: str) -> bool:
    """Find out whether an opening names the steps that an attempt tells."""
    return f"catches `{attempt.caught}` only around" in opening


def _is_told_so(handles: Handles, opening: str) -> bool:
    """Find out whether an opening names who catches an error, and all that becomes of it there."""
    who = rf"`{re.escape(handles.function)}` in `[^`]+` catches [^;]*"
    deed = handles.deed()
    handling = f"with `except {handles.caught}` and {deed}"
    ending = re.escape(handling)
    return re.search(who + ending, opening) is not None


def _is_told(  # noqa: PLR0911  # one arm a kind
    fact: Finding, first: Finding, opening: str
) -> bool:
    """Find out whether the opening says already where something is, or what becomes of it.

    Args:
        fact: Another fact than the first.
        first: The first one, which the opening states.
        opening: How the narrative begins.
    """
    predicate = predicate_of(fact.statement)
    *_, follows = opening.partition(", and then ")
    if predicate and predicate in follows:
        return fact.statement.conditions == first.statement.conditions
    if predicate and _is_told_with_clause(fact.statement, predicate, opening):
        return True
    match fact.statement:
        case MapsTo(table=table, key=key, value=value):
            return f"`{table}`" in opening and f"`{key}` to `{value}`" in opening
        case DefinedIn(name=name, path=path):
            return f"`{name}` in `{path}`" in opening
        case Handles():
            return _is_told_so(fact.statement, opening)
        case HandsOn(parameter=parameter, callee=callee, keyword="", path=path):
            simple_name = re.escape(callee.rpartition(".")[2])
            receiver = rf"`(?:[\w.]+\.)?{simple_name}(?:\.__init__)?`"
            ending = re.escape(f" {describe_conditions(path)}") if path else ""
            several = r"(?:`[^`]+`(?:, | and ))*" if not path else ""
            hands_on = rf"(?:hands it|is handed) on to {several}{receiver}{ending}"
            is_told = f"`{parameter}`" in opening
            return is_told and re.search(hands_on, opening) is not None
        case _:
            return False
