"""What a sentence may refer to that was said before: the other side of a test, a loop, checks."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from goldwright.equivalent_tests import is_one_test
from goldwright.offline_agents.prose.prose_references import (
    EITHER_WAY,
    LOOP,
    OTHERWISE,
    PAST_CHECK,
    PAST_CHECKS,
    SAME_LOOP,
)
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Statement
from goldwright.path_conditions import Condition, Path, are_two_sides, negation_of, without_implied


@dataclass
class OtherwisePath:
    """What "otherwise" means behind a sentence: that its tests come out the other way.

    Where something is done, in a loop or behind an error, stays: the tests there are turned round.

    Attributes:
        function: What the sentence was about.
        path: The conditions; empty where nobody would know what is meant.
        said: The conditions of the last sentence as they were said, behind what a reference stood
            for.
    """

    function: str = ""
    path: Path = ()
    said: Path = ()

    def contrast(self, statement: Statement) -> Path | None:
        """Give the conditions that are left to say behind "otherwise"; None where it is wrong."""
        if not self.path or statement.subject != self.function:
            return None
        return _left_to_say(statement.conditions, self.path)

    def forget(self) -> None:
        """Let nothing be turned round: something else was said."""
        self.path = ()

    def follow(self, statement: Statement, contrast: Path | None, before: Path = ()) -> None:
        """Remember a sentence.

        Args:
            statement: What it said.
            contrast: The conditions that it said behind a reference, which goes on from there; None
                where it said all of them.
            before: The conditions that the reference stood for.
        """
        is_first = contrast is None or not before
        said = statement.conditions if contrast is None or is_first else contrast
        if is_first:
            before = ()
        # What is told of both sides of a test is told of what stands before it: behind "if a and b"
        # and "if a and not b", otherwise means "if not a".
        if statement.subject == self.function and are_two_sides(self.said, said):
            said = said[:-1]
        self.said = said
        circumstances, tests = _split_circumstances(said)
        denied = negation_of(tests)
        self.function = statement.subject
        # "Otherwise" would be taken for the value that a name has now.
        is_stale = isinstance(statement, Assigned) and statement.changes_its_tests
        # A case is said like a test: nobody would know whether it is turned round as well.
        is_in_case = any(condition.kind == "case" for condition in circumstances)
        is_telling = denied != () and predicate_of(statement) != ""
        is_clear = is_telling and not is_stale and not is_in_case
        self.path = ()
        if is_clear:
            self.path = (*before, *circumstances, *denied)


def _left_to_say(conditions: Path, known: Path) -> Path | None:
    """Give the conditions that are left where others are known; None where these do not hold."""
    if conditions[: len(known)] == known:
        return conditions[len(known) :]
    # Of what is known, a further test may have left nothing to be said.
    for place, (condition, known_condition) in enumerate(zip(conditions, known, strict=False)):
        if condition != known_condition:
            # That several tests do not all hold is not meant by one of them that does not.
            if not is_one_test(known_condition.code):
                return None
            rest = conditions[place:]
            is_whole = without_implied((*known, *rest)) == conditions
            return rest if is_whole else None
    return None


def _left_behind_checks(conditions: Path, checks: Path) -> Path | None:
    """Give the conditions that are left beside checks, which may stand among other tests."""
    tests = tuple(itertools.takewhile(_is_test, conditions))
    rest = tuple(condition for condition in conditions if condition not in checks)
    is_behind_all = all(check in tests for check in checks)
    if is_behind_all and set(without_implied((*checks, *rest))) == set(conditions):
        return rest
    return _left_to_say(conditions, checks)


def _is_test(condition: Condition) -> bool:
    return condition.kind in {"if", "unless"}


def _split_circumstances(path: Path) -> tuple[Path, Path]:
    """Split conditions into where something is done, and the tests that are made there."""
    circumstances = tuple(itertools.takewhile(lambda condition: not _is_test(condition), path))
    return circumstances, path[len(circumstances) :]


@dataclass
class PassedChecks:
    """What holds behind the checks that were told: none of them has left the function.

    Attributes:
        function: Whose checks they are.
        path: That each of them came out the other way; empty for none.
        count: How many there are.
        is_interrupted: Whether something else was spoken of since: "it" would be that.
    """

    function: str = ""
    path: Path = ()
    count: int = 0
    is_interrupted: bool = False

    def remainder(self, statement: Statement) -> Path | None:
        """Give the conditions that are left to say behind the checks; None where it lies before."""
        is_same = bool(self.path) and statement.subject == self.function
        if self.is_interrupted or not is_same:
            return None
        return _left_behind_checks(statement.conditions, self.path)

    def follow(self, statement: Statement) -> None:
        """Remember a statement if it tells of a check that leaves the function."""
        self.is_interrupted = statement.subject != self.function
        if not isinstance(statement, Raises | Returned):
            return
        if statement.subject != self.function:
            self.function = statement.subject
            self.path = ()
            self.count = 0
            self.is_interrupted = False
        tests = self.remainder(statement) if self.path else statement.conditions
        circumstances, tests = _split_circumstances(tests or ())
        # What leaves a loop, or only after an error, says nothing of what stands behind it.
        denied = () if circumstances else negation_of(tests)
        if denied:
            self.path = (*self.path, *denied)
            self.count += 1


@dataclass
class SaidBefore:
    """What conditions may be said by, instead of by their code.

    Attributes:
        otherwise: The test that was told last, turned round.
        checks: What was told to leave the function; None where nobody would know what is meant.
        was_on_a_test: Whether the last sentence told of a test that leaves nothing.
        was_otherwise: Whether it told of the other side of a test.
    """

    otherwise: OtherwisePath = field(default_factory=OtherwisePath)
    checks: PassedChecks | None = field(default_factory=PassedChecks)
    was_on_a_test: bool = False
    was_otherwise: bool = False

    def reference(self, statement: Statement) -> tuple[str, Path] | None:
        """Give the words that stand for conditions, and those that are left to say."""
        if not predicate_of(statement):
            return None
        contrast = self.otherwise.contrast(statement)
        if contrast is not None:
            return OTHERWISE, contrast
        if self.checks is None:
            return None
        remainder = self.checks.remainder(statement)
        words = PAST_CHECK if self.checks.count == 1 else PAST_CHECKS
        if remainder == () and self.was_on_a_test:
            # "Past that check" would be taken for past the test that was spoken of last; and either
            # way, behind "otherwise", for what leaves as well.
            if self.was_otherwise:
                return None
            words = EITHER_WAY
        return None if remainder is None else (words, remainder)

    def meaning(self, words: str) -> tuple[str, Path]:
        """Give what words stand for: a function, and conditions; no conditions for nothing."""
        if words == OTHERWISE:
            return self.otherwise.function, self.otherwise.path
        checks = self.checks or PassedChecks()
        return checks.function, checks.path

    def follow(
        self, statements: Sequence[Statement], reference: tuple[str, Path] | None = None
    ) -> None:
        """Remember a sentence.

        Args:
            statements: What it said, all under the same conditions.
            reference: What ``reference`` gave for the first of them.
        """
        words, contrast = reference or ("", None)
        _, before = self.meaning(words) if reference else ("", ())
        self.otherwise.follow(statements[0], contrast, before)
        leaves = isinstance(statements[-1], Raises | Returned)
        said = statements[0].conditions if contrast is None else contrast
        has_test = any(map(_is_test, said))
        self.was_on_a_test = has_test and not leaves
        self.was_otherwise = words == OTHERWISE
        self.remember_checks(statements)

    def remember_checks(self, statements: Iterable[Statement]) -> None:
        """Remember what leaves the function."""
        if self.checks is not None:
            for statement in statements:
                self.checks.follow(statement)


@dataclass
class LoopInMind:
    """The loop that was spoken of last: said again, it is "the same loop".

    Attributes:
        function: Whose loop it is.
        phrase: How it was said; empty for none.
    """

    function: str = ""
    phrase: str = ""

    def refer(self, sentence: str, function: str) -> str:
        """Say a sentence about a function without the code of a loop that was just named."""
        phrases = LOOP.findall(sentence)
        if phrases and (function, phrases[0]) == (self.function, self.phrase):
            sentence = sentence.replace(phrases[0], SAME_LOOP, 1)
        if phrases:
            self.function = function
            self.phrase = phrases[-1]
        return sentence
