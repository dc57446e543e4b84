"""Extend: what it takes to add one more."""

from typing import Final

from goldwright.task_types.definition import MANY, TaskTypeDefinition, TierRule

_PHRASINGS: Final = {
    # One more member of a family of classes.
    "extend_family": (
        "I want to support another kind of {noun}. What do I have to implement?",
        "How do I add a new {noun}?",
        "What does it take to write {a_noun} of our own?",
        "We need one more {noun}. Which parts of the existing ones do I have to follow?",
        "Where would a new {noun} go, and what must it provide?",
        "Is there a recipe for adding {a_noun}?",
        "Can I plug in my own {noun}? Which methods are needed?",
        (
            "My team wants a custom {noun}. What is the contract, "
            "and which existing ones show it best?"
        ),
        "Which methods must a new {noun} override so that the rest keeps working?",
        "Suppose we ship another {noun} next month. What has to be written, and where?",
        "Planning to add {a_noun}: what do the existing {nouns} have in common?",
        "Before writing yet another {noun}, which examples should I copy from?",
        "Need to teach the system a new kind of {noun}. Where does that touch the code?",
        "Has anyone added {a_noun} lately? What all did you have to touch?",
        "If a plug-in brought its own {noun}, what would it have to implement?",
        "A customer asks for their own {noun}. What would we have to build?",
    ),
    # The same, with existing members named as examples.
    "extend_like": (
        "I'd like another {noun} next to the {examples} ones. What do I have to implement?",
        "We have {nouns} for {examples}. How do I add one for something else?",
        "How would I write one more {noun}, along the lines of the {example} one?",
        "What must a new {noun} provide to work like the {examples} ones?",
        "Which methods do the {examples} {nouns} override, and which would mine need?",
        "Besides {examples}, we want to support another {noun}. Where does it go?",
        "Can you show me how to add {a_noun}, with the {examples} ones as a model?",
        "Adding {a_noun} to the {examples} ones: what is the minimum I have to write?",
        "My feature needs its own {noun}, similar to the {example} one. What is expected of it?",
        (
            "Is it enough to subclass something to get a new {noun} like the {example} one, "
            "or is there more to do?"
        ),
        "Looking at the {examples} {nouns}, what would a third-party one have to look like?",
        (
            "For a new project I need yet another {noun}; "
            "the {examples} ones don't fit. What do I have to write?"
        ),
        "Someone asked for a new {noun} beside {examples}. How much work is that, and where?",
        "The {examples} {nouns} are close to what I need. How do I add my own kind?",
        "Our fork needs {a_noun} of a new kind. How were the {examples} ones done?",
        "To add one more {noun} after {examples}, which pieces do I copy and which do I change?",
    ),
    # A value that has to be handed down from one function to another, layer by layer.
    "extend_layers": (
        (
            "We need an option on {gerund} that is still known when it comes to {gerund2}. "
            "What has to hand it on?"
        ),
        "How would I pass extra information from {gerund} all the way down to {gerund2}?",
        "I'd like a new setting to travel from {gerund} to {gerund2}. Which layers need to change?",
        "What has to change on the way from {gerund} to {gerund2} to carry one more argument?",
        "Where do I have to add a parameter so that {gerund2} can depend on how we {base}?",
        "Suppose {gerund2} should depend on who asked to {base}. Which functions pass that along?",
        "To make {gerund2} configurable from the code that {third}, which signatures must grow?",
        "A per-call flag should reach {gerund2} whenever we {base}. What do I have to touch?",
    ),
    # One more option of a function, which its callers have to know about.
    "extend_option": (
        "What else must change if the code that {third} takes one more option?",
        "I want to pass an extra argument through to the code that {third}. Who calls it?",
        "We'd like to make it configurable how we {base}. Which callers have to change?",
        "How would I add an option to the code that {third} without breaking its callers?",
        "Suppose {gerund} needed one more parameter. Which call sites would have to supply it?",
        "Which places have to be touched to give {gerund} a new setting?",
        "Can I extend the code that {third}, and who relies on its current signature?",
        "If {gerund} had to support a second mode, what would need to know about it?",
        (
            "My feature needs {gerund} to behave differently on request. "
            "What has to be threaded through?"
        ),
        "Adding a flag that changes how we {base}: which functions need to hand it down?",
        "Where would I have to thread a new parameter through so that we can {base} differently?",
        "Is it safe to change the signature of what {third}? Who depends on it?",
        "Planning a new option for {gerund}. Which callers should I go through?",
        "To let callers control how we {base}, which functions get a new argument?",
        "Before I add a parameter to the code that {third}: where is it used?",
        "A second variant of {gerund} is on the roadmap. What would it have to fit in with?",
        "There's a wish to customise {gerund}. Where would the hook go, and who has to pass it on?",
        "Someone wants {gerund} to be optional. Which code has to learn about that?",
        "Need {gerund} to take a callback. Which callers are affected?",
        (
            "Let's say we {base} differently per user. "
            "Which functions would need the extra information?"
        ),
        "Could we make {gerund} asynchronous? I'd like to know every place that would notice.",
        "Who else is affected when I extend the code that {third} with another argument?",
    ),
}

EXTEND: Final = TaskTypeDefinition(
    name="extend",
    tiers={
        "easy": TierRule(entities=(2, 4), files=(1, 1), bond="linked"),
        # What must change together is held together by a value, a name or a registry as often as
        # by a call or a base class: places that branch on the same value know nothing of one
        # another. A contract with all who fulfil it may stand in one file.
        "medium": TierRule(entities=(2, 6), files=(1, 3)),
        "hard": TierRule(entities=(3, MANY), files=(2, MANY)),
    },
    may_name_target_when_easy=True,
    hides_file_named_after_target=False,
    reads_history=False,
    phrasings=_PHRASINGS,
    opening_for_one=(
        "Take `{name}` in {path} as the pattern.",
        "A new one is modelled on `{name}` in {path}.",
    ),
    opening_for_several=(
        "A new one follows the pattern that `{name}` in {path} sets and that {others} show.",
        "Begin with `{name}` in {path}; {others} are what a new one has to fit in with.",
        "The contract is in `{name}` in {path}, and {others} show how it is kept.",
    ),
)
