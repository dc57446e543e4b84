"""Answers in which all is true and which answer another question about the same code."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.retold_answers import answer_fields, without_sentence
from goldwright.code_blocks import rewrite_prose
from goldwright.offline_agents.answer_limits import FEWEST_WORDS
from goldwright.offline_agents.inquiries.catalog import INQUIRIES, inquiry_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan
from goldwright.offline_agents.inquiries.surroundings import find_statements, intent_of
from goldwright.offline_agents.prose.prose_sentences import split_sentences
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.records import FileRange, Intent


def miss_questions(case: MutationCase) -> Iterator[Mutation]:
    """Yield the answers to sibling questions: another error, message or reason, the same function.

    What the question is about stands nowhere in them, so not even by accident do they answer it.
    """
    intent = case.candidate.intent
    if intent is None:
        return
    own_findings = _findings_at(case, intent)
    own_messages = _messages(own_findings)
    before = case.answer.must_mention_facts[0]
    for sibling in case.shuffled(_sibling_intents(case, intent)):
        plan = _plan(case, sibling, own_findings, intent.lines)
        if plan is None:
            continue
        fields = answer_fields(case, plan, case.context, own_messages)
        narrative = None if fields is None else _without_own(fields, own_messages)
        if fields is None or narrative is None:
            continue
        after = plan.facts[0].statement.sentence()
        yield Mutation("narrative", before, after, {**fields, "canonical_narrative": narrative})


def _messages(own_findings: tuple[Finding, ...]) -> list[str]:
    return [message for _, message in map(_message, own_findings) if message]


def _without_own(fields: Mapping[str, object], messages: Sequence[str]) -> str | None:
    """Leave out what a narrative tells in passing of the lines that were asked for.

    None where too little is left for an answer.
    """

    def tells_message(sentence: str) -> bool:
        return any(message in sentence for message in messages)

    def leave_out(passage: str) -> str:
        sentences = split_sentences(passage)
        return " ".join(sentence for sentence in sentences if not tells_message(sentence))

    narrative = rewrite_prose(str(fields["canonical_narrative"]), leave_out)
    return narrative if len(narrative.split()) >= FEWEST_WORDS else None


def _findings_at(case: MutationCase, intent: Intent) -> tuple[Finding, ...]:
    """The errors and log messages on the lines that a question turns on.

    A question about a class turns on lines of one of its methods.
    """
    findings: list[Finding] = []
    for entity in case.snapshot.entities_in(intent.lines.file):
        if entity.touches(intent.lines.start, intent.lines.end):
            findings += find_statements(case.context, entity.entity_id, (Raises, Logs))
    return tuple(finding for finding in findings if finding.lines == intent.lines)


def _sibling_intents(case: MutationCase, intent: Intent) -> Iterator[Intent]:
    """Yield reasons to ask about other lines of the same function, each once."""
    own_findings = _findings_at(case, intent)
    places: set[tuple[str, FileRange]] = set()
    # A reason that turns on no single line has one answer in the whole function.
    same_kind = list(_same_kind(case, intent)) if own_findings else []
    for sibling in (*same_kind, *_other_kinds(case, intent)):
        key = (sibling.kind, sibling.lines)
        if key in places or sibling.lines == intent.lines:
            continue
        places.add(key)
        siblings = _findings_at(case, sibling)
        # One message may be raised on several lines: each of them answers for all.
        if not _shares_message(own_findings, siblings):
            yield sibling


def _same_kind(case: MutationCase, intent: Intent) -> Iterator[Intent]:
    for finding in find_statements(case.context, intent.subject, (Raises, Logs)):
        yield intent.model_copy(update={"lines": finding.lines})


def _other_kinds(case: MutationCase, intent: Intent) -> Iterator[Intent]:
    module = case.context.module(intent.lines.file)
    if module is None:
        return
    for inquiry in INQUIRIES:
        # All ways out of a function hold the one that was asked for as well.
        if inquiry.kind == "outcomes":
            continue
        for lead in inquiry.leads(module):
            if lead.subject == intent.subject:
                yield intent_of(lead, ())


def _shares_message(own_facts: tuple[Finding, ...], siblings: tuple[Finding, ...]) -> bool:
    own_messages = {_message(finding) for finding in own_facts}
    return any(_message(finding) in own_messages for finding in siblings)


def _message(finding: Finding) -> tuple[str, str]:
    match finding.statement:
        case Raises(error=error, message=message):
            return error, message
        case Logs(level=level, message=message):
            return level, message
        case statement:
            return "", statement.sentence()


def _plan(
    case: MutationCase, sibling: Intent, own_findings: tuple[Finding, ...], asked_lines: FileRange
) -> AnswerPlan | None:
    """Answer a sibling question, without a word about what was asked or its lines."""
    inquiry = inquiry_of(sibling)
    if inquiry is None:
        return None
    plan = inquiry.answer(sibling, case.candidate.target_entity_ids, case.context)
    if plan is None:
        return None
    for finding in own_findings:
        sentence = finding.statement.sentence()
        plan = replace(
            plan,
            facts=without_sentence(plan.facts, sentence),
            context=without_sentence(plan.context, sentence),
            neighbours=without_sentence(plan.neighbours, sentence),
        )
    facts = tuple(finding for finding in plan.facts if finding.lines != asked_lines)
    context = tuple(finding for finding in plan.context if finding.lines != asked_lines)
    return replace(plan, facts=facts, context=context) if facts else None
