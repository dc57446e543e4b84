"""Where Authors begin: every file in one area, no area twice before all were given."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from goldwright.plan import Cell
from goldwright.snapshot import open_snapshot
from goldwright.stages.start_areas import cut_into_areas, deal_areas, draw_areas

EASY, HARD, DEBUG = Cell("explain", "easy"), Cell("explain", "hard"), Cell("debug", "easy")
SIZES = {"cli.py": 10, "shop/a.py": 300, "shop/b.py": 200, "shop/tax/eu.py": 90, "web/app.py": 400}

names = st.sampled_from(["a", "b", "c", "d.py", "e.py"])
paths = st.lists(names, min_size=1, max_size=4).map("/".join)


def covers(area: str, path: str) -> bool:
    """Whether a path lies in an area, as Authors are told what an area is."""
    if area.endswith("*"):
        return path.rpartition("/")[0] == area[:-1].rstrip("/")
    return area in {path, "/"} or (area.endswith("/") and path.startswith(area))


def test_the_largest_directory_is_cut_until_there_are_areas_enough() -> None:
    assert cut_into_areas(SIZES, 1) == {"/": 1000}
    assert cut_into_areas(SIZES, 3) == {"cli.py": 10, "shop/": 590, "web/": 400}
    assert cut_into_areas(SIZES, 4) == {"cli.py": 10, "shop/*": 500, "shop/tax/": 90, "web/": 400}
    assert set(cut_into_areas(SIZES, 99)) == set(SIZES)
    assert cut_into_areas({}, 9) == {}


@given(
    st.dictionaries(paths.map(lambda path: f"{path}/m.py"), st.integers(0, 99), min_size=1),
    st.integers(1, 12),
)
def test_areas_hold_every_file_once(sizes: dict[str, int], wanted: int) -> None:
    areas = cut_into_areas(sizes, wanted)
    assert len(areas) >= min(wanted, len(sizes))
    for path in sizes:
        assert sum(covers(area, path) for area in areas) == 1
    for area, size in areas.items():
        assert sum(sizes[path] for path in sizes if covers(area, path)) == size


def test_no_area_is_given_twice_before_all_were_given_and_top_ups_get_others() -> None:
    rounds = {0: ((EASY, 2), (HARD, 1), (DEBUG, 1)), 1: ((HARD, 1),), 2: ((HARD, 1), (DEBUG, 1))}
    dealt = deal_areas(["w/", "x/", "y/", "z/"], rounds)
    assert [dealt[0, cell] for cell in (EASY, HARD, DEBUG)] == ["w/", "x/", "y/"]
    assert dealt[1, HARD] == "z/"
    of_hard = [dealt[number, HARD] for number in rounds]
    assert len(set(of_hard)) == 3
    assert max(Counter(dealt.values()).values()) == 2
    # What later rounds ask for changes nothing in earlier ones, or nothing could be resumed.
    assert deal_areas(["w/", "x/", "y/", "z/"], {0: rounds[0]}).items() <= dealt.items()
    assert deal_areas([], rounds) == {}


def test_the_draw_is_by_the_seed_and_prefers_what_is_large(tmp_path: Path) -> None:
    for path, size in {**SIZES, "tests/test_shop.py": 5000}.items():
        file = tmp_path / "code" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#" * (size - 1) + "\n", encoding="utf-8")
    snapshot = open_snapshot(tmp_path / "code", cache=tmp_path / "cache", workers=1)
    draws = [draw_areas(snapshot, 9, seed=seed, focus_area=None) for seed in range(200)]
    assert all(set(draw) == set(SIZES) for draw in draws), "tests are no area"
    assert draw_areas(snapshot, 9, seed=7, focus_area=None) == draws[7]
    first = Counter(draw[0] for draw in draws)
    by_size = sorted(SIZES, key=lambda path: -SIZES[path])
    assert all(first[larger] > first[smaller] for larger, smaller in pairwise(by_size))
    # 400 of 1000 bytes: three standard deviations of 200 draws to either side.
    assert 59 <= first["web/app.py"] <= 101
    in_shop = draw_areas(snapshot, 9, seed=0, focus_area="shop")
    assert {area.partition("/")[0] for area in in_shop} == {"shop"}
    assert draw_areas(snapshot, 9, seed=0, focus_area="the till") == []
