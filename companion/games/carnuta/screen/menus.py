"""What to pick from at a table of Carnuta: a card, an ingredient, a face, a row."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from textual.content import Content

from companion.gamekit import Thing
from companion.gamekit.screen import Action, Choice, Menu, Sight
from companion.gamekit.sign_table import FLIP
from companion.games.carnuta import view
from companion.games.carnuta.colours import BACK, BLACK, FACE_HUES, FACE_SHAPES, INK, PAPER, ink_on
from companion.games.carnuta.components import INGREDIENTS, SALT, Card
from companion.games.carnuta.screen import _, cards, signs
from companion.games.carnuta.screen.board import known_cards

HAND = 30
"""How wide a card is drawn when its player looks at the own hand: also on the narrowest phone."""


def menu(sight: Sight, actions: Sequence[Action]) -> Menu:
    """The question that these actions of one kind answer."""
    return _MENUS[actions[0]["do"]](sight, actions)


# --- Cards ----------------------------------------------------------------------------------------------------


def _take(sight: Sight, actions: Sequence[Action]) -> Menu:
    """All that lies in the rows, as it lies there."""
    choices = [_card(sight, action["card"], action) for action in actions]
    return Menu(_("Which card do you take?"), choices)


def _from_hand(title: Callable[[], str]) -> Callable[[Sight, Sequence[Action]], Menu]:
    """C17 The open hand cards; behind one more step all that the start card could be."""

    def asked(sight: Sight, actions: Sequence[Action]) -> Menu:
        table: view.View = sight.table
        known = table.known[actions[0]["seat"]]
        open_ = _by_card([action for action in actions if action["card"] in known])
        choices = [_card(sight, card, _where(sight, own)) for card, own in open_.items()]
        if actions[0]["do"] == "play":
            choices += [_too_dear(sight, card, actions[0]) for card in known if card not in open_]
        secret = [action for action in actions if action["card"] not in known]
        if len(_by_card(secret)) == 1:  # only its player looks
            choices += [_card(sight, card, _where(sight, own)) for card, own in _by_card(secret).items()]
            return Menu(title(), choices)
        if secret and not open_:
            return _deck(sight, secret)
        if secret:
            choices.append(Choice(_("The start card"), _deck(sight, secret), BLACK, BACK, words=_unseen()))
        return Menu(title(), choices)

    return asked


def _deck(sight: Sight, actions: Sequence[Action]) -> Menu:
    """Any card of a deck: first its ingredient, then the card."""
    offered = _by_card(actions)
    choices = []
    for ingredient in (*INGREDIENTS, SALT):
        these = [card for card in sight.box.cards if card.ingredient == ingredient and card.id in offered]
        if these:
            sign = signs.ingredient(ingredient)
            below = [_card(sight, card.id, _where(sight, offered[card.id])) for card in these]
            title = _("Which card: {ingredient}?", ingredient=sign.word)
            left = _("{count} left", count=len(these))
            choices.append(Choice(sign.word, Menu(title, below), sign.ink, sign.paper, figure=ingredient, words=left))
    return Menu(_("Which card is it?"), choices)


def _where(sight: Sight, actions: Sequence[Action]) -> Any:
    """C7 Salt asks for its column; any other card has one."""
    if len(actions) == 1:
        return actions[0]
    return Menu(_("Into which column?"), [_ingredient(action["as"], action) for action in actions])


def _by_card(actions: Sequence[Action]) -> dict[str, list[Action]]:
    cards_: dict[str, list[Action]] = {}
    for action in actions:
        cards_.setdefault(action["card"], []).append(action)
    return cards_


def hand(sight: Sight) -> Content:
    """C17 The player's own cards; the start card is marked as long as no other player knows it."""
    own: view.OwnHand = sight.own
    lines = []
    start = own.cards.index(own.secret) if own.secret in own.cards else None
    for number, card_id in enumerate(own.cards):
        lines += cards.drawn(known_cards(sight.box)[card_id], HAND, 2, None)
        if number == start:
            lines.append(Content(_("the start card, known only to you")))
            if own.seen_elsewhere:
                lines.append(Content(_("This card is elsewhere, too. Play the one that you really hold.")))
    return Content("\n").join(lines) if lines else Content(_("You have no card in hand."))


def hand_in_words(sight: Sight) -> list[str]:
    """C17 As `hand`, in words."""
    own: view.OwnHand = sight.own
    known = known_cards(sight.box)
    said = [cards.in_words(known[card]) for card in own.cards if card in known]
    if own.secret in own.cards:
        said[own.cards.index(own.secret)] += f", {_('the start card, known only to you')}"
    return said or [_("You have no card in hand.")]


def in_words(sight: Sight) -> list[str]:
    """Which cards of the rows and of the open hands can be paid now, besides what lies where."""
    table: view.View = sight.table
    known = known_cards(sight.box)
    said = [_("Round {number}.", number=table.round)]
    if table.turn is not None:
        left = _("{count:action|actions}", count=table.actions_left)
        said.append(_("{name} has {actions} left.", name=sight.name(table.turn), actions=left))
    payable = tuple(sight.face.thing(Thing("card", card), 1, sight) for card in table.payable if card in known)
    if payable:
        said.append(_("Can be paid now: {cards}.", cards=payable))
    return said


def _card(sight: Sight, card_id: str, value: Any) -> Choice:
    """C5 With a word on whether the player in turn could pay it now, while that matters."""
    card: Card = known_cards(sight.box)[card_id]
    words = "; ".join(part for part in (_paying(sight, card), cards.told(card)) if part)
    word = signs.ingredient(card.ingredient).word
    return Choice(word, value, INK, PAPER, "", card.ingredient, words=words, draw=partial(cards.picked, card))


def _too_dear(sight: Sight, card_id: str, action: Action) -> Choice:
    """C5 A hand card that cannot be paid: all players know it, so it may say so."""
    choice = _card(sight, card_id, {"do": "play", "seat": action["seat"], "card": card_id})
    return choice._replace(refused=_paying(sight, known_cards(sight.box)[card_id]) or _("cannot be paid"))


def _paying(sight: Sight, card: Card) -> str:
    """What is missing, or that nothing is."""
    table: view.View = sight.table
    if table.phase != "act" or table.turn is None or not table.actions_left:
        return ""
    if card.id in table.payable:
        return _("you can pay it")
    if card.id not in (*table.rows.sun, *table.rows.moon, *table.known[table.turn]):
        return ""
    runes, needed = table.runes[table.turn], Counter(symbol.split(" ")[1] for symbol in card.cost)
    if needed["sun"] > runes.sun:
        needs = _("{count:sun|suns}", count=needed["sun"])
        return _("needs {needs}, you have {count}", needs=needs, count=runes.sun)
    needs = _("{count:moon|moons}", count=needed["moon"])
    return _("needs {needs}, you have {count}", needs=needs, count=runes.moon)


def _unseen() -> str:
    return _("no other player has seen it: say which one it is")


# --- Ingredients, runes, rows ---------------------------------------------------------------------------------


def _bonus(sight: Sight, actions: Sequence[Action]) -> Menu:
    choices = [_ingredient(action["ingredient"], action) for action in actions]
    return Menu(_("Which bonus ingredient?"), choices)


def _ingredient(name: str, value: Action) -> Choice:
    sign = signs.ingredient(name)
    return Choice(sign.word, value, sign.ink, sign.paper, figure=name)


def _runes(sight: Sight, actions: Sequence[Action]) -> Menu:
    """C9 As many as possible, or with the option fewer."""
    choices = [_face(action, f"{runes_taken(sight, action)} × ") for action in actions]
    return Menu(_("Which runes do you take?"), choices, 2)


def runes_taken(sight: Sight, action: Action) -> int:
    """C9 How many runes this action takes: as many as the reserve has and the open places hold, or with the option as
    many as it says."""
    if sight.snapshot.options.get("partial_runes") and "count" in action:
        return int(action["count"])
    table: view.View = sight.table
    runes = table.runes[action["seat"]]
    return min(table.reserve.of(action["face"]), table.slots[action["seat"]] - runes.sun - runes.moon)


def _flip(sight: Sight, actions: Sequence[Action]) -> Menu:
    """C10 All of a face, or with the option fewer."""
    choices = []
    for action in actions:
        count = runes_flipped(sight, action)
        other = signs.faces("moon" if action["face"] == "sun" else "sun")
        choices.append(_face(action, f"{count} × ", f" {FLIP} {other}"))
    return Menu(_("Which runes do you flip?"), choices, 2)


def runes_flipped(sight: Sight, action: Action) -> int:
    """C10 How many runes this action flips: all of that face, or with the option as many as it says."""
    if sight.snapshot.options.get("flip") == "any" and "count" in action:
        return int(action["count"])
    table: view.View = sight.table
    return table.runes[action["seat"]].of(action["face"])


def _face(action: Action, before: str, after: str = "") -> Choice:
    """A side of a rune on its hue, with its shape and its word."""
    face = action["face"]
    label = f"{before}{FACE_SHAPES[face]} {signs.faces(face)}{after}"
    return Choice(label, action, ink_on(face), FACE_HUES[face], figure=face)


def _sickle(sight: Sight, actions: Sequence[Action]) -> Menu:
    known = known_cards(sight.box)
    choices = []
    for action in actions:
        row = action["row"]
        words = ", ".join(signs.ingredient(known[card].ingredient).word for card in sight.table.rows.of(row))
        said = f"{signs.faces(row)}: {words}"
        choices.append(Choice(f"{FACE_SHAPES[row]} {said}", action, said=said))
    return Menu(_("Which row goes?"), choices, 1)


_MENUS: dict[str, Callable[[Sight, Sequence[Action]], Menu]] = {
    "start": _deck,
    "deal": _deck,
    "take": _take,
    "play": _from_hand(lambda: _("Which card do you play?")),
    "discard": _from_hand(lambda: _("Which card do you discard?")),
    "bonus": _bonus,
    "runes": _runes,
    "flip": _flip,
    "sickle": _sickle,
}
