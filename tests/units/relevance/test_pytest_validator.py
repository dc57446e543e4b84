"""Answers that pass their tests, answers that do not, and answers that try to look as if."""

from pathlib import Path
from typing import Any

import pytest

from effort import is_thorough
from goldwright.relevance.isolated.plain_values import OpaqueValue, dump, load
from goldwright.relevance.pytest_validator import (
    PytestTask,
    Validation,
    ValidationResult,
    validate,
)
from goldwright.sandbox.detection import look
from goldwright.sandbox.layers import LAYERS, Layer
from goldwright.sandbox.limits import SandboxLimits

_TESTS = """
import pytest
from answer import double, LIMIT

def test_a_number():
    assert double(21) == 42
    assert type(double(21)) is int

def test_a_list():
    assert double([1, (2.5, None)]) == [1, (2.5, None), 1, (2.5, None)]

def test_an_error():
    with pytest.raises(ValueError, match="no text"):
        double("x")

def test_a_constant():
    assert LIMIT == 3
"""
_NODES = [f"test_it.py::test_{name}" for name in ("a_number", "a_list", "an_error", "a_constant")]
_RIGHT = """
LIMIT = 3
def double(thing):
    if isinstance(thing, str):
        raise ValueError("no text")
    return thing * 2
"""
_WRONG = "LIMIT = 3\ndef double(thing): return 41\n"

# Ways of looking right without being it, each on top of an answer that is wrong.
_FORGERIES = {
    "leave with success": "import os; os._exit(0)",
    "exit with success": "import sys; sys.exit(0)",
    "leave when called": "import os\ndef double(thing): os._exit(0)",
    "exit when called": "def double(thing): raise SystemExit(0)",
    "be skipped": "import pytest\ndef double(thing): pytest.skip('later')",
    "skip the whole module": "import pytest; pytest.skip('later', allow_module_level=True)",
    "skip as unittest does": "import unittest\ndef double(thing): raise unittest.SkipTest('x')",
    "fail as expected": "import pytest\ndef double(thing): pytest.xfail('known')",
    "interrupt": "def double(thing): raise KeyboardInterrupt",
    "close a generator": "def double(thing): raise GeneratorExit",
    "equal everything": (
        "class Same:\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        "def double(thing): return Same()"
    ),
    "be a number that equals everything": (
        "class Same(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n"
        "def double(thing): return Same(0)"
    ),
    "be a list that equals everything": (
        "class Same(list):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        "def double(thing): return Same()"
    ),
    "be true whatever is asked": (
        "class Yes:\n    def __getattr__(self, name): return Yes()\ndouble = Yes()"
    ),
    "patch the reports of pytest": (
        "import _pytest.reports as r\n"
        "r.TestReport.from_item_and_call = classmethod(lambda *a: None)"
    ),
    "patch assertions": "import builtins\nbuiltins.AssertionError = type('E', (Exception,), {})",
    "patch equality of numbers": (
        "import builtins\nbuiltins.isinstance = lambda *a: True\nbuiltins.type = lambda *a: int"
    ),
    "write a report": "open('report.xml', 'w').write('<testsuite tests=\"4\" failures=\"0\"/>')",
    "write the outcomes to every descriptor": (
        "import os\n"
        "for n in range(3, 100):\n"
        '    try: os.write(n, b\'{"test_it.py::test_a_number": "passed"}\\n\')\n'
        "    except OSError: pass\n"
    ),
    "say what was not asked": (
        'import os, sys\nos.write(int(sys.argv[1]), b\'{"dict": [["value", 42]]}\\n\' * 50)'
    ),
    "talk nonsense": "import os, sys\nos.write(int(sys.argv[1]), b'nonsense\\n')",
    "talk without end": (
        "import os, sys\n"
        "def double(thing):\n"
        "    while True: os.write(int(sys.argv[1]), b'x' * 65536)\n"
    ),
    "answer too deeply": (
        "def double(thing):\n    r = []\n    for _ in range(900): r = [r]\n    return r"
    ),
    "answer a list of itself": "def double(thing):\n    r = []\n    r.append(r)\n    return r",
    "put a plug-in beside the tests": (
        "open('conftest.py', 'w').write('def pytest_runtest_call(item): item.obj = print')"
    ),
    "read the tests": (
        "import glob\nprint(open(glob.glob('/tmp/**/test_it.py', recursive=True)[0]).read())"
    ),
    "wait for ever": "import time\ndef double(thing): time.sleep(1000)",
    "leave something behind": (
        "import atexit, threading, time\natexit.register(time.sleep, 100)\n"
        "threading.Thread(target=time.sleep, args=(100,)).start()"
    ),
    "start a process that holds the pipes": "import os\nif os.fork(): os._exit(0)",
    "end the tests": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
    "make no sense at all": "def double(:",
    "set the options of pytest": (
        "import os\n"
        "os.environ.update(PYTEST_ADDOPTS='--collect-only -p answer', PYTEST_PLUGINS='answer')"
    ),
    "register a plug-in by its entry point": (
        "import os, sys\n"
        "for place in (os.getcwd(), *sys.path):\n"
        "    try:\n"
        "        info = f'{place}/evil-1.dist-info'\n"
        "        os.makedirs(info)\n"
        "        open(f'{info}/entry_points.txt', 'w').write('[pytest11]\\ne=evil')\n"
        "        open(f'{place}/evil.py', 'w').write('import os; os._exit(0)')\n"
        "    except OSError: pass\n"
    ),
    "leave when Python starts": (
        "import os, site, sys\n"
        "for place in (os.getcwd(), site.getusersitepackages(), *sys.path):\n"
        "    for name in ('sitecustomize', 'usercustomize', 'pytest', 'json', 'socket'):\n"
        "        try: open(f'{place}/{name}.py', 'w').write('import os; os._exit(0)')\n"
        "        except OSError: pass\n"
    ),
    "poison compiled modules": (
        "import glob, os, sys\n"
        "for place in sys.path:\n"
        "    for name in glob.glob(f'{place}/**/__pycache__/*.pyc', recursive=True)[:99]:\n"
        "        try: open(name, 'wb').write(b'x')\n"
        "        except OSError: pass\n"
    ),
    "change the tests on disk": (
        "import glob, os\n"
        "for name in [*glob.glob('/tmp/**/test_it.py', recursive=True), '{tests}']:\n"
        "    try: open(name, 'w').write('def test_a_number(): pass')\n"
        "    except OSError: pass\n"
    ),
    "put a link in the place of the tests": (
        "import os\n"
        "try: os.unlink('{tests}'); os.symlink(os.devnull, '{tests}')\n"
        "except OSError: pass\n"
    ),
    "read the tests where they are": "print(open('{tests}').read())",
    "write the outcomes through /proc": (
        "import os\n"
        "for pid in range(os.getpid() - 60, os.getpid() + 60):\n"
        "    for n in range(3, 30):\n"
        "        try: open(f'/proc/{pid}/fd/{n}', 'w').write('[]')\n"
        "        except OSError: pass\n"
    ),
    "take the time of the tests away": (
        "import os, resource\n"
        "for pid in range(os.getpid() - 60, os.getpid() + 60):\n"
        "    try: pid != os.getpid() and resource.prlimit(pid, resource.RLIMIT_CPU, (0, 0))\n"
        "    except OSError: pass\n"
    ),
    "be skipped by the environment": (
        "import os, sys, platform\n"
        "os.environ.clear(); os.environ['CI'] = '1'\n"
        "sys.platform = 'win32'; sys.version_info = (2, 7); platform.system = lambda: 'Java'"
    ),
    "leave on an alarm": (
        "import os, signal\n"
        "signal.signal(signal.SIGALRM, lambda *_: os._exit(0)); signal.setitimer(0, 0.01)"
    ),
    "leave by faulthandler": (
        "import faulthandler\nfaulthandler.dump_traceback_later(0.01, exit=True)"
    ),
    "hook into threads": (
        "import os, sys, threading\n"
        "sys.settrace(lambda *_: None); threading.settrace(lambda *_: os._exit(0))\n"
        "sys.excepthook = threading.excepthook = sys.unraisablehook = lambda *_: os._exit(0)\n"
        "threading.Thread(target=lambda: 1 / 0).start()"
    ),
    "hook into what is audited": (
        "import os, sys\n"
        "sys.addaudithook(lambda name, _: os._exit(0) if name == 'open' else None)\n"
        "def double(thing): open('x')"
    ),
    "become another program": "import os\nos.execv('/bin/true', ['true'])",
    "stop": "import os, signal\nsignal.raise_signal(signal.SIGSTOP)",
    "crash": "import ctypes\ndef double(thing): ctypes.string_at(0)",
    "write without end": "import os\nwhile True: os.write(1, b'x' * 65536)",
    "answer with more than is read": "def double(thing): return 'x' * (8 << 20)",
    "hand over a descriptor": (
        "import os, socket, sys\n"
        "s = socket.socket(fileno=os.dup(int(sys.argv[1])))\n"
        "socket.send_fds(s, [b'{\"callable\": true}\\n'], [0, 1, 2])"
    ),
    "close the way to the tests": "import os, sys\nos.close(int(sys.argv[1]))",
    "rewrite what is sent": (
        "import sys\n"
        "server = sys.modules['goldwright.relevance.isolated.answer_server']\n"
        'server.dump = lambda value: \'{"value": {"object": "int"}}\''
    ),
    "be an error that passes": (
        "class Passed(KeyError, Exception): pass\nPassed.__name__ = 'Passed'\n"
        "def double(thing): raise Passed('passed')"
    ),
    "use up the memory": "def double(thing): return [0] * (1 << 40)",
    "delete what the tests import": (
        "import sys\nfor name in list(sys.modules): sys.modules[name] = None"
    ),
    "collect the tests' objects": (
        "import gc\n"
        "for thing in gc.get_objects():\n"
        "    if type(thing).__name__ == 'TestReport': thing.outcome = 'passed'\n"
    ),
    "name another module": "import sys; sys.modules['pytest'] = sys",
}
_USES_X = "def test_that(x): pass\n"
_LIMITS = SandboxLimits(wall_seconds=6.0, cpu_seconds=2)


@pytest.fixture(scope="module")
def layer() -> Layer:
    for candidate in LAYERS:
        if look(candidate) is None:
            return candidate
    pytest.skip("no sandbox works here")


@pytest.fixture
def task(tmp_path: Path) -> PytestTask:
    tests = tmp_path / "test_it.py"
    tests.write_text(_TESTS)
    return PytestTask(tests, _NODES, limits=_LIMITS)


def test_a_right_answer_passes(task: PytestTask, layer: Layer) -> None:
    assert validate(task, _RIGHT, layer=layer).validation is Validation.PASSED


@pytest.mark.parametrize("answer", [_WRONG, "", "LIMIT = 3"], ids=["wrong", "empty", "half"])
def test_an_answer_that_is_none_fails(task: PytestTask, layer: Layer, answer: str) -> None:
    assert validate(task, answer, layer=layer).validation is Validation.FAILED


def forgeries() -> list[Any]:
    """Every forgery under each layer; or every other one, which takes a pytest, in turn."""
    return [
        pytest.param(layer, name, id=f"{name}-{layer.name}")
        for place, name in enumerate(_FORGERIES)
        for turn, layer in enumerate(LAYERS)
        if is_thorough() or place % (2 * len(LAYERS)) == 2 * turn
    ]


@pytest.mark.parametrize(("layer", "name"), forgeries())
def test_no_forgery_passes(task: PytestTask, layer: Layer, name: str) -> None:
    if fault := look(layer):
        pytest.skip(f"{layer.name} does not work here: {fault.reason}")
    answer = _WRONG + _FORGERIES[name].replace("{tests}", str(task.tests))
    assert validate(task, answer, layer=layer).validation is Validation.FAILED


def test_the_end_of_an_answer_is_no_error_that_a_test_waits_for(
    tmp_path: Path, layer: Layer
) -> None:
    path = tmp_path / "test_it.py"
    path.write_text(
        "import pytest\nfrom answer import double\n\n"
        "def test_that():\n    with pytest.raises(BaseException): double('x')\n"
    )
    task = PytestTask(path, ["test_it.py::test_that"], limits=_LIMITS)
    for answer in ("import os\ndef double(x): os._exit(0)", "def double(x): raise SystemExit"):
        result = validate(task, answer, layer=layer)
        expected = Validation.FAILED if "_exit" in answer else Validation.PASSED
        assert result.validation is expected, result.reason


def test_errors_are_known_by_what_they_extend(tmp_path: Path, layer: Layer) -> None:
    path = tmp_path / "test_it.py"
    path.write_text(
        "import pytest\nfrom answer import double\n\n"
        "@pytest.mark.parametrize('kind', ['json', 'unicode', 'own'])\n"
        "def test_that(kind):\n    with pytest.raises(ValueError): double(kind)\n"
    )
    nodes = [f"test_it.py::test_that[{kind}]" for kind in ("json", "unicode", "own")]
    answer = (
        "import json\nclass Own(ValueError): pass\n"
        "def double(kind):\n"
        "    if kind == 'json': json.loads('{')\n"
        "    if kind == 'unicode': b'\\xff'.decode()\n"
        "    raise Own('own')\n"
    )
    task = PytestTask(path, nodes, limits=_LIMITS)
    assert validate(task, answer, layer=layer).validation is Validation.PASSED
    wrong = "def double(kind): raise KeyError(kind)"
    assert validate(task, wrong, layer=layer).validation is Validation.FAILED


def test_the_outcomes_of_many_tests_all_count(tmp_path: Path, layer: Layer) -> None:
    """More of them than a pipe takes before somebody reads it."""
    path = tmp_path / "test_it.py"
    name = f"test_{'x' * 200}"
    path.write_text(
        "import pytest\n"
        f"@pytest.mark.parametrize('n', range(400))\ndef {name}(n): from answer import double\n"
    )
    nodes = [f"test_it.py::{name}[{number}]" for number in range(400)]
    task = PytestTask(path, nodes)
    assert validate(task, _RIGHT, layer=layer).validation is Validation.PASSED


def _validate_tests(tmp_path: Path, layer: Layer, tests: str, nodes: list[str]) -> ValidationResult:
    path = tmp_path / "test_it.py"
    path.write_text(tests)
    return validate(PytestTask(path, nodes, limits=_LIMITS), _RIGHT, layer=layer)


@pytest.mark.parametrize(
    ("tests", "reason"),
    [
        ("import pytest\n@pytest.mark.skip\ndef test_that(): pass\n", "test_that skipped"),
        (
            "import pytest\n@pytest.mark.xfail\ndef test_that(): assert False\n",
            "test_that xfailed",
        ),
        ("def test_other(): pass\n", "test_that did not run"),
        ("def test_that(): pass\ndef test_more(): pass\n", "test_more is no test of the task"),
        (
            "import pytest\n@pytest.fixture\ndef x():\n    yield\n    assert 0\n\n\n" + _USES_X,
            "test_that failed",
        ),
    ],
    ids=["skipped", "expected to fail", "missing", "additional", "failing afterwards"],
)
def test_only_the_named_tests_count_and_only_when_they_pass(
    tmp_path: Path, layer: Layer, tests: str, reason: str
) -> None:
    result = _validate_tests(tmp_path, layer, tests, ["test_it.py::test_that"])
    assert result.validation is Validation.FAILED
    assert result.reason == f"test_it.py::{reason}"


def test_tests_that_end_early_are_no_failure_of_the_answer(tmp_path: Path, layer: Layer) -> None:
    result = _validate_tests(tmp_path, layer, "import os; os._exit(3)\n", ["test_it.py::test_that"])
    assert result.validation is Validation.NOT_VALIDATED
    assert result.reason == "the tests did not run: exit 3"


@pytest.mark.parametrize(
    "value",
    [None, True, -7, 2**80, 1.5, float("inf"), "x\ud800", b"\xff", bytearray(b"x"), [1, [2]],
     (1, ()), {1: {"a": (2,)}}, {1, 2}, frozenset({3})],
    ids=repr,
)  # fmt: skip
def test_plain_values_arrive_as_they_were(value: object) -> None:
    arrived = load(dump(value))
    assert (type(arrived), arrived) == (type(value), value)


def test_other_values_arrive_as_something_that_equals_nothing() -> None:
    arrived = load(dump([object()]))
    assert isinstance(arrived[0], OpaqueValue)
    assert arrived != [object()]


@pytest.mark.parametrize("text", ["", "[1]", '{"list": 3}', '{"code": "x"}', "[" * 100_000])
def test_what_was_never_dumped_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # whichever part of it is noticed first
        load(text)
