"""Bots with real pieces: they decide, and the hands of persons do it.

A bot looks at the table as a phone does. What it wants to do becomes an errand (`companion/session/session.py`): all
screens say it, and it counts when a reader, a button or a screen confirms it. What it chooses in secret counts at once,
because Companion keeps the secret. What belongs to no player, such as a card to draw, is left to the persons.
"""

import asyncio
from random import Random

import msgspec

from companion.gamekit.game import Seat
from companion.gamekit.parts import judgement_of, seat_players
from companion.gamekit.search import CHANCE
from companion.gamekit.simulated import Say
from companion.gamekit.snapshot import Snapshot
from companion.messages.intentions import Agree, BotAct, Intention
from companion.session.evening import Evening
from companion.simulation.real_time import Hears
from companion.simulation.search_players import SearchPlayers


class RealSeats:
    """The bots of a table with real pieces."""

    def __init__(self, evening: Evening, search: SearchPlayers) -> None:
        self._evening, self._search = evening, search
        self._players = seat_players(evening.game.name, 0, frozenset(evening.header.simulated), "full")

    def seat(self, snapshot: Snapshot) -> Seat | None:
        """The bot that has to decide now; None: it is for persons to go on."""
        if snapshot.errand or snapshot.awaiting is None or snapshot.paused or snapshot.layout or snapshot.preparation:
            return None
        evening = self._evening
        turn = judgement_of(evening.game.name).turn(evening.state)
        if turn == CHANCE:
            return None
        legal = {getattr(action, "seat", None) for action in evening.game.legal(evening.state)}
        plan = self._players.plan(snapshot)
        if plan is not None and not plan.decides:  # cards are drawn or dealt: that is for persons to do
            return None
        waiting = [seat for seat in snapshot.awaiting.seats if seat not in snapshot.settled and seat in legal]
        return next((seat for seat in waiting if seat in evening.header.simulated), None)

    def answer(self, snapshot: Snapshot) -> Intention | None:
        """What bots say to a question to all players: they agree."""
        missing = snapshot.question.missing if snapshot.question else ()
        seat = next((seat for seat in missing if seat in self._evening.header.simulated), None)
        return Agree("", seat, snapshot.question.number) if seat is not None and snapshot.question else None

    def act(self, seat: Seat, said: Say | None) -> BotAct:
        """What it has decided; without a decision anything that it may do."""
        legal = [each for each in self._evening.game.legal(self._evening.state) if getattr(each, "seat", None) == seat]
        action = said.action if said else Random(self._evening.number).choice(legal)
        return BotAct("", msgspec.to_builtins(action), thought=said.thought if said else None)

    async def run(self, referee: Hears) -> None:
        """Play until cancelled."""
        while True:
            seen = referee.snapshot
            if agreed := self.answer(seen):
                referee.heed(agreed)
                continue
            seat = None if seen.question else self.seat(seen)
            if seat is None:
                await referee.changed()
                continue
            said = await asyncio.to_thread(self._search.thought(seat, None, hurry=True))
            now = referee.snapshot
            if (now.entry, now.question, now.errand) != (seen.entry, seen.question, seen.errand) or now.paused:
                continue
            if referee.heed(self.act(seat, said)).kind == "refused":
                referee.heed(self.act(seat, None))
