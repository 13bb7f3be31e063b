"""The new game that people agree on at the screen. Only what the lobby offers can be chosen; the lobby checks the
rest."""

from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

from msgspec.structs import replace

from companion.gamekit.game import Seat
from companion.gamekit.search import Level, Temper
from companion.language.wording import plain
from companion.messages.lobby import (
    USUAL_GAME,
    USUAL_LEVEL,
    GameOffer,
    GamePlan,
    HallOffer,
    KitOffer,
    PastEvening,
    PluggedOffer,
    PuzzleOffer,
)
from companion.stations import Kit

QUICK_NAMES = ("Anna", "Ben", "Cleo")
"""The first one is the person who pressed Enter."""


class Offers(NamedTuple):
    """Everything that the start screen can offer: past evenings, and what a new game can be made of."""

    evenings: Sequence[PastEvening] = ()
    games: Sequence[GameOffer] = ()
    """Only games without a problem."""
    kits: Sequence[KitOffer] = (KitOffer("none", simulated=False),)
    names: Sequence[str] = ()
    plugged: PluggedOffer | None = None
    unplayable: Sequence[str] = ()
    """Names of games with a problem, if there are several: there is no room for what is wrong with each."""
    hall: HallOffer | None = None
    puzzle: PuzzleOffer | None = None


BOTS = (*get_args(Level), *(f"strong:{temper}" for temper in get_args(Temper)))
"""How simulated players who search may play: better and better, and what the best of them care for."""


class SetupForm:
    """The plan that the set-up screen edits, and the choices for it."""

    def __init__(self, offers: Offers, game: GameOffer | None = None) -> None:
        """`game`: the one that was chosen already."""
        self._offers = offers
        chosen = game or offers.games[0]
        self.plan = GamePlan(chosen.name, kit=offers.kits[0].kit)
        self._real: dict[Seat, str] = {}
        """Bots with real pieces, where there are no readers, and how they play."""
        self.choose_game(chosen)
        self._change(simulated=self.plan.simulated[1:], levels=dict.fromkeys(self.plan.simulated[1:], USUAL_LEVEL))

    # --- What may be picked ---

    @property
    def games(self) -> Sequence[GameOffer]:
        return self._offers.games

    @property
    def game(self) -> GameOffer:
        return next(game for game in self.games if game.name == self.plan.game)

    @property
    def kits(self) -> Sequence[KitOffer]:
        return self._offers.kits

    @property
    def kit(self) -> KitOffer:
        return next(kit for kit in self.kits if (kit.kit, kit.deals) == (self.plan.kit, self.plan.deals))

    @property
    def spare_names(self) -> list[str]:
        """Known names that no player at the table has."""
        known = dict.fromkeys(map(plain, self._offers.names))
        return [name for name in known if name and name not in self.plan.players]

    @property
    def may_add(self) -> bool:
        return len(self.plan.players) < self.game.most

    @property
    def may_remove(self) -> bool:
        return len(self.plan.players) > self.game.fewest

    @property
    def agreed(self) -> GamePlan:
        """The plan as it can be played: without readers there are no simulated players but bots with real pieces."""
        if self.plan.kit != "none":
            return self.plan
        real = {} if self.plan.deals else self._real
        return replace(self.plan, simulated=tuple(sorted(real)), levels=real)

    @property
    def may_have_bots(self) -> bool:
        """Where Companion deals to persons who have only the screen, it deals to no bots."""
        return self.plan.kit != "none" or not self.plan.deals

    # --- Changing the plan ---

    def choose_game(self, game: GameOffer) -> None:
        """The players stay, as many of them as can play this game. Missing seats get simulated players."""
        options = {option.name: option.values[0] for option in game.options}
        self._change(game=game.name, options=options)
        self._reseat(range(min(len(self.plan.players), game.most)))
        self._seat(game.fewest - len(self.plan.players))

    def choose_kit(self, kit: KitOffer) -> None:
        self._change(kit=kit.kit, deals=kit.deals)

    def add(self) -> None:
        self._seat(1)

    def remove(self, seat: Seat) -> None:
        self._reseat([other for other in range(len(self.plan.players)) if other != seat])

    def swap_seats(self, seat: Seat) -> None:
        """Swap with the player one seat before, the first with the last. The same player still starts."""
        order = list(range(len(self.plan.players)))
        order[seat], order[seat - 1] = order[seat - 1], order[seat]
        self._reseat(order)

    def rename(self, seat: Seat, name: str) -> None:
        players = list(self.plan.players)
        players[seat] = plain(name)
        self._change(players=tuple(players))

    def tap_in(self, name: str, seat: Seat | None) -> bool:
        """A person has laid their card: on the reader of this seat, or in the centre, for the first seat that the
        computer would play. False: they sit here already, or no seat is free."""
        players, simulated = self.plan.players, self.plan.simulated
        if name in players and players.index(name) not in simulated:
            return False
        if seat is None or seat >= len(players):
            seat = players.index(name) if name in players else next(iter(simulated), None)
        if seat is None and self.may_add:
            self.add()
            seat = len(self.plan.players) - 1
        if seat is None:
            return False
        if name in players and players.index(name) != seat:
            self.rename(players.index(name), players[seat])
        self.rename(seat, name)
        self._real.pop(seat, None)
        kept = {other: level for other, level in self.plan.levels.items() if other != seat}
        self._change(simulated=tuple(other for other in self.plan.simulated if other != seat), levels=kept)
        return True

    @property
    def kinds(self) -> Sequence[str | None]:
        """A person, a simulated player, and simulated players who search: better and better ones. With real pieces all
        of them search."""
        return (None, *BOTS) if self.plan.kit == "none" else (None, "", *BOTS)

    def choose_kind(self, seat: Seat, kind: str | None) -> None:
        plan = self.plan
        if plan.kit == "none":
            others = {other: level for other, level in self._real.items() if other != seat}
            self._real = others | {seat: kind} if kind else others
            return
        simulated = {*plan.simulated} - {seat} if kind is None else {*plan.simulated, seat}
        levels = {other: level for other, level in plan.levels.items() if other != seat}
        self._change(simulated=tuple(sorted(simulated)), levels=levels | ({seat: kind} if kind else {}))

    def kind(self, seat: Seat) -> str | None:
        """None for a person, "" for a simulated player as the game brings them, or how well this one searches."""
        return self.agreed.levels.get(seat, "") if seat in self.agreed.simulated else None

    def choose_first(self, seat: Seat) -> None:
        self._change(first=seat)

    def next_value(self, name: str) -> None:
        values = next(option.values for option in self.game.options if option.name == name)
        value = values[(values.index(self.plan.options[name]) + 1) % len(values)]
        self._change(options=self.plan.options | {name: value})

    def swap_phones(self) -> None:
        self._change(phones=not self.plan.phones)

    def _change(self, **fields: Any) -> None:
        self.plan = replace(self.plan, **fields)

    def _seat(self, count: int) -> None:
        """So many more simulated players, under names that are still free."""
        taken = self.plan.players
        numbers = [str(number) for number in range(1, 100) if str(number) not in taken]
        names = [*self.spare_names, *numbers][: max(0, count)]
        seats = range(len(taken), len(taken) + len(names))
        levels = self.plan.levels | dict.fromkeys(seats, USUAL_LEVEL)
        self._change(players=(*taken, *names), simulated=(*self.plan.simulated, *seats), levels=levels)

    def _reseat(self, order: Sequence[Seat]) -> None:
        """`order`: for each new seat, the old one of its player. If the start player leaves, the next one starts."""
        plan = self.plan
        first = order.index(plan.first) if plan.first in order else max(0, min(plan.first, len(order) - 1))
        self._real = {seat: self._real[was] for seat, was in enumerate(order) if was in self._real}
        self._change(
            players=tuple(plan.players[seat] for seat in order),
            simulated=tuple(seat for seat, was in enumerate(order) if was in plan.simulated),
            levels={seat: plan.levels[was] for seat, was in enumerate(order) if was in plan.levels},
            first=first,
        )


def quick_plan(kits: Sequence[KitOffer]) -> GamePlan:
    """One person against simulated neighbours: with the readers that are here, or with simulated ones."""
    kit: Kit = next((offer.kit for offer in kits if offer.kit != "none"), "full")
    others = tuple(range(1, len(QUICK_NAMES)))
    return GamePlan(USUAL_GAME, QUICK_NAMES, others, kit=kit, levels=dict.fromkeys(others, USUAL_LEVEL))
