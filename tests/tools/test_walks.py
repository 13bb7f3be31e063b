"""The three walks of `make walks` are short enough, and docs/architecture.md shows them as they are."""

import pytest

from tools import walks
from tools.walks import BEGIN, END, PAGE, Tracer, Walk, block, too_long, written


@pytest.fixture(scope="module")
def found() -> list[Walk]:
    return walks.walks()


def test_each_walk_stays_within_its_bound(found: list[Walk]) -> None:
    assert [walk.bound for walk in found] == [20, 20, 16]
    assert too_long(found) == []


def test_each_walk_starts_and_ends_where_it_says(found: list[Walk]) -> None:
    ends = [(walk.files[0].split("/")[0], walk.files[-1].split("/")[0]) for walk in found]
    assert ends[0] == ("referee", "journal")
    assert ends[1] == ("messages", "screen")
    assert ends[2][0] == "screen"
    assert all(file.endswith(".py") for walk in found for file in walk.files)


def test_the_page_shows_the_walks_of_today(found: list[Walk]) -> None:
    assert block(found) in PAGE.read_text(encoding="utf-8"), "run `make walks`"


def test_a_walk_that_is_too_long_is_reported() -> None:
    assert too_long([Walk("a walk", ("a.py", "b.py"), 1, 2)]) == []
    assert too_long([Walk("a walk", ("a.py", "b.py", "c.py"), 1, 2)]) == ["a walk: 3 files, at most 2"]


def test_a_walk_that_never_begins_or_never_ends_is_an_error() -> None:
    tracer = Tracer(too_long, block)
    with tracer.watch():
        too_long([])
    with pytest.raises(AssertionError, match="this was never done"):
        tracer.walk("half a walk", 20)


def test_only_the_block_of_the_page_is_replaced() -> None:
    page = f"# Page\n\nbefore\n\n{BEGIN}\nold\n{END}\n\nafter\n"
    assert written(page, f"{BEGIN}\nnew\n{END}") == f"# Page\n\nbefore\n\n{BEGIN}\nnew\n{END}\n\nafter\n"
    assert written("# Page\n", f"{BEGIN}\nnew\n{END}").startswith("# Page\n\n## ")
