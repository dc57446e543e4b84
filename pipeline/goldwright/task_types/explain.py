"""Explain: how something works."""

from typing import Final

from goldwright.task_types.definition import MANY, TaskTypeDefinition, TierRule

# Lines of a function that is read at one glance; the prompt of the Author says "fewer than 40".
EASY_MAX_LINES: Final = 39

_PHRASINGS: Final = {
    # One function, alone or with the helpers it calls.
    "explain": (
        "What happens, step by step, when we {base}?",
        "Walk me through {gerund}.",
        "How do we {base}?",
        "Explain how the code {third}, please.",
        "Step by step, how does the code {base}?",
        "Can you explain what goes on when we {base}?",
        "I'm trying to understand how we {base}. What are the steps?",
        "Could someone describe the steps involved in {gerund}?",
        "When we {base}, what is done in which order?",
        "In what order do things happen when we {base}?",
        "Help me understand {gerund}: which steps are there?",
        "Which steps does it take to {base}, and which helpers do them?",
        "New here - how exactly do we {base}?",
        "So we {base}, but how? I'd like the whole procedure.",
        "What's the logic behind {gerund}?",
        "Describe the algorithm we use to {base}.",
        "I keep getting lost in the code for {gerund}. How does it work?",
        "Is there a simple explanation of how we {base}?",
        "Under the hood, what does it take to {base}?",
        "The code that {third} is hard to follow. What does it do, in order?",
        "Before I refactor it: how does {gerund} actually work?",
        "Do we {base} in one go, or in several steps? What are they?",
        "Suppose we {base}. What does the code do first, and what then?",
        "{Gerund} - how is that done in detail?",
        "Why does it take several helpers to {base}, and what does each one do?",
        "Tell me how we {base}, from the first check to the result.",
        "Give me a tour of the code that {third}.",
        "For a design doc I need to describe how we {base}. What are the steps?",
        "Roughly, how does one {base} here? I'd like to know each step.",
        "Inside the code for {gerund}, who does what?",
    ),
    # A chain of calls through several modules; ``gerund2`` is the action at its end.
    "explain_flow": (
        "What happens end to end when we {base}?",
        "From {gerund} to {gerund2}: what runs in between?",
        "Trace the path from {gerund} to {gerund2}.",
        "How does a request to {base} travel through the modules?",
        "Walk me through everything that runs when we {base}, across all the modules.",
        "Follow the calls for me: what runs when we {base}?",
        "I want to draw a sequence diagram of how we {base}. Which calls, in which order?",
        "Which modules are passed through, and in what order, when we {base}?",
        "How do we get from {gerund} to {gerund2}?",
        "Between {gerund} and {gerund2}, which functions hand over to which?",
        "When we {base}, how does control move from one module to the next?",
        "Can you lay out the whole chain of calls behind {gerund}?",
        "{Gerund} goes through several layers. What does each of them do?",
        "Starting where we {base}, where does the control flow go next, and why?",
        "To {base} we end up {gerund2}. How does one lead to the other?",
        "The full story of {gerund}, please: every layer it passes on the way down.",
        "What is the chain of calls that lets us {base}?",
        "If I set a breakpoint where we {base}, what would I step through, down to the last layer?",
        "Somehow {gerund} leads to {gerund2}. What is the flow?",
        "Why do we end up {gerund2} when we {base}? Show me the way there.",
        "Explain the whole flow of {gerund}, from the entry point down to the lowest layer.",
        "Is there a description of the full flow when we {base}? I need every hop.",
        "New to this part: how do the modules cooperate to {base}?",
        "At a high level and then in detail, how do we {base} across modules?",
    ),
}

EXPLAIN: Final = TaskTypeDefinition(
    name="explain",
    tiers={
        "easy": TierRule(entities=(1, 1), files=(1, 1), max_lines=EASY_MAX_LINES),
        "medium": TierRule(entities=(2, 5), files=(1, 5), bond="call_chain"),
        "hard": TierRule(entities=(3, MANY), files=(2, MANY), bond="call_chain"),
    },
    may_name_target_when_easy=True,
    hides_file_named_after_target=False,
    reads_history=False,
    phrasings=_PHRASINGS,
    opening_for_one=(
        "`{name}` in {path} does this in a few steps.",
        "The whole of it takes place in `{name}`, in {path}.",
        "To follow this, read `{name}` in {path} from top to bottom.",
    ),
    opening_for_several=(
        "The flow begins in `{name}` in {path} and goes on through {others}.",
        "`{name}` in {path} starts it, and {others} take it further.",
        "From `{name}` in {path} the work passes on to {others}.",
    ),
)
