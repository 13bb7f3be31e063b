"""Darwinci: its components, its actions and its rules, as every game has them."""

from companion.games.darwinci import components, gestures, layout, public, rules, scoring, state, words
from companion.games.game import Game

GAME: Game[state.State, state.Action] = Game(
    name="darwinci",
    players=state.PLAYERS,
    options=state.Options,
    actions=(
        state.Build,
        state.Buy,
        state.Keep,
        state.Offer,
        state.Bid,
        state.Discard,
        state.Jewels,
        state.Skip,
    ),
    form="D22",
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
    per_player=("money", "stones", "offers", "on", "built", "hands", "jewels_scored", "creatures", "won"),
    seats=("start", "darwin_card", "counter"),
    view=public.table,
    whereabouts=public.whereabouts,
    layout=layout.layout,
    conceals=public.conceals,
    meaning=gestures.meaning,
    continued=gestures.continued,
    communal=(),
    rematch=rules.rematch,
    sentences=words.SENTENCES,
    word=words.word,
)
