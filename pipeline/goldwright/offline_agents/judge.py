"""The offline Judge: whether a narrative answers the query and agrees with the Adversary."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import partial
from keyword import kwlist
from typing import Any, Final, TypeGuard, cast

from goldwright.agents.offline_identities import OFFLINE_IDENTITIES
from goldwright.agents.roles import JudgeWork, RoleRefusedError
from goldwright.code_blocks import without_code_blocks
from goldwright.offline_agents.findings_text import UNCLEAR
from goldwright.offline_agents.prose.prose_reading import read_narrative
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.condition_phrases import same_conditions
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import ConditionalStatement, Statement
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.path_conditions import Path
from goldwright.records import NarrativeVerdictDraft
from goldwright.snapshot.file_guard import attempt

FEWEST_WORDS: Final = 20
# A narrative that holds fewer of the words that the question turns on is about something else.
# Two errors of one function have half of their words in common now and then.
LEAST_SHARE: Final = 0.7

_CODE: Final = re.compile(r"`([^`]+)`")
_TOLD_MESSAGE: Final = re.compile(r"\braises `[^`]+` (?:\(|with the message )“|\blogs “")
_QUOTATION: Final = re.compile(r'"([^"]{6,})"')
# How the findings of the offline Adversary begin.
_REASON: Final = re.compile(
    r"The question turns on (?:“(?P<text>[^”]+)” in )?`(?P<code>[^`]+)`(?: in `[^`]+`)?\."
)
_MESSAGE: Final = re.compile(r"[\"']([^\"']{6,})[\"']")
_READ: Final = re.compile(r"I read `([^`]+)` on lines")
_NAME: Final = re.compile(r"\w+")
_KEYWORDS: Final = frozenset(kwlist)
_ADDRESS: Final = re.compile(r"https?://\S+")
_LONG_WORD: Final = re.compile(r"[a-z]{4,}")


class OfflineJudge:
    """Compares by rules: what both say of errors and results, and whether the query is met."""

    identity = OFFLINE_IDENTITIES["judge"]

    async def play(self, work: JudgeWork) -> NarrativeVerdictDraft:
        """Compare the two texts; in doubt between two verdicts, the worse one is given.

        Raises:
            RoleRefusedError: One of them cannot be read.
        """
        return attempt(partial(_compare, work), _decline)


def _decline(reason: str) -> NarrativeVerdictDraft:
    raise RoleRefusedError(f"comparing: {reason}")


def _compare(work: JudgeWork) -> NarrativeVerdictDraft:
    for reason in _contradictions(work.narrative, work.findings):
        return NarrativeVerdictDraft(verdict="significant_divergence", reason=reason)
    # What the question turns on is held against the narrative by itself.
    bare_findings = _REASON.sub("", work.findings)
    # A name that only quoted code has is used there, and not what the answer is about.
    prose = without_code_blocks(work.narrative)
    for reason in (*_misses(work), *_gaps(work.narrative, bare_findings)):
        return NarrativeVerdictDraft(verdict="minor_divergence", reason=reason)
    common = _common_code(prose, work.findings)
    reason = "Nothing in one text rules out the other."
    if common:
        names = ", ".join(common[:3])
        reason = f"Both speak of {names}, and neither rules out the other."
    return NarrativeVerdictDraft(verdict="equivalent", reason=reason)


def _contradictions(narrative: str, findings: str) -> Iterator[str]:
    """Yield what the narrative says under other conditions, or of another set, than was found."""
    read_findings = list(_statements(findings))
    for _, claim in read_narrative(narrative, _names_of_definitions(findings)):
        if claim.set_field and _has_other_set(claim, read_findings):
            yield f"The findings know others: {claim.sentence()}"
        if not isinstance(claim, ConditionalStatement):
            continue
        paths = [finding.path for finding in read_findings if _is_of_same(finding, claim)]
        if any(same_conditions(claim.path, path, normalise=plain_code) for path in paths):
            continue
        # With several findings, or one of unclear conditions, only an inversion is certain.
        has_one_finding = len(paths) == 1
        is_certain = has_one_finding and not _is_unclear(claim, findings)
        if is_certain or any(_codes(path) == _codes(claim.path) for path in paths):
            yield f"The findings have other conditions for this: {claim.sentence()}"


def _names_of_definitions(findings: str) -> set[str]:
    """Give the names that findings go by: a method's own name may be that of a variable, too."""
    codes = _CODE.findall(findings)
    dotted = {code for code in codes if "." in code}
    attributes = {code for code in dotted if code.startswith(("self.", "cls."))}
    return (dotted - attributes) | set(_READ.findall(findings))


def _codes(path: Path) -> list[str]:
    return sorted(plain_code(condition.code) for condition in path)


def _is_unclear(claim: Statement, findings: str) -> bool:
    is_spoken_of = f"`{claim.subject}`" in findings
    return is_spoken_of and UNCLEAR in findings


def _misses(work: JudgeWork) -> Iterator[str]:
    """Yield what the query is about and the narrative does not speak of."""
    reason = _REASON.match(work.findings)
    text = code = ""
    if reason is not None:
        text = reason["text"] or ""
        code = reason["code"] or ""
    reason_words = f"{text}{code}"
    for quotation in _QUOTATION.findall(work.query_text):
        # What stands elsewhere than on the lines of the reason, such as a comment's beginning,
        # only leads to them.
        is_on_lines = reason is None or _tells(quotation, reason_words)
        if is_on_lines and not _tells_or_shows(quotation, work.narrative):
            yield f"The query is about “{quotation}”, which the narrative does not speak of."
    if text and not _tells_or_shows(text, work.narrative):
        yield f"The question turns on “{text}”, which the narrative does not speak of."
    if code and not _names(code, work.narrative):
        yield f"The question turns on `{code}`, which the narrative does not speak of."


def _tells_or_shows(quotation: str, narrative: str) -> bool:
    """Whether a narrative has the words of a quotation, or quotes code that has them.

    Where its sentences tell another message, it is about that one, whatever its code shows.
    """
    prose = without_code_blocks(narrative)
    if _tells(quotation, prose):
        return True
    has_other_message = _TOLD_MESSAGE.search(prose) is not None
    return not has_other_message and _tells(quotation, narrative)


def _tells(quotation: str, text: str) -> bool:
    """Whether a text has the words of a quotation, but for those of an address."""
    without_addresses = _ADDRESS.sub(" ", quotation.lower())
    words = set(_LONG_WORD.findall(without_addresses))
    told_words = words.intersection(_LONG_WORD.findall(text.lower()))
    return len(told_words) >= LEAST_SHARE * len(words)


def _names(code: str, text: str) -> bool:
    """Whether a text has the names and numbers of code, or the words of a message in it."""
    strings = _MESSAGE.findall(code)
    messages = [string for string in strings if " " in string]
    if any(_tells(message, text) for message in messages):
        return True
    names = set(_NAME.findall(code)) - _KEYWORDS
    told_names = names.intersection(_NAME.findall(text))
    return len(told_names) >= LEAST_SHARE * len(names)


def _gaps(narrative: str, findings: str) -> Iterator[str]:
    prose = without_code_blocks(narrative)
    subjects = _READ.findall(findings) or _CODE.findall(findings)
    if subjects and not _speaks_of(subjects[0], prose):
        yield f"The findings are about {subjects[0]}, which the narrative does not speak of."
    if len(narrative.split()) < FEWEST_WORDS:
        yield "The narrative is too short to say what was found."
    if not subjects and not _shared_words(prose, findings):
        yield "The two texts hardly share a word."


def _statements(text: str) -> Iterator[Statement]:
    for _, statement in read_narrative(text):
        yield statement


def _has_other_set(claim: Statement, findings: Sequence[Statement]) -> bool:
    """Whether a set was found, and no finding has the same members."""
    sets = [finding for finding in findings if _is_about_same(finding, claim)]
    if not sets:
        return False
    known_sets = [set(finding.members) for finding in sets]
    return set(claim.members) not in known_sets


def _is_about_same(finding: Statement, claim: Statement) -> bool:
    """Whether a finding says the same as a claim, conditions and members aside."""
    if type(claim) is not type(finding):
        return False
    return _about(claim) == _about(finding)


def _about(statement: Statement) -> tuple[str, ...]:
    """Give what a statement is about, its conditions and members aside."""
    attributes = fields(cast("Any", statement))
    values = [getattr(statement, attribute.name) for attribute in attributes]
    texts = [value for value in values if isinstance(value, str)]
    return tuple(map(plain_code, texts))


def _is_of_same(finding: Statement, claim: ConditionalStatement) -> TypeGuard[ConditionalStatement]:
    """Whether a finding is about the same thing, its conditions aside."""
    if not isinstance(finding, ConditionalStatement) or claim.subject != finding.subject:
        return False
    if isinstance(claim, Runs) and isinstance(finding, Assigned | Returned):
        # What is kept or given back is the result of a call.
        return plain_code(claim.call) in plain_code(finding.value)
    if type(claim) is not type(finding):
        return False
    match claim, finding:
        case Raises(), Raises():
            # Findings leave the message out.
            return claim.error == finding.error
        case Logs(), Logs():
            pieces = claim.message.split("…")
            parts = [piece.strip() for piece in pieces]
            is_same_level = claim.level == finding.level
            return is_same_level and all(part in finding.message for part in parts)
        case _:
            return _about(claim) == _about(finding)


def _speaks_of(name: str, text: str) -> bool:
    simple_name = re.escape(name.rpartition(".")[2])
    whole_name = rf"(?<!\w){simple_name}(?!\w)"
    return re.search(whole_name, text) is not None


def _shared_words(first: str, second: str) -> bool:
    first_words = set(re.findall(r"[a-z]{5,}", first.lower()))
    second_words = set(re.findall(r"[a-z]{5,}", second.lower()))
    # Three long words in common are more than chance gives to two short texts.
    return len(first_words & second_words) >= 3


def _common_code(narrative: str, findings: str) -> list[str]:
    pieces = dict.fromkeys(_CODE.findall(findings))
    return [piece for piece in pieces if f"`{piece}`" in narrative]
