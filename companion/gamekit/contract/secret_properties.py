"""No player learns a secret before its reveal, whatever they look at and whatever they try."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec.structs import fields, replace

from companion.gamekit.contract.failure import difference, shown
from companion.gamekit.contract.played_games import ACCEPTED, Moment, PlayedByChance, told
from companion.gamekit.game import Laid, Refusal, Seat, Setup, Step, named
from companion.gamekit.state_fields import dealt_again

TELLS = "{} tells no player what another one hides, before it is revealed"
SEEN = "all that is shown (`table`, `view`, `awaiting`, `offered`, `settled`, `whereabouts`)"
HIDE = """
the rules need not know the hands: leave them out of the state and bring `face_down`; or else bring an `offered` that
follows from what all know, and `own_offers` from what its player knows besides"""
MOST = 500
"""Offers that are looked at in one moment."""


class SecretsContract(PlayedByChance):
    def test_no_snapshot_and_no_refusal_tells_a_secret(self) -> None:
        """Two tables that differ in one secret action look alike, and answer alike, until it is revealed.
        They also answer alike to a player who names the secret, unless it is their own."""
        for setup, moment, chance in self.looked_at():
            twins = self._twins(moment, chance)
            if twins is None:
                continue
            one, other, names = twins
            owner = self.game.conceals(moment.action)
            if one.rulings != other.rulings:
                self.fail(TELLS.format("what is ruled"), _both(moment, twins, one.rulings, other.rulings), TELLS)
            shown_, other_shown = told(self.game, one.state), told(self.game, other.state)
            if shown_ != other_shown:
                self.fail(TELLS.format(SEEN), _both(moment, twins, shown_, other_shown), TELLS)
            for form in (*self.forms(one.state, chance), *self._naming(one.state, names, chance)):
                if not names & named(form) or getattr(form, "seat", None) != owner:
                    self._answer_alike(one.state, other.state, form)
            for gesture in self._showing(setup, names, owner):
                meant, otherwise = self.game.meaning(one.state, gesture), self.game.meaning(other.state, gesture)
                if meant != otherwise:
                    self.fail(TELLS.format(f"what {gesture} means"), _both(moment, twins, meant, otherwise), TELLS)

    def _answer_alike(self, state: Any, other: Any, form: Any) -> None:
        answer, other_answer = self.answer(state, form), self.answer(other, form)
        if answer is None or other_answer is None:  # it raises, which another property reports
            return
        if isinstance(answer, Refusal) or isinstance(other_answer, Refusal):
            if answer != other_answer:
                expected = f"whether {shown(form)} is refused tells no player what another hides (bring `at_table`)"
                self.fail(expected, f"{shown(answer)}, or {shown(other_answer)} with another secret", TELLS)
        elif not answer.revealed and not other_answer.revealed:
            if answer.rulings != other_answer.rulings:
                expected = TELLS.format(f"what is ruled after {shown(form)}")
                self.fail(expected, difference(answer.rulings, other_answer.rulings), TELLS)
            after, other_after = told(self.game, answer.state), told(self.game, other_answer.state)
            if after != other_after:
                self.fail(TELLS.format(f"the table after {shown(form)}"), difference(after, other_after), TELLS)

    def _naming(self, state: Any, names: set[str], chance: Random) -> Iterator[Any]:
        """Legal actions that name a player's secret instead."""
        legal = self.game.legal(state)
        for action in chance.sample(legal, min(5, len(legal))):
            for field in fields(type(action)):
                if isinstance(getattr(action, field.name), str):
                    for name in sorted(names):
                        yield from self._changed(action, field.encode_name, name)

    def _showing(self, setup: Setup, names: set[str], owner: Seat | None) -> Iterator[Laid]:
        """A piece without an owner is laid on another player's pad. Not on a shared reader: one piece cannot be in two
        hands, so a piece that is laid there twice is the same."""
        for piece in self.game.pieces(setup.box):
            if piece.id in names and piece.owner is None:
                yield from (Laid(piece, seat) for seat in range(setup.players) if seat != owner)

    def test_no_player_sees_another_player_s_secret_when_they_look_at_their_own_hand(self) -> None:
        """Two tables that differ in one player's secret action look alike to each of the others."""
        for setup, moment, chance in self.looked_at():
            twins = self._twins(moment, chance)
            seat = self.game.conceals(moment.action)
            for viewer in range(setup.players):
                if twins is not None and viewer != seat:
                    one, other = (self._own(twin.state, viewer) for twin in twins[:2])
                    if one != other:
                        expected = TELLS.format(f"what seat {viewer} alone may see (`own_view`, `own_offers`)")
                        self.fail(expected, _both(moment, twins, one, other))

    def test_no_player_can_tell_what_was_dealt_to_the_others(self) -> None:
        """Two tables at which the others hold other pieces look alike to a player, if fields say what is private."""
        for setup, moment, chance in self.looked_at():
            viewer, state = chance.randrange(setup.players), moment.step.state
            other = dealt_again(self.game, state, viewer, chance)
            if other is not None:
                expected = f"seat {viewer} cannot tell what the others hold from"
                one, another = told(self.game, state), told(self.game, other)
                if one != another:
                    offers = HIDE if replace(one, offered=another.offered) == another else ""
                    self.fail(f"{expected} {SEEN}", difference(one, another) + offers, TELLS)
                own, others = self._own(state, viewer), self._own(other, viewer)
                if own != others:
                    self.fail(f"{expected} `own_view` and `own_offers`", difference(own, others), TELLS)
                self._imagine(viewer, state, other)

    def _imagine(self, viewer: Seat, state: Any, other: Any) -> None:
        """A player who searches imagines such hands: they must not hold what all know to be elsewhere."""
        offered = {*self.game.offered(state)}
        strange = [each for each in self.game.legal(other) if each not in offered]
        if strange and offered >= {*self.game.legal(state)}:
            expected = (
                f"seat {viewer} imagines only hands that are possible, as far as all know: leave out of the state what "
                "follows from the rest of it, or override `Judgement.resampled`"
            )
            self.fail(expected, f"{shown(strange[0])} could be done with such a hand, and is not `offered`", TELLS)

    def test_what_one_player_is_offered_they_may_do_as_far_as_they_can_know(self) -> None:
        """Each is theirs, and of a kind that is possible now; a legal action of theirs is never left out."""
        for setup, moment, _ in self.looked_at():
            state = moment.step.state
            legal = {
                action for action in self._some(self.game.legal(state)) if getattr(action, "seat", None) is not None
            }
            for viewer in range(setup.players):
                own = list(self._some(self.game.own_offers(state, viewer)))
                others = [action for action in own if action.seat != viewer]
                self.expect(not others, f"`own_offers` for seat {viewer} are that seat's actions", others)
                kinds = {type(action).__name__ for action in legal if action.seat == viewer}
                missing = kinds - {type(action).__name__ for action in own}
                self.expect(not missing, f"`own_offers` for seat {viewer} has each kind that is legal", f"no {missing}")

    def _own(self, state: Any, viewer: Seat) -> bytes:
        """All that a screen gets when this player looks, as it travels."""
        hand = self.game.own_view(state, viewer) if self.game.own_view else None
        return msgspec.json.encode((hand, list(self._some(self.game.own_offers(state, viewer)))))

    def _some(self, actions: Sequence[Any]) -> Sequence[Any]:
        """Where there are thousands of forms of an action, the first ones tell enough."""
        return actions[:MOST]

    def _twins(self, moment: Moment, chance: Random) -> tuple[Step[Any], Step[Any], set[str]] | None:
        """What came of a secret action and of another that could have been in its place, if both are still hidden."""
        seat = self.game.conceals(moment.action)
        if seat is None or moment.step.revealed:
            return None
        others = [
            other
            for other in self.game.legal(moment.before)
            if type(other) is type(moment.action) and other != moment.action and self.game.conceals(other) == seat
            if self.alike(moment.before, moment.action, other)
        ]
        if not others:
            return None
        other = chance.choice(others)
        step = self.game.apply(moment.before, other)
        if not isinstance(step, Step):
            self.fail(ACCEPTED, f"before this action {shown(other)} is legal, and it gives {shown(step)}", ACCEPTED)
        return moment.step, step, named(moment.action) ^ named(other)

    def test_a_secret_is_not_named_in_what_is_ruled_before_it_is_revealed(self) -> None:
        """A secret that does not come to light in its own step is in none of that step's rulings."""
        for _, moment, chance in self.looked_at():
            twins = self._twins(moment, chance)
            if twins is not None:
                ruled = msgspec.json.encode(twins[0].rulings).decode()
                said = [name for name in sorted(twins[2]) if f'"{name}"' in ruled]
                self.expect(not said, "no ruling names a secret before it is revealed", f"{said} in {ruled}", TELLS)


def _both(moment: Moment, twins: tuple[Step[Any], Step[Any], set[str]], one: Any, other: Any) -> str:
    named = ", ".join(sorted(twins[2])) or "another choice"
    return f"{difference(one, other)}\nafter {shown(moment.action)} and after another in its place ({named})"
