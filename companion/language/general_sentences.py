"""What every table says, in English, whatever the game: sentences of the referee, and answers to signals."""

from companion import stations
from companion.language.facts import Translate
from companion.troubles import SEVERAL, TROUBLES

SENTENCES = {
    # The referee
    "errand": "{seat} says what to do",
    "another errand": "{seat} wants something else. Look at the screen",
    "no errand": "No bot waits for you",
    "heard already": "That was already received",
    "a question is open": "Answer the open question first",
    "no question is open": "There is no open question",
    "undo needs all players": "All players have to agree before this is undone",
    "needs all players": "All players have to agree before this counts",
    "agrees": "{seat} agrees",
    "has agreed already": "{seat} has agreed already",
    "declined": "Not all players agree. The game goes on",
    "nothing to undo": "There is nothing to undo",
    "undone": "The last action was undone",
    "several taken back": "{count:action was|actions were} undone",
    "uncorrected": "The correction was undone. The original entry counts again",
    "corrected": "An action was corrected",
    "a correction": "The last correction (the original entry would count again)",
    "chosen again": "{seat} has corrected their choice",
    "correction needs all players": "All players have to agree before this is corrected",
    "cannot be corrected": "This can no longer be corrected",
    "another action": "A correction can change the piece, not the action",
    "said so already": "That is already what was entered",
    "rests on it": "Later actions depend on it. Undo {count:action|actions} first",
    "hidden choice dropped": "After the correction, the hidden choice of {seats} is no longer possible. Please choose "
    "again",
    "correct the hidden choice": "After the correction, the hidden choice of {seats} is no longer possible. "
    "Correct it first",
    "earlier choice counts": "{seat}'s last choice was undone. The one before counts again, with its piece",
    "the table has changed": "The table has changed in the meantime, so nothing was undone",
    "for another game": "That was for another game, so it does not count",
    "no such seat": "There is no seat {number}; the seats are 0 to {last}",
    "joined the box": "The piece was added to the box and is now in the list",
    "joins the next box": "A player is hiding a piece of this kind, so the new one counts from the next game on. "
    "For now, choose the most similar one in the list",
    "no such piece": "A box of this game cannot contain such a piece",
    "all seen": "All pieces of this kind in the box have already been seen",
    "no replay": "You can't page through a game in progress",
    "looking back": "You are looking back at a finished game. You can't change it",
    "the game is not over": "The game is not over yet",
    "victory shared": "{seats} share the victory with {points:point|points} each",
    "tie broken": "{seats} have the most points, and of them {seats_won} won",
    "tie for the fewest broken": "{seats} have the fewest points, and of them {seats_won} won",
    "the game is over": "The game is over",
    "wait for others": "{seat} has to wait for {seats}",
    "not possible now": "That is not possible now",
    "has points": "{seat} has {points:point|points}",
    "a new game": "A new game: {seat} starts",
    "match won": "The match is over. {seat} wins with a total of {points}",
    "match won by a team": "The match is over. {seats} win with a total of {points}",
    "match played together": "The match is over. You have won {won} of {count:game|games} together",
    "match shared": "The match is over. {seats} share the victory with a total of {points} each",
    "match reopened": "The end of the match was undone. The match goes on",
    "the match has ended": "The match is over. To play on, undo its end",
    "paused": "Paused. The clocks are stopped",
    "no pause": "The pause is over",
    "hands": "The simulated players go on",
    "cannot begin": "This game cannot begin: {problem}",
    "no such seats": "Every player needs a seat, and every seat a player",
    "set up": "The table is being set up",
    "set up already": "The table is set up. The game begins",
    "looked over": "The table has been checked. The game goes on",
    "cannot be written": "This could not be saved, so it does not count: {problem}",
    "written all the same": "The disk failed for a moment, but the last action was saved and counts",
    "not written": "The disk failed for a moment. The last action was not saved. Please repeat it",
    "not yours to say": "Only another player can do that",
    "malformed": "This action cannot be read: {problem}",
    "unknown action": "This game has no action {do}",
    # Signals
    "unknown tag": "Unknown tag {uid}, ignored",
    "unknown sticker": "This sticker is on no piece of this box",
    "phone has read": "{seat}'s phone has read one of {owner}'s pieces",
    "piece was read": "A phone has read a piece. Nothing was played",
    "phone is the centre": "{seat}'s phone is the centre now. Tap pieces on it",
    "phone left the centre": "{seat}'s phone is no longer the centre",
    "not the centre": "This phone is not the centre of the table",
    "lies there already": "This piece is already there. To use it again, lift it and lay it down",
    "pressed already": "Double press ignored",
    "touched already": "Double touch ignored",
    "unknown button": "{station} has a button that is neither green nor red. It is ignored",
    "lifted": "A piece was lifted. That has no effect",
    "empty pad": "No player sits at {station}",
    "no readers": "This table is played on the screen",
    "not in play": "No player at this table uses this piece",
    "means nothing now": "That does nothing right now",
    "say it on the screen": "This could mean several things. Please choose on the screen",
    "answer first": "A question is open. Agree with green or by tapping your own piece on the centre, decline with red",
    "found": "There is a piece at {station}. It has no effect",
    "lay it again": "There is a piece at {station}. To use it now, lift it and lay it down again",
    "unclear": "Several pieces are on top of each other at {station}. Lay them down one by one",
    "missed": "Something happened at {station} while it was disconnected. Please repeat it",
    "unit lost": "{station} is not connected ({problem}). Use the screen instead",
    "connecting": "{station} is connecting",
    "reader fault": "{station} does not work ({problem}). The pieces there still count",
    "remark": "{station}: {problem}",
    "link up": "{station} is connected",
    "links down": "{stations} are not connected ({problem}). The pieces there still count",
    "links up": "{stations} are connected",
    "links connecting": "{stations} are connecting",
    "pads unplugged": "The satellite is unplugged. Plug it in. The pieces on the pads still count",
    "reader unplugged": "{station} is unplugged. Plug it in. The pieces there still count",
    "link down": "{station} is not connected ({problem}). The pieces there still count",
}


def in_words(problem: str, translate: Translate) -> str:
    """What is wrong with a device, in the reader's language. An unknown problem stays as it is."""
    return SEVERAL.join(translate(each) if each in TROUBLES else each for each in problem.split(SEVERAL))


def word(fact: str, value: int | str, _: Translate) -> str | None:
    """The word for a fact that every table has; None: shown unchanged. A pad has the name on its label."""
    match fact, value:
        case "station", stations.CENTRE:
            return _("centre")
        case "station", stations.PINS:
            return _("button unit")
        case "problem", str(problem):
            return in_words(problem, _)
    return None
