"""Clients of the Messages API, at Anthropic and in the clouds that rent its models out.

All are of the same SDK and take the same requests. Quirks (2026-11): Bedrock and Vertex take the
model from the path, Bedrock streams in a form of its own that wants botocore, and neither knows
batches.
"""

from typing import Any

import anthropic
import httpx2

from goldwright.llm.catalog import CloudAccess
from goldwright.llm.providers.limit_headers import tell_limits


def open_client(cloud: CloudAccess | None, key: str, base_url: str | None, seconds: float) -> Any:
    """Open a client; it holds connections until it is closed.

    Args:
        cloud: Where the models are rented; None for Anthropic itself.
        key: The key; an access token for Vertex, where an empty one means the machine's own
            credentials.
        base_url: The address; None for the usual one.
        seconds: How long one attempt may take.
    """
    timeout = httpx2.Timeout(seconds, connect=10.0)
    # A redirect would carry the key and the prompt to somebody else.
    http_client = anthropic.DefaultAsyncHttpxClient(
        follow_redirects=False, event_hooks={"response": [tell_limits]}
    )
    options: dict[str, Any] = {
        "base_url": base_url,
        # Retries are made above the call journal, which has to know of each attempt.
        "max_retries": 0,
        "timeout": timeout,
        "http_client": http_client,
    }
    if cloud is None:
        return anthropic.AsyncAnthropic(api_key=key, **options)
    match cloud.cloud:
        case "bedrock":
            return anthropic.AsyncAnthropicBedrock(api_key=key, aws_region=cloud.region, **options)
        case "vertex":
            return anthropic.AsyncAnthropicVertex(
                access_token=key or None, region=cloud.region, project_id=cloud.project, **options
            )
        case "azure":
            return anthropic.AsyncAnthropicFoundry(api_key=key, **options)
