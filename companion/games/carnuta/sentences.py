"""What Carnuta says, in English: sentences of the rules, rulings, and words for pieces, places and facts.

docs/languages.md explains the braces.
"""

from collections import Counter

from companion.gamekit import N_, Translate, plain
from companion.games.carnuta.components import Box, Card

GESTURES = {
    # Cards
    "card on a pad": "Tap dealt cards on the centre, not on {seat}'s pad",
    "in the row already": "{card} is already in a row",
    "lies elsewhere": "{card} was already played, or is in another player's hand",
    "not for now": "This card is neither in a row nor in the hand of the player whose turn it is",
    "column on the screen": "Salt: {seat} says on the screen into which column it goes",
    # Markers
    "nobody's marker": "No player at this table uses this marker",
    "foreign pad": "That is {owner}'s marker, but this is {seat}'s pad",
    # Buttons
    "start cards are taken": "Buttons do nothing now: {turn} takes a start card and taps it, face down",
    "a card is dealt": "Buttons do nothing now: tap the next card of the {row} deck on the centre",
    "somebody else's turn": "It is {turn}'s turn, not {seat}'s",
    "green steps": "{seat} may step through what can be done with green; tapping a card takes or plays it",
    "nothing to step through": "There is nothing to choose with the buttons now",
    # What green steps through
    "take runes?": "{seat}: take {count:rune|runes} showing the {face}? Hold green",
    "flip runes?": "{seat}: flip {count:rune|runes} showing the {face}? Hold green",
    "spend a sickle?": "{seat}: spend a sickle on the {row} row? Hold green",
    "take a card?": "{seat}: take {card}? Hold green",
    "play a card?": "{seat}: play {card} into the {ingredient} column? Hold green",
    "discard?": "{seat}: discard {card}? Hold green",
    "choose a bonus?": "{seat}: take the bonus ingredient {ingredient}? Hold green",
    "dropped": "{seat} thinks again",
    "nothing more to do": "The game is over",
    # Anything
    "nobody sits here": "No player sits at this pad",
    "not of this game": "This piece does not belong to the game",
}
"""Answers to a gesture that is no action. They never name a start card, which is secret."""

SENTENCES = {
    # Set-up
    "set up the decks": "Shuffle the sun deck ({suns:card|cards}) and the moon deck ({moons:card|cards}), each face "
    "down",
    "set up the boards": "Each player gets a board: the marker before field 1, padlocks on {count} of the {slots} "
    "slots",
    "set up the runes": "Each player puts {suns:sun|suns} and {moons:moon|moons} on the open slots",
    "set up the reserve": "The other runes are the reserve: {suns:sun|suns} and {moons:moon|moons}",
    "set up the sickles": "Each player gets {count:sickle|sickles}",
    "set up the bonus": "The bonus ingredients lie ready: {ingredients}",
    "set up the rest": "{count:board leaves|boards leave} the game, with padlocks and sickles",
    "set up secret cards": "Each player draws a start card and keeps it secret",
    "set up open cards": "Each player draws a start card and lays it out at once, free of cost",
    "set up the rows": "Then {count} cards of each deck are laid out in a row, sun first",
    "set up the start": "{start} has the first turn",
    "has a start card": "{seat} has a start card",
    "plays the start card": "{seat} lays the start card {card} in the {ingredient} column",
    "shows the start card": "{seat} never played the start card: {card}",
    "no start card": "{seat} can't have this start card: it is in neither deck",
    "another's start card": "{turn} takes a start card now, not {seat}",
    "all have start cards": "All players already have a start card",
    "start cards first": "First each player takes a start card: it is {turn}'s turn",
    # The rows
    "is dealt": "{card} is laid in the {row} row",
    "no place is empty": "No place has to be filled now: put the card back on its deck",
    "a place is empty": "First a card of the {row} deck is laid in the {row} row",
    "the other row first": "The {row} row comes first: deal a card of the {row} deck",
    "not in the deck": "This card is not in the {row} deck: tap the card that was drawn from it",
    "reshuffled": "The {row} deck is empty: shuffle its {count:discarded card|discarded cards} to a new deck",
    "stays empty": "The {row} deck is empty and has no discards: the place stays empty",
    # A turn
    "begins": "It is {turn}'s turn: two actions",
    "no action left": "{seat} has used both actions",
    "actions first": "{seat} still has {count:action|actions} left",
    "out of turn": "It is {turn}'s turn, not {seat}'s",
    # Take a card
    "takes a card": "{seat} takes {card} from the {row} row",
    "not in a row": "{seat} can't take this card: it is in neither row",
    # Play a card
    "plays a card": "{seat} plays {card} into the {ingredient} column: marker on {marker}",
    "turns runes": "{seat} pays: turn {count:rune|runes} from {face} to {other}",
    "removes runes": "{seat} pays: {count:rune|runes} showing the {face} to the reserve",
    "not in the hand": "{seat} does not have this card",
    "cannot pay": "{seat} can't pay for {card}: it asks for {suns:sun|suns} and {moons:moon|moons}, "
    "there are {has_suns:sun|suns} and {has_moons:moon|moons}",
    "cannot pay in any order": "{seat} can't pay for {card} with {has_suns:sun|suns} and {has_moons:moon|moons}, in "
    "whatever order the runes are turned",
    "cannot pay this": "{seat} can't pay for this card",
    "which column": "Salt is assigned at once: {seat} has to name a column ({ingredients})",
    # Bonus fields
    "opens a slot": "{seat} takes a padlock off: {slots:slot|slots} for runes are open",
    "may choose a bonus": "{seat} chooses a bonus ingredient: {ingredients}",
    "chooses a bonus": "{seat} takes the bonus ingredient {ingredient}",
    "the bonus first": "First {seat} chooses a bonus ingredient: {ingredients}",
    "no bonus now": "{seat} has no bonus ingredient to choose now",
    "no such bonus": "This bonus ingredient is not there any more; {seat} may choose {ingredients}",
    "never a bonus": "There is no such bonus ingredient; {seat} may choose {ingredients}",
    # Runes
    "takes runes": "{seat} takes {count:rune|runes} showing the {face} from the reserve",
    "no runes to take": "{seat} can't take a {face}: none is in the reserve, or no open slot is free",
    "not so many runes": "{seat} may take 1 to {most:rune|runes} showing the {face}",
    "no number of runes": "{seat} has to say a whole number of runes, or none at all",
    "flips runes": "{seat} flips {count:rune|runes} from {face} to {other}",
    "not so many to flip": "{seat} may flip 1 to {most:rune|runes} showing the {face}",
    "no runes to flip": "{seat} has no rune that shows the {face}",
    # Sickles
    "spends a sickle": "{seat} spends a sickle: {cards} leave the {row} row",
    "no sickles left": "{seat} has no sickles left",
    "enough sickles": "{seat} has used {count:sickle|sickles} this turn, the maximum",
    "the row is empty": "The {row} row is empty: there is nothing to discard",
    # The end of a turn
    "check the board": "A quick look at {seat}'s board: {suns:sun|suns}, {moons:moon|moons}, marker on {marker}",
    "discards": "{seat} discards {card}",
    "few enough cards": "{seat} has {count:hand card|hand cards} and keeps them",
    "too many cards": "{seat} has to discard {count:card|cards} first",
    "ends the turn": "{seat} has finished; the marker stands on {marker}",
    # The end
    "a new round": "Round {round} begins",
    "has eleven cards": "{seat} has eleven cards: this round is played to its end, then one more is played",
    "eleven cards in the last round": "{seat} has eleven cards: this round is the last",
    "also has eleven cards": "{seat} has eleven cards, too",
    "the last round": "Round {round} is the last one",
    "it is over": "That was the last round: the game is over",
    "the game is over": "The game is over",
    # Points
    "symbols of a kind": "{seat}, {ingredient} symbols: {sources_in_order}; together {count}",
    "free salt": "{seat}, salt: {sources_in_order}; together {count}, free to count as whatever a card lacks",
    "a column with sets": "{seat}, {ingredient} column: {sums_in_order}; {symbols} in all; {sum:point|points}",
    "a flat column": "{seat}, {ingredient} column: {sums_in_order}; {sum:point|points}",
    "best line wins": "{seats} have {points:point|points} each, and on their best line {lines_in_order}: the most wins",
    "equal best lines": "{seats} have {points:point|points} each, and on their best line {lines_in_order}: they share "
    "the victory",
    # Form
    "no such seat": "There is no seat {number}; the seats are 0 to {last}",
    "malformed": "This action cannot be read: {problem}",
    "unknown action": "Carnuta has no action {do}",
} | GESTURES

RULINGS = {
    "C1": N_(
        "Each player starts with four runes, two sickles and a random card. Start cards come first, then both rows"
        " are laid out, sun before moon."
    ),
    "C2": N_(
        "A turn has two actions out of four: take a card, play a card, take runes, flip runes. The same one twice "
        "is fine."
    ),
    "C3": N_(
        "A card that is taken goes to the hand, and its place is filled at once from its deck. Nothing else "
        "happens before."
    ),
    "C4": N_(
        "A card that is played is paid, laid in the column of its ingredient, and moves the marker one field; what"
        " the field says is done at once."
    ),
    "C5": N_(
        "Each symbol of the cost is paid with a rune of its own that shows the asked face before the payment. A "
        "rune turned by this payment pays nothing more; with the option it may pay the next symbol."
    ),
    "C6": N_(
        "Removed runes go to the reserve with the face that they show, and runes that are taken are not turned. "
        "There are always 22."
    ),
    "C7": N_(
        "Salt goes into a column of your choice, at once and for good. It counts as that ingredient and no other; "
        "with the option it stands there, but counts at the end as whatever a card lacks."
    ),
    "C8": N_(
        "The fourth and the eighth card take a padlock off. With the sixth and the tenth you choose a bonus "
        "ingredient: one more symbol at the end."
    ),
    "C9": N_("Runes of one face, as many as the reserve has and the open places hold. If that is none, it is refused."),
    "C10": N_(
        "All runes on your board that show one face are flipped, or with the option as many of them as you like. "
        "Without any it is refused."
    ),
    "C11": N_(
        "Once in your turn a sickle discards one whole row, which is laid out again. An empty row can't be discarded."
    ),
    "C12": N_(
        "If a place has to be filled and the deck is empty, its discards are shuffled to a new one. Without "
        "discards the place stays empty."
    ),
    "C13": N_(
        "At the end of a turn you discard down to three cards, and runes and marker are compared with what the "
        "referee says."
    ),
    "C14": N_("Eleven played cards end the game: this round is played to its end, and then one more."),
    "C15": N_(
        "Each card brings points by its own condition. Sets are counted over all your symbols, and symbols are not"
        " used up. Salt that is a joker completes as many sets as it can, for each card by itself."
    ),
    "C16": N_("The most points win; with a tie the most points on one single line; then the victory is shared."),
    "C17": N_(
        "Only its owner knows a start card until it is played. Cards from the rows are known to all, also in the hand."
    ),
    "C18": N_("What comes out of turn, names something that isn't there, or a card that you don't have, is refused."),
    "C19": N_(
        'The "Y" in the picture of the short rules stands for whichever ingredient is printed there. It is not a '
        "symbol of its own."
    ),
}
"""The rulings behind "Why?", by number; docs/rules/carnuta.md has them in full."""

PIECES = {
    "card": "{card}",
    "rune": N_("{count:rune|runes}"),
    "sickle": N_("{count:sickle|sickles}"),
    "padlock": N_("{count:padlock|padlocks}"),
    "bonus": N_("{bonus} (bonus)"),
    "marker": N_("{name}'s marker"),
    "start card": N_("{name}'s start card"),
}
PLACES = {
    "deck": N_("deck ({face})"),
    "row": N_("row ({face})"),
    "discards": N_("discards ({face})"),
    "reserve": N_("reserve ({face})"),
    "column": N_("{name}'s {ingredient} column"),
    "field": N_("field {number} of {name}'s board"),
    "suns": N_("suns of {name}"),
    "moons": N_("moons of {name}"),
    "hand": N_("{name}'s hand"),
    "board": N_("{name}'s board"),
    "sickles": N_("{name}'s sickles"),
    "supply": N_("bonus ingredients"),
    "box": N_("box"),
    "its deck": N_("its deck"),
}
"""The face, the ingredient or the number is a part of the place's kind: "sun deck", "egg column", "field 3"."""


def word(box: Box, fact: str, value: int | str, _: Translate) -> str | None:
    """The word for a fact of Carnuta; None: shown as it is. Cards that are in no box stay as they are."""
    match fact, value:
        case "card" | "cards", str():
            return card(box, value, _)
        case "ingredient" | "ingredients" | "bonus", str():
            return ingredient(value, _)
        case "row" | "face" | "other", str():
            return face(value, _)
        case "sums_in_order", str():
            return _sum(box, value, _)
        case "sources_in_order", str():
            return _source(box, value, _)
        case "lines_in_order", str():
            count, _space, kind = value.partition(" ")
            return f"{count} ({ingredient(kind, _)})" if kind else count
        case "symbols", str():
            count, _space, kind = value.partition(" ")
            return f"{count} {ingredient(kind, _) if count == '1' else several(kind, _)}"
    return None


def card(box: Box, card_id: str, _: Translate) -> str | None:
    """egg-3 → egg (5); egg-8 → egg (4 for egg + 2 mushrooms): what hands see on it."""
    for known in box.cards:
        if known.id == card_id:
            return f"{ingredient(known.ingredient, _)} ({points(known, _)})"
    return None


def points(known: Card, _: Translate) -> str:
    """What a card brings: a number, or so many for each set."""
    if known.per is None:
        return str(known.points)
    needs = Counter(known.per).items()
    kinds = [ingredient(kind, _) if need == 1 else f"{need} {several(kind, _)}" for kind, need in needs]
    return _("{points} for {symbols}", points=known.points, symbols=" + ".join(kinds))


def _sum(box: Box, text: str, _: Translate) -> str | None:
    """egg-8 4 × 2 → egg (4 for egg + 2 mushrooms) × 2 = 8"""
    for known in sorted(box.cards, key=lambda known: -len(known.id)):
        rest = text.removeprefix(f"{known.id} ")
        if rest != text:
            _points, _times, count = rest.partition(" × ")
            sets = f" × {count} = {known.points * int(count)}" if count.isdecimal() else ""
            return f"{card(box, known.id, _)}{sets}"
    return None


def _source(box: Box, text: str, _: Translate) -> str | None:
    """2 card egg-3 → 2 on egg (5); 1 salt salt-1 → 1 salt (2), a joker; 1 bonus → 1 bonus ingredient"""
    count, kind, card_id = (*text.split(" ", 2), "")[:3]
    if kind == "bonus":
        return _("{count} bonus ingredient", count=count)
    name = card(box, card_id, _) or card_id
    if kind == "salt":
        return _("{count} from the joker {card}", count=count, card=name)
    return _("{count} on {card}", count=count, card=name)


def ingredient(name: str, _: Translate) -> str:
    words = {
        "honey": _("honey"),
        "clover": _("clover"),
        "flower": _("flower"),
        "egg": _("egg"),
        "mushroom": _("mushroom"),
        "skull": _("skull"),
        "berry": _("berry"),
        "moth": _("moth"),
        "salt": _("salt"),
    }
    return words.get(name, name)


def several(name: str, _: Translate) -> str:
    """An ingredient behind a number: 2 eggs."""
    words = {
        "honey": _("honey", "several"),
        "clover": _("clovers", "several"),
        "flower": _("flowers", "several"),
        "egg": _("eggs", "several"),
        "mushroom": _("mushrooms", "several"),
        "skull": _("skulls", "several"),
        "berry": _("berries", "several"),
        "moth": _("moths", "several"),
        "salt": _("salt", "several"),
    }
    return words.get(name, name)


def face(name: str, _: Translate) -> str:
    """A side of a rune, a deck or a row."""
    return {"sun": _("sun"), "moon": _("moon")}.get(name, name)


def short_ingredient(name: str, _: Translate) -> str:
    """Two letters, for narrow places."""
    short = {
        "honey": _("Ho", "two letters"),
        "clover": _("Cl", "two letters"),
        "flower": _("Fl", "two letters"),
        "egg": _("Eg", "two letters"),
        "mushroom": _("Mu", "two letters"),
        "skull": _("Sk", "two letters"),
        "berry": _("Be", "two letters"),
        "moth": _("Mo", "two letters"),
        "salt": _("Sa", "two letters"),
    }
    return short.get(name) or plain(name, 2)
