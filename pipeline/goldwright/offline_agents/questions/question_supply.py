"""Questions drawn from leads: a few of every kind at first, more of them for cells that lack some.

Of a large codebase only a part of the leads is ever followed. Nothing is lacking before all leads
were.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from goldwright.code_reading.target_tiers import tier_objection
from goldwright.offline_agents.code_context import CodeContext, path_of
from goldwright.offline_agents.inquiries.catalog import BY_KIND
from goldwright.offline_agents.inquiries.inquiry import Lead, Question
from goldwright.offline_agents.questions.shortfall import Outcome, Shortfall
from goldwright.offline_agents.questions.stable_choice import number
from goldwright.offline_agents.survey.codebase_survey import CodebaseSurvey
from goldwright.plan import Cell
from goldwright.snapshot import Snapshot
from goldwright.snapshot.file_guard import guarded
from goldwright.snapshot.file_names import is_told_by_file_name
from goldwright.task_types import definition_of

_QuestionsByCell: TypeAlias = dict[Cell, list[Question]]

# So many questions of a kind are choice enough for a cell, however large the codebase is: these,
# and so many for each that is asked for.
ENOUGH_OF_A_KIND: Final = 8
ENOUGH_FOR_EACH: Final = 4
# So many leads of a kind are followed at first, and then at a time while a cell lacks questions.
FIRST_LEADS: Final = 150
NEXT_LEADS: Final = 100


@dataclass
class _Stream:
    """The leads of one kind, shuffled.

    Attributes:
        leads: The leads.
        followed: The places of those that were followed.
        next_places: For each cell that lacked questions, the place of the first lead that was
            not looked at for it; all in front of that were followed, or cannot help it.
        counts: How many questions they gave, by cell.
    """

    leads: Sequence[Lead]
    followed: set[int] = field(default_factory=set)
    next_places: Counter[Cell | None] = field(default_factory=Counter)
    counts: Counter[Cell] = field(default_factory=Counter)

    def is_exhausted(self, cell: Cell) -> bool:
        is_at_end = self.next_places[cell] >= len(self.leads)
        return is_at_end or len(self.followed) >= len(self.leads)

    def looked_at(self, cell: Cell) -> int:
        """Count the leads that were followed, or were seen to be of no help to a cell."""
        places = range(self.next_places[cell])
        ruled_out = set(places) - self.followed
        return len(self.followed) + len(ruled_out)

    def is_open_for(self, cell: Cell, place: int, needed: Cell | None) -> bool:
        """Find out whether a lead has not been looked at for a cell before."""
        return cell == needed or self.next_places[cell] <= place


class QuestionSupply:
    """The questions of a codebase, cell by cell, as far as they were needed so far.

    Attributes:
        open_questions: The questions that nobody has taken or refused, by cell.
    """

    def __init__(
        self,
        survey: CodebaseSurvey,
        code: CodeContext,
        asks: Sequence[tuple[Cell, int]],
        *,
        seed: int,
        focus_area: str | None,
    ) -> None:
        """Follow the first leads of every kind that the cells can use.

        Args:
            survey: The leads.
            code: The codebase.
            asks: The cells, each with the number of questions that it asks for.
            seed: Shuffles the leads.
            focus_area: How the paths begin that questions may be about; None for all paths.
        """
        self._files = survey.files
        self._code = code
        self._enough = {cell: ENOUGH_OF_A_KIND + ENOUGH_FOR_EACH * count for cell, count in asks}
        self._streams: dict[str, _Stream] = {}
        self._outcomes: dict[Cell, dict[str, Counter[Outcome]]] = {cell: {} for cell, _ in asks}
        self.open_questions: _QuestionsByCell = {cell: [] for cell, _ in asks}
        beginning = focus_area or ""
        for kind, leads in survey.leads.items():
            in_focus = [lead for lead in leads if lead.subject.startswith(beginning)]
            self._streams[kind] = _Stream(_shuffled(in_focus, seed))
            self._follow(kind, FIRST_LEADS)

    def refill(self, cell: Cell) -> None:
        """Follow more leads until there is a question for a cell, or no lead is left."""
        while not self.open_questions[cell] and not self.is_exhausted(cell):
            for kind in self._kinds_for(cell):
                self._follow(kind, NEXT_LEADS, needed=cell)

    def is_exhausted(self, cell: Cell) -> bool:
        """Find out whether every lead was followed that could give a question for a cell."""
        streams = (self._streams[kind] for kind in self._kinds_for(cell))
        return all(stream.is_exhausted(cell) for stream in streams)

    def note(self, cell: Cell, kind: str, outcome: Outcome) -> None:
        """Note what became of a lead or question of a kind."""
        outcomes = self._outcomes[cell].setdefault(kind, Counter())
        outcomes[outcome] += 1

    def shortfall(self, cell: Cell) -> Shortfall:
        """Say what was looked at for a cell, and what became of it."""
        leads = {kind: self._streams[kind].looked_at(cell) for kind in self._kinds_for(cell)}
        return Shortfall(self._files, leads, self._outcomes[cell])

    def _kinds_for(self, cell: Cell) -> Iterator[str]:
        return (kind for kind in self._streams if cell in BY_KIND[kind].cells)

    def _follow(self, kind: str, most: int, *, needed: Cell | None = None) -> None:
        stream = self._streams[kind]
        inquiry = BY_KIND[kind]
        cells = [cell for cell in inquiry.cells if cell in self._enough]
        followed = 0
        while followed < most and stream.next_places[needed] < len(stream.leads):
            is_enough = all(stream.counts[cell] >= self._enough[cell] for cell in cells)
            if is_enough and needed is None:
                return
            place = stream.next_places[needed]
            stream.next_places[needed] += 1
            if place in stream.followed:
                continue
            lead = stream.leads[place]
            if needed is not None and not inquiry.may_serve(lead, needed, self._code):
                self.note(needed, kind, "no question")
                continue
            followed += 1
            stream.followed.add(place)
            if path_of(lead.subject) not in self._code.snapshot.unparsed:
                # Cells that it was found to be of no help to have counted it already.
                open_cells = [cell for cell in cells if stream.is_open_for(cell, place, needed)]
                self._add_questions(lead, open_cells, stream.counts, needed)

    def _add_questions(
        self, lead: Lead, cells: Sequence[Cell], counts: Counter[Cell], needed: Cell | None
    ) -> None:
        questions: _QuestionsByCell = {cell: [] for cell in cells}
        for question in self._questions(lead):
            if question.cell in questions:
                questions[question.cell].append(question)
        for cell, of_cell in questions.items():
            fitting, outcome = self._fitting(of_cell)
            if outcome is not None:
                self.note(cell, lead.kind, outcome)
            for question in fitting:
                if cell == needed or counts[cell] < self._enough[cell]:
                    self.open_questions[cell].append(question)
                    counts[cell] += 1

    def _fitting(self, questions: Sequence[Question]) -> tuple[list[Question], Outcome | None]:
        """Choose the questions of a lead that a cell can take, or say why there are none."""
        snapshot = self._code.snapshot
        of_size = [question for question in questions if fits_tier(question, snapshot)]
        fitting = [question for question in of_size if not is_told_by_files(question, snapshot)]
        if not questions:
            return [], "no question"
        if not of_size:
            return [], "wrong size"
        return fitting, None if fitting else "told by file"

    def _questions(self, lead: Lead) -> Sequence[Question]:
        def ask() -> tuple[Question, ...]:
            inquiry = BY_KIND[lead.kind]
            return tuple(inquiry.questions(lead, self._code))

        path = path_of(lead.subject)
        return guarded(self._code.snapshot, path, "asking about it", ask, ())


def _shuffled(leads: Sequence[Lead], seed: int) -> list[Lead]:
    def place(lead: Lead) -> int:
        return number(str(seed), lead.kind, lead.subject, str(lead.first))

    return sorted(leads, key=place)


def fits_tier(question: Question, snapshot: Snapshot) -> bool:
    """Find out whether the targets are what the tier of the cell asks for."""
    entities = [snapshot.entity(target) for target in question.targets]
    readable_entities = [entity for entity in entities if entity is not None]
    if len(readable_entities) < len(entities) or len(set(question.targets)) < len(question.targets):
        return False
    # What is asked about and not asked for stands in the question.
    asked = question.intent.subject
    named = () if asked in question.targets else (asked,)
    return tier_objection(question.cell, readable_entities, snapshot, named) is None


def is_told_by_files(question: Question, snapshot: Snapshot) -> bool:
    """Find out whether the screen would refuse a question, since the list of files answers it."""
    if not definition_of(question.cell.task_type).hides_file_named_after_target:
        return False
    entities = [snapshot.entity(target) for target in question.targets]
    known_entities = [entity for entity in entities if entity is not None]
    return any(is_told_by_file_name(entity, snapshot) for entity in known_entities)
