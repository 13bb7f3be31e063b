"""What the referee itself says, whatever the game. A game's own sentences come first."""

SENTENCES = {
    "heard already": "That was heard already",
    "a question is open": "First answer the question that is open",
    "nothing to undo": "There is nothing to take back",
    "undo needs everybody": "Everybody has to agree before this is taken back",
    "end needs everybody": "Everybody has to agree before the game ends",
    "no question is open": "Nobody has asked anything",
    "has agreed already": "{seat} has agreed already",
    "agrees": "{seat} agrees",
    "declined": "Not everybody agrees: the game goes on",
    "the game is not over": "The game is not over yet",
    "cannot be written": "This cannot be written down, so it does not count: {problem}",
    "undone": "The newest action was taken back",
    "a new game": "A new game: {seat} starts",
}
