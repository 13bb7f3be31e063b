"""The referee: hears one signal or intention at a time, asks the rules, keeps the journal, answers.

No clock, no socket and no device in here: time comes in with what is heard. An accepted action is durable before `hear`
or `heed` returns, so nobody can see an effect that a power cut could take away. When the disk fails both raise
DoubtError: then another referee has to read the journal afresh.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import DoubtError, JournalError
from companion.gamekit.game import Aside, Draft, Move, Refusal, Ruling, Seat
from companion.gamekit.game_start import read_action
from companion.gamekit.snapshot import Kind, OwnView, Preparation, Snapshot, Told
from companion.journal.store import Journal
from companion.messages.intentions import (
    Act,
    Agree,
    Correct,
    Decline,
    Drive,
    EndMatch,
    Enlist,
    Go,
    Inquiry,
    Intention,
    LookBack,
    LookedOver,
    NextGame,
    Pause,
    Peek,
    Prepare,
    Reconsider,
    Undo,
)
from companion.messages.protocol import Knowledge
from companion.referee.device_status import DeviceStatus
from companion.session import corrections, dealt_hands, match, public_snapshot, unlisted_pieces
from companion.session.dealt_hands import Dealer
from companion.session.entry import EntryKind
from companion.session.evening import (
    Evening,
    action_body,
    back_body,
    clock_body,
    correction_body,
    correction_moves,
    needs_agreement,
    undo_body,
    undo_moves,
)
from companion.session.history import EveningHistory, HeardAs
from companion.session.notes import note
from companion.session.open_question import Pending, Wanted
from companion.session.seen_ids import NewestIds
from companion.table.interpreter import Again, Agreement, Disagreement, Do, Leaf, SeatPads, TakeBack, interpret
from companion.table.presence import Presence
from companion.table.signals import Held, Pressed, Signal, TagIntroduced, TagRemoved

# --- Whose time counts, and how fast simulated hands play.

SLOWEST, FASTEST = 1 / 16, 64.0
"""How much slower or faster simulated hands may be made than they began."""


class Tempo(Struct, frozen=True):
    """How simulated hands play. It is in no journal: a new referee begins as it was started."""

    speed: float = 1.0
    steps: int = 0

    def after(self, drive: Drive) -> "Tempo":
        speed = drive.speed if SLOWEST <= drive.speed <= FASTEST else self.speed
        return Tempo(speed, self.steps + drive.step)


class Restart:
    """After one, the time that people were away does not count as thinking: an entry says so before whatever they do
    first."""

    def __init__(self, resumed: bool) -> None:
        self.open = resumed
        """Nothing has been written down since."""
        self.back_at: float | None = None
        """When they were back at the table, if they have said so."""

    def write_down(self, journal: Journal, evening: Evening, kind: EntryKind, at: float) -> None:
        """Raises JournalError."""
        if self.open and kind in ("action", "undo", "back", "corrected"):
            since = at if self.back_at is None else self.back_at
            evening.take(journal.append("clock", clock_body(runs=True, away=True), "", "", since))
        self.open = False


class Referee:
    """One table. All methods answer at once; only one thing is heard at a time."""

    def __init__(
        self,
        journal: Journal,
        evening: Evening,
        seat_pads: SeatPads,
        *,
        resumed: bool = False,
        dealer: Dealer | None = None,
    ) -> None:
        """`resumed`: pieces may have moved since, so people are asked to look the table over before play goes on.
        `dealer`: knows what a simulated stack has dealt to persons; None at a table with real pieces."""
        self._dealer = dealer
        self._journal = journal
        self._evening = evening
        self._seat_pads = seat_pads
        self._presence = Presence()
        self._pending: Pending | None = None
        self._so_far: Any = None
        """Half an action, as far as hands have said it. It is in no journal: after a restart hands begin it again."""
        self._answered = NewestIds()
        """Answers to a question, and what was refused: in no journal, but each still counts only once."""
        self._unseen = resumed and evening.last_action is not None and public_snapshot.has_persons(evening)
        """Nobody has looked the table over yet."""
        self._page = public_snapshot.first_page(evening)
        """Of the preparation, the one that people see; None when they have gone through it."""
        self._restart = Restart(resumed)
        self._tempo = Tempo()
        self._watch = DeviceStatus()
        self._chronicle = EveningHistory()
        self._questions = 0
        self._snapshots = 0
        self._remember()

    def _remember(self) -> None:
        """What was ruled before a restart, as far as a snapshot carries it."""
        evening = self._evening
        self._chronicle.remember(evening.played_game)
        if ended := evening.played_game.ended:
            self._tell("noted", HeardAs("screen", "", 0.0, ended), match.won(evening))
        if self._journal.doubted:
            self._chronicle.tell_doubted(self._journal.doubted, evening)

    # --- Hearing ----------------------------------------------------------------------------------------------

    def hear(self, signal: Signal, at: float) -> Told:
        """Answer a signal from a device. `at` is the time of day, for the journal."""
        said = HeardAs("button" if isinstance(signal, Pressed | Held) else "tag", signal.id, at)
        if self._knows(said):
            return self._tell("repeated", said, note("heard already"))
        self._watch = self._watch.after(signal)
        evening = self._evening
        if isinstance(signal, TagIntroduced):
            self._seat_pads = self._seat_pads.acquainted(evening.game, evening.setup.box, signal)
        asked = self._pending is not None
        self._presence, meaning = interpret(
            self._seat_pads,
            self._presence,
            evening.game,
            evening.state,
            asked,
            signal,
            self._so_far,
            self._page is not None,
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
        said = HeardAs(public_snapshot.how(intention), intention.id, at)
        if self._knows(said):
            return self._tell("repeated", said, note("heard already"))
        match intention:
            case Act(_, data, speaker, begun):
                action = public_snapshot.theirs(self._evening, read_action(self._evening.game, data), speaker, begun)
                return self._refuse(action, said) if isinstance(action, Refusal) else self._act(action, said)
            case Undo():
                return self._take_back(said, intention.to, intention.entry)
            case Correct():
                return self._correct(intention, said)
            case Agree(question=number) | Decline(question=number) if not self._is_open(number):
                return self._tell("idle", said, note("no question is open"))
            case Agree(_, seat):
                return self._agree(seat, said)
            case Decline():
                return self._decline(said)
            case NextGame(_, seats):
                return self._next_game(said, seats)
            case EndMatch():
                return self._end_match(said)
            case _:
                return self._look_after(intention, said)

    def _look_after(self, wanted: LookedOver | Prepare | Enlist | Go | Pause | Drive, said: HeardAs) -> Told:
        """What is no action, and no answer: it concerns the pieces on the table."""
        match wanted:
            case LookedOver():
                self._unseen, self._restart.back_at = False, said.at
                return self._tell("noted", said, note("looked over"), quiet=True)
            case Prepare(_, page):
                return self._show_page(page, said)
            case Enlist(_, step, values):
                return self._enlist(step, values, said)
            case Go() | Pause() | Drive():
                return self._rest(wanted, said)

    def _knows(self, said: HeardAs) -> bool:
        return said.cause != "" and (said.cause in self._evening.causes or said.cause in self._answered)

    # --- Acting -----------------------------------------------------------------------------------------------

    def _act(self, action: Any, said: HeardAs) -> Told:
        if self._pending:
            return self._tell("refused", said, note("a question is open"))
        following = self._evening.played_game.following(action)
        if isinstance(following, Refusal):
            return self._refuse(following, said)
        wanted = Wanted("action", action_body(action))
        if isinstance(action, self._evening.game.communal):
            return self._ask(public_snapshot.kind_of(action), (), wanted, said, note("needs everybody"))
        return self._record(wanted, said)

    def _refuse(self, refusal: Refusal | Ruling, said: HeardAs) -> Told:
        """What was refused once is not judged a second time if its answer was lost and it is sent again."""
        self._answered.add(said.cause)
        return self._tell("refused", said, refusal)

    # --- Taking back ------------------------------------------------------------------------------------------

    def _take_back(self, said: HeardAs, to: int | None = None, newest: int | None = None) -> Told:
        """The newest thing that counts; or everything back to an earlier action, including that one. `newest`: the
        entry that was the newest when somebody wanted it so."""
        evening = self._evening
        if newest is not None and newest != evening.number:
            return self._refuse(Refusal(None, "the table has changed"), said)
        if self._pending:
            return self._tell("refused", said, note("a question is open"))
        body = undo_body(evening) if to is None else back_body(to) if evening.played_game.find(to) is not None else None
        if body is None:
            return self._refuse(note("nothing to undo"), said)
        wanted = Wanted("undo" if to is None else "back", body)
        if needs_agreement(evening, to):
            return self._ask("undo", undo_moves(evening, to), wanted, said, note("undo needs everybody"))
        return self._record(wanted, said)

    def _correct(self, correct: Correct, said: HeardAs) -> Told:
        """Replace what was entered by what was really done. What is refused changes nothing."""
        evening = self._evening
        if self._pending:
            return self._tell("refused", said, note("a question is open"))
        if correct.newest != evening.number:
            return self._refuse(Refusal(None, "the table has changed"), said)
        action = read_action(evening.game, correct.action)
        tail = action if isinstance(action, Refusal) else evening.played_game.corrected(correct.entry, action)
        if isinstance(tail, Refusal):
            return self._refuse(tail, said)
        wanted = Wanted("corrected", correction_body(correct.entry, action))
        if needs_agreement(evening, correct.entry):
            moves = correction_moves(evening, correct.entry, tail)
            return self._ask("correct", moves, wanted, said, note("correction needs everybody"))
        return self._record(wanted, said)

    def _enlist(self, step: str, values: dict[str, Any], said: HeardAs) -> Told:
        """A piece joins the box."""
        if self._pending:
            return self._tell("refused", said, note("a question is open"))
        simulated = self._dealer is not None  # such a stack has what its box has
        wanted = note("no such piece") if simulated else unlisted_pieces.enlisted(self._evening, step, values)
        return self._record(wanted, said) if isinstance(wanted, Wanted) else self._refuse(wanted, said)

    # --- Asking everybody -------------------------------------------------------------------------------------

    def _ask(self, kind: str, moves: tuple[Move, ...], wanted: Wanted, said: HeardAs, asked: Ruling) -> Told:
        self._questions += 1
        self._pending = Pending(self._questions, kind, moves, frozenset(), wanted)
        self._answered.add(said.cause)
        return self._tell("noted", said, asked)

    def _is_open(self, question: int | None) -> bool:
        return self._pending is not None and question in (None, self._pending.number)

    def _agree(self, seat: Seat | None, said: HeardAs) -> Told:
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

    def _conclude(self, pending: Pending, said: HeardAs) -> Told:
        """All agree. If that cannot be written down the question stays, and the last answer can be given again."""
        told = self._record(pending.wanted, said)
        self._pending = pending if told.kind == "refused" else None
        return told

    def _decline(self, said: HeardAs) -> Told:
        if self._pending is None:
            return self._tell("idle", said, note("no question is open"))
        self._pending = None
        self._answered.add(said.cause)
        return self._tell("noted", said, note("declined"))

    # --- Setting up ---------------------------------------------------------------------------------------------

    def _leaf(self, by: int | None, said: HeardAs) -> Told:
        preparation = self._preparation()
        assert preparation is not None  # a button leafs only while there is something to leaf through
        return self._show_page(preparation.pages if by is None else preparation.page + by, said)

    def _show_page(self, page: int, said: HeardAs) -> Told:
        """One page of the preparation. After the last one the table is set up; that is said once per game."""
        preparation = self._preparation()
        if preparation is None:
            return self._tell("noted", said, note("set up already"), quiet=True)
        if page >= preparation.pages:
            return self._record(Wanted("prepared", b"{}"), said)
        self._page = max(0, page)
        self._answered.add(said.cause)
        return self._tell("noted", said, note("set up"), quiet=True)

    def _preparation(self) -> Preparation | None:
        evening = self._evening
        if self._page is None or evening.game.preparation is None:
            return None
        return Preparation(tuple(evening.game.preparation(evening.setup)), public_snapshot.layout(evening), self._page)

    # --- The match --------------------------------------------------------------------------------------------

    def _next_game(self, said: HeardAs, seats: tuple[Seat, ...] = ()) -> Told:
        if objection := self._goes_on():
            return self._tell("refused", said, objection)
        if not match.are_seats(self._evening, seats):
            return self._tell("refused", said, note("no such seats"))
        return self._record(Wanted("game", match.next_game(self._evening, seats)), said)

    def _end_match(self, said: HeardAs) -> Told:
        if objection := self._goes_on():
            return self._tell("refused", said, objection)
        return self._record(Wanted("ended", b"{}"), said)

    def _rest(self, wish: Go | Pause | Drive, said: HeardAs) -> Told:
        """Time does not count while people rest."""
        if isinstance(wish, Go):
            return self._tell("refused", said, note("no replay"), quiet=True)
        if isinstance(wish, Drive):
            self._tempo = self._tempo.after(wish)
            self._answered.add(said.cause)
            return self._tell("noted", said, note("hands"), quiet=True)
        if wish.on == self._evening.played_game.thinking.paused or self._evening.played_game.finished:
            return self._tell("noted", said, note("paused") if wish.on else note("no pause"), quiet=True)
        return self._record(Wanted("clock", clock_body(runs=not wish.on)), said)

    def _goes_on(self) -> Ruling | None:
        return note("a question is open") if self._pending else match.goes_on(self._evening)

    # --- Writing down and telling -----------------------------------------------------------------------------

    def _record(self, wanted: Wanted, said: HeardAs) -> Told:
        """Write it down, then take it from the journal as a resumed evening would."""
        try:
            self._restart.write_down(self._journal, self._evening, wanted.kind, said.at)
            entry = self._journal.append(wanted.kind, wanted.body, said.how, said.cause, said.at)
        except DoubtError:
            raise  # "does not count" is said by somebody who knows: the referee that reads the journal anew
        except JournalError as error:
            return self._tell("refused", said, note("cannot be written", problem=str(error)))
        taken = self._evening.take(entry)
        self._so_far, self._unseen, self._page = None, False, public_snapshot.first_page(self._evening)
        return self._chronicle.tell_taken(taken, replace(said, entry=entry.number), self._evening)

    def _tell(self, kind: Kind, said: HeardAs, ruling: Ruling | Refusal, *, quiet: bool = False) -> Told:
        return self._chronicle.tell(kind, said, ruling, quiet=quiet)

    # --- Showing ----------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """All that a screen may see now."""
        self._snapshots += 1
        evening = self._evening
        return replace(
            public_snapshot.seen(evening, self._journal.id, self._seat_pads.kit, evening.state),
            number=self._snapshots,
            **dealt_hands.shown(self._dealer, evening, self._watch.devices),
            draft=self._so_far,
            can_undo=evening.to_undo > 0,
            newest=public_snapshot.newest(evening),
            question=self._pending.question(len(evening.header.players)) if self._pending else None,
            history=self._chronicle.history,
            ended=evening.played_game.ended > 0,
            devices=self._watch.devices,
            since=None if self._restart.open or evening.played_game.finished else evening.played_game.thinking.since,
            paused=evening.played_game.thinking.paused,
            speed=self._tempo.speed,
            steps=self._tempo.steps,
            preparation=self._preparation(),
            layout=public_snapshot.layout(evening) if self._unseen else (),
        )

    @property
    def box_text(self) -> str:
        """The box as it will be in the next game."""
        return self._evening.header.box

    # --- Informing --------------------------------------------------------------------------------------------

    def inform(self, inquiry: Inquiry) -> Knowledge:
        """Answer what somebody wants to know. Nothing changes."""
        match inquiry:
            case Peek():
                return self.own_view(inquiry)
            case LookBack(id_):
                return corrections.past(self._evening, id_)
            case Reconsider():
                return corrections.before(self._evening, inquiry, self._journal.id, self._seat_pads.kit)

    def own_view(self, peek: Peek) -> OwnView:
        """What this player alone may see, and may be offered while nobody else looks."""
        return dealt_hands.own_view(self._dealer, self._evening, peek)
