"""One game of an evening: how it began, and the actions that count. No file and no clock.

An action that was entered wrongly can be corrected. Then everything after it is folded again, and has to come out as it
was: nothing that was decided since may rest on what was wrong. Otherwise everything back to that action has to be taken
back.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.beginning import Beginning, Header
from companion.gamekit.game import Game, Refusal, Seat
from companion.journal.actions import CountedAction, CountedActions
from companion.journal.thinking import Thinking

__all__ = ["Correction", "CountedAction", "Ending", "Sitting", "earlier_results", "reseated"]


class Correction(Struct, frozen=True):
    """A correction that counts, and what it replaced: so that it can be taken back."""

    number: int
    """Of its entry."""
    of: int
    """The number of the action that it corrects."""
    action: Any
    how: str
    corrected_by: int


class Ending(Struct, frozen=True):
    """How a game of the evening ended. One that was abandoned counts nothing and has no winner."""

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    finished: bool = True


def people(written: Sequence[int], names: Sequence[str], earlier: "Sequence[Sitting]") -> tuple[int, ...]:
    """Who sits where, each by the seat that they had in the evening's first game. `written`: what the journal says;
    nothing in the first game, and in journals from before it was written down: there names have to do, and of two
    players with one name neither has moved if that is possible."""
    if sorted(written) == list(range(len(names))):
        return tuple(written)
    if not earlier or sorted(earlier[-1].header.players) != sorted(names):
        return tuple(range(len(names)))
    before = earlier[-1]
    stayed = {seat for seat, name in enumerate(names) if before.header.players[seat] == name}
    free = [seat for seat in range(len(names)) if seat not in stayed]
    found: list[int] = []
    for seat, name in enumerate(names):
        was = seat if seat in stayed else next(place for place in free if before.header.players[place] == name)
        if was in free:
            free.remove(was)
        found.append(before.people[was])
    return tuple(found)


def earlier_results(sittings: "Sequence[Sitting]") -> tuple[Ending, ...]:
    """Of the newest game's match: those just before it, of the same game with the same people, wherever they sat; seat
    by seat as they sit now."""
    now, earlier = sittings[-1], []
    for sitting in sittings[-2::-1]:
        if sitting.header.game != now.header.game or sorted(sitting.header.players) != sorted(now.header.players):
            break
        earlier.append(reseated(sitting.result, sitting.people, now.people))
    return tuple(earlier[::-1])


def reseated(result: Ending, before: Sequence[int], now: Sequence[int]) -> Ending:
    """How an earlier game ended, seat by seat as people sit now."""
    old = [before.index(person) for person in now]
    winners = tuple(seat for seat, was in enumerate(old) if was in result.winners)
    return Ending(tuple(result.totals[was] for was in old), winners, result.finished)


class Sitting:
    def __init__(self, number: int, opening: dict[str, Any], box_text: str, header: Header, start: Beginning) -> None:
        self.number = number
        """Of its entry."""
        self.opening = opening
        """The body of its entry, as plain data."""
        self.box_text = self.first_box = box_text
        """As it is now, and as it was when the game began."""
        self.header = header
        self.people = tuple(range(len(header.players)))
        """Who sits where: the seat that each of them had in the evening's first game."""
        self.start = start
        self._played = CountedActions(start.game)
        self._result: Ending | None = None
        self.corrections: list[Correction] = []
        """Of what is played, oldest first."""
        self.prepared = False
        """Somebody has gone through the set-up, or has played on without."""
        self.ended = 0
        """The number of the entry that ended the match with this game; 0 if none did."""
        self.thinking = Thinking((0.0,) * len(header.players))

    @property
    def played(self) -> CountedActions:
        """The actions that count."""
        return self._played

    @played.setter
    def played(self, actions: Iterable[CountedAction]) -> None:
        self._played[:] = actions

    @property
    def game(self) -> Game[Any, Any]:
        return self.start.game

    @property
    def state(self) -> Any:
        return self.played[-1].step.state if self.played else self.start.state

    @property
    def finished(self) -> bool:
        return self.game.awaiting(self.state) is None

    def close(self) -> None:
        """Another game has begun: nothing in this one changes any more."""
        self._result = self.result
        self.played.pack()

    @property
    def result(self) -> Ending:
        if self._result:
            return self._result
        if not self.finished:
            return Ending((0,) * len(self.header.players), (), finished=False)
        totals = tuple(score.total for score in self.game.scores(self.state))
        return Ending(totals, tuple(self.game.winners(self.state)))

    @property
    def course(self) -> tuple[tuple[int, ...], ...]:
        """What the game looks back at, each time that it changed."""
        return self.played.course(self.start.state)

    # --- The newest thing that counts -------------------------------------------------------------------------

    @property
    def newest(self) -> int:
        """The number of its entry: the end of the match, an action or a correction. 0 if there is none."""
        acted = self.played[-1].number if self.played else 0
        corrected = self.corrections[-1].number if self.corrections else 0
        return self.ended or max(acted, corrected)

    @property
    def newest_correction(self) -> Correction | None:
        """The newest thing that counts, if it is a correction."""
        if self.corrections and self.corrections[-1].number == self.newest:
            return self.corrections[-1]
        return None

    def find(self, number: int) -> int | None:
        """Where the action of this entry stands among those that count."""
        return self.played.find(number)

    # --- Taking back ------------------------------------------------------------------------------------------

    def cut(self, number: int) -> tuple[CountedAction, ...]:
        """This action and all after it no longer count. What was corrected before it stays so."""
        index = self.find(number)
        assert index is not None  # whoever takes back has looked
        gone = tuple(self.played[index:])
        del self.played[index:]
        self.corrections = [correction for correction in self.corrections if correction.of < number]
        return gone

    # --- Saying anew ------------------------------------------------------------------------------------------

    def corrected(self, number: int, action: Any) -> list[CountedAction] | Refusal:
        """The actions from this one on, as they would count; or why that is not so. Nothing has changed.

        It says the same for whatever others hide: an action of theirs is folded again and comes out the same."""
        index = self.find(number)
        if index is None or self.ended:
            return Refusal(None, "cannot be corrected")
        wrong = self.played[index].action
        if type(action) is not type(wrong) or _seat(action) != _seat(wrong):
            return Refusal(None, "another action")
        if action == wrong:
            return Refusal(None, "said so already")
        return self._folded(index, action)

    def rebox(self, start: Beginning, text: str) -> bool:
        """Play with this box from now on, and from the beginning; whether all that was played comes out the same."""
        again = self.reboxed(start)
        if again is not None:
            self.start, self.box_text, self.played = start, text, again
        return again is not None

    def reboxed(self, start: Beginning) -> list[CountedAction] | None:
        """What was played, folded again from this beginning; None if it would not come out the same."""
        again: list[CountedAction] = []
        state = start.state
        for played in self.played:
            step = self.game.at_table(state, played.action)
            if isinstance(step, Refusal) or (step.rulings, step.revealed) != _told(played):
                return None
            again.append(replace(played, before=state, step=step))
            state = step.state
        return again

    def _folded(self, index: int, action: Any) -> list[CountedAction] | Refusal:
        first, *others = self.played[index:]
        step = self.game.at_table(first.before, action)
        if isinstance(step, Refusal):
            return step
        tail = [replace(first, action=action, step=step)]
        for played in others:
            before = tail[-1].step.state
            again = self.game.at_table(before, played.action)
            if isinstance(again, Refusal) or (again.rulings, again.revealed) != _told(played):
                return Refusal(None, "rests on it", {"count": len(others) + 1})
            tail.append(replace(played, before=before, step=again))
        return tail

    def correct(self, number: int, how: str, tail: Sequence[CountedAction]) -> tuple[CountedAction, CountedAction]:
        """Let the entry of this number say it, as `corrected` has found. The action before, and as it counts now."""
        index = self.find(tail[0].number)
        assert index is not None  # `corrected` has found it
        was, now = self.played[index], replace(tail[0], how=how, corrected_by=number)
        self.corrections.append(Correction(number, was.number, was.action, was.how, was.corrected_by))
        self.played[index:] = [now, *tail[1:]]
        return was, now

    def uncorrected(self) -> list[CountedAction]:
        """The actions from the newest correction's on, as they counted without it."""
        newest = self.corrections[-1]
        index = self.find(newest.of)
        assert index is not None  # a correction goes with its action
        tail = self._folded(index, newest.action)
        assert not isinstance(tail, Refusal)  # so it was before, and nothing has been played since
        return [replace(tail[0], how=newest.how, corrected_by=newest.corrected_by), *tail[1:]]

    def uncorrect(self) -> tuple[CountedAction, CountedAction]:
        """The newest correction no longer counts. The action as it was corrected, and as it counts now."""
        tail = self.uncorrected()
        index = self.find(tail[0].number)
        assert index is not None
        was = self.played[index]
        self.played[index:] = tail
        self.corrections.pop()
        return was, tail[0]


def _seat(action: Any) -> Seat | None:
    return getattr(action, "seat", None)


def _told(played: CountedAction) -> tuple[Any, Any]:
    return played.step.rulings, played.step.revealed
