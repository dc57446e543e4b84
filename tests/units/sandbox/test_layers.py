"""What a sandbox keeps from a command, under each layer that this machine has."""

import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest

from effort import is_thorough
from goldwright.errors import InputError
from goldwright.sandbox import detection
from goldwright.sandbox.bait import lay_bait
from goldwright.sandbox.commands import SandboxCommand, SandboxResult
from goldwright.sandbox.detection import find_layer, look
from goldwright.sandbox.layers import LAYERS, PYTHON, Layer
from goldwright.sandbox.limits import SandboxLimits
from goldwright.sandbox.probes import PROBES, Probe, script
from goldwright.sandbox.sandboxed_process import run, start

# Probes compute and sleep for eight seconds; here they are cut off much sooner.
_LIMITS = SandboxLimits(wall_seconds=2.0, cpu_seconds=1)
_ESCAPED = b"escaped"
# What these attempts get without a sandbox is time and memory of the machine that runs the tests.
_COSTLY = ("compute without end", "sleep without end", "take 4 GiB of memory")

working_layers = pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)


@pytest.fixture(autouse=True)
def _skip_missing(request: pytest.FixtureRequest) -> None:
    if "layer" not in request.fixturenames:
        return
    layer = request.getfixturevalue("layer")
    if fault := look(layer):
        pytest.skip(f"{layer.name} does not work here: {fault.reason}")


def _run_python(layer: Layer, code: str, **options: object) -> SandboxResult:
    argv = [*PYTHON, "-c", code]
    settings = {"scratch": True, "limits": _LIMITS, **options}
    return run(layer, SandboxCommand(argv=argv, **settings))  # type: ignore[arg-type]


def attempts() -> list[Any]:
    """Every probe, under the layers in turn; or under each of them."""
    return [
        pytest.param(layer, probe, id=f"{probe.name}-{layer.name}")
        for place, probe in enumerate(PROBES)
        for turn, layer in enumerate(LAYERS)
        if is_thorough() or place % len(LAYERS) == turn
    ]


@pytest.mark.parametrize(("layer", "probe"), attempts())
def test_every_attempt_to_get_out_is_contained(layer: Layer, probe: Probe) -> None:
    with lay_bait() as bait:
        result = _run_python(layer, script(probe, bait))
        assert _ESCAPED not in result.stdout
        assert bait.secret.read_bytes() == b"secret"
        assert (bait.directory / "file").read_bytes() == b"file"
    # The launcher gave up every right: what ran was the probe, and not a refusal to start it.
    assert b"sandbox:" not in result.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="the administrator alone may do all of it")
@pytest.mark.parametrize(
    "probe", [probe for probe in PROBES if probe.name not in _COSTLY], ids=lambda probe: probe.name
)
def test_every_attempt_succeeds_without_a_sandbox(probe: Probe, tmp_path: Path) -> None:
    with lay_bait() as bait:
        secret = os.open(bait.secret, os.O_RDONLY)
        os.set_inheritable(secret, True)
        result = subprocess.run(
            [sys.executable, "-I", "-c", script(probe, bait)],
            cwd=tmp_path,
            capture_output=True,
            close_fds=False,
            check=False,
        )
        os.close(secret)
    assert _ESCAPED in result.stdout, result.stderr


@working_layers
def test_python_and_what_was_made_readable_can_be_used(layer: Layer, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("ANSWER = 42\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import module; print(module.ANSWER)"
    assert _run_python(layer, code, readable=[tmp_path]).stdout == b"42\n"
    assert _run_python(layer, code).exit_code == 1


@working_layers
def test_what_is_readable_cannot_be_written(layer: Layer, tmp_path: Path) -> None:
    code = f"open({str(tmp_path / 'new')!r}, 'w')"
    assert _run_python(layer, code, readable=[tmp_path]).exit_code == 1
    assert not list(tmp_path.iterdir())


@working_layers
def test_without_scratch_nothing_can_be_written(layer: Layer) -> None:
    assert _run_python(layer, "open('file', 'w')", scratch=False).exit_code == 1
    assert _run_python(layer, "open('/tmp/file', 'w')", scratch=False).exit_code == 1


@working_layers
def test_the_environment_is_the_same_for_everybody(
    layer: Layer, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "import os, time; print(sorted(os.environ), time.tzname, hash('a'))"
    first = _run_python(layer, code).stdout
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    assert _run_python(layer, code).stdout == first
    assert b"API_KEY" not in first


@working_layers
def test_output_is_read_to_its_end_and_cut(layer: Layer) -> None:
    limits = SandboxLimits(wall_seconds=5.0, output_bytes=1000)
    result = _run_python(layer, "print('x' * 5_000_000); print('end')", limits=limits)
    assert (len(result.stdout), result.exit_code, result.is_truncated) == (1000, 0, True)


@working_layers
def test_a_descriptor_that_is_handed_over_can_be_written(layer: Layer) -> None:
    reading, writing = os.pipe()
    code = f"import os; os.write({writing}, b'through the pipe')"
    result = _run_python(layer, code, inherited=[writing])
    os.close(writing)
    assert (result.exit_code, os.read(reading, 100)) == (0, b"through the pipe")
    os.close(reading)


@working_layers
def test_threads_can_be_made(layer: Layer) -> None:
    code = "import threading; t = threading.Thread(target=print, args=('x',)); t.start(); t.join()"
    assert _run_python(layer, code).stdout == b"x\n"


@working_layers
def test_a_command_that_is_left_early_does_not_go_on(layer: Layer) -> None:
    command = SandboxCommand(argv=[*PYTHON, "-c", "import time; time.sleep(600)"])
    with start(layer, command) as process:
        pass
    assert process.wait().exit_code < 0


@working_layers
@pytest.mark.parametrize(
    "code",
    [
        "for _ in range(3000): os.mkdir('d'); os.chdir('d')",
        "os.mkdir('d', 0o300); os.mkdir('d/d', 0); open('d/file', 'w').write('x')",
        "for number in range(300_000): open(str(number), 'w').close()",
    ],
    ids=["too deep", "closed", "too many"],
)
def test_whatever_was_left_behind_is_taken_away(layer: Layer, code: str) -> None:
    """Deeper than Python calls itself, closed to its owner, or without a byte in a file."""
    directories: list[Path] = []
    command = SandboxCommand([*PYTHON, "-c", f"import os\n{code}"], scratch=True, limits=_LIMITS)
    before = set(Path(gettempdir()).glob("goldwright-sandbox-*"))
    with start(layer, command) as process:
        directories += set(Path(gettempdir()).glob("goldwright-sandbox-*")) - before
        process.wait()
    assert directories
    assert not any(directory.exists() for directory in directories)


@working_layers
def test_empty_files_are_bounded_too(layer: Layer) -> None:
    code = (
        "import time\nfor n in range(40_000): open(str(n), 'w').close()\ntime.sleep(1); print('x')"
    )
    limits = SandboxLimits(wall_seconds=20.0, cpu_seconds=15)
    if layer.has_own_files:
        pytest.skip("its own file system bounds them")
    assert _run_python(layer, code, limits=limits).stdout == b""


@working_layers
def test_a_program_that_is_not_there_is_said(layer: Layer) -> None:
    result = run(layer, SandboxCommand(argv=["/nowhere/python"]))
    assert (result.exit_code, result.stdout) == (125, b"")
    assert b"/nowhere/python cannot be started" in result.stderr


def test_the_first_layer_that_works_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def leak(*_: object) -> SandboxResult:
        return SandboxResult(0, b"network,files\n", b"", 0.1)

    monkeypatch.setattr(detection, "run", leak)
    with pytest.raises(InputError, match="bubblewrap: leaves network,files open; landlock: "):
        find_layer()


def test_a_layer_that_fails_says_what_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> SandboxResult:
        return SandboxResult(1, b"", b"warning\nbwrap: No permissions to create namespace\n", 0.1)

    monkeypatch.setattr(detection, "run", fail)
    fault = look(LAYERS[0])
    assert fault is not None
    assert fault.reason == "bwrap: No permissions to create namespace"


def test_what_may_take_less_memory_than_a_sandbox_sets_starts_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would be refused the limit, or wait without end for a thread that found no room."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (300 << 20, 300 << 20))
    monkeypatch.setattr(detection, "run", lambda *_: pytest.fail("something was started"))
    for layer in LAYERS:
        fault = look(layer)
        assert fault is not None
        assert "this process may take 314,572,800 bytes of memory" in fault.reason
