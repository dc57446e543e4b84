"""Whether narratives answer at once, tell all facts, and have the length of an answer."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from goldwright.trust_card.estimates import mean, share
from goldwright.trust_card.material import AnsweredQuery, CardMaterial
from goldwright.trust_card.measure import FigureText, Goal, Measure, Observation
from goldwright.trust_card.prose.sentences import (
    code_marks,
    quotations,
    sentences,
    without_code_marks,
    without_quotations,
)
from goldwright.trust_card.prose.words import content_words, words

_SHORTEST: Final = 80
_LONGEST: Final = 250
# Of the words of a fact or message, the share that the narrative has to hold.
_LEAST_SHARE: Final = 0.7
# So many words of a sentence are its beginning.
_BEGINNING: Final = 8
_VERDICT: Final = re.compile(
    r"^(?:yes|no|not|never|nobody|nothing|none|only|both|neither|either|all|every|each|it depends|"
    r"partly|mostly|almost|usually|sometimes|one|two|three|four|five|six|seven|\d+)\b",
    re.IGNORECASE,
)


def _observe_told(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        untold = [fact.text for fact in record.facts if not is_told(fact.text, record)]
        note = f"does not tell: {untold[0]}" if untold else ""
        yield Observation(record.query_id, float(not untold), note)


def _observe_facts_told(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        for fact in record.facts:
            yield Observation(record.query_id, float(is_told(fact.text, record)))


def is_told(fact: str, record: AnsweredQuery) -> bool:
    """Whether the narrative of a record tells a fact.

    The names of expected entities may stand anywhere in it. All other code marks of the fact, and
    most words of its quotations, have to stand in one sentence or in two that follow one another;
    of a fact without other marks, most of its words.
    """
    marks = code_marks(fact)
    subjects = [mark for mark in marks if _names_entity(mark, record)]
    details = [mark for mark in marks if mark not in subjects]
    if not all(_holds_mark(record.narrative, mark) for mark in subjects):
        return False
    return any(_tells(passage, fact, details) for passage in _passages(record.narrative))


def _names_entity(mark: str, record: AnsweredQuery) -> bool:
    name = mark.removesuffix("()")
    return any(
        entity_id.endswith((f"::{name}", f".{name}")) for entity_id in record.entity_ids
    )


def _passages(narrative: str) -> Iterator[str]:
    """Yield every sentence, and every two that follow one another."""
    parts = sentences(narrative)
    yield from parts
    for first, second in pairwise(parts):
        yield f"{first} {second}"


def _tells(passage: str, fact: str, details: Sequence[str]) -> bool:
    if not all(_holds_mark(passage, detail) for detail in details):
        return False
    for quotation in quotations(fact):
        if not _holds_words(passage, words(quotation)):
            return False
    if details or quotations(fact):
        return True
    fact_words = content_words(without_code_marks(fact))
    return _holds_words(" ".join(content_words(passage)), fact_words)


def _holds_mark(text: str, mark: str) -> bool:
    """Whether a text holds a code mark, with or without backticks, or the last part of its name."""
    plain_text = text.replace("`", "")
    if mark in plain_text:
        return True
    name = mark.removesuffix("()")
    if not name.replace(".", "").isidentifier():
        return False
    last_part = re.escape(name.rpartition(".")[2])
    return re.search(rf"(?<!\w){last_part}(?!\w)", plain_text) is not None


def _holds_words(text: str, wanted: Sequence[str]) -> bool:
    text_words = set(words(text))
    held = sum(word in text_words for word in wanted)
    return held >= _LEAST_SHARE * len(wanted)


def _observe_length(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        yield Observation(record.query_id, float(len(record.narrative.split())))


def _observe_length_kept(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        length = len(record.narrative.split())
        is_kept = _SHORTEST <= length <= _LONGEST
        note = "" if is_kept else f"has {length} words"
        yield Observation(record.query_id, float(is_kept), note)


def _observe_first_sentence(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        first, *_ = sentences(record.narrative) or ("",)
        answers = _answers(first, record)
        note = "" if answers else f"begins: {first}"
        yield Observation(record.query_id, float(answers), note)


def _answers(sentence: str, record: AnsweredQuery) -> bool:
    """Whether a sentence begins with a verdict, or with the subject and goes on with the answer."""
    if _VERDICT.match(sentence):
        return True
    if not _begins_with_subject(sentence, record):
        return False
    if record.task_type == "locate":
        return any(_holds_name(sentence, entity_id) for entity_id in record.targets)
    return _shares_detail(sentence, record)


def _begins_with_subject(sentence: str, record: AnsweredQuery) -> bool:
    """Whether the first words name an expected entity or hold a word of the question."""
    beginning = " ".join(sentence.split()[:_BEGINNING])
    if any(_holds_name(beginning, entity_id) for entity_id in record.entity_ids):
        return True
    return not set(content_words(record.query)).isdisjoint(content_words(beginning))


def _holds_name(text: str, entity_id: str) -> bool:
    return _holds_mark(text, entity_id.rpartition("::")[2])


def _shares_detail(sentence: str, record: AnsweredQuery) -> bool:
    """Whether a sentence has a code mark of a fact that names no entity, or most of its words."""
    sentence_words = set(content_words(without_code_marks(sentence)))
    for fact in record.facts:
        for mark in code_marks(fact.text):
            if not _names_entity(mark, record) and _holds_mark(sentence, mark):
                return True
        fact_words = set(content_words(without_quotations(without_code_marks(fact.text))))
        if len(fact_words & sentence_words) >= max(2, len(fact_words) / 2):
            return True
    return False


MEASURES: Final = (
    Measure(
        FigureText(
            "narratives_tell_all_facts",
            "narratives that tell every must-mention fact",
            "Narratives in which the code marks of every fact, and most words of its quotations, "
            "stand in one sentence or in two that follow one another; names of expected entities "
            "may stand anywhere.",
            goal=Goal("at least", 0.95),
        ),
        _observe_told,
        share,
    ),
    Measure(
        FigureText(
            "facts_told",
            "must-mention facts that the narrative tells",
            "The same for single facts.",
        ),
        _observe_facts_told,
        share,
    ),
    Measure(
        FigureText(
            "first_sentence_answers",
            "narratives whose first sentence answers",
            "Narratives that begin with a verdict, or with an expected entity or a word of the "
            "question and go on with a detail of a must-mention fact; for locate, with a target.",
            goal=Goal("at least", 0.90),
        ),
        _observe_first_sentence,
        share,
    ),
    Measure(
        FigureText(
            "narrative_length_kept",
            f"narratives of {_SHORTEST} to {_LONGEST} words",
            f"Narratives of {_SHORTEST} to {_LONGEST} words.",
            goal=Goal("at least", 0.95),
        ),
        _observe_length_kept,
        share,
    ),
    Measure(
        FigureText(
            "narrative_words",
            "words of a narrative",
            "The mean number of words of a narrative.",
            unit="number",
        ),
        _observe_length,
        mean,
    ),
)
