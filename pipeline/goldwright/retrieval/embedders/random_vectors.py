"""An embedder that knows nothing: the adversary that a comparison has to withstand."""

import hashlib
from collections.abc import Sequence
from typing import Final

import numpy as np

from goldwright.retrieval.embedders.port import Vectors

DIMENSIONS: Final = 64


class RandomEmbedder:
    """Draws a vector for each text from the digest of the text; equal texts get equal vectors."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self.name = f"random-{seed}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Draw the vectors."""
        rows = [self._draw(text) for text in texts]
        if not rows:
            return np.zeros((0, DIMENSIONS), np.float32)
        return np.stack(rows)

    def _draw(self, text: str) -> Vectors:
        seeded_text = f"{self._seed}\n{text}"
        data = seeded_text.encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(data).digest()
        seed = int.from_bytes(digest[:8], "little")
        generator = np.random.default_rng(seed)
        row: Vectors = generator.standard_normal(DIMENSIONS, np.float32)
        return row
