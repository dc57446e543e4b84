"""Sentences split into clauses: what opens one, and what it says of those around it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from goldwright.evaluation.answers.answer_tokens import Sentence, Token
from goldwright.evaluation.answers.answer_words import BEING, is_verb

Role = Literal["main", "condition"]

# What opens a condition: it says when the main clause holds, and of what.
_CONDITION_OPENERS: Final = frozenset(
    "if when whenever unless while once until till provided assuming".split()
)
# Opens a condition where one of the words behind it follows.
_LONGER_OPENERS: Final = {
    "for": frozenset("each every all any".split()),
    "given": frozenset({"that"}),
    "except": frozenset({"when", "if", "for"}),
    "after": frozenset({"catching", "handling"}),
}
_DENYING_OPENERS: Final = frozenset({"unless", "except"})
# What opens a further statement in the same sentence.
_MAIN_OPENERS: Final = frozenset(
    "because since although though whereas so which who but however".split()
)
# These open a statement of what does not happen; "without" is a denial by itself.
_CONTRAST_OPENERS: Final = frozenset({"without", "instead", "rather"})
COORDINATORS: Final = frozenset({"and", "or", "then"})
_RELATIVES: Final = frozenset({"which", "who"})
# Behind these, a name is an object and begins no clause.
_BEFORE_OBJECTS: Final = frozenset(
    "in of by to with as from at on inside over like is not no nor".split()
)
# "After `a`, ..." says of which order something is.
_ORDER_OPENERS: Final = frozenset({"after", "before"})
_ARTICLES: Final = frozenset({"a", "an", "one"})
_DETERMINERS: Final = frozenset({"the", "its", "there", "a", "an"})
_NOBODY: Final = frozenset({"no", "nobody", "nothing", "nowhere"})
_BOUNDARY_MARKS: Final = frozenset(";:()—–-")
PRONOUNS: Final = frozenset("it they this that these those he she we you".split())
# Of words in front of a comma, these begin such as only lead up to what is said.
_INTRODUCTIONS: Final = frozenset(
    "no yes well so in as to at by of on from for here basically first finally next".split()
)
# "It is not true that ..." denies what follows.
_TRUTH_CLAIMS: Final = frozenset("true right correct false wrong incorrect untrue case".split())
# Words that are looked at to tell what begins behind "and", "for" or a comma.
_MOST_LOOKED_AT: Final = 3


@dataclass(slots=True)
class Draft:
    """A clause that is being collected from its tokens.

    Attributes:
        role: Whether it says what happens, or when.
        is_denied: Whether the word that opens it denies it.
        is_relative: Whether it is about what stands right before it.
        is_alternative: Whether it stands behind "otherwise".
        starts_group: Whether conditions before it have nothing to do with it.
        replaces: Whether what stands before it in the sentence says nothing.
        tokens: Its tokens, without the word that opens it.
    """

    role: Role = "main"
    is_denied: bool = False
    is_relative: bool = False
    is_alternative: bool = False
    starts_group: bool = False
    replaces: bool = False
    tokens: list[Token] = field(default_factory=list)

    @property
    def has_code(self) -> bool:
        """Whether it names code."""
        return any(token.code for token in self.tokens)

    @property
    def has_content(self) -> bool:
        """Whether it says anything."""
        return any(token.code or token.concept or token.is_denial for token in self.tokens)

    @property
    def last_text(self) -> str:
        """The text of the last token; none before the first one."""
        return self.tokens[-1].text if self.tokens else ""

    @property
    def has_verb(self) -> bool:
        """Whether it has a verb that is known."""
        return any(map(is_verb_token, self.tokens))

    @property
    def claims_truth(self) -> bool:
        """Whether it says of something else that it is true or false."""
        if self.role != "main" or self.has_code:
            return False
        return any(token.text in _TRUTH_CLAIMS for token in self.tokens)

    @property
    def denies(self) -> bool:
        """Whether it is denied, by an odd number of negations."""
        denials = [token.text for token in self.tokens if token.is_denial]
        # "Neither a nor b" and "not a nor b" deny once.
        if "nor" in denials and len(denials) > 1:
            denials.remove("nor")
        count = len(denials) + self.is_denied
        return count % 2 == 1


def split_clauses(sentence: Sentence) -> list[Draft]:
    """Split a sentence into clauses.

    A clause that says of another one whether it is true is left out, and denies it where it does.
    """
    drafts = [Draft()]
    for place, token in enumerate(sentence):
        draft = drafts[-1]
        following = sentence[place + 1 :]
        opened = _opened_by(token, draft, following)
        if opened is None:
            draft.tokens.append(token)
            continue
        if opened.replaces:
            drafts.pop()
        drafts.append(opened)
    filled = [draft for draft in drafts if draft.has_content]
    if filled and all(draft.role == "condition" for draft in filled):
        # No end of the condition was found, or there is no other clause.
        filled[-1].role = "main"
    return _spread_denial(filled)


def is_verb_token(token: Token) -> bool:
    """Return whether a token is a verb that is known."""
    return token.kind == "word" and is_verb(token.text)


def _opened_by(token: Token, draft: Draft, following: Sequence[Token]) -> Draft | None:
    """Return the clause that a token opens, if it opens one."""
    if token.kind == "mark":
        return _opened_by_mark(token, draft, following)
    if token.text == "that" and draft.claims_truth:
        return Draft()
    if token.kind == "code" or token.text in PRONOUNS:
        return _opened_by_subject(token, draft, following)
    return _opened_by_word(token, draft, following)


def _opened_by_mark(mark: Token, draft: Draft, following: Sequence[Token]) -> Draft | None:
    if mark.text in _BOUNDARY_MARKS:
        return Draft(starts_group=mark.text == ";")
    if _is_introduction(draft):
        return Draft(replaces=True)
    if draft.role == "main" and _is_order_phrase(draft):
        return Draft()
    next_part = list(_up_to_boundary(following))
    if draft.role == "condition" and _has_predicate(next_part):
        return Draft()
    return None


def _opened_by_subject(token: Token, draft: Draft, following: Sequence[Token]) -> Draft | None:
    """A subject with its verb ends a condition that has no comma behind it."""
    if draft.role == "main" or not draft.has_content or not following:
        return None
    is_pronoun = token.kind == "word"
    if not is_pronoun and not draft.has_verb:
        return None
    last = draft.tokens[-1]
    next_token = following[0]
    is_object = last.text in _BEFORE_OBJECTS
    # "Is" may still belong to the condition: "when `a` is `b` is unclear in any case".
    has_own_verb = is_verb_token(next_token) and next_token.text not in BEING
    if is_object or not has_own_verb:
        return None
    return Draft(tokens=[token])


def _opened_by_word(token: Token, draft: Draft, following: Sequence[Token]) -> Draft | None:
    text = token.text
    if _opens_condition(text, following):
        starts_group = draft.last_text in COORDINATORS
        # "After catching" is the condition; other openers only say that one follows.
        kept_tokens = [token] if text == "after" else []
        # "Except when": the word that denies stands by itself.
        is_condition = draft.role == "condition"
        goes_on = is_condition and draft.is_denied and not draft.tokens
        is_denied = text in _DENYING_OPENERS or goes_on
        return Draft("condition", is_denied, starts_group=starts_group, tokens=kept_tokens)
    if _opens_alternative(text, draft):
        return Draft(is_alternative=True, starts_group=True)
    if text in _CONTRAST_OPENERS:
        return Draft(tokens=[token], is_denied=text != "without")
    if text in _MAIN_OPENERS:
        return Draft(is_relative=text in _RELATIVES)
    if text in COORDINATORS and _joins_clauses(draft, following):
        return Draft()
    return None


def _opens_condition(text: str, following: Sequence[Token]) -> bool:
    if text in _CONDITION_OPENERS:
        return True
    if not following:
        return False
    next_text = following[0].text
    if next_text in _LONGER_OPENERS.get(text, ()):
        return True
    if text != "for" or next_text not in _ARTICLES or len(following) < _MOST_LOOKED_AT:
        return False
    # "For an `x` in `xs`" says of which elements something holds.
    is_before_code = following[1].kind == "code"
    return is_before_code or following[2].text == "in"


def _opens_alternative(text: str, draft: Draft) -> bool:
    """Whether "otherwise" or "or else" begins a clause, and does not stand within one."""
    if text == "otherwise":
        return not draft.tokens or draft.has_verb
    return text == "else" and draft.last_text == "or"


def _joins_clauses(draft: Draft, following: Sequence[Token]) -> bool:
    next_texts = {token.text for token in following[:2]}
    # "And by no other" says of a list that it is complete.
    if not _NOBODY.isdisjoint(next_texts):
        return True
    return draft.role == "main" and draft.has_verb and _begins_predicate(following)


def _is_introduction(draft: Draft) -> bool:
    """Whether words in front of a comma only lead up to what is said: "as far as I can see"."""
    if draft.role != "main" or draft.has_code:
        return False
    if not draft.tokens or draft.tokens[0].text in _INTRODUCTIONS:
        return True
    return not draft.has_verb and len(draft.tokens) < _MOST_LOOKED_AT


def _is_order_phrase(draft: Draft) -> bool:
    if not draft.tokens or draft.has_verb:
        return False
    return draft.tokens[0].text in _ORDER_OPENERS


def _begins_predicate(tokens: Sequence[Token]) -> bool:
    """Whether a verb follows, perhaps with a subject in front of it."""
    if tokens and tokens[0].text in _DETERMINERS:
        return any(map(is_verb_token, _up_to_boundary(tokens)))
    for place, token in enumerate(tokens[:_MOST_LOOKED_AT]):
        if token.kind != "word":
            is_first = place == 0
            has_next = len(tokens) > 1
            return is_first and has_next and is_verb_token(tokens[1])
        if is_verb_token(token) or token.text in PRONOUNS:
            return True
        if token.concept and not token.is_denial:
            return _looks_like_verb(token)
    return False


def _has_predicate(tokens: Sequence[Token]) -> bool:
    """Whether words hold a verb: one that is known, or one in "s" right behind a name."""
    if any(map(is_verb_token, tokens)):
        return True
    for first, second in pairwise(tokens):
        if first.code and second.concept and _looks_like_verb(second):
            return True
    return False


def _looks_like_verb(token: Token) -> bool:
    """Whether an unknown word may be a verb: "and rejects any number"."""
    if token.kind != "word":
        return False
    text = token.text
    return text.endswith("s") and not text.endswith("ss")


def _up_to_boundary(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.kind == "mark" or token.text in _CONDITION_OPENERS:
            return
        yield token


def _spread_denial(drafts: Sequence[Draft]) -> list[Draft]:
    """Let "it is not true that" deny what follows it."""
    spread: list[Draft] = []
    is_denied = False
    for place, draft in enumerate(drafts):
        is_last = place == len(drafts) - 1
        if draft.claims_truth and not is_last:
            is_denied ^= draft.denies
            continue
        if draft.role == "main":
            draft.is_denied ^= is_denied
        spread.append(draft)
    return spread
