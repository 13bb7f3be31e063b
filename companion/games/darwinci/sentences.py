"""What Darwinci says, in English: sentences of the rules, rulings, and words for pieces, places and facts.

docs/languages.md explains the braces.
"""

from companion.gamekit import N_, Translate
from companion.games.darwinci.components import EDGES, Box, Tile

GESTURES = {
    # Offering
    "tiles are offered": "Buttons do nothing now; still to offer a tile: {seats}",
    "lies face down": "This tile is already there, face down",
    "no tiles now": "Tiles do nothing now: {turn} decides, green or red",
    # Bidding
    "half a bid": "{seat} lays a stone of {owner}'s colour on {seat_offering}'s {tile}, {stones} so far; the centre's "
    "green ends the bid",
    "takes a stone back": "{seat} has {stones:stone|stones} in the bid now",
    "which tile": "Press on the pad of the tile that {seat} means, or tap the tile on the centre",
    "which stone": "{seat} means {seat_offering}'s {tile}: green lays one of their own stones, red another's",
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
"""Answers to a gesture that is no action. They never name a tile that lies face down."""

SENTENCES = {
    # Set-up
    "set up the stacks": "Shuffle all {tiles:tile|tiles} face down and make two stacks of them",
    "set up the stones": "Each player takes {stones:small stone|small stones} of one colour",
    "set up the neighbours": "Give one of them to the left and one to the right: {stones} of your own and two others "
    "stay",
    "set up the rest": "Everything in the {count:unused colour|unused colours} leaves the game",
    "set up the money": "Each player gets {darwin} Darwin; the rest is the bank",
    "set up the jewellery": "Each player takes a marker for each kind of jewellery: {kinds}",
    "set up the Darwin card": "Lay the Darwin card ready. No player has it in the first round",
    "set up the frames": "Each player gets a frame: room for three by four tiles, or four by three",
    "set up the hands": "Each player draws {tiles:tile|tiles} and keeps them secret",
    "set up the first tiles": "From {start} on, clockwise, each player builds {tiles} of them at once, edge to edge",
    "set up the counter": "{start} takes the round counter and starts the first round",
    # Buying
    "buys": "{seat} pays {darwin} Darwin, draws two tiles and puts two of the four back under a stack",
    "keeps": "{seat} keeps the tiles in hand",
    "too poor to buy": "{seat} has {darwin} Darwin: three are needed to draw tiles",
    "no tiles to buy": "There are {tiles:tile|tiles} in the stacks: two are needed",
    # Offering
    "has offered": "{seat} has offered a tile",
    "offers": "{seat} offers {tile}",
    "puts the counter": "{seat} puts the round counter beside {tile} and begins to bid",
    "named twice": "{seats} named the same tile: look at the tiles that lie there, and say again which they are",
    "has offered already": "{seat} has offered a tile already, and an offer cannot be changed",
    "used already": "This tile cannot be in {seat}'s hand: it was built or offered before",
    "no such tile": "There is no tile {tile} in this box",
    # Bidding
    "lays stones": "{seat} lays {stones:stone|stones} of {owner}'s colour on {seat_offering}'s {tile}",
    "lays nothing": "{seat} lays nothing",
    "bidding round": "Bidding round {number}: {turn} begins",
    "foreign stones must be laid": "{seat} must lay exactly {stones:foreign stone|foreign stones} now, not {laid}",
    "one own stone": "{seat} may lay one own stone now, not {laid}",
    "too many stones": "{seat} may lay up to {stones:stone|stones} now, not {laid}",
    "too few stones": "{seat} holds only {stones:stone|stones} of {owner}'s colour",
    "no stones at all": "Each part of {seat}'s bid needs at least one stone",
    # Settling
    "wins": "{seat} has the most stones on {seat_offering}'s {tile} and wins it: {stones:stone|stones}",
    "start player wins the tie": "{seats} tie on {seat_offering}'s {tile}, {stones:stone|stones} each: {seat} starts "
    "and wins it",
    "wins the tie": "{seats} tie on {seat_offering}'s {tile}, {stones:stone|stones} each: clockwise from {start}, "
    "{seat} comes first",
    "nearest wins the tie": "{seats} tie on {seat_offering}'s {tile}, {stones:stone|stones} each: {seat} sits nearest "
    "to {start}",
    "clockwise wins the tie": "{seats} tie on {seat_offering}'s {tile}, {stones:stone|stones} each: {seats_near} are "
    "equally near "
    "{start}, {seat} clockwise",
    "stones go": "From {seat_offering}'s {tile}: {stones:stone|stones} of {owner}'s colour to {seat}",
    "nobody bids": "No player bid on {seat}'s {tile}: it leaves the game",
    "gets the counter": "{seat} won the tile beside the round counter and gets it: {seat} starts the next round",
    "passes the counter on": "{start} won their own tile: the round counter goes left, {seat} starts the next round",
    "nobody wins the counter": "No player bid on {start}'s tile: the round counter goes left, {seat} starts the next "
    "round",
    # Building
    "builds": "{seat} builds {tile} {where}",
    "pays": "{seat} pays {darwin} Darwin for {tile} and has {money}",
    "discards": "{seat} has no place for {tile}: it leaves the game free of charge",
    "not won": "{seat} has not won {tile}; to build: {tiles}",
    "no such turn": "A tile is turned by {turns} degrees",
    "place is taken": "{seat} has built a tile there already",
    "edge to edge": "{tile} must lie edge to edge with a tile that {seat} has built",
    "out of the frame": "There {tile} would not fit in {seat}'s frame of three by four",
    "the frame is full": "{seat} has built twelve tiles: there is no place left",
    "minus tiles come first": "{seat} needs the places for minus tiles before {tile}",
    "minus tiles are built": "{seat} has a place for {tile}: a minus tile must be built",
    "a place for every tile": "{seat} has a place for every tile: {tile} must be built",
    # Scoring
    "closes a creature": "{seat} closes a creature: {bones_in_order}; {size:tile|tiles} × {ends:end piece|end pieces} "
    "= {points} Darwin",
    "scores jewellery": "{seat} scores {kind} in a {line}: {jewels_in_order}; {symbols} × {values} = {points} Darwin, "
    "and has {money}",
    "cannot pay for jewellery": "{seat} scores {kind} in a {line}: {jewels_in_order}; {symbols} × {values} = {points} "
    "Darwin, but only {darwin} could be paid",
    "skips": "{seat} scores no jewellery",
    "no such jewels": "There is no {kind} in {tiles}",
    "scored before": "{seat} has scored {kind} before: each kind counts once",
    "no such kind": "There is no such jewellery; the kinds are {kinds}",
    "no such line": "A line is a row or a column, not {line}",
    "no tile there": "{seat} has built no tile there",
    "from without to": "{seat} names the first and the last place of a line, or neither",
    "not in the line": "The line goes from {first} to {last}, and the named tile belongs to it",
    # The end of a round
    "gets the Darwin card": "{seat} alone has the fewest tiles, {count}, and gets the Darwin card",
    "keeps the Darwin card": "{seat} alone has the fewest tiles, {count}, and keeps the Darwin card",
    "hands over the Darwin card": "{seat} alone has the fewest tiles, {count}: {owner} hands over the Darwin card",
    "passes the Darwin card on": "{seats} have the fewest tiles, {count} each: {owner}, one of them, passes the Darwin "
    "card on to {seat}",
    "first after the holder": "{seats} have the fewest tiles, {count} each: {owner} passes the Darwin card clockwise "
    "to {seat}",
    "first from the start": "{seats} have the fewest tiles, {count} each: {seat}, first clockwise from {start}, gets "
    "the Darwin card",
    "starts and gets the card": "{seats} have the fewest tiles, {count} each: {seat} starts next and gets the Darwin "
    "card",
    "everyone draws": "Everyone draws a tile, {tiles:tile is|tiles are} left; {start} starts the next round",
    "twelve tiles": "{seats} built twelve tiles: the game is over",
    "stacks run out": "Only {tiles:tile is|tiles are} left in the stacks, fewer than players: the game is over",
    # Darwin
    "start money": "{seat} began with {darwin} Darwin",
    "bought tiles": "{seat} bought tiles in round {round}: {darwin} Darwin",
    "minus tile": "{seat} built the minus tile {tile}: {darwin} Darwin",
    "last Darwin": "{seat} built the minus tile {tile}, but only {darwin} Darwin could be paid",
    "creature": "{seat} closed a creature: {bones_in_order}; {size:tile|tiles} × {ends:end piece|end pieces} = "
    "{points} Darwin",
    "jewellery": "{seat} scored {kind} in a {line}: {jewels_in_order}; {symbols} × {values} = {points} Darwin",
    "last Darwin for jewellery": "{seat} scored {kind} in a {line}: {jewels_in_order}; {symbols} × {values} = {points} "
    "Darwin, but only {darwin} could be paid",
    "larger creature wins": "{seats} have {darwin} Darwin each, and their largest creatures {sizes} tiles: the larger "
    "wins",
    "richer creature wins": "{seats} have {darwin} Darwin each, and their best creatures paid {sizes} Darwin: the one "
    "that paid more wins",
    "equally large creatures": "{seats} have {darwin} Darwin each, and {size:tile|tiles||no tile} in their largest "
    "creature: they share the victory",
    "equally rich creatures": "{seats} have {darwin} Darwin each, and their best creatures paid {size} Darwin: they "
    "share the victory",
    # Order and form
    "out of turn": "It is {turn}'s turn, not {seat}'s",
    "not now": "{seat} cannot {do} now; what is asked for: {possible}",
    "the game is over": "The game is over",
    "no such seat": "There is no seat {number}; the seats are 0 to {last}",
    "malformed": "This action cannot be read: {problem}",
    "unknown action": "Darwinci has no action {do}",
} | GESTURES

RULINGS = {
    "D1": N_(
        "Once per round each player may pay 3 Darwin, draw two tiles and put any two of the four back under one "
        "stack. That needs 3 Darwin, and two tiles in the stacks."
    ),
    "D2": N_("Each player lays one of the two tiles face down; all are revealed together. An offer cannot be changed."),
    "D3": N_("The start player puts the round counter beside their own offered tile."),
    "D4": N_(
        "First bidding round: exactly two foreign stones must be laid, or as many as there are if there are fewer,"
        " and one of your own may be laid. On any offered tiles, your own too, together or apart."
    ),
    "D5": N_(
        "Second and third bidding round: none to two stones of any colour. The player who holds the Darwin card "
        "may lay one more in the second. A player who lays none is still asked again."
    ),
    "D6": N_("A tile goes to the player whose colour has the most stones on it, no matter who laid them."),
    "D7": N_(
        "In a tie the start player wins if involved, else the first one involved, clockwise from there. With the "
        "option, the player the fewest seats away in either direction; at equal distance clockwise."
    ),
    "D8": N_(
        "The winner takes one of their stones back; the others of that colour go to the player who offered the "
        "tile. All other stones go back to the players of their colour. A player who wins their own tile takes all"
        " their own stones back."
    ),
    "D9": N_("A tile without a stone leaves the game."),
    "D10": N_(
        "The round counter goes to the winner of the tile beside it. If that is the start player, or no player, it"
        " goes to the start player's left neighbour. The player who has it starts the next round."
    ),
    "D11": N_(
        "In order from the start player each player builds all tiles won, in any order and any rotation, edge to "
        "edge with a tile built before. Bones need not match. What is built never moves."
    ),
    "D12": N_(
        "The built tiles fit in three by four or four by three; which of the two stays open until the tiles decide it."
    ),
    "D13": N_(
        "A tile with a minus value costs it at once, in the set-up, too. A player who has too little owes the "
        "rest, or with the option pays only what they have."
    ),
    "D14": N_(
        "Tiles whose bones meet form a creature. When every bone edge of it meets bone it is scored, once: tiles ×"
        " end pieces. A bone at a blank edge or at the limit of the frame stays open."
    ),
    "D15": N_(
        "Once per round each player may score one kind of jewellery that was not scored before: symbols of that "
        "kind in a row or column without gaps × the sum of all values in it. With the option a part of the line is"
        " enough."
    ),
    "D16": N_("First all creatures, then jewellery, each in order from the start player."),
    "D17": N_(
        "At the end of a round the player who has the fewest tiles gets the Darwin card. In a tie it goes to the "
        "next one tied, clockwise from its holder, who passes it on even if tied; without a holder the count "
        "begins at the new start player."
    ),
    "D18": N_("Then each player draws a tile. If the stacks cannot give each player one, the game is over."),
    "D19": N_(
        "With twelve tiles in a display this round is the last. A player who has won more tiles than there are "
        "places chooses, minus tiles first; the rest leave the game free of charge."
    ),
    "D20": N_(
        "Each player begins with 12 Darwin. The most Darwin wins. In a tie the larger scored creature, counted in "
        "tiles or with the option in the Darwin that it paid; then the victory is shared."
    ),
    "D21": N_(
        "Hands are hidden. An offered tile is hidden until all are laid. If two players name the same tile, both "
        "say again which it is."
    ),
    "D22": N_(
        "What is out of turn or at the wrong time, or needs stones or tiles that its player does not have, is refused."
    ),
}
"""The rulings behind "Why?", by number; docs/rules/darwinci.md has them in full."""

PIECES = {
    "tile": "{tile}",
    "hidden tile": N_("{count:face-down tile|face-down tiles}"),
    "stone": N_("{count:stone|stones} of {name}'s colour"),
    "jewel": N_("{name}'s marker: {jewel}"),
    "darwin": N_("{count} Darwin"),
    "debt": N_("{count} Darwin of debt"),
    "counter": N_("round counter"),
    "Darwin card": N_("Darwin card"),
}
PLACES = {
    "bank": N_("bank"),
    "out": N_("out of the game"),
    "face down": N_("face down"),
    "stack": N_("stacks"),
    "hand": N_("{name}'s hand"),
    "offer": N_("offered by {name}"),
    "supply": N_("in front of {name}"),
    "money": N_("{name}'s money"),
    "scored": N_("scored by {name}"),
    "built": N_("{name}'s display"),
    "won": N_("won by {name}"),
}


# --- Words for facts ------------------------------------------------------------------------------------------


def word(box: Box, fact: str, value: int | str, _: Translate) -> str | None:
    """The word for a fact of Darwinci; None: shown unchanged, such as an unknown name from an enrolled box."""
    match fact, value:
        case "tile" | "tiles", str():
            return next((tile(known, _) for known in box.tiles if known.id == value), None)
        case "bones_in_order", str():
            return _with_ends(box, value, _)
        case "jewels_in_order", str():
            return _with_jewels(box, value, _)
        case "where", str():
            return place(box, value, _)
        case "kind" | "kinds" | "jewel", str():
            return jewel(value, _)
        case "line", "row":
            return _("row", "line of tiles")
        case "line", "column":
            return _("column", "line of tiles")
        case "do" | "possible", str():
            return deed(value, _)
    return None


def _known(box: Box, text: str) -> tuple[Tile, str] | None:
    """end-1 × 1 tooth → the tile end-1, and what is said of it behind the sign."""
    for known in sorted(box.tiles, key=lambda known: -len(known.id)):
        if text.startswith(f"{known.id} × "):
            return known, text.removeprefix(f"{known.id} × ")
    return None


def _with_ends(box: Box, text: str, _: Translate) -> str | None:
    """double-1 × 1 → double 2 (end piece). A tile that is an end piece says so by its name."""
    found = _known(box, text)
    if found is None:
        return None
    known, ends = found
    name, one = tile(known, _), shape("end", _)
    if ends == "0" or shape_of(known) == "end":
        return name
    return f"{name} ({one})" if ends == "1" else f"{name} ({ends} × {one})"


def _with_jewels(box: Box, text: str, _: Translate) -> str | None:
    """curve-3 × 2 shell → curve 3 (2 × shell); a tile without the kind stands there for its value."""
    found = _known(box, text)
    if found is None:
        return None
    known, (count, _space, kind) = found[0], found[1].partition(" ")
    name = tile(known, _)
    if count == "0":
        return name
    return f"{name} ({jewel(kind, _)})" if count == "1" else f"{name} ({count} × {jewel(kind, _)})"


def tile(printed: Tile, _: Translate) -> str:
    """What is printed on it: curve 3."""
    name = shape(shape_of(printed), _)
    return name if printed.value is None else _("{shape} {value}", shape=name, value=printed.value)


def place(box: Box, text: str, _: Translate) -> str:
    """left curve-3 → left of curve 3."""
    side, _space, beside = text.partition(" ")
    name = next((tile(known, _) for known in box.tiles if known.id == beside), beside)
    places = {
        "left": _("left of {tile}", tile=name),
        "right": _("right of {tile}", tile=name),
        "above": _("above {tile}", tile=name),
        "below": _("below {tile}", tile=name),
    }
    return places.get(side) or _("as the first tile")


def shape_of(printed: Tile) -> str:
    """Which kind of bone a tile shows."""
    if len(printed.bones) > 1:
        return "double"
    (edges,) = printed.bones
    if len(edges) == 2:
        return "straight" if (EDGES.index(edges[0]) - EDGES.index(edges[1])) % 2 == 0 else "curve"
    return {1: "end", 3: "branch"}.get(len(edges), "cross")


SHAPES = ("end", "straight", "curve", "branch", "cross", "double")
"""All kinds of bones, in the order in which a picture book would show them."""


def shape(name: str, _: Translate) -> str:
    words = {
        "end": _("end piece"),
        "straight": _("straight"),
        "curve": _("curve"),
        "branch": _("branch"),
        "cross": _("cross"),
        "double": _("double"),
    }
    return words.get(name, name)


def jewel(name: str, _: Translate) -> str:
    words = {
        "tooth": _("tooth", "jewellery"),
        "shell": _("shell", "jewellery"),
        "amber": _("amber", "jewellery"),
        "feather": _("feather", "jewellery"),
        "stone": _("pebble", "jewellery"),
    }
    return words.get(name, name)


def deed(name: str, _: Translate) -> str:
    words = {
        "build": _("build"),
        "buy": _("buy"),
        "keep": _("keep"),
        "offer": _("offer"),
        "bid": _("bid"),
        "discard": _("discard"),
        "jewels": _("score jewellery"),
        "skip": _("score nothing"),
    }
    return words.get(name, name)
