"""Whether two names are one person's."""

from typing import Final
from unicodedata import normalize

from goldwright.text import without_hidden

# Letters that are drawn like Latin ones, after ``casefold``; of the scripts that keyboards offer
# (UTS 39 lists thousands more, most of which no name is written in).
_CYRILLIC: Final = "авеһіјкмнорсԛѕтухԝгьпԁ"  # ambiguous is what they are
_LIKE_CYRILLIC: Final = "abehijkmhopcqstyxwrbnd"
_GREEK: Final = "αβγεζηικμνορστυχω"  # ambiguous is what they are
_LIKE_GREEK: Final = "abyezhikmvopotuxw"
_LATIN: Final = "ıɑɡſɩ"  # noqa: RUF001  # ambiguous is what they are
_LIKE_LATIN: Final = "iagsi"
_LOOKALIKES: Final = str.maketrans(
    _CYRILLIC + _GREEK + _LATIN, _LIKE_CYRILLIC + _LIKE_GREEK + _LIKE_LATIN
)


def same_person(name: str, other_name: str) -> bool:
    """Whether two names are one person's: they look alike but for case, spaces and punctuation.

    Digits count: Reviewer 1 and Reviewer 2 may well be two people.
    """
    return person_key(name) == person_key(other_name)


def person_key(name: str) -> str:
    """Give what is the same for all names of one person, and other than those of anybody else."""
    # NFKC folds full-width letters and composes accents; ``casefold`` makes "strasse" of "Straße".
    folded = normalize("NFKC", without_hidden(name)).casefold()
    alike = normalize("NFKC", folded.translate(_LOOKALIKES))
    letters = "".join(filter(str.isalnum, alike))
    # A name of signs alone is what it is.
    return letters or alike
