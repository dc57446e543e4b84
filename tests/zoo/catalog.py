"""Every specimen of the zoo."""

from collections.abc import Mapping
from typing import Final

from zoo.codebases import CODEBASES
from zoo.depths import DEPTHS
from zoo.everywhere import EVERYWHERE
from zoo.inputs import INPUTS
from zoo.paths import PATHS
from zoo.processes import PROCESSES
from zoo.repositories import REPOSITORIES
from zoo.specimen import Specimen
from zoo.states import STATES
from zoo.syntax import SYNTAX
from zoo.texts import TEXTS

SECTIONS: Final[Mapping[str, tuple[Specimen, ...]]] = {
    "depths": DEPTHS,
    "texts": TEXTS,
    "syntax": SYNTAX,
    "everywhere": EVERYWHERE,
    "paths": PATHS,
    "codebases": CODEBASES,
    "repositories": REPOSITORIES,
    "inputs": INPUTS,
    "processes": PROCESSES,
    "states": STATES,
}
SPECIMENS: Final[Mapping[str, Specimen]] = {
    specimen.name: specimen for section in SECTIONS.values() for specimen in section
}
