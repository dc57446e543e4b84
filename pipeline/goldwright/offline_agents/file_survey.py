"""The leads of one file, found in whatever process."""

from typing import Final

import msgspec

from goldwright.code_reading.modules import read_module
from goldwright.offline_agents.inquiries.catalog import INQUIRIES
from goldwright.offline_agents.inquiries.inquiry import Lead
from goldwright.snapshot.languages import language_named
from goldwright.snapshot.source_text import SourceText

NO_LEADS: Final = msgspec.msgpack.encode(())

_LEADS: Final = msgspec.msgpack.Decoder(tuple[Lead, ...])


def encoded_leads(path: str, data: bytes) -> bytes:
    """Find the leads of a Python file, as bytes that travel between processes."""
    try:
        return msgspec.msgpack.encode(_leads_of_file(path, data))
    except (RecursionError, UnicodeEncodeError):
        # Expressions nested by the thousand, or texts that no file can hold: nobody asks about
        # such a file.
        return NO_LEADS


def decode_leads(data: bytes) -> tuple[Lead, ...]:
    """Read leads from bytes."""
    return _LEADS.decode(data)


def _leads_of_file(path: str, data: bytes) -> tuple[Lead, ...]:
    lines = SourceText(path, language_named("python").decode(data)).lines
    module = read_module(path, data, lines)
    if module is None:
        return ()
    return tuple(lead for inquiry in INQUIRIES for lead in inquiry.leads(module))
