"""The Adversary played by a model: a report that leaves a claim out or cites unread lines is sent
back.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping

from goldwright.agents.roles import AdversaryWork
from goldwright.agents.toolset import Toolset
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import RoleClient
from goldwright.live_agents.tool_loop import Brief
from goldwright.live_agents.untrusted_markers import masked, strings_of, suspected
from goldwright.llm.reply_parsing import ReplyError, read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.records import AnswerDraft, Claim, ReportDraft, claims_of

MOST_NAMED = 8


class LiveAdversary:
    """Has a model attack one answer claim by claim."""

    def __init__(self, client: RoleClient, renderer: OutputRenderer) -> None:
        self.identity = client.identity
        self._client = client
        self._renderer = renderer

    async def play(self, work: AdversaryWork, toolset: Toolset) -> ReportDraft:
        """Ask for a report on one answer."""
        item = f"adversary:{work.candidate.query_id}"
        claims = {claim.claim_id: claim for claim in claims_of(work.answer)}
        given = masked(work.answer.model_dump(mode="json", include=set(AnswerDraft.model_fields)))
        for flag in suspected(
            "the answer", "\n".join(strings_of([work.candidate.query_text, given]))
        ):
            toolset.flag(flag)
        values = {
            "query": json.dumps(masked(work.candidate.query_text)),
            "answer": json.dumps(given),
            "claims": "\n".join(
                json.dumps(masked(claim.model_dump(mode="json"))) for claim in claims.values()
            ),
            "lessons": self._client.lessons,
        }
        rules, task = self._client.prompts.halves("adversary", values)
        brief = Brief(
            item=item,
            model=self._client.model,
            system=rules,
            task=task,
            schema=reply_schema(ReportDraft),
            read=lambda text: _checked(read_reply(text, ReportDraft), claims, toolset),
        )
        return await self._client.play(brief, self._client.toolbox(item, toolset, self._renderer))


def _checked(report: ReportDraft, claims: Mapping[str, Claim], toolset: Toolset) -> ReportDraft:
    """Give a report whose verdicts cover all claims by their ids, each with lines that were shown.

    The wording of a claim is ours to write: only its id is taken from the model.

    Raises:
        ReplyError: It does not; the text says which verdicts to mend.
    """
    problems = [*_uncovered(report, claims), *_unread(report, toolset)]
    if problems:
        more = f" (and {len(problems) - MOST_NAMED} more)" if len(problems) > MOST_NAMED else ""
        raise ReplyError("; ".join(problems[:MOST_NAMED]) + more)
    for flag in suspected("the findings", report.findings):
        toolset.flag(flag)
    verdicts = tuple(
        verdict.model_copy(update=dict(claims[verdict.claim_id]))
        for verdict in report.claim_verdicts
    )
    return report.model_copy(update={"claim_verdicts": verdicts})


def _uncovered(report: ReportDraft, claims: Mapping[str, Claim]) -> Iterator[str]:
    given = Counter(verdict.claim_id for verdict in report.claim_verdicts)
    yield from (f"no verdict on {one}" for one in claims if one not in given)
    yield from (f"{count} verdicts on {one}" for one, count in given.items() if count > 1)
    yield from (f"there is no claim {one[:40]!r}" for one in given if one not in claims)


def _unread(report: ReportDraft, toolset: Toolset) -> Iterator[str]:
    for verdict in report.claim_verdicts:
        if not toolset.has_shown(verdict.citation):
            yield f"the citation of {verdict.claim_id[:40]} ({verdict.citation}) is not all lines you were shown"
