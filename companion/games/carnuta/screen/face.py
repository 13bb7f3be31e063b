"""The face of Carnuta: its headline, its buttons, its questions."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from textual.content import Content

from companion.gamekit import Facts, Place, Said, Told
from companion.gamekit.enrolment import Values
from companion.gamekit.screen import Action, Command, Face, Going, Grid, Headline, Menu, Sight
from companion.games.carnuta import sentences
from companion.games.carnuta.components import FACES, INGREDIENTS, Box, Card
from companion.games.carnuta.options import Options
from companion.games.carnuta.screen import TEXTS, _, board, cards, menus, signs
from companion.games.carnuta.screen.board import acting, known_cards
from companion.games.carnuta.screen.menus import runes_flipped, runes_taken
from companion.games.carnuta.screen.signs import moons, suns
from companion.games.carnuta.sentences import PIECES, PLACES, RULINGS, SENTENCES, word
from companion.games.carnuta.view import OwnHand, View

# --- The headline ---------------------------------------------------------------------------------------------

HAND = 3
ELEVEN = ("has eleven cards", "eleven cards in the last round", "also has eleven cards")
ALONG = ("may choose a bonus", "opens a slot", *ELEVEN, "check the board")
"""What may be said together with a payment, after it."""


def headline(sight: Sight) -> Headline:
    """A question that the buttons step through comes first: all players should see it."""
    name = sight.name(acting(sight))
    shown = _by_phase(sight, name)
    half = drafted(sight)
    return Headline(shown.big, half) if half else shown


def _by_phase(sight: Sight, name: str) -> Headline:
    table: View = sight.table
    if table.phase == "start":
        big = (_("{name}: start card", "big", name=name), name)
        if sight.snapshot.options.get("start_card") == "played":
            words = _("{name} gets a start card and lays it out", name=name)
            return Headline(big, words, _("you get a start card and lay it out"))
        return Headline(big, _("{name} gets a secret start card", name=name), _("you get a secret start card"))
    if table.phase == "deal" and table.due is not None:
        row = signs.faces(table.due)
        return Headline(
            (_("deal: {row}", "big", row=row), row),
            _("{name}: deal a card into the row ({row})", name=name, row=row),
        )
    if table.phase == "bonus":
        words = _("{name}: choose a bonus ingredient", name=name)
        big = (_("{name}: bonus", "big", name=name), name)
        return _paid_first(sight, name, Headline(big, words), _("choose a bonus"))
    return _turn(sight, name) if table.actions_left else _end_of_turn(sight, name)


def _turn(sight: Sight, name: str) -> Headline:
    left = _("{count:action|actions}", count=sight.table.actions_left)
    possible = _possible(sight)
    begun = possible[:1].upper() + possible[1:]
    return _paid_first(sight, name, Headline((f"{name}: {left}", name), f"{name}: {possible}", begun), left)


def _possible(sight: Sight) -> str:
    """Only what can be done now: each of it has a button."""
    awaiting = sight.snapshot.awaiting
    can = {do: awaiting is not None and do in awaiting.do for do in ("take", "play", "runes", "flip")}
    cards = {
        (True, True): _("take a card or play one for runes"),
        (True, False): _("take a card"),
        (False, True): _("play a card for runes"),
    }
    runes = {
        (True, True): _("take or flip runes"),
        (True, False): _("take runes"),
        (False, True): _("flip runes"),
    }
    one, other = cards.get((can["take"], can["play"]), ""), runes.get((can["runes"], can["flip"]), "")
    return _("{one}, or {other}", one=one, other=other) if one and other else one or other


def _end_of_turn(sight: Sight, name: str) -> Headline:
    table: View = sight.table
    seat = acting(sight) or 0
    over = table.hands[seat] - HAND
    if over > 0:
        words = _("discard {count:card|cards}", count=over)
        big = (_("{name}: discard", "big", name=name), name)
        return _paid_first(sight, name, Headline(big, f"{name}: {words}"), words)
    words = _(
        "{name}: {suns}, {moons}, marker on {marker}. Done?",
        name=name,
        suns=suns(table.runes[seat].sun),
        moons=moons(table.runes[seat].moon),
        marker=table.marker[seat],
    )
    big = (_("{name}: done?", "big", name=name), name)
    return _paid_first(sight, name, Headline(big, words), _("then look at the board"))


# --- Which runes to turn --------------------------------------------------------------------------------------


def _paid_first(sight: Sight, name: str, otherwise: Headline, short: str) -> Headline:
    """C5 As long as nothing else happens, what the newest payment asks hands to do."""
    paid = payment(sight)
    return Headline(otherwise.big, f"{name}: {paid}; {short}", f"{paid}; {short}") if paid else otherwise


def payment(sight: Sight) -> str:
    """Which runes to turn and which to remove, if a card was played just now; otherwise nothing."""
    turned: list[str] = []
    removed: list[str] = []
    for told in reversed(sight.snapshot.history):
        if told.what in ("turns runes", "removes runes"):
            (turned if told.what == "turns runes" else removed).insert(0, _runes(told))
        elif told.what == "plays a card":
            turn = [_("turn {runes}", runes=" + ".join(turned))] if turned else []
            remove = [_("remove {runes}", runes=" + ".join(removed))] if removed else []
            return ", ".join(turn + remove)
        elif told.kind == "accepted" and told.what not in ALONG:
            break
    return ""


def _runes(told: Told) -> str:
    count = told.facts.get("count")
    return (suns if told.facts.get("face") == "sun" else moons)(count) if isinstance(count, int) else ""


# --- What hands have begun to say -----------------------------------------------------------------------------

_ASKED = {
    "runes": "take runes?",
    "flip": "flip runes?",
    "sickle": "spend a sickle?",
    "take": "take a card?",
    "discard": "discard?",
    "bonus": "choose a bonus?",
    "play": "play a card?",
}


def drafted(sight: Sight) -> str:
    """The question that the green button steps through; "" if there is none. C17 A start card is never named."""
    draft = sight.snapshot.draft
    what = _ASKED.get(draft.get("do", "")) if isinstance(draft, dict) else None
    if what is None:
        return ""
    facts = {name: fact for name, fact in draft.items() if name in ("seat", "face", "row", "card", "ingredient")}
    if what == "take runes?":
        facts["count"] = runes_taken(sight, draft)
    if what == "flip runes?":
        facts["count"] = runes_flipped(sight, draft)
    if what == "play a card?":
        own = {card.id: card.ingredient for card in sight.box.cards}
        facts["ingredient"] = draft.get("as") or own.get(draft["card"], "")
    return sight.say(Told(0, "noted", what, None, facts))


# --- The points of a column -----------------------------------------------------------------------------------


def grounds(sight: Sight, said: Said) -> Sequence[str]:
    """C15 Each card of a column, with the sets that made its points."""
    cards, sets, points = (said.facts.get(name) for name in ("cards", "sets", "points"))
    if not (isinstance(cards, tuple) and isinstance(sets, tuple) and isinstance(points, tuple)):
        return ()
    known = known_cards(sight.box)
    lines = []
    for card_id, count, earned in zip(cards, sets, points, strict=False):
        card = known.get(str(card_id))
        if card is not None:
            times = "" if card.per is None else " × " + _("{count:set|sets}", count=int(count))
            name = sentences.card(sight.box, card.id, _)
            lines.append(f"{name}{times} = " + _("{count:point|points}", count=int(earned)))
    return lines


# --- The face -------------------------------------------------------------------------------------------------


class Carnuta(Face):
    view_type, box_type, own_type, options = View, Box, OwnHand, Options
    texts, sentences, rulings = TEXTS, SENTENCES, RULINGS
    word, piece_words, place_words = staticmethod(word), PIECES, PLACES
    places = 5
    rounds = frozenset({"a new round", "the last round"})
    order = INGREDIENTS

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        return (
            Command("start", ("s",), _("Start"), "success", place=0),
            Command("deal", ("d",), _("Deal"), "success", place=0),
            Command("bonus", ("b",), _("Bonus"), "success", place=0),
            Command("take", ("c",), _("Take"), place=0),
            Command("play", ("p",), _("Play"), "success", place=1),
            Command("runes", ("r",), _("Runes"), place=2),
            Command("flip", ("f",), _("Flip"), place=3),
            Command("sickle", ("k",), _("Sickle"), "warning", place=4),
            Command("discard", ("x",), _("Discard", "hand card"), "error", place=1),
            Command("done", ("e", "space"), _("Done", "turn"), "success", place=0),
        )

    def hand(self, sight: Sight, choosing: bool) -> Content:
        return menus.hand(sight) if not choosing else Content("")

    def in_words(self, sight: Sight) -> Sequence[str]:
        return menus.in_words(sight)

    def hand_in_words(self, sight: Sight) -> Sequence[str]:
        return menus.hand_in_words(sight)

    def grids(self, sight: Sight) -> Sequence[Grid]:
        """The two rows, one above the other, as they lie on the table."""
        known, rows = known_cards(sight.box), sight.table.rows
        said = [[signs.faces(face), *(cards.in_words(known[card]) for card in rows.of(face))] for face in FACES]
        return [Grid(_("the rows"), said)]

    def headline(self, sight: Sight) -> Headline:
        return headline(sight)

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        return (
            board.rows(sight, width, tall),
            board.hand(sight, width, tall),
            board.status(sight, width),
            board.boards(sight, width, tall),
        )

    def phone_panels(self, sight: Sight, width: int) -> Sequence[Content]:
        return board.phone_panels(sight, width)

    def grown(self, sight: Sight, width: int) -> Sequence[Content]:
        return board.grown(sight, width)

    def legend(self, sight: Sight) -> Content:
        return board.whole_legend()

    def going(self, sight: Sight) -> Going:
        return "clockwise"

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        return menus.menu(sight, actions)

    def part(self, for_: str) -> str:
        return signs.ingredient(for_).word

    def hue(self, for_: str) -> str:
        return signs.ingredient(for_).paper

    def grounds(self, sight: Sight, said: Said) -> Sequence[str]:
        return grounds(sight, said)

    def place(self, place: Place, sight: Sight) -> str:
        first, _space, second = place.kind.partition(" ")
        facts: Facts = {"name": sight.name(place.seat)}
        if first == "field":
            return self._filled(PLACES["field"], sight, {**facts, "number": second})
        if second in PLACES and place.kind not in PLACES:
            return self._filled(PLACES[second], sight, {**facts, "face": first, "ingredient": first})
        return super().place(place, sight)

    def piece(self, facts: Mapping[str, Any], values: Values, box: Mapping[str, Any]) -> Content:
        """The card that an enrolment asks about, as it is said to be."""
        if "cost" not in values:
            return Content("")
        printed = {key: value for key, value in values.items() if key != "points" and value}
        card = msgspec.convert({"id": "", "points": int(str(values["points"])), **printed}, Card, strict=False)
        return Content("\n").join(cards.drawn(card, cards.WORDED, 3, None))


FACE = Carnuta()
