"""Which question goes to which cell: without collisions, spread over kinds and files."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from goldwright.offline_agents.answers.answer_writing import can_be_answered, reading_cost_of
from goldwright.offline_agents.code_context import CodeContext, path_of
from goldwright.offline_agents.inquiries.inquiry import Question
from goldwright.offline_agents.questions.question_supply import QuestionSupply
from goldwright.offline_agents.questions.question_wording import QuestionWording, WordedQuestion
from goldwright.offline_agents.questions.shortfall import Outcome, Shortfall
from goldwright.offline_agents.questions.tier_ranks import fits, is_late, misfit_of, rank_of
from goldwright.offline_agents.survey.codebase_survey import CodebaseSurvey
from goldwright.plan import Cell
from goldwright.records import (
    CandidateDraft,
    Difficulty,
    Intent,
    IntentKind,
    QueryCandidate,
    TaskType,
)
from goldwright.snapshot.file_guard import guarded


@dataclass(frozen=True, slots=True)
class Deal:
    """What a cell got.

    Attributes:
        drafts: Its queries.
        shortfall: Why there are no more; None where there are as many as it asked for.
    """

    drafts: tuple[CandidateDraft, ...]
    shortfall: Shortfall | None


Dealt = Mapping[Cell, Deal]
# The misfit of a wording, its text, and the wording.
_Option: TypeAlias = tuple[float, str, WordedQuestion]

# The screen's own limit: a query shares at most half of its targets with another one.
LARGEST_OVERLAP: Final = 0.5
MOST_USES_OF_A_TARGET: Final = 3
# What another question of the same file or kind costs, on the scale of scores.
CROWDED_FILE: Final = 0.3
CROWDED_KIND: Final = 0.15
# What it costs to turn on an entity again that another question turns on: who finds it once has
# found the other answer, too.
CROWDED_SUBJECT: Final = 0.15
# What a documented subject costs while documented code is asked about more often than there is of
# it: a search of docstrings would look better on such a dataset than it is.
DOCUMENTED: Final = 0.5
# No kind makes more than this share of a cell or of the batch, as long as others can.
LARGEST_KIND_SHARE: Final = 0.5
LARGEST_KIND_SHARE_OF_BATCH: Final = 0.2
# These all ask where an error goes: two of them about one error are one question asked twice.
_WHERE_IT_GOES: Final[frozenset[IntentKind]] = frozenset(
    {"raise_condition", "caller_coping", "error_translation"}
)
# Kinds whose details are questions of their own: what calls hand over, what becomes of the result,
# and when they are made have little in common.
_SEVERAL_SORTS: Final[frozenset[IntentKind]] = frozenset({"callers"})
# What a kind beyond its share costs: any other kind that is worth asking is better, and one that is
# asked because nothing else was left is not.
BEYOND_SHARE: Final = 0.5
# What it costs, in doublings of ranks, to ask what nobody would: a good question of a neighbouring
# tier is better than one of the right tier that is asked for want of anything else.
POINTLESS: Final = 8.0
# So many questions are compared for one place, each by a few searches: hard ones are rare.
COMPARED: Final[Mapping[Difficulty, int]] = {"easy": 4, "medium": 6, "hard": 10}
# However hard an answer is to read, it is nearer than one that is not of its tier.
MOST_READING_COST: Final = 4.0
# Hard ones are few among many that a search finds at once, so more of these are looked at.
MOST_LOOKED_AT: Final[Mapping[Difficulty, int]] = {"easy": 40, "medium": 40, "hard": 120}
# In hard cells most ideas fail for their tier, so these choose first when choice is scarce.
PLENTY: Final = 4.0


@dataclass
class TakenTargets:
    """What queries are about already.

    Attributes:
        places: The places of the cells in the order in which the screen sees their drafts.
        sets: The targets of each query, with the place of its cell; -1 for one that was accepted.
    """

    places: Mapping[Cell, int]
    sets: list[tuple[int, frozenset[str]]] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    subjects: Counter[tuple[TaskType, str]] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)
    uses: Counter[str] = field(default_factory=Counter)
    errors: set[tuple[str, int]] = field(default_factory=set)
    turned_on: Counter[str] = field(default_factory=Counter)
    asked: set[tuple[Cell, IntentKind, str, int]] = field(default_factory=set)
    counted: set[tuple[Cell, IntentKind, str, int]] = field(default_factory=set)
    documented: int = 0

    def take_accepted(self, candidate: QueryCandidate, code: CodeContext) -> None:
        """Note a query of an earlier round."""
        if candidate.intent is not None:
            self._take_intent(candidate.intent)
            cell = Cell(candidate.task_type, candidate.difficulty)
            self.asked.add(_identity(cell, candidate.intent))
        self._take(-1, candidate.task_type, candidate.target_entity_ids, code)

    def take(self, question: Question, code: CodeContext) -> None:
        """Note a query of this round."""
        self._take_intent(question.intent)
        place = self.places[question.cell]
        self._take(place, question.cell.task_type, question.targets, code)

    def _take_intent(self, intent: Intent) -> None:
        self.kinds[_sort_of(intent)] += 1
        self.turned_on[intent.subject] += 1
        if intent.kind in _WHERE_IT_GOES:
            self.errors.add((intent.subject, intent.lines.start))

    def _take(
        self, place: int, task_type: TaskType, targets: Sequence[str], code: CodeContext
    ) -> None:
        """Note the targets of a query, its subject first."""
        self.documented += code.is_documented(targets[0])
        self.sets.append((place, frozenset(targets)))
        self.subjects[task_type, targets[0]] += 1
        self.files[path_of(targets[0])] += 1
        self.uses.update(targets)

    def cost_of_docstring(self, question: Question, code: CodeContext) -> float:
        """What a question costs whose subject has a docstring where too many have one already."""
        has_too_many = self.documented > code.documented_share * len(self.sets)
        if has_too_many and code.is_documented(question.subject):
            return DOCUMENTED
        return 0.0

    def is_asked(self, question: Question) -> bool:
        """Find out whether it is a query of an earlier round itself."""
        return _identity(question.cell, question.intent) in self.asked

    def count_as_asked(self, question: Question) -> bool:
        """Count a query of an earlier round, once."""
        identity = _identity(question.cell, question.intent)
        is_first = identity not in self.counted
        self.counted.add(identity)
        return is_first

    def is_free(self, question: Question) -> bool:
        """Find out whether a question shares too much with another one."""
        if self.subjects[question.cell.task_type, question.subject]:
            return False
        intent = question.intent
        is_of_error = intent.kind in _WHERE_IT_GOES
        if is_of_error and (intent.subject, intent.lines.start) in self.errors:
            return False
        if any(self.uses[target] >= MOST_USES_OF_A_TARGET for target in question.targets):
            return False
        targets = frozenset(question.targets)
        own_place = self.places[question.cell]
        for place, broad_targets in self.sets:
            # The screen counts from the later of two: the narrow one may come before the broad one.
            sizes: list[int] = []
            if place <= own_place:
                sizes.append(len(targets))
            if place >= own_place:
                sizes.append(len(broad_targets))
            if len(targets & broad_targets) > LARGEST_OVERLAP * min(sizes):
                return False
        return True


@dataclass
class _CellShare:
    cell: Cell
    count: int
    supply: QuestionSupply
    drafts: list[tuple[float, CandidateDraft]] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def open_questions(self) -> list[Question]:
        return self.supply.open_questions[self.cell]

    @property
    def is_hungry(self) -> bool:
        is_supplied = bool(self.open_questions) or not self.supply.is_exhausted(self.cell)
        return len(self.drafts) < self.count and is_supplied

    def deal(self) -> Deal:
        is_short = len(self.drafts) < self.count
        shortfall = self.supply.shortfall(self.cell) if is_short else None
        # A cell takes its records in this order: what fits the tier least is the reserve.
        best_first = sorted(self.drafts, key=lambda pair: pair[0])
        return Deal(tuple(draft for _, draft in best_first), shortfall)

    def urgency(self) -> tuple[bool, float, float, str]:
        """Cells with little choice come first, of those the emptiest, and of those the poorest."""
        subjects = {question.subject for question in self.open_questions}
        choice = len(subjects) / self.count
        fullness = len(self.drafts) / self.count
        return choice >= PLENTY, fullness, choice, str(self.cell)

    def value(
        self, question: Question, used_targets: TakenTargets, batch_size: int
    ) -> tuple[float, str]:
        kind = _sort_of(question.intent)
        path = path_of(question.subject)
        crowded = CROWDED_FILE * used_targets.files[path]
        crowded += CROWDED_KIND * self.kinds[kind]
        crowded += CROWDED_SUBJECT * used_targets.turned_on[question.intent.subject]
        if self.kinds[kind] >= LARGEST_KIND_SHARE * self.count:
            crowded += BEYOND_SHARE
        if used_targets.kinds[kind] >= LARGEST_KIND_SHARE_OF_BATCH * batch_size:
            crowded += BEYOND_SHARE
        return question.score - crowded, question.subject


def _sort_of(intent: Intent) -> str:
    """Tell what a query is counted as: its kind, or, for callers, what is asked about the calls."""
    if intent.kind in _SEVERAL_SORTS:
        return f"{intent.kind}: {intent.detail}"
    return intent.kind


def _identity(cell: Cell, intent: Intent) -> tuple[Cell, IntentKind, str, int]:
    return cell, intent.kind, intent.subject, intent.lines.start


def deal_questions(
    survey: CodebaseSurvey,
    code: CodeContext,
    asks: Sequence[tuple[Cell, int]],
    accepted: Sequence[QueryCandidate],
    *,
    seed: int,
    focus_area: str | None,
) -> Dealt:
    """Word the questions of every cell of a round."""
    asked_count = sum(count for _, count in asks)
    wording = QuestionWording(asked_count + len(accepted), seed)
    cells = [cell for cell, _ in asks]
    places = {cell: place for place, cell in enumerate(cells)}
    used_targets = TakenTargets(places)
    for candidate in accepted:
        accepted_cell = Cell(candidate.task_type, candidate.difficulty)
        wording.remember(accepted_cell, candidate.query_text)
        used_targets.take_accepted(candidate, code)
    open_asks = [(cell, count) for cell, count in asks if count > 0]
    supply = QuestionSupply(survey, code, open_asks, seed=seed, focus_area=focus_area)
    shares = [_CellShare(cell, count, supply) for cell, count in open_asks]
    while True:
        hungry = [share for share in shares if share.is_hungry]
        if not hungry:
            break
        _serve(min(hungry, key=_CellShare.urgency), wording, used_targets, code)
    # Queries of earlier rounds are asked, whether or not their leads were followed again.
    open_cells = {cell for cell, _ in open_asks}
    for cell, kind, *_ in used_targets.asked - used_targets.counted:
        if cell in open_cells:
            supply.note(cell, kind, "asked")
    nothing = {cell: Deal((), None) for cell in cells}
    return nothing | {share.cell: share.deal() for share in shares}


def _serve(
    share: _CellShare, wording: QuestionWording, used_targets: TakenTargets, code: CodeContext
) -> None:
    """Give one more question to a cell, or use its questions up.

    Of a few good questions the one is taken that is as hard to find as the tier says, and whose
    answer is read easily.
    """
    share.supply.refill(share.cell)
    choice: list[_Option] = []
    not_chosen: list[Question] = []
    fitting = 0
    while len(not_chosen) < MOST_LOOKED_AT[share.cell.difficulty]:
        if fitting >= COMPARED[share.cell.difficulty]:
            break
        if not share.open_questions and not fitting:
            # Before one is taken that is too easy or too hard, the other leads are followed.
            share.supply.refill(share.cell)
        if not share.open_questions:
            break

        def value(question: Question) -> tuple[float, str]:
            score, subject = share.value(question, used_targets, wording.size)
            return score - used_targets.cost_of_docstring(question, code), subject

        best = max(share.open_questions, key=value)
        share.open_questions.remove(best)
        outcome = _outcome(best, used_targets, code)
        ways = [] if outcome else _ways_to_word(best, wording, code)
        ranked = _ranked(ways, share.cell, code)
        if not ranked:
            lost = outcome or ("found late" if ways else "no wording")
            share.supply.note(share.cell, best.intent.kind, lost)
            continue
        not_chosen.append(best)
        fitting += any(fits(rank, share.cell) for rank, _ in ranked)
        cost_of_reading = min(reading_cost_of(best, code), MOST_READING_COST)
        cost = cost_of_reading + POINTLESS * (1 - best.score)
        choice.extend(_options(ranked, share.cell, cost))
    if choice:
        misfit, _, chosen = min(choice, key=lambda option: option[:2])
        chosen_question = chosen.question
        not_chosen.remove(chosen_question)
        share.open_questions.extend(not_chosen)
        share.drafts.append((misfit, wording.accept(chosen)))
        share.supply.note(share.cell, chosen_question.intent.kind, "asked")
        share.kinds[_sort_of(chosen_question.intent)] += 1
        used_targets.take(chosen_question, code)


def _ranked(
    ways: Sequence[WordedQuestion], cell: Cell, code: CodeContext
) -> list[tuple[int, WordedQuestion]]:
    """List the wordings that are not found late, each with its rank."""
    ranked: list[tuple[int, WordedQuestion]] = []
    for worded in ways:
        rank = rank_of(worded, cell, code)
        if not is_late(rank, cell):
            ranked.append((rank, worded))
    return ranked


def _options(
    ranked: Sequence[tuple[int, WordedQuestion]], cell: Cell, cost: float
) -> Iterator[_Option]:
    """Yield wordings of one question, each with how far it is from what is wanted."""
    for rank, worded in ranked:
        yield misfit_of(rank, cell) + cost, worded.text, worded


def _ways_to_word(
    question: Question, wording: QuestionWording, code: CodeContext
) -> list[WordedQuestion]:
    def word() -> list[WordedQuestion]:
        return list(wording.propose(question, code.snapshot))

    path = path_of(question.subject)
    return guarded(code.snapshot, path, "wording a question", word, [])


def _outcome(question: Question, used_targets: TakenTargets, code: CodeContext) -> Outcome | None:
    """Say why a question cannot be asked; None where it can."""
    if used_targets.is_asked(question):
        # Of several questions on the same lines, one was.
        return "asked" if used_targets.count_as_asked(question) else "overlap"
    if not used_targets.is_free(question):
        return "overlap"

    def answer() -> bool:
        return can_be_answered(question, code)

    path = path_of(question.subject)
    is_answered = guarded(code.snapshot, path, "answering a question", answer, otherwise=False)
    # A target may lie in a file that was set aside since the question was made.
    target_paths = map(path_of, question.targets)
    are_readable = all(target_path not in code.snapshot.unparsed for target_path in target_paths)
    return None if is_answered and are_readable else "no answer"
