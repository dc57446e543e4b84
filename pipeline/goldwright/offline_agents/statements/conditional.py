"""The Adversary's search for a line that does something under given conditions."""

from collections.abc import Callable, Iterator

from goldwright.offline_agents.statements.condition_phrases import same_conditions
from goldwright.offline_agents.statements.statement import Shown, not_shown_in
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.offline_agents.token_reading.line_blocks import CodeLine
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.path_conditions import Path
from goldwright.records import FileRange


def look_for(
    code: TokenCodebase, name: str, path: Path, is_on: Callable[[CodeLine], bool]
) -> tuple[Shown, FileRange | None]:
    """Look through a definition for a line that is reached under exactly these conditions.

    Args:
        code: Where the definition is found.
        name: Its qualified name.
        path: The conditions.
        is_on: Whether a line does what is looked for.

    Returns:
        ``shown`` with the line; ``refuted`` where such lines are reached under other conditions
        or there is none; ``unclear`` where the conditions of one of them cannot be said, or
        nothing of that name is expected.
    """
    return look_for_line(code, name, path, lambda line: is_on(line.line))


def look_for_line(
    code: TokenCodebase, name: str, path: Path, is_on: Callable[[TokenLine], bool]
) -> tuple[Shown, FileRange | None]:
    """Look as ``look_for`` does, by lines with what stands around them."""
    lines = list(_lines_of(code, name, is_on))
    for definition, line in lines:
        if line.path is not None and same_conditions(line.path, path, normalise=plain_code):
            return "shown", definition.at(line)
    for definition, line in lines:
        if line.path is None:
            return "unclear", definition.at(line)
    if lines:
        definition, line = lines[0]
        return "refuted", definition.at(line)
    definitions = code.named(name)
    return not_shown_in(definitions)


def _lines_of(
    code: TokenCodebase, name: str, is_on: Callable[[TokenLine], bool]
) -> Iterator[tuple[TokenDefinition, TokenLine]]:
    for definition in code.named(name):
        for line in definition.own_lines:
            if is_on(line):
                yield definition, line
