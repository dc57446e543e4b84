"""What a sentence may refer to that was said before: the other side of a test, a loop."""

import itertools
from dataclasses import dataclass

from goldwright.offline_agents.prose_predicates import predicate_of
from goldwright.offline_agents.prose_references import LOOP, SAME_LOOP
from goldwright.offline_agents.statements.statement import Statement
from goldwright.path_conditions import Path, negation_of


@dataclass
class OtherwisePath:
    """What "otherwise" means behind a sentence: that its tests come out the other way.

    Where something is done, in a loop or behind an error, stays: the tests there are turned round.

    Attributes:
        function: What the sentence was about.
        path: The conditions; empty where nobody would know what is meant.
    """

    function: str = ""
    path: Path = ()

    def contrast(self, statement: Statement) -> Path | None:
        """Give the conditions that are left to say behind "otherwise"; None where it is wrong."""
        conditions, length = statement.conditions, len(self.path)
        is_same = bool(self.path) and statement.subject == self.function
        return conditions[length:] if is_same and conditions[:length] == self.path else None

    def forget(self) -> None:
        """Let nothing be turned round: something else was said."""
        self.path = ()

    def follow(self, statement: Statement, contrast: Path | None) -> None:
        """Remember a sentence.

        Args:
            statement: What it said.
            contrast: The conditions that it said behind "otherwise", which goes on from there; None
                where it said all of them.
        """
        is_first = contrast is None or not self.path
        before: Path = () if is_first else self.path
        said = statement.conditions if contrast is None or is_first else contrast
        circumstances, tests = _split_circumstances(said)
        denied = negation_of(tests)
        self.function = statement.subject
        is_clear = denied != () and predicate_of(statement) != ""
        self.path = (*before, *circumstances, *denied) if is_clear else ()


def _split_circumstances(path: Path) -> tuple[Path, Path]:
    """Split conditions into where something is done, and the tests that are made there."""
    circumstances = tuple(
        itertools.takewhile(lambda condition: condition.kind not in {"if", "unless"}, path)
    )
    return circumstances, path[len(circumstances) :]


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
            self.function, self.phrase = function, phrases[-1]
        return sentence
