"""The client of OpenAI's SDK, which speaks both of OpenAI's protocols."""

import httpx2
import openai

from goldwright.llm.providers.limit_headers import tell_limits


def open_client(*, key: str, base_url: str | None, seconds: float) -> openai.AsyncOpenAI:
    """Make a client that sends each request once, and to nobody but its address."""
    timeout = httpx2.Timeout(seconds, connect=10.0)
    # A redirect would carry the key and the prompt to somebody else.
    http_client = openai.DefaultAsyncHttpxClient(
        follow_redirects=False, event_hooks={"response": [tell_limits]}
    )
    return openai.AsyncOpenAI(
        api_key=key,
        base_url=base_url,
        # Retries are made above the call journal, which has to know of each attempt.
        max_retries=0,
        timeout=timeout,
        http_client=http_client,
    )
