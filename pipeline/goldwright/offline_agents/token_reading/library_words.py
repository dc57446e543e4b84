"""Where lines of tokens may call a function of a library, by the names that files import."""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from typing import Final

from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse

_IMPORTS: Final = frozenset({"from", "import"})
# Lines that begin so name a function and do not call it.
_NO_CALLS: Final = _IMPORTS | {"__all__"}


def library_uses(code: TokenCodebase, name: str) -> list[WordUse] | None:
    """List the lines of product code that may call a function of a library.

    Args:
        code: The codebase.
        name: Its whole name, as in ``subprocess.Popen``.

    Returns:
        Lines on which its last word stands behind a name of its module, or by itself in a file
        that imports it so; None where too many lines hold it.
    """
    module, _, word = name.rpartition(".")
    uses = code.uses_of(word)
    if uses is None:
        return None
    module_uses = code.uses_in_importing_files(module.rpartition(".")[2])
    in_product = [use for use in uses if use.is_product_code]
    candidates = [use for use in in_product if use.line.keyword not in _NO_CALLS]
    if module_uses is None:
        # Of a module that nearly every file imports, any word counts.
        return candidates
    modules = _names_by_file(module_uses)
    importing_files = {use.path for use in uses if use.line.keyword == "from"}
    possible_calls: list[WordUse] = []
    for use in candidates:
        names = modules.get(use.path, ())
        is_imported = use.path in importing_files
        if _may_mean(use, word, names, is_imported=is_imported):
            possible_calls.append(use)
    return possible_calls


def _names_by_file(module_uses: Sequence[WordUse]) -> Mapping[str, set[str]]:
    """Give the words of the lines on which files import a module, its names there among them."""
    names: dict[str, set[str]] = defaultdict(set)
    for use in module_uses:
        if use.line.keyword in _IMPORTS:
            names[use.path].update(use.line.line.words())
    return names


def _may_mean(use: WordUse, word: str, module_names: Container[str], *, is_imported: bool) -> bool:
    """Find out whether a word on a line is the library's, and no method or name of another."""
    words = ["", "", *use.line.line.words()]
    for owner, before, current in zip(words, words[1:], words[2:], strict=False):
        if current != word or before in {"def", "class"}:
            continue
        if owner in module_names if before == "." else is_imported:
            return True
    return False
