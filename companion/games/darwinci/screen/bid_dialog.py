"""A bid is put together stone by stone: which tile, which colour; taken back, or laid."""

from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from companion.gamekit import Seat, plain
from companion.gamekit.screen import Action, Panel, Picture, Sight
from companion.gamekit.sign_table import LEFT, RIGHT
from companion.games.darwinci.colours import STONES
from companion.games.darwinci.screen import _, people
from companion.games.darwinci.screen.board import offered
from companion.games.darwinci.screen.display_chart import Chart
from companion.games.darwinci.screen.people import half_bid
from companion.games.darwinci.screen.tile_dialog import Key, Post, TileDialog, band, joined, largest
from companion.games.darwinci.screen.tiles import HUGE, LARGE, MEDIUM, WALL, Block, Size, beside, framed
from companion.games.darwinci.view import Stones, Table, colours_left, is_whole

AROUND = 15
"""Rows that are not for the own display."""
TALL, ROOMY = 20, 28
"""Rows from which on tiles are larger: those on offer, and the own ones."""
BESIDE_OWN, BID = 12, 52
"""Rows and cells that the own display leaves to the rest."""


class Bidding(TileDialog):
    """Left and right choose the tile, 1 to 5 lay a stone of that player's colour on it, Enter ends the bid."""

    BINDINGS = [
        ("left", "go(-1)", ""),
        ("right", "go(1)", ""),
        ("backspace,delete", "take_back", ""),
        ("enter", "lay", ""),
    ]

    def __init__(self, sight: Sight, actions: tuple[Action, ...], post: Post) -> None:
        self._seat: Seat = actions[0]["seat"]
        self._table: Table = sight.table
        super().__init__(self._words, sight, post, valid=self._still)
        half = half_bid(sight)
        self._stones: list[Stones] = list(half.stones) if half is not None and half.seat == self._seat else []
        self._on: Seat = sight.table.start

    def _still(self, now: Sight) -> bool:
        table: Table = now.table
        mine = [action["seat"] for action in now.doing("bid")] == [self._seat]
        return mine and (table.round, table.bidding, table.on) == (
            self._table.round,
            self._table.bidding,
            self._table.on,
        )

    def content(self) -> ComposeResult:
        yield Panel(classes="line")
        yield Picture(id="offers")
        with Horizontal(classes="row"):
            yield Panel(classes="info")
            yield Picture(id="own")
        with Horizontal(classes="band"):
            for colour in range(len(self.sight.names)):
                label = partial(self._colour_label, colour)
                yield Key(partial(str, colour + 1), label, partial(self.action_stone, colour), classes="colour")
        yield from band(
            Key(lambda: _("Del", "key"), lambda: _("Take back"), self.action_take_back, classes="back"),
            Key(lambda: "Enter", self._lay_label, self.action_lay, classes="go"),
            Key(lambda: "Esc", lambda: _("Back"), self.action_leave),
        )

    # --- What is seen ---

    def _words(self) -> str:
        return _("{name} bids", name=self.sight.name(self._seat))

    @property
    def _to_go(self) -> int:
        return people.to_go(self._table, self._seat, self._stones)

    def paint(self) -> None:
        offers = self.query_one("#offers", Picture)
        offers.styles.height = self._tile_size.height + 2
        offers.show(joined(self._offers()))
        self._paint_own()
        self.draw(".line", people.due_words(self._table, self._seat, self._stones))
        self.draw(".info", self._draft())
        possible = colours_left(self._table, self._seat, self._stones)
        for colour, button in enumerate(self.query(".colour").results(Key)):
            button.disabled = colour not in possible
            button.redraw()
        whole = is_whole(self._table, self._seat, self._stones)
        for button in self.query(".go").results(Key):
            button.disabled = not whole
            button.variant = "success" if whole and self._stones else "default"
            button.redraw()
        for button in self.query(".back").results(Key):
            button.disabled = not self._stones

    def _paint_own(self) -> None:
        """The own display, where there is room for it: the tile should fit there."""
        anatomy = people.anatomy(self.sight, self._seat)
        chart = Chart(anatomy, MEDIUM, self.sight.box.jewels)
        if self.rows >= ROOMY:
            room = self.rows - self._tile_size.height - BESIDE_OWN
            size = largest(chart.columns, chart.rows, self.size.width - BID, room)
            chart = Chart(anatomy, size, self.sight.box.jewels)
        own = self.query_one("#own", Picture)
        own.display = (
            bool(anatomy.all)
            and chart.rows * MEDIUM.height + AROUND + self._tile_size.height - LARGE.height <= self.rows
        )
        own.show(joined([Content.styled(_("your tiles so far"), "$quiet"), *chart.drawn()]))

    @property
    def _tile_size(self) -> Size:
        """Of the offered tiles, beside which the stones need some cells."""
        sizes = (WALL, HUGE) if self.rows >= ROOMY else (HUGE,) if self.rows >= TALL else ()
        return next((size for size in sizes if self._column >= size.width + 10), LARGE)

    def _offers(self) -> Block:
        width = self._column
        blocks = []
        for seat in range(len(self.sight.names)):
            tile = offered(self.sight, seat, width - 2, tuple(self._stones), self._tile_size)
            blocks.append(framed(tile, width, self.sight.name(seat), chosen=seat == self._on))
        return beside(*blocks)

    @property
    def _column(self) -> int:
        return (self.size.width - 1) // len(self.sight.names) - 1

    def _draft(self) -> Content:
        """The bid so far, stone by stone."""
        arrows = _("{left} {right} choose the tile, a number lays a stone on it", left=LEFT, right=RIGHT)
        lines = [Content.styled(arrows, "$quiet"), Content.styled(_("your bid"), "bold")]
        for part in self._stones:
            owner, tile = self.sight.name(part.colour), self.sight.name(part.on)
            sign = f"{STONES[part.colour]} "
            lines.append(Content(sign + _("{owner}'s stone {to} {name}'s tile", to=RIGHT, owner=owner, name=tile)))
        if not self._stones:
            lines.append(Content.styled(_("nothing yet"), "$quiet"))
        return joined(lines)

    def _colour_label(self, colour: Seat) -> str:
        left = self._table.stones[self._seat][colour] - sum(each.colour == colour for each in self._stones)
        room = self._column - 6
        return f"{STONES[colour]}{left} {plain(self.sight.name(colour), room)}"

    def _lay_label(self) -> str:
        if self._to_go:
            return _("{count} to go", count=self._to_go)
        return _("Lay {count:stone|stones}", count=len(self._stones)) if self._stones else _("Lay nothing")

    # --- Handlers and actions ---

    def on_picture_touched(self, event: Picture.Touched) -> None:
        seat = event.x // (self._column + 1)
        if event.picture.id == "offers" and seat < len(self.sight.names):
            self._on = seat
            self.paint()

    def on_key(self, event: events.Key) -> None:
        if event.key.isdecimal() and 0 < int(event.key) <= len(self.sight.names):
            event.stop()
            self.action_stone(int(event.key) - 1)

    def action_go(self, step: int) -> None:
        self._on = (self._on + step) % len(self.sight.names)
        self.paint()

    def action_stone(self, colour: Seat) -> None:
        if colour in colours_left(self._table, self._seat, self._stones):
            self._stones.append(Stones(self._on, colour, 1))
            self.paint()

    def action_take_back(self) -> None:
        if self._stones:
            self._stones.pop()
            self.paint()

    def action_lay(self) -> None:
        if is_whole(self._table, self._seat, self._stones):
            counts: dict[tuple[Seat, Seat], int] = {}
            for part in self._stones:
                counts[part.on, part.colour] = counts.get((part.on, part.colour), 0) + part.count
            stones = [{"on": on, "colour": colour, "count": count} for (on, colour), count in counts.items()]
            self.say({"do": "bid", "seat": self._seat, "stones": stones})
