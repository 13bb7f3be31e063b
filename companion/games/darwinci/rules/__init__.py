"""Darwinci: its components, its actions and its rules, as every game has them."""

from companion.gamekit import N_, Game, Tally
from companion.games.darwinci import components, sentences
from companion.games.darwinci.options import Options
from companion.games.darwinci.rules import engine as rules
from companion.games.darwinci.rules import gestures, public_view, scoring, state

GAME: Game[state.State, state.Action] = Game(
    name="darwinci",
    players=state.PLAYERS,
    options=Options,
    rules=rules.RULES,
    form="D22",
    standin=components.standin,
    parse_box=components.parse_box,
    pieces=public_view.pieces,
    setup=rules.setup,
    at_table=rules.at_table,
    legal=public_view.legal,
    offered=public_view.offered,
    awaiting=public_view.awaiting,
    scores=scoring.scores,
    winners=scoring.winners,
    tie_break=scoring.tie_break,
    shared=scoring.shared,
    unit="{total} Darwin",
    table=public_view.table,
    own_view=public_view.own_hand,
    whereabouts=public_view.whereabouts,
    layout=public_view.layout,
    preparation=public_view.preparation,
    meaning=gestures.meaning,
    continued=gestures.continued,
    tallies=(
        Tally(N_("Largest creature, in tiles"), rulings=("closes a creature",), fact="size", most=True),
        Tally(N_("Creatures closed"), rulings=("closes a creature",)),
        Tally(N_("Darwin for creatures"), parts=("creature",)),
        Tally(N_("Most Darwin for jewellery at once"), rulings=("scores jewellery",), fact="points", most=True),
        Tally(N_("Purchases of tiles"), rulings=("buys",)),
    ),
    sentences=sentences.SENTENCES,
    word=sentences.word,
)
