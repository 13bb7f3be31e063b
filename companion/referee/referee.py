"""The referee: hears one signal or intention at a time, asks the rules, keeps the journal, answers.

No clock, no socket and no device in here: time comes in with what is heard. An accepted action is durable before
`hear` or `heed` returns, so nobody can see an effect that a power cut could take away. When the disk fails both raise
DoubtError: then another referee has to read the journal anew.
"""

from collections import deque
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.errors import DoubtError, JournalError
from companion.gamekit.beginning import read_action
from companion.gamekit.ending import broken_tie
from companion.gamekit.game import Aside, Awaiting, Draft, Move, Refusal, Ruling, Seat
from companion.gamekit.snapshot import Kind, OwnView, Preparation, Result, Snapshot, Told
from companion.journal.entry import EntryKind
from companion.journal.evening import Evening, action_body, needs_agreement, undo_body, undo_moves
from companion.journal.store import Journal
from companion.messages.intentions import (
    Act,
    Agree,
    Decline,
    EndMatch,
    Intention,
    LookedOver,
    NextGame,
    Peek,
    Prepare,
    Undo,
)
from companion.referee import looking, match
from companion.referee.asking import Pending
from companion.referee.heard import NewestIds
from companion.referee.notes import note, short
from companion.referee.watch import Watch
from companion.table.interpreter import Again, Agreement, Desk, Disagreement, Do, Leaf, TakeBack, interpret
from companion.table.presence import Presence
from companion.table.signals import Held, Pressed, Signal, TagIntroduced, TagRemoved

HISTORY = 60
"""How many lines a snapshot carries: more than any screen shows at once."""


class Referee:
    """One table. All methods answer at once; only one thing is heard at a time."""

    def __init__(self, journal: Journal, evening: Evening, desk: Desk, *, resumed: bool = False) -> None:
        """`resumed`: pieces may have moved since, so people are asked to look the table over before play goes on."""
        self._journal = journal
        self._evening = evening
        self._desk = desk
        self._presence = Presence()
        self._pending: Pending | None = None
        self._so_far: Any = None
        """Half an action, as far as hands have said it. It is in no journal: after a restart it is said anew."""
        self._answered = NewestIds()
        """What was said about a question, or refused: it is in no journal, and still counts only once."""
        self._unseen = resumed and evening.last_action is not None and looking.has_persons(evening)
        """Nobody has looked the table over yet."""
        self._page = looking.first_page(evening)
        """Of the preparation, the one that people see; None when they have gone through it."""
        self._watch = Watch()
        self._history: deque[Told] = deque(maxlen=HISTORY)
        self._lines = 0
        self._questions = 0
        self._snapshots = 0
        self._remember()

    def _remember(self) -> None:
        """What was ruled before a restart, as far as a snapshot carries it."""
        for played in self._evening.sitting.played[-HISTORY:]:
            for ruling in played.step.rulings:
                self._tell("accepted", _Said(played.how, "", 0.0, played.number), ruling)
        if ended := self._evening.sitting.ended:
            self._tell("noted", _Said("screen", "", 0.0, ended), match.won(self._evening))
        if self._journal.doubted:
            self._tell_which(self._journal.doubted)

    def _tell_which(self, doubted: int) -> None:
        """The disk failed as this entry was written, and the referee before us could not say whether it counts."""
        counts = doubted <= self._evening.number
        which = note("written all the same") if counts else note("not written")
        self._tell("noted" if counts else "refused", _Said("", "", 0.0), which)

    # --- Hearing ----------------------------------------------------------------------------------------------

    def hear(self, signal: Signal, at: float) -> Told:
        """Answer a signal from a device. `at` is the time of day, for the journal."""
        said = _Said("button" if isinstance(signal, Pressed | Held) else "tag", signal.id, at)
        if self._knows(said):
            return self._tell("repeated", said, note("heard already"))
        self._watch = self._watch.after(signal)
        evening = self._evening
        if isinstance(signal, TagIntroduced):
            self._desk = self._desk.acquainted(evening.game, evening.setup.box, signal)
        asked = self._pending is not None
        self._presence, meaning = interpret(
            self._desk, self._presence, evening.game, evening.state, asked, signal, self._so_far, self._page is not None
        )
        match meaning:
            case Do(action):
                return self._act(action, said)
            case TakeBack():
                return self._take_back(said)
            case Leaf(by):
                return self._leaf(by, said)
            case Again():
                return self._next_game(said)
            case Agreement(seat):
                return self._agree(seat, said)
            case Disagreement():
                return self._decline(said)
            case Draft(so_far, what, facts):
                self._so_far, self._page = so_far, None
                self._answered.add(said.cause)
                return self._tell("noted", said, Ruling(None, what, facts), quiet=True)
            case Aside(kind, what, facts):
                quiet = isinstance(signal, TagRemoved | TagIntroduced)
                return self._tell(kind, said, Ruling(None, what, facts), quiet=quiet)

    def heed(self, intention: Intention, at: float) -> Told:
        """Answer what somebody wants on a screen."""
        speaker = intention.seat if isinstance(intention, Act) else None
        said = _Said("screen" if speaker is None else "phone", intention.id, at)
        if self._knows(said):
            return self._tell("repeated", said, note("heard already"))
        match intention:
            case Act(_, data):
                action = read_action(self._evening.game, data)
                objection = action if isinstance(action, Refusal) else self._not_theirs(action, speaker)
                return self._refuse(objection, said) if objection else self._act(action, said)
            case Undo(_, entry) if entry is not None and entry != self._evening.number:
                return self._refuse(Refusal(None, "the table has changed"), said)
            case Undo():
                return self._take_back(said)
            case Agree(question=number) | Decline(question=number) if not self._is_open(number):
                return self._tell("idle", said, note("no question is open"))
            case Agree(_, seat):
                return self._agree(seat, said)
            case Decline():
                return self._decline(said)
            case NextGame():
                return self._next_game(said)
            case EndMatch():
                return self._end_match(said)
            case LookedOver():
                self._unseen = False
                return self._tell("noted", said, note("looked over"), quiet=True)
            case Prepare(_, page):
                return self._show_page(page, said)

    def _knows(self, said: "_Said") -> bool:
        return said.cause != "" and (said.cause in self._evening.causes or said.cause in self._answered)

    def _not_theirs(self, action: Any, speaker: Seat | None) -> Refusal | None:
        """Whoever speaks for one seat alone does what is that seat's: its own actions, and those that name nobody while
        the table waits for it."""
        if speaker is None:
            return None
        awaiting = self._evening.game.awaiting(self._evening.state)
        waited_for = awaiting.seats if awaiting else ()
        theirs = action.seat == speaker if hasattr(action, "seat") else speaker in waited_for
        return None if theirs else Refusal(None, "not yours to say")

    # --- Acting -----------------------------------------------------------------------------------------------

    def _act(self, action: Any, said: "_Said") -> Told:
        if self._pending:
            return self._tell("refused", said, note("a question is open"))
        game = self._evening.game
        outcome = game.at_table(self._evening.state, action)
        if isinstance(outcome, Refusal):
            return self._refuse(outcome, said)
        if isinstance(action, game.communal):
            return self._ask(_do(action), (), action, said)
        return self._carry_out(action, said)

    def _carry_out(self, action: Any, said: "_Said") -> Told:
        """Write the action down, then take it from the journal as a resumed evening would."""
        return self._record("action", action_body(action), said)

    def _refuse(self, refusal: Refusal, said: "_Said") -> Told:
        """What was refused once is not judged anew if its answer was lost and it is sent again."""
        self._answered.add(said.cause)
        return self._tell("refused", said, refusal)

    # --- Taking back ------------------------------------------------------------------------------------------

    def _take_back(self, said: "_Said") -> Told:
        if self._pending:
            return self._tell("refused", said, note("a question is open"))
        if not self._evening.to_undo:
            return self._tell("refused", said, note("nothing to undo"))
        if needs_agreement(self._evening):
            return self._ask("undo", undo_moves(self._evening), None, said)
        return self._undo(said)

    def _undo(self, said: "_Said") -> Told:
        body = undo_body(self._evening)
        assert body is not None  # asked for only when there is one, and nothing is accepted while a question is open
        return self._record("undo", body, said)

    # --- Asking everybody -------------------------------------------------------------------------------------

    def _ask(self, kind: str, moves: tuple[Move, ...], action: Any, said: "_Said") -> Told:
        self._questions += 1
        self._pending = Pending(self._questions, kind, moves, frozenset(), action)
        self._answered.add(said.cause)
        return self._tell("noted", said, note("needs everybody" if action else "undo needs everybody"))

    def _is_open(self, question: int | None) -> bool:
        return self._pending is not None and question in (None, self._pending.number)

    def _agree(self, seat: Seat | None, said: "_Said") -> Told:
        pending = self._pending
        if pending is None:
            return self._tell("idle", said, note("no question is open"))
        missing = pending.missing(len(self._evening.header.players))
        if seat is None:
            seat = missing[0]
        last = len(self._evening.header.players) - 1
        if not 0 <= seat <= last:
            return self._tell("refused", said, note("no such seat", number=seat, last=last))
        if seat not in missing:
            return self._tell("repeated", said, note("has agreed already", seat=seat))
        told = self._tell("noted", said, note("agrees", seat=seat))
        if missing == (seat,):
            return self._conclude(pending, said)
        self._pending = replace(pending, agreed=pending.agreed | {seat})
        self._answered.add(said.cause)
        return told

    def _conclude(self, pending: Pending, said: "_Said") -> Told:
        """All agree. If that cannot be written down the question stays, and the last answer can be given again."""
        told = self._undo(said) if pending.action is None else self._carry_out(pending.action, said)
        self._pending = pending if told.kind == "refused" else None
        return told

    def _decline(self, said: "_Said") -> Told:
        if self._pending is None:
            return self._tell("idle", said, note("no question is open"))
        self._pending = None
        self._answered.add(said.cause)
        return self._tell("noted", said, note("declined"))

    # --- Setting up ---------------------------------------------------------------------------------------------

    def _leaf(self, by: int | None, said: "_Said") -> Told:
        preparation = self._preparation()
        assert preparation is not None  # a button leafs only while there is something to leaf through
        return self._show_page(preparation.pages if by is None else preparation.page + by, said)

    def _show_page(self, page: int, said: "_Said") -> Told:
        """One page of the preparation. Behind the last one the table is set up, which is told once a game."""
        preparation = self._preparation()
        if preparation is None:
            return self._tell("noted", said, note("set up already"), quiet=True)
        if page >= preparation.pages:
            return self._record("prepared", b"{}", said)
        self._page = max(0, page)
        self._answered.add(said.cause)
        return self._tell("noted", said, note("set up"), quiet=True)

    def _preparation(self) -> Preparation | None:
        evening = self._evening
        if self._page is None or evening.game.preparation is None:
            return None
        return Preparation(tuple(evening.game.preparation(evening.setup)), looking.layout(evening), self._page)

    # --- The match --------------------------------------------------------------------------------------------

    def _next_game(self, said: "_Said") -> Told:
        if objection := self._goes_on():
            return self._tell("refused", said, objection)
        return self._record("game", match.next_game(self._evening), said)

    def _end_match(self, said: "_Said") -> Told:
        if objection := self._goes_on():
            return self._tell("refused", said, objection)
        return self._record("ended", b"{}", said)

    def _goes_on(self) -> Ruling | None:
        return note("a question is open") if self._pending else match.goes_on(self._evening)

    # --- Writing down and telling -----------------------------------------------------------------------------

    def _record(self, kind: EntryKind, body: bytes, said: "_Said") -> Told:
        last = None if self._evening.sitting.ended else self._evening.last_action
        try:
            entry = self._journal.append(kind, body, said.how, said.cause, said.at)
        except DoubtError:
            raise  # "does not count" is said by somebody who knows: the referee that reads the journal anew
        except JournalError as error:
            return self._tell("refused", said, note("cannot be written", problem=str(error)))
        taken = self._evening.take(entry)
        said = replace(said, entry=entry.number)
        self._so_far, self._unseen, self._page = None, False, looking.first_page(self._evening)
        if kind == "ended":
            return self._tell("noted", said, match.won(self._evening))
        if kind == "undo":
            if last is None:
                return self._tell("noted", said, note("match reopened"))
            seat = None if taken.moves else self._evening.game.conceals(last.action)
            back = note("undone") if seat is None else note("earlier choice counts", seat=seat)
            return self._tell("undone", said, back, taken.moves)
        if kind == "prepared":
            return self._tell("noted", said, note("set up already"), quiet=True)
        if kind == "game":
            return self._tell("noted", said, note("a new game", seat=self._evening.header.first))
        answers = [self._tell("accepted", said, ruling) for ruling in taken.rulings]
        return answers[0]

    def _tell(
        self,
        kind: Kind,
        said: "_Said",
        ruling: Ruling | Refusal,
        moves: tuple[Move, ...] = (),
        *,
        quiet: bool = False,
    ) -> Told:
        """Answer, and keep it in the history unless it is `quiet`: a lifted piece, or half an action that everybody
        sees, is nothing to read about."""
        self._lines += not quiet
        told = Told(self._lines, kind, ruling.what, ruling.rule, short(ruling.facts), moves, said.how, said.entry)
        if not quiet:
            self._history.append(told)
        return told

    # --- Showing ----------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """All that a screen may see now. What may be done is told by what is offered: that betrays nothing."""
        self._snapshots += 1
        evening, game, state = self._evening, self._evening.game, self._evening.state
        offered = tuple(game.offered(state))
        awaiting = game.awaiting(state)
        return Snapshot(
            number=self._snapshots,
            entry=evening.number,
            evening=self._journal.id,
            game=game.name,
            players=looking.players(evening.header.players, evening.opening.get("simulated", ())),
            kit=self._desk.kit,
            options=msgspec.to_builtins(evening.setup.options),
            box=evening.setup.box,
            table=game.view(state),
            awaiting=awaiting and Awaiting(awaiting.seats, tuple(dict.fromkeys(_do(action) for action in offered))),
            settled=game.settled(state) if awaiting and game.settled else (),
            offered=offered,
            own=game.own_view is not None,
            secret=tuple(dict.fromkeys(_do(action) for action in offered if game.conceals(action) is not None)),
            draft=self._so_far,
            can_undo=evening.to_undo > 0,
            newest=looking.newest(evening),
            question=self._pending.question(len(evening.header.players)) if self._pending else None,
            history=tuple(self._history),
            scores=game.scores(state) if awaiting is None else (),
            winners=game.winners(state) if awaiting is None else (),
            tie_break=broken_tie(game, state) if awaiting is None else None,
            match=tuple(Result(result.totals, result.winners) for result in evening.results),
            ended=evening.sitting.ended > 0,
            course=looking.course(evening) if awaiting is None else (),
            devices=self._watch.devices,
            preparation=self._preparation(),
            layout=looking.layout(evening) if self._unseen else (),
        )

    def own_view(self, peek: Peek) -> OwnView:
        """What this player alone may see, and may be offered while nobody else looks."""
        evening, game, seat = self._evening, self._evening.game, peek.seat
        if seat not in range(len(evening.header.players)) or seat in evening.opening.get("simulated", ()):
            return OwnView(peek.id, seat, evening.number, None)  # nobody sits there who could look
        hand = game.own_view(evening.state, seat) if game.own_view else None
        return OwnView(peek.id, seat, evening.number, hand, tuple(game.own_offers(evening.state, seat)))


class _Said(Struct, frozen=True):
    """By what something was said, the id of that very signal or intention, and when."""

    how: str
    cause: str
    at: float
    entry: int = 0
    """The journal's entry that it became; 0 if it changed nothing."""


def _do(action: Any) -> str:
    return str(action.__struct_config__.tag)
