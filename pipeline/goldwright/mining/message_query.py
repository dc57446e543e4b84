"""What people wrote of a commit, as a query: without what only the project's own tools read."""

import re
from typing import Final

from goldwright.retrieval.stop_words import STOP_WORDS
from goldwright.text import without_hidden

# In characters. Longer subjects are messages that lack an empty line behind the first one.
LONGEST_SUBJECT: Final = 300
LONGEST_QUERY: Final = 1500

_URL: Final = re.compile(r"\(?<?\bhttps?://[^\s>)]+>?\)?")
# ``fix(parser)!:`` of Conventional Commits, with the types of its specification and Angular's.
_CONVENTIONAL: Final = re.compile(
    r"^(?:build|chore|ci|docs?|feat|feature|fix|perf|refactor|revert|style|tests?)"
    r"(?:\([^)]*\))?!?:\s*",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"^\[[^\]]{1,40}\][\s:-]*")
# ``http client:`` is a sentence's beginning; ``utils:`` and ``core/http.py:`` are places.
_PLACE: Final = re.compile(r"^[\w./*-]{1,60}:\s+(?=\S)")
_EMOJI_CODE: Final = re.compile(r":[a-z0-9_+-]{2,40}:")
# Pictures, with the selectors and joiners between them, as projects put them before a prefix.
_EMOJI: Final = re.compile("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+")
_ISSUE_WORD: Final = (
    r"(?:(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see|re|issue|issues|ticket|bug|pr|"
    r"pull request|gh|bpo)[\s:]*)"
)
_ISSUE_NUMBER: Final = r"(?:[\w.-]+/[\w.-]+)?#\d+|\b(?:gh|bpo|pr|issue|ticket)-\d+"
_ISSUE: Final = re.compile(
    rf"[(\[]?\s*{_ISSUE_WORD}?(?:{_ISSUE_NUMBER})(?:\s*(?:,|and|&)\s*(?:{_ISSUE_NUMBER}))*\s*[)\]]?",
    re.IGNORECASE,
)
# Those of a call stay: ``close()``.
_EMPTY_BRACKETS: Final = re.compile(r"(?<!\w)(?:\(\s*\)|\[\s*\])")
_ENDS: Final = " \t-–—:;,.|*"
_TRAILER: Final = re.compile(
    r"^(?:[A-Z][\w-]*-by|Fix(?:es)?|Closes?|Refs?|Change-Id|See(?:-Also)?|Cc|Bug|Issue|"
    r"Co-authored-by|git-svn-id|Reviewed|PR|Backport[\w ]*):",
    re.IGNORECASE,
)
_LIST_SIGN: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s*)?")
CONTENT_WORD: Final = re.compile(r"[^\W\d_]{2,}(?:[-'’_.][^\W_]+)*")


def subject_of(message: str) -> str:
    """Give the first line of a message that is not empty, at most 300 characters."""
    for line in message.splitlines():
        if line.strip():
            return line.strip()[:LONGEST_SUBJECT]
    return ""


def clean_subject(subject: str) -> str:
    """Take prefixes, numbers of issues, addresses and emoji off a subject."""
    text = without_hidden(_EMOJI.sub(" ", subject))
    text = _URL.sub(" ", text)
    text = _EMOJI_CODE.sub(" ", text).strip()
    text = _without_prefixes(text)
    text = _ISSUE.sub(" ", text)
    text = _EMPTY_BRACKETS.sub(" ", text)
    # What stood before a number may be a prefix now that it is gone.
    text = _without_prefixes(" ".join(text.split()).strip(_ENDS))
    return " ".join(text.split()).strip(_ENDS)


def first_paragraph(message: str) -> str:
    """Give the first paragraph behind the subject, without trailers, signs of lists and addresses.

    Empty where there is none.
    """
    _, _, body = message.strip().partition("\n")
    lines: list[str] = []
    for line in body.splitlines():
        text = _LIST_SIGN.sub("", line).strip()
        if _TRAILER.match(text):
            continue
        if not text and lines:
            break
        if text:
            lines.append(text)
    paragraph = _ISSUE.sub(" ", _URL.sub(" ", without_hidden(" ".join(lines))))
    return " ".join(paragraph.split())


def query_of(subject: str, paragraph: str) -> str:
    """Join subject and paragraph, within the longest query."""
    if not paragraph:
        return subject
    return f"{subject}. {paragraph}"[:LONGEST_QUERY].rstrip()


def content_words(query: str) -> frozenset[str]:
    """Collect the words of a query that are no stop words, in lower case."""
    words = (word.lower() for word in CONTENT_WORD.findall(query))
    return frozenset(word for word in words if word not in STOP_WORDS)


def _without_prefixes(text: str) -> str:
    """Take prefixes off, one after the other; a text of nothing else stays as it is."""
    while True:
        shorter = text
        for prefix in (_CONVENTIONAL, _TAG, _PLACE):
            shorter = prefix.sub("", shorter, count=1)
        if shorter == text or not shorter.strip(_ENDS):
            return text
        text = shorter.strip()
