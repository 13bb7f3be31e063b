"""The face of Whist: the trick, and how both sides stand."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from textual.content import Content

from companion.gamekit import N_, Seat
from companion.gamekit.playing_cards import SIGNS, card_sign, hand_signs, suit_word
from companion.gamekit.screen import Action, Choice, Command, Face, Headline, Menu, Sight, Texts
from whist.components import PACK, TEAMS
from whist.options import Options
from whist.sentences import SENTENCES

TEXTS = Texts(Path(__file__).with_name("locale"))
_ = TEXTS.text
NAME = 14


class Table(Struct, frozen=True):
    """What is drawn of it."""

    dealer: Seat
    turn: Seat
    trump: str | None
    turned_up: str | None
    trick: tuple[str | None, ...]
    leader: Seat | None
    tricks: tuple[int, int]
    gone: tuple[tuple[str, ...], ...]
    points: tuple[int, int]


class WhistFace(Face):
    view_type, options = Table, Options
    texts, sentences, word = TEXTS, SENTENCES, staticmethod(PACK.word)
    piece_words = {"card": N_("{card}"), "hidden card": N_("{count:card|cards}")}
    place_words = {
        "hands": N_("{name}'s hand"),
        "stock": N_("pack"),
        "trick": N_("trick, before {name}"),
        "gone": N_("tricks, from {name}"),
    }
    rounds = frozenset({"is trump"})

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        return (Command("turn up", ("t",), _("Turn up")), Command("play", ("p",), _("Play"), "success"))

    def hand(self, sight: Sight, choosing: bool) -> Content:
        """The whole of it, also above the choices: those are only the cards that may be played now."""
        return Content(hand_signs(sight.dealt, _))

    def headline(self, sight: Sight) -> Headline:
        table: Table = sight.table
        if table.trump is None:
            name = sight.name(table.dealer)
            return Headline((_("{name} deals", "big", name=name), name), _("{name} deals and turns up", name=name))
        name, led = sight.name(table.turn), table.leader is not None
        sentence = _("{name} plays to the trick", name=name) if led else _("{name} leads", name=name)
        yours = _("play to the trick") if led else _("lead to the next trick")
        return Headline((f"{name} {SIGNS[table.trump]}", name), sentence, yours)

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        players = [_player(sight, seat) for seat in range(len(sight.names))]
        return [
            _trump(sight.table),
            Content("\n").join(players),
            Content("\n").join([_side(sight, 0), _side(sight, 1)]),
        ]

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        turning = actions[0]["do"] == "turn up"
        title = _("Which card was turned up?") if turning else _("Which card do you play?")
        return Menu(title, [_choice(action) for action in actions], columns=4)

    def part(self, for_: str) -> str:
        return _("odd tricks")


def _trump(table: Table) -> Content:
    if table.trump is None:
        return Content(_("No trumps yet"))
    trumps = _("Trumps: {suit}", suit=f"{SIGNS[table.trump]} {suit_word(table.trump, _)}")
    shown = "  " + _("turned up: {card}", card=card_sign(table.turned_up, _)) if table.turned_up else ""
    return Content.assemble((trumps, "bold"), (shown, "$quiet"))


def _player(sight: Sight, seat: Seat) -> Content:
    """Name, the card in the trick, and the card in the last one."""
    table: Table = sight.table
    laid = card_sign(table.trick[seat] or "", _) or "·"
    last = _("last: {card}", card=card_sign(table.gone[seat][-1], _)) if table.gone[seat] else ""
    led = "►" if seat == table.leader else " "
    return Content.assemble(sight.marked(seat, NAME), f" {led}", (f"{laid:<5}", "bold"), (last, "$quiet"))


def _side(sight: Sight, side: int) -> Content:
    table: Table = sight.table
    names = " & ".join(sight.name(seat) for seat in TEAMS[side])
    tricks = _("{count:trick|tricks}", count=table.tricks[side])
    points = _("{count:point|points}", count=table.points[side])
    return Content.assemble((f"{names}: ", "bold"), f"{tricks}, {points}")


def _choice(action: Action) -> Choice:
    return Choice(card_sign(action["card"], _), action, figure=action["card"].partition("-")[0])


FACE = WhistFace()
