"""Whether what is kept from call to call can grow or go stale, in sentences."""

from collections.abc import Sequence
from typing import Final

from goldwright.offline_agents.statements.lists import join_code

MEANING_OF_RESULTS: Final = (
    "A second call with the same arguments does not run the body again, so a change of anything "
    "else that the result depends on goes unnoticed for as long as the result is kept."
)
_MEANING_OF_ITEMS: Final = (
    "It works a value out only for a key that is not there yet. After that the kept value is "
    "given back{until}, whatever has changed since."
)
_MEANING_OF_VALUE: Final = (
    "The value is worked out on first use and given back from then on{until}, whatever has changed "
    "since."
)


def verdict_on_results(decorator: str, clearers: Sequence[str], *, has_arguments: bool) -> str:
    """Say whether results that a decorator keeps are ever dropped, and whether they can pile up.

    Args:
        decorator: The decorator, as written.
        clearers: The functions that clear what is kept, by qualified name.
        has_arguments: Whether the function can be given anything; else it keeps one result.
    """
    if clearers:
        return f"It is dropped only when {join_code(clearers)} clears it."
    if not has_arguments:
        return "Nothing ever drops it: the first result stays until the process ends."
    if "None" in decorator or "lru" not in decorator:
        return "Nothing ever drops it, and it grows with every new set of arguments."
    return (
        "Nobody drops it on purpose, but it cannot grow without bound: beyond its limit the "
        "decorator lets go of what was used least recently."
    )


def verdict_on_store(name: str, droppers: Sequence[str], *, is_item: bool, is_weak: bool) -> str:
    """Say whether what a function keeps by hand is ever dropped.

    Args:
        name: The simple name of what it is kept in.
        droppers: The functions that drop or replace it, by qualified name.
        is_item: Whether a value is kept for each key, and not a single one.
        is_weak: Whether the store lets go of a key that nobody else holds.
    """
    if is_weak and not droppers:
        return f"Nobody drops it by hand, but `{name}` holds its keys weakly and lets go with them."
    if droppers:
        verb = (
            "throws it away or replaces it" if len(droppers) == 1 else "throw it away or replace it"
        )
        return f"It does not stay for good, but {join_code(droppers)} alone {verb}."
    if is_item:
        return f"Nothing is ever dropped: what `{name}` holds for a key stays there."
    return f"Nothing ever drops it: once `{name}` is set, it stays as long as the object lives."


def meaning_of_store(droppers: Sequence[str], *, is_item: bool, is_weak: bool) -> str:
    """Say what the verdict means for those who call the function; arguments as there."""
    if is_item:
        until = " until it is dropped" if droppers or is_weak else ""
        return _MEANING_OF_ITEMS.format(until=until)
    return _MEANING_OF_VALUE.format(until=" until the attribute is reset" if droppers else "")
