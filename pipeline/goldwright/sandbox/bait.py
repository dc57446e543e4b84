"""Things outside of the sandbox for probes to go for, made for one look and taken away after it."""

import ctypes
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

from goldwright.sandbox.probes import Bait

_PAGE = 4096
_CREATE_PRIVATE_KEY, _OWN_SEGMENT, _REMOVE_SEGMENT = 0o1000, 0o600, 0


@contextmanager
def lay_bait() -> Iterator[Bait]:
    """Make what probes go for: files, sockets that listen, a process, memory, a variable."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="goldwright-bait-")))
        secret = directory / "secret"
        secret.write_bytes(b"secret")
        (directory / "file").write_bytes(b"file")
        # An open file that a careless launcher would hand on.
        descriptor = os.open(secret, os.O_RDONLY)
        stack.callback(os.close, descriptor)
        name, path = f"goldwright-{token_hex(8)}", directory / "socket"
        _listen(stack, socket.AF_UNIX, f"\0{name}")
        _listen(stack, socket.AF_UNIX, str(path))
        # Set before the process is started, which then has it from its first moment on.
        variable = _set_variable(stack)
        tcp_port = _listen(stack, socket.AF_INET, ("127.0.0.1", 0))
        yield Bait(
            secret=secret,
            directory=directory,
            tcp_port=tcp_port,
            udp_port=_echo(stack),
            socket_name=name,
            socket_path=path,
            process=_start_process(stack),
            memory_id=_make_segment(stack),
            variable=variable,
        )


def _listen(stack: ExitStack, family: int, address: tuple[str, int] | str) -> int:
    """Listen; return the port, or 0 for a socket that has none."""
    listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
    listener.bind(address)
    listener.listen()
    return int(listener.getsockname()[1]) if family == socket.AF_INET else 0


def _echo(stack: ExitStack) -> int:
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", 0))
    # An empty datagram to itself ends the thread: closing alone would leave it waiting.
    stack.callback(lambda: receiver.sendto(b"", receiver.getsockname()))
    threading.Thread(target=_answer, args=(receiver,), daemon=True).start()
    return int(receiver.getsockname()[1])


def _answer(receiver: socket.socket) -> None:
    with receiver, suppress(OSError):
        while True:
            text, sender = receiver.recvfrom(16)
            if not text:
                return
            receiver.sendto(text, sender)


def _start_process(stack: ExitStack) -> int:
    sleeper = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"])
    stack.callback(sleeper.wait)
    stack.callback(sleeper.kill)
    return sleeper.pid


def _make_segment(stack: ExitStack) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    number = int(libc.shmget(0, _PAGE, _CREATE_PRIVATE_KEY | _OWN_SEGMENT))
    stack.callback(libc.shmctl, number, _REMOVE_SEGMENT, None)
    return number


def _set_variable(stack: ExitStack) -> str:
    name = f"GOLDWRIGHT_BAIT_{token_hex(4).upper()}"
    os.environ[name] = "secret"
    stack.callback(os.environ.pop, name)
    return name
