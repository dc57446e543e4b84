"""The manifest of a new run: the one place where it is made."""

from pathlib import Path
from typing import Literal

from goldwright import __version__
from goldwright.app.environment import Environment
from goldwright.app.models.role_models import ModelSetup
from goldwright.app.runs.pool_systems import pool_systems
from goldwright.config import Config
from goldwright.engine.clock import timestamp
from goldwright.manifest import RunManifest
from goldwright.plan import Plan
from goldwright.prompts import PromptLibrary
from goldwright.snapshot import Snapshot
from goldwright.stages.stage_graph import stage_versions


def new_manifest(
    name: str,
    *,
    plan: Plan,
    config: Config,
    prompts: PromptLibrary,
    model_setup: ModelSetup,
    repo: Path,
    snapshot: Snapshot,
    seed: int,
    environment: Environment,
) -> RunManifest:
    """Write down what a new run rests on; nothing is done in it yet.

    What only one kind of run has (the file of its plan, a budget, canaries) is added by its maker.
    """
    # Every origin but a git repository is a directory to a run.
    is_git = snapshot.origin == "git"
    origin: Literal["git", "directory"] = "git" if is_git else "directory"
    manifest = RunManifest(
        run=name,
        goldwright_version=__version__,
        created_at=timestamp(environment.clock),
        plan=plan,
        plan_path="",
        plan_digest=plan.content_digest(),
        repo=str(repo.resolve()),
        mirror=str(snapshot.mirror),
        origin=origin,
        commit=snapshot.commit,
        tree=snapshot.tree,
        unparsed=dict(sorted(snapshot.unparsed.items())),
        seed=seed,
        focus_area=config.run.focus_area,
        pool=pool_systems(config),
        secret=_draw_secret(environment),
        prompt_digests=dict(prompts.digests()),
        stage_versions=stage_versions(),
        config_digest=config.content_digest(),
        roles=model_setup.identities,
    )
    return manifest.model_copy(update=model_setup.manifest_fields())


def replacement_manifest(replaced: RunManifest, name: str, environment: Environment) -> RunManifest:
    """Give the manifest of a run that does another one again, with its own seed and secret."""
    # Another seed chooses other queries; with the same seed the batch would fail in the same way.
    return replaced.model_copy(
        update={
            "run": name,
            "goldwright_version": __version__,
            "created_at": timestamp(environment.clock),
            "state": "open",
            "seed": replaced.seed + 1,
            "secret": _draw_secret(environment),
            "seals": {},
            "redone": (),
            "redoing": None,
        }
    )


def _draw_secret(environment: Environment) -> str:
    # 128 bits, so that no text of a codebase can guess the marks that are derived from it.
    return f"{environment.chance.getrandbits(128):032x}"
