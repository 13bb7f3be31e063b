"""What the rules of Sioux say, in English, and its words for facts. See docs/languages.md."""

from companion.gamekit import Translate
from companion.games.sioux.components import HUNTER, Box

# --- What is said to a gesture that is no action, in English. No sentence has a place for a card's name.

GESTURES = {
    # Cards
    "nobody's card": "No player at this table uses this set of cards",
    "foreign pad": "That is {owner}'s card, but this is {seat}'s pad",
    "hunter lies aside": "No player has the hunter card before the first winter is over",
    # Buttons
    "cards are laid": "Buttons do nothing now; still to lay a card: {seats}",
    "nothing more to do": "The game is over: buttons do nothing any more",
    # Who got which supply card
    "who got the next card": "The supply cards are dealt. Of {seats}, the player with the highest one presses green",
    "got the next card": "{seat} got the highest card. Now the one of {seats} who got the next presses green",
    "taken back": "Say again who got {seat}'s card",
    "nothing to take back": "No player has said yet who got the highest supply card",
    # Anything
    "nobody sits here": "No player sits at this pad",
    "not of this game": "This piece does not belong to the game",
}


SENTENCES = {
    # Setting up
    "set up tribe cards": "Each player takes a set of {number} tribe cards in one colour",
    "set up the rest": "Out of the game, back into the box: {sets:set|sets} of tribe cards",
    "set up the bank": "Stack the {number} prey cards by animal: they are the bank. {animals}",
    "set up the supply": "Sort the {number} supply cards by their crystals: a stack for each of the three winters",
    "set up without the highest": "The highest of each winter leave the game: {values} of the first, "
    "{values_2} of the second, {values_3} of the third",
    "set up the first winter": "Lay out the supply cards of the first winter, face up: {values}",
    "set up the hunter": "Lay the consecrated hunter aside. The best player of a winter gets that card",
    "set up the prey": "Keep the prey that you win in front of you, sorted by animal, where all can count it",
    # Laying and revealing
    "lays": "{seat} has laid a card",
    "revealed": "All cards are revealed: {seats} played {cards_in_order}",
    "has laid already": "{seat} has laid a card already, and it stays",
    "not in hand": "{seat} does not hold this card: it was played, has left the game, or is another's",
    # The shaman
    "names a value": "{seat} is asked what the shaman counts; still free: {values}",
    "no value is free": "Every value that the shaman may have is on the table, so {seat}'s counts {value}",
    "several shamans": "Several shamans: each counts {value}",
    "named": "{seat}'s shaman counts {value}",
    "no such value": "{seat}'s shaman can't count that; it counts one of {values}",
    # Prey
    "wins prey": "{seat} wins prey worth {value} ({highest} less {second}): {animals}",
    "lapses": "The bank cannot pay {value} of it: that lapses",
    "many tied": "{seats} are tied with {value}: nothing happens",
    "two tied": "{seats} are tied with {value}: they swap their prey, unless one of them calls the crow",
    # The hunter
    "hunter played": "{seat} plays the consecrated hunter: all others get nothing",
    "several crows": "Several crows only count 1: {seat} keeps the deer",
    "takes the deer": "{seat} takes {animals}",
    "steals the deer": "{seat}'s crow steals {animals} from {owner}'s hunter",
    "no deer left": "The bank has no deer left: {seat} gets nothing",
    "takes other prey": "The bank has no deer left: {seat} takes prey worth {value} instead: {animals}",
    "steals other prey": "The bank has no deer left: {seat}'s crow steals prey worth {value} from {owner}'s hunter "
    "instead: {animals}",
    "no prey instead of the deer": "The bank has no deer left, and no other prey worth up to {value}: {seat} gets "
    "nothing",
    "no prey beside the hunter": "No player wins prey beside the hunter",
    # The swap and the duel
    "calls the crow": "{seat} calls the cunning crow: {seats} lay one more card",
    "does not call": "{seat} does not call the crow",
    "has said no already": "{seat} has said no already",
    "nobody calls": "{seat} does not call the crow either",
    "swap": "{seats} swap all their prey",
    "gets in the swap": "{seat} gets {animals} from {owner}",
    "lays nothing": "{seat} has no card left and lays nothing",
    "duel revealed": "The duel is revealed: {seats} played {cards_in_order}",
    "crow leaves": "{seat}'s crow leaves the game for good",
    "both crows": "Both played the crow: the tie remains",
    "no crow": "No player played the crow: the tie remains",
    "breaks the tie": "{seat}'s crow breaks the tie: no swap",
    "wins the duel": "{seat} wins prey worth {value}: {animals}",
    "not in the duel": "{seat} has no part in the duel: {seats} lay a card",
    "a card has to be laid": "{seat} holds cards and has to lay one of them",
    # Gifts
    "may claim": "{seat} has drawn level and may claim a gift from {seats}",
    "gets a gift": "{seat} gets {animals} as a gift from {owner}",
    "has nothing to give": "{owner} has no prey and gives {seat} nothing",
    "claims nothing": "{seat} claims no gift",
    "gifts lapse": "{seats} may claim nothing more in this round: those gifts lapse",
    "no such gift": "{seat} may claim gifts from {seats}, one from each",
    # Winter
    "winter comes": "{seats} reached 20: winter {winter} ends the hunting",
    "gets supply": "{seat} gets the supply card {value}: prey worth {total}, {number:animal|animals}",
    "gets supply by animals": "{seat} gets supply card {value}: {seats} have prey worth {total} each, so the number of "
    "animals decides: {counts}",
    "is dealt supply": "{seat} was dealt the supply card {value}: {seats} have prey worth {total} each, and {counts} "
    "animals",
    "tied for supply": "{seats} are tied: {turn} shuffles and deals the supply cards {values}; then say who got which",
    "all tied for supply": "{seats} are tied: shuffle the supply cards {values}, deal them and say who got which",
    "not the tied seats": "Name {seats}, each once, in the order of the cards that they got, the highest first",
    "hunter card": "{seat} gets the hunter card",
    "after the winter": "Prey goes back, all players take up their cards, the supply of winter {winter} is laid out",
    "last card": "{seats} played the last card: all players take up all their cards",
    "last card at once": "{seats} played the last card: all players take up the cards played before at once",
    "last cards follow": "The round is over: all players also take up the cards still on the table",
    "third winter is over": "The third winter is over: the game ends",
    "the game is over": "The game is over",
    # Points
    "supply": "{seat} got the supply card {value} in winter {winter} for prey worth {total}: {animals}",
    "supply by animals": "{seat} got supply {value} in winter {winter}: {seats} had {total} each, the number of "
    "animals decided: {counts}",
    "supply dealt": "{seat} was dealt supply card {value} in winter {winter}: {seats} had prey worth {total} each, "
    "and {counts} animals",
    "third winter decides": "{seats} have {points:point|points} each, {values} of them in winter 3: more of those win",
    "equal in the third winter": "{seats} have {points:point|points} each, {value} of them in winter 3: they share the "
    "victory",
    # Form
    "not now": "Not now: first {seats} must {phase}",
    "out of turn": "{turn} is asked, not {seat}",
    "no such seat": "There is no seat {number}; the seats are 0 to {last}",
    "malformed": "This action cannot be read: {problem}",
    "unknown action": "Sioux has no action {do}",
} | GESTURES


def word(box: Box, fact: str, value: int | str, _: Translate) -> str | None:
    """The word for a fact of Sioux; None: shown as it is. Names of an enrolled box that nobody knows stay."""
    match fact, value:
        case "cards_in_order", str():
            return card(box, value, _)
        case "animals", str():
            return animal(value, _)
        case "phase", str():
            return task(value, _)
    return None


def card(box: Box, card_id: str, _: Translate) -> str | None:
    """A plain card is called what it is worth."""
    if card_id == HUNTER:
        return _("hunter")
    for known in box.tribe:
        if known.id == card_id:
            return {"crow": _("crow"), "shaman": _("shaman")}.get(known.kind or "", str(known.value))
    return None


def animal(name: str, _: Translate) -> str:
    words = {
        "rabbit": _("rabbit"),
        "turkey": _("turkey"),
        "deer": _("deer"),
        "bear": _("bear"),
        "bison": _("bison"),
    }
    return words.get(name, name)


def task(phase: str, _: Translate) -> str | None:
    words = {
        "play": _("lay a card"),
        "name": _("say what the shaman counts"),
        "crow": _("say whether to call the crow"),
        "duel": _("lay a card for the duel"),
        "gifts": _("say which gifts to claim"),
        "dealt": _("say who got which supply card"),
    }
    return words.get(phase)
