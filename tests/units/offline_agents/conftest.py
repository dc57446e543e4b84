"""The small codebases, each of which is opened once and answered once by a process."""

from collections.abc import Mapping

import pytest

from units.offline_agents.records import SAMPLES, Sample, open_sample


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Sample]:
    return {
        name: open_sample(tmp_path_factory.mktemp("sample"), sources)
        for name, sources in SAMPLES.items()
    }
