"""Ideas for debug: a message and its check, a symptom and the check far below that causes it."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.offline_agents.author.actions import Action
from goldwright.offline_agents.author.context import AuthorContext, QueryIdea, Slots, action_slots
from goldwright.offline_agents.author.file_notes import BUILTIN_KINDS, FunctionNotes, RaiseNote
from goldwright.offline_agents.author.inflection import has_article
from goldwright.offline_agents.author.synonyms import paraphrased
from goldwright.plan import Cell

FEWEST_MESSAGE_WORDS: Final = 3
LONGEST_MESSAGE: Final = 110
DEEPEST: Final = 3
MOST_CULPRITS: Final = 4

_VALUE: Final = re.compile(r"%\([^)]*\)[sdr]|%[sdr]|\{[^{}]*\}|<[^<>]*>")


def find_debug(ground: AuthorContext) -> Iterator[QueryIdea]:
    """Yield ideas of all three difficulties."""
    for notes in ground.survey.functions.values():
        yield from _easy(ground, notes)
    for notes in ground.spoken:
        action = ground.action(notes.entity_id)
        if action is not None and notes.is_public:
            yield from _symptoms(ground, notes, action)


def _easy(ground: AuthorContext, notes: FunctionNotes) -> Iterator[QueryIdea]:
    for failure in notes.failures:
        message = spoken_message(failure.message)
        if message is None or not failure.is_guarded or not _is_reachable(ground, notes):
            continue
        if _raised_elsewhere(ground, failure, notes):
            continue
        slots: Slots = {"message": message}
        action = ground.action(notes.entity_id)
        if action is not None and notes.is_public:
            slots |= action_slots(action)
        score = (
            bool(action)
            + 0.5 * ("…" not in message)
            + ground.jitter("message", notes.entity_id, message)
        )
        yield QueryIdea(
            Cell("debug", "easy"),
            "debug_message" if action and notes.is_public else "debug_bare",
            (notes.entity_id,),
            slots,
            score,
        )


def _is_reachable(ground: AuthorContext, notes: FunctionNotes) -> bool:
    if notes.is_public or notes.simple_name in {
        "__init__",
        "__call__",
        "__getitem__",
        "__setitem__",
    }:
        return notes.simple_name != "__init__" or notes.statements >= 3
    return any(ground.notes(one).is_public for one in ground.callers(notes.entity_id))


def _raised_elsewhere(ground: AuthorContext, failure: RaiseNote, notes: FunctionNotes) -> bool:
    return ground.message_holders(failure.message) - {notes.entity_id} != frozenset()


def spoken_message(text: str) -> str | None:
    """Cut a message template to what a person would paste; ``None`` when too little is left."""
    plain = re.sub(r"\s+", " ", _VALUE.sub("…", text)).strip()
    plain = re.sub(r"[\"'`]?…[\"'`]?", "…", plain)
    first = re.split(r"(?<=[.!?]) |\n|; ", plain)[0].strip(" .:;,-")
    if len(first) > LONGEST_MESSAGE or re.search(r"\w_\w|\w\(|[{}\[\]\\<>=|%\"]|\w\.\w|::", first):
        return None
    words = re.findall(r"[A-Za-z]{2,}", first)
    if (
        len(words) < FEWEST_MESSAGE_WORDS
        or first.count("…") > 2
        or first.count("(") != first.count(")")
        or first.count("'") % 2
    ):
        return None
    return first.replace("… …", "…")


def _symptoms(ground: AuthorContext, site: FunctionNotes, action: Action) -> Iterator[QueryIdea]:
    reached = _reach(ground, site.entity_id)
    yield from _silences(ground, reached, action)
    kinds: dict[str, set[str]] = {}
    for root in reached:
        for failure in ground.notes(root).failures:
            kinds.setdefault(failure.kind, set()).add(root)
    for root, chain in reached.items():
        for kind in dict.fromkeys(
            failure.kind for failure in ground.notes(root).failures if failure.is_guarded
        ):
            if len(kinds[kind]) <= MOST_CULPRITS and not any(
                one.kind == kind for one in site.failures
            ):
                yield from _symptom(ground, chain, kind, action, -0.3 * len(kinds[kind]))


def _symptom(
    ground: AuthorContext, chain: tuple[str, ...], kind: str, action: Action, malus: float
) -> Iterator[QueryIdea]:
    site, root = ground.notes(chain[0]), ground.notes(chain[-1])
    files = ground.files(chain)
    hops = " -> ".join(ground.notes(one).simple_name for one in chain)
    said = paraphrased(action, salt=ground.salt(site.entity_id), nouns=2)
    if kind in BUILTIN_KINDS or not any(kind in target for target in chain):
        slots = action_slots(said) | {"kind": f"{has_article(kind)} {kind}", "Kind": kind}
        score = (
            malus
            + (kind in BUILTIN_KINDS)
            + 0.5 * ground.is_documented(site.entity_id)
            + ground.jitter("symptom", *chain, kind)
        )
        if len(chain) <= 4:
            why = f"{_calls(len(chain) - 1)} between what fails and the check that raises: {hops}"
            yield QueryIdea(
                Cell("debug", "medium"),
                "debug_symptom",
                chain,
                slots,
                score - 0.3 * (files - 1) + 0.8 * (len(chain) == 3),
                why,
            )
        if files >= 2 and len(chain) >= 3:
            why = (
                f"{root.simple_name} raises in another file than the one where it shows, {len(chain) - 1} calls "
                f"away: {hops}"
            )
            yield QueryIdea(
                Cell("debug", "hard"), "debug_surface", chain, slots, score + files, why
            )


def _silences(
    ground: AuthorContext, reached: dict[str, tuple[str, ...]], action: Action
) -> Iterator[QueryIdea]:
    """A caught exception far below that makes the result come back empty or the work stay undone."""
    quiet = [
        root
        for root in reached
        if any(worry.concern == "swallow" for worry in ground.notes(root).worries)
    ]
    for root in quiet[:MOST_CULPRITS]:
        chain = reached[root]
        said = paraphrased(action, salt=ground.salt(chain[0]), nouns=2)
        score = 0.6 + 0.5 * ground.is_documented(chain[0]) + ground.jitter("silence", *chain)
        hops = " -> ".join(ground.notes(one).simple_name for one in chain)
        if len(chain) <= 4:
            why = (
                f"{_calls(len(chain) - 1)} between what seems to do nothing and the except clause that hides "
                f"why: {hops}"
            )
            yield QueryIdea(
                Cell("debug", "medium"),
                "debug_silent",
                chain,
                action_slots(said),
                score + 0.5 * (len(chain) == 3),
                why,
            )
        files = ground.files(chain)
        if files >= 2 and len(chain) >= 3:
            why = (
                f"{ground.notes(root).simple_name} drops an exception {len(chain) - 1} calls away, over {files} "
                f"files: {hops}"
            )
            yield QueryIdea(
                Cell("debug", "hard"),
                "debug_silent",
                chain,
                action_slots(said),
                score + files - 0.5,
                why,
            )


def _calls(count: int) -> str:
    return "one call lies" if count == 1 else f"{count} calls lie"


def _reach(ground: AuthorContext, start: str) -> dict[str, tuple[str, ...]]:
    """The functions within three calls, each with the shortest chain to it."""
    chains: dict[str, tuple[str, ...]] = {start: (start,)}
    frontier = [start]
    for _ in range(DEEPEST):
        found = [
            (one, other) for one in frontier for other in ground.callees(one) if other not in chains
        ]
        frontier = []
        for one, other in found:
            if other not in chains:
                chains[other] = (*chains[one], other)
                frontier.append(other)
    del chains[start]
    return chains
