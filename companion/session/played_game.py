"""One game of an evening: how it began, and the actions that count.

A wrong entry can be corrected. All actions after it are then played again, and have to come out as before: no later
decision may depend on the wrong entry. If one does, players have to undo everything back to that action.

Whether a correction fits is judged from public information (`stand_ins.py`). It may fit, but not with what a player
still hides. Then another action stands in for the hidden one, and the other players cannot tell. When the hidden action
would be revealed it no longer counts, and its player chooses again.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from companion.errors import JournalError
from companion.gamekit.game import Game, Refusal, Seat, Setup, Step
from companion.gamekit.game_start import Header
from companion.session.actions import CountedAction, CountedActions
from companion.session.stand_ins import ImaginedGame, comes_out_alike, seat_of
from companion.session.thinking_time import Thinking
from companion.stations import Kit

__all__ = ["Correction", "CountedAction", "Ending", "JournalHeader", "PlayedGame", "earlier_results", "reseated"]


class JournalHeader(Header, frozen=True, kw_only=True):
    """The body of a "game" entry: everything that the game starts with. The journal needs no other file to reproduce
    the evening."""

    box: str
    """The text of the box file: the journal holds it, where a transcript only names it."""
    simulated: tuple[Seat, ...] = ()
    levels: dict[str, str] | UnsetType = UNSET
    """How well simulated players play, where that was said: seat → "strong", "easy:bold"."""
    kit: Kit = "none"
    stack: int | None = None
    """The seed with which the simulated stack was shuffled. None: its pieces are real."""
    deals: bool | UnsetType = UNSET
    """Companion deals from that stack to all players: they have no pieces of their own, whatever devices there are."""
    real: bool | UnsetType = UNSET
    """Simulated players have real pieces: they say what to do, and the hands of persons do it."""
    key: str | UnsetType = UNSET
    """The nonces of commitments come from it (commitments.py); none: what simulated players hide is not committed."""
    package: Annotated[str, Meta(min_length=1)]
    """What has to be installed for this game."""
    people: tuple[int, ...] = ()
    """For each seat, the seat that its player had in the evening's first game. Empty: all still sit there."""


class Correction(Struct, frozen=True):
    """A correction that counts, and what it replaced: so that it can be undone."""

    number: int
    """Of its entry."""
    of: int
    """The number of the action that it corrects."""
    action: Any
    how: str
    corrected_by: int


class Following(Struct, frozen=True):
    """What a new action leads to."""

    before: Any
    """The state before it."""
    step: Step[Any]
    played: Sequence[CountedAction]
    """What counts before it."""
    dropped: tuple[CountedAction, ...] = ()
    """The hidden actions that no longer count: it would have revealed them, and stand-ins replaced them."""
    seats: tuple[Seat, ...] = ()
    """The players who hid them."""


class Ending(Struct, frozen=True):
    """How a game of the evening ended. An abandoned game counts nothing and has no winner."""

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    finished: bool = True


def earlier_results(played_games: "Sequence[PlayedGame]") -> tuple[Ending, ...]:
    """The results of the games just before the newest one in the same match: the same game with the same players,
    wherever they sat. Seat by seat, as they sit now."""
    now, earlier = played_games[-1], []
    for played_game in played_games[-2::-1]:
        if played_game.header.game != now.header.game or sorted(played_game.header.players) != sorted(
            now.header.players
        ):
            break
        earlier.append(reseated(played_game.result, played_game.people, now.people))
    return tuple(earlier[::-1])


def reseated(result: Ending, before: Sequence[int], now: Sequence[int]) -> Ending:
    """The result of an earlier game, seat by seat as players sit now."""
    old = [before.index(person) for person in now]
    winners = tuple(seat for seat, was in enumerate(old) if was in result.winners)
    return Ending(tuple(result.totals[was] for was in old), winners, result.finished)


class PlayedGame:
    def __init__(self, number: int, header: JournalHeader, game: Game[Any, Any], setup: Setup, state: Any) -> None:
        self.number = number
        """Of its entry."""
        self.header = header
        """Its `box` is the one for the next game: a piece that joins the box may have to wait until then."""
        self.game, self.setup, self.first_state = game, setup, state
        self.box_text = self.first_box = header.box
        """The box of this game: as it is now, and as it was when the game began."""
        self.people = header.people or tuple(range(len(header.players)))
        """For each seat, the seat that its player had in the evening's first game."""
        self._played = CountedActions(game)
        self._result: Ending | None = None
        self.corrections: list[Correction] = []
        """Of what is played, oldest first."""
        self.prepared = False
        """Players have gone through the preparation, or have begun to play without it."""
        self.ended = 0
        """The number of the entry that ended the match; 0 if it goes on."""
        self.thinking = Thinking((0.0,) * len(header.players))
        self._stood_in: list[int] = []
        """The indexes of the actions for which another one stands in. Only corrections change them."""
        self._imagined: tuple[tuple[int, int], ImaginedGame] | None = None

    @property
    def played(self) -> CountedActions:
        """The actions that count."""
        return self._played

    @played.setter
    def played(self, actions: Iterable[CountedAction]) -> None:
        self._played[:] = actions

    @property
    def state(self) -> Any:
        last = self._played.last
        return self.first_state if last is None else last.step.state

    def state_for(self, seat: Seat) -> Any:
        """The state that shows a player their own secrets: a stand-in must not look like their own choice."""
        stood_in = (self.played[index] for index in self._stood_in)
        before = (played.before for played in stood_in if self.game.conceals(played.action) == seat)
        return next(before, self.state)

    @property
    def finished(self) -> bool:
        return self.game.awaiting(self.state) is None

    def close(self) -> None:
        """Another game has begun: nothing in this one changes any more."""
        self._result = self.result
        self._imagined = None
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
        """The values of `Game.course`, each time that they changed."""
        return self.played.course(self.first_state)

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
        """The index of the action of this entry; None if it does not count."""
        return self.played.find(number)

    def _place(self, number: int) -> int:
        """The index of an action that is known to count."""
        index = self.find(number)
        assert index is not None  # the caller has checked
        return index

    # --- Undo -------------------------------------------------------------------------------------------------

    def cut(self, number: int) -> tuple[CountedAction, ...]:
        """This action and all after it no longer count. Corrections of earlier actions stay."""
        index = self._place(number)
        gone = tuple(self.played[index:])
        del self.played[index:]
        self.corrections = [correction for correction in self.corrections if correction.of < number]
        self._stood_in = [place for place in self._stood_in if place < index]
        return gone

    # --- Playing on -------------------------------------------------------------------------------------------

    def following(self, action: Any) -> Following | Refusal:
        """What an action leads to now. If it would reveal a hidden action that a stand-in replaces, that action no
        longer counts, and its player chooses again."""
        before = self.state
        step = self.game.at_table(before, action)
        if isinstance(step, Refusal):
            return step
        gone = [index for index in self._stood_in if self._is_due(index, action)] if self._stood_in else ()
        if not gone:
            return Following(before, step, self._played)
        kept = self._with(dict.fromkeys(gone))
        before = kept[-1].step.state if kept else self.first_state
        again = None if kept is None else self.game.at_table(before, action)
        dropped = tuple(self.played[index] for index in gone)
        whose = (self.game.conceals(played.action) for played in dropped)
        seats = tuple(sorted({seat for seat in whose if seat is not None}))
        if kept is None or not isinstance(again, Step):
            return Refusal(None, "correct the hidden choice", {"seats": seats})
        return Following(before, again, kept, dropped, seats)

    def _is_due(self, index: int, action: Any) -> bool:
        """Whether this action would reveal the hidden one at this index, for any of the actions it may have been."""
        seat = self.game.conceals(self.played[index].action)
        if self.imagined.fates[index] != "hidden":
            return False
        for possible in self.imagined.possible(index):
            played = self._with({index: possible})
            step = None if played is None else self.game.at_table(played[-1].step.state, action)
            if isinstance(step, Step) and seat in step.revealed:
                return True
        return False

    def _with(self, others: Mapping[int, Any]) -> list[CountedAction] | None:
        """The actions that count, with `others` at these indexes, or without them where it is None. None if the rest
        would not come out the same."""
        first = min(others)
        kept = self.played[:first]
        for index, played in enumerate(self.played[first:], first):
            action = others.get(index, played.counting)
            if action is None:
                continue
            before = kept[-1].step.state if kept else self.first_state
            step = self.game.at_table(before, action)
            if not isinstance(step, Step) or not comes_out_alike(step, played):
                return None
            kept.append(replace(played, before=before, step=step))
        return kept

    def follow(
        self, number: int, action: Any, how: str, following: Following, thought: tuple[float, ...] = ()
    ) -> CountedAction:
        """Count this action, with the number of its entry. If a hidden action was dropped, corrections cannot be undone
        any more."""
        if following.dropped:
            self.played, self.corrections = [*following.played], []
            self._look_for_stand_ins()
        before, step = following.before, following.step
        counted = CountedAction(number, action, before, step, how, 0, thought, None, following.seats)
        self._played.append(counted)
        return counted

    # --- Corrections ------------------------------------------------------------------------------------------

    @property
    def imagined(self) -> ImaginedGame:
        """The actions that count, judged from public information. Made once for the same actions."""
        now = self.played.revision, self.played[-1].number if self.played else 0
        if self._imagined is None or self._imagined[0] != now:
            self._imagined = now, ImaginedGame(self.game, self.played)
        return self._imagined[1]

    def judged(self, number: int, action: Any) -> list[CountedAction] | Refusal:
        """The actions from this one on with another in its place, judged from public information; or why not. The
        result is the same whatever is still hidden."""
        return self._objection(number, action) or self.imagined.instead(self._place(number), action)

    def corrected(self, number: int, action: Any) -> list[CountedAction] | Refusal:
        """The actions from this one on as they would count with the correction; or why not. Changes nothing."""
        judged = self.judged(number, action)
        return judged if isinstance(judged, Refusal) else self._instead(self._place(number), action, judged[1:])

    def _objection(self, number: int, action: Any) -> Refusal | None:
        """Why this is no correction, whatever else was played. Of a hidden choice we never say that it is the same:
        that would tell what it is."""
        index = self.find(number)
        if index is None or self.ended:
            return Refusal(None, "cannot be corrected")
        wrong = self.played[index].action
        if type(action) is not type(wrong) or seat_of(action) != seat_of(wrong):
            return Refusal(None, "another action")
        if action == wrong and self.imagined.fates[index] == "open":
            return Refusal(None, "said so already")
        return None

    def rebox(self, setup: Setup, state: Any, text: str) -> bool:
        """Play this game with another box, from its first state on. False: what was played would come out differently,
        and nothing has changed."""
        again = self._again(state, self.played, self.imagined.again(state, 0) or ())
        if again is not None:
            self.setup, self.first_state, self.box_text, self.played = setup, state, text, again
            self._look_for_stand_ins()
        return again is not None

    def may_rebox(self, state: Any) -> bool:
        """Whether all that was played would come out the same from this first state, judged from public information."""
        judged = self.imagined.again(state, 0)
        return judged is not None and self._again(state, self.played, judged) is not None

    def _instead(self, index: int, action: Any, judged: Sequence[CountedAction]) -> list[CountedAction] | Refusal:
        first = self.played[index]
        step = self.game.at_table(first.before, action)
        if isinstance(step, Refusal):
            return step
        others = self._again(step.state, self.played[index + 1 :], judged)
        if others is None:
            return Refusal(None, "rests on it", {"count": len(self.played) - index})
        return [replace(first, action=action, step=step, stand_in=None), *others]

    def _again(
        self, state: Any, newest: Sequence[CountedAction], judged: Sequence[CountedAction]
    ) -> list[CountedAction] | None:
        """The newest actions, played again. Where a hidden one no longer fits, the one that was `judged` in its place
        stands in for it. None if one of them does not come out the same."""
        fates = self.imagined.fates[len(self.played) - len(newest) :]
        tail: list[CountedAction] = []
        for index, played in enumerate(newest):
            guess = judged[index] if judged and fates[index] != "open" else None
            step, stand_in = self.game.at_table(state, played.action), None
            if guess is not None and not self._looks_like(step, guess):
                step, stand_in = self.game.at_table(state, guess.action), guess.action
            if isinstance(step, Refusal) or not comes_out_alike(step, played):
                return None
            tail.append(replace(played, before=state, step=step, stand_in=stand_in))
            state = step.state
        return tail

    def _looks_like(self, step: Step[Any] | Refusal, guess: CountedAction) -> bool:
        """Whether the other players see and hear the same as in the game that is judged from public information."""
        view = self.game.view
        return isinstance(step, Step) and comes_out_alike(step, guess) and view(step.state) == view(guess.step.state)

    def _look_for_stand_ins(self) -> None:
        self._stood_in = [index for index, played in enumerate(self.played) if played.stand_in is not None]

    def correct(self, number: int, how: str, tail: Sequence[CountedAction]) -> tuple[CountedAction, CountedAction]:
        """Count a correction, with the number of its entry and the `tail` that `corrected` found. Returns the action
        before, and as it counts now."""
        index = self._place(tail[0].number)
        was, now = self.played[index], replace(tail[0], how=how, corrected_by=number)
        self.corrections.append(Correction(number, was.number, was.action, was.how, was.corrected_by))
        self.played[index:] = [now, *tail[1:]]
        self._look_for_stand_ins()
        return was, now

    def uncorrected(self) -> list[CountedAction]:
        """The actions from the newest correction on, as they counted without it. Raises JournalError if they no longer
        come out the same."""
        newest = self.corrections[-1]
        index = self._place(newest.of)
        first, *others = self.played[index:]
        judged = self.imagined.instead(index, newest.action)
        tail: Sequence[CountedAction] | Refusal | None = self._instead(
            index, newest.action, () if isinstance(judged, Refusal) else judged[1:]
        )
        if isinstance(tail, Refusal):  # a stand-in replaced it, and does so again
            again = [replace(first, action=newest.action), *others]
            tail = self._again(first.before, again, self.imagined.tail(index) or ())
        if tail is None:
            raise JournalError(f"the correction in entry {newest.number} cannot be undone: the rest depends on it")
        return [replace(tail[0], how=newest.how, corrected_by=newest.corrected_by), *tail[1:]]

    def uncorrect(self) -> tuple[CountedAction, CountedAction]:
        """Undo the newest correction. Returns the action as it was corrected, and as it counts now."""
        tail = self.uncorrected()
        index = self._place(tail[0].number)
        was = self.played[index]
        self.played[index:] = tail
        self._look_for_stand_ins()
        self.corrections.pop()
        return was, tail[0]
