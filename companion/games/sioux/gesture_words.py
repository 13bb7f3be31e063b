"""What is said to a gesture that is no action, in English. No sentence has a place for a card's name."""

SENTENCES = {
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
