"""Reading prose back: what the sentences of a narrative state, wherever a form is known.

It is the other half of ``prose``: a narrative is believed by people, so its conditions are held
against the code like those of the facts.
"""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.offline_agents.prose_sentences import split_sentences
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.catalog import read_statement
from goldwright.offline_agents.statements.condition_phrases import read_described_conditions
from goldwright.offline_agents.statements.lists import read_code_list
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Statement

_WHEN: Final = r"(?P<conditions> .+)?"
_RAISES: Final = re.compile(
    rf"`(?P<subject>[\w.]+)` raises `(?P<error>[\w.]+)`"
    rf"(?: \(“(?P<message>[^”]+)”\)| with (?:the message )?“(?P<message_told>[^”]+)”)?{_WHEN}\."
)
_COMES_FROM: Final = re.compile(
    r"(?:It|The error) comes from `(?P<subject>[\w.]+)` in `?[^`\s]+`?, which raises "
    rf"`(?P<error>[\w.]+)` with (?:the message )?“(?P<message>[^”]+)”{_WHEN}\."
)
_LOGS: Final = re.compile(
    r"`(?P<subject>[\w.]+)`(?: in `[^`]+`)? logs “(?P<message>[^”]+)” as `(?P<level>\w+)`"
    r"(?P<conditions> .+?)?(?:, and (?:then |goes on).*)?\."
)
_RETURNS: Final = re.compile(rf"`(?P<subject>[\w.]+)` returns `(?P<value>[^`]+)`{_WHEN}\.")
_TAKES: Final = re.compile(
    rf"`(?P<subject>[\w.]+)` takes `(?P<value>[^`]+)` as `(?P<target>[^`]+)`{_WHEN}\."
)
_UNGUARDED: Final = re.compile(
    r"(?:Neither |None of )?(?P<callers>`.+`) catches (?:nothing|anything) "
    r"around its call of `(?P<callee>[\w.]+)`\."
)


def read_narrative(text: str) -> Iterator[tuple[str, Statement]]:
    """Yield the statements of a narrative, each with its sentence; other sentences are left out."""
    for sentence in split_sentences(text):
        statement = read_statement(sentence)
        if statement is not None:
            yield sentence, statement
            continue
        for read in _read_prose(sentence):
            yield sentence, read


def _read_prose(  # noqa: C901  # one arm a form
    sentence: str,
) -> Iterator[Statement]:
    unguarded = _UNGUARDED.fullmatch(sentence)
    if unguarded is not None:
        callers = read_code_list(unguarded["callers"].replace("` nor `", "` and `"))
        for caller in callers or ():
            yield CallHandling(caller, unguarded["callee"], "")
        return
    for pattern in (_RAISES, _COMES_FROM, _LOGS, _RETURNS, _TAKES):
        match = pattern.fullmatch(sentence)
        if match is None:
            continue
        path = read_described_conditions(match["conditions"] or "")
        if path is None:
            return
        parts = match.groupdict()
        subject, message = parts["subject"], parts.get("message") or parts.get("message_told") or ""
        if "error" in parts:
            yield Raises(subject, parts["error"], message, path)
        elif "level" in parts:
            yield Logs(subject, message, parts["level"], path)
        elif "target" in parts:
            yield Assigned(subject, parts["target"], parts["value"], path)
        else:
            yield Returned(subject, parts["value"], path)
        return
