"""Ideas for general: subjects that a question can name without saying what it wants."""

from collections.abc import Iterator

from goldwright.offline_agents.author.context import AuthorContext, QueryIdea, action_slots
from goldwright.offline_agents.author.file_notes import ClassNotes, FunctionNotes
from goldwright.offline_agents.author.finders.class_families import families, is_failure
from goldwright.offline_agents.author.finders.explain import substantial_callees
from goldwright.offline_agents.author.finders.extend import family_slots
from goldwright.offline_agents.author.synonyms import paraphrased
from goldwright.plan import Cell


def find_general(ground: AuthorContext) -> Iterator[QueryIdea]:
    """Yield ideas of all three difficulties."""
    for notes in ground.survey.classes.values():
        yield from _class_topics(ground, notes)
    for function in ground.spoken:
        yield from _doings(ground, function)
    for family in families(ground):
        shuffled = sorted(family.members, key=lambda one: ground.jitter("member", one.entity_id))
        members = list({one.path: one for one in shuffled}.values())[:3]
        targets = (family.base.entity_id, *(one.entity_id for one in members))
        if len(targets) >= 3 and ground.files(targets) >= 2:
            yield QueryIdea(
                Cell("general", "hard"),
                "general_family",
                targets,
                family_slots(ground, family, with_examples=False),
                1.0 + ground.jitter("general", *targets),
                f"the question may mean the base class or any of its kinds, which stand in {ground.files(targets)} "
                "files",
            )


def _class_topics(ground: AuthorContext, notes: ClassNotes) -> Iterator[QueryIdea]:
    topic = ground.survey.topic_of(notes)
    if (
        topic is None
        or len(topic.split()) < 2
        or notes.lines < 25
        or "." in notes.name
        or notes.name.startswith("_")
    ):
        return
    if (
        is_failure(notes)
        or notes.name.endswith("Mixin")
        or not ground.survey.speller.is_noun(topic.split()[-1])
    ):
        return
    score = (
        bool(notes.docstring)
        + ground.jitter("topic", notes.entity_id)
        + min(len(notes.methods), 10) / 10
    )
    slots = {"topic": topic}
    yield QueryIdea(Cell("general", "easy"), "general_topic", (notes.entity_id,), slots, score)
    near = [
        one for one in ground.snapshot.graph.bases(notes.entity_id) if one in ground.survey.classes
    ]
    if near:
        why = f"part of what {notes.name} does stands in the class it is built on"
        yield QueryIdea(
            Cell("general", "medium"),
            "general_topic",
            (notes.entity_id, *near[:2]),
            slots,
            score,
            why,
        )


def _doings(ground: AuthorContext, notes: FunctionNotes) -> Iterator[QueryIdea]:
    action = ground.action(notes.entity_id)
    if action is None or not notes.is_public or notes.statements < 6:
        return
    helpers = substantial_callees(ground, notes.entity_id)
    said = paraphrased(action, salt=ground.salt(notes.entity_id), nouns=1)
    score = ground.jitter("doing", notes.entity_id) + ground.is_documented(notes.entity_id)
    yield QueryIdea(
        Cell("general", "easy"),
        "general_doing",
        (notes.entity_id,),
        action_slots(action),
        score - 0.5,
    )
    if helpers:
        why = f"half of the answer stands in {ground.notes(helpers[0]).simple_name}, one call away"
        yield QueryIdea(
            Cell("general", "medium"),
            "general_doing",
            (notes.entity_id, *helpers[:2]),
            action_slots(said),
            score,
            why,
        )
    targets = (notes.entity_id, *helpers[:3])
    if len(targets) >= 3 and ground.files(targets) >= 2:
        why = f"the work is spread over {ground.files(targets)} files and {len(targets)} functions"
        yield QueryIdea(
            Cell("general", "hard"), "general_doing", targets, action_slots(said), score + 0.3, why
        )
