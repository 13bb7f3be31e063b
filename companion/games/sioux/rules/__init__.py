"""Sioux: its components, its actions and its rules, as every game has them."""

from companion.gamekit import N_, Game, Tally
from companion.games.sioux import components, sentences
from companion.games.sioux.options import Options
from companion.games.sioux.rules import engine as rules
from companion.games.sioux.rules import gestures, public_view, state, winter

GAME: Game[state.State, state.Action] = Game(
    name="sioux",
    players=state.PLAYERS,
    options=Options,
    rules=rules.RULES,
    standin=components.standin,
    parse_box=components.parse_box,
    pieces=public_view.pieces,
    setup=rules.setup,
    legal=public_view.legal,
    offered=public_view.offered,
    awaiting=public_view.awaiting,
    scores=winter.scores,
    winners=winter.winners,
    tie_break=winter.tie_break,
    shared=winter.shared,
    instruction=winter.dealing,
    table=public_view.table,
    view=public_view.view,
    own_view=public_view.own_hand,
    own_offers=public_view.own_offers,
    whereabouts=public_view.whereabouts,
    layout=public_view.layout,
    preparation=public_view.preparation,
    from_memory=True,
    meaning=gestures.meaning,
    rematch=rules.rematch,
    tallies=(
        Tally(N_("Swaps suffered"), rulings=("swap",), who="seats"),
        Tally(N_("Gifts received"), rulings=("gets a gift",)),
        Tally(N_("Gifts given"), rulings=("gets a gift",), who="owner"),
        Tally(N_("Crows called"), rulings=("calls the crow",)),
        Tally(N_("Largest prey in a hunt"), rulings=("wins prey",), fact="value", most=True),
    ),
    sentences=sentences.SENTENCES,
    continued=gestures.continued,
    word=sentences.word,
)
