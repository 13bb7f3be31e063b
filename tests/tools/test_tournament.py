"""A small round of the tournament, and the page that it writes."""

from pathlib import Path

import pytest

from companion.gamekit import discovery
from companion.gamekit.search import Skill
from tests.strangers import example_installed
from tools.tournament import PAGE, Mind, Pairing, Tally, add, mind, results, row, tallies, with_row

EASY = Pairing("lascaux", "easy", "simulated", 3)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["lascaux", "sioux", "darwinci", "carnuta"])
def test_a_player_who_searches_plays_against_those_that_the_game_brings(game: str) -> None:
    *_, tally = tallies(Pairing(game, "easy", "simulated", discovery.find(game).players[0]), 2)
    assert tally.games == 2
    assert tally.decisions > 20
    assert 0 <= tally.wins <= 2


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), [("gops", 3), ("whist", 4), ("sirtommy", 2)])
def test_games_of_strangers_are_measured_too(
    game: str, players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With players of their own, with partners, and with cards face down that no player of theirs holds."""
    with example_installed(game, tmp_path, monkeypatch):
        (tally,) = tallies(Pairing(game, "easy", "random", players), 1)
    assert (tally.games, tally.decisions > 20) == (1, True)


def test_a_little_search_beats_three_who_do_anything() -> None:
    *_, tally = tallies(Pairing("lascaux", "easy:bold", "random"), 8)
    assert tally.wins >= 5


def test_the_same_round_ends_the_same() -> None:
    one, other = ([tally.wins for tally in tallies(EASY, 3)] for _ in range(2))
    assert one == other


def test_portions_add_up_to_what_one_run_would_have_been(tmp_path: Path) -> None:
    *_, whole = tallies(EASY, 6)
    file = tmp_path / "tournament.jsonl"
    for _ in range(2):
        *_, portion = tallies(EASY, 3, add(EASY, Tally(), file).games)
        add(EASY, portion, file)
    (result,) = results(file)
    assert result.pairing == EASY
    assert (result.tally.games, result.tally.wins, result.tally.decisions) == (6, whole.wins, whole.decisions)


def test_each_pairing_has_its_own_results_and_can_begin_afresh(tmp_path: Path) -> None:
    file, other = tmp_path / "tournament.jsonl", Pairing("sioux", "strong", "solid", 4, {"last_card": "at_once"})
    add(EASY, Tally(4, 1), file)
    add(other, Tally(4, 2), file)
    assert add(EASY, Tally(4, 3), file).wins == 4
    assert add(EASY, None, file) == Tally()
    assert add(EASY, Tally(4, 1), file).games == 4
    assert [(each.pairing, each.tally.wins) for each in results(file)] == [(EASY, 1), (other, 2)]


def test_a_table_option_is_part_of_the_game_and_named_in_its_row() -> None:
    pairing = Pairing("lascaux", "random", "simulated", 3, {"direction": "anticlockwise"})
    *_, tally = tallies(pairing, 3)
    assert row(pairing, tally).startswith("| lascaux, direction=anticlockwise | random | 2 × simulated |")


@pytest.mark.parametrize(("wins", "games", "low", "high"), [(5, 10, 0.2366, 0.7634), (0, 10, 0.0, 0.2775)])
def test_intervals_are_wilson_s(wins: int, games: int, low: float, high: float) -> None:
    """Figures from Newcombe 1998, method 3."""
    assert Tally(games, wins).interval == pytest.approx((low, high), abs=1e-4)


def test_a_new_row_takes_the_place_of_the_old_one_and_leaves_the_others() -> None:
    page = "# Players\n\n| game | player | against |\n|---|---|---|\n\nThe end.\n"
    pairing = Pairing("lascaux", "strong", "simulated")
    first = row(pairing, Tally(4, 3, 100, 2.0))
    other = row(Pairing("sioux", "strong", "simulated", 4, {"no_deer": "nothing"}), Tally(4, 1))
    newer = row(pairing, Tally(8, 5, 200, 5.0))
    assert first == "| lascaux | strong | 3 × simulated | 75% (30% to 95%) | 4 | 20 ms |"
    page = with_row(with_row(page, first), other)
    assert [line for line in with_row(page, newer).splitlines() if line.startswith("| ")][1:] == [newer, other]
    assert page.endswith("\n\nThe end.\n")


def test_the_page_has_the_table_that_rows_are_written_into() -> None:
    page = PAGE.read_text(encoding="utf-8")
    new = row(Pairing("gops", "strong", "random", 2), Tally(10, 5))
    assert new in with_row(page, new)


@pytest.mark.parametrize(("said", "meant"), [("simulated", None), ("solid", Skill(60, None, doubt=0.3))])
def test_players_are_called_by_their_level(said: str, meant: Mind) -> None:
    assert mind(said) == meant


def test_an_unknown_player_is_told() -> None:
    with pytest.raises(SystemExit, match="there is no player 'weak'"):
        mind("weak")
