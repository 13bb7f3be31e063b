"""Who must do what, in each phase of Darwinci."""

from companion.gamekit import Seat
from companion.gamekit.screen import Headline, Sight
from companion.games.darwinci.allowance import foreign_due, most_stones
from companion.games.darwinci.screen.texts import _, listed, plural
from companion.games.darwinci.screen.words import tile
from companion.games.darwinci.view import Table


def headline(sight: Sight) -> Headline:
    table: Table = sight.table
    awaiting = sight.snapshot.awaiting
    seats, do = (awaiting.seats, awaiting.do) if awaiting else ((table.start,), ())
    seat = seats[0]
    name = sight.name(seat)
    if table.phase == "offer":
        names = listed([sight.name(seat) for seat in seats])
        return Headline((_("offer a tile", "big"),), _("Offer a tile, face down: {names}").format(names=names))
    if table.phase == "buy":
        big = _("{name}: buy?", "big")
        words = _("{name}: two new tiles for 3 Darwin, or keep yours")
        if "buy" not in do:
            big, words = _("{name}: keep", "big"), _("{name} cannot buy now: keep your tiles")
    elif table.phase == "bid":
        big, words = _("{name}: bid", "big"), _bid(table, seat)
    elif table.phase == "jewels":
        big, words = _("{name}: jewels?", "big"), _("{name}: score jewellery, or nothing")
        if "jewels" not in do:
            big, words = _("{name}: go on", "big"), _("{name} has no jewellery to score")
    else:
        big, words = _("{name}: build", "big"), _build(sight, seat, do)
    return Headline((big.format(name=name), name), words.replace("{name}", name))


def _bid(table: Table, seat: Seat) -> str:
    if table.bidding == 1:
        due = foreign_due(table, seat)
        must = plural("{count} foreign stone", "{count} foreign stones", due)
        words = _("{name}: lay {stones}, and an own one if you like") if due else _("{name}: an own stone, or none")
        return words.replace("{stones}", must)
    most = plural("{count} stone", "{count} stones", most_stones(table, seat))
    words = _("{name}: third bidding round, up to {stones}")
    if table.bidding == 2:
        words = _("{name}: second bidding round, up to {stones}")
    return words.replace("{stones}", most)


def _build(sight: Sight, seat: Seat, do: tuple[str, ...]) -> str:
    table: Table = sight.table
    if table.phase == "setup":
        if table.built[seat]:
            return _("{name}: build a second tile from your hand")
        return _("{name}: build a first tile from your hand")
    tiles = listed([tile(sight, each) for each in table.won[seat]])
    if "discard" not in do:
        return _("{name} builds: {tiles}").replace("{tiles}", tiles)
    return _("{name} has too many tiles, builds or discards: {tiles}").replace("{tiles}", tiles)
