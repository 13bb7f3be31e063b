"""A box that is wrong, a game that fails and a package that is missing: each is reported, and affects no other game."""

import asyncio
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import msgspec
import pytest

from companion.doctor.owner_files import game_checks
from companion.errors import JournalError
from companion.gamekit import discovery
from companion.gamekit.template import write_game
from companion.home.paths import box_path, crashes_path, evenings_folder
from companion.journal.store import Journal
from companion.messages.lobby import GameOffer, GamePlan, PastEvening
from companion.processes.evenings import begin_evening
from companion.processes.screen_process import TableLobby
from companion.processes.simulation_settings import SimulationSettings
from companion.screen.evening_flow import EveningFlow
from companion.session.played_game import JournalHeader
from tests.ours import GAMES
from tests.screen.evening_flow import FINISHED, OPEN, FakeLobby, visit
from tests.screen.table import LARGE, SMALL
from tests.strangers import announce
from tests.verbs.command import Command
from tests.verbs.conftest import home

__all__ = ["home"]

HENS = PastEvening(
    "2026-11-18-1",
    "waiting",
    1794700000.0,
    "hen-party",
    (),
    0,
    0,
    problem="this evening waits for its game",
    title="Hen Party",
    package="companion-hen-party",
)


async def no_table(_socket: Path) -> None:
    raise AssertionError


def looked(lobby: type[TableLobby] = TableLobby) -> tuple[EveningFlow, str]:
    """A start screen that has loaded, and what it reports."""
    flow = EveningFlow(lobby(SimulationSettings()), no_table)
    return flow, asyncio.run(flow.look())


@pytest.fixture
def hens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A third-party game, installed: the folder of its modules."""
    folder = tmp_path / "hens"
    write_game("hen-party", folder)
    announce(folder, "hen-party", "hen_party")
    monkeypatch.syspath_prepend(str(folder))
    discovery.found.cache_clear()
    yield folder / "hen_party"
    discovery.found.cache_clear()
    for module in [name for name in sys.modules if name.partition(".")[0] == "hen_party"]:
        del sys.modules[module]


def spoil(game: str) -> None:
    """The owner's box says something that no box says."""
    box_path(game).parent.mkdir(parents=True, exist_ok=True)
    box_path(game).write_text("game = 3\n")


def begun() -> str:
    """The id of an evening in which something has happened."""
    path = begin_evening(GamePlan("sioux", ("Anna", "Ben", "Cleo"), (1, 2)))
    with Journal.open(path, folder=None) as journal:
        journal.append("ready", b"{}", "screen", "", 1.0)
    return path.stem


def test_one_bad_box_takes_no_other_game_and_no_evening_away() -> None:
    past = begun()
    spoil("carnuta")
    flow, problem = looked()
    assert "carnuta.toml" in problem
    assert [game.name for game in flow.offers.games] == [name for name in GAMES if name != "carnuta"]
    assert [evening.id for evening in flow.offers.evenings] == [past]


def test_a_bad_box_is_not_in_the_way_of_removing_an_evening() -> None:
    begun()
    spoil("carnuta")
    flow, _problem = looked()
    assert asyncio.run(flow.remove(flow.offers.evenings[0])) == ""
    assert flow.offers.evenings == []


def test_every_door_of_the_start_screen_stays_open() -> None:
    spoil("carnuta")

    async def story() -> None:
        async with visit((OPEN,), SMALL) as here:
            assert "carnuta.toml" in "".join(here.text().split())
            ways = [here.start.query_one(f"#{way}") for way in ("quick", "resume", "new", "evenings")]
            assert [way.disabled for way in ways] == [False] * 4

    asyncio.run(story())


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("count", [2, 3, 6])
def test_several_games_that_fail_are_named_in_one_sentence_that_leaves_the_evenings_in_sight(
    size: tuple[int, int], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("evilexit", "evilkb", "evilsleep", "a-game-with-a-long-name", "hen-party", "zoo")[:count]
    why = "is installed, but evil:MANIFEST cannot be imported (KeyboardInterrupt, in evil/__init__.py, line 2)"
    bad = [GameOffer(name, name, 0, 0, (), stand_in=False, problem=f"{name} cannot be played: {why}") for name in names]
    monkeypatch.setattr(FakeLobby, "games", lambda self: [*self._real.games(), *bad])

    async def story() -> None:
        async with visit((OPEN, FINISHED), size) as here:
            for start, more, end, title in (
                (
                    f"{count} games cannot be played: evilexit",
                    " more",
                    "`companion doctor` says why.",
                    "Last evenings",
                ),
                (
                    f"{count} Spiele sind nicht spielbar: evilexit",
                    " weitere",
                    "`companion doctor` sagt, warum.",
                    "Abende",
                ),
            ):
                words = " ".join(here.text().split())
                assert start in words
                assert end in words
                shown = [name for name in names if name in words.partition(end)[0]]
                assert len(shown) == count or f"{count - len(shown)}{more}" in words
                assert len(shown) == count or (size == SMALL and count == 6)
                assert title in words
                assert "2026-11-13" in words, "the newest evening"
                await here.press("l")

    asyncio.run(story())


def test_a_strangers_box_that_fails_takes_no_other_game_away_and_names_its_package(hens: Path) -> None:
    rules = hens / "rules.py"
    failing = "def standin() -> str:\n    raise RuntimeError('zzsecret')\n\n\nGAME: Game"
    parts = "standin=standin, parse_box=lambda text, origin: text, setup="
    rules.write_text(rules.read_text().replace("GAME: Game", failing).replace("setup=", parts))
    flow, problem = looked()
    assert [game.name for game in flow.offers.games] == list(GAMES)
    assert "RuntimeError in hen_party/rules.py, line" in problem
    assert "companion-hen-party" in problem
    assert "zzsecret" not in problem + crashes_path().read_text()


def test_a_package_that_cannot_be_imported_is_told_in_the_same_words_everywhere(
    hens: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.create(evenings_folder(), date=date(2026, 11, 18)) as journal:
        header = JournalHeader("hen-party", ("Anna", "Ben"), box="", package="companion-hen-party")
        journal.append("game", msgspec.json.encode(header), "", "", 5.0)
    (hens / "__init__.py").write_text("MANIFEST = {}\nraise KeyboardInterrupt\n")
    reason = "hen_party:MANIFEST cannot be imported (KeyboardInterrupt, in hen_party/__init__.py, line 2)"
    words = f"hen-party cannot be played: companion-hen-party is installed, but {reason}"
    flow, problem = looked()
    assert words in problem[:1].lower() + problem[1:]
    assert [game.name for game in flow.offers.games] == list(GAMES)
    assert words in flow.offers.evenings[0].problem
    assert words in Command(capsys)("games").out
    assert words in Command(capsys)("resume").err
    assert any(reason in finding.words for check in game_checks() for finding in check.look())


def test_evenings_that_cannot_be_listed_take_no_game_away() -> None:
    class Unlisted(TableLobby):
        def evenings(self) -> list[PastEvening]:
            raise JournalError("cannot look through the evenings: Permission denied")

    flow, problem = looked(Unlisted)
    assert problem == "Cannot look through the evenings: Permission denied"
    assert [game.name for game in flow.offers.games] == list(GAMES)


def test_a_game_is_called_what_its_manifest_calls_it(hens: Path) -> None:
    init = hens / "__init__.py"
    init.write_text(init.read_text().replace('"title": "Hen Party"', '"title": "HENS!"'))
    assert looked()[0].offers.games[-1].title == "HENS!"


def test_an_evening_without_its_game_says_first_which_package_it_needs() -> None:
    with Journal.create(evenings_folder(), date=date(2026, 11, 18)) as journal:
        header = JournalHeader("hen-party", ("Anna", "Ben"), box="", package="companion-hen-party")
        journal.append("game", msgspec.json.encode(header), "", "", 5.0)
    (past,) = looked()[0].offers.evenings
    assert (past.standing, past.title, past.package) == ("waiting", "Hen Party", "companion-hen-party")
    assert past.begun_at == 5.0
    assert past.problem.startswith("this evening waits for its game: pip install companion-hen-party")


def test_the_screen_has_room_for_the_package_and_it_cannot_go_on_without_it() -> None:
    async def story() -> None:
        async with visit((HENS, OPEN), SMALL) as here:
            assert "Hen Party  needs companion-hen-party" in here.text()
            await here.press("e")
            assert "needs companion-hen-party, not installed here" in here.text()
            first, second = here.app.screen.query(".evening")
            assert (first.disabled, second.disabled) == (True, False)

    asyncio.run(story())
