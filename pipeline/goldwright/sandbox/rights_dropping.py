"""Gives up rights in a fresh process, and then becomes the command.

Started as a script with `python -I -S`, before anything else is loaded; it uses the standard
library alone and imports nothing of ours. Its one argument is JSON:

    {"limits": {"cpu": 5, "as": 2e9, …}, "readable": […], "writable": […], "landlock": true,
     "argv": […]}

What it takes away stays away through `exec` and cannot be had back. A right that cannot be taken
away ends it with 125 and one line, so that no code runs with more rights than was said.
"""

import ctypes
import json
import os
import platform
import resource
import struct
import sys

REFUSED = 125

_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 24, 38
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2
_SIGKILL = 9
_EPERM, _ENOSYS = 1, 38

_libc = ctypes.CDLL(None, use_errno=True)

# --- Landlock: which files may be opened -----------------------------------------------------

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ABI_QUESTION = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIRECTORY = 1, 2, 4, 8
_TRUNCATE, _REFER = 1 << 14, 1 << 13
_READING = _EXECUTE | _READ_FILE | _READ_DIRECTORY
# Bits 4 to 12 make and remove entries of a directory; sockets, pipes and devices stay refused.
_REMOVE_DIRECTORY, _REMOVE_FILE, _MAKE_DIRECTORY, _MAKE_FILE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_WRITING = _READING | _WRITE_FILE | _REMOVE_DIRECTORY | _REMOVE_FILE | _MAKE_DIRECTORY | _MAKE_FILE
# By version of the interface: bits of file rights, and whether network and scopes are known.
_FILE_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
_LATEST_FILE_BITS = 16
_TCP_SINCE, _SCOPES_SINCE = 4, 6
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


def landlock_version() -> int:
    """Return the version of Landlock's interface, 0 where there is none."""
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, 0, _ABI_QUESTION)))


def restrict_files(readable: list[str], writable: list[str]) -> None:
    """Let this process open nothing but these paths, from now on and for ever."""
    version = landlock_version()
    if not version:
        refuse("Landlock is not there")
    handled = (1 << _FILE_BITS.get(version, _LATEST_FILE_BITS)) - 1
    fields = [handled]
    if version >= _TCP_SINCE:
        fields.append(0b11)
    if version >= _SCOPES_SINCE:
        fields.append(0b11)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = _libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        refuse("Landlock makes no ruleset")
    rights = [(path, _READING) for path in readable]
    rights += [(path, _WRITING | _TRUNCATE | _REFER) for path in writable]
    rights += [(path, _READ_FILE | _WRITE_FILE) for path in _DEVICES]
    for path, allowed in rights:
        _allow(ruleset, path, allowed & handled)
    if _libc.syscall(_RESTRICT_SELF, ruleset, 0):
        refuse("Landlock restricts nothing")
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):  # noqa: PTH112  # fewer modules are loaded before rights go
        rights &= _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
    rule = struct.pack("=Qi", rights, place)
    if _libc.syscall(_ADD_RULE, ruleset, 1, rule, 0):
        refuse(f"Landlock takes no rule for {path}")
    os.close(place)


# --- seccomp: which calls of the system are refused ------------------------------------------

# By machine: its number for auditing, that of clone, that of clone3, and the refused calls. In
# order: sockets; processes and signals to others; shared memory and queues; keys; mounts, names
# and clocks; kernel modules and tracing; files by handle; attributes of files, which Landlock does
# not guard; asynchronous calls, which no filter sees; priorities and processors of others; notices
# of what happens to files of others; files in memory, which count as no memory of the process.
_MACHINES = {
    "x86_64": (0xC000003E, 56, 435, (
        41, 42, 43, 49, 50, 288,
        57, 58, 62, 129, 200, 234, 297, 424, 101, 310, 311, 312, 434, 438,
        29, 30, 31, 64, 68, 69, 70, 71, 240,
        248, 249, 250,
        165, 166, 155, 161, 428, 429, 430, 431, 432, 433, 442,
        167, 168, 170, 171, 164, 159, 227, 305,
        272, 308, 135, 163, 169, 172, 173, 179, 103, 153,
        175, 176, 313, 246, 320, 298, 300, 321, 323,
        303, 304,
        90, 91, 92, 93, 94, 260, 268, 452, 132, 235, 261, 280,
        188, 189, 190, 197, 198, 199, 463, 466,
        425, 426, 427,
        141, 142, 144, 203, 314, 251, 256, 279, 440, 448,
        253, 254, 294,
        319, 447,
    )),
    "aarch64": (0xC00000B7, 220, 435, (
        198, 203, 202, 200, 201, 242,
        129, 138, 130, 131, 240, 424, 117, 270, 271, 272, 434, 438,
        194, 195, 196, 190, 186, 187, 188, 189, 180,
        217, 218, 219,
        40, 39, 41, 51, 428, 429, 430, 431, 432, 433, 442, 224, 225, 161, 162, 170, 171, 112, 266,
        97, 268, 92, 89, 142, 60, 116, 58,
        105, 106, 273, 104, 294, 241, 262, 280, 282,
        264, 265,
        52, 53, 54, 55, 452, 88, 5, 6, 7, 14, 15, 16, 463, 466,
        425, 426, 427,
        140, 118, 119, 122, 274, 30, 238, 239, 440, 448,
        27, 26,
        279, 447,
    )),
}  # fmt: skip
# By machine: the calls that are refused with some arguments alone. Limits may be read and set for
# the process itself, which is number 0; files may not be told to send their signals to another one.
_GUARDED = {"x86_64": (302, 72, 16), "aarch64": (261, 25, 29)}
_SET_OWNER = (8, 15)
_SET_OWNER_OF_SOCKET = (0x8901, 0x8902)
# Numbers from here on are those of another calling convention of the same machine.
_OTHER_CONVENTION = 0x40000000
_CLONE_THREAD = 0x00010000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_CALL_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000


def call_filter(machine: str) -> bytes:
    """Return the program of the filter: refused calls fail with EPERM, and processes stay one."""
    architecture, clone, clone3, refused = _MACHINES[machine]
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _CALL_NUMBER),
        (_AT_LEAST, 0, 1, _OTHER_CONVENTION),
        (_RETURN, 0, 0, _KILL),
    ]
    for call in refused:
        program += [(_EQUAL, 0, 1, call), (_RETURN, 0, 0, _ERROR | _EPERM)]
    limits, control, device_control = _GUARDED[machine]
    # A number of a process fits into the half of its argument that is looked at.
    program += [
        (_EQUAL, 0, 4, limits),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_EQUAL, 1, 0, 0),
        (_RETURN, 0, 0, _ERROR | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    program += _refuse_requests(control, _SET_OWNER)
    program += _refuse_requests(device_control, _SET_OWNER_OF_SOCKET)
    # The C library falls back to clone, whose flags a filter can read.
    program += [(_EQUAL, 0, 1, clone3), (_RETURN, 0, 0, _ERROR | _ENOSYS)]
    # Threads may be made, processes may not.
    program += [
        (_EQUAL, 0, 3, clone),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 1, 0, _CLONE_THREAD),
        (_RETURN, 0, 0, _ERROR | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _refuse_requests(call: int, requests: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """Return the part of a filter that refuses a call where its second argument is a request."""
    first, second = requests
    return [
        (_EQUAL, 0, 5, call),
        (_LOAD, 0, 0, _SECOND_ARGUMENT),
        (_EQUAL, 1, 0, first),
        (_EQUAL, 0, 1, second),
        (_RETURN, 0, 0, _ERROR | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def restrict_calls() -> None:
    """Refuse calls of the system that no answer to a task needs."""
    machine = platform.machine()
    if machine not in _MACHINES:
        refuse(f"no filter of system calls is known for {machine}")
    program = call_filter(machine)
    instructions = len(program) // 8
    argument = _FilterProgram(instructions, program)
    if _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(argument), 0, 0):
        refuse("seccomp takes no filter")


# --- The rest ----------------------------------------------------------------------------------

_CAPABILITY_VERSION = 0x20080522
_MOST_CAPABILITIES = 64


def drop_privileges() -> None:
    """Give up every capability, and the ways to get one."""
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        refuse("privileges can still be gained")
    for capability in range(_MOST_CAPABILITIES):
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    if _libc.capset(header, bytes(24)):
        refuse("capabilities stay")


def limit_resources(limits: dict[str, int]) -> None:
    """Set soft and hard limits: `{"cpu": seconds, "as": bytes, …}`."""
    for name, limit in limits.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name.upper()}"), (limit, limit))


def refuse(reason: str) -> None:
    """End, since a right could not be taken away."""
    os.write(2, f"sandbox: {reason}\n".encode())
    os._exit(REFUSED)


def main() -> None:
    """Give up rights and become the command."""
    policy = json.loads(sys.argv[1])
    _libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    os.umask(0o077)
    limit_resources(policy["limits"])
    drop_privileges()
    if policy["landlock"]:
        restrict_files(policy["readable"], policy["writable"])
    restrict_calls()
    argv = policy["argv"]
    try:
        os.execv(argv[0], argv)  # noqa: S606  # becoming the command is what this is for
    except OSError as error:
        refuse(f"{argv[0]} cannot be started: {error.strerror}")


if __name__ == "__main__":
    main()
