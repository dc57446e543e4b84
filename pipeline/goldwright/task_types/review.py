"""Review: whether something is sound."""

from typing import Final

from goldwright.task_types.definition import MANY, TaskTypeDefinition, TierRule

# Asked about handlers that swallow exceptions, whether they name the exception or catch all.
_ERRORS: Final = (
    "Could {gerund} hide errors from its caller?",
    "Review the error handling around {gerund}, please: is anything swallowed?",
    "Does anybody notice when {gerund} goes wrong, or is the exception lost?",
    "Is it on purpose that failures are dropped when we {base}?",
    "What happens to exceptions raised while we {base}? I suspect they vanish.",
    "Audit {gerund} for silently ignored exceptions.",
    "Are errors ever lost when we {base}?",
    "When we {base} and something breaks, does the caller get to know?",
    "I'm worried that {gerund} masks real failures. Is that so?",
    "Can a bug stay unnoticed because of how we catch exceptions when we {base}?",
    "Which failures would we never hear about when we {base}?",
    "How safe is the except clause in the code that {third}?",
)

_PHRASINGS: Final = {
    "review_swallow": _ERRORS,
    "review_broad": (
        *_ERRORS,
        "Is catching every exception justified in the code that {third}?",
        "Do we catch too much when we {base}?",
        "The code that {third} has a very broad except. What could slip through?",
    ),
    "review_default": (
        "Does state leak from one call to the next when we {base}?",
        "Is there a mutable default argument in the code that {third}, and can it bite us?",
        "Check the defaults of the code that {third}: can two callers end up sharing one object?",
        "Can two calls influence each other when we {base}?",
        "We suspect shared state between calls: is {gerund} safe in that respect?",
        "Review {gerund} for default arguments that outlive a call.",
    ),
    "review_cache": (
        "Can the cached result go stale when we {base}?",
        "Is the cache behind {gerund} ever invalidated?",
        "Review the caching around {gerund}: can it hand out outdated results?",
        "What keeps the cache correct when we {base}?",
        "Does the cache used for {gerund} grow without bound?",
        "Are there inputs for which {gerund} returns the wrong cached answer?",
        "Audit the cache used when we {base} - who clears it, and when?",
        "How long does the cached outcome of {gerund} live, and is that safe?",
        (
            "I wonder whether two callers can get in each other's "
            "way through the cache behind {gerund}."
        ),
        "When does the memory kept for {gerund} get released again?",
        "Should I worry about stale entries when we {base}?",
    ),
    "review_lock": (
        "Is it safe to {base} from two threads at once?",
        "Does the locking around {gerund} really cover all shared state?",
        "Could {gerund} deadlock?",
        "Review the locking when we {base}: is anything touched outside the lock?",
        "What does the lock protect when we {base}, and is it held long enough?",
        "Are there race conditions left in {gerund}?",
        "Audit {gerund} for thread safety, please.",
        "How thread-safe is {gerund}?",
        "Two threads both try to {base}. What can go wrong?",
        "Can the lock taken for {gerund} be held while foreign code runs?",
    ),
    # State of a module or class that calls change.
    "review_shared": (
        "Is it safe to {base} from two threads?",
        "What happens to the module-level state if {gerund} fails halfway?",
        "Does {gerund} leave global state behind that later calls depend on?",
        "Audit {gerund} for shared mutable state.",
        "Are concurrent callers a problem when we {base}?",
        "Can {gerund} in one place change the behaviour somewhere else?",
        "Review {gerund}: it writes to something global. Who else relies on that?",
        "When we {base} twice in one process, does the second run see leftovers of the first?",
        "How well does {gerund} cope with several threads, given the shared state?",
    ),
    "review_code": (
        "Can untrusted input end up being executed when we {base}?",
        "Is the dynamic code execution behind {gerund} safe?",
        "Review {gerund} for code injection.",
        "What stops someone from smuggling code in while we {base}?",
        "Could an attacker run code through {gerund}?",
    ),
    "review_unpickle": (
        "Is it dangerous that we unpickle data when we {base}? Who controls it?",
        "Could an attacker who controls the stored data run code through {gerund}?",
        "Review {gerund}: do we deserialise anything we shouldn't trust?",
        "Can tampered data do harm when we {base}?",
    ),
    "review_shell": (
        "Is there a shell injection risk when we {base}?",
        "Can user input reach the shell through {gerund}?",
        "Review {gerund} for command injection, please.",
        "What sanitises the command line when we {base}?",
    ),
    # A file that is opened and never closed.
    "review_unclosed": (
        "Do we leak file handles when we {base}?",
        "Is the file opened for {gerund} always closed, even on errors?",
        "Review {gerund}: who closes what it opens?",
        "What happens to the open file if {gerund} fails halfway?",
    ),
    # An exception that some callers may fail to handle.
    "review_raised": (
        "Does every caller cope with the {Kind} that {gerund} can raise?",
        "Who handles the {Kind} when we {base}, and who forgets to?",
        "Is the {Kind} from {gerund} caught wherever it should be?",
        "Can {kind} from {gerund} escape to the user unhandled?",
        "Review how callers deal with the {Kind} that {gerund} may raise.",
        "When {gerund} fails with {kind}, are all callers prepared for it?",
        "Are there callers that ignore the {Kind} we may raise when we {base}?",
        "I'd like a second pair of eyes on {gerund}: do its callers handle {kind}?",
        "What becomes of {kind} raised while we {base}? Check the callers, please.",
        "Audit the callers: which of them survive {kind} out of {gerund}?",
        "How robust are the places that {base} when that ends in {kind}?",
        "Should anybody catch the {Kind} that comes out of {gerund}?",
        "We {base} in more than one place. Do all of them expect {kind}?",
    ),
    # Classes of one family that share no method whose action can be put in words.
    "review_contract_bare": (
        "Do all {nouns} honour the same contract?",
        "Can the {nouns} be swapped for one another without surprises?",
        "Are our {nouns} consistent in their signatures and return values?",
        "Audit the {nouns}: does each of them keep the promises of the base class?",
        "Would a caller notice which {noun} it got?",
        "Which {noun} deviates from what the base class promises, if any?",
        "Review the {nouns} against their base class. Does one of them break the contract?",
    ),
    # Classes of one family that share a method.
    "review_contract": (
        "Do all {nouns} honour the same contract when asked to {base}?",
        "Is every {noun} consistent with the others about {gerund}?",
        "Can the {nouns} be swapped for one another, or do they differ in {gerund}?",
        "Audit the {nouns}: does each of them keep the promise of the base class about {gerund}?",
        "Would a caller notice which {noun} it got when it comes to {gerund}?",
        "Are the {nouns} really interchangeable with regard to {gerund}?",
        "Review how the {nouns} differ in {gerund}. Does one of them break the contract?",
        "Which {noun} deviates from the base class in {gerund}, if any?",
        "Check whether the signatures and return values of the {nouns} agree about {gerund}.",
        "Does any {noun} break what the base class promises about {gerund}?",
        "I doubt that all our {nouns} agree on {gerund}. Do they?",
    ),
}

REVIEW: Final = TaskTypeDefinition(
    name="review",
    tiers={
        "easy": TierRule(entities=(1, 1), files=(1, 1)),
        "medium": TierRule(entities=(2, 3), files=(1, 3), bond="linked"),
        "hard": TierRule(entities=(3, MANY), files=(2, MANY), bond="linked"),
    },
    may_name_target_when_easy=True,
    hides_file_named_after_target=False,
    reads_history=True,
    phrasings=_PHRASINGS,
    opening_for_one=(
        "`{name}` in {path} deserves a second look.",
        "There are points to raise about `{name}` in {path}.",
        "Reading `{name}` in {path} with care brings this up.",
    ),
    opening_for_several=(
        "The weight of the review lies on `{name}` in {path}, together with {others}.",
        "`{name}` in {path} and {others} have to be judged together.",
        "Start the review at `{name}` in {path} and carry it on to {others}.",
    ),
)
