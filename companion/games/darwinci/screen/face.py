"""How Darwinci looks: its headline, its buttons, its questions."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from textual.content import Content

from companion.gamekit import Naming, Place, Said, Snapshot, Thing, Told
from companion.gamekit.enrolment import Values
from companion.gamekit.screen import Action, Call, Choice, Command, Face, Going, Headline, Menu, Sight
from companion.games.darwinci.components import Box, Tile
from companion.games.darwinci.screen import headlines, options, people, phone, settlement, words
from companion.games.darwinci.screen.bidding import Bidding
from companion.games.darwinci.screen.building import Building
from companion.games.darwinci.screen.colours import CLOSED, EARTH, PAPER, beside
from companion.games.darwinci.screen.market import market
from companion.games.darwinci.screen.picking import TilePicker
from companion.games.darwinci.screen.scoring import Scoring
from companion.games.darwinci.screen.texts import TEXTS, _
from companion.games.darwinci.screen.tile_dialog import Post, TileDialog, joined
from companion.games.darwinci.screen.tiles import HUGE, LARGE, TileLook, drawn
from companion.games.darwinci.screen.workshop import workshop
from companion.games.darwinci.view import OwnHand, Table
from companion.games.darwinci.words import SENTENCES, word


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
        return headlines.headline(sight)

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
        return options.option(name)

    def option_value(self, name: str, value: Any) -> str:
        return options.value(name, value)

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
