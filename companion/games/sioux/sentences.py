"""What Sioux says, in English: sentences of the rules, rulings, and words for pieces, places and facts.

docs/languages.md explains the braces.
"""

from companion.gamekit import N_, Translate, plain
from companion.games.sioux.components import HUNTER, Box

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
"""Answers to a gesture that is no action. They never name a card that lies face down."""

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

RULINGS = {
    "S1": N_(
        "As many supply cards of the winter are laid out as there are players; with fewer than five the highest "
        "are removed first."
    ),
    "S2": N_(
        "Everyone lays one card face down; when the last card is down, all are revealed together. A card once laid"
        " cannot be taken back."
    ),
    "S3": N_("The single highest card wins prey worth the difference to the second highest."),
    "S4": N_(
        "Prey is paid with the most valuable animal that the bank has and that fits, again and again; what cannot "
        "be paid lapses."
    ),
    "S5": N_(
        "If two cards are the highest, no player gets prey: their players swap all their prey, unless a crow duel "
        "prevents it."
    ),
    "S6": N_("If three or more cards are the highest, nothing happens, and there is no duel."),
    "S7": N_(
        "After the reveal the shaman's player says 6, 7 or 8, but no value that another card has; if none is free "
        "it counts 6."
    ),
    "S8": N_("Several shamans count 6 each, and no player is asked."),
    "S9": N_(
        "In each winter the hunter card goes to the player who gets the highest supply card, as an extra card for "
        "the next hunts."
    ),
    "S10": N_(
        "A player who plays the hunter takes one deer from the bank; all others get nothing. If the bank has no "
        "deer, they get nothing, or with the option other prey worth 3."
    ),
    "S11": N_("A single crow played together with the hunter takes that deer instead."),
    "S12": N_("Several crows beside the hunter only count 1: the hunter's player keeps the deer."),
    "S13": N_(
        "Before a swap both are asked at the same time, in any order, whether they call the crow, and the first "
        "yes begins the duel: both lay one more card. A crow adds 1, any other card 0."
    ),
    "S14": N_(
        "Exactly one crow breaks the tie: no swap, and its player wins prey worth 1. With two crows, or none, they"
        " swap."
    ),
    "S15": N_("Bluff cards return to the hand; a crow that was played in a duel leaves the game for good."),
    "S16": N_(
        "A player whose total changed in the hunt and now equals another's may claim one animal of the smallest "
        "kind from that player."
    ),
    "S17": N_("Totals are compared once, right after the hunt; a gift leads to no further gift."),
    "S18": N_(
        "After a swap both totals have changed, so both may claim; with the option only the one whose total has risen."
    ),
    "S19": N_(
        "A total of 20 after a hunt ends the hunting at once, without gifts; reached by gifts, after all gifts of "
        "the round. With the option the gift that brings a player to 20 ends it, and all further gifts lapse."
    ),
    "S20": N_(
        "Supply cards go by prey total, then by number of animals; for those who are still tied a player who is "
        "not involved shuffles the cards and deals them."
    ),
    "S21": N_(
        "After a winter all prey returns, everyone takes all cards back, and the next winter's supply is laid out."
    ),
    "S22": N_(
        "When a player has no card in hand at the end of a round, each player takes the played cards back. If you "
        'agreed on "at once", earlier cards come back at the reveal, and those that lie there when the round is '
        "over."
    ),
    "S23": N_(
        "After the third winter the highest sum of supply cards wins; with a tie more supply in the third winter, "
        "then shared."
    ),
    "S24": N_(
        "A laid card is hidden until the reveal; cards of earlier rounds are not shown: remembering them is part "
        "of the game."
    ),
    "S25": N_(
        "Only a card that its player holds can be laid: not one that was played, has left the game, or is another's."
    ),
}
"""The rulings behind "Why?", by number; docs/rules/sioux.md has them in full."""

PIECES = {
    "prey": "{count} × {prey}",
    "supply": "{supply}",
    "card": N_("{name}'s card {card}"),
    "hidden card": N_("a card of {name}"),
    "card hunter": N_("the hunter card"),
}
PLACES = {
    "bank": N_("bank"),
    "laid out": N_("laid out"),
    "stack": N_("supply stack"),
    "aside": N_("beside the table"),
    "gone": N_("out of the game"),
    "prey": N_("{name}'s prey"),
    "supply": N_("{name}'s supply"),
    "hand": N_("{name}'s hand"),
    "played": N_("{name}'s played cards"),
    "laid": N_("in front of {name}"),
}


def word(box: Box, fact: str, value: int | str, _: Translate) -> str | None:
    """The word for a fact of Sioux; None: shown unchanged, such as an unknown name from an enrolled box."""
    match fact, value:
        case "card" | "cards_in_order", str():
            return card(box, value, _)
        case "animals" | "prey", str():
            return animal(value, _)
        case "supply", str():
            winter, _dash, worth = value.partition("-")
            return _("supply card {value} of winter {winter}", value=worth, winter=winter)
        case "phase", str():
            return task(value, _)
    return None


def card(box: Box, card_id: str, _: Translate) -> str | None:
    """A plain card is named by its value."""
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


def short_animal(name: str, _: Translate) -> str:
    """At most four letters, for a narrow column."""
    short = {
        "rabbit": _("rabb", "narrow"),
        "turkey": _("turk", "narrow"),
        "deer": _("deer", "narrow"),
        "bear": _("bear", "narrow"),
        "bison": _("bis.", "narrow"),
    }
    return short.get(name) or plain(name, 4)


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
