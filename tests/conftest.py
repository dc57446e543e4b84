"""What every test gets: no network beyond loopback, and golden files."""

import gc
import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from effort import is_thorough, register_profiles

register_profiles()
# Collections while everything is imported look at ever more and free nothing: an eighth of the time
# of collecting the tests.
gc.disable()
# Twenty times what Python has it at: a test leaves little behind.
OBJECTS_BETWEEN_COLLECTIONS = 14_000

GoldenCheck = Callable[[Path, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take ``--update-golden``."""
    parser.addoption(
        "--update-golden", action="store_true", help="write golden files anew instead of comparing"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what waits, and leave out what ``make thorough`` runs and nobody names."""
    items.sort(key=lambda item: item.get_closest_marker("waits") is None)
    is_named = any("::" in argument for argument in config.args)
    if is_thorough() or is_named:
        return
    left_out = [item for item in items if item.get_closest_marker("thorough")]
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]
    config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    """Leave what was imported out of later collections, which would look at all of it each time."""
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """Let sockets connect to this machine only."""

    def guarded(connect: Callable[..., object]) -> Callable[..., object]:
        def connect_if_local(self: socket.socket, address: object) -> object:
            if not _is_local(self, address):
                raise PermissionError(
                    f"a test tried to reach {address!r}; tests talk to loopback only"
                )
            return connect(self, address)

        return connect_if_local

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded(socket.socket.connect))
        patch.setattr(socket.socket, "connect_ex", guarded(socket.socket.connect_ex))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_certificates() -> Iterator[None]:
    """Read no certificates: loopback speaks no TLS, and each client would read them all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl.SSLContext, "load_verify_locations", lambda *_, **__: None)
        yield


@pytest.fixture
def check_golden(request: pytest.FixtureRequest) -> GoldenCheck:
    """Compare a text with a golden file, or write the file when ``--update-golden`` is given."""
    update = bool(request.config.getoption("--update-golden"))

    def check(path: Path, text: str) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        wanted = path.read_text(encoding="utf-8") if path.is_file() else ""
        assert text == wanted, (
            f"{path} is out of date; read the difference, then run pytest with --update-golden"
        )

    return check


def _is_local(connection: socket.socket, address: object) -> bool:
    if connection.family == socket.AF_UNIX:
        return True
    host = address[0] if isinstance(address, tuple) else address
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False
