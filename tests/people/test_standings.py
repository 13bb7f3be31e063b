"""The table of players on the start screen, and what the end of a game means beside those before it."""

from pathlib import Path

import pytest

from companion.messages.lobby import Feat
from companion.people.statistics import person_tables
from companion.processes.screen_process import TableLobby, _counted_games
from companion.processes.simulation_settings import SimulationSettings
from tests.people.evenings import PlayedEvening, played

PLAYERS = ("Anna", "Ben", "Cleo")


@pytest.fixture
def lobby() -> TableLobby:
    return TableLobby(SimulationSettings())


def test_without_evenings_the_table_is_empty(lobby: TableLobby) -> None:
    assert lobby.standings() == []
    assert lobby.feat("2026-11-16-1", 1) is None


def test_everyone_who_has_finished_a_game_is_in_the_table_and_simulated_players_are_not(
    folder: Path, lobby: TableLobby
) -> None:
    for seed in range(1, 4):
        played(folder, "lascaux", PLAYERS, seed)
    played(folder, "lascaux", ("Anna", "Bot", "Cleo"), 5, simulated=(1,))
    PlayedEvening(folder, "lascaux", ("Dora", "Emil", "Anna"), 6).play(3).close()
    table = lobby.standings()
    assert sorted(each.name for each in table) == sorted(PLAYERS)
    assert sum(each.wins for each in table) == pytest.approx(3)
    assert all(each.games == 3 and each.expected == pytest.approx(1) and each.rating for each in table)


def test_a_streak_is_told_with_its_length_when_the_game_ended(folder: Path, lobby: TableLobby) -> None:
    """Whatever was played after it."""
    evenings = [played(folder, "lascaux", PLAYERS, seed) for seed in range(1, 9)]
    counted = _counted_games()
    told = 0
    for number, game in enumerate(counted, 1):
        streaks = {
            table.person.name: table.streak for table in person_tables(counted[:number]) if table.person in game.winners
        }
        feat = lobby.feat(game.past.evening, 1)
        if max(streaks.values()) > 1:
            assert feat == Feat("streak", max(streaks, key=lambda name: streaks[name]), max(streaks.values()))
            told += 1
        elif feat is not None:
            assert feat.kind in ("record", "first win")
    assert told, "eight games among three players without two wins in a row: take other seeds"
    assert len(evenings) == len(counted)


def test_a_game_with_simulated_players_or_one_that_goes_on_has_no_feat(folder: Path, lobby: TableLobby) -> None:
    with_bot = played(folder, "lascaux", PLAYERS, 1, simulated=(1, 2))
    open_game = PlayedEvening(folder, "lascaux", PLAYERS, 2).play(5).close()
    for evening in (with_bot, open_game):
        assert lobby.feat(evening.path.stem, 1) is None
