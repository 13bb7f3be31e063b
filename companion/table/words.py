"""What is said whatever the game, in English: to signals that no game has to judge, and by the referee itself."""

from companion.games.game import Translate
from companion.table import signals
from companion.table.problems import in_words

SENTENCES = {
    # The referee
    "heard already": "That was heard already",
    "a question is open": "First answer the question that is open",
    "no question is open": "Nobody has asked anything",
    "undo needs everybody": "Everybody has to agree before this is taken back",
    "end needs everybody": "Everybody has to agree before the game ends",
    "agrees": "{seat} agrees",
    "has agreed already": "{seat} has agreed already",
    "declined": "Not everybody agrees: the game goes on",
    "nothing to undo": "There is nothing to take back",
    "undone": "The newest action was taken back",
    "earlier choice counts": "{seat}'s newest choice was taken back: the one before counts again, with its piece",
    "the table has changed": "The table has changed meanwhile: nothing was taken back",
    "no such seat": "There is no seat {number}; the seats are 0 to {last}",
    "the game is not over": "The game is not over yet",
    "a new game": "A new game: {seat} starts",
    "looked over": "The table is as it should be: the game goes on",
    "cannot be written": "This cannot be written down, so it does not count: {problem}",
    "malformed": "This action cannot be read: {problem}",
    "unknown action": "This game has no action {do}",
    # Signals
    "unknown tag": "Nobody knows the tag {uid}: nothing has changed",
    "lies there already": "This piece lies there already: to mean it anew, lift it and lay it down again",
    "pressed already": "The button was pressed a moment ago: that counts once",
    "unknown button": "{station} has a button that is neither green nor red: nothing has changed",
    "lifted": "A piece was lifted: nothing has changed",
    "empty pad": "Nobody sits at {station}: nothing has changed",
    "no readers": "This table is played on the screen: nothing has changed",
    "not in play": "Nobody at this table plays with this piece: nothing has changed",
    "answer first": "A question is open: green, or an own piece tapped on the centre, agrees, red declines",
    "found": "A piece lies at {station}: nothing has changed",
    "lay it again": "A piece lies at {station}: if it is meant for now, lift it and lay it down again",
    "unclear": "Several pieces lie on each other at {station}: lay them down one by one",
    "missed": "Something was done at {station} while it was not connected: please do it again",
    "unit lost": "{station} is not connected ({problem}): what it would say can be said on the screen",
    "connecting": "{station} is being connected",
    "reader fault": "{station} does not work ({problem}): what lies there counts as before",
    "link up": "{station} is connected",
    "link down": "{station} is not connected ({problem}): what lies there counts as before",
}


def word(fact: str, value: int | str, _: Translate) -> str | None:
    """The word for a fact that every table has; None: shown as it is. Pads are called what they are labelled."""
    match fact, value:
        case "station", signals.CENTRE:
            return _("centre")
        case "station", signals.PINS:
            return _("button unit")
        case "problem", str(problem):
            return in_words(problem, _)
    return None
