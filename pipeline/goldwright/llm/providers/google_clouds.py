"""Clients of the Gemini API, at Google's own address and in its cloud."""

from typing import Any, Final

import httpx2
from google import genai
from google.genai import types
from google.oauth2.credentials import Credentials

from goldwright.llm.catalog import CloudAccess

# As in the other SDKs; the default of httpx is below the calls at a time that users may allow.
_CONNECTIONS: Final = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)


def open_client(
    cloud: CloudAccess | None, key: str, base_url: str | None, seconds: float
) -> genai.Client:
    """Open a client; it holds connections until it is closed.

    Args:
        cloud: Where the models are rented; None for the Gemini API itself.
        key: The key; an access token in the cloud, where an empty one means the machine's own
            credentials.
        base_url: The address; None for the usual one.
        seconds: How long one attempt may take.
    """
    milliseconds = int(seconds * 1000)
    retry_options = types.HttpRetryOptions(attempts=1)
    options = types.HttpOptions(
        base_url=base_url,
        timeout=milliseconds,
        retry_options=retry_options,
        # A redirect would carry the key and the prompt to somebody else.
        async_client_args={"limits": _CONNECTIONS, "follow_redirects": False},
    )
    if cloud is None:
        return genai.Client(api_key=key, vertexai=False, http_options=options)
    credentials = _token(key) if key else None
    return genai.Client(
        vertexai=True,
        project=cloud.project,
        location=cloud.region,
        credentials=credentials,
        http_options=options,
    )


def _token(key: str) -> Any:
    untyped: Any = Credentials
    return untyped(token=key)
