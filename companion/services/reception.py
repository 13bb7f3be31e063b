"""Takes people to their table: lists evenings, begins them, and keeps a referee at work while a screen is there."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from companion.config import NAME, TableSettings, find_table
from companion.crash import account, fault_of, headline
from companion.errors import CompanionError, ConfigError
from companion.gamekit import discovery
from companion.gamekit.beginning import NAMES
from companion.gamekit.ending import leaders
from companion.gamekit.game import Game
from companion.gamekit.snapshot import Result
from companion.home.boxes import find_box
from companion.home.crashes import note
from companion.home.paths import evenings_folder, home, removed_folder
from companion.journal import shelf
from companion.language.wording import plain
from companion.messages.reception import GameOffer, KitOffer, OptionOffer, PastEvening, PluggedOffer, Wish
from companion.services.equipment import equipment
from companion.services.evenings import Plan, agree, find_evening, socket_of, write_down
from companion.services.keeper import RefereeKeeper
from companion.services.pace import Pace
from companion.services.phones import PhonesWish, TablePhones
from companion.services.plugged_in import adopt_reader, find_reader
from companion.table.signals import Held, Pressed, Signal

READER_NAME = 60
"""How many letters of a reader's name are shown."""
SMALL_NUMBERS = (1, 2, 3)
"""What a screen offers for an option that is a number."""


class TableReception:
    """`companion.messages.reception.Reception` on this machine's evenings."""

    def __init__(self, pace: Pace, root: Path = Path("/"), phones: TablePhones | None = None) -> None:
        """`root`: the files of this computer."""
        self._pace, self._root = pace, root
        self.phones = phones or TablePhones(PhonesWish())
        self._keeper: RefereeKeeper | None = None

    # --- What there is ----------------------------------------------------------------------------------------

    def evenings(self) -> Sequence[PastEvening]:
        return [_past(each) for each in shelf.evenings(evenings_folder()) if not shelf.is_idle(each)]

    def remove(self, evening: str) -> None:
        shelf.remove(shelf.find(evenings_folder(), evening), removed_folder())

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
        found = find_reader(self._root)
        return PluggedOffer(plain(found.name, READER_NAME), found.is_certain) if found else None

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
        if self._keeper:
            self._keeper.stop()
            self._keeper = None

    @property
    def problem(self) -> str:
        """Why the referee could not be kept at work; "" if it could."""
        return self._keeper.problem if self._keeper else ""

    def _go_to(self, path: Path) -> Path:
        self.leave()
        keeper = RefereeKeeper(path, self._pace)
        keeper.start()
        self._keeper = keeper
        self.phones.go_to(path)
        return socket_of(path)


def _past(summary: shelf.Summary) -> PastEvening:
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
