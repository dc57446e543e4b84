"""Narratives: the answer, the lines that bear it out, what else it takes, and what follows."""

import ast
import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.messages import GAP
from goldwright.offline_agents.answer_limits import FEWEST_WORDS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.narratives.code_excerpts import CodeExcerpt, open_excerpt
from goldwright.offline_agents.narratives.fact_excerpts import (
    excerpt_of_calls,
    excerpt_of_methods,
    excerpts_of_facts,
)
from goldwright.offline_agents.narratives.narrative import Narrative
from goldwright.offline_agents.narratives.narrative_context import (
    context_of,
    distinct,
    human_words,
    origins_of_tests,
)
from goldwright.offline_agents.narratives.restatements import is_restatement
from goldwright.offline_agents.prose.prose_failures import is_short
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.hands_on import HandsOn
from goldwright.offline_agents.statements.library_callers import LibraryCallers
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.must_define import MustDefine
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.only_makers import OnlyMakers
from goldwright.offline_agents.statements.overrides import Overrides
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.reasoned import Reasoned
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.takes import Takes
from goldwright.offline_agents.statements.tries import Tries
from goldwright.offline_agents.statements.warns import Warns
from goldwright.records import FileRange

# What was tried on more lines is seen from its call.
_MOST_TRIED_LINES: Final = 8
# As many as the callers that an answer may name, and what they call.
_MOST_EXCERPTS: Final = 5
# More lines are no excerpt any more.
_MOST_CODE_LINES: Final = 30
# But all of several callers are shown rather than some: nobody would know what is with the others.
_MOST_DECISIVE_LINES: Final = 45
# With more words, an answer is better read without what is only good to know beside it.
_ENOUGH_WORDS: Final = 160
# Who is said to call something is shown doing so, in an answer that is longer for it.
_MOST_WORDS_WITH_CALLS: Final = 210

# Statements about certain lines, beside those on what is done.
_ON_LINES: Final = (
    CaughtFrom,
    HandsOn,
    Handles,
    LibraryCallers,
    MustDefine,
    Reasoned,
    Takes,
    Tries,
    Warns,
)

_QUOTED: Final = re.compile(r"“([^”]{12,})”")


def write_narrative(
    plan: AnswerPlan,
    facts: Sequence[Finding],
    code: CodeContext,
    *,
    unsaid: Collection[str] = (),
    asked: str = "",
) -> tuple[str, tuple[Finding, ...]]:
    """Write the answer, the lines that bear it out, and as much beside them as makes it whole.

    Args:
        plan: What the answer says.
        facts: The answer key.
        code: The codebase.
        unsaid: Words of which it does not speak beside the facts.
        asked: The question, which is not said again where there is something else to say.

    Returns:
        The narrative, and what it tells beside the facts.
    """
    attempts = list(_attempts(plan, code, unsaid))
    narrative = Narrative(plan, facts, code, attempts=attempts)
    _tell_purpose(narrative, unsaid, asked)
    _quote(narrative, unsaid)
    _tell_more(narrative, unsaid, asked)
    failures = [attempt for attempt in narrative.failures() if attempt not in facts]
    context = distinct([*narrative.context, *failures])
    return narrative.text(), tuple(context)


def _attempts(plan: AnswerPlan, code: CodeContext, unsaid: Collection[str]) -> Iterator[Finding]:
    """Find what may be said to be tried in what the answer is about."""
    for part in plan.parts:
        for attempt in find_statements(code, part.entity_id, (Tries,)):
            statement = attempt.statement
            sentence = statement.sentence()
            is_unsaid = any(words in sentence for words in unsaid)
            is_read = isinstance(statement, Tries) and is_short(statement)
            if is_read and not is_unsaid:
                yield attempt


def _tell_purpose(narrative: Narrative, unsaid: Collection[str], asked: str) -> None:
    """Take in what the author of the subject says of it: its purpose shows in no line of code."""
    subject = narrative.plan.parts[0].entity_id
    if not _is_explained(narrative):
        return
    for finding in context_of(narrative.plan, narrative.facts, narrative.code):
        statement = finding.statement
        words = human_words(statement)
        is_purpose = isinstance(statement, Described) and finding.entity_id == subject
        sentence = statement.sentence()
        is_unsaid = any(unsaid_words in sentence for unsaid_words in unsaid)
        if not is_purpose or is_unsaid or words.endswith(GAP) or is_restatement(finding, asked):
            continue
        narrative.context.append(finding)
        return


def _is_explained(narrative: Narrative) -> bool:
    """Find out whether an answer explains one function: what it gives, or what it works with.

    Who asks for a place, for callers or for the end of an error does not want to know what it is
    for.
    """
    statements = [fact.statement for fact in narrative.facts]
    is_alone = len(narrative.plan.parts) == 1
    has_deeds = any(isinstance(statement, Returned | ParameterDefault) for statement in statements)
    has_logs = any(isinstance(statement, Logs) for statement in statements)
    return is_alone and has_deeds and not has_logs


def _quote(narrative: Narrative, unsaid: Collection[str]) -> None:
    """Take in the lines of the facts and calls of the subject; and lines around them, if wanted."""
    entity_ids = [part.entity_id for part in narrative.plan.parts]
    decisive_facts = [fact for fact in narrative.facts if _bears_on_lines(fact)]
    for excerpt in excerpts_of_facts(entity_ids, decisive_facts, narrative.code, unsaid):
        _take_in(narrative, excerpt)
    for excerpt in (*_calls(narrative), *_classes(narrative)):
        if narrative.word_count() + excerpt.word_count() <= _MOST_WORDS_WITH_CALLS:
            _take_in(narrative, excerpt)
    _show_origins(narrative)
    _show_tried(narrative)
    _show_more(narrative)
    _show_bodies(narrative)
    closing_words = len(narrative.plan.closing.split())
    narrative.has_closing = 0 < closing_words <= _ENOUGH_WORDS - narrative.word_count()


def _show_origins(narrative: Narrative) -> None:
    """Quote the lines that give the tested names their values, where their tests are quoted."""
    tests = [test.code for fact in narrative.facts for test in fact.statement.conditions]
    for origin in origins_of_tests(narrative.facts, narrative.code):
        # Of an object that is tested, whatever else it is given is no origin.
        target = getattr(origin.statement, "target", "")
        if not any(re.search(rf"(?<![\w.]){re.escape(target)}(?!\w)", test) for test in tests):
            continue
        _take_lines(narrative, origin.entity_id, origin.cited_lines())


def _show_tried(narrative: Narrative) -> None:
    """Quote what was tried, where facts are about what comes behind an error of it."""
    for fact in narrative.facts:
        opened = narrative.code.function(fact.entity_id)
        conditions = fact.statement.conditions
        clauses = {condition.first for condition in conditions if condition.kind == "except"}
        for node in own_nodes(opened[1].body) if opened is not None and clauses else ():
            if not isinstance(node, ast.Try | ast.TryStar):
                continue
            first = node.body[0].lineno
            last = node.body[-1].end_lineno or node.lineno
            is_of_fact = any(handler.lineno in clauses for handler in node.handlers)
            if is_of_fact and last - first < _MOST_TRIED_LINES:
                tried = FileRange(file=path_of(fact.entity_id), start=first, end=last)
                _take_lines(narrative, fact.entity_id, [tried])


def _take_lines(narrative: Narrative, entity_id: str, lines: Iterable[FileRange]) -> None:
    """Quote further lines of a function of which there is an excerpt, while there is room."""
    for excerpt in narrative.excerpts:
        if excerpt.entity_id == entity_id and narrative.word_count() <= _ENOUGH_WORDS:
            room = _MOST_CODE_LINES - narrative.lines_of_code()
            most_lines = excerpt.lines() + room
            excerpt.take(excerpt.on(lines), most_lines)


def _show_more(narrative: Narrative) -> None:
    """Quote lines around those of the facts: as many as are wanted, and those in short gaps."""
    missing_words = FEWEST_WORDS - narrative.word_count()
    for excerpt in narrative.excerpts:
        missing_words -= _grow(narrative, excerpt, missing_words)
    # A few words are wanted yet, for gaps are closed; rather than speak of what stands far away,
    # an answer shows it.
    for is_far in (False, True):
        for excerpt in narrative.excerpts:
            while narrative.word_count() < FEWEST_WORDS:
                room = _MOST_CODE_LINES - narrative.lines_of_code()
                if not excerpt.grow(excerpt.lines() + room, is_far=is_far):
                    break
    for excerpt in narrative.excerpts:
        if narrative.word_count() <= _ENOUGH_WORDS:
            room = _MOST_CODE_LINES - narrative.lines_of_code()
            excerpt.close_gaps(excerpt.lines() + room)


def _show_bodies(narrative: Narrative) -> None:
    """Quote the beginnings of what else is expected, while words are wanted; no bare heads."""
    for part in narrative.plan.parts:
        missing_words = FEWEST_WORDS - narrative.word_count()
        shown_ids = {excerpt.entity_id for excerpt in narrative.excerpts}
        is_shown = part.entity_id in shown_ids
        if missing_words <= 0 or is_shown or len(narrative.excerpts) == _MOST_EXCERPTS:
            continue
        excerpt = open_excerpt(part.entity_id, narrative.code)
        if excerpt is None or not excerpt.take(excerpt.items[:1]):
            continue
        if _grow(narrative, excerpt, missing_words) > 0:
            room = _MOST_CODE_LINES - narrative.lines_of_code()
            excerpt.close_gaps(excerpt.lines() + room)
            narrative.excerpts.append(excerpt)


def _grow(narrative: Narrative, excerpt: CodeExcerpt, words: int) -> int:
    """Quote more lines around some, until they have so many words more; return how many."""
    before = excerpt.word_count()
    while excerpt.word_count() - before < words:
        room = _MOST_CODE_LINES - narrative.lines_of_code()
        if not excerpt.grow(excerpt.lines() + room):
            break
    return excerpt.word_count() - before


def _take_in(narrative: Narrative, excerpt: CodeExcerpt) -> None:
    room = _MOST_DECISIVE_LINES - narrative.lines_of_code()
    for other in narrative.excerpts:
        if other.entity_id == excerpt.entity_id:
            decisive_items = other.on(excerpt.decisive_lines())
            other.take(decisive_items, other.lines() + room)
            return
    is_too_long = narrative.word_count() + excerpt.word_count() > _MOST_WORDS_WITH_CALLS
    if narrative.excerpts and is_too_long:
        return
    if len(narrative.excerpts) < _MOST_EXCERPTS and excerpt.lines() <= room:
        narrative.excerpts.append(excerpt)


def _bears_on_lines(fact: Finding) -> bool:
    """Find out whether a fact is about certain lines, and not about a definition or a set."""
    statement = fact.statement
    return predicate_of(statement) != "" or isinstance(statement, _ON_LINES)


def _calls(narrative: Narrative) -> Iterator[CodeExcerpt]:
    """Show how the callers that facts name call what they call, or make their objects."""
    plan = narrative.plan
    entity_ids = [part.entity_id for part in plan.parts]
    ids = {name_of(entity_id): entity_id for entity_id in entity_ids}
    known_ids = {**ids, name_of(plan.named): plan.named}
    statements = [fact.statement for fact in narrative.facts]
    makers = [(made.name, made.makers) for made in statements if isinstance(made, OnlyMakers)]
    callers = [(sole.callee, sole.callers) for sole in statements if isinstance(sole, OnlyCallers)]
    for called, calling in (*makers, *callers):
        calling_ids = [ids[function] for function in calling if function in ids]
        called_id = known_ids.get(called)
        if called_id is None:
            continue
        excerpts = (excerpt_of_calls(caller, called_id, narrative.code) for caller in calling_ids)
        yield from filter(None, excerpts)


def _classes(narrative: Narrative) -> Iterator[CodeExcerpt]:
    """Show which methods classes override."""
    for fact in narrative.facts:
        if isinstance(fact.statement, Overrides) and fact.statement.methods:
            excerpt = excerpt_of_methods(fact.entity_id, fact.statement.methods, narrative.code)
            if excerpt is not None:
                yield excerpt


def _tell_more(narrative: Narrative, unsaid: Collection[str], asked: str) -> None:
    """Tell what explains the answer until the narrative is long enough."""
    missing_words = FEWEST_WORDS - narrative.word_count()
    if missing_words <= 0:
        return
    # One sentence that is enough is better than several about something else.
    spare_words = narrative.plan.spare.split()
    narrative.has_spare = missing_words <= len(spare_words)
    text = narrative.text()
    context = context_of(narrative.plan, narrative.facts, narrative.code)
    offered = deque(context)
    # What is told in part already, or known, is told only where there is nothing else to say.
    repeated: list[Finding] = []
    while len(text.split()) < FEWEST_WORDS and (offered or repeated):
        is_last_resort = not offered
        if is_last_resort and narrative.plan.spare and not narrative.has_spare:
            narrative.has_spare = True
            text = narrative.text()
            continue
        finding = repeated.pop(0) if is_last_resort else offered.popleft()
        sentence = finding.statement.sentence()
        is_unsaid = any(words in sentence for words in unsaid)
        if is_unsaid or _is_quoted(finding, text):
            continue
        is_done = narrative.says(finding) or _is_done(finding, text)
        if not is_last_resort and (is_done or is_restatement(finding, asked)):
            # Nobody wants to hear what the quoted code shows anyway.
            if not narrative.shows(finding):
                repeated.append(finding)
            continue
        narrative.context.append(finding)
        text = narrative.text()


def _is_done(finding: Finding, narrative: str) -> bool:
    """Find out whether the narrative tells the deed already, be it on other conditions."""
    statement = finding.statement
    if isinstance(statement, Runs) and f"`{statement.call}`" in narrative:
        return True
    predicate = predicate_of(statement)
    return predicate != "" and predicate in narrative


def _is_quoted(finding: Finding, narrative: str) -> bool:
    """Find out whether the words of a comment or docstring stand there already."""
    text = human_words(finding.statement)
    quotations = _QUOTED.findall(narrative)
    if not text:
        return False
    return text in narrative or text.startswith(tuple(quotations))
