"""What the rules of Lascaux say, in English, and its words for facts. See docs/languages.md."""

from companion.gamekit import Translate
from companion.games.lascaux.components import Box

# --- What is said to a gesture that is no action, in English. No sentence has a place for a marker's colour.

GESTURES = {
    # Cards
    "card on a pad": "Tap cards on the centre, not on {seat}'s pad",
    "in the row already": "{card} is already in the row",
    # Markers
    "nobody's marker": "No player at this table uses this set of markers",
    "foreign pad": "That is {owner}'s marker, but this is {seat}'s pad",
    "chosen already": "{seat} has chosen this marker already",
    "not the chosen marker": "That is not the marker that {seat} chose",
    # Buttons
    "cards are drawn": "Buttons do nothing now: {start} draws cards and taps them on the centre",
    "markers are chosen": "Buttons do nothing now; still to choose a marker: {seats}",
    "hold green to end": "Hold green for two seconds to ask all players whether to end the game",
    "nothing more to do": "The game is over: buttons do nothing any more",
    # Anything
    "nobody sits here": "No player sits at this pad",
    "not of this game": "This piece does not belong to the game",
}


SENTENCES = {
    # Setting up
    "set up the deck": "Shuffle all {number} animal cards and lay them face down in the middle: that is the deck",
    "set up the markers": "Each player takes a set of {number} markers with the same back",
    "set up the stones": "Each player takes {stones:stone|stones}",
    "set up the rest": "Out of the game, back into the box: {stones:stone|stones}, {sets:set|sets} of markers",
    "set up open stones": "Keep your stones where all players can count them",
    "set up secret stones": "You have agreed on secret stones. Keep yours where the others can't count them",
    "set up clockwise": "{start} starts the first round, and play goes clockwise",
    "set up anticlockwise": "{start} starts the first round, and play goes anticlockwise",
    # Laying out
    "draws": "{seat} draws {card}",
    "all colours": "The row shows all six colours. Each player chooses a marker",
    "seven cards": "The row has seven cards. Each player chooses a marker",
    "deck is empty": "The deck is empty. Each player chooses a marker for the cards that are left",
    "too many cards": "The row is complete: put {card} back on the deck",
    "not in the deck": "{card} is not in the deck: tap the card that was drawn",
    # Choosing
    "has chosen": "{seat} has chosen",
    "chose anew": "{seat} has chosen again",
    "all have chosen": "All have chosen: {turn} begins",
    "the row comes first": "The row is not complete: {start} draws cards first",
    "choices are locked": "All have chosen: {seat}'s choice can't be changed any more",
    "no such marker": "There is no such marker; {seat} has {colours}",
    # Bidding
    "lays a stone": "{seat} lays a stone",
    "first stone": "{seat} starts this round and has to lay the first stone",
    "passes": "{seat} passes and takes {stones:stone|stones||no stones}",
    "no stones left": "{seat} has no stones left and must pass",
    "bidding has not begun": "Bidding has not begun: there are still {phase}",
    "has passed already": "{seat} has passed and is out for this round; it is {turn}'s turn",
    "out of turn": "It is {turn}'s turn, not {seat}'s",
    # Taking cards
    "is the last": "{seat} is the last one left and reveals first",
    "takes": "{seat} reveals {colour} and takes {cards}",
    "takes nothing": "{seat} reveals {colour} and finds no card",
    "stay": "No one took {cards}, left for the next round",
    "starts the next round": "{seat} passed first and starts the next round",
    # The end
    "all cards have an owner": "All cards have an owner: the game is over",
    "stalemate": "The deck is empty and no player took a card. You may all agree to end the game",
    "agreed to end": "You have agreed to end the game; {cards} score for no one",
    "no stalemate": "You can end the game only with an empty deck, after a round in which no player took a card",
    "the game is over": "The game is over",
    # Points
    "has the most": "{seat} has the most {animal}, {cards:card|cards}: {seats_all} have {counts}",
    "tied for the most": "{seat} shares the most {animal} with {seats}, {cards:card|cards}: {seats_all} have {counts}",
    "equal points": "{seats} have {points:point|points} each: they share the victory",
    "equal stones": "{seats} have {points:point|points} and {stones:stone|stones} each: they share the victory",
    "most stones win": "{seats} have {points:point|points} each, and {counts} stones: the most stones win",
    "stones left": "{seat} has {stones:stone|stones} left: a point for every full six",
    "too few stones": "{seat} has {stones:stone|stones||no stones} left: too few for a point",
} | GESTURES


def word(box: Box, fact: str, value: int | str, _: Translate) -> str | None:
    """The word for a fact of Lascaux; None: shown as it is. Names of an enrolled box that nobody knows stay."""
    match fact, value:
        case "card" | "cards", str():
            return card(box, value, _)
        case "animal", str():
            return animals(value, _)
        case "colour" | "colours", str():
            return colour(value, _)
        case "phase", "draw":
            return _("cards to draw")
        case "phase", "choose":
            return _("markers to choose")
    return None


def card(box: Box, card_id: str, _: Translate) -> str | None:
    """mammoth-brown-green → mammoth brown/green"""
    for known in box.cards:
        if known.id == card_id:
            one, other = (colour(name, _) for name in known.colours)
            return _("{animal} {one}/{other}").format(animal=animal(known.animal, _), one=one, other=other)
    return None


def animal(name: str, _: Translate) -> str:
    words = {
        "aurochs": _("aurochs"),
        "deer": _("deer"),
        "horse": _("horse"),
        "goat": _("goat"),
        "mammoth": _("mammoth"),
        "rhinoceros": _("rhino"),
    }
    return words.get(name, name)


def animals(name: str, _: Translate) -> str:
    """Several of them: "the most goats"."""
    words = {
        "aurochs": _("aurochs", "several"),
        "deer": _("deer", "several"),
        "horse": _("horses", "several"),
        "goat": _("goats", "several"),
        "mammoth": _("mammoths", "several"),
        "rhinoceros": _("rhinos", "several"),
    }
    return words.get(name, name)


def colour(name: str, _: Translate) -> str:
    words = {
        "brown": _("brown"),
        "yellow": _("yellow"),
        "green": _("green"),
        "pink": _("pink"),
        "white": _("white"),
        "blue": _("blue"),
        "orange": _("orange"),
        "red": _("red"),
        "purple": _("purple"),
        "grey": _("grey"),
    }
    return words.get(name, name)
