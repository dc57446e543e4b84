"""Two Adversaries whose reports are joined to one."""

import asyncio
from dataclasses import dataclass, field
from typing import cast

import pytest

from goldwright.agents.paired_adversary import PairedAdversary, joined_report, paired_identity
from goldwright.agents.roles import AdversaryWork
from goldwright.agents.toolset import Toolset
from goldwright.records import (
    AnswerDraft,
    ClaimVerdict,
    FileRange,
    QueryCandidate,
    ReportDraft,
    SupportVerdict,
)
from goldwright.snapshot import Snapshot

PLACE = FileRange(file="a.py", start=1, end=1)
VERDICTS: tuple[SupportVerdict, ...] = ("supported", "partial", "unsupported")


def report(verdict: SupportVerdict, words: str, *, missed: tuple[str, ...] = ()) -> ReportDraft:
    claim = ClaimVerdict(
        claim_id="fact-1",
        claim_type="must_mention_fact",
        claim="It works.",
        verdict=verdict,
        citation=PLACE,
        note=words,
    )
    return ReportDraft(
        claim_verdicts=(claim,),
        overall_verdict=verdict,
        blocking_issues=(words,),
        missed_entities=missed,
        findings=words,
    )


@pytest.mark.parametrize("first", VERDICTS)
@pytest.mark.parametrize("second", VERDICTS)
def test_of_every_claim_the_worse_verdict_counts_with_its_own_reason(
    first: SupportVerdict, second: SupportVerdict
) -> None:
    joined = joined_report(report(first, "I"), report(second, "II"))
    worse = max(first, second, key=VERDICTS.index)
    (verdict,) = joined.claim_verdicts
    assert (verdict.verdict, joined.overall_verdict) == (worse, worse)
    assert verdict.note == ("I" if first == worse else "II")


def test_the_objections_of_both_are_kept_and_none_twice() -> None:
    one = report("supported", "I", missed=("a.py::f", "a.py::g"))
    other = report("supported", "I", missed=("a.py::g", "a.py::h"))
    joined = joined_report(one, other)
    assert joined.blocking_issues == ("I",)
    assert joined.missed_entities == ("a.py::f", "a.py::g", "a.py::h")
    assert joined.findings == "I\n\nI"


@dataclass
class Scripted:
    """An Adversary that finds one thing, and keeps the tools that it was given."""

    identity: str
    found: ReportDraft
    toolsets: list[Toolset] = field(default_factory=list)

    async def play(self, _work: AdversaryWork, toolset: Toolset) -> ReportDraft:
        self.toolsets.append(toolset)
        toolset.flag(self.identity)
        return self.found


def test_each_has_tools_of_its_own_and_all_that_they_showed_is_kept() -> None:
    first = Scripted("agent:adversary:a", report("supported", "I"))
    second = Scripted("agent:adversary:b", report("unsupported", "II"))
    toolset = Toolset(cast("Snapshot", None), frozenset({"read"}))
    work = AdversaryWork(cast("QueryCandidate", None), cast("AnswerDraft", None))
    joined = asyncio.run(PairedAdversary(first, second).play(work, toolset))
    assert joined.overall_verdict == "unsupported"
    assert first.toolsets == [toolset]
    (own_toolset,) = second.toolsets
    assert own_toolset is not toolset
    assert own_toolset.tools == toolset.tools
    assert own_toolset.flags == ("agent:adversary:b",)
    assert toolset.flags == ("agent:adversary:a", "agent:adversary:b")


def test_both_are_named() -> None:
    assert paired_identity("agent:adversary:a", "agent:adversary:b:7b") == "agent:adversary:a+b:7b"
