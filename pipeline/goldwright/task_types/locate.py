"""Locate: where something is done."""

from typing import Final

from goldwright.task_types.definition import TaskTypeDefinition, TierRule

_PHRASINGS: Final = {
    # One function.
    "locate": (
        "Where do we {base}?",
        "Which part of the code {third}?",
        "I need to change how we {base} - where is that?",
        "A new engineer wants to see how we {base}; where should they start?",
        "Looking for the bit that {third}.",
        "What's responsible for {gerund}?",
        "Can somebody point me at the code that {third}?",
        "Show me the code that {third}.",
        "Is there already something that {third}?",
        "Trying to find the place where we {base}.",
        "Need a pointer: which function {third}?",
        "In which file do we {base}?",
        "Somewhere we {base}. Where exactly?",
        "Do we have a function that {third}, and where does it live?",
        "If I wanted to tweak how we {base}, which function would I open?",
        "Has anyone seen the code for {gerund}?",
        "{Gerund}: where does that happen?",
        "Onboarding question: where does {gerund} happen?",
        "Before I write my own, is there a function here that {third}?",
        "Help me find the code for {gerund}.",
        "My change touches {gerund}. Which function is it?",
        "There must be some code that {third} - where is it?",
        "Could you show me where we {base}?",
        "Please point me to the function that {third}.",
        "Who knows where the code for {gerund} lives?",
        "We {base} somewhere in this repo; which function does it?",
        "Whereabouts in the code do we {base}?",
        "Any idea where we {base}?",
        "Reading through the code, I can't find where we {base}.",
        "How do I find the code that {third}?",
        "I'd like to put a breakpoint where we {base}. Which function is that?",
        "To log every time we {base}, which function would I touch?",
    ),
    # Several functions that do something together.
    "locate_feature": (
        "Show me all the code involved in {gerund}.",
        "Which pieces work together when we {base}?",
        "I have to rework how we {base} - which parts of the code is that spread over?",
        "Where does everything needed for {gerund} live?",
        "A new colleague will own {gerund}. Which functions should they read first?",
        "What are all the places that take part in {gerund}?",
        "List the functions that together {base}, please.",
        "{Gerund} seems to be spread over several modules. Which ones?",
        "Can you map out the code behind {gerund}?",
        "Not one function but a few seem to {base}. Which are they?",
        "If we moved {gerund} into a package of its own, what would go with it?",
        "Trying to collect every piece that helps to {base}.",
        "Who plays which part when we {base}? I mean which functions, in which files.",
    ),
}

LOCATE: Final = TaskTypeDefinition(
    name="locate",
    tiers={
        "easy": TierRule(entities=(1, 1), files=(1, 1)),
        "medium": TierRule(entities=(1, 1), files=(1, 1)),
        "hard": TierRule(entities=(2, 3), files=(2, 3), bond="linked"),
    },
    may_name_target_when_easy=False,
    hides_file_named_after_target=True,
    reads_history=False,
    phrasings=_PHRASINGS,
    opening_for_one=(
        "The place is `{name}` in {path}.",
        "This is done by `{name}`, in {path}.",
        "Look at `{name}` in {path}: that is where it happens.",
        "`{name}` in {path} is the code in question.",
    ),
    opening_for_several=(
        "It is spread over several places: `{name}` in {path}, and with it {others}.",
        "The code starts at `{name}` in {path}; {others} carry the rest.",
        "`{name}` in {path} does one part of it, {others} the other.",
    ),
)
