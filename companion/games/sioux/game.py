"""Sioux: its components, its actions and its rules, as every game has them."""

from companion.games.game import Game
from companion.games.sioux import components, gestures, layout, public, rules, scoring, state, words

GAME: Game[state.State, state.Action] = Game(
    name="sioux",
    players=state.PLAYERS,
    options=state.Options,
    actions=(state.Play, state.Name, state.Crow, state.Duel, state.Gifts, state.Dealt),
    form=None,
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
    per_player=("prey", "totals", "supply", "hands"),
    seats=("hunter",),
    view=public.view,
    whereabouts=public.whereabouts,
    layout=layout.layout,
    conceals=public.conceals,
    meaning=gestures.meaning,
    communal=(),
    rematch=rules.rematch,
    sentences=words.SENTENCES,
    continued=gestures.continued,
    word=words.word,
)
