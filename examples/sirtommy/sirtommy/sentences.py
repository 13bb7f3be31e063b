"""What the rules of Sir Tommy say, in English."""

SENTENCES = {
    "lays": "{seat} lays {card} on heap {heap}",
    "builds": "{seat} builds {card} on a foundation",
    "on which heap": "{seat} lays {card}. Tap the top card of the heap, or press green for an empty heap",
    "goes up": "{card} moves from heap {heap} to a foundation",
    "won": "All {count} cards are on the foundations. You have won together",
    "lost": "The hands are empty, and {count:card is|cards are} on the foundations. You have lost together",
    "together": "{count:card|cards} on the foundations",
    "out of turn": "It is {seat}'s turn",
    "no such heap": "There is no heap {number}",
    "not in any hand": "{card} is on the table already",
    "must be built": "{card} fits on a foundation, so it goes there",
    "does not fit": "{card} does not fit on any foundation. Lay it on a heap",
}
