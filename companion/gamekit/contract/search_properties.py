"""What the search player of every game keeps: its guesses agree with what its seat may know, and with nothing else."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from companion.gamekit.contract.failure import difference, shown
from companion.gamekit.contract.played_games import ACCEPTED, Moment, PlayedByChance
from companion.gamekit.contract.secret_properties import TELLS
from companion.gamekit.game import Seat, Setup, Step
from companion.gamekit.parts import judgement_of
from companion.gamekit.search import CHANCE, Hidden, Judgement, Sampler, SeatKnowledge, Skill, decide, knowledge_of

GUESSES = 3
"""How many states are sampled at each moment."""
MANY = 600
"""In so many samples the true state turns up."""


class SearchContract(PlayedByChance):
    searched_every = 29
    """Of the moments at which somebody decides, one in this many is looked at."""

    def test_a_sample_agrees_with_all_that_its_seat_may_know(self) -> None:
        for knowledge, _, luck in self._knowledges():
            sampler = Sampler(self.game, self.judgement, knowledge)
            for _ in range(GUESSES):
                state = sampler.sample(luck).state
                view, own = self.game.view(state), self.game.own_view and self.game.own_view(state, knowledge.seat)
                if view != knowledge.view:
                    self.fail("a guess of the search player looks like the table", difference(knowledge.view, view))
                if self.game.own_view and own != knowledge.own:
                    expected = f"a guess of the search player agrees with what seat {knowledge.seat} may see"
                    self.fail(expected, difference(knowledge.own, own))

    def test_what_a_seat_may_know_can_be_read_in_another_process(self) -> None:
        """Where simulated players think. What is not the same there looks like no state that they can guess."""
        for knowledge, _, _ in self._knowledges():
            for part in (knowledge.view, knowledge.own):
                if part is not None:
                    expected = f"{type(part).__name__}, written as JSON, can be read back"
                    try:
                        read = msgspec.convert(
                            msgspec.json.decode(msgspec.json.encode(part)), type(part), str_keys=True
                        )
                    except (msgspec.ValidationError, TypeError) as error:
                        self.fail(expected, str(error))
                    self.expect(read == part, f"{expected} and is the same", difference(part, read))

    def test_a_sample_can_be_played_to_its_end(self) -> None:
        """All that a judgement proposes is accepted."""
        for knowledge, _, luck in self._knowledges():
            state = Sampler(self.game, self.judgement, knowledge).sample(luck).state
            for _ in range(self.longest):
                seat = self.judgement.turn(state)
                if seat is None:
                    break
                action = (
                    self.judgement.draw(state, luck)
                    if seat == CHANCE
                    else luck.choice(list(self.judgement.candidates(state, seat)))
                )
                step = self.game.apply(state, action)
                if not isinstance(step, Step):
                    self.fail("what a judgement proposes is accepted", f"{shown(action)} gives {shown(step)}")
                state = step.state
            expected = f"a guess is played to its end within {self.longest} actions"
            self.expect(self.game.awaiting(state) is None, expected, "it goes on")

    def test_the_true_state_can_be_sampled(self) -> None:
        """Where a single action is hidden: in many samples it is everything that it could be."""
        for knowledge, moment, luck in self._knowledges():
            if sum(isinstance(action, Hidden) for action in knowledge.past) == 1:
                sampler = Sampler(self.game, self.judgement, knowledge)
                found = any(sampler.sample(luck).state == moment.step.state for _ in range(MANY))
                expected = f"the search player guesses the true state at least once in {MANY} guesses"
                self.expect(found, expected, "never")

    def test_a_decision_depends_on_nothing_that_others_hide(self) -> None:
        """Two tables that differ only in one player's secret look alike to each of the others, who decide alike."""
        for setup, past, moment, luck in self._moments():
            owner = self.game.conceals(moment.action)
            if owner is None or moment.step.revealed:
                continue
            other = self._otherwise(moment, luck)
            if other is None:
                continue
            for viewer in range(setup.players):
                if viewer != owner and viewer in self._deciders(moment.step.state):
                    tables = [(moment.action, moment.step), (other[0], other[1])]
                    both = [
                        knowledge_of(self.game, setup, step.state, [*past, (action, step.revealed)], viewer)
                        for action, step in tables
                    ]
                    if both[0] != both[1]:
                        expected = f"seat {viewer} knows nothing of what seat {owner} hides"
                        self.fail(expected, difference(both[0], both[1]), TELLS)
                    decisions = [self._decision(knowledge, f"{setup.players}") for knowledge in both]
                    expected = f"the decision of seat {viewer} rests on nothing that seat {owner} hides"
                    self.expect(decisions[0] == decisions[1], expected, f"{decisions[0]}, and {decisions[1]}")

    def test_the_same_seed_decides_the_same_and_what_is_decided_is_legal(self) -> None:
        for knowledge, moment, _ in self._knowledges():
            action = self._decision(knowledge, "once")
            again = self._decision(knowledge, "once")
            self.expect(action == again, "the same seed decides the same", f"{shown(action)}, then {shown(again)}")
            answer = self.game.at_table(moment.step.state, action)
            self.expect(isinstance(answer, Step), f"what is decided is legal: {shown(action)}", answer)

    # --- Moments ---

    @property
    def judgement(self) -> Judgement[Any, Any]:
        return judgement_of(self.name)

    def _decision(self, knowledge: SeatKnowledge, seed: str) -> Any:
        return decide(self.game, judgement_of(self.name), knowledge, Skill(playouts=6), seed)

    def _deciders(self, state: Any) -> list[Seat]:
        """Who may decide now."""
        awaiting = self.game.awaiting(state)
        if awaiting is None or self.judgement.turn(state) == CHANCE:
            return []
        settled = self.game.settled(state) if self.game.settled else ()
        return [seat for seat in awaiting.seats if seat not in settled]

    def _moments(self) -> Iterator[tuple[Setup, list[Any], Moment, Random]]:
        """Some moments of all games, with all that was done before them."""
        for game in self.all_games():
            luck, past = Random(f"search {game.seed}"), list[Any]()
            for moment in self._visited(game):
                if luck.random() * self.searched_every < 1:
                    yield game.setup, past, moment, luck
                past.append((moment.action, moment.step.revealed))

    def _knowledges(self) -> Iterator[tuple[SeatKnowledge, Moment, Random]]:
        """What somebody who is to decide may know after a moment."""
        for setup, past, moment, luck in self._moments():
            deciders = self._deciders(moment.step.state)
            if deciders:
                done = [*past, (moment.action, moment.step.revealed)]
                yield knowledge_of(self.game, setup, moment.step.state, done, luck.choice(deciders)), moment, luck

    def _otherwise(self, moment: Moment, luck: Random) -> tuple[Any, Step[Any]] | None:
        """Another secret action that could have been in its place."""
        others = [
            other
            for other in self.game.legal(moment.before)
            if type(other) is type(moment.action) and other != moment.action
            if self.game.conceals(other) == self.game.conceals(moment.action)
            and self.alike(moment.before, moment.action, other)
        ]
        if not others:
            return None
        other = luck.choice(others)
        step = self.game.apply(moment.before, other)
        if not isinstance(step, Step):
            self.fail(ACCEPTED, f"before this action {shown(other)} is legal, and it gives {shown(step)}", ACCEPTED)
        return other, step
