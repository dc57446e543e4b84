"""What a run rests on against what it rested on when it was started."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from goldwright.app.models.role_models import ModelSetup
from goldwright.app.runs.pool_systems import pool_systems
from goldwright.app.runs.run_preparation import RunPreparation
from goldwright.config import OFFLINE
from goldwright.manifest import RunManifest
from goldwright.prompts import PromptLibrary
from goldwright.stages.stage_graph import ROLES, first_stage_of, stage_versions


@dataclass(frozen=True, slots=True)
class RunChange:
    """One thing that is no longer as it was.

    Attributes:
        stage: The first stage whose results it bears on.
        sentence: What changed, for a message.
    """

    stage: str
    sentence: str


def changes_since_start(
    manifest: RunManifest, preparation: RunPreparation
) -> tuple[RunChange, ...]:
    """List what changed since a run was started: plan, prompts, models, focus area, program."""
    return tuple(_changes(manifest, preparation))


def changed_stages(versions: Mapping[str, str]) -> Iterator[RunChange]:
    """Yield the stages of this goldwright that a run does not have, or has in another version.

    Args:
        versions: The version of each stage of the run, as its manifest keeps it.
    """
    for stage, version in stage_versions().items():
        if stage not in versions:
            yield RunChange(stage, f"the stage {stage} is new")
        elif versions[stage] != version:
            yield RunChange(stage, f"the stage {stage} has another version than this goldwright")


def with_changes(manifest: RunManifest, preparation: RunPreparation) -> RunManifest:
    """Give the manifest of a run whose changes are accepted."""
    fields = preparation.model_setup.manifest_fields()
    fields["plan"] = preparation.plan
    fields["plan_digest"] = preparation.plan.content_digest()
    fields["prompt_digests"] = dict(preparation.prompts.digests())
    fields["stage_versions"] = stage_versions()
    fields["focus_area"] = preparation.config.run.focus_area
    fields["pool"] = pool_systems(preparation.config)
    # Who was to follow a weak Adversary is gone from the settings, and so it begins again.
    if preparation.model_setup.fallback is None:
        fields["weak_adversaries"] = ()
    return manifest.model_copy(update=fields)


def with_budget(manifest: RunManifest, preparation: RunPreparation) -> RunManifest:
    """Give the manifest with the ceiling that holds from now on, and where it came from."""
    return manifest.model_copy(
        update={
            "budget_micro_usd": preparation.budget_micro_usd,
            "budget_is_by_flag": preparation.budget_is_by_flag,
            "config_path": preparation.config_path,
        }
    )


def _changes(manifest: RunManifest, preparation: RunPreparation) -> Iterator[RunChange]:
    # Seed and commit are taken from the manifest, so they cannot change; money changes no result.
    if preparation.plan.content_digest() != manifest.plan_digest:
        file_name = preparation.plan_path.name
        yield RunChange("author", f"the plan changed ({file_name})")
    yield from _changed_prompts(manifest, preparation.prompts)
    yield from _changed_models(manifest, preparation.model_setup)
    if preparation.config.run.focus_area != manifest.focus_area:
        yield RunChange("author", "the focus area changed")
    pool = pool_systems(preparation.config)
    if pool != manifest.pool:
        systems_now = ", ".join(pool)
        systems_before = ", ".join(manifest.pool)
        sentence = f"the pool is filled by {systems_now} and no longer by {systems_before}"
        yield RunChange("completeness", sentence)
    yield from changed_stages(manifest.stage_versions)


def _changed_prompts(manifest: RunManifest, prompts: PromptLibrary) -> Iterator[RunChange]:
    before = manifest.prompt_digests
    after = prompts.digests()
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            stage = _stage_of_prompt(name)
            yield RunChange(stage, f"the prompt {name} changed")


def _stage_of_prompt(name: str) -> str:
    # A prompt is named after its role, or begins with it: author_locate.
    role = name.partition("_")[0]
    if role not in ROLES:
        # Nobody knows whose it was, so everything is done again.
        return "author"
    return first_stage_of(role).name


def _changed_models(manifest: RunManifest, model_setup: ModelSetup) -> Iterator[RunChange]:
    for role in ROLES:
        stage = first_stage_of(role).name
        before = manifest.models.get(role, OFFLINE)
        after = model_setup.models.get(role, OFFLINE)
        if before != after:
            yield RunChange(stage, f"the model of the {role} changed from {before} to {after}")
        elif manifest.apis.get(role) != model_setup.apis.get(role):
            old_api = manifest.apis[role]
            yield RunChange(stage, f"the way of speaking to the {role} changed from {old_api}")
        elif manifest.efforts.get(role) != model_setup.efforts.get(role):
            old_effort = manifest.efforts.get(role, "its provider's own")
            yield RunChange(stage, f"the effort of the {role} changed from {old_effort}")
