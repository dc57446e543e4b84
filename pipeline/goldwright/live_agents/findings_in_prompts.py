"""What people found wrong with earlier batches, as prompts tell it to every role."""

from collections.abc import Iterable

from goldwright.live_agents.untrusted_markers import masked_json
from goldwright.prompts import NOTHING


def findings_in_prompt(findings: Iterable[str]) -> str:
    """Write findings as a list for a prompt."""
    lines = [f"- {masked_json(finding)}" for finding in findings]
    return "\n".join(lines) or NOTHING
