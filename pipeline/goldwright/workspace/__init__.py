"""Where files lie: the only package that knows ``runs/``, ``golden/`` and the other directories."""

from goldwright.workspace.layout import (
    CALLS_FILE,
    MANIFEST_FILE,
    STAGE_FILES,
    TRUST_CARD_FILE,
    RunDirectory,
    StageFileName,
)
from goldwright.workspace.lock import hold_lock
from goldwright.workspace.runs import Workspace
from goldwright.workspace.shipped_files import (
    CACHE_VARIABLES,
    cache_directory,
    find_plan,
    find_prompts,
)
from goldwright.workspace.superseding import earlier_reviews, finish_superseding, supersede

__all__ = [
    "CACHE_VARIABLES",
    "CALLS_FILE",
    "MANIFEST_FILE",
    "STAGE_FILES",
    "TRUST_CARD_FILE",
    "RunDirectory",
    "StageFileName",
    "Workspace",
    "cache_directory",
    "earlier_reviews",
    "find_plan",
    "find_prompts",
    "finish_superseding",
    "hold_lock",
    "supersede",
]
