"""The questions of Sioux: which card, what the shaman counts, which gifts, who got which supply card."""

from collections.abc import Sequence

from textual.content import Content

from companion.gamekit import Seat
from companion.gamekit.screen import Action, Choice, Menu, Sight
from companion.games.sioux.colours import INK, PARCHMENT
from companion.games.sioux.screen import _
from companion.games.sioux.screen.board import HUNTING_ENDS, card_word
from companion.games.sioux.screen.hunt_outcome import herd, seats_of, smallest
from companion.games.sioux.view import OwnHand


def menu(sight: Sight, actions: Sequence[Action]) -> Menu:
    """What to pick from when several actions of one kind are possible."""
    match actions[0]["do"]:
        case "play" | "duel":
            return _cards(sight, actions)
        case "name":
            return _values(sight, actions)
        case "gifts":
            return _gifts(sight, actions)
        case "dealt":
            return _dealt(sight, actions, seats_of(sight.snapshot.draft))
    return _crow(sight, actions)


def _crow(sight: Sight, actions: Sequence[Action]) -> Menu:
    """S13 Both are asked at once, and openly: the answer says who gives it."""
    title = _("Who calls the crow?") if actions[0]["call"] else _("Who does not call the crow?")
    return Menu(title, [Choice(sight.name(action["seat"]), action) for action in actions], 2)


def _cards(sight: Sight, actions: Sequence[Action]) -> Menu:
    """S24 A player who looks at their own hand is offered the cards in it; else the whole set, whatever was played
    before. A card with a number is chosen by its number."""
    title = _("Lay a card face down") if actions[0]["do"] == "play" else _("One more card for the duel")
    choices = [
        Choice(
            _("no card left: lay nothing") if action["card"] is None else card_word(action["card"], sight.box),
            action,
            INK,
            PARCHMENT,
            _key(sight, action["card"]),
            _card_figure(sight, action["card"]),
            large=_number(sight, action["card"]),
            words=_card_words(sight, action["card"]),
        )
        for action in actions
    ]
    return Menu(title, choices)


def _number(sight: Sight, card: str | None) -> str:
    """What stands on a plain card."""
    return next((str(known.value) for known in sight.box.tribe if known.id == card and known.kind is None), "")


def _card_words(sight: Sight, card: str | None) -> str:
    """What the card does in a hunt."""
    if card is None:
        return ""
    kind = next((known.kind for known in sight.box.tribe if known.id == card), "hunter")
    if kind == "crow":
        return _("counts 1, takes the hunter's deer, and wins a duel")
    if kind == "shaman":
        return _("counts 6, 7 or 8: you say it after the reveal")
    if kind == "hunter":
        return _("takes a deer, and no one else gets anything")
    return ""


def _key(sight: Sight, card: str | None) -> str:
    """The number of a plain card; a letter for the others."""
    value = next((known.value for known in sight.box.tribe if known.id == card and known.kind is None), None)
    kind = next((known.kind for known in sight.box.tribe if known.id == card), None)
    return str(value) if value is not None else {"crow": "c", "shaman": "s"}.get(kind or "", "h" if card else "")


def _card_figure(sight: Sight, card: str | None) -> str:
    """A plain card shows its number and nothing else. The hunter is in no list."""
    return next((known.kind or "" for known in sight.box.tribe if known.id == card), card or "")


def hand(sight: Sight, choosing: bool) -> Content:
    """What a player alone may see. The choices themselves show the cards in hand."""
    own: OwnHand = sight.own
    lines = [] if choosing else [_("In hand: {cards}", cards=_cards_in_words(sight, own.cards) or _("no card"))]
    if own.laid is not None:
        lines.append(_("Face down: {card}", card=card_word(own.laid, sight.box)))
    return Content("\n".join(lines))


def _cards_in_words(sight: Sight, cards: Sequence[str]) -> str:
    return ", ".join(card_word(card, sight.box) for card in cards)


def _values(sight: Sight, actions: Sequence[Action]) -> Menu:
    """S7 The key is the value itself."""
    choices = [
        Choice(_("counts {value}", value=action["value"]), action, key=str(action["value"])) for action in actions
    ]
    return Menu(_("{name}: what does the shaman count?", name=sight.name(actions[0]["seat"])), choices)


def _gifts(sight: Sight, actions: Sequence[Action]) -> Menu:
    """S16 One gift after another, yes or no: any of the givers in as many steps as there are."""
    givers = sorted({giver for action in actions for giver in action["from"]})
    if sight.snapshot.options.get("gift_ends") == "at_once" and len(givers) > 1:
        return _gift_in_order(sight, list(actions), givers, ())
    return _gift(sight, list(actions), givers, ())


def _gift_in_order(sight: Sight, actions: list[Action], givers: Sequence[Seat], claimed: tuple[Seat, ...]) -> Menu:
    """S19 Where a gift may end the hunting at once, the claimant says who gives first; what would lapse isn't asked."""
    choices = []
    for giver in givers:
        order = (*claimed, giver)
        others = [other for other in givers if other != giver]
        ends = sight.table.totals[actions[0]["seat"]] + _worth(sight, order) >= HUNTING_ENDS
        value = _with(actions, "from", order) if ends or not others else None
        label = Content.assemble(_("From {name}: ", name=sight.name(giver)), _given(sight, giver))
        step = value or _gift_in_order(sight, actions, others, order)
        choices.append(Choice(label, step, figure=_gift_figure(sight, giver)))
    if claimed:
        choices.append(Choice(_("No more gifts"), _with(actions, "from", claimed)))
    return Menu(_("The next gift, from whom?") if claimed else _("The first gift, from whom?"), choices, 2)


def _worth(sight: Sight, givers: Sequence[Seat]) -> int:
    """S16 What these would give together."""
    values = {prey.animal: prey.value for prey in sight.box.prey}
    return sum(values[animal] for giver in givers for animal in smallest(sight, giver))


def _given(sight: Sight, giver: Seat) -> Content:
    gift = smallest(sight, giver)
    return herd(gift, sight.box, full=True) if gift else Content(_("nothing"))


def _gift_figure(sight: Sight, giver: Seat) -> str:
    """The prey that changes hands, if it is one kind."""
    kinds = set(smallest(sight, giver))
    return kinds.pop() if len(kinds) == 1 else ""


def _gift(sight: Sight, actions: list[Action], givers: Sequence[Seat], claimed: tuple[Seat, ...]) -> Menu:
    giver, *others = givers
    name = sight.name(giver)
    label = _given(sight, giver)
    title = _("A gift from {name}?", name=name)
    choices = []
    for taken, words_ in (
        (True, _("Yes, from {name}: ", name=name)),
        (False, _("Not from {name}", name=name)),
    ):
        chosen = (*claimed, giver) if taken else claimed
        value = _gift(sight, actions, others, chosen) if others else _with(actions, "from", chosen)
        if value is not None:
            figure = _gift_figure(sight, giver) if taken else ""
            choices.append(Choice(Content.assemble(words_, label) if taken else words_, value, figure=figure))
    return Menu(title, choices, 2)


def _with(actions: Sequence[Action], field: str, seats: tuple[Seat, ...]) -> Action | None:
    return next((action for action in actions if tuple(action[field]) == seats), None)


def _dealt(sight: Sight, actions: Sequence[Action], named: tuple[Seat, ...]) -> Menu:
    """S20 Who got the highest, then who got the next; the last one is clear. What hands have said already stands."""
    tied = sight.table.tied
    left = [seat for seat in tied if seat not in named]
    value = sight.table.laid_out[len(named)]
    choices = []
    for seat in left:
        order = (*named, seat)
        rest = [other for other in left if other != seat]
        if len(rest) == 1:
            choices.append(Choice(sight.name(seat), _with(actions, "seats", (*order, *rest))))
        else:
            choices.append(Choice(sight.name(seat), _dealt(sight, actions, order)))
    return Menu(_("Who got the supply card {value}?", value=value), choices, 2)
