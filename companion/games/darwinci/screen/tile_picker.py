"""Any tile of the box by its picture: filtered by shape, value, jewellery or id. For tables without readers."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from companion.gamekit import plain
from companion.gamekit.screen import Panel, Picture, Sight, Words
from companion.games.darwinci import sentences
from companion.games.darwinci.colours import EARTH, GHOST, jewel_look
from companion.games.darwinci.components import Tile
from companion.games.darwinci.screen import _, people
from companion.games.darwinci.screen.tile_dialog import Key, TileDialog, band, joined
from companion.games.darwinci.screen.tiles import LARGE, Block, TileLook, beside, drawn, jewel_word

NONE = "none"
"""A value that is not printed."""
AROUND = 8
"""Rows that are not for tiles."""


class Filter(NamedTuple):
    """What a tile must have; "" for anything."""

    shape: str = ""
    value: str = ""
    jewel: str = ""
    id: str = ""

    def passes(self, tile: Tile) -> bool:
        return (
            self.shape in ("", sentences.shape_of(tile))
            and self.value in ("", _value(tile))
            and (not self.jewel or self.jewel in tile.jewels)
            and self.id.lower() in tile.id.lower()
        )


def _value(tile: Tile) -> str:
    return NONE if tile.value is None else str(tile.value)


class TilePicker(TileDialog):
    """Arrows choose, Enter takes; 1 to 6 filter by shape, v by value, j by jewellery; / and an id.

    What was taken goes to `taken` and nowhere else: it may be a secret.
    """

    BINDINGS = [
        ("left", "go(-1, 0)", ""),
        ("right", "go(1, 0)", ""),
        ("up", "go(0, -1)", ""),
        ("down", "go(0, 1)", ""),
        ("pageup", "page(-1)", ""),
        ("pagedown", "page(1)", ""),
        ("v", "value", ""),
        ("j", "jewel", ""),
        ("slash", "typing", ""),
        ("enter", "take", ""),
    ]

    def __init__(
        self,
        sight: Sight,
        tiles: Sequence[str],
        taken: Callable[[str], None],
        *,
        title: Words,
        valid: Callable[[Sight], bool],
    ) -> None:
        super().__init__(title, sight, lambda action: None, valid=valid)
        known = people.tiles(sight)
        self._tiles = [known[tile] for tile in tiles if tile in known]
        self._taken = taken
        self._filter = Filter()
        self._typing = False
        self._at = 0

    def content(self) -> ComposeResult:
        with Horizontal(classes="band"):
            for number, shape in enumerate(sentences.SHAPES, 1):
                label = partial(self._shape_label, shape)
                yield Key(partial(str, number), label, partial(self.action_shape, shape), classes="shape")
        yield Panel(classes="line")
        with Horizontal(classes="row"):
            yield Picture()
        yield from band(
            Key(lambda: "v", lambda: _("Value"), self.action_value),
            Key(lambda: "j", lambda: _("Jewellery"), self.action_jewel),
            Key(lambda: "Enter", lambda: _("Take"), self.action_take, variant="success"),
            Key(lambda: "Esc", lambda: _("Cancel"), self.action_leave),
        )

    # --- What is seen ---

    @property
    def _shown(self) -> list[Tile]:
        return [tile for tile in self._tiles if self._filter.passes(tile)]

    @property
    def _columns(self) -> int:
        return max(1, (self.size.width - 1) // (LARGE.width + 1))

    @property
    def _per_page(self) -> int:
        return self._columns * max(1, (self.size.height - AROUND) // LARGE.height)

    def paint(self) -> None:
        shown, columns, page = self._shown, self._columns, self._per_page
        first = self._at // page * page
        rows: Block = []
        for start in range(first, min(first + page, len(shown)), columns):
            line = [self._drawn(number, shown[number]) for number in range(start, min(start + columns, len(shown)))]
            rows += beside(*line)
        self.query_one(Picture).show(joined(rows or [Content.styled(_("no such tile"), "$quiet")]))
        self.draw(".line", self._wanted())
        for button in self.query(".shape").results(Key):
            button.variant = "primary" if button.name == f"shape({self._filter.shape!r})" else "default"

    def _drawn(self, number: int, tile: Tile) -> Block:
        ground = GHOST if number == self._at else EARTH[number % 2]
        return drawn(TileLook(tile, ground=ground), LARGE, self.sight.box.jewels)

    def _shape_label(self, shape: str) -> str:
        return _("Double", "button") if shape == "double" else sentences.shape(shape, _).capitalize()

    def _wanted(self) -> Content:
        """What is filtered, how many are left, and which one is chosen."""
        shown, wanted = self._shown, self._filter
        parts = [_("{count:bone tile|bone tiles}", count=len(shown))]
        if wanted.value:
            none = wanted.value == NONE
            parts.append(_("without a value") if none else _("value {value}", value=int(wanted.value)))
        if wanted.jewel:
            parts.append(f"{jewel_look(wanted.jewel, self.sight.box.jewels)[0]} {jewel_word(wanted.jewel)}")
        if self._typing or wanted.id:
            parts.append(_("id: {id}", id=plain(wanted.id) + "…" * self._typing))
        chosen = f"{sentences.tile(shown[self._at], _)} [{plain(shown[self._at].id, 20)}]" if shown else ""
        return Content.assemble(("   ".join(parts), "$quiet"), "   ", (plain(chosen, 60), "bold"))

    # --- Handlers and actions ---

    def on_picture_touched(self, event: Picture.Touched) -> None:
        """Once to choose it, once more to take it."""
        page = self._per_page
        row, column = event.y // LARGE.height, event.x // (LARGE.width + 1)
        number = self._at // page * page + row * self._columns + column
        if column < self._columns and number < len(self._shown):
            if number == self._at:
                self.action_take()
            else:
                self._at = number
                self.paint()

    def on_key(self, event: events.Key) -> None:
        if self._typing and (event.is_printable or event.key in ("backspace", "escape")):
            event.stop()
            event.prevent_default()
            self._type(event)
        elif event.key.isdecimal() and 0 < int(event.key) <= len(sentences.SHAPES):
            event.stop()
            self.action_shape(sentences.SHAPES[int(event.key) - 1])

    def _type(self, event: events.Key) -> None:
        if event.key == "escape":
            self._typing = False
            self._narrow(id="")
        elif event.key == "backspace":
            self._narrow(id=self._filter.id[:-1])
        else:
            self._narrow(id=self._filter.id + (event.character or ""))

    def _narrow(self, **wanted: str) -> None:
        self._filter = self._filter._replace(**wanted)
        self._at = 0
        self.paint()

    def action_shape(self, shape: str) -> None:
        self._narrow(shape="" if self._filter.shape == shape else shape)

    def action_value(self) -> None:
        """The next value that any tile has, round and round."""
        printed = sorted({tile.value for tile in self._tiles if tile.value is not None})
        missing = [NONE] if any(tile.value is None for tile in self._tiles) else []
        self._narrow(value=_next(["", *map(str, printed), *missing], self._filter.value))

    def action_jewel(self) -> None:
        self._narrow(jewel=_next(["", *self.sight.box.jewels], self._filter.jewel))

    def action_typing(self) -> None:
        self._typing = True
        self.paint()

    def action_go(self, dx: int, dy: int) -> None:
        self._go(dx + dy * self._columns)

    def action_page(self, direction: int) -> None:
        self._go(direction * self._per_page)

    def _go(self, steps: int) -> None:
        if 0 <= self._at + steps < len(self._shown):
            self._at += steps
            self.paint()
        elif abs(steps) > 1 and self._shown:
            self._at = len(self._shown) - 1 if steps > 0 else 0
            self.paint()

    def action_take(self) -> None:
        if self._shown and self.app.screen is self:
            self._taken(self._shown[self._at].id)
            self.leave(True)


def _next(values: list[str], value: str) -> str:
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]
