"""The rules of Sioux, in the order of its rule book. S1 to S25 are the numbers of docs/rules/sioux.md.

The hunt is in `hunt`, what follows it in `gifts`, winters and the end in `winter`.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from companion.gamekit import Seat, Setup
from companion.games.sioux.components import CROW_VALUE, HUNTER, SHAMAN_VALUES, Box, TribeCard
from companion.games.sioux.options import Options
from companion.games.sioux.rules.gifts import claim
from companion.games.sioux.rules.hunt import VALUES, crow, duel, name, play
from companion.games.sioux.rules.state import (
    Action,
    Crow,
    Dealt,
    Duel,
    Fixed,
    Gifts,
    Hand,
    Name,
    Outcome,
    Play,
    State,
)
from companion.games.sioux.rules.winter import dealt

RULES: dict[type[Action], Callable[[State, Any], Outcome]] = {
    Play: play,
    Name: name,
    Crow: crow,
    Duel: duel,
    Gifts: claim,
    Dealt: dealt,
}


# --- Set-up ---------------------------------------------------------------------------------------------------


def setup(agreed: Setup) -> State:
    """S1 A set of tribe cards for each player, the prey in the bank, the first winter's supply laid out."""
    players = agreed.players
    fixed = _fixed(players, agreed.options, agreed.box)
    nothing = (0,) * players
    return State(
        fixed=fixed,
        winter=1,
        phase="play",
        own=fixed.sets,
        hands=fixed.sets,
        laid=(None,) * players,
        seconds=(),
        choices=fixed.sets,
        open=(),
        asked=(),
        free=(),
        tied=(),
        bank=fixed.bank,
        prey=((0,) * len(VALUES),) * players,
        totals=nothing,
        before=nothing,
        claims=(),
        hunter=None,
        supply=((),) * players,
        brought=((),) * players,
        laid_out=fixed.winters[0],
        ranks=(),
        ranked=(),
        taken_back=False,
    )


@lru_cache(maxsize=8)
def _fixed(players: int, options: Options, box: Box) -> Fixed:
    """Made once for all games that are played with the same box."""
    seats = tuple(range(players))
    prey = {kind.value: kind for kind in box.prey}
    worth = {card.id: _worth(card) for card in box.tribe} | {HUNTER: 0}
    return Fixed(
        options=options,
        box=box,
        seats=seats,
        sets=tuple(_set(box, seat) for seat in seats),
        hunters=tuple(Play(seat, HUNTER) for seat in seats),
        duels=tuple({card: Duel(seat, card) for card in worth} for seat in seats),
        worth=worth,
        crow=next(card.id for card in box.tribe if card.kind == "crow"),
        shaman=next(card.id for card in box.tribe if card.kind == "shaman"),
        animals=tuple(prey[value].animal for value in VALUES),
        bank=tuple(prey[value].count for value in VALUES),
        winters=tuple(lay_out(box, players)),
    )


def lay_out(box: Box, players: int) -> list[tuple[int, ...]]:
    """S1 One supply card per player; with fewer than five the highest of each winter are removed first."""
    winters = sorted(box.supply, key=lambda supply: supply.winter)
    return [tuple(sorted(sorted(supply.values)[:players], reverse=True)) for supply in winters]


def _set(box: Box, seat: Seat) -> Hand:
    return tuple(Play(seat, card.id) for card in box.tribe)


def _worth(card: TribeCard) -> int:
    if card.value is not None:
        return card.value
    return CROW_VALUE if card.kind == "crow" else SHAMAN_VALUES[0]


def rematch(played: Setup) -> tuple[Seat, dict[str, Any]]:
    """One more game begins like the one before: Sioux has no start player, all lay their cards together."""
    return played.first, {}
