"""Questions and narratives of the embedded agents as language: laws that code can hold them to."""

import re
from collections.abc import Mapping, Sequence

import pytest

from goldwright.offline_agents.prose.prose_references import LEADS
from goldwright.offline_agents.prose.prose_sentences import split_sentences
from units.offline_agents.records import SAMPLES, AnsweredQuestion, Sample

# A question that ends so was cut off.
LOOSE_ENDS = re.compile(
    r"\b(?:a|an|the|of|to|for|from|with|by|and|or|that|is)\s*[\"?.]*$", re.IGNORECASE
)
QUOTATION = re.compile(r'"([^"]+)"')
PARENTHESIS = re.compile(r"\([^()]*\)")
CODE = re.compile(r"`[^`]*`")


@pytest.fixture(scope="module", params=sorted(SAMPLES))
def answered(
    request: pytest.FixtureRequest, samples: Mapping[str, Sample]
) -> Sequence[AnsweredQuestion]:
    return list(samples[request.param].answered())


@pytest.fixture(scope="module")
def narratives(answered: Sequence[AnsweredQuestion]) -> Sequence[str]:
    return [entry.answer.canonical_narrative for entry in answered]


def test_no_sentence_is_said_twice(narratives: Sequence[str]) -> None:
    for narrative in narratives:
        sentences = list(split_sentences(narrative))
        assert len(set(sentences)) == len(sentences), narrative


def test_a_place_is_led_in_once(narratives: Sequence[str]) -> None:
    """Behind "further up", everything stands further up until something else is said."""
    for narrative in narratives:
        assert all(narrative.count(f". {lead} ") <= 1 for lead in LEADS), narrative


def test_the_first_sentence_names_what_was_asked_for(
    answered: Sequence[AnsweredQuestion],
) -> None:
    for entry in answered:
        answer = entry.answer
        first_sentence = next(split_sentences(answer.canonical_narrative))
        names = [entity.entity_id.split("::")[1] for entity in answer.expected_entities]
        last_names = [name.removesuffix(".__init__").rpartition(".")[2] for name in names]
        is_verdict = re.match(r"(?:Yes|No|Not|Nothing|Callers|Every|It)\b", first_sentence)
        assert is_verdict or any(name in first_sentence for name in last_names), first_sentence


def test_the_writer_adds_one_parenthesis_to_a_sentence_at_most(narratives: Sequence[str]) -> None:
    """What code and quotations hold is not the writer's."""
    for narrative in narratives:
        for sentence in split_sentences(narrative):
            prose = re.sub("“[^”]*”", "“”", CODE.sub("``", sentence))
            assert len(PARENTHESIS.findall(prose)) <= 1, sentence


def test_no_question_ends_in_the_air(answered: Sequence[AnsweredQuestion]) -> None:
    for entry in answered:
        text = entry.candidate.query_text
        assert LOOSE_ENDS.search(text) is None, text
        for quotation in QUOTATION.findall(text):
            assert quotation.endswith("…") or LOOSE_ENDS.search(quotation) is None, text
