"""Actions: what a piece of code does, as a verb and the rest of its clause."""

import re
from dataclasses import dataclass
from typing import Final

from goldwright.offline_agents.author.inflection import (
    gerund,
    has_article,
    is_plural,
    participle,
    singular,
    third_person,
    verb_of_gerund,
    verb_of_third_person,
)
from goldwright.offline_agents.author.lexicon import (
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    GENERIC,
    NOUN_VERBS,
    PREPOSITIONS,
    PRONOUNS,
    UNCOUNTABLE,
    VERBS,
)

FEWEST_WORDS: Final = 2
MOST_WORDS: Final = 12
MOST_ARTICLES_MISSING: Final = 2

_OPENER: Final = re.compile(
    r"^(?:(?:an?|the|this|some)\s+)?(?:(?:\w+\s+)?(?:helper|utility|convenience|internal|private|"
    r"public|main|simple|generic)\s+)?"
    r"(?:function|method|routine|decorator|hook|generator|context manager|helper|coroutine|utility)\s+(?:(?:that|"
    r"which|used)\s+(?:is used to\s+|can be used to\s+|to\s+)?|to\s+|for\s+)",
    re.IGNORECASE,
)
_GIVEN: Final = re.compile(r"^Given (?:an? |the )?[\w -]+, (?=[a-z]+ )")
_USING: Final = re.compile(r"^Uses? ([\w -]+) to ([a-z]+ .*)$")
_ADVERB: Final = re.compile(
    r"^(?:[a-z]+ly|also|then|now|first|next|finally|please|(?:try|tries|attempt|attempts) to|helper to|used to)\s+",
    re.IGNORECASE,
)
_CUT: Final = re.compile(
    r",? (?:which|so that|so|because|but|unless|since|in order|such that|raising|returning|and "
    r"returns?|and yields?|depending|"
    r"respectively|as well|instead|rather than|or None|or False|otherwise|where|whereas|as needed|"
    r"if needed|if any|if necessary|"
    r"for use|for the sake|assuming|note that|suitable for|as follows|only if|even if|or raises?|if possible)\b.*$"
)
_LATE_CUT: Final = re.compile(
    r" (?:if|when|that|using|based on|by|while|before|after|with|without|as|until|once|and|for) .*$"
)
_SUBCLAUSE: Final = re.compile(r", .*$")
_RETURNS: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"^(?:True|true|a true value) (?:if|when|iff|in case) (?:and only if )?"), "check whether"),
    (re.compile(r"^(?:False|false) (?:if|when) "), "!"),
    (re.compile(r"^(?:an? (?:boolean|bool|flag) (?:indicating |for |of |saying |telling )?)?(?:whether or not|"
        r"whether|if) "), "check whether"),
    (re.compile(r"^(?:an? |the )?(?:\w+ )?(?:list|tuple|set|iterator|iterable|generator|sequence|collection) "
        r"(?:of|over|containing) (?:all )?(?:of )?(?=the |\w+s )"), "gather"),
    (re.compile(r"^(?:an? |the )(?:shallow |deep |modified )?copy of "), "copy"),
    (re.compile(r"^the (?:total )?number of "), "count"),
    (re.compile(r"^(?:an? )?(?:new )?instance of "), "create"),
    (re.compile(r"^(?=an? new )"), "build"),
    (re.compile(r"^(?:an? |the )(?:\w+ )?(?:string )?representation of "), "represent"),
    (re.compile(r"^(?=an? )"), "build"),
    (re.compile(r"^(?=the |all |every |each |only )"), "="),
)  # fmt: skip
_RECKONERS: Final = ("work out", "figure out")
_GETTERS: Final = ("get", "look up")
_RECKONED: Final = frozenset(
    "value number size name names path url type length version degree key count order index position "
    "width height date format "
    "level code status state distance rate ratio time total sum minimum maximum average coefficient "
    "centrality set difference "
    "offset range id encoding charset depth default location filename prefix suffix language priority hash".split()
)
_SMELL: Final = re.compile(
    r"\b[A-Z]{6,}\b|\b(\w+) \1\b|\b[b-zB-Z]\b(?!')|\"\w+\"|\bgiven (?:the|an?|any|all)\b|\b(?:args|"
    r"kwargs|params|func|obj|attr|cls|str|int|bool|repr)\b|'$"
)
_REFUSED_VERBS: Final = frozenset(
    "do be have override subclass inherit call contain represent mean perform implement extend "
    "try use base return yield refer follow "
    "help serve act provide require assume work exist belong take look release let test take need "
    "like include back receive raise".split()
)
_CLASH: Final = re.compile(
    r"\b(?:a|an|the) (?:a|an|the|if|is|to|any|each|all|its)\b|, ?$|\bof to\b"
)
_PLAIN_VERBS: Final = VERBS - NOUN_VERBS
_SENTENCE_STARTS: Final = (
    _PLAIN_VERBS | DETERMINERS | PREPOSITIONS | CONJUNCTIONS | PRONOUNS | {"go", "do"}
)
_VERB_JOINTS: Final = frozenset(
    "to that can could should must will may and or not which who let lets they it never always".split()
)
_COLOURLESS: Final = frozenset(
    "get look up work out build create check handle process set make return fetch come with figure "
    "produce run add find load update".split()
)
_A_GIVEN: Final = re.compile(
    r"\ba given ((?:[\w'-]+ ){0,3}?[\w'-]+)(?=$|,| (?:and|or|of|for|in|into|to|from|with|by|at|"
    r"on|as|using|if|that|which|is|are|has|have|can)\b)"
)
_PARTICLES: Final = frozenset("back away together forward apart".split())
_COUNTABLE: Final = frozenset(
    "application connection function exception location session version option expression position "
    "collection annotation extension "
    "section relation transaction action operation permission instance reference document element "
    "environment statement argument "
    "segment component dimension partition condition region question description definition declaration "
    "instruction implementation "
    "configuration notification subscription destination iteration sequence sentence preference "
    "difference distance occurrence".split()
)
_ABSTRACT: Final = ("tion", "sion", "ment", "ance", "ence", "ness", "ity")
THAT_VERBS: Final = frozenset({"ensure", "check", "verify", "confirm", "validate", "enforce"})
_OPEN_ENDED: Final = (
    DETERMINERS
    | PREPOSITIONS
    | CONJUNCTIONS
    | AUXILIARIES
    | frozenset({"not", "given", "its", "their", "your", "be"})
)
_IDIOMS: Final = frozenset(
    "use place default least demand order name memory time hand disk most first last once parallel "
    "sequence turn case detail full "
    "error failure success startup shutdown exit import bulk reverse advance general particular "
    "favour favor reference value "
    "deletion translation inspection comparison consumption validation inclusion processing release review testing "
    "position index type hex future progress question top bottom front end start sure true false part".split()
)


@dataclass(frozen=True, slots=True)
class Action:
    """A verb in its base form, possibly of two words, and its object with what follows."""

    verb: str
    rest: str

    @property
    def base(self) -> str:
        """As after *to*: ``split the header``."""
        return f"{self.verb} {self.rest}"

    @property
    def third(self) -> str:
        """As after *it*: ``splits the header``."""
        return f"{third_person(self.verb)} {self.rest}"

    @property
    def gerund(self) -> str:
        """As a noun: ``splitting the header``."""
        return f"{gerund(self.verb)} {self.rest}"

    @property
    def participle(self) -> str:
        """As after *has*: ``split``, without the object."""
        return participle(self.verb)

    def content_words(self) -> frozenset[str]:
        """The words that tell this action from others, in the singular; a verb that says something
        is one of them.
        """
        return content_words(self.rest if self.verb.split()[0] in _COLOURLESS else self.base)


def content_words(text: str) -> frozenset[str]:
    """Keep the words of a text that say something about it: lower case, singular."""
    words = (word.lower() for word in re.findall(r"[A-Za-z]{2,}", text))
    kept = (
        word
        for word in words
        if word not in GENERIC and word not in _OPEN_ENDED and word not in PRONOUNS
    )
    return frozenset(singular(word) for word in kept)


def action_of(sentence: str, *, imperative_only: bool = False, salt: int = 0) -> Action | None:
    """Read a plain sentence as an action; ``None`` when it is none or would not read well.

    ``salt`` picks among the verbs that stand for the colourless *return* and *get*.
    """
    text = _USING.sub(r"\2 using \1", _GIVEN.sub("", _OPENER.sub("", sentence)))
    text = re.sub(
        r"^(?=whether |True if )",
        "return ",
        text[:1].lower() + text[1:] if text.startswith("Whether ") else text,
    )
    if (
        text.startswith(("The ", "A list of ", "A set of "))
        and not imperative_only
        and not re.search(r"\b(?:is|are|was|has|have|will|should|to be)\b", text)
    ):
        text = f"return {text[0].lower()}{text[1:]}"
    while (shorter := _ADVERB.sub("", text)) != text:
        text = shorter
    head, _, rest = text.partition(" ")
    verb = _verb_of(head, rest, imperative_only=imperative_only)
    if verb is None:
        return None
    verb, rest = _without_second_verb(verb, rest)
    verb, rest = _coloured(verb, _cut(rest), salt)
    return action(verb, rest)


def action(verb: str, rest: str) -> Action | None:
    """Put a verb and its object together where both read well."""
    if verb in _REFUSED_VERBS or verb == "!" or not rest:
        return None
    rest = _shortened(_with_plain_determiners(rest))
    articled = rest if verb.startswith(("check whether", "make")) else with_articles(rest)
    if articled is None or not _reads_well(articled):
        return None
    return Action(verb, articled)


def with_articles(rest: str) -> str | None:
    """Give bare singular nouns of telegraphic style their article; ``None`` when too many lack one."""
    words = rest.split(" ")
    out: list[str] = []
    added = 0
    opens = words[0] not in _PARTICLES
    for place, word in enumerate(words):
        if (
            opens
            and not (place and words[place - 1] == "to" and word in VERBS)
            and _lacks_article(words[place:])
        ):
            out.append(has_article(word) if place else "the")
            added += 1
        out.append(word)
        opens = word in PREPOSITIONS and word not in {"as", "like", "out", "up", "off", "over"}
    return " ".join(out) if added <= MOST_ARTICLES_MISSING else None


def _verb_of(head: str, rest: str, *, imperative_only: bool) -> str | None:
    lower = head.lower()
    next_word = rest.split(" ", maxsplit=1)[0].lower()
    if not rest or next_word in {"of", "is", "are", "was", "for", "in", "which", "to", "by", "on"}:
        return None
    if next_word == "that" and lower not in THAT_VERBS | {
        third_person(verb) for verb in THAT_VERBS
    }:
        return None
    if lower in VERBS:
        if lower in NOUN_VERBS and next_word not in DETERMINERS | {"it", "any", "and", "this"}:
            return (
                lower
                if lower in {"return", "check", "update", "print", "get", "handle", "set"}
                and next_word != "of"
                else None
            )
        return lower
    if imperative_only:
        return None
    return verb_of_third_person(lower) or verb_of_gerund(lower)


def _without_second_verb(verb: str, rest: str) -> tuple[str, str]:
    """Reduce *create and return the …* to its first verb."""
    match = re.match(r"^(?:and|or|and/or|, \w+ and|and then) (\w+) ", rest)
    if match and (match[1] in VERBS or verb_of_third_person(match[1])):
        return verb, rest[match.end() :]
    for found in re.finditer(r",? (?:and|or)(?: then| also)? (\w+) ", rest):
        if found[1] in VERBS or verb_of_third_person(found[1]):
            following = rest[found.end() :].split(" ", maxsplit=1)[0]
            if verb_of_third_person(found[1]) or following in DETERMINERS | {"it", "them"}:
                return verb, rest[: found.start()]
    return verb, rest


def _cut(rest: str) -> str:
    text = _CUT.sub("", rest)
    if ", " in text and not re.search(r", (?:and|or) |\w, \w+ (?:and|or) ", text):
        text = _SUBCLAUSE.sub("", text)
    return text.strip(" ,")


def _coloured(verb: str, rest: str, salt: int) -> tuple[str, str]:
    if verb not in {"return", "get", "yield", "give", "retrieve"}:
        return (
            ("check", "whether" + rest[2:])
            if verb == "check" and rest.startswith("if ")
            else (verb, rest)
        )
    for pattern, replacement in _RETURNS:
        match = pattern.match(rest)
        if match is None or (verb in {"get", "retrieve"} and replacement == "build"):
            continue
        if verb == "retrieve":
            return verb, rest
        if replacement == "=":
            return ("go through" if verb == "yield" else _getter(rest, salt)), rest
        left = rest[match.end() :]
        return (
            ("check", f"whether {left}") if replacement == "check whether" else (replacement, left)
        )
    return ("look up" if verb in {"get", "return", "give"} else verb), rest


def _getter(rest: str, salt: int) -> str:
    """Quantities are worked out, things are got."""
    head = (
        re.split(r" (?:of|for|in|from|to|that|with|by|at|on|used|as) ", rest)[0]
        .rpartition(" ")[2]
        .lower()
    )
    verbs = _RECKONERS if head in _RECKONED else _GETTERS
    return verbs[salt % len(verbs)]


def _with_plain_determiners(rest: str) -> str:
    text = re.sub(r"\b(?:this|the current|the present)\b", "the", rest)
    text = re.sub(
        r"\b(?:the|a|an) (?:given|specified|provided|supplied|passed|passed-in|requested)\b",
        "a given",
        text,
    )
    text = re.sub(
        r"(?<!\ba )(?<!\ban )(?<!\bthe )\b(?:given|specified|provided) (?=\w)", "a given ", text
    )
    text = _A_GIVEN.sub(
        lambda m: (
            f"the {m[1]}"
            if is_plural(m[1].split()[-1]) or m[1].split()[-1].lower() in UNCOUNTABLE
            else m[0]
        ),
        text,
    )
    return re.sub(r"\s+", " ", text).strip(" ,")


def _shortened(rest: str) -> str:
    text = rest
    while len(text.split()) > MOST_WORDS:
        shorter = _LATE_CUT.sub("", text) if not text.startswith("whether") else text
        last = list(
            re.finditer(
                r" (?:if|when|that|using|based on|by|while|before|after|with|without|as|until|once|for|to) ",
                text,
            )
        )
        shorter = text[: last[-1].start()] if last and not text.startswith("whether") else text
        if shorter == text:
            return text
        text = shorter
    return text


def _lacks_article(words: list[str]) -> bool:
    phrase: list[str] = []
    for word in words:
        lower = word.lower().strip(",")
        if phrase and lower not in {"and", "or"} and (lower in _OPEN_ENDED or lower in PRONOUNS):
            break
        phrase.append(word)
        if word.endswith(","):
            break
    first, last = phrase[0].lower(), phrase[-1].strip(",")
    if first in _OPEN_ENDED or first in PRONOUNS or "'" in phrase[0] or first.startswith('"'):
        return False
    if last.endswith(_ABSTRACT) and last.lower() not in _COUNTABLE:
        return False
    if (
        is_plural(last)
        or last.lower() in UNCOUNTABLE
        or last.lower() in _IDIOMS
        or last.endswith(("ly", "ing", "ed"))
    ):
        return False
    return (
        not any(word.endswith("ing") or word[:1].isupper() for word in phrase[:1])
        and last.islower()
        and first not in {"sure", "not"}
    )


def _reads_well(rest: str) -> bool:
    words = rest.split(" ")
    if not FEWEST_WORDS <= len(words) <= MOST_WORDS or words[-1].lower().strip(",") in _OPEN_ENDED:
        return False
    if any(
        (word.lower() in PRONOUNS and not (place > 2 and word in {"it", "them"}))
        or word in {"True", "False", "None", "etc"}
        for place, word in enumerate(words)
    ):
        return False
    if (
        words[0].lower() in AUXILIARIES | CONJUNCTIONS - {"that"}
        or _SMELL.search(rest)
        or _CLASH.search(rest)
    ):
        return False
    return not (_has_loose_phrases(words) or _has_stray_verb(words) or _is_clause(words))


def _has_loose_phrases(words: list[str]) -> bool:
    """Tell whether two noun phrases follow each other unjoined, or a new sentence starts in the
    middle.
    """
    if any(word[0].isupper() and word.lower() in _SENTENCE_STARTS for word in words):
        return True
    if words[0] in {"whether", "that"}:
        return False
    start = " ".join(words[:5])
    return re.match(
        r"(?:the|an?|any|each) [\w ]+ (?:the|a|an) ", start
    ) is not None and not _has_link(words[:5])


def _has_link(words: list[str]) -> bool:
    """Tell whether two noun phrases in a row are joined by a preposition, a participle or the like."""
    return any(
        word in PREPOSITIONS | CONJUNCTIONS or word.endswith(("ing", "ed", "en")) for word in words
    )


def _has_stray_verb(words: list[str]) -> bool:
    """Tell whether a second command follows without a joint: *set up the queue initialize the
    disk*.
    """
    return any(
        word in _PLAIN_VERBS
        and place
        and words[place - 1].lower() not in _VERB_JOINTS
        and (place + 1 < len(words) and words[place + 1] in DETERMINERS)
        for place, word in enumerate(words)
    )


def _is_clause(words: list[str]) -> bool:
    """Tell whether a finite verb stands in the open, not behind *that*, *if*, *whether* and their
    like.
    """
    if words[0] == "whether":
        return False
    for place, word in enumerate(words):
        if word in {
            "is",
            "are",
            "was",
            "were",
            "has",
            "have",
            "can",
            "should",
            "must",
            "will",
            "may",
        }:
            return not CONJUNCTIONS.union({"whether", "how", "what", "where"}).intersection(
                words[:place]
            )
    return False
