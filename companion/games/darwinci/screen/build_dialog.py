"""Where a tile is built and how it is turned, with a preview of what would join and what it would bring."""

from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from companion.gamekit import plain
from companion.gamekit.screen import Action, Choices, Menu, Panel, Picture, Sight, Worded
from companion.gamekit.sign_table import JOINS, RIGHT, WRONG
from companion.games.darwinci.colours import DEAD, JOINED, OPEN, chip
from companion.games.darwinci.display import FRAME, Cell, Creature
from companion.games.darwinci.screen import _, people
from companion.games.darwinci.screen.display_chart import Chart
from companion.games.darwinci.screen.people import half_built
from companion.games.darwinci.screen.tile_choices import tile_menu
from companion.games.darwinci.screen.tile_dialog import Key, Post, TileDialog, band, joined, largest
from companion.games.darwinci.sentences import tile as tile_word
from companion.games.darwinci.view import Built

INFO = 24
"""Cells beside the picture."""


class Building(TileDialog):
    """Arrows choose the place, r turns the tile, Tab takes another one, Enter builds it."""

    BINDINGS = [
        ("left", "go(-1, 0)", ""),
        ("right", "go(1, 0)", ""),
        ("up", "go(0, -1)", ""),
        ("down", "go(0, 1)", ""),
        ("r,space", "turn", ""),
        ("tab", "other", ""),
        ("d", "discard", ""),
        ("enter", "build", ""),
    ]

    def __init__(self, sight: Sight, actions: tuple[Action, ...], post: Post) -> None:
        self._seat: int = actions[0]["seat"]
        super().__init__(
            self._words,
            sight,
            post,
            valid=lambda now: bool(now.doing("build")) and now.table.built == sight.table.built,
        )
        self._actions = actions
        self._tiles = list(dict.fromkeys(action["tile"] for action in actions))
        self._from_hand = sight.table.phase == "setup"
        draft = half_built(sight)
        self._tile = "" if self._from_hand else self._tiles[0]
        self._place: Cell = self._places(self._tile)[0]
        self._turn = 0
        if draft is not None and draft.tile in self._tiles:
            self._tile, self._place, self._turn = draft.tile, (draft.x, draft.y), draft.turn
        self._discards = {action["tile"]: action for action in sight.doing("discard")}
        self._chart: Chart | None = None

    def content(self) -> ComposeResult:
        with Horizontal(classes="row"):
            yield Picture()
            yield Panel(classes="info")
        keys = [
            Key(lambda: "r", lambda: _("Turn"), self.action_turn),
            Key(lambda: "Tab", lambda: _("Other tile"), self.action_other),
            Key(lambda: "Enter", lambda: _("Build"), self.action_build, variant="success"),
            Key(lambda: "Esc", lambda: _("Back"), self.action_leave),
        ]
        if self._discards:
            keys.insert(2, Key(lambda: "d", lambda: _("Discard"), self.action_discard, variant="warning"))
        yield from band(*keys)

    def on_mount(self) -> None:
        super().on_mount()
        if not self._tile:
            self.action_other()

    # --- What is seen ---

    def _asking(self) -> str:
        return _("{name}: which tile do you build?", name=self.sight.name(self._seat))

    def _words(self) -> str:
        tile = people.tiles(self.sight).get(self._tile)
        if tile is None:  # the picker above asks for one
            return ""
        name = self.sight.name(self._seat)
        return _("{name} builds: {tile}", name=name, tile=plain(tile_word(tile, _), 30))

    def paint(self) -> None:
        free = self._places(self._tile)
        anatomy = people.anatomy(self.sight, self._seat, self._ghost())
        room = people.anatomy(self.sight, self._seat).extent(free)
        columns, rows = room[1][0] - room[0][0] + 1, room[1][1] - room[0][1] + 1
        size = largest(max(columns, FRAME[0]), rows, self.size.width - INFO, self.rows - 5)
        self._chart = Chart(anatomy, size, self.sight.box.jewels, free=free)
        picture = self.query_one(Picture)
        self.query_one(".box").visible = bool(self._tile)  # the table is behind the picker, not an empty box
        picture.show(joined(self._chart.drawn()))
        self.draw(".info", self._preview())

    def _ghost(self) -> Built | None:
        return Built(self._tile, *self._place, self._turn) if self._tile else None

    def _preview(self) -> Content:
        """What would happen, before it happens."""
        ghost = self._ghost()
        if ghost is None:
            return Content("")
        anatomy = people.anatomy(self.sight, self._seat, ghost)
        join = _("{count:bone joins|bones join}", count=anatomy.joints)
        lines = [
            Content.assemble((JOINS, chip(JOINED)), " ", join),
            *[line for body in anatomy.new_creatures for line in _closing(body.creature)],
            *self._cost(),
            Content(""),
            Content.assemble((RIGHT, chip(OPEN)), " ", (_("open end"), "$quiet")),
            Content.assemble((WRONG, chip(DEAD)), " ", (_("can never join"), "$quiet")),
            Content(""),
            *self._to_come(),
        ]
        if len(self._places(self._tile)) > 1:
            lines += [Content(""), Content.styled(_("Arrows move it"), "$quiet")]
        return joined(lines)

    def _cost(self) -> list[Content]:
        tile = people.tiles(self.sight)[self._tile]
        if not tile.minus:
            return []
        return [Content.styled(_("costs {darwin} Darwin", darwin=-(tile.value or 0)), chip(DEAD))]

    def _to_come(self) -> list[Content]:
        """Money, and the other tiles that wait."""
        lines = [people.money(self.sight, self._seat)]
        if not self._from_hand:
            known = people.tiles(self.sight)
            won = [tile for tile in self.sight.table.won[self._seat] if tile != self._tile and tile in known]
            names = [plain(tile_word(known[tile], _), INFO - 2) for tile in won]
            lines += [Content.styled(_("then:"), "$quiet")] * bool(names) + [Content(name) for name in names]
        return lines

    # --- Handlers and actions ---

    def on_picture_touched(self, event: Picture.Touched) -> None:
        if self._chart is None or not self._tile:
            return
        place = self._chart.place(event.x, event.y)
        if place == self._place:
            self.action_turn()
        elif place in self._places(self._tile):
            self._place = place
            self.paint()

    def action_go(self, dx: int, dy: int) -> None:
        self._place = self.next_place(dx, dy)
        self.paint()

    def next_place(self, dx: int, dy: int) -> Cell:
        """The nearest free place in this direction, less far across than along; the same one if there is none."""
        x, y = self._place
        ahead = [(px, py) for px, py in self._places(self._tile) if (px - x) * dx + (py - y) * dy > 0]
        return min(ahead, key=lambda place: _far(place, (x, y), dx), default=self._place)

    def action_turn(self) -> None:
        self._turn = (self._turn + 90) % 360
        self.paint()

    def action_other(self) -> None:
        """The next of the won tiles; in the set-up any tile that can be in a hand."""
        if self._from_hand:
            self.app.push_screen(Choices(self._hand, valid=self._valid), self._taken)
        else:
            at = self._tiles.index(self._tile)
            self._take(self._tiles[(at + 1) % len(self._tiles)])
            self.paint()

    def _take(self, tile: str) -> None:
        self._tile = tile
        if self._place not in self._places(tile):
            self._place = self._places(tile)[0]
        for title in self.query(".title").results(Worded):
            title.redraw()

    def _hand(self) -> Menu:
        """All that can be in a hand."""
        return tile_menu(self.sight, self._asking(), {tile: {"tile": tile} for tile in self._tiles})

    def _taken(self, picked: Any) -> None:
        if picked is not None:
            self._take(picked["tile"])
        if not self._tile:
            self.leave()
        else:
            self.paint()

    def action_discard(self) -> None:
        if self._tile in self._discards:
            self.say(self._discards[self._tile])

    def action_build(self) -> None:
        if self._tile:
            x, y = self._place
            self.say({"do": "build", "seat": self._seat, "tile": self._tile, "x": x, "y": y, "turn": self._turn})

    def _places(self, tile: str) -> list[Cell]:
        """Where this tile may lie; the same places for all of them."""
        tile = tile or self._tiles[0]
        return [(action["x"], action["y"]) for action in self._actions if action["tile"] == tile]


def _closing(creature: Creature) -> list[Content]:
    tiles, ends, points = len(creature.tiles), creature.ends, creature.points
    words = [
        _("closes a creature:"),
        _("{tiles} × {ends} = {points} Darwin", tiles=tiles, ends=ends, points=points),
    ]
    return [Content.styled(line, chip(JOINED)) for line in words]


def _far(place: Cell, start: Cell, dx: int) -> tuple[int, int]:
    """How far a place lies off the way, and how far along it."""
    across, along = abs(place[0] - start[0]), abs(place[1] - start[1])
    return (along, across) if dx else (across, along)
