"""The supply of questions: nothing is lacking before every lead was followed."""

from pathlib import Path

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.questions.question_dealing import Dealt, deal_questions
from goldwright.offline_agents.questions.shortfall import Outcome, Shortfall
from goldwright.offline_agents.survey.codebase_survey import survey_codebase
from goldwright.plan import Cell
from goldwright.snapshot import open_snapshot
from journeys.sample_code import LENDING, write_code

EASY = Cell("locate", "easy")


def _deal(tmp_path: Path, messages: list[str], count: int) -> Dealt:
    root = tmp_path / "code"
    root.mkdir()
    for number, message in enumerate(messages):
        code = (
            f"def store_{number}(amount, limit, shelf):\n"
            f"    total = shelf.count + amount\n"
            f"    if total > limit:\n"
            f'        raise ValueError("{message}")\n'
            f"    shelf.count = total\n"
            f"    return shelf\n"
        )
        (root / f"m{number}.py").write_text(code)
    snapshot = open_snapshot(root, cache=tmp_path / "cache")
    survey = survey_codebase(snapshot)
    asks = ((EASY, count),)
    return deal_questions(survey, CodeContext(snapshot), asks, (), seed=1, focus_area=None)


def test_a_cell_that_is_short_is_told_what_was_looked_at(tmp_path: Path) -> None:
    """The files, the leads of every kind, and what became of them."""
    deal = _deal(tmp_path, ["The shelf is full of heavy boxes", "No room for a pallet"], 5)[EASY]
    assert deal.shortfall is not None
    assert deal.shortfall.files == 2
    assert deal.shortfall.leads["message_origin"] == 2
    assert len(deal.drafts) + sum(deal.shortfall.total_outcomes().values()) >= 2


def test_what_the_list_of_files_gives_away_is_not_asked_for(tmp_path: Path) -> None:
    """The screen would refuse it, and the cell would stay short for no reason of the code's."""
    root = tmp_path / "code"
    root.mkdir()
    for name in ("pallet", "shelf_room"):
        class_name = name.title().replace("_", "")
        (root / f"{name}.py").write_text(
            f"class {class_name}:\n"
            "    def store(self, amount, limit):\n"
            "        if amount > limit:\n"
            f'            raise ValueError("There is no more room for heavy {name} boxes")\n'
        )
    snapshot = open_snapshot(root, cache=tmp_path / "cache")
    survey = survey_codebase(snapshot)
    code = CodeContext(snapshot)
    deal = deal_questions(survey, code, ((EASY, 2),), (), seed=1, focus_area=None)[EASY]
    assert deal.drafts == ()
    assert deal.shortfall is not None
    assert deal.shortfall.total_outcomes().get("told by file", 0) > 0


def test_a_cell_that_got_what_it_asked_for_has_no_shortfall(tmp_path: Path) -> None:
    """Nothing is said to be lacking."""
    code = write_code(tmp_path / "code", LENDING)
    snapshot = open_snapshot(code, cache=tmp_path / "cache")
    survey = survey_codebase(snapshot)
    asks = ((EASY, 1), (Cell("locate", "hard"), 0))
    dealt = deal_questions(survey, CodeContext(snapshot), asks, (), seed=1, focus_area=None)
    assert [(len(deal.drafts), deal.shortfall) for deal in dealt.values()] == [(1, None), (0, None)]


def test_a_shortfall_says_what_became_of_all_leads_and_of_those_of_each_kind() -> None:
    outcomes: dict[str, dict[Outcome, int]] = {
        "registry": {"overlap": 3, "asked": 2},
        "contract": {"no question": 1, "overlap": 1},
    }
    leads = {"registry": 4, "contract": 1001, "family": 0, "steps": 1}
    assert list(Shortfall(1200, leads, outcomes).lines()) == [
        (
            "1,006 leads in 1,200 files of product code; 1 led to no question for this cell; "
            "the others gave 6 questions: 2 asked, 4 with the targets of other queries"
        ),
        "registry: 4 leads; they gave 5 questions: 2 asked, 3 with the targets of other queries",
        (
            "contract: 1,001 leads; 1 led to no question for this cell; "
            "the others gave 1 question: 1 with the targets of other queries"
        ),
        "family: no lead",
        "steps: 1 lead; none came to nothing",
    ]


def test_a_cell_for_which_nothing_was_found_says_no_more_than_that() -> None:
    assert list(Shortfall(6, {"family": 0}, {}).lines()) == [
        "no leads in 6 files of product code",
        "family: no lead",
    ]


def test_one_lead_is_not_called_several() -> None:
    assert next(Shortfall(6, {"family": 1}, {"family": {"overlap": 1}}).lines()) == (
        "1 lead in 6 files of product code; they gave 1 question: 1 with the targets of other "
        "queries"
    )
