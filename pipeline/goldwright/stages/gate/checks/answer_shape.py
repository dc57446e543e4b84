"""The answer has the parts that every answer has, in their numbers."""

from collections import Counter
from collections.abc import Iterable, Iterator

from goldwright.records import AnswerDraft, is_adopted
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import ANSWER, BASKET, citation, example
from goldwright.text import counted

# The limits that the prompt of the Oracle names; as in every range, the last number is excluded.
_FACTS = range(3, 9)
_FALSE_FACTS = range(1, 4)
_WORDS = range(80, 251)


class AnswerShape:
    """3 to 8 facts with their lines, 1 to 3 false facts, a primary entity, 80 to 250 words.

    An answer of low confidence also says in its notes what is uncertain.
    """

    code = "answer_shape"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield answers with all their parts."""
        yield example()
        notes = "The callers are outside the snapshot."
        yield example(confidence="low", uncertainty_notes=notes)
        # A false fact may go without lines.
        yield example(fact_citations=ANSWER.fact_citations[:3])

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield answers with too few parts, too many, or one twice."""
        yield from _examples_of_wrong_facts()
        yield from _examples_of_wrong_citations()
        yield from _examples_of_wrong_lists()
        yield example(canonical_narrative="Too short.")
        yield example(canonical_narrative="word " * 251)
        yield example(confidence="low")
        yield example(confidence="low", uncertainty_notes="  ")

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield what is missing, too much or twice; of an adopted answer, what is twice."""
        answer = case.answer
        if is_adopted(answer):
            yield from _check_adopted(answer)
            return
        yield from _check_facts(answer)
        yield from _check_citations(answer)
        yield from _check_lists(answer)
        yield from _check_narrative(answer)
        yield from _check_confidence(answer)


def _examples_of_wrong_facts() -> Iterator[GateCase]:
    two_facts = ANSWER.must_mention_facts[:2]
    nine_facts = tuple(f"Fact {number} holds." for number in range(9))
    # The second fact again, with other blanks and capitals.
    repeated_fact = "  an amount below ONE raises a ValueError. "
    yield example(must_mention_facts=two_facts)
    yield example(must_mention_facts=nine_facts)
    yield example(must_mention_facts=(*two_facts, repeated_fact))
    yield example(must_mention_facts=(*two_facts, " "))
    yield example(must_not_mention_facts=())
    yield example(must_not_mention_facts=("One.", "Two.", "Three.", "Four."))
    # A fact cannot be true and false.
    yield example(must_not_mention_facts=ANSWER.must_mention_facts[:1])


def _examples_of_wrong_citations() -> Iterator[GateCase]:
    citations = ANSWER.fact_citations
    yield example(fact_citations=citations[:2])
    # The answer has three facts, and ids are written without leading zeros.
    for claim_id in ("fact-4", "fact-01"):
        stray = citation(BASKET, 9, 9, claim_id=claim_id)
        yield example(fact_citations=citations + stray)


def _examples_of_wrong_lists() -> Iterator[GateCase]:
    entity = ANSWER.expected_entities[0]
    supporting_entity = entity.model_copy(update={"role": "supporting"})
    evidence_of_step_0 = ANSWER.source_evidence[0].model_copy(update={"read_at_step": 0})
    yield example(expected_entities=())
    yield example(expected_entities=(supporting_entity,))
    yield example(expected_entities=(entity, entity))
    yield example(expected_files=(BASKET, BASKET))
    yield example(expected_line_ranges=())
    yield example(source_evidence=())
    yield example(source_evidence=(evidence_of_step_0,))


def _check_facts(answer: AnswerDraft) -> Iterator[CheckFinding]:
    facts = answer.must_mention_facts
    false_facts = answer.must_not_mention_facts
    yield from _check_count("must_mention_facts", len(facts), _FACTS)
    yield from _check_count("must_not_mention_facts", len(false_facts), _FALSE_FACTS)
    yield from _check_repeated_facts(answer)


def _check_adopted(answer: AnswerDraft) -> Iterator[CheckFinding]:
    """Check what is there: somebody else's dataset may hold no facts, lines or narrative."""
    yield from _check_repeated_facts(answer)
    yield from _check_stray_citations(answer)
    yield from _check_repeats("expected_entities", answer.entity_ids)
    yield from _check_repeats("expected_files", answer.expected_files)
    if not answer.expected_entities and not answer.expected_files:
        yield CheckFinding("expected_entities", "neither an entity nor a file is expected")


def _check_repeated_facts(answer: AnswerDraft) -> Iterator[CheckFinding]:
    # Both lists together: a fact that is also a falsehood contradicts itself.
    facts_by_claim = _facts_by_claim("fact", answer.must_mention_facts)
    facts_by_claim.update(_facts_by_claim("not-fact", answer.must_not_mention_facts))
    first_claims: dict[str, str] = {}
    for claim, fact in facts_by_claim.items():
        words = _without_capitals(" ".join(fact.split()))
        if not words:
            yield CheckFinding(claim, "the fact is empty")
        elif words in first_claims:
            first_claim = first_claims[words]
            yield CheckFinding(claim, f"says the same as {first_claim}")
        first_claims.setdefault(words, claim)


def _without_capitals(fact: str) -> str:
    """Write a fact as all are compared: of prose, capitals do not make another one; of code, do."""
    pieces = fact.split("`")
    # Pieces at odd places stand between code marks.
    spoken_pieces = pieces[::2]
    pieces[::2] = map(str.casefold, spoken_pieces)
    return "`".join(pieces)


def _check_citations(answer: AnswerDraft) -> Iterator[CheckFinding]:
    cited_claims = {fact_citation.claim_id for fact_citation in answer.fact_citations}
    for claim in _facts_by_claim("fact", answer.must_mention_facts):
        if claim not in cited_claims:
            yield CheckFinding(claim, "no citation bears the fact")
    yield from _check_stray_citations(answer)


def _check_stray_citations(answer: AnswerDraft) -> Iterator[CheckFinding]:
    facts = _facts_by_claim("fact", answer.must_mention_facts)
    false_facts = _facts_by_claim("not-fact", answer.must_not_mention_facts)
    cited_claims = [fact_citation.claim_id for fact_citation in answer.fact_citations]
    for number, claim in enumerate(cited_claims, start=1):
        if claim not in facts and claim not in false_facts:
            message = f"there is no fact {claim!r}"
            yield CheckFinding(f"citation-{number}", message)


def _check_lists(answer: AnswerDraft) -> Iterator[CheckFinding]:
    roles = [entity.role for entity in answer.expected_entities]
    if "primary" not in roles:
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
    word_count = len(answer.canonical_narrative.split())
    if word_count not in _WORDS:
        count = counted(word_count, "word")
        message = f"{count}; wanted {_bounds(_WORDS)}"
        yield CheckFinding("narrative", message)


def _check_confidence(answer: AnswerDraft) -> Iterator[CheckFinding]:
    notes = answer.uncertainty_notes or ""
    if answer.confidence == "low" and not notes.strip():
        yield CheckFinding("confidence", "low confidence needs uncertainty_notes")


def _check_count(field: str, count: int, allowed: range) -> Iterator[CheckFinding]:
    if count not in allowed:
        message = f"there are {count}; wanted {_bounds(allowed)}"
        yield CheckFinding(field, message)


def _bounds(allowed: range) -> str:
    largest = allowed.stop - 1
    return f"{allowed.start} to {largest}"


def _check_repeats(field: str, items: Iterable[str]) -> Iterator[CheckFinding]:
    for item, times in Counter(items).items():
        if times > 1:
            message = f"{item!r} stands {times} times"
            yield CheckFinding(field, message)


def _facts_by_claim(kind: str, facts: Iterable[str]) -> dict[str, str]:
    """Facts by the ids of their claims."""
    return {f"{kind}-{number}": fact for number, fact in enumerate(facts, start=1)}
