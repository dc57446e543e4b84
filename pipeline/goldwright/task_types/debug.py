"""Debug: what goes wrong, and where it comes from."""

from typing import Final

from goldwright.task_types.definition import MANY, TaskTypeDefinition, TierRule

_PHRASINGS: Final = {
    # The error message, and what the user was trying to do.
    "debug_message": (
        "I'm seeing \"{message}\" while trying to {base}. What's causing it?",
        '"{message}" - which check raises this, and when?',
        'We get "{message}" in production when we {base}. What triggers it?',
        'What does "{message}" mean, and what did I pass wrong?',
        'My script dies with "{message}". Under which condition does that happen?',
        'Why do I get "{message}" when I try to {base}?',
        'A user hit "{message}" today. What has to go wrong for that?',
        'Since the last deploy our log is full of "{message}". What is the trigger?',
        'How can it come to "{message}"? I only wanted to {base}.',
        'Trying to {base}, I run into "{message}". Where should I look?',
        'Got "{message}" out of nowhere. Which input leads to that?',
        'Can anyone tell me what leads to "{message}"?',
    ),
    # The message alone: the function is not public, or what it does cannot be put in words.
    "debug_bare": (
        "I'm seeing \"{message}\". What's causing it?",
        '"{message}" - which check raises this, and when?',
        'We get "{message}" in production. What triggers it?',
        'What does "{message}" mean, and what did I pass wrong?',
        'My script dies with "{message}". Under which condition does that happen?',
        'Why do I get "{message}"?',
        'A user hit "{message}" today. What has to go wrong for that?',
        'Since the last deploy our log is full of "{message}". What is the trigger?',
        'How can it come to "{message}"?',
        'Our build stops with "{message}". Where should I look?',
        'Got "{message}" out of nowhere. Which input leads to that?',
        'Can anyone tell me what leads to "{message}"?',
    ),
    # The kind of exception, raised by a check that lies some calls further down.
    "debug_symptom": (
        "We get {kind} when we try to {base}. Which check further down is behind it?",
        "After upgrading, {gerund} ends in {kind}. Which check fires?",
        "Users report that {gerund} blows up with {kind}. What input makes that happen?",
        "Why would {gerund} end in {kind}?",
        "I tried to {base} and all I got was {kind}. Where does it come from?",
        "{Gerund} fails with {kind} for one customer only. What could be wrong with their input?",
        "When I try to {base}, {kind} comes up from somewhere below. What is the root cause?",
        "A nightly job that {third} crashes with {kind} now and then. What is the cause?",
        "Got {kind} in the logs; all we did was {base}. What went wrong?",
        "How can {gerund} raise {kind}? I can't see it in the code that does it.",
        "Is there a way that {gerund} leads to {kind}? Our monitoring says so.",
        "My code breaks with {kind} as soon as I {base}. What am I doing wrong?",
        "Something below the code that {third} throws {kind}. What, and under which condition?",
        "Seeing {kind} from {gerund} since last week - what should I check first?",
        "What makes {gerund} fall over with {kind}?",
        "Can anyone explain the {Kind} we hit when we {base}?",
        "Under which circumstances does {gerund} fail with {kind}?",
        "Every attempt to {base} stops with {kind} on my machine. What is it unhappy about?",
        (
            "Help: {kind} out of {gerund}, and the traceback goes several calls deep. "
            "What is it really about?"
        ),
        (
            "It works in development, but in production {gerund} ends with {kind}. "
            "Which condition differs?"
        ),
    ),
    # No exception at all: a handler on the way swallows it.
    "debug_silent": (
        (
            "Sometimes {gerund} quietly does nothing: no error, no log. "
            "Where can a failure get lost on the way?"
        ),
        "Why would an attempt to {base} go wrong without any error showing up?",
        (
            "No traceback, but the outcome of {gerund} is wrong. "
            "Is something swallowing an exception below?"
        ),
        (
            "We {base} and part of the result is missing, yet nothing is raised. "
            "Where does the error disappear?"
        ),
        "I broke something on purpose and {gerund} didn't complain. Which code hides the failure?",
        (
            "Users see stale or empty results from {gerund}, without an error. "
            "What could be eaten on the way?"
        ),
        "It looks as if {gerund} fails silently for some inputs. Where should I look?",
        "When we {base}, a failure further down seems to vanish. Who catches it?",
        (
            "After an upgrade {gerund} just gives nothing back; "
            "the logs are clean. What is going on below?"
        ),
        "How come problems while we {base} never reach the log?",
        (
            "My attempt to {base} ends as if all were well, but it isn't. "
            "Where is the exception dropped?"
        ),
        "Something goes wrong deep inside {gerund} and nobody hears of it. Where?",
    ),
    # The kind of exception, raised in another module than the one that fails.
    "debug_surface": (
        (
            "After a config change, {gerund} started to fail with {kind}. "
            "Where does that really come from?"
        ),
        "We only see {kind} at the top when we {base}. Which module is to blame?",
        (
            "Where should I look when {gerund} dies with {kind} that has "
            "nothing to do with it at first sight?"
        ),
        "Customers can no longer {base}: {kind} every time. Which part of the system gives up?",
        (
            "{Gerund} stopped working after the last release and ends in {kind}. "
            "Where should I start digging?"
        ),
        "Why does {kind} surface when we {base}, although that code never raises it itself?",
        "I suspect another module: {gerund} fails with {kind}. Who raises it, and why?",
        "Which layer produces the {Kind} that people run into when they {base}?",
        'Bug report: "can\'t {base}, it says {Kind}". What is the chain of events behind it?',
        "How does {kind} from deep down reach the code that {third}?",
        "Support asks why {gerund} sometimes ends in {kind}. What do we tell them?",
        "What on earth has {kind} to do with {gerund}?",
        (
            "Our integration test that {third} fails with {kind}, "
            "a few modules away from the test. What is the cause?"
        ),
        "The symptom: {kind} when we {base}. The cause must be in another module - where?",
        "No idea why {gerund} gives us {kind}. What happens on the way down?",
        "Intermittently, an attempt to {base} ends in {kind}. What is different in those cases?",
    ),
}

DEBUG: Final = TaskTypeDefinition(
    name="debug",
    tiers={
        "easy": TierRule(entities=(1, 1), files=(1, 1)),
        "medium": TierRule(entities=(2, 4), files=(1, 4), bond="call_chain"),
        "hard": TierRule(entities=(3, MANY), files=(2, MANY), bond="linked"),
    },
    may_name_target_when_easy=False,
    hides_file_named_after_target=False,
    reads_history=False,
    phrasings=_PHRASINGS,
    opening_for_one=(
        "The failure comes out of `{name}` in {path}.",
        "What you see is produced by `{name}`, in {path}.",
        "The cause is in `{name}` in {path}.",
        "`{name}` in {path} is where this goes wrong.",
    ),
    opening_for_several=(
        "The root of it is `{name}` in {path}; the symptom comes to light by way of {others}.",
        "Start at `{name}` in {path}, which is the cause, and follow it to {others}.",
        "`{name}` in {path} sets it off, and {others} stand on the way to what you see.",
    ),
)
