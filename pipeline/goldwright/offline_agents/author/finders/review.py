"""Ideas for review: a risky construct, the code that relies on it, a contract that several classes
must keep.
"""

from collections.abc import Iterator
from typing import Final

from goldwright.offline_agents.author.actions import Action
from goldwright.offline_agents.author.context import AuthorContext, QueryIdea, action_slots
from goldwright.offline_agents.author.file_notes import Concern, FunctionNotes, RiskNote
from goldwright.offline_agents.author.finders.class_families import Family, families
from goldwright.offline_agents.author.finders.extend import family_slots
from goldwright.offline_agents.author.identifier_words import words_of
from goldwright.offline_agents.author.inflection import has_article
from goldwright.offline_agents.author.synonyms import paraphrased
from goldwright.plan import Cell

PATTERNS: Final[dict[Concern, str]] = {
    "swallow": "review_swallow",
    "broad_except": "review_broad",
    "mutable_default": "review_default",
    "cache": "review_cache",
    "lock": "review_lock",
    "global_state": "review_shared",
    "class_state": "review_shared",
    "dynamic_code": "review_code",
    "unpickle": "review_unpickle",
    "shell": "review_shell",
    "unclosed": "review_unclosed",
}
WEIGHT: Final[dict[Concern, float]] = {
    "swallow": 1.0,
    "broad_except": 1.2,
    "mutable_default": 1.6,
    "cache": 1.3,
    "lock": 1.6,
    "global_state": 1.5,
    "class_state": 1.3,
    "dynamic_code": 1.5,
    "unpickle": 1.6,
    "shell": 1.6,
    "unclosed": 1.4,
}
INVARIANTS: Final = frozenset(PATTERNS) - {"dynamic_code", "shell"}


def find_review(ground: AuthorContext) -> Iterator[QueryIdea]:
    """Yield ideas of all three difficulties."""
    for notes in ground.spoken:
        action = ground.action(notes.entity_id)
        if action is None:
            continue
        for worry in {one.concern: one for one in notes.worries}.values():
            yield _alone(ground, notes, action, worry)
            yield from _relied_on(ground, notes, action, worry)
        yield from _raised_to(ground, notes, action)
    for family in families(ground):
        yield from _contract(ground, family)


def _alone(
    ground: AuthorContext, notes: FunctionNotes, action: Action, worry: RiskNote
) -> QueryIdea:
    score = WEIGHT[worry.concern] + ground.jitter("worry", notes.entity_id) + 0.5 * notes.is_public
    return QueryIdea(
        Cell("review", "easy"),
        PATTERNS[worry.concern],
        (notes.entity_id,),
        action_slots(action),
        score,
    )


def _relied_on(
    ground: AuthorContext, notes: FunctionNotes, action: Action, worry: RiskNote
) -> Iterator[QueryIdea]:
    callers = ground.callers(notes.entity_id)
    if not callers or worry.concern not in INVARIANTS:
        return
    ranked = sorted(
        callers,
        key=lambda one: (ground.action(one) is None, ground.jitter("relies", notes.entity_id, one)),
    )[:2]
    said = paraphrased(action, salt=ground.salt(notes.entity_id), nouns=2)
    names = " and ".join(ground.notes(one).simple_name for one in ranked)
    yield QueryIdea(
        Cell("review", "medium"),
        PATTERNS[worry.concern],
        (notes.entity_id, *ranked),
        action_slots(said),
        WEIGHT[worry.concern] + len(ranked) * 0.5 + ground.jitter("invariant", notes.entity_id),
        f"whether the invariant holds shows only in the callers of {notes.simple_name}: {names}",
    )


def _raised_to(ground: AuthorContext, notes: FunctionNotes, action: Action) -> Iterator[QueryIdea]:
    """A function that raises under a condition, and callers that have to cope with it."""
    kinds = sorted({one.kind for one in notes.failures if one.is_guarded})
    callers = ground.callers(notes.entity_id)
    if not kinds or not callers or notes.simple_name.startswith("__"):
        return
    ranked = sorted(
        callers,
        key=lambda one: (
            ground.path(one) == notes.path,
            ground.action(one) is None,
            ground.jitter("copes", notes.entity_id, one),
        ),
    )
    said = paraphrased(action, salt=ground.salt(notes.entity_id), nouns=2)
    slots = action_slots(said) | {"kind": f"{has_article(kinds[0])} {kinds[0]}", "Kind": kinds[0]}
    score = (
        ground.jitter("raised", notes.entity_id)
        + 0.5 * notes.is_public
        + 0.5 * (len(callers) > 1)
        - 0.5
    )
    near, far = (notes.entity_id, *ranked[:2]), (notes.entity_id, *ranked[:3])
    why = f"{notes.simple_name} raises {kinds[0]}; who copes shows only in its callers"
    yield QueryIdea(Cell("review", "medium"), "review_raised", near, slots, score, why)
    files = ground.files(far)
    if files >= 2 and len(far) >= 3:
        yield QueryIdea(
            Cell("review", "hard"),
            "review_raised",
            far,
            slots,
            score + 0.3 * files,
            f"{why}, which stand in {files} files",
        )


def _contract(ground: AuthorContext, family: Family) -> Iterator[QueryIdea]:
    members = [
        one for one in family.members if set(one.methods) & set(family.base.methods) - {"__init__"}
    ]
    elsewhere = [one for one in members if one.path != family.base.path]
    chosen = sorted(elsewhere, key=lambda one: ground.jitter("contract", one.entity_id))[:3]
    chosen += [one for one in members if one not in chosen][: max(0, 2 - len(chosen))]
    if not elsewhere or len(chosen) < 2:
        return
    shared = _shared_method(ground, family, [set(one.methods) for one in chosen])
    files = len({one.path for one in chosen} | {family.base.path})
    yield QueryIdea(
        Cell("review", "hard"),
        "review_contract" if shared else "review_contract_bare",
        (family.base.entity_id, *(one.entity_id for one in chosen)),
        family_slots(ground, family, with_examples=False)
        | (action_slots(shared) if shared else {}),
        files
        + 2.0 * (shared is not None)
        + bool(family.base.abstract_methods)
        + ground.jitter("contract", family.base.entity_id),
        f"the contract of {family.base.name} is kept or broken in {files} files by {len(chosen)} classes "
        "that do not know each other",
    )


def _shared_method(ground: AuthorContext, family: Family, methods: list[set[str]]) -> Action | None:
    common = set.intersection(set(family.base.methods), *methods)
    for name in sorted(
        common,
        key=lambda one: (one not in family.base.abstract_methods, ground.jitter("method", one)),
    ):
        told = ground.survey.told.get(f"{family.base.entity_id}.{name}")
        if (
            told is not None
            and not name.startswith("_")
            and len(words_of(name)) >= 1
            and len(told.action.base.split()) <= 9
        ):
            return told.action
    return None
