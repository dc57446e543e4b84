"""All that the embedded agents say about small codebases, as it was read and approved.

A change of any question, fact, falsehood, citation, narrative or verdict shows as a difference.
``make golden`` writes what is said now; read the difference before you commit it.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from goldwright.offline_agents.questions.question_wording import QuestionWording
from units.offline_agents.records import SAMPLES, AnsweredQuestion, Sample

APPROVED = Path(__file__).parents[1] / "golden_files" / "offline_answers"


def transcript(sample: Sample) -> Iterator[str]:
    """Write every question of a sample with its answer and what the Adversary makes of it."""
    for answered in sample.answered():
        yield from _entry(answered, sample)
        yield ""


def _entry(answered: AnsweredQuestion, sample: Sample) -> Iterator[str]:
    question, answer = answered.question, answered.answer
    wording = QuestionWording(size=1, seed=1)
    texts = [worded.text for worded in wording.propose(question, sample.snapshot)]
    yield f"## {question.cell} {question.intent.kind}: {question.subject}"
    yield from (f"? {text}" for text in texts)
    yield f"  settles {'; '.join(question.intent.settles)}"
    # Which question is asked first, and what its tier is said to rest on.
    yield f"  score {question.score:.3f}: {question.rationale} [{question.expectation}]"
    for entity in answer.expected_entities:
        yield f"  {entity.role} {entity.entity_id}: {entity.rationale}"
    report = sample.attack(answered.candidate, answer)
    verdicts = {claim.claim_id: claim.verdict for claim in report.claim_verdicts}
    citations: dict[str, list[str]] = {}
    for cited in answer.fact_citations:
        citations.setdefault(cited.claim_id, []).append(f"{cited.start}-{cited.end}")
    claims = [(f"fact-{n}", "+", text) for n, text in enumerate(answer.must_mention_facts, 1)]
    claims += [(f"not-fact-{n}", "-", t) for n, t in enumerate(answer.must_not_mention_facts, 1)]
    for claim_id, sign, text in claims:
        yield f"{sign} {text} [{' '.join(citations[claim_id])}] {verdicts[claim_id]}"
    yield f"> {answer.canonical_narrative}"
    yield f"! {report.overall_verdict}: {report.findings}"


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_the_agents_say_what_was_approved(
    name: str, samples: Mapping[str, Sample], check_golden: Callable[[Path, str], None]
) -> None:
    said = "\n".join(transcript(samples[name]))
    check_golden(APPROVED / f"{name}.md", said)
