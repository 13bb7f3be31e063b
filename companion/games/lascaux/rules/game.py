"""Lascaux: its components, its actions and its rules, as every game has them."""

from companion.gamekit import Game
from companion.games.lascaux import components, words
from companion.games.lascaux.rules import engine as rules
from companion.games.lascaux.rules import gestures, layout, preparation, public, scoring

GAME: Game[rules.State, rules.Action] = Game(
    name="lascaux",
    players=rules.PLAYERS,
    options=rules.Options,
    actions=(rules.Draw, rules.Choose, rules.Stone, rules.Pass, rules.End),
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
    table=public.table,
    per_player=("stones", "won", "chosen"),
    seats=("start", "pile"),
    view=public.view,
    own_view=public.own_hand,
    whereabouts=public.whereabouts,
    layout=layout.layout,
    preparation=preparation.preparation,
    conceals=public.conceals,
    meaning=gestures.meaning,
    communal=(rules.End,),
    rematch=rules.rematch,
    sentences=words.SENTENCES,
    settled=public.settled,
    course=public.stones,
    word=words.word,
)
