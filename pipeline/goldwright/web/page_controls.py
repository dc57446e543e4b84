"""The buttons of the review page: their keys, their labels, and what the help says of them."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ChoiceButton:
    """A button that writes a verdict or decision and goes on to the next record.

    Attributes:
        key: The key that presses it.
        value: The verdict or decision, as records write it.
        label: What stands on it.
        meaning: What the help says of it.
        note_prompt: The message when it is pressed without a note (or, for a verdict, a claim that
            is marked); None where neither is needed.
    """

    key: str
    value: str
    label: str
    meaning: str
    note_prompt: str | None = None


@dataclass(frozen=True, slots=True)
class ToolButton:
    """Any other button with a key.

    Attributes:
        key: The key that presses it.
        action: What the script of the page does.
        label: What stands on it.
        meaning: What the help says of it.
        spoken_name: Its name for those who hear the button without what stands around it.
    """

    key: str
    action: str
    label: str
    meaning: str
    spoken_name: str | None = None


# The note has the focus when this is read, so that a key alone would be written into it.
_SAY_WHAT_IS_WRONG: Final = (
    "Write what is wrong, then press Enter and {0} again; or press Esc, mark a claim (x), and "
    "press {0}."
)
VERDICT_CHOICES: Final = (
    ChoiceButton("1", "correct", "Correct", "nothing in it is wrong"),
    ChoiceButton("2", "minor_issue", "Minor issue", "right in substance, something small to mend"),
    ChoiceButton(
        key="3",
        value="major_issue",
        label="Major issue",
        meaning="a claim misleads",
        note_prompt=_SAY_WHAT_IS_WRONG.format(3),
    ),
    ChoiceButton(
        key="4",
        value="wrong",
        label="Wrong",
        meaning="it does not answer the question",
        note_prompt=_SAY_WHAT_IS_WRONG.format(4),
    ),
)
# 2 stays free, so that 4 takes a record out in both lists.
DECISION_CHOICES: Final = (
    ChoiceButton("1", "keep", "Keep", "it is good as it stands, and takes its place in the batch"),
    ChoiceButton(
        key="3",
        value="retry",
        label="Try again with a hint",
        meaning="the Oracle answers again, and is told your hint",
        note_prompt="Write a hint for the Oracle, then press Enter and 3 again.",
    ),
    ChoiceButton(
        key="4",
        value="drop",
        label="Drop",
        meaning="it is taken out, for the reason you write",
        note_prompt="Write why it goes, then press Enter and 4 again.",
    ),
)
# Another attempt would replace the answer that an adopted record came with.
ADOPTED_CHOICES: Final = tuple(choice for choice in DECISION_CHOICES if choice.value != "retry")

_NEXT_CLAIM: Final = ToolButton(
    key="j",
    action="next-claim",
    label="next",
    meaning="next claim; its lines are marked in the source",
    spoken_name="next claim",
)
_PREVIOUS_CLAIM: Final = ToolButton(
    key="k",
    action="previous-claim",
    label="prev.",
    meaning="previous claim",
    spoken_name="previous claim",
)
_DISPUTE: Final = ToolButton(
    key="x",
    action="dispute",
    label="at fault",
    meaning=(
        "this claim is at fault, be it the question or the tier: kept with your verdict, "
        "and told to the agents after a breach"
    ),
)
_EDIT_BEFORE_VERDICT: Final = ToolButton(
    key="e",
    action="edit",
    label="edit",
    meaning=(
        "edit the claim you are at, be it fact, entity, lines or narrative; "
        "a changed record is a minor issue at the least"
    ),
)
_EDIT_BEFORE_DECISION: Final = ToolButton(
    "e", "edit", "edit", "edit the claim you are at, be it fact, entity, lines or narrative"
)
_QUESTION: Final = ToolButton(
    key="w",
    action="reword",
    label="question",
    meaning="change the wording of the question",
    spoken_name="change the wording of the question",
)
_FIND: Final = ToolButton(
    key="/",
    action="find",
    label="search",
    meaning="search the codebase, open any file of it, add an entity",
    spoken_name="search the codebase",
)
_HELP: Final = ToolButton("?", "help", "help", "this help; Esc closes it")
_ON_EVERY_RECORD: Final = (
    _QUESTION,
    _FIND,
    ToolButton("u", "undo", "undo", "take your last word back"),
    ToolButton("p", "previous", "back", "the record before, without a word on this one"),
    ToolButton("s", "following", "skip", "the record after, without a word on this one"),
    _HELP,
)

CONFIRM_LOOK: Final = ToolButton(
    key="l",
    action="confirm-look",
    label="looked",
    meaning="you have looked at the old and the new code of the next changed claim",
    spoken_name="I have looked at the changed code",
)

ALSO_RIGHT: Final = ToolButton(
    key="a",
    action="also-right",
    label="also right",
    meaning="expect the first of the entities that searches found and the answer does not name",
    spoken_name="the first entity that searches found is right too",
)

VERDICT_TOOLS: Final = (
    _NEXT_CLAIM,
    _PREVIOUS_CLAIM,
    _DISPUTE,
    _EDIT_BEFORE_VERDICT,
    *_ON_EVERY_RECORD,
)
DECISION_TOOLS: Final = (_NEXT_CLAIM, _PREVIOUS_CLAIM, _EDIT_BEFORE_DECISION, *_ON_EVERY_RECORD)
_END_PRACTICE: Final = ToolButton(
    key="t",
    action="skip-training",
    label="end practice",
    meaning="end the practice records and begin the review; what you said of them stays",
)
_FIND_IN_PRACTICE: Final = ToolButton(
    key="/",
    action="find",
    label="search",
    meaning="search the codebase, open any file of it",
    spoken_name="search the codebase",
)
PRACTICE_TOOLS: Final = (
    _NEXT_CLAIM,
    _PREVIOUS_CLAIM,
    _DISPUTE,
    _FIND_IN_PRACTICE,
    _END_PRACTICE,
    _HELP,
)
FEEDBACK_TOOLS: Final = (
    ToolButton("s", "following", "on", "on with the next practice record"),
    _NEXT_CLAIM,
    _PREVIOUS_CLAIM,
    _FIND_IN_PRACTICE,
    _END_PRACTICE,
    _HELP,
)
LAST_FEEDBACK_TOOLS: Final = (
    ToolButton("s", "training-summary", "on", "how many of your words were right"),
    _NEXT_CLAIM,
    _PREVIOUS_CLAIM,
    _FIND_IN_PRACTICE,
    _HELP,
)
OFFER_TOOLS: Final = (
    ToolButton("t", "begin-training", "practise", "begin with the practice records"),
    ToolButton("s", "skip-training", "skip", "go to the review at once"),
    _HELP,
)
SUMMARY_TOOLS: Final = (
    ToolButton("s", "resume", "on to the review", "the first record of the review"),
    ToolButton("t", "begin-training", "practise again", "practise on other records"),
    _HELP,
)
OVERVIEW_TOOLS: Final = (
    ToolButton("s", "resume", "on with the next open record", "the next record without a word"),
    _HELP,
)
AGREEMENT_TOOLS: Final = (
    ToolButton("s", "resume", "on with the next open record", "the next record without a word"),
    ToolButton("o", "overview", "overview", "overview of the records to review"),
    _HELP,
)
END_TOOLS: Final = (
    ToolButton("u", "undo", "undo the last word", "take your last word back"),
    ToolButton("o", "overview", "overview", "overview of the records to review"),
    ToolButton("s", "resume", "look again", "look whether there is more by now"),
    _HELP,
)
