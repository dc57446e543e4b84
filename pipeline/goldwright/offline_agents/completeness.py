"""Whether an entity that nobody labelled is part of a right answer, by the reason of the question.

A rule looks at the entity itself: does it say the same message, read the same name, call the same
function? It asks nobody who made the labels.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from goldwright.agents.declined_cases import decline_unreadable
from goldwright.agents.offline_identities import OFFLINE_IDENTITIES
from goldwright.agents.roles import CompletenessWork, PoolJudgement
from goldwright.agents.toolset import Toolset
from goldwright.code_reading.errors import RaiseSite, raise_sites
from goldwright.code_reading.literal_uses import literals_in
from goldwright.code_reading.log_calls import LogSite, log_sites
from goldwright.code_reading.modules import open_function, open_module
from goldwright.records import Intent, IntentKind, PoolRuling, PoolVerdict
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id


class Ruling(NamedTuple):
    """A verdict on an entity, and why, in a few words."""

    verdict: PoolVerdict
    reason: str


NO_RULE: Final = Ruling("open", "no rule says what belongs to such an answer")
_Rule = Callable[[Snapshot, Intent, str], Ruling]


class OfflineCompletenessReader:
    """Judges the entities of a pool by the rule for the reason of the question."""

    identity = OFFLINE_IDENTITIES["completeness"]
    has_tools = False

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    async def play(self, work: CompletenessWork, _toolset: Toolset) -> PoolJudgement:
        """Judge every entity; where there is no rule, all of them stay open.

        Raises:
            RoleRefusedError: The code of a file cannot be read.
        """
        judge = partial(self._judge, work)
        return decline_unreadable(self._snapshot, work.candidate, "judging the pool", judge)

    def _judge(self, work: CompletenessWork) -> PoolJudgement:
        intent = work.candidate.intent
        rulings = []
        for entity_id in work.pooled:
            ruling = rule_on(self._snapshot, intent, entity_id)
            pool_ruling = PoolRuling(
                entity_id=entity_id,
                verdict=ruling.verdict,
                reason=ruling.reason,
                citation=None,
            )
            rulings.append(pool_ruling)
        return PoolJudgement(tuple(rulings), is_judged=has_rule(intent))


def has_rule(intent: Intent | None) -> bool:
    """Find out whether the reason of a question says what belongs to its answer."""
    return intent is not None and RULES[intent.kind] is not None


def rule_on(snapshot: Snapshot, intent: Intent | None, entity_id: str) -> Ruling:
    """Judge an entity that an answer does not expect."""
    rule = None if intent is None else RULES[intent.kind]
    if intent is None or rule is None:
        return NO_RULE
    return rule(snapshot, intent, entity_id)


def _says_the_same(snapshot: Snapshot, intent: Intent, entity_id: str) -> Ruling:
    """Another place of the same message answers as well."""
    asked_messages = _messages_on_lines(snapshot, intent)
    if not asked_messages:
        return Ruling("open", "the lines of the question hold no message")
    if asked_messages & {message for _, message in _messages(snapshot, entity_id)}:
        return Ruling("equal", "it gives the same message")
    return Ruling("no", "it does not give this message")


def _reads_the_name(snapshot: Snapshot, intent: Intent, entity_id: str) -> Ruling:
    """Another function that looks the name up, or stores under it, belongs to all that do."""
    path, name = split_entity_id(entity_id)
    module = open_module(snapshot, path)
    for literal, use in literals_in(module) if module is not None else ():
        is_own = use.owner == name and use.manner in {"read", "stored"}
        if is_own and literal == intent.detail:
            reason = f"it deals with {intent.detail!r} on line {use.line}"
            return Ruling("belongs", reason)
    return Ruling("no", "it does not deal with this name")


def _calls_the_subject(snapshot: Snapshot, intent: Intent, entity_id: str) -> Ruling:
    for site in snapshot.graph.callers(intent.subject):
        if site.entity_id == entity_id:
            return Ruling("belongs", f"it calls the subject on line {site.line}")
    return Ruling("no", "it does not call the subject")


def _is_of_the_family(snapshot: Snapshot, intent: Intent, entity_id: str) -> Ruling:
    if entity_id in snapshot.graph.subclasses(intent.subject):
        return Ruling("belongs", "it derives from the subject")
    return Ruling("no", "it does not derive from the subject")


def _messages_on_lines(snapshot: Snapshot, intent: Intent) -> set[str]:
    lines = intent.lines
    messages = _messages(snapshot, intent.subject)
    return {message for line, message in messages if lines.start <= line <= lines.end}


def _messages(snapshot: Snapshot, entity_id: str) -> list[tuple[int, str]]:
    """Give the messages that a function raises or logs, each with its first line."""
    opened = open_function(snapshot, entity_id)
    if opened is None:
        return []
    sites: list[RaiseSite | LogSite] = []
    sites += raise_sites(*opened)
    sites += log_sites(*opened)
    return [(site.first, site.message) for site in sites if site.message]


RULES: Final[Mapping[IntentKind, _Rule | None]] = {
    "message_origin": _says_the_same,
    "literal_use": _reads_the_name,
    "library_call": None,
    "raise_condition": _says_the_same,
    "error_translation": None,
    "hidden_error": None,
    "swallowed_error": None,
    "caller_coping": _calls_the_subject,
    "default_value": None,
    "outcomes": None,
    "steps": None,
    "cache_lifetime": None,
    "contract": None,
    "class_role": None,
    "registry": None,
    "option_readers": _reads_the_name,
    "reason": None,
    "shared_state": None,
    "callers": _calls_the_subject,
    "deprecation": None,
    "log_meaning": _says_the_same,
    "family": _is_of_the_family,
    "parameter_path": None,
    "other": None,
}
"""Every kind; None where code cannot say what else would belong to an answer."""
