"""The screen's process. It runs the Textual app, and keeps the referee of the shown table running in another process.

`companion play` comes here, directly or by way of the start screen:

    show_start_screen / show_evening    runs companion.screen.app in this process
      TableLobby                        starts and resumes evenings for it
        RefereeSupervisor               runs `companion table --evening …`, and restarts it if it dies
          referee_process.run_referee   the referee: devices, journal and secrets
        TablePhones                     runs the phone server, if phones are wanted
        LiveTable                       publishes the table, if it has a hall or a broker

Screen and referee meet at the socket `evenings.socket_of(path)`.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.config import NAME, TableSettings, find_table
from companion.crash import account, fault_of, headline
from companion.devices.device import Device
from companion.devices.reader_kinds import detected
from companion.errors import CompanionError, ConfigError, LinkError, UsageError
from companion.gamekit import discovery
from companion.gamekit.ending import leaders
from companion.gamekit.game import Game, Seat
from companion.gamekit.game_start import NAMES
from companion.gamekit.snapshot import Result
from companion.gamekit.table_options import table_options
from companion.home.box_files import find_box
from companion.home.crash_log import keep_values_out, note
from companion.home.paths import (
    earlier_plays_path,
    evenings_folder,
    home,
    past_games_path,
    people_path,
    removed_folder,
)
from companion.home.preferences import ScreenSettings
from companion.journal import evening_folder
from companion.language.wording import plain
from companion.messages.lobby import (
    Feat,
    GameOffer,
    GamePlan,
    HallOffer,
    KitOffer,
    LaidCard,
    OptionOffer,
    PastEvening,
    PlayerStanding,
    PluggedOffer,
    PuzzleOffer,
)
from companion.messages.looks import Preference
from companion.messages.phone_access import EnrolmentWish
from companion.processes.evenings import begin_evening, find_evening, socket_of
from companion.processes.live_table import LiveTable, live_settings
from companion.processes.phone_server import EnrolmentPhoneServer, PhoneSettings, TablePhones, wifi
from companion.processes.reader_detection import adopt_reader
from companion.processes.referee_supervisor import RefereeSupervisor
from companion.processes.simulation_settings import SimulationSettings
from companion.processes.table_devices import equipment
from companion.referee.link import answers
from companion.stations import seat_at
from companion.table.signals import Held, Pressed, Signal, TagFound, TagPlaced

if TYPE_CHECKING:
    from companion.people.statistics import CountedGame
    from companion.processes.analysis_process import AnalysisProcess
    from companion.processes.hall_link import HallLink

# --- Showing a screen -----------------------------------------------------------------------------------------

LEAST_COLUMNS, LEAST_ROWS = 40, 12
"""Below that no game can be played. 66 and 20 are what all screens are drawn for."""
NAME_LENGTH = 200
"""How many letters of an evening's name are printed: its file may be called anything."""


def require_terminal() -> None:
    """Called before an evening is started that no screen could show. Raises LinkError."""
    answers(socket_of(evenings_folder()))  # raises if screens and referee cannot meet
    without = "`companion demo --headless` prints a game without one"
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise LinkError(f"the screen needs a terminal; {without}")
    if os.environ.get("TERM") == "dumb":
        raise LinkError(f"the screen needs a terminal that can be drawn on, and this one is a dumb one; {without}")
    if not sys.stdout.encoding.lower().startswith("utf"):
        raise LinkError(f"the screen needs UTF-8, and this terminal has {sys.stdout.encoding}; try LC_ALL=C.UTF-8")
    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    if 0 < columns < LEAST_COLUMNS or 0 < rows < LEAST_ROWS:
        raise LinkError(f"this terminal has {columns} columns and {rows} rows: make it larger, 66 and 20 are best")


def show_start_screen(
    screen: ScreenSettings, simulation: SimulationSettings, phones: TablePhones, hall: "HallLink | None" = None
) -> None:
    """Show the start screen. People choose there what to play, as often as they like."""
    from companion.screen.app import run

    keep_values_out()
    lobby = TableLobby(simulation, phones=phones, hall=hall, analyses=True)
    if hall is not None:
        hall.start()
    try:
        run(
            lobby=lobby,
            phones=lobby.phones,
            results=evenings_folder(),
            feat=lobby.feat,
            preferences=preferences,
            analyses=EveningAnalyses(),
            **screen.arguments(),
        )
    finally:
        lobby.leave()
        if hall is not None:
            hall.stop()


def show_evening(
    path: Path,
    screen: ScreenSettings,
    simulation: SimulationSettings,
    phones: TablePhones | None = None,
    *,
    is_kept: bool = True,
) -> None:
    """Show the table of this evening. Its referee is started, or found if it is already running; in both cases this
    process restarts it if it dies. Unless the evening `is_kept`, results are not saved beside its journal. Raises
    LinkError."""
    from companion.screen.app import run

    keep_values_out()
    lobby = TableLobby(simulation, phones=phones)
    try:
        socket_path = lobby.resume(str(path))
        results = path.resolve().parent if is_kept else None
        run(
            socket_path,
            phones=lobby.phones,
            results=results,
            feat=lobby.feat if is_kept else None,
            preferences=preferences if is_kept else None,
            analyses=EveningAnalyses() if is_kept else None,
            **screen.arguments(),
        )
    finally:
        problem = lobby.problem
        lobby.leave()
    if problem:
        raise LinkError(problem)


def print_saved(path: Path) -> None:
    name = plain(path.stem, NAME_LENGTH)
    print(f"This evening is saved as {name}. `companion resume` resumes it, `companion games` lists all.")


class EveningAnalyses:
    """`companion.messages.lobby.GameAnalyses` for the evenings on this computer."""

    def __init__(self) -> None:
        self._process: AnalysisProcess | None = None

    def report(self, evening: str, game: int, language: str) -> Sequence[str]:
        from companion.processes.analysis_process import AnalysisProcess

        self.stop()
        self._process = process = AnalysisProcess()
        return process.report(find_evening(evening), game, language)

    def stop(self) -> None:
        if self._process is not None:
            self._process.stop()


# --- The lobby ------------------------------------------------------------------------------------------------

ONLY_SCREEN = (KitOffer("none", simulated=False), KitOffer("none", simulated=False, deals=True))
"""Without readers: players have the pieces, and enter what they do; or they have none."""
LOOKED_THROUGH = 20
"""In so many of the newest finished evenings there may be puzzles."""
READER_NAME = 60
"""How many letters of a reader's name are shown."""


class TableLobby:
    """`companion.messages.lobby.Lobby` for the evenings on this computer."""

    def __init__(
        self,
        simulation: SimulationSettings,
        root: Path = Path("/"),
        phones: TablePhones | None = None,
        hall: "HallLink | None" = None,
        *,
        analyses: bool = False,
    ) -> None:
        """`root`: where this computer's files are; tests have their own. `hall`: of a table in a club night.
        `analyses`: make puzzles of the games that were played, while there is nothing else to do."""
        self._simulation, self._root, self._hall = simulation, root, hall
        self.phones = phones or TablePhones(PhoneSettings())
        self._supervisor: RefereeSupervisor | None = None
        self._live: LiveTable | None = None
        self._not_live = ""
        """Why the table that was left last was not live."""
        self._replay: subprocess.Popen[bytes] | None = None
        """Shows an evening that is paged through."""
        self._evenings: Sequence[evening_folder.Summary] = ()
        """As they were listed last."""
        self._makes_puzzles = analyses
        self._analyses: AnalysisProcess | None = None
        self._puzzle: PuzzleOffer | None = None
        self._is_puzzle_known = False

    @cached_property
    def card_phones(self) -> EnrolmentPhoneServer:
        return EnrolmentPhoneServer("", self.phones.settings, wifi())

    # --- Offers -----------------------------------------------------------------------------------------------

    def evenings(self) -> Sequence[PastEvening]:
        self._evenings = [
            each for each in evening_folder.evenings(evenings_folder()) if not evening_folder.is_idle(each)
        ]
        self._is_puzzle_known = False
        return [_past(each) for each in self._evenings]

    def remove(self, evening: str) -> None:
        evening_folder.remove(evening_folder.find(evenings_folder(), evening), removed_folder())

    def games(self) -> Sequence[GameOffer]:
        broken = [_problem(each.name, str(each)) for each in discovery.unusable()]
        return [*(_guarded(game) for game in discovery.playable()), *broken]

    def kits(self) -> Sequence[KitOffer]:
        """The devices in table.toml come first. A mistake in that file is reported when an evening is started."""
        with suppress(ConfigError):
            if (wired := find_table(home()).kit) != "none":
                return (KitOffer(wired, simulated=False), *ONLY_SCREEN)
        return (KitOffer("full", simulated=True), KitOffer("one", simulated=True), *ONLY_SCREEN)

    def plugged(self) -> PluggedOffer | None:
        """Only if there is no table.toml. If there is one, it already says which devices to use."""
        if (home() / NAME).exists():
            return None
        found = detected(self._root)
        return PluggedOffer(plain(found.name, READER_NAME), is_certain=not found.may_be) if found else None

    def adopt(self) -> None:
        adopt_reader(self._root)

    def names(self) -> Sequence[str]:
        newest = next((past.players for past in self.evenings() if past.players), ())
        return tuple(dict.fromkeys((*(plain(name) for name in newest), *NAMES)))

    # --- The people who have played here ----------------------------------------------------------------------

    def standings(self) -> Sequence[PlayerStanding]:
        from companion.people.ratings import ratings
        from companion.people.statistics import person_tables

        games = _counted_games()
        tables = {table.person.id: table for table in person_tables(games)}
        rated = [(tables.pop(rating.person.id), str(rating)) for rating in ratings(games).table]
        return [
            PlayerStanding(plain(table.person.name), table.games, table.wins, table.expected, rating, table.streak)
            for table, rating in (*rated, *((table, "") for table in tables.values()))
        ]

    def feat(self, evening: str, game: int) -> Feat | None:
        from companion.people.statistics import broken_records, person_tables

        games = _counted_games()
        last = next((index for index, each in enumerate(games) if each.past.id == f"{evening}/{game}"), None)
        if last is None:
            return None
        won, games = games[last], games[: last + 1]
        tables = [table for table in person_tables(games) if table.person in won.winners]
        best = max(tables, key=lambda table: table.streak)
        if best.streak > 1:
            return Feat("streak", plain(best.person.name), best.streak)
        for record in broken_records(games, won):
            if record.what == "highest score":
                return Feat("record", plain(record.people[0].name), int(record.value))
        first = [table for table in tables if table.games > 2 and table.wins <= 1]
        return Feat("first win", plain(first[0].person.name), 1) if first else None

    # --- Going to a table and leaving it ----------------------------------------------------------------------

    def begin(self, plan: GamePlan) -> Path:
        self.phones.wanted = plan.phones
        if plan.phones:
            self.phones.check()
        return self._go_to(begin_evening(plan))

    def resume(self, evening: str) -> Path:
        return self._go_to(find_evening(evening))

    def hall(self) -> HallOffer | None:
        """With why the last table was not live, if nothing else is wrong."""
        offer = self._hall.offer() if self._hall else None
        return replace(offer, problem=offer.problem or self._not_live) if offer else None

    def take_table(self) -> Path:
        if self._hall is None:
            raise LinkError("this table belongs to no hall; start it with `companion play --hall`")
        self.phones.wanted = False
        return self._go_to(self._hall.take(begin_evening))

    async def buttons(self, pressed: Callable[[str, bool], object]) -> None:
        """The buttons on the Pi's own pins. Problems with them are reported at the table."""

        def hear(signal: Signal) -> None:
            if isinstance(signal, Pressed | Held):
                pressed(signal.button, isinstance(signal, Held))

        with suppress(CompanionError):
            wired = find_table(home())
            for device in equipment(TableSettings(buttons=wired.buttons, gpio=wired.gpio)):
                await device.run(hear)

    async def cards(self, laid: Callable[[LaidCard], object]) -> None:
        """Problems with readers are reported at the table."""

        def hear(signal: Signal) -> None:
            if isinstance(signal, TagPlaced | TagFound):
                laid(_laid(signal.uid, seat_at(signal.station)))

        def heed(wish: EnrolmentWish) -> None:
            if wish.what == "tap":
                laid(_laid(wish.uid, None))

        devices: Sequence[Device] = ()
        with suppress(CompanionError):
            wired = find_table(home())
            devices = equipment(TableSettings(readers=wired.readers, satellite=wired.satellite))
        try:
            by_phone = self.card_phones.listen(heed, lambda: None)
            await asyncio.gather(by_phone, *(device.run(hear) for device in devices))
        finally:
            await asyncio.to_thread(self.card_phones.stop)

    def replay(self, evening: str, game: int) -> Path:
        from companion.processes.replay_process import start_replay

        self.leave()
        self._replay, socket_path = start_replay(["--game", str(game), "--", evening])
        return socket_path

    def puzzle(self) -> PuzzleOffer | None:
        """It is looked for when the evenings were listed, and when an analysis is ready."""
        from companion.processes.analysis_process import AnalysisProcess, unanalysed

        if self._makes_puzzles and self._analyses is None:
            self._analyses = AnalysisProcess()
        if not self._is_puzzle_known and not (self._analyses and self._analyses.is_busy):
            self._puzzle = _puzzle_of(self._evenings)
            begun = self._analyses is not None and self._analyses.analyse_one(unanalysed(self._evenings))
            self._is_puzzle_known = not begun
        return self._puzzle

    def solve(self, puzzle: PuzzleOffer) -> Path:
        from companion.processes.replay_process import start_replay

        self.leave()
        chosen = ["--game", str(puzzle.number), "--puzzle", str(puzzle.step), "--", puzzle.evening]
        self._replay, socket_path = start_replay(chosen)
        return socket_path

    def leave(self) -> None:
        self.card_phones.stop()
        if self._analyses is not None:
            self._analyses.stop()
        self.phones.leave()
        if self._live:
            self._not_live = self._live.problem
            self._live.stop()
            self._live = None
        if self._replay:
            self._replay.terminate()
            self._replay.wait()
            self._replay = None
        if self._supervisor:
            self._supervisor.stop()
            self._supervisor = None

    @property
    def problem(self) -> str:
        """Why the referee could not be kept running; "" if it could."""
        return self._supervisor.problem if self._supervisor else ""

    def _go_to(self, path: Path) -> Path:
        self.leave()
        supervisor = RefereeSupervisor(path, self._simulation)
        supervisor.start()
        self._supervisor = supervisor
        self._live = LiveTable(socket_of(path), partial(live_settings, self._hall))
        self._live.start()
        self.phones.go_to(path)
        return socket_of(path)


def _laid(uid: str, seat: Seat | None) -> LaidCard:
    """Whose player card this is. A list of people that cannot be read is reported elsewhere."""
    from companion.people.persons import load_people

    person = None
    with suppress(UsageError):
        person = load_people(people_path()).with_card(uid)
    return LaidCard(uid, plain(person.name) if person else "", seat)


def preferences(evening: str, names: Sequence[str]) -> list[Preference]:
    """What these players of an evening want at every table. Raises UsageError."""
    from companion.people.persons import load_people

    people = load_people(people_path())
    return [people.who(evening, name).preference for name in names]


def _counted_games() -> "list[CountedGame]":
    """Oldest first. Raises JournalError, UsageError."""
    from companion.people.past_games import past_games
    from companion.people.persons import load_people
    from companion.people.statistics import counted

    past = past_games(evenings_folder(), past_games_path(), earlier_plays_path())
    return counted(past.games, load_people(people_path()))


def _past(summary: evening_folder.Summary) -> PastEvening:
    result = summary.result
    matched = [*(each.totals for each in summary.earlier), result.totals] if result and summary.earlier else []
    sums, best = leaders(matched, summary.lowest_wins) if matched else ((), ())
    return PastEvening(
        id=summary.id,
        standing=summary.standing,
        begun_at=summary.begun_at,
        game=summary.game,
        players=summary.players,
        games=summary.games,
        actions=summary.actions,
        totals=result.totals if result else (),
        winners=result.winners if result else (),
        problem=summary.problem,
        sums=sums,
        leaders=best,
        earlier=tuple(Result(each.totals, each.winners) for each in summary.earlier),
        ended=summary.ended,
        title=discovery.title(summary.game) if summary.game else "",
        package=summary.package,
    )


def _puzzle_of(evenings: Sequence[evening_folder.Summary]) -> PuzzleOffer | None:
    """The clearest one of the newest evening that has any. Evenings that are not over have none."""
    from companion.people.analysis_files import all_kept

    for each in [each for each in evenings if each.standing == "finished"][:LOOKED_THROUGH]:
        for kept in all_kept(each.path):
            names = each.players if kept.number == each.games else ()
            found = next((puzzle for puzzle in kept.puzzles() if puzzle.seat < len(names)), None)
            if found is not None and found.seat not in each.simulated:
                title, player = discovery.title(kept.game), plain(names[found.seat])
                return PuzzleOffer(each.id, kept.number, found.step, title, player)
    return None


def _guarded(game: Game[Any, Any]) -> GameOffer:
    """The offer of this game, or its problem: a wrong box or package must not affect the other games."""
    try:
        return _offer(game)
    except CompanionError as error:
        problem = str(error)
    except (Exception, SystemExit) as error:
        note(account(error))
        fault = fault_of(error, discovery.strangers())
        whose, where = fault or ("Companion", headline(error))
        problem = f"{game.name} cannot be started: a mistake in {whose}: {where}; all other games can be played"
    return _problem(game.name, problem)


def _problem(game: str, problem: str) -> GameOffer:
    """A game that is installed but cannot be played."""
    return GameOffer(game, discovery.title(game), 0, 0, (), stand_in=False, problem=problem)


def _offer(game: Game[Any, Any]) -> GameOffer:
    options = tuple(
        OptionOffer(option.name, (option.default, *(value for value in option.values if value != option.default)))
        for option in table_options(game.options).values()
    )
    stand_in = getattr(find_box(game).box, "provenance", "") == "stand-in"
    return GameOffer(game.name, discovery.title(game.name), game.players[0], game.players[-1], options, stand_in)
