"""Whether narratives answer at once, tell all facts, and have the length of an answer."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.trust_card.entity_names import called_by, qualified_name
from goldwright.trust_card.estimates import mean, share
from goldwright.trust_card.material import AnsweredQuery, CardMaterial
from goldwright.trust_card.measure import FigureGoal, FigureMeasure, FigureText, Observation
from goldwright.trust_card.prose.sentences import code_marks, sentences, without_code_marks
from goldwright.trust_card.prose.words import content_words
from goldwright.trust_card.told_facts import holds_mark, is_told

_SHORTEST: Final = 80
_LONGEST: Final = 250
# So many words of a sentence are its beginning.
_BEGINNING: Final = 8
# A sentence and a fact without code marks share an idea where they share this many content words.
_FEWEST_SHARED: Final = 2
_PATH: Final = re.compile(r"[\w./-]+\.\w+")
_VERDICT: Final = re.compile(
    r"^(?:yes|no|not|never|nobody|nothing|none|only|both|neither|either|all|every|each|it depends|"
    r"partly|mostly|almost|usually|sometimes|one|two|three|four|five|six|seven|\d+)\b",
    re.IGNORECASE,
)


def _observe_told(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        untold = [fact.text for fact in record.facts if not is_told(fact.text, record)]
        problem = ""
        if untold:
            problem = f"does not tell: {untold[0]}"
        yield Observation.of_merit(record.query_id, problem)


def _observe_facts_told(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        for fact in record.facts:
            is_fact_told = is_told(fact.text, record)
            yield Observation(record.query_id, float(is_fact_told))


def _observe_length(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        length = len(record.narrative.split())
        yield Observation(record.query_id, float(length))


def _observe_length_kept(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        length = len(record.narrative.split())
        problem = ""
        if not _SHORTEST <= length <= _LONGEST:
            problem = f"has {length} words"
        yield Observation.of_merit(record.query_id, problem)


def _observe_first_sentence(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        narrative_sentences = sentences(record.prose)
        first_sentence = "".join(narrative_sentences[:1])
        problem = ""
        if not _answers(first_sentence, record):
            problem = f"begins: {first_sentence}"
        yield Observation.of_merit(record.query_id, problem)


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
    question_words = set(content_words(record.query))
    return not question_words.isdisjoint(content_words(beginning))


def _holds_name(text: str, entity_id: str) -> bool:
    return holds_mark(text, qualified_name(entity_id))


def _shares_detail(sentence: str, record: AnsweredQuery) -> bool:
    """Whether a sentence tells more of a fact than the names of expected entities and files."""
    details = _details(sentence, record)
    prose = _PATH.sub(" ", without_code_marks(sentence))
    sentence_words = set(content_words(prose))
    for fact in record.facts:
        fact_details = _details(fact.text, record)
        if details & fact_details or _names_all(sentence, fact.text, record):
            return True
        fact_words = set(content_words(without_code_marks(fact.text)))
        # A fact with code marks is recognised by them, or not at all.
        if not fact_details and len(fact_words & sentence_words) >= _FEWEST_SHARED:
            return True
    return False


def _names_all(sentence: str, fact: str, record: AnsweredQuery) -> bool:
    """Whether a sentence names all expected entities that a fact relates, two at least."""
    related = {mark for mark in code_marks(fact) if called_by(mark, record.entity_ids)}
    has_several = len(related) > 1
    return has_several and all(holds_mark(sentence, mark) for mark in related)


def _details(text: str, record: AnsweredQuery) -> set[str]:
    """The code marks that name no expected entity."""
    marks = code_marks(text)
    return {mark for mark in marks if not called_by(mark, record.entity_ids)}


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "narratives_tell_all_facts",
            "narratives that tell every must-mention fact",
            "Narratives in which the code marks of every fact, and most words of its quotations, "
            'stand in one sentence or in two that follow one another, with what "otherwise" or '
            '"the same conditions" refer to; names of expected entities may stand anywhere.',
            goal=FigureGoal("at least", 0.95),
        ),
        _observe_told,
        share,
    ),
    FigureMeasure(
        FigureText(
            "facts_told",
            "must-mention facts that the narrative tells",
            "The same for single facts.",
        ),
        _observe_facts_told,
        share,
    ),
    FigureMeasure(
        FigureText(
            "first_sentence_answers",
            "narratives that open with a verdict or a fact",
            "Narratives that begin with a verdict, or with an expected entity or a word of the "
            "question and go on with a detail of a must-mention fact; for locate, with a target.",
            goal=FigureGoal("at least", 0.90),
        ),
        _observe_first_sentence,
        share,
    ),
    FigureMeasure(
        FigureText(
            "narrative_length_kept",
            f"narratives of {_SHORTEST} to {_LONGEST} words",
            f"Narratives of {_SHORTEST} to {_LONGEST} words.",
            goal=FigureGoal("at least", 0.95),
        ),
        _observe_length_kept,
        share,
    ),
    FigureMeasure(
        FigureText(
            "narrative_words",
            "words of a narrative with its code",
            "The mean number of words of a narrative, the code that it quotes included.",
            unit="number",
        ),
        _observe_length,
        mean,
    ),
)
