"""Statement: all the functions that call a function of a library; the set is closed."""

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from goldwright.offline_agents.statements.closed_sets import SetOfUsers
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Example
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse
from goldwright.offline_agents.token_reading.library_words import library_uses

_SENTENCE: Final = re.compile(
    r"In product code, `(?P<name>\w+(?:\.\w+)+)` is called in (?P<callers>`.+`) "
    r"and nowhere else\."
)


@dataclass(frozen=True, slots=True)
class LibraryCallers(SetOfUsers):
    """A function of a library is called in these functions and nowhere else in product code.

    Attributes:
        name: The whole name of the function, as in ``subprocess.Popen``.
        callers: The qualified names of all the functions that call it, one at least.
    """

    kind: ClassVar[str] = "library_callers"
    set_field = "callers"
    pattern = _SENTENCE
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
import shutil
from os import chdir

def clear(place):
    shutil.rmtree(place)

def enter(place):
    chdir(place)

def leave(place):
    chdir(place.parent)
""",
            holds=(
                "In product code, `shutil.rmtree` is called in `clear` and nowhere else.",
                "In product code, `os.chdir` is called in `enter` and `leave` and nowhere else.",
            ),
            fails=(
                "In product code, `shutil.rmtree` is called in `enter` and nowhere else.",
                "In product code, `os.chdir` is called in `enter` and nowhere else.",
            ),
        ),
    )

    name: str
    callers: tuple[str, ...]

    def sentence(self) -> str:
        callers = join_code(self.callers)
        return f"In product code, `{self.name}` is called in {callers} and nowhere else."

    def uses(self, code: TokenCodebase) -> list[WordUse]:
        return library_uses(code, self.name) or []
