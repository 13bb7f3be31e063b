"""What is said to a gesture that is no action, in English. No sentence has a place for a card's name."""

SENTENCES = {
    # Cards
    "nobody's card": "Nobody at this table plays with this set of cards: nothing has changed",
    "foreign pad": "That is {owner}'s card, and this is {seat}'s pad: nothing has changed",
    "hunter lies aside": "Nobody has the hunter card before the first winter is over: nothing has changed",
    # Buttons
    "cards are laid": "Buttons do nothing now; still to lay a card: {seats}",
    "nothing more to do": "The game is over: buttons do nothing any more",
    # Who got which supply card
    "who got the next card": "Supply cards were dealt: whoever of {seats} got the highest of them presses green",
    "got the next card": "{seat} got the highest card; now whoever of {seats} got the next",
    "taken back": "Say again who got {seat}'s card",
    "nothing to take back": "Nobody has told yet who got the highest supply card",
    # Anything
    "nobody sits here": "Nobody sits at this pad: nothing has changed",
    "not of this game": "This piece has no part in the game: nothing has changed",
}
