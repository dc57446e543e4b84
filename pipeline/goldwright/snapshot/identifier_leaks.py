"""Which identifiers of its targets a query gives away."""

import re
from collections.abc import Iterable

from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.identifiers import code_spans, is_code_shaped


def leaked_identifiers(query_text: str, target_ids: Iterable[str]) -> tuple[str, ...]:
    """List the identifiers of the targets that a query gives away.

    An identifier is any part of a target's qualified name. A code-shaped one leaks as a complete
    word in the same case; one that is also English leaks only between code marks, called or dotted.
    """
    code_text = " \n ".join(code_spans(query_text))
    # A dictionary, so that each name comes once and in the order of the targets.
    names: dict[str, None] = {}
    for target_id in target_ids:
        _, qualified_name = split_entity_id(target_id)
        parts = qualified_name.split(".")
        names.update(dict.fromkeys(filter(None, parts)))
    return tuple(name for name in names if _is_leaked(name, query_text, code_text))


def _is_leaked(name: str, query: str, code_text: str) -> bool:
    if name not in query:
        return False
    word = rf"(?<!\w){re.escape(name)}(?!\w)"
    if is_code_shaped(name):
        return re.search(word, query) is not None
    if re.search(word, code_text):
        return True
    called_or_dotted = rf"{word}(?:\(|\.\w)"
    behind_dot = rf"(?<=[\w)\]]\.){word}|(?<!\S)\.{word}"
    return re.search(f"{called_or_dotted}|{behind_dot}", query) is not None
