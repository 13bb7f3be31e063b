"""What is said whatever the game, in English: to signals that no game has to judge, and by the referee itself."""

from companion import stations
from companion.language.facts import Translate
from companion.troubles import SEVERAL, TROUBLES

SENTENCES = {
    # The referee
    "heard already": "That was heard already",
    "a question is open": "Answer the open question first",
    "no question is open": "Nobody has asked anything",
    "undo needs everybody": "Everybody has to agree before this is taken back",
    "needs everybody": "Everybody has to agree before this counts",
    "agrees": "{seat} agrees",
    "has agreed already": "{seat} has agreed already",
    "declined": "Not everybody agrees: the game goes on",
    "nothing to undo": "There is nothing to take back",
    "undone": "The newest action was taken back",
    "several taken back": "{count:action was|actions were} taken back",
    "uncorrected": "The correction was taken back: what was said before it counts again",
    "corrected": "An action was corrected",
    "a correction": "The newest correction: what was said before it would count again",
    "chosen anew": "{seat} has corrected their choice",
    "correction needs everybody": "Everybody has to agree before this is corrected",
    "cannot be corrected": "This cannot be corrected any more: nothing has changed",
    "another action": "A correction is the same action with another piece: nothing has changed",
    "said so already": "It was said so already: nothing has changed",
    "rests on it": "What came after it rests on it: {count:action has|actions have} to be taken back first",
    "hidden choice dropped": "After the correction, the hidden choice of {seats} is no longer possible. "
    "It does not count: choose again",
    "correct the hidden choice": "After the correction, the hidden choice of {seats} is no longer possible. "
    "Correct it first",
    "earlier choice counts": "{seat}'s newest choice was taken back: the one before counts again, with its piece",
    "the table has changed": "The table has changed meanwhile: nothing was taken back",
    "for another game": "That was for another game, so it does not count",
    "no such seat": "There is no seat {number}; the seats are 0 to {last}",
    "joined the box": "A piece has joined the box of this game: it is in the list now",
    "joins the next box": "A piece has joined the box from the next game on: somebody is hiding one of that kind. "
    "For now, choose the one in the list that is most like it",
    "no such piece": "Such a piece cannot be in this box: nothing has changed",
    "all seen": "All pieces of this kind that the box lists have been seen: nothing has changed",
    "no replay": "Here a game is being played: there is nothing to page through",
    "looking back": "You are looking back at a finished game: nothing in it can be changed",
    "the game is not over": "The game is not over yet",
    "victory shared": "{seats} share the victory with {points:point|points} each",
    "tie broken": "{seats} have the most points, and of them {seats_won} won",
    "a new game": "A new game: {seat} starts",
    "match won": "The match has ended: {seat} has won it with {points} in all games together",
    "match shared": "The match has ended: {seats} share the victory with {points} each in all games together",
    "match reopened": "The match goes on: its end was taken back",
    "the match has ended": "The match has ended: no other game follows, unless its end is taken back",
    "paused": "Pause: nobody's time counts",
    "no pause": "The pause is over",
    "hands": "Simulated hands play on",
    "no such seats": "Everybody needs a seat, and each seat somebody: nothing has changed",
    "set up": "The table is being set up",
    "set up already": "The table is set up: the game begins",
    "looked over": "The table is as it should be: the game goes on",
    "cannot be written": "This cannot be written down, so it does not count: {problem}",
    "written all the same": "The disk failed for a moment. The newest action is written down all the same: it counts",
    "not written": "The disk failed for a moment. What was done last was not written down: please do it again",
    "not yours to say": "That is for somebody else to say: nothing has changed",
    "malformed": "This action cannot be read: {problem}",
    "unknown action": "This game has no action {do}",
    # Signals
    "unknown tag": "Nobody knows the tag {uid}: nothing has changed",
    "lies there already": "This piece lies there already: to use it again, lift it and lay it down",
    "pressed already": "The button was pressed a moment ago: that counts once",
    "unknown button": "{station} has a button that is neither green nor red: nothing has changed",
    "lifted": "A piece was lifted: nothing has changed",
    "empty pad": "Nobody sits at {station}: nothing has changed",
    "no readers": "This table is played on the screen: nothing has changed",
    "not in play": "Nobody at this table plays with this piece: nothing has changed",
    "means nothing now": "This means nothing now: nothing has changed",
    "say it on the screen": "This could mean several things: please say it on the screen",
    "answer first": "A question is open: green, or a piece of your own tapped on the centre, agrees; red declines",
    "found": "A piece lies at {station}: nothing has changed",
    "lay it again": "A piece lies at {station}: if it is meant for now, lift it and lay it down again",
    "unclear": "Several pieces lie on top of each other at {station}: lay them down one by one",
    "missed": "Something was done at {station} while it was not connected: please do it again",
    "unit lost": "{station} is not connected ({problem}): what it would say can be said on the screen",
    "connecting": "{station} is being connected",
    "reader fault": "{station} does not work ({problem}): what lies there counts as before",
    "remark": "{station}: {problem}",
    "link up": "{station} is connected",
    "links down": "{stations} are not connected ({problem}): what lies there counts as before",
    "links up": "{stations} are connected",
    "links connecting": "{stations} are being connected",
    "pads unplugged": "The satellite is unplugged: plug it in. What lies on the pads counts as before",
    "reader unplugged": "{station} is unplugged: plug it in. What lies there counts as before",
    "link down": "{station} is not connected ({problem}): what lies there counts as before",
}


def in_words(problem: str, translate: Translate) -> str:
    """What is wrong with a device, in the reader's language. A problem that nobody knows stays as it is."""
    return SEVERAL.join(translate(each) if each in TROUBLES else each for each in problem.split(SEVERAL))


def word(fact: str, value: int | str, _: Translate) -> str | None:
    """The word for a fact that every table has; None: shown as it is. Pads are called what they are labelled."""
    match fact, value:
        case "station", stations.CENTRE:
            return _("centre")
        case "station", stations.PINS:
            return _("button unit")
        case "problem", str(problem):
            return in_words(problem, _)
    return None
