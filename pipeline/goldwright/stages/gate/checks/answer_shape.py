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
    """3 to 8 facts with their lines, 1 to 3 false ones, a primary entity, 80 to 250 words, notes
    when in doubt.
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

    def look(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield what is missing, too much or twice."""
        answer = case.answer
        yield from _facts(answer)
        yield from _citations(answer)
        yield from _lists(answer)
        yield from _narrative(answer)
        yield from _confidence(answer)


def _facts(answer: AnswerDraft) -> Iterator[CheckFinding]:
    facts, false_facts = answer.must_mention_facts, answer.must_not_mention_facts
    yield from _count("must_mention_facts", len(facts), _FACTS)
    yield from _count("must_not_mention_facts", len(false_facts), _FALSE_FACTS)
    seen: dict[str, str] = {}
    numbered = [("fact", n, fact) for n, fact in enumerate(facts, start=1)]
    numbered += [("not-fact", n, fact) for n, fact in enumerate(false_facts, start=1)]
    for kind, number, fact in numbered:
        claim, words = f"{kind}-{number}", " ".join(fact.casefold().split())
        if not words:
            yield CheckFinding(claim, "the fact is empty")
        elif words in seen:
            yield CheckFinding(claim, f"says the same as {seen[words]}")
        seen.setdefault(words, claim)


def _citations(answer: AnswerDraft) -> Iterator[CheckFinding]:
    facts = [f"fact-{n}" for n in range(1, len(answer.must_mention_facts) + 1)]
    known = {*facts, *(f"not-fact-{n}" for n in range(1, len(answer.must_not_mention_facts) + 1))}
    cited = {entry.claim_id for entry in answer.fact_citations}
    for fact in facts:
        if fact not in cited:
            yield CheckFinding(fact, "no citation bears the fact")
    for number, entry in enumerate(answer.fact_citations, start=1):
        if entry.claim_id not in known:
            yield CheckFinding(f"citation-{number}", f"there is no fact {entry.claim_id!r}")


def _lists(answer: AnswerDraft) -> Iterator[CheckFinding]:
    if not any(entity.role == "primary" for entity in answer.expected_entities):
        yield CheckFinding("expected_entities", "no entity is primary")
    yield from _repeated("expected_entities", answer.entity_ids)
    yield from _repeated("expected_files", answer.expected_files)
    if not answer.expected_line_ranges:
        yield CheckFinding("expected_line_ranges", "there are none")
    if not answer.source_evidence:
        yield CheckFinding("source_evidence", "there is none")
    for number, evidence in enumerate(answer.source_evidence, start=1):
        if evidence.read_at_step < 1:
            yield CheckFinding(
                f"evidence-{number}",
                f"read_at_step is {evidence.read_at_step}; steps are counted from 1",
            )


def _narrative(answer: AnswerDraft) -> Iterator[CheckFinding]:
    words = len(answer.canonical_narrative.split())
    if words not in _WORDS:
        yield CheckFinding(
            "narrative", f"{words} words; wanted {_WORDS.start} to {_WORDS.stop - 1}"
        )


def _confidence(answer: AnswerDraft) -> Iterator[CheckFinding]:
    if answer.confidence == "low" and not (answer.uncertainty_notes or "").strip():
        yield CheckFinding("confidence", "low confidence needs uncertainty_notes")


def _count(field: str, count: int, wanted: range) -> Iterator[CheckFinding]:
    if count not in wanted:
        yield CheckFinding(field, f"there are {count}; wanted {wanted.start} to {wanted.stop - 1}")


def _repeated(field: str, items: Iterable[str]) -> Iterator[CheckFinding]:
    for item, times in Counter(items).items():
        if times > 1:
            yield CheckFinding(field, f"{item!r} stands {times} times")
