"""Carnuta: its components, its actions and its rules, as every game has them."""

from companion.games.carnuta import components, gestures, public, rules, scoring, state, words
from companion.games.game import Game

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
        state.Done,
    ),
    form="C18",
    standin=components.standin,
    parse_box=components.parse_box,
    pieces=public.pieces,
    setup=rules.setup,
    apply=rules.apply,
    legal=public.legal,
    offered=public.offered,
    awaiting=public.awaiting,
    scores=scoring.scores,
    winners=scoring.winners,
    table=public.table,
    per_player=("runes", "slots", "sickles", "hands", "columns", "bonus"),
    seats=("turn",),
    view=public.view,
    whereabouts=public.whereabouts,
    conceals=public.conceals,
    meaning=gestures.meaning,
    continued=gestures.continued,
    communal=(),
    rematch=rules.rematch,
    sentences=words.SENTENCES,
)
