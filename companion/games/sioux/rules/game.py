"""Sioux: its components, its actions and its rules, as every game has them."""

from companion.gamekit import Game
from companion.games.sioux import components, words
from companion.games.sioux.rules import engine as rules
from companion.games.sioux.rules import gestures, layout, preparation, public, scoring, state, winter

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
    tie_break=scoring.tie_break,
    shared=scoring.shared,
    instruction=winter.dealing,
    table=public.table,
    per_player=("prey", "totals", "supply", "hands"),
    seats=("hunter",),
    view=public.view,
    own_view=public.own_hand,
    own_offers=public.own_offers,
    whereabouts=public.whereabouts,
    layout=layout.layout,
    preparation=preparation.preparation,
    from_memory=True,
    conceals=public.conceals,
    meaning=gestures.meaning,
    communal=(),
    rematch=rules.rematch,
    sentences=words.SENTENCES,
    continued=gestures.continued,
    word=words.word,
)
