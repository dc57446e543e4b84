"""Attempts to get out of a sandbox, each with the bait that it goes for.

A probe's code prints `escaped` when it got what it went for. Run without a sandbox every one of
them does, which is how a test shows that the probes can see what they look for.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Bait:
    """What lies outside of the sandbox, for probes to go for.

    Attributes:
        secret: A file whose content no command may read.
        directory: A directory in which no command may write.
        tcp_port: A port of this machine that listens, and counts who comes.
        udp_port: As `tcp_port`, for datagrams.
        socket_name: Of an abstract socket that listens.
        socket_path: Of a socket in the file system that listens.
        process: The number of a process that no command may touch.
        memory_id: Of a shared memory segment that no command may attach.
        variable: The name of a variable of the environment of whoever starts the sandbox.
    """

    secret: Path
    directory: Path
    tcp_port: int
    udp_port: int
    socket_name: str
    socket_path: Path
    process: int
    memory_id: int
    variable: str


@dataclass(frozen=True)
class Probe:
    """One attempt.

    Attributes:
        name: What it tries, in words.
        code: Python; `bait` holds the fields of `Bait`, paths as strings.
    """

    name: str
    code: str


_PROLOGUE = """
import ctypes, os, socket, sys, threading, time
bait = {bait!r}
libc = ctypes.CDLL(None, use_errno=True)
def escaped():
    print("escaped", flush=True)
def call(number, *arguments):
    return libc.syscall(number, *arguments)
"""


def script(probe: Probe, bait: Bait) -> str:
    """Return the whole program of a probe."""
    fields = {}
    for name, field in vars(bait).items():
        fields[name] = str(field) if isinstance(field, Path) else field
    return _PROLOGUE.format(bait=fields) + probe.code


_FILES = (
    Probe("read a file outside", "open(bait['secret']).read(); escaped()"),
    Probe("read the list of users", "open('/etc/passwd').read(); escaped()"),
    Probe("list a directory outside", "os.listdir(bait['directory']); escaped()"),
    Probe("write outside", "open(bait['directory'] + '/new', 'w').write('x'); escaped()"),
    Probe("truncate a file outside", "os.truncate(bait['directory'] + '/file', 0); escaped()"),
    Probe("delete a file outside", "os.unlink(bait['directory'] + '/file'); escaped()"),
    Probe("change the mode of a file", "os.chmod(bait['directory'] + '/file', 0o666); escaped()"),
    Probe("change the times of a file", "os.utime(bait['directory'] + '/file', (1, 1)); escaped()"),
    Probe(
        "read through a symbolic link",
        "os.symlink(bait['secret'], 'link'); open('link').read(); escaped()",
    ),
    Probe(
        "read through a hard link",
        "os.link(bait['directory'] + '/file', 'hard'); open('hard').read(); escaped()",
    ),
    Probe(
        "read through the root of another process",
        "open(f\"/proc/{os.getppid()}/root\" + bait['secret']).read(); escaped()",
    ),
    Probe(
        "watch a directory outside",
        "watch = libc.inotify_init1(0)\n"
        "if libc.inotify_add_watch(watch, bait['directory'].encode(), 0xfff) > 0: escaped()\n",
    ),
    Probe(
        "read descriptors that were left open",
        "for number in range(3, 64):\n"
        "    try:\n"
        "        if os.pread(number, 6, 0) == b'secret': escaped()\n"
        "    except OSError: pass\n",
    ),
)
_NETWORK = (
    Probe(
        "connect to a port of this machine",
        "socket.create_connection(('127.0.0.1', bait['tcp_port']), 2); escaped()",
    ),
    Probe(
        "listen on a port",
        "s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); escaped()\n",
    ),
    Probe(
        "send a datagram",
        "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "s.connect(('127.0.0.1', bait['udp_port'])); s.send(b'x'); s.settimeout(2)\n"
        "if s.recv(1): escaped()\n",
    ),
    Probe(
        "connect to an abstract socket",
        "s = socket.socket(socket.AF_UNIX); s.connect('\\0' + bait['socket_name']); escaped()",
    ),
    Probe(
        "connect to a socket in the file system",
        "s = socket.socket(socket.AF_UNIX); s.connect(bait['socket_path']); escaped()",
    ),
    Probe(
        "see the machine's network devices",
        "names = [name for _, name in socket.if_nameindex()]\n"
        "if any(name != 'lo' for name in names) or not names: escaped()\n"
        "s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0); escaped()\n",
    ),
)
_PROCESSES = (
    Probe("fork", "pid = os.fork()\nif not pid: os._exit(0)\nescaped()\n"),
    Probe(
        "start a program",
        "import subprocess; subprocess.run(['/bin/true'], check=True); escaped()",
    ),
    Probe(
        "leave a daemon behind",
        "if os.fork(): os._exit(0)\n"
        "os.setsid()\n"
        "if os.fork(): os._exit(0)\n"
        "escaped()\ntime.sleep(1)\n",
    ),
    Probe("signal another process", "os.kill(bait['process'], 0); escaped()"),
    Probe(
        "read another process's environment",
        "text = open(f\"/proc/{bait['process']}/environ\").read()\n"
        "if bait['variable'] in text: escaped()\n",
    ),
    Probe("have a variable of ours", "os.environ[bait['variable']]; escaped()"),
    Probe(
        "trace another process",
        "if libc.ptrace(16, bait['process'], 0, 0) == 0: escaped()\n",
    ),
    Probe(
        "set limits of another process",
        "import resource\n"
        "limits = resource.prlimit(bait['process'], resource.RLIMIT_CPU)\n"
        "resource.prlimit(bait['process'], resource.RLIMIT_CPU, limits); escaped()\n",
    ),
    Probe(
        "slow another process down",
        "os.setpriority(os.PRIO_PROCESS, bait['process'], 19); escaped()",
    ),
    Probe(
        "choose another process's processors",
        "os.sched_setaffinity(bait['process'], os.sched_getaffinity(0)); escaped()",
    ),
    Probe(
        "have a file signal another process",
        "import fcntl\n"
        "reading, writing = os.pipe()\n"
        "fcntl.fcntl(reading, fcntl.F_SETOWN, bait['process']); escaped()\n",
    ),
    Probe(
        "attach shared memory",
        "libc.shmat.restype = ctypes.c_long\n"
        "if libc.shmat(bait['memory_id'], 0, 0) != -1: escaped()\n",
    ),
)
_KERNEL = (
    # On an own directory and taken back at once: without a sandbox everybody would see it.
    Probe(
        "mount",
        "place = os.getcwd().encode()\n"
        "if libc.mount(b'none', place, b'tmpfs', 0, None) == 0:\n"
        "    libc.umount2(place, 2); escaped()\n",
    ),
    Probe("make a user namespace", "if libc.unshare(0x10000000) == 0: escaped()"),
    Probe("change the root", "os.chroot('.'); escaped()"),
    Probe("set the host name", "socket.sethostname(socket.gethostname()); escaped()"),
    Probe(
        "keep a key in the kernel",
        "number = {'x86_64': 248, 'aarch64': 217}[os.uname().machine]\n"
        "if call(number, b'user', b'goldwright', b'x', 1, -2) != -1: escaped()\n",
    ),
    Probe("use asynchronous calls", "if call(425, 4, bytes(120)) >= 0: escaped()"),
    Probe("gain privileges", "if libc.prctl(39, 0, 0, 0, 0) == 0: escaped()"),
)
_RESOURCES = (
    Probe("take 4 GiB of memory", "block = bytearray(4 << 30); escaped()"),
    Probe(
        "write 200 MB in many files",
        "for number in range(200): open(f'file{number}', 'wb').write(bytes(1 << 20))\n"
        "time.sleep(0.3); escaped()\n",
    ),
    Probe("write one file of 200 MB", "open('file', 'wb').write(bytes(200 << 20)); escaped()"),
    Probe(
        "fill directories in memory",
        "import pathlib\n"
        "for place in ('/dev/shm', '/dev', '/', '/run', '/var/tmp'):\n"
        "    files = [pathlib.Path(place, f'goldwright-{number}') for number in range(4)]\n"
        "    try:\n"
        "        for file in files: file.write_bytes(bytes(40 << 20))\n"
        "        escaped(); break\n"
        "    except OSError: pass\n"
        "    finally:\n"
        "        for file in files: file.unlink(missing_ok=True)\n",
    ),
    Probe(
        "keep files in memory that have no name",
        "files = [os.memfd_create('x') for _ in range(4)]\n"
        "if all(os.write(file, bytes(40 << 20)) == 40 << 20 for file in files): escaped()\n",
    ),
    Probe("open 2,000 files", "files = [open('/dev/null') for _ in range(2000)]; escaped()"),
    Probe(
        "compute without end",
        "end = time.monotonic() + 8\nwhile time.monotonic() < end: pass\nescaped()",
    ),
    Probe("sleep without end", "time.sleep(8); escaped()"),
)

PROBES = (*_FILES, *_NETWORK, *_PROCESSES, *_KERNEL, *_RESOURCES)
