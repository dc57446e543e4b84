"""Which lines an answer shows: those of its facts, calls of what it is about, and methods."""

import ast
from collections.abc import Collection, Iterator, Sequence

from goldwright.code_reading.modules import Function
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.surroundings import calls_in
from goldwright.offline_agents.narratives.code_excerpts import CodeExcerpt, open_excerpt
from goldwright.offline_agents.statements.statement import Finding


def excerpts_of_facts(
    entity_ids: Sequence[str],
    facts: Sequence[Finding],
    code: CodeContext,
    unsaid: Collection[str] = (),
) -> Iterator[CodeExcerpt]:
    """Yield an excerpt of each definition that facts are about, with as many facts as it holds.

    Args:
        entity_ids: The definitions, the most important one first.
        facts: The answer key, most important first.
        code: The codebase.
        unsaid: Words that no quoted line may have.
    """
    for entity_id in entity_ids:
        excerpt = open_excerpt(entity_id, code, unsaid)
        if excerpt is None:
            continue
        for fact in facts:
            if fact.entity_id == entity_id:
                cited = fact.cited_lines()
                items = excerpt.on(cited)
                is_whole = _covers_definition(excerpt, fact)
                if items and not is_whole:
                    excerpt.take(items)
        if excerpt.shown:
            yield excerpt


def excerpt_of_calls(caller_id: str, callee_id: str, code: CodeContext) -> CodeExcerpt | None:
    """Show where a function calls another one; None where that cannot be shown."""
    excerpt = open_excerpt(caller_id, code)
    if excerpt is None:
        return None
    for call in calls_in(code, caller_id, callee_id):
        excerpt.take(excerpt.on([call]))
    return excerpt if excerpt.shown else None


def excerpt_of_methods(
    class_id: str, methods: Collection[str], code: CodeContext
) -> CodeExcerpt | None:
    """Show the heads of some methods of a class; None where they cannot be shown."""
    excerpt = open_excerpt(class_id, code)
    if excerpt is None:
        return None
    heads = [item for item in excerpt.items if _is_one_of(item.node, methods)]
    return excerpt if excerpt.take(heads) else None


def _is_one_of(node: ast.AST, methods: Collection[str]) -> bool:
    """Find out whether a node defines one of some methods."""
    return isinstance(node, Function) and node.name in methods


def _covers_definition(excerpt: CodeExcerpt, fact: Finding) -> bool:
    """Find out whether a fact is borne out by a definition as a whole: then no line is decisive."""
    head = excerpt.items[0]
    last = excerpt.items[-1]
    lines = fact.lines
    is_around = lines.start <= head.first and lines.end >= last.last
    return is_around and len(excerpt.items) > 1
