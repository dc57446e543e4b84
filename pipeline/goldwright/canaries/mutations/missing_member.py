"""Answers to which one member of a set is unknown: they are consistent, and incomplete."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.retold_answers import answer_fields
from goldwright.canaries.mutations.shrunk_sets import FEWEST_MEMBERS, shrink_sets
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.catalog import inquiry_of
from goldwright.offline_agents.statements.catalog import read_statement
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.only_subclasses import OnlySubclasses
from goldwright.records import Intent


@dataclass
class IncompleteContext(CodeContext):
    """A codebase in which one definition is overlooked wherever sets are made.

    Attributes:
        overlooked: The id of that definition.
    """

    overlooked: str = ""

    def closed_callers(self, entity_id: str) -> tuple[str, ...] | None:
        """Give all callers of a function but for the one that is overlooked."""
        return self._without(super().closed_callers(entity_id))

    def closed_subclasses(self, class_id: str) -> tuple[str, ...] | None:
        """Give all subclasses of a class but for the one that is overlooked."""
        return self._without(super().closed_subclasses(class_id))

    def _without(self, members: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if members is None:
            return None
        return tuple(member for member in members if member != self.overlooked)


def leave_members_out(case: MutationCase) -> Iterator[Mutation]:
    """Yield answers in which a set that they call complete lacks a member.

    Those come first in which the whole answer was derived without it.
    """
    yield from _answers_of_the_unwary(case)
    yield from shrink_sets(case)


def _answers_of_the_unwary(case: MutationCase) -> Iterator[Mutation]:
    """Yield the answer that somebody gives who has overlooked a caller or a subclass.

    Neither entities nor facts nor narrative know the member, and what is said of the others stays
    true: only that they are all is false.
    """
    intent = case.candidate.intent
    if intent is None:
        return
    for member in case.shuffled(_members(case, intent)):
        fields = _fields_without(case, intent, member)
        if fields is None:
            continue
        claim = _set_claim(fields, intent.subject)
        if claim is not None:
            claim_id, sentence = claim
            before = f"{name_of(member)} among the members"
            yield Mutation(
                claim_id,
                before,
                sentence,
                fields,
                other_claims=("narrative",),
                left_out=member,
            )


def _members(case: MutationCase, intent: Intent) -> Iterator[str]:
    """Yield the expected members of the sets around what a question turns on."""
    callers = case.context.closed_callers(intent.subject) or ()
    subclasses = case.context.closed_subclasses(intent.subject) or ()
    for members in (callers, subclasses):
        if len(members) >= FEWEST_MEMBERS:
            yield from (member for member in members if member in case.answer.entity_ids)


def _fields_without(case: MutationCase, intent: Intent, member: str) -> Mapping[str, object] | None:
    inquiry = inquiry_of(intent)
    if inquiry is None:
        return None
    code = IncompleteContext(case.snapshot, overlooked=member)
    targets = tuple(target for target in case.candidate.target_entity_ids if target != member)
    plan = inquiry.answer(intent, targets, code)
    if plan is None:
        return None
    # Nor does it stand among what the answer must not say.
    falsehoods = [
        falsehood
        for falsehood in plan.falsehoods
        if f"`{name_of(member)}`" not in falsehood.statement.sentence()
    ]
    return answer_fields(case, replace(plan, falsehoods=tuple(falsehoods)), code)


def _set_claim(fields: Mapping[str, object], subject: str) -> tuple[str, str] | None:
    """Find the fact that says who belongs to the set, as its claim id and text."""
    facts = fields["must_mention_facts"]
    name = name_of(subject)
    assert isinstance(facts, tuple)  # noqa: S101  # as every answer has it
    for number, fact in enumerate(facts, start=1):
        statement = read_statement(fact)
        if isinstance(statement, OnlyCallers | OnlySubclasses) and statement.subject == name:
            return f"fact-{number}", fact
    return None
