"""Darwinci: its components, its actions and its rules, as every game has them."""

from companion.gamekit import Game
from companion.games.darwinci import components, words
from companion.games.darwinci.rules import believing, gestures, layout, preparation, public, scoring, state
from companion.games.darwinci.rules import engine as rules

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
    at_table=believing.at_table,
    legal=public.legal,
    offered=public.offered,
    awaiting=public.awaiting,
    scores=scoring.scores,
    winners=scoring.winners,
    tie_break=scoring.tie_break,
    shared=scoring.shared,
    unit="{total} Darwin",
    table=public.table,
    per_player=("money", "stones", "offers", "on", "built", "hands", "jewels_scored", "creatures", "won"),
    seats=("start", "darwin_card", "counter"),
    view=public.table,
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
