"""Lascaux: its components, its actions and its rules, as every game has them."""

from companion.gamekit import N_, Game, Tally
from companion.games.lascaux import components, sentences
from companion.games.lascaux.options import Options
from companion.games.lascaux.rules import engine as rules
from companion.games.lascaux.rules import gestures, public_view, scoring

GAME: Game[rules.State, rules.Action] = Game(
    name="lascaux",
    players=rules.PLAYERS,
    options=Options,
    rules=rules.RULES,
    standin=components.standin,
    parse_box=components.parse_box,
    pieces=public_view.pieces,
    setup=rules.setup,
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
    communal=(rules.End,),
    rematch=rules.rematch,
    tallies=(
        Tally(N_("Points for stones"), parts=("stones",)),
        Tally(N_("Points for animals"), parts=components.ANIMALS),
        Tally(N_("Stones laid"), rulings=("lays a stone",)),
        Tally(N_("Stones taken"), rulings=("passes",), fact="stones"),
        Tally(N_("Markers that found no card"), rulings=("takes nothing",)),
    ),
    sentences=sentences.SENTENCES,
    settled=public_view.settled,
    course=public_view.stones,
    word=sentences.word,
)
