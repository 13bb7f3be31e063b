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
    "start cards are taken": "Buttons do nothing now: {turn} takes a start card and taps it, face down",
    "a card is dealt": "Buttons do nothing now: tap the next card of the {row} deck on the centre",
    "somebody else's turn": "It is {turn}'s turn, not {seat}'s: nothing has changed",
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
    "dropped": "{seat} thinks again: nothing has changed",
    "nothing more to do": "The game is over: nothing has changed",
    # Anything
    "nobody sits here": "Nobody sits at this pad: nothing has changed",
    "not of this game": "This piece has no part in the game: nothing has changed",
}
