"""A puzzle: a position of a finished game, in which one of its players could have done clearly better.

It is a replay that stops at this decision and asks for another one. The table is what all players could see then, and
what the player alone could see; what the others hid is in neither. What came later is shown once they have chosen.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.gamekit.face_down import playable
from companion.gamekit.game import Awaiting, Refusal, Seat, Thing, named
from companion.gamekit.game_start import read_action
from companion.gamekit.snapshot import Considered, OwnView, Player, Puzzle, Snapshot, Solution, Thoughts, Told
from companion.messages.intentions import Act, AskWhy, Inquiry, Intention
from companion.messages.protocol import Knowledge
from companion.people.game_analysis import Alternative, Analyst, JudgedDecision, Position, as_data, gains
from companion.session.bot_thoughts import considered
from companion.session.evening import Evening
from companion.session.game_replay import Replay
from companion.session.history import note
from companion.session.public_snapshot import kind_of


class PuzzleReplay(Replay):
    """The newest game of an evening, which is over, up to this decision."""

    def __init__(
        self,
        evening: Evening,
        name: str,
        decision: JudgedDecision,
        analyst: Analyst,
        solved: Callable[[int], object] = lambda step: None,
    ) -> None:
        """`solved`: called with the step when something was tried."""
        super().__init__(evening, name)
        self._decision, self._solved = decision, solved
        self._puzzle = Puzzle(decision.seat, decision.step)
        self._step = decision.step
        actions = list(self._played_game.played)
        self._before = actions[decision.step].before
        self._position = Position(self._played_game, actions, decision.step, analyst)
        self._offers = self._possible()

    def _possible(self) -> tuple[Any, ...]:
        """What this player could do. What comes from their hand has to be in it."""
        game, seat, held = self._played_game.game, self._decision.seat, self._position.held
        offers = [
            action
            for action in game.own_offers(self._before, seat)
            if getattr(action, "seat", None) == seat and not isinstance(action, game.communal)
        ]
        if held is None:
            return tuple(offers)
        if game.face_down is not None:
            return tuple(playable(game, self._before, seat, held, offers))
        kind = self._decision.done.action["do"]
        return tuple(action for action in offers if kind_of(action) != kind or named(action) & held)

    # --- What is chosen ---------------------------------------------------------------------------------------

    def heed(self, intention: Intention) -> Told:
        if isinstance(intention, Act) and self._step == self._puzzle.step:
            return self._judge(intention.action)
        return super().heed(intention)

    def _judge(self, said: dict[str, Any]) -> Told:
        """Say what it would have been worth, if the rules allow it."""
        game, held = self._played_game.game, self._position.held
        action = read_action(game, said)
        if isinstance(action, Refusal):
            return Told(0, "refused", action.what, action.rule, action.facts)
        offered = any(kind_of(action) == kind_of(each) for each in self._offers)
        if not offered or getattr(action, "seat", None) != self._puzzle.seat:
            return Told(0, "refused", note("looking back").what)
        step = game.at_table(self._before, action)
        if isinstance(step, Refusal):
            return Told(0, "refused", step.what, step.rule, step.facts)
        if held is not None and action not in self._offers:
            return Told(0, "refused", note("looking back").what)
        self._answer(as_data(action))
        return Told(0, "noted", note("looking back").what)

    def _answer(self, said: dict[str, Any]) -> None:
        done, best = self._decision.done, self._decision.other
        known = next((each for each in (done, best) if each.action == said), None)
        chosen = known or self._position.considered(said) or Alternative(said, 0.0)
        worse = done if chosen.worth >= best.worth else chosen
        number = self._puzzle.solution.number + 1 if self._puzzle.solution else 1
        if number == 1:
            self._solved(self._puzzle.step)
        one, then, found = (self._considered(each) for each in (chosen, done, best))
        self._puzzle = replace(self._puzzle, solution=Solution(one, then, found, gains(worse, best), number))

    def _considered(self, alternative: Alternative) -> Considered:
        said, worth = alternative.action, alternative.worth
        return considered(self._played_game.game, self._before, said, worth) or Considered(said, None, worth)

    # --- What is shown ----------------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """What came after the decision is part of the answer."""
        return self._puzzle.step if self._puzzle.solution is None else super().steps

    def snapshot(self) -> Snapshot:
        shown = super().snapshot()
        assert shown.replay is not None
        seat = self._puzzle.seat
        shown = replace(
            shown,
            players=tuple(Player(each.name, number != seat, each.person) for number, each in enumerate(shown.players)),
            replay=replace(shown.replay, puzzle=self._puzzle),
        )
        if self._step != self._puzzle.step:
            return shown
        game, kinds = self._played_game.game, tuple(dict.fromkeys(map(kind_of, self._offers)))
        return replace(
            shown,
            awaiting=Awaiting((seat,), kinds),
            settled=(),
            offered=self._offers,
            own=game.own_view is not None or bool(self._dealt),
            secret=tuple(dict.fromkeys(kind_of(each) for each in self._offers if game.conceals(each) is not None)),
            dealt=tuple(kind for kind in kinds if self._dealt and kind == self._decision.done.action["do"]),
        )

    @property
    def _dealt(self) -> tuple[Thing, ...]:
        """The pieces in this player's hand, where the rules do not know them."""
        held, game = self._position.held or frozenset(), self._played_game.game
        return tuple(piece for piece in game.pieces(self._played_game.setup.box) if piece.id in held)

    def inform(self, inquiry: Inquiry[Any]) -> Knowledge:
        """What the others thought may tell what they hid, so that has to wait for an answer."""
        if isinstance(inquiry, AskWhy) and self._puzzle.solution is None:
            return Thoughts(inquiry.id)
        return super().inform(inquiry)

    def _own_view(self, id_: str, seat: Seat) -> OwnView:
        game, puzzle = self._played_game.game, self._puzzle
        if seat != puzzle.seat or self._step != puzzle.step:
            return OwnView(id_, seat, 0, None)
        hand = game.own_view(self._before, seat) if game.own_view else None
        return OwnView(id_, seat, 0, hand, self._offers, self._dealt)
