"""A small round of the tournament, and the page that it writes."""

import pytest

from companion.gamekit import discovery
from companion.gamekit.search import Skill
from tools.tournament import PAGE, Mind, Tally, mind, row, tallies, with_row

QUICK = Skill(4)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["lascaux", "sioux", "darwinci", "carnuta"])
def test_a_player_who_searches_plays_against_those_that_the_game_brings(game: str) -> None:
    *_, tally = tallies(game, QUICK, None, discovery.find(game).players[0], 2)
    assert tally.games == 2
    assert tally.decisions > 20
    assert 0 <= tally.wins <= 2


def test_a_little_search_beats_three_who_do_anything() -> None:
    *_, tally = tallies("lascaux", Skill(8), mind("random"), 4, 8)
    assert tally.wins >= 5


def test_the_same_round_ends_the_same() -> None:
    one, other = ([tally.wins for tally in tallies("lascaux", QUICK, None, 3, 3)] for _ in range(2))
    assert one == other


@pytest.mark.parametrize(("wins", "games", "low", "high"), [(5, 10, 0.2366, 0.7634), (0, 10, 0.0, 0.2775)])
def test_intervals_are_wilson_s(wins: int, games: int, low: float, high: float) -> None:
    """Figures from Newcombe 1998, method 3."""
    assert Tally(games, wins).interval == pytest.approx((low, high), abs=1e-4)


def test_a_new_row_takes_the_place_of_the_old_one_and_leaves_the_others() -> None:
    page = "# Players\n\n| game | player | against |\n|---|---|---|\n\nThe end.\n"
    first = row("lascaux", "strong", "simulated", 4, Tally(4, 3, 100, 2.0))
    other = row("sioux", "strong", "simulated", 4, Tally(4, 1))
    newer = row("lascaux", "strong", "simulated", 4, Tally(8, 5, 200, 5.0))
    assert first == "| lascaux | strong | 3 × simulated | 75% (30% to 95%) | 4 | 20 ms |"
    page = with_row(with_row(page, first), other)
    assert [line for line in with_row(page, newer).splitlines() if line.startswith("| ")][1:] == [newer, other]
    assert page.endswith("\n\nThe end.\n")


def test_the_page_has_the_table_that_rows_are_written_into() -> None:
    page = PAGE.read_text(encoding="utf-8")
    new = row("gops", "strong", "random", 2, Tally(10, 5))
    assert new in with_row(page, new)


@pytest.mark.parametrize(("said", "meant"), [("simulated", None), ("solid", Skill(100, None, doubt=0.2))])
def test_players_are_called_by_their_level(said: str, meant: Mind) -> None:
    assert mind(said) == meant


def test_an_unknown_player_is_told() -> None:
    with pytest.raises(SystemExit, match="there is no player 'weak'"):
        mind("weak")
