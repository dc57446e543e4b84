"""Whether an Adversary caught a canary."""

from goldwright.canaries.mutations import FalsifiedAnswer
from goldwright.records import ReportDraft


def is_caught(falsified: FalsifiedAnswer, report: ReportDraft) -> bool:
    """Whether a report sees what is wrong with an answer; its other findings do not count.

    It does where it refuses one of the claims that are wrong, names the entity that was left out,
    or, where all claims are true and the question is missed, objects to the answer as a whole.
    """
    if falsified.left_out in report.missed_entities:
        return True
    if falsified.kind == "missed_question" and report.blocking_issues:
        return True
    claim_ids = (falsified.claim_id, *falsified.other_claims)
    return any(_is_refused(claim_id, report) for claim_id in claim_ids)


def _is_refused(claim_id: str, report: ReportDraft) -> bool:
    on_claim = [verdict for verdict in report.claim_verdicts if verdict.claim_id == claim_id]
    verdicts = {verdict.verdict for verdict in on_claim}
    # A report without a verdict on the claim has not looked at it.
    return bool(verdicts) and "supported" not in verdicts
