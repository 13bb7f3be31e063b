"""What is said to a gesture that is no action, in English. No sentence names a card that nobody has seen."""

SENTENCES = {
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
