"""What hands mean at a table of Darwinci."""

from companion.games.darwinci.state import Action, State
from companion.games.game import Aside, Gesture


def meaning(state: State, gesture: Gesture) -> Action | Aside:
    return Aside("idle", "nothing")
