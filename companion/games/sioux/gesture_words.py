"""What is said to a gesture that is no action, in English. No sentence has a place for a card's name."""

SENTENCES = {
    # Cards
    "nobody's card": "Nobody at this table plays with this set of cards: nothing has changed",
    "foreign pad": "That is {owner}'s card, and this is {seat}'s pad: nothing has changed",
    "hunter lies aside": "Nobody has the hunter card before the first winter is over: nothing has changed",
    # Buttons
    "cards are laid": "Buttons have nothing to say now: {seats} still lay a card",
    "who got the highest": "Of {seats}, who got the higher card presses green on his own pad or taps a card of his",
    "say it on the screen": "{seats} were dealt supply cards: say on the screen who got which",
    "nothing more to do": "The game is over: buttons have nothing to say any more",
    # Anything
    "nobody sits here": "Nobody sits at this pad: nothing has changed",
    "not of this game": "This piece has no part in the game: nothing has changed",
}
