"""Replies of retrievers that were asked before, kept as files."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from goldwright.atomic_files import replace_file
from goldwright.errors import GoldwrightError
from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply

# Raised when the form of a kept reply changes, so that older ones are not read.
_FORM: Final = 1


@dataclass(frozen=True, slots=True)
class KeptReply:
    """A reply with what it took.

    Attributes:
        reply: The reply.
        seconds: How long the question took.
        asked_at: When it was asked, as in ``2026-04-14T12:00:00Z``.
    """

    reply: RetrieverReply
    seconds: float
    asked_at: str


class ReplyCache:
    """The kept replies of one retriever, by the text of the query and the number of results.

    What is damaged, unreadable or of another form counts as not kept, and a directory that cannot
    be written keeps nothing: the retriever is asked.
    """

    def __init__(self, directory: Path, fingerprint: str) -> None:
        """Open the replies of a retriever.

        Args:
            directory: Where the replies of all retrievers are kept.
            fingerprint: Names the retriever, its code and the codebase that it searches.
        """
        self._directory = directory
        self._fingerprint = fingerprint

    def find(self, question: RetrieverQuery) -> KeptReply | None:
        """Find the reply to a question."""
        try:
            data = self._path(question).read_bytes()
            fields: Any = json.loads(data)
            reply_fields = fields["reply"]
            hits = [(str(entity_id), float(score)) for entity_id, score in reply_fields["hits"]]
            reply = RetrieverReply(**{**reply_fields, "hits": hits})
            seconds = float(fields["seconds"])
            return KeptReply(reply, seconds, str(fields["asked_at"]))
        except (OSError, ValueError, TypeError, LookupError):
            return None

    def keep(self, question: RetrieverQuery, kept_reply: KeptReply) -> None:
        """Keep a reply."""
        path = self._path(question)
        data = json.dumps(asdict(kept_reply)).encode("ascii")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, data)
        except (OSError, GoldwrightError):
            return

    def _path(self, question: RetrieverQuery) -> Path:
        key = json.dumps([_FORM, self._fingerprint, question.text, question.limit])
        name = hashlib.sha256(key.encode("ascii")).hexdigest()
        return self._directory / name[:2] / f"{name}.json"
