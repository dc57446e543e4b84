"""A model behind an OpenAI-compatible embeddings endpoint."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import httpx2
import numpy as np

from goldwright.errors import RetrieverError
from goldwright.retrieval.embedders.port import Vectors

# Texts a request: servers take 100 to 2,048 of them, and a request of 32 stays below a megabyte.
BATCH_SIZE: Final = 32
TRIES: Final = 5
# Seconds before the first repetition; each further one waits twice as long.
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
_PASSING: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})

Wait = Callable[[float], None]


class EndpointEmbedder:
    """Posts texts to ``ADDRESS/embeddings``, and posts again what a passing fault cost.

    Vectors are kept under the digest of address and model name, and of the vector that the model
    gives a fixed text: an endpoint that serves another model under the same name is noticed.
    """

    def __init__(
        self,
        address: str,
        model: str,
        *,
        key: str | None,
        wait: Wait,
        seconds: float = 60.0,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """Ask for one vector, which shows that address, model and key are right.

        Args:
            address: The base address, as in ``http://localhost:8080/v1``.
            model: What the endpoint calls the model.
            key: Sent as a bearer token; None for a server without one.
            wait: Waits so many seconds.
            seconds: How long one request may take.
            transport: Takes the place of the network.

        Raises:
            RetrieverError: The endpoint gives no vector.
        """
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.Client(headers=headers, timeout=seconds, transport=transport)
        self._address = address.rstrip("/") + "/embeddings"
        self._model = model
        self._wait = wait
        probe = self._post(["goldwright"])[0]
        # Servers round differently from day to day; two decimals of a model are its own.
        rounded = [round(float(number), 2) + 0.0 for number in probe]
        identity = f"{self._address}\n{model}\n{rounded}"
        digest = hashlib.sha256(identity.encode()).hexdigest()
        self.name = f"{model}@{digest[:16]}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Ask for the vectors, 32 texts at a time."""
        firsts = range(0, len(texts), BATCH_SIZE)
        return np.concatenate([self._post(texts[first : first + BATCH_SIZE]) for first in firsts])

    def _post(self, texts: Sequence[str]) -> Vectors:
        # An empty text is refused by most servers, and means nothing in any case.
        sent = [text or " " for text in texts]
        body = {"model": self._model, "input": sent, "encoding_format": "float"}
        pause = FIRST_PAUSE
        problem = ""
        for attempt in range(TRIES):
            if attempt:
                self._wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            try:
                response = self._client.post(self._address, json=body)
            except httpx2.HTTPError as error:
                problem = f"is out of reach ({type(error).__name__})"
                continue
            if response.status_code == 200:
                return _read_rows(response, len(texts))
            problem = f"answers with status {response.status_code}"
            if response.status_code not in _PASSING:
                break
            pause = _asked_pause(response.headers) or pause
        raise RetrieverError(f"embeddings of {self._model}: the endpoint {problem}")


def _asked_pause(headers: Mapping[str, str]) -> float | None:
    """Read the seconds that a server asks for; None where it asks for none, or writes a date."""
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return min(max(seconds, 0.0), LONGEST_PAUSE)


def _read_rows(response: httpx2.Response, count: int) -> Vectors:
    try:
        rows: list[Any] = response.json()["data"]
        ordered = sorted(rows, key=lambda row: row["index"])
        embeddings = [row["embedding"] for row in ordered]
        vectors = np.array(embeddings, np.float32)
    except (KeyError, TypeError, ValueError) as error:
        raise RetrieverError(f"the embeddings endpoint sent no vectors ({error})") from error
    if vectors.ndim != 2 or len(vectors) != count or not np.isfinite(vectors).all():
        raise RetrieverError(f"the embeddings endpoint sent other than {count} finite vectors")
    return vectors
