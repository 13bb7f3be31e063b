"""What is said to a gesture that is no action, in English. No sentence has a place for a marker's colour."""

SENTENCES = {
    # Cards
    "card on a pad": "Cards are tapped on the centre, not on {seat}'s pad: nothing has changed",
    "in the row already": "{card} lies in the row already",
    # Markers
    "nobody's marker": "Nobody at this table plays with this set of markers: nothing has changed",
    "foreign pad": "That is {owner}'s marker, and this is {seat}'s pad: nothing has changed",
    "chosen already": "{seat} has chosen this marker already",
    "not the chosen marker": "That is not the marker that {seat} chose: nothing has changed",
    # Buttons
    "cards are drawn": "Buttons do nothing now: {start} draws cards and taps them on the centre",
    "markers are chosen": "Buttons do nothing now; still to choose a marker: {seats}",
    "hold green to end": "Hold green for two seconds to ask the table whether to end the game",
    "nothing more to do": "The game is over: buttons do nothing any more",
    # Anything
    "nobody sits here": "Nobody sits at this pad: nothing has changed",
    "not of this game": "This piece has no part in the game: nothing has changed",
}
