"""The offline Judge: says whether a narrative and what the Adversary found tell the same story."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.agents.roles import JudgeWork
from goldwright.records import NarrativeVerdictDraft

Outcome = Literal["raises", "drops", "never"]

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`“\"])")
_CODE: Final = re.compile(r"`([^`]+)`")
_EXCEPTION: Final = re.compile(
    r"\b(?:\w+\.)*([A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|NotFound|Required|Invalid))\b"
)
_RAISING: Final = re.compile(
    r"\b(?:rais|throw|fail(?:s|ed)? with|gives? up with|answers? with|comes? out)", re.IGNORECASE
)
_DROPPING: Final = re.compile(
    r"\b(?:swallow|drop(?:s|ped)?\b|ignor|suppress|silenc|discard|neither logged|without a (?:word|trace)|silently)",
    re.IGNORECASE,
)
_NOT: Final = re.compile(
    r"\b(?:never|not|no|does not|doesn't|without)\b[^.;,]{0,24}$", re.IGNORECASE
)
_CALL: Final = re.compile(
    r"`([\w.]+)`\s+(?:directly\s+)?(?:calls|invokes|delegates to|turns to|relies on|hands [\w ]*to|passes on to)\s+`([\w.]+)`"
)
_CALLED_BY: Final = re.compile(r"`([\w.]+)`\s+is (?:directly )?(?:called|invoked) by\s+`([\w.]+)`")
_STATE: Final = re.compile(
    r"`([^`]+)`\s+(is not `None`|is `None`|is falsy|is truthy|is not in|is in|does not hold|holds|equals|differs from|is no instance|is an instance)"
)
_OPPOSITE: Final = {
    "is not `None`": "is `None`", "is falsy": "is truthy", "is not in": "is in", "does not hold": "holds",
    "differs from": "equals", "is no instance": "is an instance",
}  # fmt: skip
_RESULT: Final = re.compile(
    r"(?:returns|hands back|gives back|the result is|yields)\s+`([^`]+)`", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Assertion:
    """What a text says of one thing (an exception, a value) under conditions, each with its
    polarity.
    """

    outcome: str
    thing: str
    states: frozenset[tuple[str, str]]


class OfflineJudge:
    """Compares by rules: exceptions and what becomes of them, conditions and their polarity, who
    calls whom.
    """

    identity = "agent:judge:offline-1"

    async def play(self, work: JudgeWork) -> NarrativeVerdictDraft:
        """Compare the two texts; in doubt between two verdicts, the worse one is given."""
        reason = next(_contradictions(work.narrative, work.findings), None)
        if reason:
            return NarrativeVerdictDraft(verdict="significant_divergence", reason=reason)
        reason = next(_gaps(work.narrative, work.findings), None)
        if reason:
            return NarrativeVerdictDraft(verdict="minor_divergence", reason=reason)
        return NarrativeVerdictDraft(
            verdict="equivalent", reason=_agreement(work.narrative, work.findings)
        )


def _contradictions(narrative: str, findings: str) -> Iterator[str]:
    said, found = list(_assertions(narrative)), list(_assertions(findings))
    yield from _opposed_outcomes(said, found)
    yield from _opposed_conditions(said, found)
    raised, seen = (
        {one.thing for one in side if one.outcome == "raises"} for side in (said, found)
    )
    if raised and seen and raised.isdisjoint(seen):
        yield f"The narrative has {_some(raised)} raised, the findings {_some(seen)}."
    backwards = {(callee, caller) for caller, callee in _calls(narrative)} & _calls(findings)
    backwards -= _calls(narrative)
    if backwards:
        caller, callee = min(backwards)
        yield f"The findings have {caller} call {callee}; the narrative has it the other way round."


def _opposed_outcomes(said: list[Assertion], found: list[Assertion]) -> Iterator[str]:
    against = {("raises", "drops"), ("drops", "raises"), ("raises", "never"), ("never", "raises")}
    for thing in dict.fromkeys(one.thing for one in said):
        told, seen = ({one.outcome for one in side if one.thing == thing} for side in (said, found))
        if told.isdisjoint(seen) and any((one, other) in against for one in told for other in seen):
            words = {"raises": "raised", "drops": "dropped", "never": "never raised"}
            yield f"In the narrative {thing} is {words[min(told)]}, in the findings it is {words[min(seen)]}."


def _opposed_conditions(said: list[Assertion], found: list[Assertion]) -> Iterator[str]:
    for one in said:
        same = [
            other for other in found if (other.outcome, other.thing) == (one.outcome, one.thing)
        ]
        flipped = frozenset((code, "-" if sign == "+" else "+") for code, sign in one.states)
        if (
            same
            and not any(other.states & one.states for other in same)
            and any(other.states & flipped for other in same)
        ):
            yield f"The narrative turns the condition under which {one.thing} comes about into its opposite."


def _gaps(narrative: str, findings: str) -> Iterator[str]:
    subjects = list(dict.fromkeys(re.findall(r"`([\w.]+)`", findings)))
    if subjects and not _speaks_of(subjects[0], narrative):
        yield f"The findings are about {subjects[0]}, which the narrative does not speak of."
    if len(narrative.split()) < 20:
        yield "The narrative is too short to say what was found."
    if not subjects and not _shared_words(narrative, findings):
        yield "The two texts hardly share a word."


def _speaks_of(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name.rpartition('.')[2])}(?!\w)", text) is not None


def _shared_words(one: str, other: str) -> bool:
    first, second = (set(re.findall(r"[a-z]{5,}", text.lower())) for text in (one, other))
    return len(first & second) >= 3


def _agreement(narrative: str, findings: str) -> str:
    common = [name for name in dict.fromkeys(_CODE.findall(findings)) if f"`{name}`" in narrative]
    if common:
        return f"Both tell the same of {_some(common[:3])}, and nothing in one rules out the other."
    return "Nothing in one text rules out the other."


def _assertions(text: str) -> Iterator[Assertion]:
    for sentence in _SENTENCE.split(text):
        states = frozenset(_states(sentence))
        for match in _EXCEPTION.finditer(sentence):
            outcome = _outcome(sentence, match.start())
            if outcome:
                yield Assertion(outcome, match[1], states)
        for match in _RESULT.finditer(sentence):
            yield Assertion("returns", match[1], states)


def _outcome(sentence: str, place: int) -> Outcome | None:
    """What the words before an exception's name make of it; the nearest verb decides."""
    before = sentence[:place]
    if _is_condition(before):
        return None
    raising = max((match.start() for match in _RAISING.finditer(before)), default=-1)
    dropping = max((match.start() for match in _DROPPING.finditer(sentence)), default=-1)
    if raising < 0 and dropping < 0:
        return None
    if dropping >= 0 and (raising < 0 or dropping > raising):
        return (
            "raises"
            if _NOT.search(sentence[:dropping])
            and "without" not in sentence[dropping : dropping + 8]
            else "drops"
        )
    return "never" if _NOT.search(before[:raising]) else "raises"


def _is_condition(before: str) -> bool:
    return (
        re.search(
            r"(?:after catching|catch(?:es|ing)?|handl(?:es|ing)|instead of|rather than|except(?: for)?)\s+`?(?:\w+\.)*$",
            before,
        )
        is not None
    )


def _states(sentence: str) -> Iterator[tuple[str, str]]:
    for code, state in _STATE.findall(sentence):
        yield code, "-" if state in _OPPOSITE else "+"


def _calls(text: str) -> set[tuple[str, str]]:
    plain = {(caller, callee.rpartition(".")[2]) for caller, callee in _CALL.findall(text)}
    turned = {(caller, callee) for callee, caller in _CALLED_BY.findall(text)}
    return {(_last(caller), _last(callee)) for caller, callee in plain | turned}


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _some(names: object) -> str:
    listed = (
        sorted(names) if isinstance(names, set) else list(names) if isinstance(names, list) else []
    )
    return ", ".join(listed[:3])
