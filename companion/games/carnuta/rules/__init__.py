"""Carnuta: its components, its actions and its rules, as every game has them."""

from companion.gamekit import N_, Game, Tally
from companion.games.carnuta import components, sentences
from companion.games.carnuta.options import Options
from companion.games.carnuta.rules import engine as rules
from companion.games.carnuta.rules import gestures, public_view, scoring, state

GAME: Game[state.State, state.Action] = Game(
    name="carnuta",
    players=rules.PLAYERS,
    options=Options,
    rules=rules.RULES,
    form="C18",
    standin=components.standin,
    parse_box=components.parse_box,
    pieces=public_view.pieces,
    setup=rules.setup,
    at_table=rules.at_table,
    corrected=rules.corrected,
    legal=public_view.legal,
    offered=public_view.offered,
    awaiting=public_view.awaiting,
    scores=scoring.scores,
    winners=scoring.winners,
    tie_break=scoring.tie_break,
    shared=scoring.shared,
    table=public_view.table,
    view=public_view.view,
    own_view=public_view.own_hand,
    whereabouts=public_view.whereabouts,
    layout=public_view.layout,
    preparation=public_view.preparation,
    meaning=gestures.meaning,
    continued=gestures.continued,
    tallies=(
        Tally(N_("Best column"), parts=components.INGREDIENTS, most=True),
        Tally(N_("Cards played"), rulings=("plays a card", "plays the start card")),
        Tally(N_("Sickles spent"), rulings=("spends a sickle",)),
        Tally(N_("Runes flipped"), rulings=("flips runes",), fact="count"),
    ),
    sentences=sentences.SENTENCES,
    word=sentences.word,
)
