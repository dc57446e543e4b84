"""Two Adversaries that attack every answer, each without knowing of the other."""

from typing import Final

from goldwright.agents.roles import Adversary, AdversaryWork
from goldwright.agents.toolset import Toolset
from goldwright.records import ClaimVerdict, ReportDraft, SupportVerdict

_SEVERITY: Final[dict[SupportVerdict, int]] = {"supported": 0, "partial": 1, "unsupported": 2}


def paired_identity(first: str, second: str) -> str:
    """Name two agents of one role as one: ``agent:adversary:MODEL+MODEL``."""
    *_, second_model = second.split(":", 2)
    return f"{first}+{second_model}"


class PairedAdversary:
    """Refutes what one of two Adversaries refutes: an answer stands only if both let it."""

    def __init__(self, first: Adversary, second: Adversary) -> None:
        self.identity = paired_identity(first.identity, second.identity)
        self._first = first
        self._second = second

    async def play(self, work: AdversaryWork, toolset: Toolset) -> ReportDraft:
        """Have both attack an answer, one after the other, and join their reports."""
        first = await self._first.play(work, toolset)
        # With tools of its own: it may cite only what it was shown itself.
        own_toolset = Toolset(toolset.snapshot, tools=toolset.tools)
        second = await self._second.play(work, own_toolset)
        toolset.take_over(own_toolset)
        return joined_report(first, second)


def joined_report(first: ReportDraft, second: ReportDraft) -> ReportDraft:
    """Join two reports on one answer: of every claim the worse verdict, and all objections."""
    second_verdicts = {verdict.claim_id: verdict for verdict in second.claim_verdicts}
    claim_verdicts = []
    for verdict in first.claim_verdicts:
        other_verdict = second_verdicts.get(verdict.claim_id, verdict)
        claim_verdicts.append(_worse(verdict, other_verdict))
    overall_verdicts = (first.overall_verdict, second.overall_verdict)
    overall_verdict = max(overall_verdicts, key=_SEVERITY.__getitem__)
    distinct_issues = dict.fromkeys((*first.blocking_issues, *second.blocking_issues))
    distinct_entities = dict.fromkeys((*first.missed_entities, *second.missed_entities))
    findings = f"{first.findings}\n\n{second.findings}"
    return ReportDraft(
        claim_verdicts=tuple(claim_verdicts),
        overall_verdict=overall_verdict,
        blocking_issues=tuple(distinct_issues),
        missed_entities=tuple(distinct_entities),
        findings=findings,
    )


def _worse(first: ClaimVerdict, second: ClaimVerdict) -> ClaimVerdict:
    return second if _SEVERITY[second.verdict] > _SEVERITY[first.verdict] else first
