"""A screen in this process, on a table whose referee is kept at work in another."""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from companion.config import NAME, TableSettings, find_table
from companion.crash import account, fault_of, headline
from companion.devices.reader_kinds import detected
from companion.errors import CompanionError, ConfigError, LinkError
from companion.gamekit import discovery
from companion.gamekit.ending import leaders
from companion.gamekit.game import Game
from companion.gamekit.game_start import NAMES
from companion.gamekit.snapshot import Result
from companion.home.box_files import find_box
from companion.home.crash_log import keep_values_out, note
from companion.home.paths import evenings_folder, home, removed_folder
from companion.journal import evening_folder
from companion.language.wording import plain
from companion.messages.lobby import GameOffer, KitOffer, OptionOffer, PastEvening, PluggedOffer, Wish
from companion.processes.arguments import Looks
from companion.processes.evenings import Plan, agree, find_evening, socket_of, write_down
from companion.processes.phone_server import PhonesWish, TablePhones
from companion.processes.reader_detection import adopt_reader
from companion.processes.referee_supervisor import RefereeSupervisor
from companion.processes.simulation_settings import Pace
from companion.processes.table_devices import equipment
from companion.referee.link import answers
from companion.table.signals import Held, Pressed, Signal

# --- Takes people to their table: lists evenings, begins them, and keeps a referee at work while a screen is there.

READER_NAME = 60
"""How many letters of a reader's name are shown."""
SMALL_NUMBERS = (1, 2, 3)
"""What a screen offers for an option that is a number."""


class TableLobby:
    """`companion.messages.lobby.Lobby` on this machine's evenings."""

    def __init__(self, pace: Pace, root: Path = Path("/"), phones: TablePhones | None = None) -> None:
        """`root`: the files of this computer."""
        self._pace, self._root = pace, root
        self.phones = phones or TablePhones(PhonesWish())
        self._supervisor: RefereeSupervisor | None = None

    # --- What there is ----------------------------------------------------------------------------------------

    def evenings(self) -> Sequence[PastEvening]:
        return [_past(each) for each in evening_folder.evenings(evenings_folder()) if not evening_folder.is_idle(each)]

    def remove(self, evening: str) -> None:
        evening_folder.remove(evening_folder.find(evenings_folder(), evening), removed_folder())

    def games(self) -> Sequence[GameOffer]:
        broken = [_problem(each.name, str(each)) for each in discovery.unusable()]
        return [*(_guarded(game) for game in discovery.playable()), *broken]

    def kits(self) -> Sequence[KitOffer]:
        """What is wired comes first. Mistakes in table.toml are reported when an evening is begun."""
        with suppress(ConfigError):
            if (wired := find_table(home()).kit) != "none":
                return (KitOffer(wired, simulated=False), KitOffer("none", simulated=False))
        return (KitOffer("full", simulated=True), KitOffer("one", simulated=True), KitOffer("none", simulated=False))

    def plugged(self) -> PluggedOffer | None:
        """Only where there is no table.toml: if there is one, it says what people want."""
        if (home() / NAME).exists():
            return None
        found = detected(self._root)
        return PluggedOffer(plain(found.name, READER_NAME), is_certain=not found.may_be) if found else None

    def adopt(self) -> None:
        adopt_reader(self._root)

    def names(self) -> Sequence[str]:
        newest = next((past.players for past in self.evenings() if past.players), ())
        return tuple(dict.fromkeys((*(plain(name) for name in newest), *NAMES)))

    # --- Going to the table -----------------------------------------------------------------------------------

    def begin(self, wish: Wish) -> Path:
        names = tuple(wish.players)
        plan = Plan(
            game=wish.game,
            players=names,
            simulated=tuple(names[seat] for seat in wish.simulated),
            first=names[wish.first],
            options=wish.options,
            kit=wish.kit,
        )
        self.phones.wanted = wish.phones
        if wish.phones:
            self.phones.check()
        return self._go_to(write_down(agree(plan)))

    def resume(self, evening: str) -> Path:
        return self._go_to(find_evening(evening))

    async def buttons(self, pressed: Callable[[str, bool], object]) -> None:
        """Those on the Pi's own pins. What is wrong with them is reported at the table."""

        def hear(signal: Signal) -> None:
            if isinstance(signal, Pressed | Held):
                pressed(signal.button, isinstance(signal, Held))

        with suppress(CompanionError):
            wired = find_table(home())
            for device in equipment(TableSettings(buttons=wired.buttons, gpio=wired.gpio)):
                await device.run(hear)

    def leave(self) -> None:
        self.phones.leave()
        if self._supervisor:
            self._supervisor.stop()
            self._supervisor = None

    @property
    def problem(self) -> str:
        """Why the referee could not be kept at work; "" if it could."""
        return self._supervisor.problem if self._supervisor else ""

    def _go_to(self, path: Path) -> Path:
        self.leave()
        supervisor = RefereeSupervisor(path, self._pace)
        supervisor.start()
        self._supervisor = supervisor
        self.phones.go_to(path)
        return socket_of(path)


def _past(summary: evening_folder.Summary) -> PastEvening:
    result = summary.result
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
        sums=leaders([*(each.totals for each in summary.earlier), result.totals])[0]
        if result and summary.earlier
        else (),
        earlier=tuple(Result(each.totals, each.winners) for each in summary.earlier),
        ended=summary.ended,
        title=discovery.title(summary.game) if summary.game else "",
        package=summary.package,
    )


def _guarded(game: Game[Any, Any]) -> GameOffer:
    """Whatever is wrong with a box or a stranger's package, it disturbs no other game."""
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
    """A game that is there, and cannot be played."""
    return GameOffer(game, discovery.title(game), 0, 0, (), stand_in=False, problem=problem)


def _offer(game: Game[Any, Any]) -> GameOffer:
    options = tuple(
        OptionOffer(option.name, _values(option.type, option.default))
        for option in msgspec.structs.fields(game.options)
    )
    stand_in = getattr(find_box(game).box, "provenance", "") == "stand-in"
    return GameOffer(game.name, discovery.title(game.name), game.players[0], game.players[-1], options, stand_in)


def _values(kind: object, default: object) -> tuple[object, ...]:
    """The default first."""
    if kind is bool:
        values: tuple[object, ...] = (True, False)
    elif get_origin(kind) is Literal:
        values = get_args(kind)
    else:
        values = SMALL_NUMBERS
    return (default, *(value for value in values if value != default))


NAME_LENGTH = 200
"""Of an evening: its file may be called anything."""


def need_a_terminal() -> None:
    """Asked before an evening is begun that nobody could see. Raises LinkError."""
    answers(socket_of(evenings_folder()))  # raises if screens and referee cannot meet
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise LinkError("the screen needs a terminal; `companion demo --headless` prints a game without one")


def show_hall(pace: Pace, looks: Looks, phones: TablePhones | None = None) -> int:
    """Let people decide on the screen what to play, as often as they like."""
    from companion.screen.app import run

    keep_values_out()
    lobby = TableLobby(pace, phones=phones)
    try:
        run(lobby=lobby, phones=lobby.phones, results=evenings_folder(), **looks.of())
    finally:
        lobby.leave()
    return 0


def show_evening(  # noqa: PLR0913 - what an evening may be, each by its name
    path: Path,
    pace: Pace,
    looks: Looks,
    phones: TablePhones | None = None,
    *,
    keep: bool = True,
    passing: bool = False,
) -> int:
    """Start the referee of this evening, or find the one that is at work, and show its table. Whoever shows a table
    keeps its referee at work, whoever started it. A `passing` evening is gone afterwards: what somebody saves is not
    put beside it. Raises LinkError."""
    from companion.screen.app import run

    keep_values_out()
    lobby = TableLobby(pace, phones=phones)
    try:
        lobby.resume(str(path))
        results = None if passing else path.resolve().parent
        run(socket_of(path), phones=lobby.phones, results=results, **looks.of())
    finally:
        problem = lobby.problem
        lobby.leave()
    if problem:
        raise LinkError(problem)
    if keep:
        name = plain(path.stem, NAME_LENGTH)
        print(f"This evening is saved as {name}. `companion resume` resumes it, `companion games` lists all.")
    return 0
