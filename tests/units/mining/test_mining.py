"""What becomes of the commits of a history."""

from pathlib import Path

import pytest

from goldwright.mining import FILTERS, Mined
from units.mining.histories import Repository, mine

BASKET = """\
class Basket:
    def total(self):
        return sum(self.prices)

    def empty(self):
        return not self.prices
"""
PRICES = """\
def discount(price):
    return price / 2


def round_up(price):
    return price + 1
"""
FILES: dict[str, str | None] = {"shop/basket.py": BASKET, "shop/prices.py": PRICES}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository whose first commit holds two files."""
    repository = Repository(tmp_path / "shop")
    repository.commit("Start selling things", FILES)
    return repository


def only_case(mined: Mined) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files and symbols of the only case."""
    (case,) = mined.cases
    return case.relevant_files, case.relevant_symbols


def test_a_case_is_a_subject_and_what_its_commit_changed(
    repository: Repository, tmp_path: Path
) -> None:
    """With the commit, its parent and where the targets are."""
    parent = repository.git("rev-parse", "HEAD")
    halved = PRICES.replace("price / 2", "price * 0.5")
    commit = repository.commit(
        "fix(shop): Half prices lose cents (#12)", {"shop/prices.py": halved}
    )
    mined = mine(repository, tmp_path / "cache", level="symbol")
    (case,) = mined.cases
    assert (case.query, case.id) == ("Half prices lose cents", commit[:12])
    assert case.relevant_symbols == ("shop/prices.py::discount",)
    assert case.relevant_files == ("shop/prices.py",)
    assert (case.commit, case.parent, case.pinned_commit) == (commit, parent, commit)
    assert (case.strata.change, case.difficulty, case.lost_targets) == ("fix", "easy", 0)


@pytest.mark.parametrize(
    ("message", "files", "name"),
    [
        ("Release 2.0.1", {"shop/prices.py": PRICES + "X = 1\n"}, "release"),
        ("Bump version to 3.1", {"shop/prices.py": PRICES + "X = 1\n"}, "release"),
        ("Tiny fix", {"shop/prices.py": PRICES + "X = 1\n"}, "few_words"),
        ("Fix failing tests again", {"shop/prices.py": PRICES + "X = 1\n"}, "vague"),
        ("Explain how prices come about", {"README.md": "Hello\n"}, "no_source"),
        ("Check prices of empty baskets", {"tests/test_prices.py": "X = 1\n"}, "tests_only"),
        (
            "Sort imports of everything there is",
            {f"a{n}.py": "X = 1\n" for n in range(6)},
            "sweeping",
        ),
        (
            "Lay prices out more nicely",
            {"shop/prices.py": PRICES.replace("/ 2", "/  2")},
            "formatting",
        ),
        (
            "Describe what prices mean for customers",
            {"shop/prices.py": PRICES + "# For people.\n"},
            "prose",
        ),
        ("Limit how many things are sold", {"shop/prices.py": PRICES + "MOST = 3\n"}, "no_symbol"),
        (
            "Let round_up take negative numbers",
            {"shop/prices.py": PRICES.replace("+ 1", "+ 2")},
            "names_target",
        ),
        (
            "Correct amounts in shop/prices.py today",
            {"shop/prices.py": PRICES.replace("+ 1", "+ 2")},
            "names_target",
        ),
        (
            "Numbers round up beyond zero",
            {"shop/prices.py": PRICES.replace("+ 1", "+ 2")},
            "spells_target",
        ),
        (
            "Forget reductions for old customers",
            {"shop/prices.py": PRICES.partition("\n\n\n")[2]},
            "gone",
        ),
        ("Let coupons expire soon", {"shop/prices.py": "def discount(:\n"}, "unreadable"),
        (
            "Let coupons expire soon\n\n(cherry picked from commit 1234567890)",
            {"shop/prices.py": PRICES.replace("+ 1", "+ 2")},
            "backport",
        ),
    ],
)
def test_each_filter_takes_its_commits(
    repository: Repository, tmp_path: Path, message: str, files: dict[str, str], name: str
) -> None:
    """And every commit counts once: as a case, or for one filter."""
    repository.commit(message, files)
    mined = mine(repository, tmp_path / "cache", level="symbol", leaks="strict")
    assert {key: count for key, count in mined.filtered.items() if count} == {
        "first_commit": 1,
        name: 1,
    }
    assert tuple(mined.filtered) == FILTERS
    assert mined.looked_at == len(mined.cases) + sum(mined.filtered.values())


def test_bots_merges_reverts_and_repeats_are_no_cases(
    repository: Repository, tmp_path: Path
) -> None:
    """Nor is what a revert took back; what a second revert brought back is one."""
    bot = "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>"
    repository.commit(
        "Use newer things in prices", {"shop/a.py": "def a(): return 1\n"}, author=bot
    )
    bad = repository.commit("Charge twice for everything", {"shop/b.py": "def b(): return 2\n"})
    repository.git("revert", "--no-edit", bad)
    repository.commit("Count coupons of customers once", {"shop/c.py": "def c(): return 3\n"})
    repository.commit("Count the coupons of customers once", {"shop/d.py": "def d(): return 4\n"})
    repository.git("checkout", "-q", "-b", "side", "HEAD~1")
    repository.commit("Let customers return things", {"shop/e.py": "def e(): return 5\n"})
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-edit", "side")
    mined = mine(repository, tmp_path / "cache", level="symbol")
    counts = {name: count for name, count in mined.filtered.items() if count}
    assert counts == {
        "first_commit": 1,
        "merge": 1,
        "bot": 1,
        "revert": 1,
        "reverted": 1,
        "duplicate": 1,
    }
    queries = [case.query for case in mined.cases]
    assert sorted(queries) == ["Count coupons of customers once", "Let customers return things"]


def test_a_removed_line_belongs_to_what_it_stood_in_before(
    repository: Repository, tmp_path: Path
) -> None:
    """There is no line of it afterwards."""
    repository.commit(
        "Let sellers decide freely", {"shop/deal.py": "def deal():\n    go()\n    pay()\n"}
    )
    repository.commit("Do not ask for money twice", {"shop/deal.py": "def deal():\n    go()\n"})
    mined = mine(repository, tmp_path / "cache", level="symbol")
    assert mined.cases[-1].relevant_symbols == ("shop/deal.py::deal",)


def test_targets_are_followed_through_renames_and_moves(
    repository: Repository, tmp_path: Path
) -> None:
    """To where they are in the end: the file was renamed, then one function moved out of it."""
    halved = PRICES.replace("price / 2", "price * 0.5").replace("price + 1", "price + 2")
    repository.commit("Lose no cents when customers pay less", {"shop/prices.py": halved})
    repository.git("mv", "shop/prices.py", "shop/amounts.py")
    repository.commit("Call things by their name", {})
    discount, _, rest = halved.partition("\n\n\n")
    repository.commit("Sort things", {"shop/amounts.py": rest, "shop/coupons.py": discount + "\n"})
    by_symbol = mine(repository, tmp_path / "cache", level="symbol")
    expected = ("shop/amounts.py::round_up", "shop/coupons.py::discount")
    assert by_symbol.cases[0].relevant_symbols == expected
    by_file = mine(repository, tmp_path / "cache", level="file")
    assert by_file.cases[0].relevant_files == ("shop/amounts.py",)


def test_a_rename_on_one_branch_moves_what_another_changed(
    repository: Repository, tmp_path: Path
) -> None:
    """Git merges the two; neither commit led to the other."""
    repository.git("checkout", "-q", "-b", "side")
    halved = PRICES.replace("price / 2", "price * 0.5")
    repository.commit("Lose no cents when customers pay less", {"shop/prices.py": halved})
    repository.git("checkout", "-q", "main")
    repository.git("mv", "shop/prices.py", "shop/amounts.py")
    repository.commit("Rename", {})
    repository.git("merge", "-q", "--no-edit", "side")
    mined = mine(repository, tmp_path / "cache", level="symbol")
    assert only_case(mined) == (("shop/amounts.py",), ("shop/amounts.py::discount",))


def test_what_a_commit_took_away_is_gone_though_its_name_is_used_again(
    repository: Repository, tmp_path: Path
) -> None:
    """Another definition of that name, and another file of that path, answer another question."""
    _, _, rounding = PRICES.partition("\n\n\n")
    fewer: dict[str, str | None] = {
        "shop/prices.py": rounding.replace("price + 1", "price + 2"),
        "shop/basket.py": None,
    }
    repository.commit("Customers pay what the law says", fewer)
    repository.commit("Let regulars collect stamps", FILES)
    by_symbol = mine(repository, tmp_path / "cache", level="symbol", max_symbols=20)
    assert by_symbol.filtered["gone"] == 1
    assert "Customers pay what the law says" not in [case.query for case in by_symbol.cases]
    by_file = mine(repository, tmp_path / "cache", level="file")
    (case, _) = by_file.cases
    assert (case.relevant_files, case.lost_targets) == (("shop/prices.py",), 1)


def test_what_a_commit_moved_is_where_it_was_moved_to(
    repository: Repository, tmp_path: Path
) -> None:
    """It took the definition away from one file, and gave it to another."""
    discount, _, rounding = PRICES.partition("\n\n\n")
    sorted_files: dict[str, str | None] = {
        "shop/prices.py": rounding.replace("price + 1", "price + 2"),
        "shop/coupons.py": f"{discount}\n",
    }
    repository.commit("Customers pay what the law says", sorted_files)
    mined = mine(repository, tmp_path / "cache", level="symbol")
    assert only_case(mined)[1] == ("shop/coupons.py::discount", "shop/prices.py::round_up")


def test_at_the_parent_the_targets_are_those_that_the_parent_has(
    repository: Repository, tmp_path: Path
) -> None:
    """What the commit adds is not there yet, and what it removes still is."""
    parent = repository.git("rev-parse", "HEAD")
    _, _, rounding = PRICES.partition("\n\n\n")
    changed = rounding.replace("price + 1", "price + 2") + "\n\ndef tax(): return 3\n"
    repository.commit("Customers pay what the law says", {"shop/prices.py": changed})
    mined = mine(repository, tmp_path / "cache", level="symbol", at_parent=True)
    (case,) = mined.cases
    assert case.relevant_symbols == ("shop/prices.py::discount", "shop/prices.py::round_up")
    assert (case.pinned_commit, case.at_parent, case.lost_targets) == (parent, True, 1)


def test_the_body_and_tests_count_where_they_are_asked_for(
    repository: Repository, tmp_path: Path
) -> None:
    """Trailers are no part of the body."""
    files = {"tests/test_prices.py": "def test_it(): assert True\n"}
    message = "Customers may pay nothing\n\nSome are poor.\n\nSigned-off-by: Ada <ada@example.org>"
    repository.commit(message, files)
    mined = mine(repository, tmp_path / "cache", level="symbol", with_body=True, with_tests=True)
    assert mined.cases[0].query == "Customers may pay nothing. Some are poor."
    assert mined.cases[0].relevant_symbols == ("tests/test_prices.py::test_it",)


@pytest.mark.parametrize("odd", ["a b.py", "ä.py", "-x.py", "*.py"])
def test_odd_names_of_files_are_names(repository: Repository, tmp_path: Path, odd: str) -> None:
    """A blank, a letter beyond ASCII, a sign at the beginning, a star."""
    repository.commit("Sell things that nobody needs", {odd: "def sell(): return 1\n"})
    mined = mine(repository, tmp_path / "cache", level="symbol")
    assert only_case(mined) == ((odd,), (f"{odd}::sell",))
