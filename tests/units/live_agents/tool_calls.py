"""Calls of tools, run as a conversation runs them."""

import asyncio

from goldwright.live_agents.model_tools import ModelTools
from goldwright.llm.port import ToolResult, ToolUse


def ran(toolbox: ModelTools, use: ToolUse) -> ToolResult:
    """Run one call, and give its result."""
    return asyncio.run(toolbox.run(use))
