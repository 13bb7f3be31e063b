"""Each of the four games keeps the contract of all games."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Any

from companion.gamekit import Seat, Thing, Whereabouts
from companion.gamekit.contract import GameContract


class TestLascaux(GameContract):
    name = "lascaux"

    def concerned(self, state: Any, action: Any) -> Collection[Seat]:
        """A drawn card concerns the start player, and so does the end."""
        return (getattr(action, "seat", state.start),)


class TestSioux(GameContract):
    name = "sioux"

    def concerned(self, state: Any, action: Any) -> Collection[Seat]:
        """S20 What was dealt concerns those who were tied."""
        return action.seats if action.__struct_config__.tag == "dealt" else (action.seat,)

    def may_repeat(self, state: Any, action: Any) -> bool:
        """S22 When the cards of a player come back, they may rightly lay the last one again at once, which no rule can
        tell from a second reading; readers drop what they read again within a third of a second."""
        before: Any = self.game.table(state)
        after: Any = self.game.table(self.game.apply(state, action).state)
        return bool(sum(after.hands) > sum(before.hands))


class TestDarwinci(GameContract):
    name = "darwinci"
    games = 4

    def lying(self, state: Any) -> Whereabouts:
        """Face-down tiles are counted, too, beside all tiles by name."""
        return {key: count for key, count in super().lying(state).items() if key[0] != Thing("tile")}


class TestCarnuta(GameContract):
    name = "carnuta"
    games = 4

    def concerned(self, state: Any, action: Any) -> Collection[Seat]:
        """C3 A card that is dealt concerns the player whose turn it is."""
        return (getattr(action, "seat", state.turn),)

    def choose(self, actions: Sequence[Any], chance: Random) -> Any:
        """Players like to play cards, so that the game ends soon."""
        plays = [action for action in actions if action.__struct_config__.tag == "play"]
        return chance.choice(plays if plays and chance.random() < 0.7 else actions)

    def alike(self, state: Any, action: Any, other: Any) -> bool:
        """C17 From which deck a start card came is seen by all."""
        return state.cards[action.card].deck == state.cards[other.card].deck
