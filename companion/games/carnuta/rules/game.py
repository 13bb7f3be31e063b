"""Carnuta: its components, its actions and its rules, as every game has them."""

from companion.gamekit import Game
from companion.games.carnuta import components, words
from companion.games.carnuta.rules import believing, gestures, layout, preparation, public, scoring, state
from companion.games.carnuta.rules import engine as rules

GAME: Game[state.State, state.Action] = Game(
    name="carnuta",
    players=rules.PLAYERS,
    options=state.Options,
    actions=(
        state.Start,
        state.Deal,
        state.Take,
        state.Play,
        state.Bonus,
        state.Runes,
        state.Flip,
        state.Sickle,
        state.Discard,
        state.EndTurn,
    ),
    form="C18",
    standin=components.standin,
    parse_box=components.parse_box,
    pieces=public.pieces,
    setup=rules.setup,
    apply=rules.apply,
    at_table=believing.at_table,
    corrected=believing.corrected,
    legal=public.legal,
    offered=public.offered,
    awaiting=public.awaiting,
    scores=scoring.scores,
    winners=scoring.winners,
    tie_break=scoring.tie_break,
    shared=scoring.shared,
    table=public.table,
    per_player=("runes", "slots", "sickles", "hands", "columns", "bonus"),
    seats=("turn",),
    view=public.view,
    own_view=public.own_hand,
    whereabouts=public.whereabouts,
    layout=layout.layout,
    preparation=preparation.preparation,
    conceals=public.conceals,
    meaning=gestures.meaning,
    continued=gestures.continued,
    communal=(),
    rematch=rules.rematch,
    sentences=words.SENTENCES,
    word=words.word,
)
