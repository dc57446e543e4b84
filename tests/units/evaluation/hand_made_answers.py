"""Records as they should be, each with answers written by hand."""

from dataclasses import dataclass


@dataclass(frozen=True)
class HandMade:
    """A record with answers to its question.

    Attributes:
        facts: What a right answer states.
        falsehoods: What it does not state, though it is tempting.
        right: Answers that state all facts.
        wrong: Answers that lack or deny a fact, or state a falsehood, each with its reason.
    """

    facts: tuple[str, ...]
    falsehoods: tuple[str, ...]
    right: tuple[str, ...]
    wrong: dict[str, str]


def joined(text: str) -> str:
    """A text that is written over several lines."""
    return " ".join(text.split())


PASV = HandMade(
    facts=(
        joined(
            """
            Everything but digits, commas and blanks is stripped, and the rest is split on commas.
            """
        ),
        'A number outside 0–255 raises `ValueError("Out of range")`.',
        "The first four numbers are the host.",
        "The port is `(fifth << 8) + sixth`.",
        "The caller uses the decoded host if `_trustPasvAddr` is set.",
        "Unless `_trustPasvAddr` is set, the caller uses the peer of the control connection.",
    ),
    falsehoods=(
        "Numbers above 255 are clamped.",
        "The host in the reply is always used.",
    ),
    right=(
        joined(
            """
            It strips everything but digits, commas and blanks and splits the rest on commas. A
            number outside 0-255 raises ValueError("Out of range"). The first four numbers make the
            host, and the port is `(fifth << 8) + sixth`. If `_trustPasvAddr` is set, the caller
            uses the decoded host; otherwise it uses the control connection's peer.
            """
        ),
        joined(
            """
            Numbers above 255 are not clamped: a number outside 0–255 throws `ValueError` with the
            text “Out of range”. Before that, everything but digits, commas and blanks has been
            stripped and the rest split on commas. The host is the first four numbers. The port is
            `(fifth << 8) + sixth`. The decoded host is used by the caller when `_trustPasvAddr` is
            set. Unless `_trustPasvAddr` is set, it uses the peer of the control connection.
            """
        ),
    ),
    wrong={
        "inverted guard": joined(
            """
            It strips everything but digits, commas and blanks and splits the rest on commas. A
            number outside 0-255 raises ValueError("Out of range"). The first four numbers make the
            host, and the port is `(fifth << 8) + sixth`. If `_trustPasvAddr` is set, the caller
            uses the control connection's peer; otherwise it uses the decoded host.
            """
        ),
        "states a falsehood": joined(
            """
            Everything but digits, commas and blanks is stripped, and the rest is split on commas. A
            number outside 0–255 raises `ValueError("Out of range")`. The first four numbers are the
            host. The port is `(fifth << 8) + sixth`. The caller uses the decoded host if
            `_trustPasvAddr` is set. Unless `_trustPasvAddr` is set, the caller uses the peer of the
            control connection. Numbers above 255 are clamped.
            """
        ),
    },
)

QUIC = HandMade(
    facts=(
        joined(
            """
            `RawQuicLayer` raises `AssertionError` with “Unexpected stream connection command” for
            any other connection command of its own client or server.
            """
        ),
        "Sending, closing and opening are handled.",
        "Closing sends `ConnectionClosed` to the child layer of the stream.",
        "It only happens while `timestamp_end` is `None`.",
    ),
    falsehoods=(
        "A second close raises it.",
        "Datagram commands raise it.",
    ),
    right=(
        joined(
            """
            `RawQuicLayer` handles sending, closing and opening. For any other connection command of
            its own client or server it raises AssertionError, “Unexpected stream connection
            command”. That happens while `timestamp_end` is None. When a stream is closed, closing
            sends ConnectionClosed to the stream's child layer. Datagram commands do not raise it.
            """
        ),
    ),
    wrong={
        "names the function and none of the conditions": joined(
            """
            `RawQuicLayer` raises `AssertionError` with “Unexpected stream connection command”. Look
            at its `_handle_event`.
            """
        ),
        "denies what is handled": joined(
            """
            Sending, closing and opening are not handled. For any other connection command of its
            own client or server, `RawQuicLayer` raises `AssertionError` with “Unexpected stream
            connection command”. It happens while `timestamp_end` is `None`. Closing sends
            `ConnectionClosed` to the stream's child layer.
            """
        ),
    },
)

COMPRESSION = HandMade(
    facts=(
        "`compression_settings` raises `ValueError` if the name is unknown.",
        "`compression_settings` is called by `connect` and `listen`, and by no other code.",
        "Neither `connect` nor `listen` catches `ValueError`.",
        "`connect` asks only when the peer is on another host.",
    ),
    falsehoods=("It falls back to no compression.",),
    right=(
        joined(
            """
            No. If the name is unknown, `compression_settings` raises `ValueError`. It is called by
            `connect` and `listen` and nobody else. `connect` and `listen` do not catch the
            `ValueError`. `connect` asks only when the peer is on another host, so a bad setting
            stays hidden on one machine. It never falls back to no compression.
            """
        ),
    ),
    wrong={
        "never says that nobody catches it": joined(
            """
            `compression_settings` throws `ValueError` if the name is unknown. It is called by
            `connect` and `listen`, and by no other code. `connect` asks only when the peer is on
            another host.
            """
        ),
        "one caller too many": joined(
            """
            `compression_settings` throws `ValueError` if the name is unknown. It is called by
            `connect`, `listen` and `resume`, and by no other code. Neither `connect` nor `listen`
            catches `ValueError`. `connect` asks only when the peer is on another host.
            """
        ),
        "the conclusion is the opposite": joined(
            """
            Yes. `compression_settings` throws `ValueError` if the name is unknown. It is called by
            `connect` and `listen`, and by no other code. Both `connect` and `listen` catch
            `ValueError`. `connect` asks only when the peer is on another host.
            """
        ),
    },
)

FLOW = HandMade(
    facts=(
        "Subclassing `Flow` registers the class under a name derived from its own.",
        "`get_state` extends the state of the base.",
        "`set_state` pops its own fields before it calls the base.",
        "The base asserts that nothing is left.",
        "A type that is absent from the iteration table raises `TypeError`.",
    ),
    falsehoods=("The new type is added by hand to a table.",),
    right=(
        joined(
            """
            Subclass `Flow`: subclassing it registers the class under a name derived from its own.
            Your `get_state` extends the base's state. Your `set_state` pops its own fields before
            it calls the base, since the base asserts that nothing is left. A type absent from the
            iteration table throws TypeError.
            """
        ),
    ),
    wrong={
        "order turned round": joined(
            """
            Subclassing `Flow` registers the class under a name derived from its own. `get_state`
            extends the state of the base. `set_state` calls the base before it pops its own fields.
            The base asserts that nothing is left. A type that is absent from the iteration table
            raises `TypeError`.
            """
        ),
        "lists base classes": joined(
            """
            `Flow` derives from `Serializable`. `HTTPFlow`, `TCPFlow` and `DNSFlow` derive from
            `Flow`.
            """
        ),
    },
)

SPILL = HandMade(
    facts=(
        "`SpillBuffer` keeps values in memory and writes the oldest to disk beyond the target.",
        "The memory manager creates it if there is a limit and a fraction.",
        "A full disk is logged and the value stays in memory.",
    ),
    falsehoods=("A full disk loses the value.",),
    right=(
        joined(
            """
            `SpillBuffer` keeps values in memory; beyond the target it writes the oldest to disk. If
            there is a limit and a fraction, the memory manager makes it. A full disk gets logged
            and the value remains in memory.
            """
        ),
    ),
    wrong={
        "answers with attributes": joined(
            """
            `SpillBuffer` has the attributes `memory_limit` and `spill_directory`, and keeps both.
            """
        ),
        "loses the value": joined(
            """
            `SpillBuffer` keeps values in memory and writes the oldest to disk beyond the target.
            The memory manager creates it if there is a limit and a fraction. A full disk is logged
            and the value does not stay in memory.
            """
        ),
        "states a falsehood": joined(
            """
            `SpillBuffer` keeps values in memory and writes the oldest to disk beyond the target.
            The memory manager creates it if there is a limit and a fraction. A full disk is logged
            and the value stays in memory. A full disk loses the value.
            """
        ),
    },
)

RECORDS = {
    "pasv": PASV,
    "quic": QUIC,
    "compression": COMPRESSION,
    "flow": FLOW,
    "spill": SPILL,
}
