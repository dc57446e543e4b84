"""Ideas for extend: one more member of a family, one more option of a function that others rely on."""

from collections.abc import Iterator
from typing import Final

from goldwright.offline_agents.author.context import AuthorContext, QueryIdea, Slots, action_slots
from goldwright.offline_agents.author.file_notes import ClassNotes, FunctionNotes
from goldwright.offline_agents.author.finders.class_families import Family, families, hubs
from goldwright.offline_agents.author.inflection import indefinite, plural
from goldwright.offline_agents.author.synonyms import paraphrased
from goldwright.plan import Cell

MOST_MEMBERS: Final = 4
LAYERS: Final = 4
MOST_CHAINS: Final = 60


def find_extend(ground: AuthorContext) -> Iterator[QueryIdea]:
    """Yield ideas of all three difficulties."""
    for family in families(ground):
        yield from _one_file(ground, family)
        yield from _some_files(ground, family)
        yield from _many_files(ground, family)
    for notes in ground.spoken:
        yield from _layers(ground, notes)
        yield from _neighbours(ground, notes)
    for notes, callers in hubs(ground):
        yield from _ripples(ground, notes, callers)


def family_slots(ground: AuthorContext, family: Family, *, with_examples: bool) -> Slots:
    """Fill the slots a family is named with."""
    slots = {"noun": family.noun, "a_noun": indefinite(family.noun), "nouns": plural(family.noun)}
    examples = family.examples(ground)
    if with_examples and len(examples) >= 2:
        slots["examples"] = f"{examples[0]} and {examples[1]}"
        slots["example"] = examples[0]
    return slots


def _one_file(ground: AuthorContext, family: Family) -> Iterator[QueryIdea]:
    members = [one for one in family.members if one.path == family.base.path][:3]
    if len(members) >= 2:
        yield _idea(ground, family, members, Cell("extend", "easy"), None)


def _some_files(ground: AuthorContext, family: Family) -> Iterator[QueryIdea]:
    members = _spread(family, files=3)
    files = {one.path for one in members} | {family.base.path}
    if len(members) >= 2 and len(files) in {2, 3}:
        why = (
            f"the base class {family.base.name} and its {len(members)} examples stand in {len(files)} files "
            "that have to be read together"
        )
        yield _idea(ground, family, members, Cell("extend", "medium"), why)


def _many_files(ground: AuthorContext, family: Family) -> Iterator[QueryIdea]:
    members = _spread(family, files=6)
    files = {one.path for one in members} | {family.base.path}
    if len(files) >= 4:
        why = (
            f"the pattern of {family.base.name} is followed in {len(files)} files, none of which shows "
            "the whole contract"
        )
        yield _idea(ground, family, members, Cell("extend", "hard"), why)


def _spread(family: Family, *, files: int) -> list[ClassNotes]:
    """Pick members file by file, other files than the base's first, within the bound."""
    seen: dict[str, list[ClassNotes]] = {}
    for one in family.members:
        seen.setdefault(one.path, []).append(one)
    seen_elsewhere = [path for path in seen if path != family.base.path][: files - 1]
    firsts = [seen[path][0] for path in seen_elsewhere]
    seconds = [one for path in seen_elsewhere for one in seen[path][1:]] + seen.get(
        family.base.path, []
    )
    return (firsts + seconds)[: max(MOST_MEMBERS, len(firsts))] if firsts else []


def _idea(
    ground: AuthorContext, family: Family, members: list[ClassNotes], cell: Cell, why: str | None
) -> QueryIdea:
    slots = family_slots(ground, family, with_examples=cell.difficulty != "hard")
    pattern = "extend_like" if "examples" in slots else "extend_family"
    targets = (family.base.entity_id, *(one.entity_id for one in members))
    score = (
        1.5
        + bool(family.base.docstring)
        + 0.5 * len(family.noun.split())
        + ground.jitter("family", *targets)
    )
    return QueryIdea(cell, pattern, targets, slots, score, why)


def _ripples(
    ground: AuthorContext, notes: FunctionNotes, callers: dict[str, list[str]]
) -> Iterator[QueryIdea]:
    action = ground.action(notes.entity_id)
    if action is None or notes.simple_name.startswith("__"):
        return
    chosen = [
        min(found, key=lambda one: (ground.action(one) is None, one)) for found in callers.values()
    ]
    ranked = sorted(
        chosen,
        key=lambda one: (ground.action(one) is None, ground.jitter("caller", notes.entity_id, one)),
    )
    said = paraphrased(action, salt=ground.salt(notes.entity_id), nouns=2)
    score = (
        bool(notes.is_public)
        + 0.5 * ground.is_documented(notes.entity_id)
        + ground.jitter("ripple", notes.entity_id)
    )
    if len(callers) in {1, 2}:
        extra = [one for found in callers.values() for one in found if one not in ranked][
            : 1 if len(ranked) == 1 else 0
        ]
        targets = (notes.entity_id, *ranked, *extra)
        why = (
            f"{notes.simple_name} and its callers in {len(callers)} other file{'s' * (len(callers) > 1)} "
            "have to change together"
        )
        yield QueryIdea(
            Cell("extend", "medium"), "extend_option", targets, action_slots(said), score, why
        )
    elif len(callers) <= 8:
        targets = (notes.entity_id, *ranked[:5])
        why = (
            f"{notes.simple_name} is called from {len(callers)} other files; a new argument has to be carried "
            "through each layer"
        )
        yield QueryIdea(
            Cell("extend", "hard"), "extend_option", targets, action_slots(said), score, why
        )


def _neighbours(ground: AuthorContext, notes: FunctionNotes) -> Iterator[QueryIdea]:
    """A function whose callers all stand in its own file."""
    action = ground.action(notes.entity_id)
    callers = [
        one
        for one in ground.callers(notes.entity_id)
        if not ground.notes(one).simple_name.startswith("__")
    ]
    if (
        action is None
        or len(callers) < 2
        or ground.files([notes.entity_id, *callers]) > 1
        or not notes.parameters - {"self", "cls"}
    ):
        return
    score = (
        0.5 * notes.is_public
        + 0.5 * ground.is_documented(notes.entity_id)
        + ground.jitter("near", notes.entity_id)
    )
    yield QueryIdea(
        Cell("extend", "easy"),
        "extend_option",
        (notes.entity_id, *callers[:3]),
        action_slots(action),
        score,
    )


def _layers(ground: AuthorContext, notes: FunctionNotes) -> Iterator[QueryIdea]:
    """A chain of calls down through four files: a new option has to be handed on by each."""
    chains: list[tuple[str, ...]] = [(notes.entity_id,)]
    for _ in range(LAYERS - 1):
        chains = [
            (*chain, one)
            for chain in chains[:MOST_CHAINS]
            for one in ground.callees(chain[-1])
            if _is_new_file(ground, chain, one)
        ]
    action = ground.action(notes.entity_id)
    if not chains or action is None:
        return
    chain = max(
        chains, key=lambda one: (ground.action(one[-1]) is not None, ground.jitter("layers", *one))
    )
    said = paraphrased(action, salt=ground.salt(notes.entity_id), nouns=2)
    last = ground.action(chain[-1])
    slots = action_slots(said) | (action_slots(last, "2") if last else {})
    pattern = (
        "extend_layers"
        if last and len(last.base.split()) + len(said.base.split()) <= 18
        else "extend_option"
    )
    hops = " -> ".join(ground.notes(one).simple_name for one in chain)
    why = f"a new option passes {LAYERS} layers in as many files: {hops}"
    if pattern == "extend_layers":
        yield QueryIdea(
            Cell("extend", "hard"), pattern, chain, slots, 0.8 + ground.jitter("layer", *chain), why
        )


def _is_new_file(ground: AuthorContext, chain: tuple[str, ...], one: str) -> bool:
    return (
        ground.path(one) not in {ground.path(other) for other in chain}
        and ground.notes(one).statements >= 2
    )
