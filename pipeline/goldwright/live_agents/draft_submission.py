"""Handing work in: drafts are read and checked within the conversation that wrote them.

A model hands its draft in by the tool ``submit``, or as text. What a program finds wrong with it
goes back into the conversation, with the codes of the checks, where a model can still look and
mend. The tools carry the schema of the draft: a schema of the reply itself beside open tools makes
some servers answer at once and call nothing.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from goldwright.agents.roles import Findings
from goldwright.llm.port import Tool, ToolResult, ToolUse
from goldwright.llm.reply_parsing import ReplyError
from goldwright.records import CheckFailure
from goldwright.scanners.secrets import mask_secrets

T = TypeVar("T")

SUBMIT: Final = "submit"
CHECK_DRAFT: Final = "check_draft"
DRAFT: Final = "draft"
"""The argument of both tools."""

# A draft that a check still objects to is handed on as it is: the stage behind decides.
MOST_RETURNS: Final = 3
# Drafts that are only shown to the checks; whoever has seen so many findings is to hand in.
MOST_CHECKS: Final = 6
# Findings that are named; further ones are counted, and seldom stand alone.
MOST_FINDINGS: Final = 12

UNREADABLE: Final = "unreadable"
"""The kind of slip of a draft that is no such object at all."""

NO_FINDINGS: Final = "No findings. Hand it in: call submit with draft null."
NO_DRAFT: Final = "no draft was checked yet, so draft null stands for nothing"

_SUBMIT_DESCRIPTION: Final = "Hand in your draft; it is checked, and what is wrong comes back."
_NULL_DESCRIPTION: Final = " null hands in the draft that check_draft saw last."
_CHECK_DESCRIPTION: Final = (
    "Have programs check a draft as they will check it once it is handed in. Ends nothing."
)


class DraftReview(Protocol[T]):
    """What programs have to say of drafts."""

    @property
    def advice(self) -> str:
        """What to do about findings, in a sentence."""
        ...

    def findings(self, draft: T) -> Findings:
        """Give what is wrong with a draft."""
        ...

    def take(self, draft: T) -> T:
        """Take what is good of a draft that comes back; gives all that there is so far."""
        ...


@dataclass(frozen=True, slots=True)
class WholeDraftReview(Generic[T]):
    """A review of drafts that are good or bad as a whole."""

    check: Callable[[T], Findings]
    advice: str

    def findings(self, draft: T) -> Findings:
        """Give what the check finds."""
        return self.check(draft)

    def take(self, draft: T) -> T:
        """Take nothing of it: the next draft replaces it."""
        return draft


class ReturnedDraftError(Exception):
    """A draft goes back to who wrote it; the text says what to mend."""


class DraftSubmission(Generic[T]):
    """The drafts of one conversation.

    Attributes:
        tools: The tools for handing in, as they are declared to the model.
    """

    def __init__(
        self,
        schema: Mapping[str, Any],
        parse: Callable[[str], T],
        review: DraftReview[T] | None,
        on_slip: Callable[[str], None],
    ) -> None:
        self.tools = declare_submission(schema, is_checked=review is not None)
        self._parse = parse
        self._review = review
        self._on_slip = on_slip
        self._last_checked: T | None = None
        self._uses: Counter[str] = Counter()

    def check(self, use: ToolUse) -> ToolResult:
        """Run the call of a check: its result lists the findings."""
        self._uses[CHECK_DRAFT] += 1
        if self._uses[CHECK_DRAFT] > MOST_CHECKS:
            return _error(use, f"a draft is checked {MOST_CHECKS} times at most; call submit")
        try:
            draft = self._parse(_text_of(use))
        except ReplyError as problem:
            return _error(use, str(problem))
        self._last_checked = draft
        findings = () if self._review is None else self._review.findings(draft)
        text = list_findings(findings) or NO_FINDINGS
        return ToolResult(use.call_id, use.name, text)

    def take_call(self, use: ToolUse) -> T:
        """Take the draft of a call of ``submit``.

        Raises:
            ReplyError: It cannot be read.
            ReturnedDraftError: It was read, and has to be mended.
        """
        if use.arguments == {DRAFT: None}:
            if self._last_checked is None:
                raise ReplyError(NO_DRAFT)
            return self._take(self._last_checked)
        return self.take_text(_text_of(use))

    def take_text(self, text: str) -> T:
        """Take a draft that was handed in as text; errors as in ``take_call``."""
        try:
            draft = self._parse(text)
        except ReplyError:
            self._on_slip(UNREADABLE)
            raise
        return self._take(draft)

    def _take(self, draft: T) -> T:
        review = self._review
        if review is None:
            return draft
        findings = review.findings(draft)
        taken_draft = review.take(draft)
        for code in dict.fromkeys(finding.check for finding in findings):
            self._on_slip(code)
        self._uses[SUBMIT] += 1
        if findings and self._uses[SUBMIT] <= MOST_RETURNS:
            raise ReturnedDraftError(f"{list_findings(findings)}\n{review.advice}")
        return taken_draft


def declare_submission(schema: Mapping[str, Any], *, is_checked: bool) -> tuple[Tool, ...]:
    """Declare ``submit``, and ``check_draft`` before it where programs can check a draft."""
    if not is_checked:
        return (Tool(SUBMIT, _SUBMIT_DESCRIPTION, _arguments(schema)),)
    or_null = {"anyOf": [dict(schema), {"type": "null"}]}
    return (
        Tool(CHECK_DRAFT, _CHECK_DESCRIPTION, _arguments(schema)),
        Tool(SUBMIT, _SUBMIT_DESCRIPTION + _NULL_DESCRIPTION, _arguments(or_null)),
    )


def list_findings(findings: Sequence[CheckFailure]) -> str:
    """List findings for a model, a line each: the code, the claim and what is wrong."""
    lines = []
    for finding in findings[:MOST_FINDINGS]:
        text = mask_secrets(finding.message)
        lines.append(f"- {finding.check}, {finding.claim}: {text}")
    unnamed = len(findings) - MOST_FINDINGS
    if unnamed > 0:
        lines.append(f"- and {unnamed} more")
    return "\n".join(lines)


def numbered(findings: Sequence[CheckFailure], claim: str) -> Findings:
    """Give findings of one part of a draft the name of that part."""
    return tuple(finding.model_copy(update={"claim": claim}) for finding in findings)


def _arguments(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {DRAFT: dict(schema)},
        "required": [DRAFT],
        "additionalProperties": False,
    }


def _text_of(use: ToolUse) -> str:
    """Give the draft of a call as text.

    Small models leave the wrapping out and write the draft's own fields as arguments.
    """
    if use.arguments is None:
        raise ReplyError("the arguments are no JSON object")
    draft = use.arguments.get(DRAFT, use.arguments)
    if isinstance(draft, str):
        # Others put the object into a string.
        return draft
    return json.dumps(draft)


def _error(use: ToolUse, text: str) -> ToolResult:
    return ToolResult(use.call_id, use.name, text, is_error=True)
