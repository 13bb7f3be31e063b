"""What is said to a gesture that is no action, or half of one, in English. No sentence names a tile that is hidden."""

SENTENCES = {
    # Offering
    "tiles are offered": "Buttons do nothing now; still to offer a tile: {seats}",
    "lies face down": "This tile is already there, face down",
    "no tiles now": "Tiles do nothing now: {turn} decides, green or red",
    # Bidding
    "half a bid": "{seat} lays a stone of {owner}'s colour on {seat_offering}'s {tile}, {stones} so far; the centre's "
    "green ends the bid",
    "takes a stone back": "{seat} has {stones:stone|stones} in the bid now",
    "which tile": "Press on the pad of the tile that {seat} means, or tap the tile on the centre",
    "which stone": "{seat} means {seat_offering}'s {tile}: green lays an own stone, red a foreign one",
    "which colour": "A stone of {owner}'s colour on {seat_offering}'s {tile}? Green yes, red another colour, or press "
    "on its owner's pad",
    "none of this colour": "{seat} may lay no stone of {owner}'s colour now",
    "no own stone": "{seat} may lay no own stone now",
    "no foreign stone": "{seat} may lay no foreign stone now",
    "not offered": "{tile} is not on offer",
    "lies open": "{tile} is already there, face up",
    # Building
    "lay a tile": "{seat} lays the tile on the pad, or taps it on the centre",
    "would build": "{seat}, {tile} {where}, {degrees}°: {joints:bone joins|bones join}, {points} Darwin; "
    "green next, red turns, green held builds",
    "would discard": "{seat} would discard {tile}; green goes on, green held discards it",
    "leaves it": "{seat} thinks again",
    # Scoring
    "would score": "{seat} would score {kind} in a {line}: {points} Darwin; green goes on, green held scores it",
    "would cost": "Mind: {kind} in this {line} would cost {seat} {darwin} Darwin; green goes on, green held scores it",
    "no jewellery to score": "{seat} has no jewellery to score: red goes on",
    "no jewellery now": "Jewellery is scored later: {turn} goes on",
    "nobody's marker": "No player at this table uses this marker",
    "foreign pad": "That is {owner}'s marker, but this is {seat}'s pad",
    # Anything
    "somebody else's turn": "It is {turn}'s turn, not {seat}'s",
    "nothing more to do": "The game is over: nothing more to do",
    "nobody sits here": "No player sits at this pad",
    "not of this game": "This piece does not belong to the game",
}
