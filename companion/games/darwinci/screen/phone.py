"""Darwinci on a phone: each player's tile, money and stones one below the other, the own display large.

What a screen asks in dialogs with pictures is asked step by step here: which tile, where, how turned.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from textual.content import Content

from companion.gamekit import Seat, numeral
from companion.gamekit.screen import Action, Choice, Menu, Sight
from companion.gamekit.sign_table import RIGHT
from companion.games.darwinci.colours import PLACE, STONES, jewel_look
from companion.games.darwinci.display import Cell
from companion.games.darwinci.screen import _, people
from companion.games.darwinci.screen.board import offered
from companion.games.darwinci.screen.display_chart import Chart, tiny_display
from companion.games.darwinci.screen.people import half_bid, half_built, half_scored, line_of
from companion.games.darwinci.screen.tile_choices import tile_choice, tile_menu, words_of
from companion.games.darwinci.screen.tile_dialog import joined
from companion.games.darwinci.screen.tiles import LARGE, MEDIUM, Block, Size, beside, blank, jewel_word
from companion.games.darwinci.view import Built, Stones, Table, colours_left, is_whole

TINY = 3
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TURNS = (0, 90, 180, 270)
WORDS = 40
ROOM = 34
"""Cells of a phone that is held upright."""


# --- The table ------------------------------------------------------------------------------------------------


def panels(sight: Sight, width: int) -> Sequence[Content]:
    """The display of the player who is asked, if one is; then all players."""
    table: Table = sight.table
    bidding = table.phase in ("buy", "offer", "bid")
    people_ = [line for seat in range(len(sight.names)) for line in _person(sight, seat, width, bidding)]
    turn = _turn(sight)
    large = [] if bidding or turn is None else [joined(_display(sight, turn, width))]
    return (*large, joined(people_), people.status(sight, width))


def _turn(sight: Sight) -> Seat | None:
    awaiting = sight.snapshot.awaiting
    return awaiting.seats[0] if awaiting else None


def _display(sight: Sight, seat: Seat, width: int) -> Block:
    anatomy = people.anatomy(sight, seat, half_built(sight))
    caption = Content.assemble(
        (f"{sight.name(seat)}  {people.size(sight, seat)}", "bold"), "  ", people.creatures(sight, seat)
    )
    if not anatomy.all:
        return [caption]
    chart = Chart(anatomy, LARGE, sight.box.jewels, lit=half_scored(sight))
    if chart.columns * LARGE.width > width:
        chart = Chart(anatomy, MEDIUM, sight.box.jewels, lit=half_scored(sight))
    return [caption, *chart.drawn()]


def _person(sight: Sight, seat: Seat, width: int, bidding: bool) -> Iterator[Content]:
    half = half_bid(sight)
    yield people.named(sight, seat, width)
    owns = Content.assemble("  ", people.money(sight, seat), "  ", people.held(sight, seat))
    yield owns
    yield Content.assemble(
        "  ", people.size(sight, seat), "  ", people.jewels(sight, seat), "  ", people.creatures(sight, seat)
    )
    anatomy = people.anatomy(sight, seat)
    (_left, top), (_right, bottom) = anatomy.extent()
    tiny = tiny_display(anatomy, 4 * TINY, bottom - top + 1, TINY) if anatomy.all else []
    if bidding and sight.table.phase != "buy":
        tile = offered(sight, seat, width - 4 * TINY - 4, half.stones if half else ())
        yield from beside([Content("  ")], tile, tiny or [Content("")])
    elif seat != _turn(sight) or bidding:
        yield from (Content.assemble("  ", line) for line in tiny)


# --- Questions ------------------------------------------------------------------------------------------------


def menu(sight: Sight, actions: Sequence[Action]) -> Menu | None:
    """Step by step what a screen asks with a picture to touch; None: one action, and nothing to ask."""
    asks: dict[str, Callable[[Sight, Sequence[Action]], Menu]] = {
        "build": _build,
        "bid": lambda now, _some: _bid(now, actions[0]["seat"], ()),
        "jewels": _jewels,
    }
    ask = asks.get(actions[0]["do"])
    return ask(sight, actions) if ask else None


def _build(sight: Sight, actions: Sequence[Action]) -> Menu:
    """D3 Which tile, where, how turned."""
    places: dict[str, list[Cell]] = {}
    for action in actions:
        cells = places.setdefault(action["tile"], [])
        if (action["x"], action["y"]) not in cells:
            cells.append((action["x"], action["y"]))
    seat = actions[0]["seat"]
    title = _("{name}: which tile do you build?", name=sight.name(seat))
    steps: dict[str, Any] = {tile: partial(_place, sight, seat, tile, cells) for tile, cells in places.items()}
    return tile_menu(sight, title, steps)


class Lettered(Chart):
    """A display whose free places have letters."""

    def _cell(self, place: Cell) -> Block:
        if place in self._free and place not in self._anatomy.looks:
            return blank(self._size, PLACE, LETTERS[self._free.index(place) % len(LETTERS)])
        return super()._cell(place)


def _lettered(sight: Sight, seat: Seat, free: Sequence[Cell], ghost: Built | None = None) -> Content:
    anatomy = people.anatomy(sight, seat, ghost)
    room = people.anatomy(sight, seat).extent(free)
    size: Size = LARGE if (room[1][0] - room[0][0] + 1) * LARGE.width <= ROOM else MEDIUM
    return joined(Lettered(anatomy, size, sight.box.jewels, free=free).drawn())


def _place(sight: Sight, seat: Seat, tile: str, cells: Sequence[Cell]) -> Menu:
    turn = partial(_turned, sight, seat, tile)
    if len(cells) == 1:
        return turn(cells[0])
    choices = [Choice(LETTERS[n % len(LETTERS)], partial(turn, cell)) for n, cell in enumerate(cells)]
    title = _("{name} builds: {tile}", name=sight.name(seat), tile=words_of(people.tiles(sight)[tile]))
    return Menu(title, choices, picture=_lettered(sight, seat, cells))


def _turned(sight: Sight, seat: Seat, tile: str, cell: Cell) -> Menu:
    """Each way with what it would join."""
    known = people.tiles(sight)[tile]
    choices = []
    for turn in TURNS:
        ghost = Built(tile, *cell, turn)
        joints = people.anatomy(sight, seat, ghost).joints
        join = _("{count:bone joins|bones join}", count=joints)
        action = {"do": "build", "seat": seat, "tile": tile, "x": cell[0], "y": cell[1], "turn": turn}
        choices.append(tile_choice(sight, known, action, turn, join))
    return Menu(_("How is it turned?"), choices, picture=_lettered(sight, seat, [cell]))


def _bid(sight: Sight, seat: Seat, laid: tuple[Stones, ...]) -> Menu:
    """D4, D5 One stone after another; what is laid so far stands above."""
    table: Table = sight.table
    so_far = [Content(_stone_words(sight, part)) for part in laid] or [Content.styled(_("nothing yet"), "$quiet")]
    picture = joined([Content.styled(_("your bid"), "bold"), *so_far])
    choices = []
    for colour in colours_left(table, seat, laid):
        for on in range(len(sight.names)):
            stone = Stones(on, colour, 1)
            choices.append(Choice(_stone_words(sight, stone), partial(_bid, sight, seat, (*laid, stone))))
    if is_whole(table, seat, laid):
        words = _("Lay {count:stone|stones}", count=len(laid)) if laid else _("Lay nothing")
        choices.insert(0, Choice(words, {"do": "bid", "seat": seat, "stones": _counted(laid)}))
    due = people.due_words(table, seat, laid)
    return Menu(due[:1].upper() + due[1:], choices, picture=picture)


def _stone_words(sight: Sight, part: Stones) -> str:
    words = _("{owner}'s stone {to} {name}'s tile", to=RIGHT, owner=sight.name(part.colour), name=sight.name(part.on))
    return f"{STONES[part.colour]} {words}"


def _counted(laid: Sequence[Stones]) -> list[dict[str, int]]:
    counts: dict[tuple[Seat, Seat], int] = {}
    for part in laid:
        counts[part.on, part.colour] = counts.get((part.on, part.colour), 0) + part.count
    return [{"on": on, "colour": colour, "count": count} for (on, colour), count in counts.items()]


def _jewels(sight: Sight, actions: Sequence[Action]) -> Menu:
    """D15 The best line first, each with its sum."""
    seat = actions[0]["seat"]
    ranked = sorted(actions, key=lambda action: -_worth(sight, action)[0] * _worth(sight, action)[1])
    choices = [Choice(_line_words(sight, action), action) for action in ranked]
    return Menu(
        _("{name}: which jewellery, in which line?", name=sight.name(seat)),
        choices,
        picture=joined(_display(sight, seat, ROOM)),
    )


def _worth(sight: Sight, action: Action) -> tuple[int, int]:
    cells, known = line_of(sight, action), people.tiles(sight)
    tiles = [known[placed.tile] for placed in sight.table.built[action["seat"]] if (placed.x, placed.y) in cells]
    return sum(tile.jewels.count(action["kind"]) for tile in tiles), sum(tile.value or 0 for tile in tiles)


def _line_words(sight: Sight, action: Action) -> str:
    symbols, values = _worth(sight, action)
    (left, top), _last = people.anatomy(sight, action["seat"]).extent()
    row = action["line"] == "row"
    count = (action["y"] - top if row else action["x"] - left) + 1
    where = _("row {number}", number=count) if row else _("col. {number}", number=count)
    sign = jewel_look(action["kind"], sight.box.jewels)[0]
    return f"{sign} {jewel_word(action['kind'])}, {where}: {symbols} × {numeral(values)} = {numeral(symbols * values)}"
