"""Takes people to their table: lists evenings, begins them, and keeps a referee at work while a screen is there."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, get_args, get_origin

import msgspec

from companion import games
from companion.boxes import find_box, home
from companion.config import Table, find_table
from companion.errors import CompanionError, ConfigError
from companion.journal import shelf
from companion.reception import GameOffer, KitOffer, OptionOffer, PastEvening, Wish
from companion.referee.link import answers
from companion.table.signals import Held, Pressed, Signal
from companion.verbs.equipment import equipment
from companion.verbs.evenings import NAMES, Plan, agree, evenings_folder, find_evening, socket_of, write_down
from companion.verbs.keeper import RefereeKeeper
from companion.verbs.table import Pace
from companion.wording import plain

SMALL_NUMBERS = (1, 2, 3)
"""What a screen offers for an option that is a number."""


class TableReception:
    """`companion.reception.Reception` on this machine's evenings."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._keeper: RefereeKeeper | None = None

    # --- What there is ----------------------------------------------------------------------------------------

    def evenings(self) -> Sequence[PastEvening]:
        return [_past(summary) for summary in shelf.evenings(evenings_folder())]

    def games(self) -> Sequence[GameOffer]:
        return [_offer(name) for name in games.NAMES]

    def kits(self) -> Sequence[KitOffer]:
        """What is wired comes first. What is wrong in table.toml is told when an evening is begun."""
        with suppress(ConfigError):
            if (wired := find_table(home()).kit) != "none":
                return (KitOffer(wired, simulated=False), KitOffer("none", simulated=False))
        return (KitOffer("full", simulated=True), KitOffer("one", simulated=True), KitOffer("none", simulated=False))

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
        return self._go_to(write_down(agree(plan)))

    def resume(self, evening: str) -> Path:
        return self._go_to(find_evening(evening))

    async def buttons(self, pressed: Callable[[str, bool], object]) -> None:
        """Those on the Pi's own pins. What is wrong with them is told at the table."""

        def hear(signal: Signal) -> None:
            if isinstance(signal, Pressed | Held):
                pressed(signal.button, isinstance(signal, Held))

        with suppress(CompanionError):
            wired = find_table(home())
            for device in equipment(Table(buttons=wired.buttons, gpio=wired.gpio)):
                await device.run(hear)

    def leave(self) -> None:
        if self._keeper:
            self._keeper.stop()
            self._keeper = None

    @property
    def problem(self) -> str:
        """Why the referee could not be kept at work; "" if it could."""
        return self._keeper.problem if self._keeper else ""

    def _go_to(self, path: Path) -> Path:
        self.leave()
        if not answers(socket_of(path)):
            keeper = RefereeKeeper(path, self._pace)
            keeper.start()
            self._keeper = keeper
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
    )


def _offer(name: str) -> GameOffer:
    game = games.find(name)
    options = tuple(
        OptionOffer(option.name, _values(option.type, option.default))
        for option in msgspec.structs.fields(game.options)
    )
    stand_in = find_box(game).box.provenance == "stand-in"
    return GameOffer(game.name, game.players[0], game.players[-1], options, stand_in)


def _values(kind: object, default: object) -> tuple[object, ...]:
    """The default first."""
    if kind is bool:
        values: tuple[object, ...] = (True, False)
    elif get_origin(kind) is Literal:
        values = get_args(kind)
    else:
        values = SMALL_NUMBERS
    return (default, *(value for value in values if value != default))
