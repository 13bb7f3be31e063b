"""How Darwinci looks: its headline, its buttons, its questions."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from textual.content import Content

from companion.gamekit import Naming, Place, Said, Seat, Snapshot, Thing, Told
from companion.gamekit.enrolment import Values
from companion.gamekit.screen import Action, Call, Choice, Command, Face, Going, Headline, Menu, Sight
from companion.games.darwinci.allowance import foreign_due, most_stones
from companion.games.darwinci.components import Box, Tile
from companion.games.darwinci.screen import people, phone, settlement, words
from companion.games.darwinci.screen.bid_dialog import Bidding
from companion.games.darwinci.screen.build_dialog import Building
from companion.games.darwinci.screen.colours import CLOSED, EARTH, PAPER, beside
from companion.games.darwinci.screen.line_choice import Scoring
from companion.games.darwinci.screen.market import market
from companion.games.darwinci.screen.texts import TEXTS, _, listed, plural
from companion.games.darwinci.screen.tile_dialog import Post, TileDialog, joined
from companion.games.darwinci.screen.tile_picker import TilePicker
from companion.games.darwinci.screen.tiles import HUGE, LARGE, TileLook, drawn
from companion.games.darwinci.screen.words import tile
from companion.games.darwinci.screen.workshop import workshop
from companion.games.darwinci.sentences import SENTENCES, word
from companion.games.darwinci.view import OwnHand, Table

# --- Words for what people may agree on before a game of Darwinci.


def option_words(name: str) -> str:
    return {
        "minus": _("Who cannot pay (D13)"),
        "run": _("Scoring a line with jewellery (D15)"),
        "tie": _("A tie in the auction (D7)"),
        "larger": _("The larger creature in a final tie (D20)"),
    }.get(name, "")


def value_words(name: str, chosen: Any) -> str:
    return {
        ("minus", "owe"): _("owes the rest"),
        ("minus", "floor"): _("pays what there is"),
        ("run", "whole"): _("the whole line counts"),
        ("run", "part"): _("any part of it may count"),
        ("tie", "clockwise"): _("first one clockwise"),
        ("tie", "nearest"): _("the player nearest"),
        ("larger", "tiles"): _("has more tiles"),
        ("larger", "darwin"): _("paid more Darwin"),
    }.get((name, chosen), "")


# --- Who must do what, in each phase of Darwinci.


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


class Darwinci(Face):
    texts = TEXTS
    sentences = SENTENCES
    folder = Path(__file__).parent
    reveals = settlement.STEPS
    rounds = frozenset({"everyone draws"})
    order = ("start", "creature")

    def __init__(self) -> None:
        self._raw_box: Any = None
        self._box: Box | None = None

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

    def read(self, snapshot: Snapshot) -> tuple[Table, Box]:
        if self._box is None or snapshot.box != self._raw_box:
            self._box, self._raw_box = msgspec.convert(snapshot.box, Box), snapshot.box
        return msgspec.convert(snapshot.table, Table), self._box

    def read_own(self, hand: Any) -> OwnHand:
        return msgspec.convert(hand, OwnHand)

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
        return (joined(market(sight, width, True, HUGE) if bidding else workshop(sight, width, True, HUGE)),)

    def legend(self, sight: Sight) -> Content:
        return people.legend(sight)

    def going(self, sight: Sight) -> Going:
        return "clockwise"

    def option(self, name: str) -> str:
        return option_words(name)

    def option_value(self, name: str, value: Any) -> str:
        return value_words(name, value)

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        """D19 Which tile is discarded; everything else has a dialog of its own."""
        known = people.tiles(sight)
        offered = [(known[action["tile"]], action) for action in actions if action["tile"] in known]
        pictures = [(joined(drawn(TileLook(tile), LARGE, sight.box.jewels)), action) for tile, action in offered]
        return Menu(
            _("Which tile is discarded?"), [Choice(shown, action, PAPER, EARTH[0]) for shown, action in pictures]
        )

    def dialog(self, sight: Sight, actions: Sequence[Action], post: Post) -> TileDialog | None:
        dialogs: dict[str, Callable[[Sight, tuple[Action, ...], Post], TileDialog]] = {
            "build": Building,
            "bid": Bidding,
            "jewels": Scoring,
            "offer": _offering,
        }
        ask = dialogs.get(actions[0]["do"])
        return ask(sight, tuple(actions), post) if ask else None

    def steps(self, sight: Sight, lines: Sequence[Told]) -> Sequence[Content]:
        return settlement.steps(sight, lines)

    def calls(self, sight: Sight, lines: Sequence[Told], width: int, tall: bool) -> Sequence[Call | None]:
        return settlement.calls(sight, lines)

    def grounds(self, sight: Sight, said: Said) -> Sequence[str]:
        return settlement.grounds(sight, said)

    def hue(self, for_: str) -> str:
        hues = {"start": "#bbbbbb", "buying": "#d55e00", "creature": CLOSED[0]}
        known: tuple[str, ...] = self._box.jewels if self._box else ()
        return hues.get(for_) or ("#e69f00" if for_ in known else "#d55e00")

    def points_by_kind(self) -> str:
        return _("Darwin, by what gave them")

    def total(self) -> str:
        return "Darwin"

    def every_point(self) -> str:
        return _("Every Darwin, and why")

    def part(self, for_: str) -> str:
        known: tuple[str, ...] = self._box.jewels if self._box else ()
        if for_ in known:
            return _("jewellery")
        parts = {"start": _("at the start"), "buying": _("bought tiles"), "creature": _("creatures")}
        return parts.get(for_) or _("minus tiles")

    def thing(self, thing: Thing, count: int, sight: Sight) -> str:
        return words.thing(thing, count, sight)

    def place(self, place: Place, sight: Sight) -> str:
        return words.place(place, sight)

    def naming(self, box: Box) -> Naming:
        return partial(word, box)

    def rules(self) -> str:
        return words.rules()

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


def _offering(sight: Sight, actions: tuple[Action, ...], post: Post) -> TileDialog:
    """D2 One tile of the hand, unseen by the others."""
    seat = actions[0]["seat"]

    def offer(tile: str) -> None:
        post({"do": "offer", "seat": seat, "tile": tile})

    return TilePicker(
        sight,
        [action["tile"] for action in actions],
        offer,
        title=lambda: _("{name}, only you should see this: which tile do you offer?").format(name=sight.name(seat)),
        valid=lambda now: seat in {action["seat"] for action in now.doing("offer")},
    )


FACE = Darwinci()
