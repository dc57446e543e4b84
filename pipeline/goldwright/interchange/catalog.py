"""Every format by its name; a new one is one module and one line here."""

from typing import Final

from goldwright.interchange.beir import BeirFormat
from goldwright.interchange.coderag import CodeRagFormat
from goldwright.interchange.deepeval import DeepEvalFormat
from goldwright.interchange.format import Format
from goldwright.interchange.inspect_ai import InspectAiFormat
from goldwright.interchange.mteb import MtebFormat
from goldwright.interchange.promptfoo import PromptfooFormat
from goldwright.interchange.trec import TrecFormat
from goldwright.interchange.vaultmind import VaultMindFormat

FORMATS: Final[tuple[Format, ...]] = (
    BeirFormat(),
    TrecFormat(),
    MtebFormat(),
    InspectAiFormat(),
    PromptfooFormat(),
    DeepEvalFormat(),
    CodeRagFormat(),
    VaultMindFormat(),
)
BY_NAME: Final = {known_format.name: known_format for known_format in FORMATS}
