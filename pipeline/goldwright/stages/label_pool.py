"""The pool: what several searches bring for a query, whatever its answer expects."""

import re
from collections.abc import Iterator
from typing import Final, get_args

from goldwright.records import AnswerDraft, PoolSystem, QueryCandidate
from goldwright.retrieval.lexical_index import lexical_index
from goldwright.retrieval.port import Retriever
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity, split_entity_id
from goldwright.snapshot.product_code import is_product_code
from goldwright.snapshot.word_files import files_with

# Depth 20 is twice what evaluations look at; deeper results are hardly ever relevant.
SEARCH_DEPTH: Final = 20
# A text in more places than these is no name of what is asked for.
MOST_GREP_HITS: Final = 60

# Names with a dot, dash or underscore, or in quotes: what somebody would search for.
_QUOTED: Final = re.compile("[\"“`‘']([^\"“”`‘’']{3,80})[\"”`’']")
_NAME: Final = re.compile(r"[\w]+(?:[._-][\w]+)+")

Pool = dict[str, tuple[PoolSystem, ...]]


def label_pool(
    snapshot: Snapshot,
    candidate: QueryCandidate,
    answer: AnswerDraft,
    dense: Retriever | None = None,
) -> Pool:
    """Give the functions and classes of product code that the searches bring, each with them.

    The order is that of paths and names.

    Args:
        snapshot: The codebase.
        candidate: The query.
        answer: Its answer, whose labels the call graph starts from.
        dense: Search by meaning, where an encoder is installed.
    """
    brought: dict[PoolSystem, set[str]] = {
        "bm25": set(_lexical(snapshot, candidate)),
        "grep": set(_grep(snapshot, candidate)),
        "calls": set(_neighbours(snapshot, answer)),
        "dense": set(_nearest(dense, candidate)),
    }
    entity_ids = sorted(set().union(*brought.values()))
    pool: Pool = {}
    for entity_id in entity_ids:
        entity = snapshot.entity(entity_id)
        if (
            entity is None
            or entity.kind == "variable"
            or not is_product_code(snapshot, entity.path)
        ):
            continue
        names: tuple[PoolSystem, ...] = get_args(PoolSystem)
        systems = [system for system in names if entity_id in brought[system]]
        pool[entity_id] = tuple(systems)
    return pool


def _lexical(snapshot: Snapshot, candidate: QueryCandidate) -> Iterator[str]:
    for hit in lexical_index(snapshot).search(candidate.query_text, limit=SEARCH_DEPTH):
        yield hit.entity_id


def _nearest(dense: Retriever | None, candidate: QueryCandidate) -> Iterator[str]:
    if dense is not None:
        for hit in dense.search(candidate.query_text, limit=SEARCH_DEPTH):
            yield hit.entity_id


def _grep(snapshot: Snapshot, candidate: QueryCandidate) -> Iterator[str]:
    """Yield what stands around the lines that hold a quotation or a name of the query."""
    text = candidate.query_text
    for literal in dict.fromkeys([*_QUOTED.findall(text), *_NAME.findall(text)]):
        hits = list(_around(snapshot, literal.rstrip("….")))
        if len(hits) <= MOST_GREP_HITS:
            yield from hits


def _around(snapshot: Snapshot, text: str) -> Iterator[str]:
    for path in files_with(snapshot, text) or ():
        entities = snapshot.entities_in(path)
        for number, line in enumerate(snapshot.source(path).lines, start=1):
            if text in line:
                yield from _innermost(entities, number)


def _innermost(entities: tuple[Entity, ...], line: int) -> Iterator[str]:
    definitions = [entity for entity in entities if entity.kind != "variable"]
    around = [entity for entity in definitions if entity.touches(line, line)]
    if around:
        # Of nested definitions the longest qualified name is the innermost.
        yield max(around, key=_depth).entity_id


def _depth(entity: Entity) -> tuple[int, str]:
    return entity.name.count("."), entity.entity_id


def _neighbours(snapshot: Snapshot, answer: AnswerDraft) -> Iterator[str]:
    """Yield who calls an expected entity, and the subclasses of an expected class."""
    for entity_id in answer.entity_ids:
        for site in snapshot.graph.callers(entity_id):
            yield site.entity_id
        yield from snapshot.graph.subclasses(entity_id)


def is_covered(entity_id: str, expected: frozenset[str]) -> bool:
    """Check whether an entity is expected, or stands inside or around one that is."""
    if entity_id in expected:
        return True
    path, name = split_entity_id(entity_id)
    for expected_id in expected:
        other_path, other_name = split_entity_id(expected_id)
        is_inside = name.startswith(f"{other_name}.")
        is_around = other_name.startswith(f"{name}.")
        if path == other_path and (is_inside or is_around):
            return True
    return False
