"""Ideas for explain: a function's steps, a function with two of its helpers, a flow across modules."""

from collections.abc import Iterator
from typing import Final

from goldwright.offline_agents.author.actions import Action
from goldwright.offline_agents.author.context import (
    AuthorContext,
    QueryIdea,
    action_slots,
    overlaps,
)
from goldwright.offline_agents.author.file_notes import FunctionNotes
from goldwright.offline_agents.author.synonyms import paraphrased
from goldwright.plan import Cell
from goldwright.task_types.explain import EASY_MAX_LINES

SHORTEST: Final = 8
MUCH: Final = 5


def find_explain(ground: AuthorContext) -> Iterator[QueryIdea]:
    """Yield ideas of all three difficulties."""
    for notes in ground.spoken:
        action = ground.action(notes.entity_id)
        if action is None:
            continue
        if (
            notes.is_public
            and notes.lines >= SHORTEST
            and notes.span_lines <= EASY_MAX_LINES
            and notes.statements >= 6
        ):
            named = min(overlaps(action.content_words(), notes.name), 2)
            score = (
                2.0 * ground.is_documented(notes.entity_id)
                + named
                + ground.jitter("explain", notes.entity_id)
            )
            yield QueryIdea(
                Cell("explain", "easy"), "explain", (notes.entity_id,), action_slots(action), score
            )
        yield from _medium(ground, notes, action)
        yield from _hard(ground, notes, action)


def _medium(ground: AuthorContext, notes: FunctionNotes, action: Action) -> Iterator[QueryIdea]:
    helpers = substantial_callees(ground, notes.entity_id)
    if notes.statements < 4 or (
        len(helpers) < 2 and not any(ground.notes(one).statements >= MUCH for one in helpers)
    ):
        return
    chosen = sorted(helpers, key=lambda one: (-ground.notes(one).statements, one))[:2]
    ordered = tuple(one for one in helpers if one in chosen)
    said = paraphrased(action, salt=ground.salt(notes.entity_id), nouns=2)
    names = " and ".join(ground.notes(one).simple_name for one in ordered)
    yield QueryIdea(
        Cell("explain", "medium"),
        "explain",
        (notes.entity_id, *ordered),
        action_slots(said),
        notes.is_public
        + len(ordered)
        - 2
        + 0.5 * ground.is_documented(notes.entity_id)
        + ground.jitter("steps", notes.entity_id),
        f"one hop down the call graph: {notes.simple_name} leaves part of the work to {names}",
    )


def _hard(ground: AuthorContext, notes: FunctionNotes, action: Action) -> Iterator[QueryIdea]:
    best: tuple[float, tuple[str, ...]] | None = None
    for mid in substantial_callees(ground, notes.entity_id):
        for far in substantial_callees(ground, mid):
            chain: tuple[str, ...] = (notes.entity_id, mid, far)
            if far == notes.entity_id or ground.files(chain) < 2:
                continue
            score = (
                ground.files(chain)
                + (ground.action(far) is not None)
                + ground.jitter("chain", *chain)
            )
            best = max(best, (score, chain)) if best else (score, chain)
    if best is None:
        return
    score, chain = best
    files = ground.files(chain)
    said = paraphrased(action, salt=ground.salt(notes.entity_id), nouns=2)
    yield QueryIdea(
        Cell("explain", "hard"),
        "explain_flow",
        chain,
        action_slots(said) | _far_slots(ground, chain[-1], said),
        score + notes.is_public,
        f"two hops over {files} files: {' -> '.join(ground.notes(one).simple_name for one in chain)}",
    )


def _far_slots(ground: AuthorContext, far: str, near: Action) -> dict[str, str]:
    action = ground.action(far)
    if (
        action is None
        or action.verb == near.verb
        or len(action.base.split()) + len(near.base.split()) > 16
    ):
        return {}
    return action_slots(paraphrased(action, salt=ground.salt(far), nouns=2), "2")


def substantial_callees(ground: AuthorContext, entity_id: str) -> list[str]:
    """The callees that do something of their own."""
    return [
        one
        for one in ground.callees(entity_id)
        if ground.notes(one).statements >= 2 and not ground.notes(one).simple_name.startswith("__")
    ]
