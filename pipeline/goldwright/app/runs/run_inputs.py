"""The settings of a run, with the prompts and models that they name."""

from dataclasses import dataclass
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.models.model_setup import set_up_models
from goldwright.app.models.role_models import ModelSetup
from goldwright.config import FILE_NAME, Config, read_config
from goldwright.prompts import PromptLibrary
from goldwright.workspace import find_prompts


@dataclass(frozen=True, slots=True)
class RunInputs:
    """What a run rests on besides its plan and its codebase.

    Attributes:
        config: The settings.
        config_path: Their file, absolute; empty where there is none.
        prompts: The prompts of the roles.
        model_setup: Which models play.
    """

    config: Config
    config_path: str
    prompts: PromptLibrary
    model_setup: ModelSetup


def read_run_inputs(
    config_path: Path | None, environment: Environment, *, needs_keys: bool
) -> RunInputs:
    """Read and validate the settings and all that they name.

    Args:
        config_path: The settings; ``goldwright.toml`` in the root where there is none.
        environment: Holds root and keys.
        needs_keys: Whether models will be asked.

    Raises:
        InputError: The settings, a prompt or a model is wrong, or a key is missing.
    """
    config, config_directory = read_config(config_path, root=environment.root)
    prompts_directory = find_prompts(config.paths.prompts, config_directory)
    prompts = PromptLibrary.load(prompts_directory)
    path = config_path or environment.root / FILE_NAME
    absolute_path = ""
    if path.is_file():
        absolute_path = str(path.resolve())
    model_setup = set_up_models(
        config, environment.variables, source=absolute_path, needs_keys=needs_keys
    )
    return RunInputs(config, absolute_path, prompts, model_setup)
