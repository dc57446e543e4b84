"""What every start of the program would do again, done once before the first of them is forked.

The SDKs build their models with the first reply they read, the detector of injections compiles its
phrases, and pages compile their templates: about 1.5 s of a live run, and half of a short review.
"""

import asyncio
from typing import Final

from goldwright.live_agents.model_tools import declare_tools
from goldwright.llm.catalog import APIS, Api, open_adapter
from goldwright.llm.port import AssistantMessage, Request, ToolResult, ToolResults, UserMessage
from goldwright.llm.reply_schema import reply_schema
from goldwright.pages.rendering import page_environment
from goldwright.records import NarrativeVerdictDraft
from goldwright.scanners.injection import phrase_patterns
from goldwright.web.templating import template_environment
from scripted.server import serve_in_thread
from scripted.wire import Call, Heard, Say

MODELS: Final[dict[Api, str]] = {
    "anthropic": "claude-sonnet-5",
    "responses": "gpt-5",
    "chat": "qwen3-coder",
    "google": "gemini-3.8-flash",
}


def look_once(heard: Heard) -> Say:
    """Ask for one file, and then hand back a last word."""
    if len(heard.turns) == 1:
        return Say(calls=(Call("c1", "list", {"pattern": "*.py"}),))
    return Say(text='{"verdict": "equivalent", "reason": "same"}')


async def converse(api: Api, url: str) -> None:
    """Exchange two messages with the scripted model, one of them with a tool."""
    base_url = f"{url}/v1" if api in {"responses", "chat"} else url
    adapter = open_adapter(api, key="a-key", base_url=base_url, seconds=20.0)
    task = UserMessage("Go.")
    tools = declare_tools(frozenset({"list"}))
    schema = reply_schema(NarrativeVerdictDraft)
    request = Request("oracle:q", MODELS[api], "# The Oracle", (task,), tools, schema=schema)
    try:
        reply = await adapter.ask(request)
        (use,) = reply.tool_uses
        results = ToolResults((ToolResult(use.call_id, use.name, "a.py"),))
        turns = (task, AssistantMessage(reply.echo), results)
        await adapter.ask(Request(**{**vars(request), "turns": turns}))
    finally:
        await adapter.close()


def warm_up() -> None:
    """Speak to each SDK, and compile the phrases and templates."""
    with serve_in_thread(look_once) as server:
        for api in APIS:
            asyncio.run(converse(api, server.url))
    for compile_phrases in (
        phrase_patterns.english_phrases,
        phrase_patterns.all_phrases,
        phrase_patterns.torn_phrases,
        phrase_patterns.unspaced_patterns,
    ):
        compile_phrases()
    for environment in (template_environment(), page_environment()):
        for name in environment.list_templates(extensions=["html"]):
            environment.get_template(name)
