"""First sentences of narratives, by task type and by whether there are several targets."""

from typing import Final

from goldwright.records import TaskType

LEADS: Final[dict[tuple[TaskType, bool], tuple[str, ...]]] = {
    ("locate", False): (
        "The place is `{name}` in {path}.",
        "This is done by `{name}`, in {path}.",
        "Look at `{name}` in {path}: that is where it happens.",
        "`{name}` in {path} is the code in question.",
    ),
    ("locate", True): (
        "It is spread over several places: `{name}` in {path}, and with it {others}.",
        "The code starts at `{name}` in {path}; {others} carry the rest.",
        "`{name}` in {path} does one part of it, {others} the other.",
    ),
    ("explain", False): (
        "`{name}` in {path} does this in a few steps.",
        "The whole of it takes place in `{name}`, in {path}.",
        "To follow this, read `{name}` in {path} from top to bottom.",
    ),
    ("explain", True): (
        "The flow begins in `{name}` in {path} and goes on through {others}.",
        "`{name}` in {path} starts it, and {others} take it further.",
        "From `{name}` in {path} the work passes on to {others}.",
    ),
    ("debug", False): (
        "The failure comes out of `{name}` in {path}.",
        "What you see is produced by `{name}`, in {path}.",
        "The cause is in `{name}` in {path}.",
        "`{name}` in {path} is where this goes wrong.",
    ),
    ("debug", True): (
        "The root of it is `{name}` in {path}; the symptom comes to light by way of {others}.",
        "Start at `{name}` in {path}, which is the cause, and follow it to {others}.",
        "`{name}` in {path} sets it off, and {others} stand on the way to what you see.",
    ),
    ("extend", False): (
        "Take `{name}` in {path} as the pattern.",
        "A new one is modelled on `{name}` in {path}.",
    ),
    ("extend", True): (
        "A new one follows the pattern that `{name}` in {path} sets and that {others} show.",
        "Begin with `{name}` in {path}; {others} are what a new one has to fit in with.",
        "The contract is in `{name}` in {path}, and {others} show how it is kept.",
    ),
    ("review", False): (
        "`{name}` in {path} deserves a second look.",
        "There are points to raise about `{name}` in {path}.",
        "Reading `{name}` in {path} with care brings this up.",
    ),
    ("review", True): (
        "The weight of the review lies on `{name}` in {path}, together with {others}.",
        "`{name}` in {path} and {others} have to be judged together.",
        "Start the review at `{name}` in {path} and carry it on to {others}.",
    ),
    ("general", False): (
        "This is about `{name}` in {path}.",
        "The centre of it is `{name}`, in {path}.",
        "`{name}` in {path} is what stands behind this.",
    ),
    ("general", True): (
        "This is mostly the business of `{name}` in {path}, with {others} beside it.",
        "The centre of it is `{name}` in {path}; {others} belong to it.",
        "`{name}` in {path} and {others} make this up between them.",
    ),
}
