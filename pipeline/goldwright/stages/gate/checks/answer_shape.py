"""The answer has the parts that every answer has, in their numbers."""

from collections import Counter
from collections.abc import Iterable, Iterator

from goldwright.records import AnswerDraft
from goldwright.stages.gate.check import CheckFinding, GateCase
from goldwright.stages.gate.examples import ANSWER, BASKET, citation, example

_FACTS = range(3, 9)
_FALSE_FACTS = range(1, 4)
_WORDS = range(80, 251)


class AnswerShape:
    """3 to 8 facts with their lines, 1 to 3 false facts, a primary entity, 80 to 250 words.

    An answer of low confidence also says in its notes what is uncertain.
    """

    code = "answer_shape"
    passes = (
        example(),
        example(confidence="low", uncertainty_notes="The callers are outside the snapshot."),
        example(fact_citations=ANSWER.fact_citations[:3]),
    )
    fails = (
        example(must_mention_facts=ANSWER.must_mention_facts[:2]),
        example(must_mention_facts=tuple(f"Fact {n} holds." for n in range(9))),
        example(
            must_mention_facts=(
                *ANSWER.must_mention_facts[:2],
                "  an amount below ONE raises a ValueError. ",
            )
        ),
        example(must_mention_facts=(*ANSWER.must_mention_facts[:2], " ")),
        example(must_not_mention_facts=()),
        example(must_not_mention_facts=("One.", "Two.", "Three.", "Four.")),
        example(must_not_mention_facts=ANSWER.must_mention_facts[:1]),
        example(fact_citations=ANSWER.fact_citations[:2]),
        example(
            fact_citations=(*ANSWER.fact_citations, *citation(BASKET, 9, 9, claim_id="fact-4"))
        ),
        example(
            fact_citations=(*ANSWER.fact_citations, *citation(BASKET, 9, 9, claim_id="fact-01"))
        ),
        example(expected_entities=()),
        example(
            expected_entities=(
                ANSWER.expected_entities[0].model_copy(update={"role": "supporting"}),
            )
        ),
        example(expected_entities=ANSWER.expected_entities * 2),
        example(expected_files=(BASKET, BASKET)),
        example(expected_line_ranges=()),
        example(source_evidence=()),
        example(
            source_evidence=(ANSWER.source_evidence[0].model_copy(update={"read_at_step": 0}),)
        ),
        example(canonical_narrative="Too short."),
        example(canonical_narrative="word " * 251),
        example(confidence="low"),
        example(confidence="low", uncertainty_notes="  "),
    )

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield what is missing, too much or twice."""
        answer = case.answer
        yield from _check_facts(answer)
        yield from _check_citations(answer)
        yield from _check_lists(answer)
        yield from _check_narrative(answer)
        yield from _check_confidence(answer)


def _check_facts(answer: AnswerDraft) -> Iterator[CheckFinding]:
    facts, false_facts = answer.must_mention_facts, answer.must_not_mention_facts
    yield from _check_count("must_mention_facts", len(facts), _FACTS)
    yield from _check_count("must_not_mention_facts", len(false_facts), _FALSE_FACTS)
    # Both lists together: a fact that is also a falsehood contradicts itself.
    numbered_facts = {**_numbered("fact", facts), **_numbered("not-fact", false_facts)}
    first_claims: dict[str, str] = {}
    for claim, fact in numbered_facts.items():
        words = " ".join(fact.casefold().split())
        if not words:
            yield CheckFinding(claim, "the fact is empty")
        elif words in first_claims:
            yield CheckFinding(claim, f"says the same as {first_claims[words]}")
        first_claims.setdefault(words, claim)


def _check_citations(answer: AnswerDraft) -> Iterator[CheckFinding]:
    facts = _numbered("fact", answer.must_mention_facts)
    false_facts = _numbered("not-fact", answer.must_not_mention_facts)
    cited_claims = {citation.claim_id for citation in answer.fact_citations}
    # A false fact may go without lines.
    for claim in facts:
        if claim not in cited_claims:
            yield CheckFinding(claim, "no citation bears the fact")
    for number, cited in enumerate(answer.fact_citations, start=1):
        claim = cited.claim_id
        if claim not in facts and claim not in false_facts:
            yield CheckFinding(f"citation-{number}", f"there is no fact {claim!r}")


def _check_lists(answer: AnswerDraft) -> Iterator[CheckFinding]:
    if all(entity.role != "primary" for entity in answer.expected_entities):
        yield CheckFinding("expected_entities", "no entity is primary")
    yield from _check_repeats("expected_entities", answer.entity_ids)
    yield from _check_repeats("expected_files", answer.expected_files)
    if not answer.expected_line_ranges:
        yield CheckFinding("expected_line_ranges", "there are none")
    if not answer.source_evidence:
        yield CheckFinding("source_evidence", "there is none")
    for number, evidence in enumerate(answer.source_evidence, start=1):
        step = evidence.read_at_step
        if step < 1:
            message = f"read_at_step is {step}; steps are counted from 1"
            yield CheckFinding(f"evidence-{number}", message)


def _check_narrative(answer: AnswerDraft) -> Iterator[CheckFinding]:
    words = len(answer.canonical_narrative.split())
    if words not in _WORDS:
        message = f"{words} words; wanted {_WORDS.start} to {_WORDS.stop - 1}"
        yield CheckFinding("narrative", message)


def _check_confidence(answer: AnswerDraft) -> Iterator[CheckFinding]:
    notes = answer.uncertainty_notes or ""
    if answer.confidence == "low" and not notes.strip():
        yield CheckFinding("confidence", "low confidence needs uncertainty_notes")


def _check_count(field: str, count: int, allowed: range) -> Iterator[CheckFinding]:
    if count not in allowed:
        message = f"there are {count}; wanted {allowed.start} to {allowed.stop - 1}"
        yield CheckFinding(field, message)


def _check_repeats(field: str, items: Iterable[str]) -> Iterator[CheckFinding]:
    for item, times in Counter(items).items():
        if times > 1:
            yield CheckFinding(field, f"{item!r} stands {times} times")


def _numbered(kind: str, facts: Iterable[str]) -> dict[str, str]:
    """Facts by the ids of their claims."""
    return {f"{kind}-{number}": fact for number, fact in enumerate(facts, start=1)}
