"""Tests reach this machine and nothing else."""

import socket

import pytest


def test_a_test_cannot_reach_another_machine() -> None:
    """An attempt fails at once, before a packet leaves."""
    with socket.socket() as connection, pytest.raises(PermissionError, match=r"192\.0\.2\.1"):
        connection.connect(("192.0.2.1", 80))


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_a_test_cannot_look_for_another_machine_by_name(family: socket.AddressFamily) -> None:
    """A host name is refused without a look-up."""
    with (
        socket.socket(family) as connection,
        pytest.raises(PermissionError, match=r"example\.invalid"),
    ):
        connection.connect_ex(("example.invalid", 443))


def test_a_test_can_reach_its_own_machine() -> None:
    """A real server in a fixture is welcome."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as connection:
        connection.connect(server.getsockname())
        assert connection.getpeername() == server.getsockname()
