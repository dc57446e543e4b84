"""How many small faults in the product's code do its unit tests notice?

Use: ``python tests/benchmarks/mutation_testing.py [ROOM ...] [--sample 150] [--seed 1]``. The tests
of a room are collected once; then each mutant is put into a forked child, which runs the tests
that execute the mutated line, fastest first, until one fails. Survivors are printed with their
file, line and difference. Each score has its Wilson interval: other mutants of the room might
have been drawn. The exit code is 1 when a room stays below ``--at-least`` percent, and when more
mutants could not be put in place than were judged.

Mutants that no test can tell from the code stand in ``equivalent_mutants.json``, each with the
reason, and do not count. A fault does not reach other processes, so tests that start one judge
only what happens in their own.
"""

import argparse
import ast
import gc
import importlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn

import pytest
from hypothesis import HealthCheck, Phase, settings

import goldwright
from benchmarks.mutant_seeding import (
    InapplicableError,
    constants_of,
    lines_that_read,
    seed_mutant,
)
from benchmarks.mutants import Mutant, mutants_of
from goldwright.stats.binomial import wilson

TESTS: Final = Path(__file__).parents[1]
PRODUCT: Final = Path(goldwright.__file__).parent
EQUIVALENT: Final = Path(__file__).with_name("equivalent_mutants.json")

_SURVIVED, _KILLED, _INAPPLICABLE = 0, 1, 3
_SHOWN_AROUND: Final = 80
_SECONDS_BETWEEN_LOOKS: Final = 0.01


@dataclass(frozen=True)
class Room:
    """A part of the product with the tests that answer for it.

    Attributes:
        sources: Files and folders below the package.
        tests: Files and folders below the tests.
    """

    sources: tuple[str, ...]
    tests: tuple[str, ...]

    def modules(self) -> list[Path]:
        """The modules of the room, in the order of their paths."""
        paths = [PRODUCT / source for source in self.sources]
        folders = [path for path in paths if path.is_dir()]
        files = [path for path in paths if path.is_file()]
        for folder in folders:
            files.extend(path for path in folder.rglob("*.py") if path.name != "examples.py")
        return sorted(files)


ROOMS: Final = {
    "gate": Room(("stages/gate",), ("units/stages/gate", "contracts/test_checks.py")),
    "agreement": Room(
        ("stages/agreement.py", "stages/agreement_stage.py", "stats/jaccard.py"),
        ("units/stages", "units/stats/test_jaccard.py"),
    ),
    "evaluation": Room(("evaluation",), ("units/evaluation",)),
    "llm": Room(("llm",), ("units/llm", "contracts/test_providers.py")),
    "journal": Room(("journal",), ("units/journal", "contracts/test_journal_laws.py")),
    "offline": Room(("offline_agents",), ("units/offline_agents", "units/code_reading")),
    "questions": Room(
        (
            "offline_agents/questions/question_dealing.py",
            "offline_agents/questions/question_supply.py",
            "offline_agents/questions/question_wording.py",
        ),
        (
            "units/offline_agents/test_question_dealing.py",
            "units/offline_agents/test_question_supply.py",
            "units/offline_agents/test_question_wording.py",
            "units/offline_agents/test_taken_targets.py",
        ),
    ),
    "code_reading": Room(("code_reading",), ("units/code_reading", "units/offline_agents")),
    "trust_card": Room(("trust_card",), ("units/trust_card",)),
}


@dataclass
class Measurement:
    """What the tests of a room did to the code as it is.

    Attributes:
        seconds: The duration of each test that passed, by its id.
        lines: The lines of the room that each test executed, by its id.
        failed: The tests that failed or were skipped; they judge no mutant.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Child:
    """A process with one mutant."""

    mutant: Mutant
    deadline: float
    scratch: Path


class Campaign:
    """A plugin of pytest that runs the collected tests against mutants instead of once."""

    def __init__(self, name: str, options: argparse.Namespace) -> None:
        self._name = name
        self._room = ROOMS[name]
        self._options = options
        self._trees = {
            str(path): ast.parse(path.read_text(encoding="utf-8")) for path in self._room.modules()
        }
        self._measurement = Measurement()
        self._is_judging = False
        self._executed: set[tuple[str, int]] = set()
        self.outcomes: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure the tests, draw the mutants, and let the tests judge each."""
        self._measure(session)
        for path in self._room.modules():
            # What is imported only when it is needed has to be there to be mutated.
            importlib.import_module(_module_name(path))
        all_mutants = [mutant for path in self._room.modules() for mutant in mutants_of(path)]
        mutants = [mutant for mutant in all_mutants if not _is_in_example(mutant)]
        sample = _draw(mutants, self._options.sample, self._options.seed)
        self._tell(
            f"{self._name}: {len(sample)} of {len(mutants)} mutants, seed {self._options.seed}, "
            f"{len(self._measurement.seconds)} tests"
        )
        for test in sorted(self._measurement.failed):
            self._tell(f"  not used, for it does not pass: {test}")
        self._judge(session, sample)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave the process at the first failure that a mutant causes, or note what happened."""
        if self._is_judging:
            if report.failed:
                os._exit(_KILLED)
            return
        seconds = self._measurement.seconds
        seconds[report.nodeid] = seconds.get(report.nodeid, 0.0) + report.duration
        if not report.passed:
            self._measurement.failed.add(report.nodeid)

    def _measure(self, session: pytest.Session) -> None:
        """Run the tests in a child, so that nothing they leave behind reaches the mutants."""
        with tempfile.TemporaryDirectory() as scratch:
            result_file = Path(scratch) / "measurement.json"
            child = os.fork()
            if child == 0:
                self._run_measured(session, Path(scratch), result_file)
            os.waitpid(child, 0)
            rows = json.loads(result_file.read_text(encoding="utf-8"))
        for test, seconds, is_failed, lines in rows:
            if is_failed:
                self._measurement.failed.add(test)
            else:
                self._measurement.seconds[test] = seconds
                self._measurement.lines[test] = {(path, line) for path, line in lines}

    def _run_measured(self, session: pytest.Session, scratch: Path, result_file: Path) -> NoReturn:
        _become_silent(scratch)
        threading.settrace(self._trace)
        for item, next_item in zip(session.items, [*session.items[1:], None], strict=True):
            self._executed = set()
            sys.settrace(self._trace)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=next_item)
            sys.settrace(None)
            self._measurement.lines[item.nodeid] = self._executed
        rows = []
        for test, seconds in self._measurement.seconds.items():
            is_failed = test in self._measurement.failed
            lines = sorted(self._measurement.lines.get(test, set()))
            rows.append((test, seconds, is_failed, lines))
        result_file.write_text(json.dumps(rows), encoding="utf-8")
        os._exit(0)

    def _trace(self, frame: FrameType, _event: str, _argument: object) -> Any:
        path = frame.f_code.co_filename
        if path not in self._trees:
            return None
        self._executed.add((path, frame.f_lineno))
        return self._trace

    def _judge(self, session: pytest.Session, sample: Sequence[Mutant]) -> None:
        # The suite freezes what it has imported, and the collector shows nothing that is frozen.
        gc.unfreeze()
        equivalent = _equivalent_mutants()
        children: dict[int, Child] = {}
        for mutant in sample:
            if (_place(mutant), mutant.before, mutant.after) in equivalent:
                self.outcomes["equivalent"] += 1
                continue
            tests = self._tests_of(mutant)
            if not tests:
                self._count("untested", mutant)
                continue
            while len(children) >= self._options.jobs:
                self._reap(children)
            process, child = self._start(session, mutant, tests)
            children[process] = child
        while children:
            self._reap(children)

    def _tests_of(self, mutant: Mutant) -> list[str]:
        """List the tests that execute a mutant, fastest first."""
        seconds = self._measurement.seconds
        concerned = self._concerned_lines(mutant)
        names = constants_of(mutant)
        tests = []
        for test, lines in self._measurement.lines.items():
            is_fast = seconds[test] <= self._options.longest_test
            is_concerned = not concerned.isdisjoint(lines) or self._is_named(names, test)
            if is_fast and is_concerned:
                tests.append(test)
        return sorted(tests, key=seconds.__getitem__)

    def _is_named(self, names: frozenset[str], test: str) -> bool:
        """Whether the file of a test names one of some constants, which no function may read."""
        text = _text_of(test.partition("::")[0])
        return any(name in text for name in names)

    def _concerned_lines(self, mutant: Mutant) -> frozenset[tuple[str, int]]:
        """Give the lines of the mutated statement, or those that read a mutated constant."""
        if mutant.site.function is not None:
            unit = mutant.site.unit
            path = str(mutant.site.path)
            lines = range(unit.first_line, unit.last_line + 1)
            return frozenset((path, line) for line in lines)
        names = constants_of(mutant)
        concerned = set()
        for path, tree in self._trees.items():
            concerned |= {(path, line) for line in lines_that_read(tree, names)}
        return frozenset(concerned)

    def _start(
        self, session: pytest.Session, mutant: Mutant, tests: list[str]
    ) -> tuple[int, Child]:
        usual_seconds = sum(self._measurement.seconds[test] for test in tests)
        deadline = time.monotonic() + self._options.patience * (usual_seconds + 1.0)
        scratch = Path(tempfile.mkdtemp(prefix="mutant-"))
        process = os.fork()
        if process == 0:
            self._run_mutated(session, mutant, tests, scratch)
        return process, Child(mutant, deadline, scratch)

    def _run_mutated(
        self, session: pytest.Session, mutant: Mutant, tests: list[str], scratch: Path
    ) -> NoReturn:
        _become_silent(scratch)
        self._is_judging = True
        try:
            if not self._options.sham:
                seed_mutant(mutant)
        except InapplicableError:
            os._exit(_INAPPLICABLE)
        except BaseException:  # noqa: BLE001  # a constant that cannot be computed is a noticed fault
            os._exit(_KILLED)
        items_by_id = {item.nodeid: item for item in session.items}
        items = [items_by_id[test] for test in tests]
        try:
            for item, next_item in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=next_item)
        except BaseException:  # noqa: BLE001  # whatever ends the run was caused by the mutant
            os._exit(_KILLED)
        os._exit(_SURVIVED)

    def _reap(self, children: dict[int, Child]) -> None:
        """Wait until a child has ended or is late, and count what became of its mutant."""
        while True:
            for process, child in tuple(children.items()):
                is_late = time.monotonic() > child.deadline
                ended, status = os.waitpid(process, os.WNOHANG)
                if not ended and not is_late:
                    continue
                _end_group(process)
                if not ended:
                    os.waitpid(process, 0)
                shutil.rmtree(child.scratch, ignore_errors=True)
                del children[process]
                self._count("late" if not ended else _outcome(status), child.mutant)
                return
            time.sleep(_SECONDS_BETWEEN_LOOKS)

    def _count(self, outcome: str, mutant: Mutant) -> None:
        self.outcomes[outcome] += 1
        if outcome in ("survived", "untested"):
            self._tell(f"{outcome}: {_place(mutant)}:{mutant.line} {mutant.kind}")
            before, after = _around_difference(mutant.before, mutant.after)
            self._tell(f"  - {before}\n  + {after}")

    def _tell(self, text: str) -> None:
        print(text, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Run the campaign room by room, and print the score of each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}")
    parser.add_argument("--sample", type=int, default=150, help="mutants a room; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--longest-test", type=float, default=5.0, help="seconds; longer tests judge no mutant"
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=8.0,
        help="times the usual duration before a mutant is late",
    )
    parser.add_argument("--at-least", type=float, default=80.0, help="percent killed")
    parser.add_argument(
        "--sham", action="store_true", help="put no fault in: what is killed then fails by itself"
    )
    options = parser.parse_args(arguments)
    unknown_rooms = set(options.rooms) - set(ROOMS)
    if unknown_rooms:
        parser.error(f"no room: {', '.join(sorted(unknown_rooms))}")
    return max([_run_room(name, options) for name in options.rooms or ROOMS])


def _run_room(name: str, options: argparse.Namespace) -> int:
    """Run one room in a process of its own, for pytest collects once a process."""
    process = os.fork()
    if process == 0:
        os._exit(_score_room(name, options))
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _score_room(name: str, options: argparse.Namespace) -> int:
    # Drawn examples stay the same from mutant to mutant, and a failure is enough: it is not shrunk.
    settings.register_profile(
        "mutation",
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    campaign = Campaign(name, options)
    tests = [str(TESTS / test) for test in ROOMS[name].tests]
    quiet = ("-q", "-s", "--no-header", "--no-summary", "-p", "no:cacheprovider")
    # What this script imports is loaded before pytest could rewrite its asserts.
    imported = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
    code = pytest.main(
        [*tests, *quiet, *imported, "--hypothesis-profile=mutation"], plugins=[campaign]
    )
    killed = campaign.outcomes["killed"] + campaign.outcomes["late"]
    counted = killed + campaign.outcomes["survived"] + campaign.outcomes["untested"]
    if not counted:
        print(f"{name}: no mutant was judged; pytest ended with {code}")
        return 1
    share = 100 * killed / counted
    lowest, highest = (100 * bound for bound in wilson(killed, counted))
    details = ", ".join(f"{times} {what}" for what, times in sorted(campaign.outcomes.items()))
    interval = f"95 %: {lowest:.1f} to {highest:.1f}"
    print(f"{name}: {share:.1f} % of {counted} mutants killed ({interval}; {details})", flush=True)
    if campaign.outcomes["inapplicable"] > counted:
        print(f"{name}: more mutants could not be put in place than were judged")
        return 1
    return int(share < options.at_least)


def _draw(mutants: Sequence[Mutant], size: int, seed: int) -> list[Mutant]:
    if not size or size >= len(mutants):
        return list(mutants)
    numbers = random.Random(seed).sample(range(len(mutants)), size)
    return [mutants[number] for number in sorted(numbers)]


def _is_in_example(mutant: Mutant) -> bool:
    """Whether a mutant changes an example that a check of the gate keeps beside its rule.

    Examples are tests, as ``examples.py`` is; what they hold the rule to is judged instead.
    """
    function = mutant.site.function or ""
    return "gate/checks" in str(mutant.site.path) and "example" in function


def _equivalent_mutants() -> frozenset[tuple[str, str, str]]:
    rows = json.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return frozenset((row["file"], row["before"], row["after"]) for row in rows)


@cache
def _text_of(test_file: str) -> str:
    return (TESTS.parent / test_file).read_text(encoding="utf-8")


def _module_name(path: Path) -> str:
    parts = path.relative_to(PRODUCT.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _place(mutant: Mutant) -> str:
    return mutant.site.path.relative_to(PRODUCT).as_posix()


def _around_difference(before: str, after: str) -> tuple[str, str]:
    """Cut two long lines to the surroundings of their first difference."""
    common = 0
    for old, new in zip(before, after, strict=False):
        if old != new:
            break
        common += 1
    start = max(common - _SHOWN_AROUND, 0)
    end = common + _SHOWN_AROUND
    return before[start:end], after[start:end]


def _outcome(status: int) -> str:
    match os.waitstatus_to_exitcode(status):
        case 0:
            return "survived"
        case 3:
            return "inapplicable"
        case _:
            return "killed"


def _become_silent(scratch: Path) -> None:
    """Make this process a group of its own that writes nowhere but below a folder."""
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(scratch)


def _end_group(process: int) -> None:
    try:
        os.killpg(process, signal.SIGKILL)
    except ProcessLookupError:
        return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
