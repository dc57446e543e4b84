"""The manifest of a new run: the one place where it is made."""

from pathlib import Path

from goldwright import __version__
from goldwright.app.environment import Environment
from goldwright.app.model_setup import ModelSetup, model_fields
from goldwright.config import Config
from goldwright.engine.clock import timestamp
from goldwright.manifest import RunManifest
from goldwright.plan import Plan
from goldwright.prompts import PromptLibrary
from goldwright.snapshot import Snapshot
from goldwright.stages.catalog import stage_versions


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
    """Say what a new run rests on; nothing is done in it yet.

    What is particular to one kind of run (its plan's file, a budget, canaries) is added to it.
    """
    manifest = RunManifest(
        run=name,
        goldwright_version=__version__,
        created_at=timestamp(environment.clock),
        plan=plan,
        plan_path="",
        plan_digest=plan.content_digest(),
        repo=str(repo.resolve()),
        mirror=str(snapshot.mirror),
        origin="git" if snapshot.origin == "git" else "directory",
        commit=snapshot.commit,
        tree=snapshot.tree,
        seed=seed,
        focus_area=config.run.focus_area,
        secret=new_secret(environment),
        prompt_digests=dict(prompts.digests()),
        stage_versions=stage_versions(),
        config_digest=config.content_digest(),
        roles=model_setup.identities,
    )
    return manifest.model_copy(update=model_fields(model_setup))


def next_round(before: RunManifest, name: str, environment: Environment) -> RunManifest:
    """Give the manifest of a run that does another one again.

    Everything that chance decides is drawn anew, and nothing is done yet.
    """
    return before.model_copy(
        update={
            "run": name,
            "goldwright_version": __version__,
            "created_at": timestamp(environment.clock),
            "state": "open",
            "seed": before.seed + 1,
            "secret": new_secret(environment),
            "seals": {},
            "redone": (),
            "redoing": None,
        }
    )


def new_secret(environment: Environment) -> str:
    """Draw the number from which the marks around material for models are derived."""
    return f"{environment.chance.getrandbits(128):032x}"
