"""Puts a reply of the Gemini API together from the chunks of its stream.

Text comes in pieces, calls come whole. A part that bears a thought signature stays as it came: the
API wants it back in its place, and neither longer nor shorter.
"""

import contextlib
from collections.abc import AsyncGenerator, Iterable
from itertools import groupby
from json import JSONDecodeError
from typing import Any

import httpx2
from google.genai import errors, types

from goldwright.canonical import canonical_json
from goldwright.llm.port import FaultKind, ProviderFault, Usage
from goldwright.llm.providers.partial_reply import PartialReply
from goldwright.llm.providers.reply_values import read_optional_tokens, read_usage


async def receive_chunks(
    chunks: AsyncGenerator[types.GenerateContentResponse], streamed: "StreamedContent"
) -> None:
    """Take every chunk of a stream; what breaks off behind a whole reply spoils nothing.

    Raises:
        ProviderFault: A chunk is cut off, or is no JSON at all.
    """
    try:
        async with contextlib.aclosing(chunks):
            async for chunk in chunks:
                streamed.take(chunk)
    except errors.UnknownApiResponseError as error:
        if not streamed.is_whole:
            raise _fault_of(error) from None
    except (httpx2.HTTPError, OSError):
        if not streamed.is_whole:
            raise


class StreamedContent:
    """A reply on its way."""

    def __init__(self, partial: PartialReply) -> None:
        self._partial = partial
        self._content: types.Content | None = None
        self._parts: list[types.Part] = []
        # The newest of each field; later chunks may leave it out.
        self._newest: dict[str, Any] = {}
        self._candidate: types.Candidate | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the model has said why it ended."""
        if self._candidate is not None:
            return self._candidate.finish_reason is not None
        return "prompt_feedback" in self._newest

    def take(self, chunk: types.GenerateContentResponse) -> None:
        """Take the next chunk."""
        self._partial.begin()
        for name in ("usage_metadata", "model_version", "prompt_feedback"):
            value = getattr(chunk, name)
            if value is not None:
                self._newest[name] = value
        self._partial.count(read_usage(_usage_so_far, chunk))
        if chunk.candidates:
            self._take_candidate(chunk.candidates[0], is_counted=_is_counted(chunk))

    def response(self) -> types.GenerateContentResponse:
        """Give the whole reply, as the SDK makes it of one that comes in one piece.

        Raises:
            ProviderFault: The stream ended before the reply did.
        """
        if not self.is_whole:
            raise ProviderFault("cut", "the stream ended before the reply did", may_be_billed=True)
        fields = dict(self._newest)
        if self._candidate is not None:
            whole_candidate = self._candidate.model_copy(update={"content": self._merged()})
            fields["candidates"] = [whole_candidate]
        return types.GenerateContentResponse.model_construct(**fields)

    def _take_candidate(self, candidate: types.Candidate, *, is_counted: bool) -> None:
        if self._candidate is None or candidate.finish_reason is not None:
            self._candidate = candidate
        content = candidate.content
        if content is None:
            return
        if self._content is None:
            self._content = content
        parts = content.parts or []
        self._parts += parts
        if not is_counted:
            text = "".join(map(_said_in, parts))
            self._partial.say(text)

    def _merged(self) -> types.Content | None:
        if self._content is None:
            return None
        return self._content.model_copy(update={"parts": _merge(self._parts)})


def _merge(parts: Iterable[types.Part]) -> list[types.Part]:
    """Join neighbours that are nothing but text, or nothing but text of thoughts."""
    merged: list[types.Part] = []
    for kind, neighbours in groupby(parts, key=_kind_of_text):
        if kind is None:
            merged += neighbours
            continue
        pieces = list(neighbours)
        text = "".join(piece.text or "" for piece in pieces)
        # The last chunk often brings an empty one.
        if text:
            whole_part = pieces[0].model_copy(update={"text": text})
            merged.append(whole_part)
    return merged


def _kind_of_text(part: types.Part) -> str | None:
    """Tell what text a part is; ``None`` where it holds anything besides, or none."""
    fields = part.model_dump(exclude_none=True).keys()
    if "text" in fields and fields <= {"text", "thought"}:
        return "thought" if part.thought else "answer"
    return None


def _said_in(part: types.Part) -> str:
    if part.function_call is not None:
        return canonical_json(part.function_call.args)
    return part.text or ""


def _fault_of(error: errors.UnknownApiResponseError) -> ProviderFault:
    """Tell a chunk that breaks off, which the SDK passes on as if it were whole, from nonsense."""
    cause = error.__cause__
    kind: FaultKind = "malformed"
    if isinstance(cause, JSONDecodeError):
        is_at_end = cause.pos >= len(cause.doc)
        if is_at_end or cause.msg.startswith("Unterminated"):
            kind = "cut"
    return ProviderFault(kind, str(error), may_be_billed=True)


def _is_counted(chunk: types.GenerateContentResponse) -> bool:
    usage = chunk.usage_metadata
    return usage is not None and usage.candidates_token_count is not None


def _usage_so_far(chunk: types.GenerateContentResponse) -> Usage:
    usage: Any = chunk.usage_metadata
    cached = read_optional_tokens(usage.cached_content_token_count)
    answer_tokens = read_optional_tokens(usage.candidates_token_count)
    thought = read_optional_tokens(usage.thoughts_token_count)
    prompt = read_optional_tokens(usage.prompt_token_count)
    return Usage(fresh=prompt - cached, cached=cached, output=answer_tokens + thought)
