"""Laws of the journal: whatever is appended and wherever it is cut, the file is a prefix of what
was written.
"""

import contextlib
import json
import string
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from goldwright.errors import DamagedStateError, InputError
from goldwright.journal import CallLog, StageFile, read_jsonl
from goldwright.manifest import load_manifest
from goldwright.records import CheckFailure

RUN = "20260414T120000Z-law-0001"
TEXT = st.text(max_size=40)
FAILURES = st.builds(CheckFailure, check=TEXT, claim=TEXT, message=TEXT)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
BODIES = st.dictionaries(
    st.text(alphabet=string.ascii_letters, min_size=2, max_size=6), JSON, max_size=3
)


@given(records=st.lists(FAILURES, max_size=6))
def test_any_records_come_back_as_they_were(records: list[CheckFailure]) -> None:
    """Whatever text a record holds, reading gives it back."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "stage.jsonl"
        with StageFile.open(path, CheckFailure, writable=True) as stage:
            for record in records:
                stage.append(record)
        assert (
            list(StageFile.open(path, CheckFailure, writable=False, sealed=stage.seal).records)
            == records
        )


@given(bodies=st.lists(BODIES, max_size=5))
def test_any_bodies_come_back_as_they_were(bodies: list[dict[str, object]]) -> None:
    """Whatever JSON a call holds, the chain carries it."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "calls.jsonl"
        with CallLog.open(path, RUN, writable=True) as calls:
            for body in bodies:
                calls.append("reply", body)
        assert [
            dict(entry.body) for entry in CallLog.open(path, RUN, writable=False).entries
        ] == bodies


@given(data=st.data())
def test_no_edit_of_a_calls_file_goes_unnoticed(data: st.DataObject) -> None:
    """Replace any span by any bytes: what is read is a prefix of what was written, or it is
    refused.
    """
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "calls.jsonl"
        with CallLog.open(path, RUN, writable=True) as calls:
            for number in range(3):
                calls.append("reply", {"key": number})
        written = path.read_bytes()
        start = data.draw(st.integers(0, len(written)))
        end = data.draw(st.integers(start, min(len(written), start + 80)))
        path.write_bytes(written[:start] + data.draw(st.binary(max_size=20)) + written[end:])
        try:
            held = CallLog.open(path, RUN, writable=False).entries
        # With one more digit the file seems to be of a later version.
        except (DamagedStateError, InputError):
            return
        assert list(held) == list(calls.entries[: len(held)])
        # A line that is not the last one cannot vanish: whatever follows the edit gives it away.
        assert (
            len(held) == 3
            or end >= written.rstrip(b"\n").rindex(b"\n")
            or not written[end:].strip()
        )


@given(
    data=st.binary(max_size=60)
    | TEXT.map(str.encode)
    | JSON.map(lambda value: json.dumps(value).encode() + b"\n")
)
@example(b"[" * 200_000 + b"\n")
@example(b'{"schema":' + b"9" * 5000 + b"}\n")
@example(b'{"schema_version":"' + b"9" * 5000 + b'.0"}\n')
def test_any_bytes_are_read_or_refused_with_an_exit_code(data: bytes) -> None:
    """No file in the place of ours ends in a traceback."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "file"
        path.write_bytes(data)
        openings: tuple[Callable[[], object], ...] = (
            lambda: StageFile.open(path, CheckFailure, writable=False),
            lambda: CallLog.open(path, RUN, writable=False),
            lambda: load_manifest(path),
            lambda: list(read_jsonl(path, CheckFailure)),
        )
        for opening in openings:
            with contextlib.suppress(InputError, DamagedStateError):
                opening()


class CrashingWriter(RuleBasedStateMachine):
    """A writer that dies now and then, against a list of what it wrote and was told is durable."""

    def __init__(self) -> None:
        """Begin with an empty directory."""
        super().__init__()
        self._directory = tempfile.TemporaryDirectory()
        self._path = Path(self._directory.name) / "stage.jsonl"
        self._model: list[CheckFailure] = []

    @initialize()
    def begin(self) -> None:
        """Open the file for the first time."""
        self._stage = StageFile.open(self._path, CheckFailure, writable=True)

    @rule(record=FAILURES)
    def append(self, record: CheckFailure) -> None:
        """Write one record and have it acknowledged."""
        self._stage.append(record)
        self._model.append(record)

    @rule(record=FAILURES, share=st.floats(0, 1))
    def die_while_appending(self, record: CheckFailure, share: float) -> None:
        """Leave some part of a line that was never acknowledged, then open again."""
        self._stage.close()
        line = record.as_json().encode("ascii") + b"\n"
        part = line[: round(share * len(line))]
        with self._path.open("ab") as file:
            file.write(part)
        if len(part) >= len(line) - 1:
            self._model.append(record)
        self._stage = StageFile.open(self._path, CheckFailure, writable=True)

    @rule()
    def reopen(self) -> None:
        """Close in peace and open again with the seal."""
        self._stage.close()
        self._stage = StageFile.open(
            self._path, CheckFailure, writable=True, sealed=self._stage.seal
        )

    @rule()
    def damage_the_middle(self) -> None:
        """Spoil a line that others follow: it is refused, and the file stays as it is."""
        whole = self._path.read_bytes()
        if whole.count(b"\n") < 2:
            return
        spoilt = b"x" + whole
        self._path.write_bytes(spoilt)
        try:
            StageFile.open(self._path, CheckFailure, writable=True)
        except DamagedStateError:
            assert self._path.read_bytes() == spoilt
        else:
            raise AssertionError("damage was taken for a torn tail")
        self._stage.close()
        self._path.write_bytes(whole)
        self._stage = StageFile.open(self._path, CheckFailure, writable=True)

    @invariant()
    def holds_what_was_written(self) -> None:
        """Every acknowledged record is there once, in order."""
        if not hasattr(self, "_stage"):
            return
        assert list(self._stage.records) == self._model
        assert list(StageFile.open(self._path, CheckFailure, writable=False).records) == self._model

    def teardown(self) -> None:
        """Close the file and drop the directory."""
        self._stage.close()
        self._directory.cleanup()


CrashingWriter.TestCase.settings = settings(stateful_step_count=20)
TestCrashingWriter = CrashingWriter.TestCase
