"""The face of Darwinci: its headline, its buttons, its questions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from textual.content import Content

from companion.gamekit import Said, Seat, Told
from companion.gamekit.enrolment import Values
from companion.gamekit.screen import Action, Call, Command, Face, Going, Grid, Headline, Menu, Sight
from companion.games.darwinci.colours import JEWELLERY_POINTS, OTHER_POINTS, POINTS
from companion.games.darwinci.components import Box, Tile
from companion.games.darwinci.options import Options
from companion.games.darwinci.screen import TEXTS, _, people, phone, settlement, tile_words
from companion.games.darwinci.screen.bid_dialog import Bidding
from companion.games.darwinci.screen.board import market, workshop
from companion.games.darwinci.screen.build_dialog import Building
from companion.games.darwinci.screen.line_choice import Scoring
from companion.games.darwinci.screen.tile_choices import tile_menu
from companion.games.darwinci.screen.tile_dialog import Post, TileDialog, joined
from companion.games.darwinci.screen.tiles import HUGE, LARGE, WALL, TileLook, beside, drawn
from companion.games.darwinci.sentences import PIECES, PLACES, RULINGS, SENTENCES, word
from companion.games.darwinci.view import OwnHand, Table, foreign_due, most_stones

# --- The headline ---------------------------------------------------------------------------------------------


def headline(sight: Sight) -> Headline:
    table: Table = sight.table
    awaiting = sight.snapshot.awaiting
    seats, do = (awaiting.seats, awaiting.do) if awaiting else ((table.start,), ())
    seat, yours = seats[0], ""
    name = sight.name(seat)
    if table.phase == "offer":
        names = tuple(sight.name(seat) for seat in seats)
        words = _("Offer a tile, face down: {names}", names=names)
        return Headline((_("offer a tile", "big"),), words, _("Offer a tile, face down"))
    if table.phase == "buy":
        big = _("{name}: buy?", "big", name=name)
        words = _("{name}: two new tiles for 3 Darwin, or keep yours", name=name)
        if "buy" not in do:
            big = _("{name}: keep", "big", name=name)
            words = _("{name} cannot buy now: keep your tiles", name=name)
    elif table.phase == "bid":
        big, words = _("{name}: bid", "big", name=name), _bid(table, seat, name)
        yours = people.due_words(table, seat, ())
    elif table.phase == "jewels":
        big, words = _("{name}: jewels?", "big", name=name), _("{name}: score jewellery, or nothing", name=name)
        if "jewels" not in do:
            big, words = _("{name}: go on", "big", name=name), _("{name} has no jewellery to score", name=name)
    else:
        big, words = _("{name}: build", "big", name=name), _build(sight, seat, do)
        yours = _("Too many tiles: build one or discard one") if "discard" in do else _("Build a tile onto yours")
    return Headline((big, name), words, yours[:1].upper() + yours[1:])


def _bid(table: Table, seat: Seat, name: str) -> str:
    if table.bidding == 1:
        due = foreign_due(table, seat)
        if not due:
            return _("{name}: one of your own stones, or none", name=name)
        must = _("{count:stone of another colour|stones of other colours}", count=due)
        return _("{name}: lay {stones} on any tiles, and one of your own if you like", name=name, stones=must)
    most = _("{count:stone|stones}", count=most_stones(table, seat))
    if table.bidding == 2:
        return _("{name}: second bidding round, lay up to {stones} on any tiles", name=name, stones=most)
    return _("{name}: third bidding round, lay up to {stones} on any tiles", name=name, stones=most)


def _build(sight: Sight, seat: Seat, do: tuple[str, ...]) -> str:
    table: Table = sight.table
    name = sight.name(seat)
    if table.phase == "setup":
        if table.built[seat]:
            return _("{name}: build a second tile from your hand", name=name)
        return _("{name}: build a first tile from your hand", name=name)
    tiles = tuple(people.tile_word(sight, each) for each in table.won[seat])
    if "discard" not in do:
        return _("{name}: build {tiles} onto your tiles", name=name, tiles=tiles)
    return _("{name} has too many tiles, builds or discards: {tiles}", name=name, tiles=tiles)


# --- The face -------------------------------------------------------------------------------------------------


class Darwinci(Face):
    view_type, box_type, own_type, options = Table, Box, OwnHand, Options
    texts, sentences, rulings = TEXTS, SENTENCES, RULINGS
    word, piece_words, place_words = staticmethod(word), PIECES, PLACES
    reveals = settlement.STEPS
    rounds = frozenset({"everyone draws"})
    order = ("start", "creature")

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        return (
            Command("build", ("b",), _("Build"), "success"),
            Command("discard", ("d",), _("Discard"), "warning"),
            Command("buy", ("y",), _("Buy"), "success"),
            Command("keep", ("k",), _("Keep"), "primary"),
            Command("offer", ("o",), _("Offer"), "success"),
            Command("bid", ("s", "space"), _("Stones"), "success"),
            Command("jewels", ("j",), _("Jewellery", "button"), "success"),
            Command("skip", ("x",), _("Nothing", "button"), "error"),
        )

    def hand(self, sight: Sight, choosing: bool) -> Content:
        """D21 The own offer, as long as it lies face down."""
        own: OwnHand = sight.own
        if sight.dealt and not choosing:
            return joined([*_held(sight), *self._offer(sight, own)])
        return joined(self._offer(sight, own) or [Content(_("You have offered no tile yet."))])

    def _offer(self, sight: Sight, own: OwnHand) -> list[Content]:
        tile = next((tile for tile in sight.box.tiles if tile.id == own.offer), None)
        if tile is None:
            return []
        return [Content(_("Your offer:")), *drawn(TileLook(tile), LARGE, sight.box.jewels)]

    def in_words(self, sight: Sight) -> Sequence[str]:
        return tile_words.table(sight)

    def hand_in_words(self, sight: Sight) -> Sequence[str]:
        return tile_words.hand(sight)

    def grids(self, sight: Sight) -> Sequence[Grid]:
        return tile_words.displays(sight)

    def headline(self, sight: Sight) -> Headline:
        return headline(sight)

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        bidding = sight.table.phase in ("buy", "offer", "bid")
        return (joined((market if bidding else workshop)(sight, width, tall)),)

    def phone_panels(self, sight: Sight, width: int) -> Sequence[Content]:
        return phone.panels(sight, width)

    def phone_menu(self, sight: Sight, actions: Sequence[Action]) -> Menu | None:
        return phone.menu(sight, actions) or super().phone_menu(sight, actions)

    def grown(self, sight: Sight, width: int) -> Sequence[Content]:
        """Larger tiles, of those that are offered as of those that are built."""
        bidding = sight.table.phase in ("buy", "offer", "bid")
        return (joined(market(sight, width, True, WALL) if bidding else workshop(sight, width, True, HUGE)),)

    def legend(self, sight: Sight) -> Content:
        return people.whole_legend(sight)

    def going(self, sight: Sight) -> Going:
        return "clockwise"

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        """D2, D19 Which tile is offered, or discarded; everything else has a dialog of its own."""
        title = _("Which tile do you offer?") if actions[0]["do"] == "offer" else _("Which tile is discarded?")
        return tile_menu(sight, title, {action["tile"]: action for action in actions})

    def dialog(self, sight: Sight, actions: Sequence[Action], post: Post) -> TileDialog | None:
        dialogs: dict[str, Callable[[Sight, tuple[Action, ...], Post], TileDialog]] = {
            "build": Building,
            "bid": Bidding,
            "jewels": Scoring,
        }
        ask = dialogs.get(actions[0]["do"])
        return ask(sight, tuple(actions), post) if ask else None

    def steps(self, sight: Sight, lines: Sequence[Told]) -> Sequence[Content]:
        return settlement.steps(sight, lines)

    def calls(self, sight: Sight, lines: Sequence[Told], width: int, tall: bool) -> Sequence[Call | None]:
        return settlement.calls(sight, lines, width)

    def grounds(self, sight: Sight, said: Said) -> Sequence[str]:
        return settlement.grounds(sight, said)

    def hue(self, for_: str) -> str:
        return POINTS.get(for_) or (JEWELLERY_POINTS if for_ in self._jewels else OTHER_POINTS)

    @property
    def _jewels(self) -> tuple[str, ...]:
        """The kinds of jewellery in the box that was read last: a part of a score names a kind."""
        return self._read_box[1].jewels if self._read_box else ()

    def points_by_kind(self) -> str:
        return _("Darwin, by what gave them")

    def total(self) -> str:
        return "Darwin"

    def every_point(self) -> str:
        return _("Every Darwin, and why")

    def part(self, for_: str) -> str:
        if for_ in self._jewels:
            return _("jewellery")
        parts = {"start": _("at the start"), "buying": _("bought tiles"), "creature": _("creatures")}
        return parts.get(for_) or _("minus tiles")

    def piece(self, facts: Mapping[str, Any], values: Values, box: Mapping[str, Any]) -> Content:
        """The tile that an enrolment asks about, as it is said to be."""
        if "bones" not in values:
            return Content("")
        value = str(values["value"])
        tile = Tile("", tuple(str(values["bones"]).split("+")), int(value) if value else None, tuple(values["jewels"]))
        return joined(drawn(TileLook(tile), LARGE, tuple(box.get("jewels", ()))))


def _held(sight: Sight) -> list[Content]:
    """The tiles that the simulated stack has dealt."""
    known = people.tiles(sight)
    looks = [drawn(TileLook(known[piece.id]), LARGE, sight.box.jewels) for piece in sight.dealt if piece.id in known]
    return [Content(_("Your tiles:")), *beside(*looks)]


FACE = Darwinci()
