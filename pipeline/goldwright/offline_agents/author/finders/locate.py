"""Ideas for locate: one function by its words, one by its behaviour, or the pieces of a feature."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from goldwright.offline_agents.author.actions import Action
from goldwright.offline_agents.author.context import (
    AuthorContext,
    QueryIdea,
    action_slots,
    overlaps,
)
from goldwright.offline_agents.author.file_notes import FunctionNotes
from goldwright.offline_agents.author.synonyms import changes, paraphrased
from goldwright.plan import Cell


def find_locate(ground: AuthorContext) -> Iterator[QueryIdea]:
    """Yield ideas of all three difficulties."""
    for notes in ground.spoken:
        action = ground.action(notes.entity_id)
        if action is None or is_given_away(ground, notes):
            continue
        if notes.is_public:
            yield _easy(ground, notes, action)
        yield from _medium(ground, notes, action)
        yield from _hard(ground, notes, action)


def _easy(ground: AuthorContext, notes: FunctionNotes, action: Action) -> QueryIdea:
    documented = ground.is_documented(notes.entity_id)
    named = min(overlaps(action.content_words(), notes.name), 2)
    score = (
        2.0 * documented
        + named
        + min(notes.lines, 30) / 60
        + ground.jitter("locate", notes.entity_id)
    )
    return QueryIdea(
        Cell("locate", "easy"), "locate", (notes.entity_id,), action_slots(action), score
    )


def _medium(ground: AuthorContext, notes: FunctionNotes, action: Action) -> Iterator[QueryIdea]:
    told = action.content_words()
    for number, step in enumerate(ground.survey.comment_actions(notes)):
        new = step.content_words() - told
        if len(new) >= 2 and len(step.content_words()) >= 3 and len(step.base.split()) >= 5:
            said = paraphrased(step, salt=ground.salt(notes.entity_id), nouns=1)
            score = (
                2.0 + ground.jitter("comment", notes.entity_id, str(number)) + min(len(new), 4) / 4
            )
            yield QueryIdea(
                Cell("locate", "medium"),
                "locate",
                (notes.entity_id,),
                action_slots(said),
                score,
                f"the behaviour is a step inside {notes.simple_name} that neither its name nor its summary mentions",
            )
    said = paraphrased(action, salt=ground.salt(notes.entity_id), nouns=2)
    if changes(action, said) >= 2 and notes.statements >= 6:
        yield QueryIdea(
            Cell("locate", "medium"),
            "locate",
            (notes.entity_id,),
            action_slots(said),
            1.0 + ground.jitter("said", notes.entity_id),
            f"the query describes what {notes.simple_name} does in other words than its name and summary",
        )


def _hard(ground: AuthorContext, notes: FunctionNotes, action: Action) -> Iterator[QueryIdea]:
    partners = [
        one
        for one in ground.callees(notes.entity_id)
        if ground.path(one) != notes.path and ground.notes(one).statements >= 3
    ]
    if not partners or notes.statements < 5:
        return
    targets = (notes.entity_id, *partners[:2])
    said = paraphrased(action, salt=ground.salt(notes.entity_id), nouns=2)
    files = ground.files(targets)
    if files >= 2:
        yield QueryIdea(
            Cell("locate", "hard"),
            "locate_feature",
            targets,
            action_slots(said),
            files + ground.jitter("feature", notes.entity_id),
            f"one feature spread over {files} files: {notes.simple_name} relies on code in other modules",
        )


def is_given_away(ground: AuthorContext, notes: FunctionNotes) -> bool:
    """Tell whether a function belongs to the only public symbol of a file named after it."""
    top = notes.name.partition(".")[0]
    stem = PurePosixPath(notes.path).stem
    if stem.replace("_", "").lower() != top.replace("_", "").lower():
        return False
    defined = (
        one for one in ground.snapshot.entities_in(notes.path) if one.kind in {"class", "function"}
    )
    return {
        one.name for one in defined if "." not in one.name and not one.name.startswith("_")
    } <= {top}
