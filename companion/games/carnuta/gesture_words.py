"""What is said to a gesture that is no action, in English. No sentence names a card that nobody has seen."""

SENTENCES = {
    # Cards
    "card on a pad": "Cards that are dealt are tapped on the centre, not on {seat}'s pad: nothing has changed",
    "in the row already": "{card} lies in a row already",
    "lies elsewhere": "{card} lies in front of somebody, or is in somebody else's hand: nothing has changed",
    "not for now": "This card is neither in a row nor in the hand of whose turn it is: nothing has changed",
    "column on the screen": "Salt: {seat} says on the screen into which column it goes",
    # Markers
    "nobody's marker": "Nobody at this table plays with this marker: nothing has changed",
    "foreign pad": "That is {owner}'s marker, and this is {seat}'s pad: nothing has changed",
    # Buttons
    "start cards are taken": "Buttons have nothing to say now: {turn} takes a start card and taps it, face down",
    "a card is dealt": "Buttons have nothing to say now: tap the next card of the {row} deck on the centre",
    "a bonus is chosen": "{turn} chooses a bonus ingredient: tap it on the centre, or say it on the screen",
    "actions on the screen": "{turn} has {count:action|actions} left: tap a card, or take or flip runes on the screen",
    "green ends the turn": "Both actions are used: green ends the turn of {turn}",
    "nothing more to do": "The game is over: nothing has changed",
    # Anything
    "nobody sits here": "Nobody sits at this pad: nothing has changed",
    "not of this game": "This piece has no part in the game: nothing has changed",
}
