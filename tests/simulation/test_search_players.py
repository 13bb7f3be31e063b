"""Simulated players who search, at a table with a referee: who they are, what they say, and what happens meanwhile."""

import asyncio
import threading
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.errors import UsageError
from companion.gamekit import search
from companion.gamekit.search import LEVELS, Skill, skill_of
from companion.journal.store import Journal, read
from companion.messages.intentions import Act
from companion.messages.lobby import GamePlan
from companion.processes.evenings import first_entry
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.referee import Referee
from companion.session.entry import Entry
from companion.session.evening import Evening
from companion.session.match import next_game
from companion.simulation import real_time, search_players, seat_position
from companion.simulation.search_players import SearchPlayers
from companion.verbs.arguments import add_game, add_plan, add_simulation, game_plan

TONIGHT = date(2026, 11, 18)
NAMES = ("Anna", "Ben", "Cleo")


def typed(game: str, players: tuple[str, ...], simulated: tuple[str, ...], seed: int = 5) -> GamePlan:
    """The plan that was typed on the command line."""
    parser = ArgumentParser()
    add_game(parser)
    add_plan(parser)
    add_simulation(parser)
    return game_plan(parser.parse_args([game, "--players", *players, "--simulated", *simulated, "--seed", str(seed)]))


class Evenings:
    """An evening that was agreed on as on the command line, with its referee and its simulated table."""

    def __init__(self, folder: Path, game: str, simulated: tuple[str, ...], seed: int = 5) -> None:
        body = first_entry(typed(game, NAMES, simulated, seed=seed))
        self.journal = Journal.create(folder, date=TONIGHT)
        self.evening = Evening([self.journal.append("game", body, "", "", 0.0)])
        self.referee = Referee(self.journal, self.evening, seat_pads_of(self.evening))
        self.table = simulated_table(self.evening, seat_pads_of(self.evening), SimulationSettings(seed))
        self.said: list[dict[str, Any]] = []

    def play(self, most: int = 100_000) -> "Evenings":
        snapshot, at_ms = self.referee.snapshot(), 0
        for _ in range(most):
            deed = self.table.next(snapshot, at_ms)
            if deed is None:
                break
            for wait_ms, given in deed.steps:
                at_ms += wait_ms
                if isinstance(given, Act):
                    self.said.append(given.action)
                    self.referee.heed(given, 0.0)
                else:
                    self.referee.hear(given, 0.0)
            snapshot = self.referee.snapshot()
        return self

    @property
    def journal_entries(self) -> list[Entry]:
        return read(self.journal.path)

    def close(self) -> None:
        self.journal.close()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players who hardly think: what they say is the same as from those who do."""
    monkeypatch.setitem(LEVELS, "easy", Skill(2, doubt=1.0))


# --- Whole games ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("game", ["lascaux", "sioux", "darwinci", "carnuta"])
def test_players_who_search_play_a_whole_game_beside_one_who_does_not(game: str, tmp_path: Path) -> None:
    evening = Evenings(tmp_path, game, ("Anna:easy", "Ben:easy:bold", "Cleo"))
    evening.play().close()
    assert evening.evening.played_game.finished
    deciders = {action["seat"] for action in evening.said if "seat" in action}
    assert {0, 1} <= deciders
    refused = [told for told in evening.referee.snapshot().history if told.kind == "refused"]
    assert not refused


@pytest.mark.usefixtures("quick")
def test_the_same_seed_plays_the_same_game(tmp_path: Path) -> None:
    games = []
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        evening = Evenings(tmp_path / folder, "lascaux", ("Anna:easy", "Ben:easy", "Cleo:easy"))
        evening.play(60).close()
        games.append(evening.said)
    assert games[0]
    assert games[0] == games[1]


# --- Who searches ---------------------------------------------------------------------------------------------


def test_a_level_behind_a_name_says_how_well_a_simulated_player_plays() -> None:
    plan = typed("lascaux", NAMES, ("Ben:strong", "Cleo:easy:bold"))
    assert (plan.players, plan.simulated, plan.levels) == (NAMES, (1, 2), {1: "strong", 2: "easy:bold"})
    assert msgspec.json.decode(first_entry(plan))["levels"] == {"1": "strong", "2": "easy:bold"}


def test_a_name_may_have_a_colon_and_a_game_without_levels_says_nothing_of_them() -> None:
    plan = typed("lascaux", ("Anna", "Ben:Hur", "Cleo"), ("Ben:Hur",))
    assert plan.players[1] == "Ben:Hur"
    body = first_entry(plan)
    assert "levels" not in msgspec.json.decode(body)
    assert "levels" not in msgspec.json.decode(next_game(Evening([_entry(body)])))


def test_a_level_that_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no level genius; there are easy, solid and strong"):
        typed("lascaux", ("Anna", "Ben", "Cleo"), ("Ben:genius",))
    with pytest.raises(UsageError, match="there is no temper mild; there are bold and careful"):
        typed("lascaux", ("Anna", "Ben", "Cleo"), ("Ben:strong:mild",))


@pytest.mark.parametrize("said", ["", "weak", "strong:mild", "bold", "strong:", ":bold"])
def test_what_is_no_level_is_none(said: str) -> None:
    assert skill_of(said) is None


def test_a_temper_changes_what_counts() -> None:
    bold, careful, plain = (skill_of(f"strong{temper}") for temper in (":bold", ":careful", ""))
    assert bold
    assert careful
    assert plain
    assert bold.boldness > plain.boldness > careful.boldness
    assert bold.playouts == careful.playouts == plain.playouts


def test_a_level_moves_with_its_player_to_another_seat() -> None:
    evening = Evening([_entry(first_entry(typed("lascaux", NAMES, ("Ben:strong", "Cleo"))))])
    header = msgspec.json.decode(next_game(evening, (2, 0, 1)))
    assert header["players"] == ["Cleo", "Anna", "Ben"]
    assert header["levels"] == {"2": "strong"}


def test_players_of_a_game_that_brings_none_search(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening([_entry(first_entry(typed("lascaux", NAMES, ("Ben",))))])
    players = SearchPlayers(evening, 1)
    assert players.level(1) == ""
    monkeypatch.setattr(search_players, "brings_players", lambda _name: False)
    assert players.level(1) == "easy"


def _entry(body: bytes) -> Entry:
    return Entry(1, 0.0, "game", "", "", body)


# --- What can go wrong ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("quick")
def test_a_past_that_cannot_be_understood_is_played_on_by_feeling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unclear(*_: object) -> Any:
        raise search.UnclearPastError

    monkeypatch.setattr(seat_position, "considered", unclear)
    evening = Evenings(tmp_path, "lascaux", ("Anna:easy", "Ben:easy", "Cleo:easy")).play(40)
    evening.close()
    assert len(evening.evening.played_game.played) > 20
    assert not evening.said


@pytest.mark.usefixtures("quick")
def test_the_referee_goes_on_while_a_player_thinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search runs in another thread; what comes to the table meanwhile is heard."""
    evening = Evenings(tmp_path, "lascaux", ("Anna:easy", "Ben:easy", "Cleo:easy")).play(3)
    heard, thinking = threading.Event(), threading.Event()

    def slow(*_: object) -> Any:
        thinking.set()
        assert heard.wait(60), "the loop stood still"
        raise search.UnclearPastError

    monkeypatch.setattr(seat_position, "considered", slow)

    class Hears:
        snapshot = evening.referee.snapshot()

        async def changed(self) -> None:
            await asyncio.Event().wait()

    async def scene() -> None:
        while evening.table.thought(evening.referee.snapshot()) is None:
            evening.play(1)
        Hears.snapshot = evening.referee.snapshot()
        deciding = asyncio.ensure_future(real_time.next_deed(evening.table, Hears(), 1000.0))  # type: ignore[arg-type]
        while not thinking.is_set():
            await asyncio.sleep(0)
        heard.set()
        assert await deciding

    asyncio.run(scene())
    evening.close()
