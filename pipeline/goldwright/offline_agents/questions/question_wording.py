"""The choice of words for a question: fresh ones, and none that gives the target away."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from goldwright.code_reading.docstrings import content_words, docstring_of
from goldwright.code_reading.messages import GAP
from goldwright.offline_agents.code_context import name_of
from goldwright.offline_agents.inquiries.inquiry import Question
from goldwright.offline_agents.questions.remembered_words import remembered_pieces
from goldwright.offline_agents.questions.stable_choice import number
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, opening
from goldwright.snapshot import Snapshot
from goldwright.snapshot.identifier_leaks import leaked_identifiers, split_identifiers
from goldwright.snapshot.product_code import is_product_code
from goldwright.task_types import definition_of

FEWEST_WORDS: Final = 5
MOST_WORDS: Final = 40
# Half of what the screen allows for the whole batch, so that a top-up round finds room.
SAME_OPENING_IN_CELL: Final = 2
SAME_OPENING_IN_BATCH: Final = 5
SAME_FIRST_WORD_SHARE: Final = 0.12
# Below the screen's own limit of 0.8.
NEAR_REPEAT: Final = 0.66
# The screen's own limits for words that stand in the docstring of a target.
FEWEST_SHARED: Final = 3
LARGEST_DOCSTRING_SHARE: Final = 0.6

# What is quoted from the code stands in this slot of phrasings.
MESSAGE_SLOT: Final = "message"
_SLOT: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class WordedQuestion:
    """A question in words.

    Attributes:
        question: The question.
        phrasing: The phrasing that was filled.
        text: The query.
    """

    question: Question
    phrasing: str
    text: str


@dataclass
class QuestionWording:
    """The words used so far in a batch.

    Attributes:
        size: How many queries the batch will hold.
        seed: Makes the choice among phrasings that are equally fresh.
    """

    size: int
    seed: int
    first_words: Counter[str] = field(default_factory=Counter)
    openings: Counter[tuple[str, ...]] = field(default_factory=Counter)
    cell_openings: Counter[tuple[Cell, tuple[str, ...]]] = field(default_factory=Counter)
    phrasings: Counter[str] = field(default_factory=Counter)
    word_sets: list[frozenset[str]] = field(default_factory=list)

    def remember(self, cell: Cell, text: str) -> None:
        """Count a query that exists already."""
        first_words = opening(text)
        self.first_words[first_words[0] if first_words else ""] += 1
        self.openings[first_words] += 1
        self.cell_openings[cell, first_words] += 1
        self.word_sets.append(_words(text))

    def propose(self, question: Question, snapshot: Snapshot) -> Iterator[WordedQuestion]:
        """Word a question, in the freshest phrasing that passes; nothing is counted yet.

        One that quotes a message is yielded with the whole of it and, unless it is to be easy, with
        pieces of it.
        """
        for slots in _slot_choices(question, snapshot):
            for phrasing, text in self._by_freshness(question, slots):
                if not self._passes(question, text) or _has_namesake(question, text, snapshot):
                    continue
                if not _repeats_docstring(question, text, snapshot):
                    yield WordedQuestion(question, phrasing, text)
                    break

    def accept(self, worded: WordedQuestion) -> CandidateDraft:
        """Count a worded question, and make a draft of it."""
        self.phrasings[worded.phrasing] += 1
        self.remember(worded.question.cell, worded.text)
        return CandidateDraft(
            query_text=worded.text,
            target_entity_ids=worded.question.targets,
            difficulty_rationale=worded.question.rationale,
            classifier_expectation=worded.question.expectation,
            intent=worded.question.intent,
        )

    def _by_freshness(self, question: Question, slots: Mapping[str, str]) -> list[tuple[str, str]]:
        def wear(pair: tuple[str, str]) -> tuple[int, int, int]:
            phrasing, text = pair
            first_words = opening(text)
            in_cell = self.cell_openings[question.cell, first_words]
            used = 2 * self.phrasings[phrasing] + self.openings[first_words] + 2 * in_cell
            same_start = self.first_words[first_words[0]] // 2
            place_among_equals = number(str(self.seed), question.subject, phrasing)
            return used, same_start, place_among_equals

        return sorted(_filled(question.phrasings, slots), key=wear)

    def _passes(self, question: Question, text: str) -> bool:
        first_words = opening(text)
        if self.cell_openings[question.cell, first_words] >= SAME_OPENING_IN_CELL:
            return False
        if self.openings[first_words] >= SAME_OPENING_IN_BATCH:
            return False
        most_of_one_word = max(3, SAME_FIRST_WORD_SHARE * self.size)
        if self.first_words[first_words[0]] + 1 > most_of_one_word:
            return False
        if not FEWEST_WORDS <= len(text.split()) <= MOST_WORDS:
            return False
        if not _may_name_target(question.cell):
            leaked = leaked_identifiers(text, question.targets)
            if leaked or split_identifiers(text, question.targets):
                return False
        return not self._has_near_repeat(text)

    def _has_near_repeat(self, text: str) -> bool:
        """Find out whether an earlier question has nearly the same words."""
        words = _words(text)
        for earlier_words in self.word_sets:
            shared_words = words & earlier_words
            if len(shared_words) / len(words | earlier_words) >= NEAR_REPEAT:
                return True
        return False


def _has_namesake(question: Question, text: str, snapshot: Snapshot) -> bool:
    """Find out whether a question names its subject, and as well describes another definition."""
    name = name_of(question.subject)
    if f"`{name}`" not in text:
        return False
    simple_name = name.rpartition(".")[2]
    entities = snapshot.named(simple_name)
    namesakes = (entity for entity in entities if name_of(entity.entity_id) == name)
    further_entities = (entity for entity in namesakes if entity.entity_id not in question.targets)
    return any(is_product_code(snapshot, entity.path) for entity in further_entities)


def _repeats_docstring(question: Question, text: str, snapshot: Snapshot) -> bool:
    """Find out whether too many words of a question stand in the docstring of a target."""
    words = content_words(text)
    for target in question.targets:
        shared = words & content_words(docstring_of(snapshot, target))
        if len(shared) >= FEWEST_SHARED and len(shared) > LARGEST_DOCSTRING_SHARE * len(words):
            return True
    return False


def _may_name_target(cell: Cell) -> bool:
    is_allowed = definition_of(cell.task_type).may_name_target_when_easy
    return cell.difficulty == "easy" and is_allowed


def _slot_choices(question: Question, snapshot: Snapshot) -> Iterator[Mapping[str, str]]:
    yield question.slots
    message = question.slots.get(MESSAGE_SLOT)
    if message is None or question.cell.difficulty == "easy":
        return
    for piece in remembered_pieces(message, question.targets, snapshot):
        before = f"{GAP} " if message.startswith(GAP) else ""
        behind = "" if message.endswith(piece) else GAP
        piece_with_gaps = f"{before}{piece}{behind}"
        yield {**question.slots, MESSAGE_SLOT: piece_with_gaps}


def _filled(phrasings: Iterable[str], slots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for phrasing in phrasings:
        text = _SLOT.sub(lambda match: _value(slots, match[1]), phrasing)
        # A slot may end a sentence by itself.
        text = re.sub(r"([.!?])\1+", r"\1", text)
        yield phrasing, _with_capital(text)


def _value(slots: Mapping[str, str], slot: str) -> str:
    value = slots[slot.lower()]
    return _with_capital(value) if slot[0].isupper() else value


def _with_capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))
