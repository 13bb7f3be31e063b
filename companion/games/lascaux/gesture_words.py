"""What is said to a gesture that is no action, in English. No sentence has a place for a marker's colour."""

SENTENCES = {
    # Cards
    "card on a pad": "Tap cards on the centre, not on {seat}'s pad",
    "in the row already": "{card} is already in the row",
    # Markers
    "nobody's marker": "No player at this table uses this set of markers",
    "foreign pad": "That is {owner}'s marker, but this is {seat}'s pad",
    "chosen already": "{seat} has chosen this marker already",
    "not the chosen marker": "That is not the marker that {seat} chose",
    # Buttons
    "cards are drawn": "Buttons do nothing now: {start} draws cards and taps them on the centre",
    "markers are chosen": "Buttons do nothing now; still to choose a marker: {seats}",
    "hold green to end": "Hold green for two seconds to ask all players whether to end the game",
    "nothing more to do": "The game is over: buttons do nothing any more",
    # Anything
    "nobody sits here": "No player sits at this pad",
    "not of this game": "This piece does not belong to the game",
}
