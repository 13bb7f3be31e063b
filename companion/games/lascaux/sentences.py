"""What Lascaux says, in English: sentences of the rules, rulings, and words for pieces, places and facts.

docs/languages.md explains the braces.
"""

from companion.gamekit import N_, Translate, plain
from companion.games.lascaux.colours import colour_word
from companion.games.lascaux.components import Box

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
"""Answers to a gesture that is no action. They never name a marker's colour, which is secret."""

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
    "chose again": "{seat} has chosen again",
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

RULINGS = {
    "L1": N_(
        "Everyone gets a set of markers and 12 stones; with five players 10. What is not used leaves the game. The"
        " youngest starts the first round."
    ),
    "L2": N_(
        "The start player draws cards one at a time into the row, until it shows all six colours or has seven "
        "cards. Cards left from the round before count. A card that is not in the deck is refused."
    ),
    "L3": N_("If the deck runs out, you play for the cards that are there."),
    "L4": N_("A card drawn after the row is complete is refused: it goes back on the deck."),
    "L5": N_("Everyone secretly chooses one of their six markers. Any colour will do, even one that no card shows."),
    "L6": N_(
        "A choice may be changed until the last player has chosen. Then all are locked and bidding begins. Nothing"
        " shows a choice before its reveal."
    ),
    "L7": N_(
        "From the start player on, in order, each lays one stone in the middle or passes. Whether the start "
        "player, too, may pass at once or has to lay the first stone of the round, you agree before the game."
    ),
    "L8": N_(
        "A player who passes takes all stones from the middle, lays their marker face down on top of the pile and "
        "is out for this round."
    ),
    "L9": N_("Without a stone you must pass. If the middle is empty, too, you receive nothing."),
    "L10": N_("A stone or a pass out of turn is refused; the referee says whose turn it is."),
    "L11": N_(
        "As soon as only one player is left, that player has won the bidding, pays nothing and isn't asked again."
    ),
    "L12": N_(
        "The last bidder reveals their marker and takes all cards of the row that show its colour. Then the pile "
        "is revealed from top to bottom: the last to pass before the first to pass. A player who has a colour that"
        " another player had before them finds nothing left."
    ),
    "L13": N_("Cards that no player took stay for the next round."),
    "L14": N_("Everyone takes their marker back. The player who passed first starts the next round."),
    "L15": N_(
        "When all 54 cards have an owner, the game is over. This is looked at after the whole pile has been revealed."
    ),
    "L16": N_(
        "With an empty deck, after a round in which no card was taken, the table may agree to end the game, as "
        "long as not all players have chosen for the next round. The cards in the row then score for no one."
    ),
    "L17": N_(
        "For each animal, the player who has the most cards gets one point for each of them. If several have the "
        "most, all of them get their points in full."
    ),
    "L18": N_("One point for every full six stones."),
    "L19": N_(
        "The most points win. A tie is shared, or, if that was agreed on, goes to the player who has more stones; "
        "with equal stones it is shared."
    ),
    "L20": N_(
        "If that was agreed on, no player sees how many stones the others have until the game is over. The stones "
        "in the middle are always visible."
    ),
    "L21": N_(
        "If several games are added up, another player starts each game, and the direction of play alternates, "
        "unless you agreed to keep it."
    ),
}
"""The rulings behind "Why?", by number; docs/rules/lascaux.md has them in full."""

PIECES = {
    "stone": N_("{count:stone|stones}"),
    "card": "{card}",
    "marker": N_("{name}'s marker {marker}"),
    "hidden marker": N_("{name}'s marker"),
}
PLACES = {
    "deck": N_("deck"),
    "row": N_("row"),
    "pot": N_("pot"),
    "pile": N_("pile"),
    "supply": N_("{name}'s stones"),
    "won": N_("{name}'s cards"),
    "hand": N_("{name}'s hand"),
    "chosen": N_("in front of {name}"),
}


def word(box: Box, fact: str, value: int | str, _: Translate) -> str | None:
    """The word for a fact of Lascaux; None: shown unchanged, such as an unknown name from an enrolled box."""
    match fact, value:
        case "card" | "cards", str():
            return card(box, value, _)
        case "animal", str():
            return animals(value, _)
        case "colour" | "colours" | "marker", str():
            return colour_word(value, _)
        case "phase", "draw":
            return _("cards to draw")
        case "phase", "choose":
            return _("markers to choose")
    return None


def card(box: Box, card_id: str, _: Translate) -> str | None:
    """mammoth-brown-green → mammoth brown/green"""
    for known in box.cards:
        if known.id == card_id:
            one, other = (colour_word(name, _) for name in known.colours)
            return _("{animal} {one}/{other}", animal=animal(known.animal, _), one=one, other=other)
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


def short_animal(name: str, _: Translate) -> str:
    """At most four letters, for a narrow column."""
    short = {
        "aurochs": _("aur.", "narrow"),
        "deer": _("deer", "narrow"),
        "horse": _("hors", "narrow"),
        "goat": _("goat", "narrow"),
        "mammoth": _("mam.", "narrow"),
        "rhinoceros": _("rhin", "narrow"),
    }
    return short.get(name) or plain(name, 4)
