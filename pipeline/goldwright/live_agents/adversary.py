"""The Adversary played by a model.

It names claims by their ids alone; what they say is ours to write. A report that leaves a claim out
or cites lines that were not read is sent back.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from goldwright.agents.roles import AdversaryWork
from goldwright.agents.toolset import Toolset
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import RoleClient
from goldwright.live_agents.untrusted_markers import (
    describe_suspicions,
    mask_secrets_in,
    masked_json,
    strings_in,
)
from goldwright.llm.reply_parsing import ReplyError, read_reply
from goldwright.records import (
    AnswerDraft,
    Claim,
    ClaimVerdict,
    FileRange,
    Record,
    ReportDraft,
    SupportVerdict,
    claims_of,
)
from goldwright.snapshot import Snapshot
from goldwright.text import counted

MOST_PROBLEMS: Final = 8
"""Problems of a report that are named when it is sent back; further ones are counted."""

_LONGEST_CLAIM_ID: Final = 40
_LONGEST_CITATION: Final = 120
# No file has more lines than nine digits can count.
_CITATION: Final = re.compile(
    r"(?P<file>.+):L?(?P<start>\d{1,9})(?:-L?(?P<end>\d{1,9}))?", re.ASCII
)


class ClaimRuling(Record):
    """The verdict on one claim, which is named by its id, with its lines as in ``a.py:6-10``."""

    claim_id: str
    verdict: SupportVerdict
    citation: str
    note: str | None = None

    @property
    def lines(self) -> FileRange | None:
        """The cited lines; None where the citation is of no such form."""
        match = _CITATION.fullmatch(self.citation)
        if match is None:
            return None
        start = int(match["start"])
        return FileRange(file=match["file"], start=start, end=int(match["end"] or start))


class ReportReply(Record):
    """What an Adversary hands back: a report without the wording of the claims."""

    claim_verdicts: tuple[ClaimRuling, ...]
    overall_verdict: SupportVerdict
    blocking_issues: tuple[str, ...]
    missed_entities: tuple[str, ...]
    findings: str


class LiveAdversary:
    """Has a model attack one answer claim by claim."""

    def __init__(self, client: RoleClient, snapshot: Snapshot) -> None:
        self.identity = client.identity
        self._client = client
        # It decides, so text in comments and documents that speaks to models must not reach it.
        self._renderer = OutputRenderer(snapshot, hides_prose=True)

    async def play(self, work: AdversaryWork, toolset: Toolset) -> ReportDraft:
        """Ask for a report on one answer."""
        item = f"adversary:{work.candidate.query_id}"
        claims = {claim.claim_id: claim for claim in claims_of(work.answer)}
        values = self._prompt_values(work, claims, toolset)

        def read_report(text: str) -> ReportDraft:
            reply = read_reply(text, ReportReply)
            return _report_of(reply, claims, toolset)

        brief = self._client.brief(item, "adversary", values, ReportReply, read_report)
        tools = self._client.open_tools(item, toolset, self._renderer)
        return await self._client.play(brief, tools)

    def _prompt_values(
        self, work: AdversaryWork, claims: Mapping[str, Claim], toolset: Toolset
    ) -> dict[str, str]:
        """Give the values of the prompt, and flag what in the answer is addressed to a model."""
        query = work.candidate.query_text
        # A record of an answer also says who wrote it; the Adversary is not told.
        fields = set(AnswerDraft.model_fields)
        answer = mask_secrets_in(work.answer.model_dump(mode="json", include=fields))
        text = "\n".join(strings_in([query, answer]))
        for flag in describe_suspicions("the answer", text):
            toolset.flag(flag)
        listed_claims = "\n".join(_claim_line(claim) for claim in claims.values())
        return {
            "query": masked_json(query),
            "answer": json.dumps(answer),
            "claims": listed_claims,
            "lessons": self._client.lessons,
        }


def _claim_line(claim: Claim) -> str:
    return masked_json(claim.model_dump(mode="json"))


def _report_of(reply: ReportReply, claims: Mapping[str, Claim], toolset: Toolset) -> ReportDraft:
    """Make a report of a reply whose verdicts cover each claim once, with lines that were shown.

    Raises:
        ReplyError: They do not; the text says which verdicts to mend.
    """
    problems = [*_coverage_problems(reply, claims), *_citation_problems(reply, toolset)]
    if problems:
        raise ReplyError(_join_problems(problems))
    # Findings are shown to the judge, so they could carry on what was planted in the code.
    for flag in describe_suspicions("the findings", reply.findings):
        toolset.flag(flag)
    verdicts = []
    for ruling in reply.claim_verdicts:
        fields = {**dict(claims[ruling.claim_id]), **dict(ruling), "citation": ruling.lines}
        verdicts.append(ClaimVerdict.model_validate(fields))
    return ReportDraft(**{**dict(reply), "claim_verdicts": tuple(verdicts)})


def _join_problems(problems: list[str]) -> str:
    text = "; ".join(problems[:MOST_PROBLEMS])
    unnamed = len(problems) - MOST_PROBLEMS
    if unnamed > 0:
        text += f" (and {unnamed} more)"
    return text


def _coverage_problems(reply: ReportReply, claims: Mapping[str, Claim]) -> Iterator[str]:
    verdicts_by_claim = Counter(verdict.claim_id for verdict in reply.claim_verdicts)
    for claim_id in claims:
        if claim_id not in verdicts_by_claim:
            yield f"no verdict on {claim_id}"
    for claim_id, count in verdicts_by_claim.items():
        if count > 1:
            yield f"{counted(count, 'verdict')} on {claim_id}"
    for claim_id in verdicts_by_claim:
        if claim_id not in claims:
            yield f"there is no claim {claim_id[:_LONGEST_CLAIM_ID]!r}"


def _citation_problems(reply: ReportReply, toolset: Toolset) -> Iterator[str]:
    for verdict in reply.claim_verdicts:
        lines = verdict.lines
        citation = verdict.citation[:_LONGEST_CITATION]
        claim_id = verdict.claim_id[:_LONGEST_CLAIM_ID]
        if lines is None:
            yield f"the citation of {claim_id} ({citation!r}) is not of the form path.py:10-12"
        elif not toolset.has_shown(lines):
            yield f"the citation of {claim_id} ({citation}) is not all lines you were shown"
