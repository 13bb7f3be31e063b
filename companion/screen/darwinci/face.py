"""How Darwinci looks: its headline, its buttons, its questions."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from textual.content import Content

from companion.games.darwinci.components import Box
from companion.games.darwinci.view import Table
from companion.games.darwinci.words import SENTENCES, word
from companion.screen.darwinci import headlines, settlement, words
from companion.screen.darwinci.bidding import Bidding
from companion.screen.darwinci.building import Building
from companion.screen.darwinci.colours import CLOSED, EARTH, PAPER
from companion.screen.darwinci.market import market
from companion.screen.darwinci.people import tiles
from companion.screen.darwinci.picking import TilePicker
from companion.screen.darwinci.scoring import Scoring
from companion.screen.darwinci.tile_dialog import Post, TileDialog, joined
from companion.screen.darwinci.tiles import LARGE, Look, drawn
from companion.screen.darwinci.workshop import workshop
from companion.screen.face import Action, Call, Choice, Command, Face, Headline, Menu, Sight
from companion.screen.text import _, listed
from companion.snapshot import Place, Seat, Snapshot, Thing, Told
from companion.wording import Naming, Said


class Darwinci(Face):
    sentences = SENTENCES
    folder = Path(__file__).parent
    reveals = settlement.STEPS
    rounds = frozenset({"everyone draws"})
    order = ("start", "creature")

    def __init__(self) -> None:
        self._raw_box: Any = None
        self._box: Box | None = None

    @property
    def commands(self) -> Sequence[Command]:
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

    def headline(self, sight: Sight) -> Headline:
        return headlines.headline(sight)

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        bidding = sight.table.phase in ("buy", "offer", "bid")
        return (joined((market if bidding else workshop)(sight, width, tall)),)

    def settled(self, sight: Sight, do: str) -> frozenset[Seat]:
        awaiting = sight.snapshot.awaiting
        return frozenset(range(len(sight.names))) - frozenset(awaiting.seats if awaiting else ())

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        """D19 Which tile is discarded; everything else has a dialog of its own."""
        known = tiles(sight)
        offered = [(known[action["tile"]], action) for action in actions if action["tile"] in known]
        pictures = [(joined(drawn(Look(tile), LARGE, sight.box.jewels)), action) for tile, action in offered]
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

    def tie_break(self, sight: Sight) -> str:
        """D20 The larger scored creature."""
        totals = {score.seat: score.total for score in sight.snapshot.scores}
        best = [seat for seat, total in totals.items() if total == max(totals.values())]
        winners = sight.snapshot.winners
        if len(winners) == len(best):
            return ""
        return _("the larger creature: {names}").format(names=listed([sight.name(seat) for seat in winners]))

    def hue(self, for_: str) -> str:
        hues = {"start": "#bbbbbb", "buying": "#d55e00", "creature": CLOSED[0]}
        known: tuple[str, ...] = self._box.jewels if self._box else ()
        return hues.get(for_) or ("#e69f00" if for_ in known else "#d55e00")

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
