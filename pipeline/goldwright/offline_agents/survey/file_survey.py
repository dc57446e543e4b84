"""The leads of one file, found in whatever process."""

from dataclasses import dataclass
from typing import Final

import msgspec

from goldwright.code_reading.modules import read_module
from goldwright.offline_agents.inquiries.catalog import INQUIRIES
from goldwright.offline_agents.inquiries.inquiry import Lead
from goldwright.snapshot.file_guard import attempt
from goldwright.snapshot.languages.language_catalog import language_named
from goldwright.snapshot.source_text import SourceText

_PURPOSE: Final = "looking for questions"


@dataclass(frozen=True, slots=True)
class FileSurvey:
    """What was found in one file.

    Attributes:
        leads: Its leads, by inquiry and then by line; none where one of the inquiries failed.
        reason: Why it could not be surveyed; empty where it could.
    """

    leads: tuple[Lead, ...] = ()
    reason: str = ""


_SURVEYS: Final = msgspec.msgpack.Decoder(FileSurvey)


def encoded_survey(path: str, data: bytes) -> bytes:
    """Survey a Python file; the result is bytes that travel between processes."""

    def survey() -> bytes:
        # Within the guard, for a text that no file can hold is noticed when it is encoded.
        return msgspec.msgpack.encode(FileSurvey(_leads_of_file(path, data)))

    return attempt(survey, encoded_failure)


def encoded_failure(reason: str) -> bytes:
    """Write the survey of a file that could not be surveyed, and why."""
    survey = FileSurvey(reason=f"{_PURPOSE}: {reason}")
    return msgspec.msgpack.encode(survey)


def decode_survey(data: bytes) -> FileSurvey:
    """Read a survey from bytes."""
    return _SURVEYS.decode(data)


def _leads_of_file(path: str, data: bytes) -> tuple[Lead, ...]:
    text = language_named("python").decode(data)
    lines = SourceText(path, text).lines
    module = read_module(path, data, lines)
    if module is None:
        return ()
    return tuple(lead for inquiry in INQUIRIES for lead in inquiry.leads(module))
