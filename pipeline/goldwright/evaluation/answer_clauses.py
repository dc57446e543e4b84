"""Sentences as clauses: what each says, of whom, and whether it is denied."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from goldwright.evaluation.answer_code import Atom, CodePiece, is_value
from goldwright.evaluation.answer_tokens import Sentence, Token
from goldwright.evaluation.answer_vocabulary import BEING, PREDICATES, is_verb

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
    "because since although though whereas so which who that but however".split()
)
# These open a statement of what does not happen; "without" is a denial by itself.
_CONTRAST_OPENERS: Final = frozenset({"without", "instead", "rather"})
_COORDINATORS: Final = frozenset({"and", "or", "then"})
_RELATIVES: Final = frozenset({"which", "who", "that"})
_PREPOSITIONS: Final = frozenset("in of by to with as from at on inside over like is".split())
_ARTICLES: Final = frozenset({"a", "an", "one"})
_DETERMINERS: Final = frozenset({"the", "its", "there", "a", "an"})
_BOUNDARY_MARKS: Final = frozenset(";:()—–-")
_PRONOUNS: Final = frozenset("it they this that these those he she we you".split())
# Of words in front of a comma, these begin such as only lead up to what is said.
_INTRODUCTIONS: Final = frozenset(
    "no yes well so in as to at by on from for here basically first finally next".split()
)
# "It is not true that ..." denies what follows.
_TRUTH_CLAIMS: Final = frozenset("true right correct false wrong incorrect untrue case".split())
_NOBODY: Final = frozenset({"no", "nobody", "nothing", "nowhere"})
_VALUE_WORDS: Final = frozenset({"true", "false", "none"})
# Behind these verbs, "true" and "none" are values and no claims.
_GIVING: Final = frozenset({"return", "set", "default"})
_PARTICIPLE_ENDINGS: Final = ("ed", "t", "n")
# Words that are looked at to tell a verb behind "and".
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
    def has_content(self) -> bool:
        """Whether it says anything."""
        return any(token.code or token.concept or token.is_denial for token in self.tokens)

    @property
    def has_verb(self) -> bool:
        """Whether it has a verb that is known."""
        return any(map(_is_verb, self.tokens))

    @property
    def claims_truth(self) -> bool:
        """Whether it says of something else that it is true or false."""
        if self.role != "main" or any(token.code for token in self.tokens):
            return False
        return any(token.text in _TRUTH_CLAIMS for token in self.tokens)


@dataclass(frozen=True, slots=True)
class Clause:
    """One main clause.

    Attributes:
        is_denied: Whether it is denied, by an odd number of negations.
        pieces: Its code.
        concepts: What its words mean, but for those that carry nothing.
        predicates: Those of them that say what is done to code, in their order.
        spelled: Its words as they stand, to recognise a name that is written as words.
        subjects: The names in front of its verb.
        agents: The names that do what it says; others than the subjects where it is passive.
        patients: The names that it is done to.
        is_about_others: Whether its subject is a noun that was not spoken of before.
    """

    is_denied: bool
    pieces: tuple[CodePiece, ...]
    concepts: frozenset[str]
    predicates: tuple[str, ...]
    spelled: tuple[str, ...]
    subjects: tuple[Atom, ...]
    agents: tuple[Atom, ...]
    patients: tuple[Atom, ...]
    is_about_others: bool

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """All names, strings and numbers of its code."""
        return tuple(atom for piece in self.pieces for atom in piece.atoms)


def split_clauses(sentence: Sentence) -> list[Draft]:
    """Split a sentence into clauses; one that says something of another's truth is worked in."""
    drafts: list[Draft] = [Draft()]
    for place, token in enumerate(sentence):
        draft = drafts[-1]
        opened = _opened_by(token, draft, sentence[place + 1 :])
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


def finish_clause(draft: Draft) -> Clause:
    """Read a main clause."""
    tokens = tuple(_with_values(draft.tokens))
    words = [token for token in tokens if token.kind == "word"]
    concepts = [token.concept for token in words if token.concept]
    subjects = _subjects(tokens)
    agents, patients = _voices(tokens)
    return Clause(
        is_denied=_is_denied(draft, words),
        pieces=tuple(token.code for token in tokens if token.code),
        concepts=frozenset(concepts),
        predicates=tuple(concept for concept in concepts if concept in PREDICATES),
        spelled=tuple(token.text for token in words),
        subjects=subjects,
        agents=agents,
        patients=patients,
        is_about_others=not subjects and _has_new_subject(tokens),
    )


def _opened_by(token: Token, draft: Draft, following: Sequence[Token]) -> Draft | None:
    """Return the clause that a token opens, if it opens one."""
    if token.kind == "mark":
        return _opened_by_mark(token, draft, following)
    if token.kind == "code" or token.text in _PRONOUNS:
        return _opened_by_subject(token, draft, following)
    return _opened_by_word(token, draft, following)


def _opened_by_mark(mark: Token, draft: Draft, following: Sequence[Token]) -> Draft | None:
    if mark.text in _BOUNDARY_MARKS:
        return Draft(starts_group=mark.text == ";")
    if _is_introduction(draft):
        return Draft(replaces=True)
    if draft.role == "condition" and _has_predicate(list(_up_to_boundary(following))):
        return Draft()
    return None


def _opened_by_subject(token: Token, draft: Draft, following: Sequence[Token]) -> Draft | None:
    """A subject with its verb ends a condition that has no comma behind it."""
    is_pronoun = token.kind == "word"
    can_end = draft.has_content if is_pronoun else draft.has_verb
    if draft.role == "main" or not can_end or not following:
        return None
    last = draft.tokens[-1]
    is_object = last.text in _PREPOSITIONS or last.is_denial or not _is_verb(following[0])
    if is_object or following[0].text in BEING:
        return None
    return Draft(tokens=[token])


def _opened_by_word(token: Token, draft: Draft, following: Sequence[Token]) -> Draft | None:
    text = token.text
    next_text = following[0].text if following else ""
    is_opener = text in _CONDITION_OPENERS or next_text in _LONGER_OPENERS.get(text, ())
    if is_opener or _is_loop(text, following):
        starts_group = bool(draft.tokens) and draft.tokens[-1].text in _COORDINATORS
        is_denied = text in _DENYING_OPENERS
        kept = [token] if text == "after" else []
        return Draft("condition", is_denied, starts_group=starts_group, tokens=kept)
    if _opens_alternative(text, draft):
        return Draft(is_alternative=True, starts_group=True)
    if text in _CONTRAST_OPENERS:
        return Draft(tokens=[token], is_denied=text != "without")
    if text in _MAIN_OPENERS and (text != "that" or _begins_predicate(following)):
        return Draft(is_relative=text in _RELATIVES and not draft.claims_truth)
    joins_clauses = draft.role == "main" and draft.has_verb and _begins_predicate(following)
    if text in _COORDINATORS and (joins_clauses or _denies_others(following)):
        return Draft()
    return None


def _opens_alternative(text: str, draft: Draft) -> bool:
    """Whether "otherwise" or "or else" begins a clause, and does not stand within one."""
    if text == "otherwise":
        return not draft.tokens or draft.has_verb
    return text == "else" and bool(draft.tokens) and draft.tokens[-1].text == "or"


def _is_loop(text: str, following: Sequence[Token]) -> bool:
    """Whether "for" says of which elements something holds, as in "for an `x` in `xs`"."""
    if text != "for" or len(following) < _MOST_LOOKED_AT:
        return False
    is_element = following[1].kind == "code" or following[2].text == "in"
    return following[0].text in _ARTICLES and is_element


def _is_introduction(draft: Draft) -> bool:
    """Whether words in front of a comma only lead up to what is said: "as far as I can see"."""
    if draft.role != "main" or any(token.code for token in draft.tokens):
        return False
    if not draft.tokens or draft.tokens[0].text in _INTRODUCTIONS:
        return True
    return not draft.has_verb and len(draft.tokens) < _MOST_LOOKED_AT


def _denies_others(following: Sequence[Token]) -> bool:
    """Whether "and by no other" follows, which says of a list that it is complete."""
    texts = [token.text for token in following[:_MOST_LOOKED_AT]]
    return not _NOBODY.isdisjoint(texts[:2])


def _begins_predicate(tokens: Sequence[Token]) -> bool:
    if tokens and tokens[0].text in _DETERMINERS:
        return any(map(_is_verb, _up_to_boundary(tokens)))
    for place, token in enumerate(tokens[:_MOST_LOOKED_AT]):
        if token.kind != "word":
            return place == 0 and len(tokens) > 1 and _is_verb(tokens[1])
        if _is_verb(token) or token.text in _PRONOUNS:
            return True
        if token.concept and not token.is_denial:
            # An unknown word may be a verb: "and rejects any number".
            return token.text.endswith("s") and not token.text.endswith("ss")
    return False


def _is_verb(token: Token) -> bool:
    return token.kind == "word" and is_verb(token.text)


def _has_predicate(tokens: Sequence[Token]) -> bool:
    """Whether words hold a verb: one that is known, or one in "s" right behind a name."""
    if any(map(_is_verb, tokens)):
        return True
    for first, second in pairwise(tokens):
        if first.code and second.kind == "word" and second.text.endswith("s") and second.concept:
            return True
    return False


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
            is_denied ^= _is_denied(draft, draft.tokens)
            continue
        if draft.role == "main":
            draft.is_denied ^= is_denied
        spread.append(draft)
    return spread


def _is_denied(draft: Draft, words: Sequence[Token]) -> bool:
    denials = [token.text for token in words if token.is_denial]
    # "Neither a nor b" and "not a nor b" deny once.
    if "nor" in denials and len(denials) > 1:
        denials.remove("nor")
    count = len(denials) + draft.is_denied
    return count % 2 == 1


def _with_values(tokens: Sequence[Token]) -> Iterator[Token]:
    """Read "true", "false" and "none" as values where they are returned or set."""
    gives_value = False
    for token in tokens:
        if gives_value and token.text in _VALUE_WORDS and token.code is None:
            piece = CodePiece(token.text, token.text, ((token.text,),))
            yield Token("code", token.text, code=piece)
            continue
        if token.concept in _GIVING:
            gives_value = True
        yield token


def _voices(tokens: Sequence[Token]) -> tuple[tuple[Atom, ...], tuple[Atom, ...]]:
    """Find who does what a clause says, and to what it is done."""
    head = _before_verb(tokens)
    before = _names(head)
    if len(head) == len(tokens):
        return (), ()
    if not _is_passive(tokens):
        return before, _names(_first_list(tokens[len(head) :]))
    texts = [token.text for token in tokens]
    if "by" in texts:
        return _names(_first_list(tokens[texts.index("by") :])), before
    return (), before


def _first_list(tokens: Sequence[Token]) -> Sequence[Token]:
    """Find the first code, and what is joined to it: "`a`, `b` and `c`"."""
    listed: list[Token] = []
    for token in tokens:
        if token.code:
            listed.append(token)
        elif listed and token.kind == "word" and token.text not in _COORDINATORS:
            break
    return listed


def _is_passive(tokens: Sequence[Token]) -> bool:
    for first, second in pairwise(tokens):
        if first.text in BEING and _is_verb(second) and second.text not in BEING:
            return second.text.endswith(_PARTICIPLE_ENDINGS)
    return False


def _before_verb(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens in front of the verb; all of them where no verb is known."""
    for place, token in enumerate(tokens):
        if _is_verb(token):
            return tokens[:place]
    return tokens


def _subjects(tokens: Sequence[Token]) -> tuple[Atom, ...]:
    before = _before_verb(tokens)
    # Where the verb is not known, the first name is the likeliest subject.
    return _names(before)[:1] if len(before) == len(tokens) else _names(before)


def _has_new_subject(tokens: Sequence[Token]) -> bool:
    """Whether a subject is no pronoun and no "the ...", which may mean what was spoken of."""
    before = _before_verb(tokens)
    texts = {token.text for token in before}
    if texts & _PRONOUNS or texts & {"the", "its", "there"}:
        return False
    return any(token.concept for token in before)


def _names(tokens: Sequence[Token]) -> tuple[Atom, ...]:
    pieces = [token.code for token in tokens if token.code]
    return tuple(atom for piece in pieces for atom in piece.atoms if not is_value(atom))
