"""Every format by its name; a new one is one module and one line here."""

from typing import Final

from goldwright.interchange.beir import BeirFormat
from goldwright.interchange.code_search_net import CodeSearchNetFormat
from goldwright.interchange.coderag import CodeRagFormat
from goldwright.interchange.cosqa import CosqaFormat
from goldwright.interchange.deepeval import DeepEvalFormat
from goldwright.interchange.format import Format
from goldwright.interchange.inspect_ai import InspectAiFormat
from goldwright.interchange.knowcode import KnowCodeFormat
from goldwright.interchange.mteb import MtebFormat
from goldwright.interchange.own_format import OwnFormat
from goldwright.interchange.promptfoo import PromptfooFormat
from goldwright.interchange.proven_relevance import ProvenRelevanceFormat
from goldwright.interchange.query_list import QueryListFormat
from goldwright.interchange.reader_protocols import FolderReader, RowReader
from goldwright.interchange.semble import SembleFormat
from goldwright.interchange.swe_bench import SweBenchFormat
from goldwright.interchange.tables import TableFormat
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
"""The formats that datasets are written in."""

BY_NAME: Final = {known_format.name: known_format for known_format in FORMATS}

OWN: Final = OwnFormat()

QUERY_LIST: Final = QueryListFormat()

# The first that claims a row reads the file, so what has more fields of its own comes first: our
# rows have the fields of KnowCode's, and a hand-written list may have those of anybody.
ROW_READERS: Final[tuple[RowReader, ...]] = (
    OWN,
    KnowCodeFormat(),
    CodeRagFormat(),
    SweBenchFormat(),
    CosqaFormat(),
    CodeSearchNetFormat(),
    DeepEvalFormat(),
    InspectAiFormat(),
    PromptfooFormat(),
    VaultMindFormat(),
    SembleFormat(),
    ProvenRelevanceFormat(),
    QUERY_LIST,
)
# TREC comes last: it takes any folder with a file of judgements, and BEIR's are in a folder.
FOLDER_READERS: Final[tuple[FolderReader, ...]] = (BeirFormat(), MtebFormat(), TrecFormat())
TABLE: Final = TableFormat()

READABLE: Final = {
    **{reader.name: reader.shape for reader in ROW_READERS},
    TABLE.name: TABLE.shape,
    **{reader.name: reader.shape for reader in FOLDER_READERS},
}
"""The shape of every format that is read, by its name."""
