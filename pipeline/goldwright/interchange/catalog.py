"""Every format by its name; a new one is one module and one line here."""

from typing import Final

from goldwright.interchange.beir import Beir
from goldwright.interchange.coderag import CodeRag
from goldwright.interchange.deepeval import DeepEval
from goldwright.interchange.inspect_ai import InspectAi
from goldwright.interchange.model import Format
from goldwright.interchange.mteb import Mteb
from goldwright.interchange.promptfoo import Promptfoo
from goldwright.interchange.trec import Trec
from goldwright.interchange.vaultmind import VaultMind

FORMATS: Final[tuple[Format, ...]] = (
    Beir(),
    Trec(),
    Mteb(),
    InspectAi(),
    Promptfoo(),
    DeepEval(),
    CodeRag(),
    VaultMind(),
)
BY_NAME: Final = {one.name: one for one in FORMATS}
