"""Beginning an evening: who sits where, what is written down, and finding it again."""

import asyncio
import os
import shutil
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.config import GpioSettings, TableSettings, kit_table
from companion.config.sample import table_text
from companion.devices.gpio.header_pins import KIT_ONE
from companion.devices.gpio.simulated_pigpiod import Pigpiod
from companion.devices.pn532.simulated_reader import SimulatedPn532
from companion.errors import ConfigError, UsageError
from companion.home.paths import evenings_folder, people_path
from companion.journal.store import Journal, read
from companion.messages.lobby import GamePlan, LaidCard
from companion.messages.phone_access import EnrolmentWish, FromServer
from companion.people.persons import change_people
from companion.processes.evenings import begin_evening, find_evening, socket_of, table_clock
from companion.processes.screen_process import TableLobby
from companion.processes.simulation_settings import SimulationSettings
from companion.session.evening import Evening
from companion.session.played_game import JournalHeader
from tests.referee.table import Table, telltale_box

pytestmark = pytest.mark.usefixtures("home")


QUICK = GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (1, 2))


def begun(plan: GamePlan = QUICK, **other: object) -> Evening:
    return Evening(read(begin_evening(replace(plan, **other))))


# --- Starting an evening --------------------------------------------------------------------------------------


def test_seats_stay_seats_from_the_plan_to_the_journal() -> None:
    header = begun(simulated=(2, 0), first=2).header
    assert (header.players, header.simulated, header.first) == (("Anna", "Ben", "Cleo"), (2, 0), 2)


def test_hostile_names_are_made_harmless() -> None:
    names = ("\x1b[2JEvil\x07", "E" * 500, "Ze\u0301lie\u202e \n ")
    assert begun(players=names).header.players == ("[2JEvil", "E" * 15 + "…", "Zélie")


def test_without_readers_not_all_players_are_simulated() -> None:
    with pytest.raises(UsageError, match="bots with real pieces need a person whose hands move them"):
        begun(kit="none", simulated=(0, 1, 2))


@pytest.mark.parametrize(
    ("plan", "problem"),
    [
        (replace(QUICK, game="halma"), "halma"),
        (replace(QUICK, players=()), "lascaux is for 3 to 5 players, you named 0"),
        (replace(QUICK, players=("Anna", "Ben", "Ben")), "two players are called Ben"),
        (replace(QUICK, first=3), "there is no seat 3"),
        (replace(QUICK, options={"stones": "hot"}), "option stones"),
    ],
)
def test_a_plan_that_cannot_be_played_leaves_no_journal(home: Path, plan: GamePlan, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        begin_evening(plan)
    assert not list(home.glob("evenings/*"))


def test_the_box_and_the_options_are_in_the_journal(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(telltale_box())
    evening = begun(box=tmp_path / "mine.toml", options={"stones": "secret"}, kit="one")
    assert evening.played_game.box_text == telltale_box()
    assert (evening.setup.options.stones, evening.header.kit) == ("secret", "one")


def test_the_owners_own_box_is_used_when_there_is_one(home: Path) -> None:
    (home / "boxes").mkdir(parents=True)
    (home / "boxes" / "lascaux.toml").write_text(telltale_box())
    assert begun().setup.box.provenance == "enrolled"


# --- Finding an evening ---------------------------------------------------------------------------------------


def test_an_evening_is_found_by_its_id_its_file_name_and_its_path(home: Path) -> None:
    path = begin_evening(QUICK)
    assert [find_evening(name) for name in (path.stem, path.name, str(path))] == [path] * 3
    assert path.parent == home / "evenings"


def test_the_newest_unfinished_evening_is_the_one_to_go_on_with(home: Path) -> None:
    first, second = begin_evening(QUICK), begin_evening(QUICK)
    assert find_evening(None, unfinished=True) == second
    second.unlink()
    assert find_evening(None, unfinished=True) == first


def test_a_finished_evening_is_not_gone_on_with_unless_it_is_named(home: Path) -> None:
    table = Table(home / "evenings").hurry().play_to_end()
    table.journal.close()
    with pytest.raises(UsageError, match="there is no evening to resume; `companion play` starts one"):
        find_evening(None, unfinished=True)
    assert find_evening(table.journal.id) == table.journal.path
    assert find_evening(None) == table.journal.path


# --- What is wired --------------------------------------------------------------------------------------------


def wire(home: Path, text: str) -> None:
    home.mkdir(exist_ok=True)
    (home / "table.toml").write_text(text)


@pytest.mark.parametrize(("kit", "wired"), [("one", kit_table("one")), ("full", kit_table("full"))])
def test_an_evening_is_played_with_what_is_wired_to_this_table(kit: str, wired: Any, home: Path) -> None:
    wire(home, table_text(wired))
    assert begun().header.kit == kit
    assert [(offer.kit, offer.simulated) for offer in TableLobby(SimulationSettings()).kits()] == [
        (kit, False),
        ("none", False),
        ("none", False),
    ]
    assert begun(kit="none", simulated=()).header.kit == "none"


def test_without_a_table_toml_pads_are_simulated() -> None:
    assert begun().header.kit == "full"
    assert [offer.simulated for offer in TableLobby(SimulationSettings()).kits()] == [True, True, False, False]


def test_a_table_toml_that_is_wrong_is_told_with_its_line_and_nothing_is_begun(home: Path) -> None:
    wire(home, "[buzzer]\npin = 99\n")
    with pytest.raises(ConfigError, match=r"table.toml, line 2: .*99"):
        begin_evening(QUICK)
    assert not (home / "evenings").exists()
    assert len(TableLobby(SimulationSettings()).kits()) == 4


def test_before_the_table_the_buttons_of_the_pi_are_heard(home: Path) -> None:
    async def evening() -> list[tuple[str, bool]]:
        heard: list[tuple[str, bool]] = []
        with Pigpiod(paced=True) as daemon:
            gpio = GpioSettings("pigpio", "127.0.0.1", daemon.port)
            wire(home, table_text(replace(kit_table("one"), gpio=gpio)))
            listening = asyncio.create_task(
                TableLobby(SimulationSettings()).buttons(lambda *press: heard.append(press))
            )
            async with asyncio.timeout(20):
                while not heard:
                    daemon.press(KIT_ONE["green"])
                    await asyncio.sleep(0.1)
                    daemon.release(KIT_ONE["green"])
                    await asyncio.sleep(0.1)
            listening.cancel()
            await asyncio.wait({listening})
        return heard

    assert asyncio.run(evening())[0] == ("green", False)


def test_before_the_table_player_cards_are_read_and_their_persons_named(home: Path, tmp_path: Path) -> None:
    change_people(people_path(), lambda people: people.added("Anna", card="04A1B2C3D4E5F6"))

    async def evening() -> list[LaidCard]:
        laid: list[LaidCard] = []
        with SimulatedPn532(tmp_path / "reader") as board:
            wire(home, table_text(TableSettings(readers=(board.settings,))))
            reading = asyncio.create_task(TableLobby(SimulationSettings()).cards(laid.append))
            async with asyncio.timeout(30):
                for uid in ("04A1B2C3D4E5F6", "04FFEEDDCCBBAA"):
                    board.lay(uid)
                    while uid not in {card.uid for card in laid}:
                        await asyncio.sleep(0.05)
            reading.cancel()
            await asyncio.wait({reading})
        return laid

    known, unknown = asyncio.run(evening())
    assert known == LaidCard("04A1B2C3D4E5F6", "Anna", None)
    assert unknown == LaidCard("04FFEEDDCCBBAA", "", None)


def test_a_table_without_readers_still_hears_phones_that_read_cards(home: Path) -> None:
    """A card that was given to its person a moment ago counts, too."""
    laid: list[LaidCard] = []

    async def evening() -> None:
        lobby = TableLobby(SimulationSettings())
        reading = asyncio.create_task(lobby.cards(laid.append))
        async with asyncio.timeout(30):
            while not laid:
                lobby.card_phones.heed(FromServer(wish=EnrolmentWish("undo", 0, "04A1B2C3")))
                lobby.card_phones.heed(FromServer(wish=EnrolmentWish("tap", 0, "04A1B2C3")))
                await asyncio.sleep(0.01)
            change_people(people_path(), lambda people: people.added("Anna", card="04A1B2C3"))
            while not laid[-1].name:
                lobby.card_phones.heed(FromServer(wish=EnrolmentWish("tap", 0, "04A1B2C3")))
                await asyncio.sleep(0.01)
        reading.cancel()
        await asyncio.wait({reading})

    asyncio.run(evening())
    assert (laid[0], laid[-1]) == (LaidCard("04A1B2C3", "", None), LaidCard("04A1B2C3", "Anna", None))


def test_a_table_without_buttons_has_none_to_be_heard() -> None:
    asyncio.run(TableLobby(SimulationSettings()).buttons(lambda *_: None))


# --- Sockets --------------------------------------------------------------------------------------------------


def test_every_evening_has_a_socket_of_its_own_whatever_way_it_is_named(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = home / "evenings" / "a.journal", home / "evenings" / "b.journal"
    assert socket_of(one) != socket_of(other)
    monkeypatch.chdir(tmp_path)
    assert socket_of(Path("home/evenings/../evenings/a.journal")) == socket_of(one)


def test_the_path_of_a_socket_is_short_however_deep_the_home_lies(tmp_path: Path) -> None:
    assert len(str(socket_of(tmp_path / ("deep/" * 100) / "a.journal"))) < 100


def test_without_a_runtime_folder_sockets_lie_in_a_folder_of_this_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert socket_of(Path("a.journal")).parent.name.startswith("companion-")


def test_on_a_pi_without_a_clock_an_evening_is_dated_by_the_newest_one() -> None:
    newest = begin_evening(QUICK)
    at = datetime(2030, 5, 1, 20, tzinfo=UTC).timestamp()
    os.utime(newest, (at, at))
    assert begin_evening(QUICK).name.startswith("2030-05-0")
    assert begin_evening(QUICK).name.startswith("2030-05-0")


@pytest.mark.parametrize("later_evenings", [0, 5])
def test_after_a_power_cut_the_time_goes_on_from_the_last_entry(home: Path, later_evenings: int) -> None:
    """Its file is dated by the computer, which lags behind; an old evening that was taken up again has an old name."""
    journal = Journal.open(begin_evening(QUICK))
    for day in range(1, later_evenings + 1):
        Journal.create(home / "evenings", date=date(2027, 5, day)).close()
    last = datetime(2030, 5, 1, 4, 1, tzinfo=UTC).timestamp()
    journal.append("clock", b'{"runs":true}', "", "", last)
    cut = home.parent / "after the cut"
    shutil.copytree(home / "evenings", cut)
    journal.close()
    shutil.rmtree(home / "evenings")
    cut.rename(home / "evenings")
    for path in (home / "evenings").iterdir():
        os.utime(path, (0, 0))
    assert table_clock().now() >= last


def test_an_evening_at_rest_is_dated_by_its_last_entry_however_old_its_name_is(home: Path) -> None:
    last = datetime(2030, 5, 1, 4, 1, tzinfo=UTC).timestamp()
    with Journal.open(begin_evening(QUICK)) as journal:
        journal.append("clock", b'{"runs":true}', "", "", last)
    for day in range(1, 6):
        Journal.create(home / "evenings", date=date(2027, 5, day)).close()
    assert table_clock().now() >= last


def test_the_time_is_told_by_whichever_journal_can_be_read(home: Path) -> None:
    last = datetime(2030, 5, 1, 4, 1, tzinfo=UTC).timestamp()
    with Journal.open(begin_evening(QUICK)) as journal:
        journal.append("clock", b'{"runs":true}', "", "", last)
    with Journal.create(home / "evenings", date=date(2030, 5, 2)) as mad:
        mad.append("game", b"{}", "", "", 1e300)
    (home / "evenings/2030-05-03-1.journal").write_bytes(b"rubbish" * 1000)
    (home / "evenings/2030-05-04-1.journal").mkdir()
    os.utime(journal.path, (0, 0))
    assert last <= table_clock().now() < last + 60
    assert begin_evening(QUICK).name.startswith(f"{datetime.fromtimestamp(last).astimezone():%Y-%m-%d}")


@pytest.mark.parametrize("others", [0, 4])
def test_resuming_without_the_game_names_every_evening_that_waits_and_the_package_to_install(others: int) -> None:
    for number in range(1 + others):
        with Journal.create(evenings_folder(), date=date(2026, 11, 18)) as journal:
            header = JournalHeader("hen-party", ("Anna", "Ben"), box="", package="companion-hen-party")
            journal.append("game", msgspec.json.encode(header), "", "", 5.0 + number)
    with pytest.raises(UsageError) as refused:
        find_evening(None, unfinished=True)
    said = str(refused.value)
    assert said.startswith(f"{1 + others} evening{'s wait for their games' if others else ' waits for its game'}: ")
    assert all(f"2026-11-18-{number + 1} (hen-party)" in said for number in range(1 + others))
    assert "pip install companion-hen-party" in said
