"""What players choose before a game begins. Only what the offer itself says is checked here."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.language.wording import plain
from companion.messages.lobby import USUAL_GAME, GameOffer, KitOffer, PastEvening, PluggedOffer, Wish
from companion.stations import Kit

QUICK_NAMES = ("Anna", "Ben", "Cleo")
"""The first is the player who pressed Enter."""


class Invitation(NamedTuple):
    """What can be played here, and earlier evenings. Only games without a problem."""

    evenings: Sequence[PastEvening] = ()
    games: Sequence[GameOffer] = ()
    kits: Sequence[KitOffer] = (KitOffer("none", simulated=False),)
    names: Sequence[str] = ()
    plugged: PluggedOffer | None = None
    unplayable: Sequence[str] = ()
    """The names of games with a problem, if there are several: there is no room for each problem."""


class Chair(NamedTuple):
    name: str
    simulated: bool


class Party:
    """Who plays what, as chosen so far. Seats are in clockwise order."""

    def __init__(self, offer: Invitation) -> None:
        self._offer = offer
        self.kit = offer.kits[0]
        self.game = offer.games[0]
        self.options: dict[str, Any] = {}
        self.first = 0
        self.phones = False
        self.chairs: list[Chair] = []
        self.play(self.game)
        self.chairs[0] = self.chairs[0]._replace(simulated=False)

    # --- What may be picked ---

    @property
    def games(self) -> Sequence[GameOffer]:
        return self._offer.games

    @property
    def kits(self) -> Sequence[KitOffer]:
        return self._offer.kits

    @property
    def spare_names(self) -> list[str]:
        """Names that are still free at this table."""
        taken = {chair.name for chair in self.chairs}
        return [name for name in dict.fromkeys(map(plain, self._offer.names)) if name and name not in taken]

    @property
    def may_add(self) -> bool:
        return len(self.chairs) < self.game.most

    @property
    def may_remove(self) -> bool:
        return len(self.chairs) > self.game.fewest

    def simulated(self, seat: int) -> bool:
        """Simulated players need readers, at least simulated ones."""
        return self.kit.kit != "none" and self.chairs[seat].simulated

    # --- Choices ---

    def play(self, game: GameOffer) -> None:
        """The players stay, as many as can play this game."""
        self.game = game
        self.options = {option.name: option.values[0] for option in game.options}
        self.chairs += [Chair(name, simulated=True) for name in self._free(game.fewest - len(self.chairs))]
        del self.chairs[game.most :]
        self.first = min(self.first, len(self.chairs) - 1)

    def add(self) -> None:
        self.chairs += [Chair(name, simulated=True) for name in self._free(1)]

    def remove(self, seat: int) -> None:
        del self.chairs[seat]
        if self.first > seat or self.first == len(self.chairs):
            self.first -= 1

    def change_seats(self, seat: int) -> None:
        """Swap with the player one seat before, the first with the last. The same player still starts."""
        other = seat - 1 if seat else len(self.chairs) - 1
        self.chairs[seat], self.chairs[other] = self.chairs[other], self.chairs[seat]
        self.first = {seat: other, other: seat}.get(self.first, self.first)

    def rename(self, seat: int, name: str) -> None:
        self.chairs[seat] = self.chairs[seat]._replace(name=plain(name))

    def swap_kind(self, seat: int) -> None:
        """Replace a simulated player by a person, or the other way round."""
        self.chairs[seat] = self.chairs[seat]._replace(simulated=not self.chairs[seat].simulated)

    def next_value(self, name: str) -> None:
        values = next(option.values for option in self.game.options if option.name == name)
        self.options[name] = values[(values.index(self.options[name]) + 1) % len(values)]

    def wish(self) -> Wish:
        seats = range(len(self.chairs))
        return Wish(
            game=self.game.name,
            players=tuple(chair.name for chair in self.chairs),
            simulated=tuple(seat for seat in seats if self.simulated(seat)),
            first=self.first,
            options=dict(self.options),
            kit=self.kit.kit,
            phones=self.phones,
        )

    def _free(self, count: int) -> list[str]:
        """This many free names."""
        taken = {chair.name for chair in self.chairs}
        numbers = [str(number) for number in range(1, 100) if str(number) not in taken]
        return [*self.spare_names, *numbers][: max(0, count)]


def quick_wish(kits: Sequence[KitOffer]) -> Wish:
    """One person against simulated neighbours, with the readers of this table or simulated ones."""
    kit: Kit = next((offer.kit for offer in kits if offer.kit != "none"), "full")
    return Wish(USUAL_GAME, QUICK_NAMES, tuple(range(1, len(QUICK_NAMES))), 0, {}, kit)
