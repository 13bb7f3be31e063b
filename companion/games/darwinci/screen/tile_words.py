"""Darwinci for players who cannot see it: tiles, displays and the own offer in words."""

from collections.abc import Sequence

from companion.gamekit import Seat
from companion.gamekit.screen import Grid, Sight
from companion.games.darwinci import sentences
from companion.games.darwinci.components import BIDDING_ROUNDS, Tile
from companion.games.darwinci.display import Cell, places, turned, where
from companion.games.darwinci.screen import _, people
from companion.games.darwinci.screen.tiles import jewel_word
from companion.games.darwinci.view import Built, OwnHand, Table


def tile(printed: Tile, turn: int = 0) -> str:
    """curve 3, bone: up and right, ring"""
    bones = [_("bone: {edges}", edges=tuple(map(_edge, group))) for group in turned(printed.bones, turn)]
    return ", ".join([sentences.tile(printed, _), *bones, *map(jewel_word, printed.jewels)])


def _edge(number: int) -> str:
    return (_("up"), _("right", "edge"), _("down"), _("left", "edge"))[number]


def place(sight: Sight, seat: Seat, cell: Cell) -> str:
    """left of curve 3"""
    return sentences.place(sight.box, where(sight.table.built[seat], *cell), _)


def table(sight: Sight) -> list[str]:
    now: Table = sight.table
    said = [_("Round {number}.", number=now.round)]
    if now.bidding is not None:
        said.append(_("Bidding round {number} of {last}.", number=now.bidding, last=BIDDING_ROUNDS))
    known = people.tiles(sight)
    for seat, offer in enumerate(now.offers):
        if offer in known:
            said.append(_("{name} offers {tile}.", name=sight.name(seat), tile=tile(known[offer])))
    for seat, sizes in enumerate(now.creatures):
        if sizes:
            said.append(_("{name}'s scored creatures, in tiles: {sizes}.", name=sight.name(seat), sizes=sizes))
    return said


def hand(sight: Sight) -> list[str]:
    own: OwnHand = sight.own
    known = people.tiles(sight)
    said = [tile(known[piece.id]) for piece in sight.dealt if piece.id in known]
    if own.offer in known:
        return [*said, _("Your offer: {tile}", tile=tile(known[own.offer]))]
    return [*said, _("You have offered no tile yet.")]


def displays(sight: Sight) -> list[Grid]:
    """Every player's display, with the places where a tile may be built."""
    now: Table = sight.table
    known = people.tiles(sight)
    return [
        Grid(_("{name}'s display", name=sight.name(seat)), _rows(built, known))
        for seat, built in enumerate(now.built)
        if built
    ]


def _rows(built: Sequence[Built], known: dict[str, Tile]) -> list[list[str]]:
    lying = {(each.x, each.y): tile(known[each.tile], each.turn) for each in built if each.tile in known}
    free = places(built)
    columns, rows = sorted({x for x, _y in (*lying, *free)}), sorted({y for _x, y in (*lying, *free)})
    words = lying | dict.fromkeys(free, _("free place"))
    return [[words.get((x, y), _("nothing")) for x in columns] for y in rows]
