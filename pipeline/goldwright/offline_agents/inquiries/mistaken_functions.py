"""Which function a reader would take for another one who goes by words alone."""

from collections.abc import Sequence
from typing import Final

from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.effects import neighbouring_function
from goldwright.retrieval.lexical_index import lexical_index
from goldwright.snapshot.product_code import is_product_code

# Further down a list of results nobody looks who wants one place.
MOST_LOOKED_AT: Final = 20


def mistaken_function(code: CodeContext, words: str, answers: Sequence[str]) -> str | None:
    """Give the function that a lexical search for some words puts first, apart from the answers.

    Args:
        code: The codebase.
        words: What is asked for, as code or in words.
        answers: The ids of all functions for which it is true.

    Returns:
        The id of a function of product code. Where the search finds none, the function that stands
        nearest to the first answer; None where that is alone in its file.
    """
    names = {name_of(answer) for answer in answers}
    for hit in lexical_index(code.snapshot).search(words, limit=MOST_LOOKED_AT):
        other = hit.entity_id
        is_apart = name_of(other) not in names and not _is_nested(other, answers)
        # Special methods are called by no name that anybody would think of.
        is_candidate = is_apart and "__" not in name_of(other)
        if is_candidate and is_product_code(code.snapshot, path_of(other)) and code.function(other):
            return other
    return neighbouring_function(code, answers[0])


def _is_nested(entity_id: str, answers: Sequence[str]) -> bool:
    """Find out whether it is defined inside an answer, or around one."""
    return any(
        entity_id.startswith(f"{answer}.") or answer.startswith(f"{entity_id}.")
        for answer in answers
    )
