"""What is frozen stays, and an interrupted comparison asks nothing twice."""

import json
import multiprocessing
import os
import re
import signal
from pathlib import Path

import pytest

from goldwright.app.cells import cells_judging
from goldwright.app.cells.cells import compare_source_cells, plan_cells_run
from goldwright.app.cells.cells_request import CellsRequest
from goldwright.cells.records import ObservedPrediction, PersonGrade, Prediction
from goldwright.engine.progress import SilentProgress
from goldwright.errors import DamagedStateError, InputError, QualityGateError
from goldwright.journal import read_jsonl
from goldwright.llm.port import Reply, Request, Usage
from units.cells.sources import make_environment, make_request

SILENT = SilentProgress()


def run(root: Path, request: CellsRequest, **variables: str) -> Path:
    return compare_source_cells(request, make_environment(root, **variables), SILENT).directory


def contents(directory: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_a_second_run_changes_no_byte_and_another_place_gives_the_same(tmp_path: Path) -> None:
    first = run(tmp_path, make_request(tmp_path))
    before = contents(first.parent)
    assert run(tmp_path, make_request(tmp_path)) == first
    assert contents(first.parent) == before
    elsewhere = run(tmp_path, make_request(tmp_path, out=Path("elsewhere")))
    assert [path.read_bytes() for path in sorted(elsewhere.iterdir())] == [
        path.read_bytes() for path in sorted(first.iterdir())
    ]


@pytest.mark.parametrize("name", ["labels.jsonl", "judge.md", "queries.jsonl", "decision.json"])
def test_a_changed_file_is_refused_by_name(tmp_path: Path, name: str) -> None:
    version = run(tmp_path, make_request(tmp_path))
    path = version / name
    path.chmod(0o644)
    data = bytearray(path.read_bytes())
    data[-2] ^= 1
    path.write_bytes(data)
    with pytest.raises(DamagedStateError, match=re.escape(f"{path}: was changed after v1")):
        run(tmp_path, make_request(tmp_path))


def test_files_that_come_or_go_are_refused(tmp_path: Path) -> None:
    version = run(tmp_path, make_request(tmp_path))
    (version / "notes.txt").write_text("mine")
    with pytest.raises(DamagedStateError, match=r"notes\.txt: was added"):
        run(tmp_path, make_request(tmp_path))
    (version / "notes.txt").unlink()
    (version / "labels.jsonl").unlink()
    with pytest.raises(DamagedStateError, match=r"labels\.jsonl: was removed"):
        run(tmp_path, make_request(tmp_path))


def test_other_settings_need_a_new_version_in_which_all_earlier_cells_stand_again(
    tmp_path: Path,
) -> None:
    first = run(tmp_path, make_request(tmp_path))
    before = contents(first)
    with pytest.raises(InputError, match=r"rests on other chunkers.*--new-version"):
        run(tmp_path, make_request(tmp_path, chunkers=("turns-512",)))
    second = run(tmp_path, make_request(tmp_path, chunkers=("turns-512",), new_version=True))
    assert second.name == "v2"
    cells = {cell["cell"] for cell in json.loads((second / "decision.json").read_text())["cells"]}
    assert cells == {f"bm25/{name}" for name in ("document", "window-512-50", "markdown-512")} | {
        "bm25/turns-512"
    }
    assert contents(first) == before


def test_predictions_stand_as_they_were_made_with_what_came_beside(tmp_path: Path) -> None:
    file = tmp_path / "predictions.jsonl"
    file.write_text('{"cell": "bm25/window-512-50", "predicted": "better", "why": "a hunch"}\n')
    version = run(tmp_path, make_request(tmp_path, predictions=file))
    [prediction] = read_jsonl(version / "predictions.jsonl", Prediction)
    [observed] = read_jsonl(version / "predictions_observed.jsonl", ObservedPrediction)
    assert (prediction.predicted, prediction.why) == ("better", "a hunch")
    assert observed.model_dump().items() >= prediction.model_dump().items()
    file.write_text('{"cell": "bm25/turns-512", "predicted": "better"}\n')
    with pytest.raises(InputError, match="no cell"):
        run(tmp_path, make_request(tmp_path, predictions=file, out=Path("elsewhere")))


def test_a_dry_run_writes_nothing_and_counts_at_least_what_is_judged(tmp_path: Path) -> None:
    plan = plan_cells_run(make_request(tmp_path), make_environment(tmp_path), SILENT)
    assert not (tmp_path / "eval-sets").exists()
    version = run(tmp_path, make_request(tmp_path))
    assert plan.pairs >= len((version / "pairs.jsonl").read_text().splitlines())


def test_too_few_queries_are_refused(tmp_path: Path) -> None:
    request = make_request(tmp_path)
    queries = Path(request.queries)
    queries.write_text("".join(queries.read_text().splitlines(keepends=True)[:24]))
    with pytest.raises(InputError, match=r"24 queries .* at least 25"):
        run(tmp_path, request)


class CountedModel:
    """A model that grades by a rule, notes what it is asked, and may die before it answers."""

    def __init__(self, log: Path, *, deadly_call: int | None) -> None:
        self._log = log
        self._deadly_call = deadly_call

    async def ask(self, request: Request) -> Reply:
        with self._log.open("a") as file:
            file.write(f"{request.item}\n")
        calls = len(self._log.read_text().splitlines())
        if self._deadly_call is not None and calls >= self._deadly_call:
            os.kill(os.getpid(), signal.SIGKILL)
        text = request.turns[0].as_json
        count = text.count('\\"query\\":')
        grades = [number % 4 if request.item.startswith("first") else 0 for number in range(count)]
        usage = Usage(fresh=100, output=10)
        return Reply(json.dumps({"grades": grades}), (), "done", "stop", usage, request.model)

    async def close(self) -> None:
        pass


def run_live(root: Path, deadly_call: int | None) -> None:
    model = CountedModel(root / "asked.txt", deadly_call=deadly_call)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells_judging, "open_role_adapter", lambda _role_model: model)
        judge = "openai:gpt-5"
        request = make_request(root, expected=False, judge=judge, second_judge=judge, depth=20)
        run(root, request, OPENAI_API_KEY="k" * 40)


def test_killed_at_any_call_it_goes_on_without_asking_an_answered_batch_again(
    tmp_path: Path,
) -> None:
    """A request that was under way when the process died has no reply, and alone is asked again."""
    context = multiprocessing.get_context("fork")
    asked = tmp_path / "asked.txt"
    for deadly_call in (2, 6):
        process = context.Process(target=run_live, args=(tmp_path, deadly_call))
        process.start()
        process.join(120)
        assert process.exitcode == -signal.SIGKILL
    run_live(tmp_path, None)
    version = tmp_path / "eval-sets" / "shop" / "v1"
    replies = [
        json.loads(line)["item"]
        for line in (version / "calls.jsonl").read_text().splitlines()
        if json.loads(line)["t"] == "reply"
    ]
    assert len(replies) == len(set(replies))
    assert set(asked.read_text().splitlines()) == set(replies)
    judged = [json.loads(line) for line in (version / "judgements.jsonl").read_text().splitlines()]
    keys = [(row["judge"], row["number"]) for row in judged]
    assert len(keys) == len(set(keys))


def test_disputes_wait_for_people_whose_grades_become_labels(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        model = CountedModel(tmp_path / "asked.txt", deadly_call=None)
        patch.setattr(cells_judging, "open_role_adapter", lambda _role_model: model)
        judge = "openai:gpt-5"
        request = make_request(
            tmp_path, judge=judge, second_judge=judge, without_people=False, depth=20
        )
        key = "k" * 40
        with pytest.raises(QualityGateError, match="fill in grade"):
            run(tmp_path, request, OPENAI_API_KEY=key)
        path = tmp_path / "eval-sets" / "shop" / "v1.draft" / "disagreements.jsonl"
        people = [
            person.model_copy(update={"grade": 1, "by": "ada"})
            for person in read_jsonl(path, PersonGrade)
        ]
        path.write_text("".join(f"{person.as_json()}\n" for person in people))
        calls = len((tmp_path / "asked.txt").read_text().splitlines())
        version = run(tmp_path, request, OPENAI_API_KEY=key)
        assert len((tmp_path / "asked.txt").read_text().splitlines()) == calls
    by_person = (version / "labels.jsonl").read_text().count('"given_by":"person"')
    assert by_person == len(people) > 0
