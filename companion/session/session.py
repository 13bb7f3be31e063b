"""The game in progress at one table: judges what players want, and knows what every screen may see.

An action comes to count in three steps:

1. `hear` (a signal) or `heed` (an intention) judges it. If nothing is to be written, it answers at once: a refusal, a
   question to all players, a remark. Otherwise it returns `Wanted`, an entry for the journal.
2. The referee writes that entry (`companion/referee/referee.py`).
3. `take` folds the entry into the evening, as resuming does with every entry of a journal, and tells what it did.

So the rules run twice for each action, on purpose: once in step 1, to judge it, and once in step 3. Only step 3 changes
the game. That is why a refusal changes nothing, why an entry that could not be written has changed nothing, and why an
evening that is resumed is the evening that was played. The second run costs much less than the write between them.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.game import Aside, Draft, Move, Refusal, Ruling, Seat, moves
from companion.gamekit.game_start import read_action
from companion.gamekit.simulated import Expectation
from companion.gamekit.snapshot import (
    AWAY_S,
    Before,
    EarlierGame,
    EarlierLines,
    Errand,
    Kind,
    Lying,
    OwnView,
    Past,
    PieceRead,
    Preparation,
    Question,
    SetTable,
    Snapshot,
    Thoughts,
    Told,
)
from companion.messages import intentions
from companion.messages.intentions import A, Inquiry, Intention, Request
from companion.session import corrections, dealt_hands, match, public_snapshot, unlisted_pieces
from companion.session.bot_thoughts import THOUGHT, told_thoughts
from companion.session.dealt_hands import Dealer
from companion.session.entry import Entry, EntryKind, action_body, clock_body, correction_body
from companion.session.evening import Evening
from companion.session.history import EveningHistory, HeardAs, note
from companion.session.seen_ids import NewestIds
from companion.session.undo import correction_moves, needs_agreement, undo_entry, undo_moves
from companion.stations import CENTRE, pad
from companion.table.interpreter import Again, Agreement, Disagreement, Do, Leaf, SeatPads, TakeBack, interpret
from companion.table.presence import DeviceStatus, Presence
from companion.table.signals import Held, Pressed, Signal, TagIntroduced, TagRemoved, TagTapped

SLOWEST, FASTEST = 1 / 16, 64.0
"""How much slower or faster than at the start simulated hands may be made to play."""


class Wanted(Struct, frozen=True):
    """An entry to be written, and what asked for it."""

    kind: EntryKind
    body: bytes
    heard: HeardAs

    def __repr__(self) -> str:
        """Without the body, which may hold a secret: a repr ends up in logs."""
        return f"Wanted({self.kind!r})"


Decision: TypeAlias = Told | Wanted
"""An answer, or an entry that has to be written first."""


class Pending(Struct, frozen=True):
    """A question to all players: may this entry be written? It is an action, an undo or a correction."""

    number: int
    kind: str
    moves: tuple[Move, ...]
    agreed: frozenset[Seat]
    wanted: Wanted

    def missing(self, players: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in range(players) if seat not in self.agreed)

    def question(self, players: int) -> Question:
        """As every screen may see it."""
        return Question(self.number, self.kind, tuple(sorted(self.agreed)), self.missing(players), self.moves)


class BotErrand(Struct, frozen=True):
    """What a bot with real pieces has decided, until hands have done it."""

    seat: Seat
    action: Any
    thought: Expectation | None
    said: Ruling
    moves: tuple[Move, ...]

    def __repr__(self) -> str:
        """Without what it expects: a repr ends up in logs."""
        return f"BotErrand({self.seat})"


class Tempo(Struct, frozen=True):
    """How simulated hands play. It is in no journal: a new referee begins with its own."""

    speed: float = 1.0
    steps: int = 0

    def after(self, drive: intentions.Drive) -> "Tempo":
        speed = drive.speed if SLOWEST <= drive.speed <= FASTEST else self.speed
        return Tempo(speed, self.steps + drive.step)


HANDLERS: dict[type[Request], Callable[..., Any]] = {}
"""Request → the method of `Session` that answers it."""

Handler = TypeVar("Handler", bound=Callable[..., Any])


def handles(kind: type[Request]) -> Callable[[Handler], Handler]:
    """This method answers messages of this kind. Each kind has exactly one handler."""

    def register(handler: Handler) -> Handler:
        assert kind not in HANDLERS, f"{kind.__name__} has a handler already"
        HANDLERS[kind] = handler
        return handler

    return register


class Session:
    """One table. It has no clock, no socket and no file: the time comes in with what is heard."""

    def __init__(  # noqa: PLR0913 - all that a session begins with
        self,
        evening: Evening,
        name: str,
        seat_pads: SeatPads,
        *,
        resumed: bool = False,
        dealer: Dealer | None = None,
        doubted: int = 0,
        resumed_at: float | None = None,
    ) -> None:
        """`name`: what the evening is called. `resumed`: pieces may have moved since, so players are asked to check the
        table before play goes on. `dealer`: knows what a simulated stack has dealt to persons; None at a table with
        real pieces. `doubted`: an entry of which the referee before us could not tell whether it was written.
        `resumed_at`: when this referee started."""
        self.evening = evening
        self._name, self._seat_pads, self._dealer = name, seat_pads, dealer
        self._presence = Presence()
        self._devices = DeviceStatus()
        self._pending: Pending | None = None
        self._questions = 0
        self._so_far: Any = None
        """Half an action, as far as hands have said it. It is in no journal: after a restart hands begin again."""
        self._errand: BotErrand | None = None
        """It is in no journal: after a restart the bot is asked again."""
        self._answered = NewestIds()
        """Of answers to a question, and of refusals: they are in no journal, but each still counts only once."""
        self._unchecked = resumed and evening.last_action is not None and self._has_real_pieces
        """Players have not checked the table since a restart."""
        self._page = self._first_page()
        """The page of the preparation that is shown; None when players have gone through it."""
        self._away = resumed
        """No entry was written since a restart: the time before the next one does not count as thinking."""
        self._back_at = None if self._unchecked or self._stands_still else resumed_at
        """When players said after a restart that they are back at the table; without pieces to check, the restart."""
        self._at_centre: int | None = None
        """The person whose phone is the centre of the table. They may change seats between games."""
        self._tempo = Tempo()
        self._history = EveningHistory()
        self._snapshots = 0
        self._remember(doubted)

    @property
    def _has_real_pieces(self) -> bool:
        """Whether persons have pieces to set up and to check. On a simulated table the program has them."""
        return self._dealer is None and public_snapshot.has_persons(self.evening)

    @property
    def _stands_still(self) -> bool:
        """Whether no time counts as thinking: players have not begun, or pause, or the game is over."""
        played_game = self.evening.played_game
        return played_game.thinking.since is None or played_game.finished

    def _remember(self, doubted: int) -> None:
        """The lines from before a restart, as far as a snapshot carries them."""
        self._history.resume(self.evening)
        if ended := self.evening.played_game.ended:
            self._tell("noted", HeardAs("screen", "", 0.0, ended), match.won(self.evening))
        if doubted:
            self._history.tell_doubted(doubted, self.evening)

    # --- Step 1: judge ----------------------------------------------------------------------------------------

    def hear(self, signal: Signal, at: float) -> Decision:
        """Judge a signal from a device. `at` is the time of day, for the journal."""
        heard = HeardAs("button" if isinstance(signal, Pressed | Held) else "tag", signal.id, at)
        if self._knows(heard):
            return self._tell("repeated", heard, note("heard already"))
        return self._interpret(signal, heard)

    def _interpret(self, signal: Signal, heard: HeardAs) -> Decision:
        self._devices = self._devices.after(signal)
        evening = self.evening
        if isinstance(signal, TagIntroduced):
            self._seat_pads = self._seat_pads.acquainted(evening.game, evening.setup.box, signal)
        asked, preparing = self._pending is not None, self._page is not None
        self._presence, meaning = interpret(
            self._seat_pads, self._presence, evening.game, evening.state, asked, signal, self._so_far, preparing
        )
        match meaning:
            case Do(action):
                return self._judge(action, heard)
            case TakeBack():
                return self._undo_to(None, heard)
            case Leaf(by):
                return self._leaf(by, heard)
            case Again():
                return self._begin_next(intentions.NextGame(heard.cause), heard)
            case Agreement(seat):
                return self._agreed(seat, heard)
            case Disagreement():
                return self._declined(heard)
            case Draft(so_far, what, facts):
                self._so_far, self._page = so_far, None
                self._answered.add(heard.cause)
                return self._tell("noted", heard, Ruling(None, what, facts), quiet=True)
            case Aside(kind, what, facts):
                quiet = isinstance(signal, TagRemoved | TagIntroduced)
                return self._tell(kind, heard, Ruling(None, what, facts), quiet=quiet)

    def heed(self, intention: Intention, at: float) -> Decision:
        """Judge what a player wants. A sender that speaks for one seat alone is a phone."""
        phone = isinstance(intention, intentions.Act) and intention.seat is not None
        how = "tag" if isinstance(intention, intentions.TapTag) else "phone" if phone else "screen"
        heard = HeardAs(how, intention.id, at)
        if self._knows(heard):
            return self._tell("repeated", heard, note("heard already"))
        kind = intentions.Act if isinstance(intention, intentions.BotAct) else type(intention)
        decision: Decision = HANDLERS[kind](self, intention, heard)
        return decision

    def _knows(self, heard: HeardAs) -> bool:
        return heard.cause != "" and (heard.cause in self.evening.causes or heard.cause in self._answered)

    def _refuse(self, refusal: Refusal | Ruling, heard: HeardAs) -> Told:
        """Refuse, and remember it: if the answer is lost and this is sent again, it is not judged a second time."""
        self._answered.add(heard.cause)
        return self._tell("refused", heard, refusal)

    def _busy(self, heard: HeardAs) -> Told | None:
        """While a question is open nothing else is judged."""
        return self._tell("refused", heard, note("a question is open")) if self._pending else None

    # --- Actions ----------------------------------------------------------------------------------------------

    @handles(intentions.Act)
    def _act(self, act: intentions.Act, heard: HeardAs) -> Decision:
        action = read_action(self.evening.game, act.action)
        if act.seat is not None and not isinstance(action, Refusal):
            action = self._of_seat(act.seat, action, act.begun)
        if isinstance(action, Refusal):
            return self._refuse(action, heard)
        if not isinstance(act, intentions.BotAct):
            return self._judge(action, heard)
        return self._take_errand(action, act.thought, heard) or self._judge(action, heard, act.thought)

    def _of_seat(self, seat: Seat, action: Any, begun: int | None) -> Any:
        """The action, if this seat may do it: its own, or one that names no seat while the table waits for this one. It
        has to be meant for this game: in the next one another player may sit there."""
        if begun != self.evening.played_game.number:
            return Refusal(None, "for another game")
        awaiting = self.evening.game.awaiting(self.evening.state)
        waited_for = awaiting.seats if awaiting else ()
        is_theirs = action.seat == seat if hasattr(action, "seat") else seat in waited_for
        return action if is_theirs else Refusal(None, "not yours to say")

    def _judge(self, action: Any, heard: HeardAs, thought: Expectation | None = None) -> Decision:
        if busy := self._busy(heard):
            return busy
        if self._errand and getattr(action, "seat", None) == self._errand.seat:
            if action != self._errand.action:
                return self._refuse(note("another errand", seat=self._errand.seat), heard)
            thought = self._errand.thought
        following = self.evening.played_game.following(action)
        if isinstance(following, Refusal):
            return self._refuse(following, heard)
        beside = self.evening.beside(action, following.step.revealed)
        body = action_body(action, beside | ({THOUGHT: msgspec.to_builtins(thought)} if thought else {}))
        wanted = Wanted("action", body, heard)
        if isinstance(action, self.evening.game.communal):
            return self._ask(public_snapshot.kind_of(action), (), wanted, note("needs all players"))
        return wanted

    # --- Simulated players with real pieces: persons run their errands ---

    def _take_errand(self, action: Any, thought: Expectation | None, heard: HeardAs) -> Told | None:
        """What a bot decides at a real table counts when hands have done it. None: no hands are needed, because the
        pieces are not real, or because the choice is secret: that one Companion keeps."""
        evening, seat = self.evening, getattr(action, "seat", None)
        if not evening.header.real or seat is None or evening.game.conceals(action) is not None:
            return None
        following = evening.played_game.following(action)
        if isinstance(following, Refusal) or self._pending:
            return None
        step = following.step
        reveals = bool({*step.revealed} - {seat})  # where pieces go then depends on what others hide
        self._errand = BotErrand(seat, action, thought, step.rulings[0], () if reveals else self._moves_to(step.state))
        return self._tell("noted", heard, note("errand", seat=seat), quiet=True)

    def _moves_to(self, state: Any) -> tuple[Move, ...]:
        """The pieces to move, as far as all players may see where they lie."""
        game = self.evening.game
        if game.layout is None:
            return ()
        return moves(game.layout(game.view(self.evening.state)), game.layout(game.view(state)))

    @handles(intentions.RunErrand)
    def _run_errand(self, run: intentions.RunErrand, heard: HeardAs) -> Decision:
        errand = self._errand
        if errand is None or run.entry not in (None, self.evening.number):
            return self._tell("idle", heard, note("no errand"), quiet=True)
        return self._judge(errand.action, heard)

    # --- Phones as readers ------------------------------------------------------------------------------------

    @handles(intentions.TapTag)
    def _tap(self, tap: intentions.TapTag, heard: HeardAs) -> Decision:
        """A phone is a reader at its seat, or at the centre. At its seat another player's piece is not played, and all
        players are told that it was read, but not which one it was: that would depend on what its owner hides."""
        at_centre = tap.centre and not tap.ask
        if at_centre and tap.seat != self._centre:
            return self._refuse(note("not the centre"), heard)
        tapped = TagTapped(CENTRE if at_centre else pad(tap.seat), int(heard.at * 1000), self._uid(tap))
        piece = self._seat_pads.pack.tags.get(tapped.uid)
        if piece is None:
            return self._tell("unknown", heard, note("unknown sticker"))
        if not tap.ask and (at_centre or piece.owner in (None, tap.seat)):
            return self._interpret(tapped, heard)
        again = self._presence.repeats(tapped)
        self._presence = self._presence.after(tapped)
        if piece.owner in (None, tap.seat):
            return self._tell("noted", heard, note("piece was read"), quiet=True)
        return self._tell("foreign", heard, note("phone has read", seat=tap.seat, owner=piece.owner), quiet=again)

    def _uid(self, read: intentions.TapTag | intentions.Identify) -> str:
        """The number under which the pack knows this tag; as the phone has it, if the pack does not know it. An iPhone
        learns what is written on a tag, and not its number."""
        evening, known = self.evening, self._seat_pads.pack
        if read.uid and read.uid not in known.tags:
            met = TagIntroduced(CENTRE, 0, read.uid, read.text)
            self._seat_pads = self._seat_pads.acquainted(evening.game, evening.setup.box, met)
        return read.uid or known.uid_with(read.text) or ""

    @property
    def _centre(self) -> Seat | None:
        people = self.evening.played_game.people
        return people.index(self._at_centre) if self._at_centre is not None else None

    @handles(intentions.BeCentre)
    def _be_centre(self, centre: intentions.BeCentre, heard: HeardAs) -> Told:
        self._answered.add(heard.cause)
        if centre.on and self._centre != centre.seat:
            self._at_centre = self.evening.played_game.people[centre.seat]
            return self._tell("noted", heard, note("phone is the centre", seat=centre.seat))
        if not centre.on and self._centre == centre.seat:
            self._at_centre = None
            return self._tell("noted", heard, note("phone left the centre", seat=centre.seat))
        return self._tell("noted", heard, note("heard already"), quiet=True)

    # --- Undo and corrections ---------------------------------------------------------------------------------

    @handles(intentions.Undo)
    def _undo(self, undo: intentions.Undo, heard: HeardAs) -> Decision:
        if undo.entry is not None and undo.entry != self.evening.number:
            return self._refuse(Refusal(None, "the table has changed"), heard)
        return self._undo_to(undo.to, heard)

    def _undo_to(self, to: int | None, heard: HeardAs) -> Decision:
        """The newest thing that counts; or everything back to an earlier action, including that one."""
        if busy := self._busy(heard):
            return busy
        played_game = self.evening.played_game
        entry = undo_entry(played_game, to)
        if entry is None:
            return self._refuse(note("nothing to undo"), heard)
        wanted = Wanted(*entry, heard)
        if needs_agreement(played_game, to):
            return self._ask("undo", undo_moves(played_game, to), wanted, note("undo needs all players"))
        return wanted

    @handles(intentions.Correct)
    def _correct(self, correct: intentions.Correct, heard: HeardAs) -> Decision:
        """Replace what was entered by what was really done."""
        if busy := self._busy(heard):
            return busy
        if correct.newest != self.evening.number:
            return self._refuse(Refusal(None, "the table has changed"), heard)
        played_game = self.evening.played_game
        action = read_action(self.evening.game, correct.action)
        tail = action if isinstance(action, Refusal) else played_game.corrected(correct.entry, action)
        if isinstance(tail, Refusal):
            return self._refuse(tail, heard)
        wanted = Wanted("corrected", correction_body(correct.entry, action), heard)
        if needs_agreement(played_game, correct.entry):
            moves = correction_moves(played_game, correct.entry, tail)
            return self._ask("correct", moves, wanted, note("correction needs all players"))
        return wanted

    @handles(intentions.Enlist)
    def _enlist(self, enlist: intentions.Enlist, heard: HeardAs) -> Decision:
        """A piece joins the box. A simulated stack has exactly what its box has."""
        if busy := self._busy(heard):
            return busy
        if self._dealer is not None:
            return self._refuse(note("no such piece"), heard)
        body = unlisted_pieces.enlisted(self.evening, enlist.step, enlist.values)
        return self._refuse(body, heard) if isinstance(body, Refusal) else Wanted("box", body, heard)

    # --- Questions to all players -----------------------------------------------------------------------------

    def _ask(self, kind: str, moves: tuple[Move, ...], wanted: Wanted, asked: Ruling) -> Told:
        self._questions += 1
        self._pending = Pending(self._questions, kind, moves, frozenset(), wanted)
        self._answered.add(wanted.heard.cause)
        return self._tell("noted", wanted.heard, asked)

    @handles(intentions.Agree)
    def _agree(self, agree: intentions.Agree, heard: HeardAs) -> Decision:
        return self._agreed(agree.seat, heard) if self._is_open(agree.question) else self._no_question(heard)

    @handles(intentions.Decline)
    def _decline(self, decline: intentions.Decline, heard: HeardAs) -> Decision:
        return self._declined(heard) if self._is_open(decline.question) else self._no_question(heard)

    def _is_open(self, question: int | None) -> bool:
        return self._pending is not None and question in (None, self._pending.number)

    def _no_question(self, heard: HeardAs) -> Told:
        return self._tell("idle", heard, note("no question is open"))

    def _agreed(self, seat: Seat | None, heard: HeardAs) -> Decision:
        """None: the next player whose answer is missing. When the last one agrees, the entry is wanted; the question
        stays open until it is written."""
        pending, players = self._pending, len(self.evening.header.players)
        if pending is None:
            return self._no_question(heard)
        missing = pending.missing(players)
        if seat is None:
            seat = missing[0]
        if not 0 <= seat < players:
            return self._tell("refused", heard, note("no such seat", number=seat, last=players - 1))
        if seat not in missing:
            return self._tell("repeated", heard, note("has agreed already", seat=seat))
        told = self._tell("noted", heard, note("agrees", seat=seat))
        if missing == (seat,):
            return replace(pending.wanted, heard=heard)
        self._pending = replace(pending, agreed=pending.agreed | {seat})
        self._answered.add(heard.cause)
        return told

    def _declined(self, heard: HeardAs) -> Told:
        if self._pending is None:
            return self._no_question(heard)
        self._pending = None
        self._answered.add(heard.cause)
        return self._tell("noted", heard, note("declined"))

    # --- Before and after a game ------------------------------------------------------------------------------

    @handles(intentions.LookedOver)
    def _looked_over(self, _looked_over: intentions.LookedOver, heard: HeardAs) -> Told:
        self._away = self._away or self._unchecked
        self._unchecked, self._back_at = False, None if self._stands_still else heard.at
        return self._tell("noted", heard, note("looked over"), quiet=True)

    @handles(intentions.Prepare)
    def _prepare(self, prepare: intentions.Prepare, heard: HeardAs) -> Decision:
        return self._show_page(prepare.page, heard)

    def _leaf(self, by: int | None, heard: HeardAs) -> Decision:
        preparation = self._preparation()
        assert preparation is not None  # a button turns pages only while there are some
        return self._show_page(preparation.pages if by is None else preparation.page + by, heard)

    def _show_page(self, page: int, heard: HeardAs) -> Decision:
        """One page of the preparation. After the last one the table is set up, once per game."""
        preparation = self._preparation()
        if preparation is None:
            return self._tell("noted", heard, note("set up already"), quiet=True)
        if page >= preparation.pages:
            return Wanted("prepared", b"{}", heard)
        self._page = max(0, page)
        self._answered.add(heard.cause)
        return self._tell("noted", heard, note("set up"), quiet=True)

    def _first_page(self) -> int | None:
        """Once per game people see how its table is set up, unless they have begun to play. Where the program sets it
        up, they may look at it whenever they like: see `LookAtTable`."""
        evening, prepare = self.evening, self.evening.game.preparation
        if prepare is None or evening.played_game.prepared or not self._has_real_pieces:
            return None
        return 0 if prepare(evening.setup) else None

    def _preparation(self) -> Preparation | None:
        prepare = self.evening.game.preparation
        if self._page is None or prepare is None:
            return None
        return Preparation(tuple(prepare(self.evening.setup)), self._layout(), self._page)

    def _layout(self) -> tuple[Lying, ...]:
        """What should be where. Made of what all players can see, so it holds no secret."""
        game = self.evening.game
        pieces = game.layout(game.view(self.evening.state)) if game.layout else {}
        return tuple(Lying(thing, count, place) for (thing, place), count in pieces.items() if count > 0)

    @handles(intentions.NextGame)
    def _next_game(self, following: intentions.NextGame, heard: HeardAs) -> Decision:
        return self._begin_next(following, heard)

    def _begin_next(self, wanted: intentions.NextGame, heard: HeardAs) -> Decision:
        if objection := self._goes_on():
            return self._tell("refused", heard, objection)
        if not match.are_seats(self.evening, wanted.seats):
            return self._tell("refused", heard, note("no such seats"))
        body = match.next_game(self.evening, wanted.seats, wanted.first, wanted.options)
        return self._refuse(body, heard) if isinstance(body, Ruling) else Wanted("game", body, heard)

    @handles(intentions.EndMatch)
    def _end_match(self, _end: intentions.EndMatch, heard: HeardAs) -> Decision:
        if objection := self._goes_on():
            return self._tell("refused", heard, objection)
        return Wanted("ended", b"{}", heard)

    def _goes_on(self) -> Ruling | None:
        return note("a question is open") if self._pending else match.goes_on(self.evening)

    # --- Time, and simulated hands ----------------------------------------------------------------------------

    @handles(intentions.Pause)
    def _pause(self, pause: intentions.Pause, heard: HeardAs) -> Decision:
        played_game = self.evening.played_game
        if pause.on == played_game.thinking.paused or played_game.finished:
            return self._tell("noted", heard, note("paused") if pause.on else note("no pause"), quiet=True)
        return Wanted("clock", clock_body(runs=not pause.on), heard)

    @handles(intentions.Drive)
    def _drive(self, drive: intentions.Drive, heard: HeardAs) -> Told:
        self._tempo = self._tempo.after(drive)
        self._answered.add(heard.cause)
        return self._tell("noted", heard, note("hands"), quiet=True)

    @handles(intentions.Go)
    def _go(self, _go: intentions.Go, heard: HeardAs) -> Told:
        """Only a replay goes anywhere."""
        return self._tell("refused", heard, note("no replay"), quiet=True)

    # --- Step 3: take what was written --------------------------------------------------------------------------

    def after_kill(self, alive_at: float, resumed_at: float) -> list[Wanted]:
        """The entries to be written before anything else, if the referee before us was killed: the time until it was
        last seen alive counts as thinking, and the time until now does not. They are written at once: if we are killed
        as well, the next referee could not tell one from the other."""
        if self._stands_still:
            return []
        thought = Wanted("clock", clock_body(runs=True), HeardAs("", "", alive_at))
        newest = self.evening.played_game.thinking.since or 0.0
        return [thought] * (0.0 < alive_at - newest <= AWAY_S) + [_away(resumed_at)]

    def before(self, wanted: Wanted) -> list[Wanted]:
        """The entry to be written before this one, if any. After a restart it says that the time when players were away
        does not count as thinking."""
        if not self._away or wanted.kind not in ("action", "undo", "back", "corrected", "clock"):
            return []
        return [_away(wanted.heard.at if self._back_at is None else self._back_at)]

    def take(self, entry: Entry) -> Told:
        """Fold an entry that was written, as a resumed evening would."""
        taken = self.evening.take(entry)
        self._away = False
        heard = HeardAs(entry.how, entry.cause, entry.at, entry.number)
        if not entry.how:  # by `before`: the table's own, and of no interest to players
            return self._tell("noted", heard, note("no pause"), quiet=True)
        if self._pending and (self._pending.wanted.kind, self._pending.wanted.body) == (entry.kind, entry.body):
            self._pending = None
        self._so_far, self._unchecked, self._page, self._errand = None, False, self._first_page(), None
        return self._history.tell_taken(taken, heard, self.evening)

    def unwritten(self, wanted: Wanted, problem: str) -> Told:
        """The journal could not write this entry, so it does not count."""
        return self._tell("refused", wanted.heard, note("cannot be written", problem=problem))

    def _tell(self, kind: Kind, heard: HeardAs, ruling: Ruling | Refusal, *, quiet: bool = False) -> Told:
        return self._history.tell(kind, heard, ruling, quiet=quiet)

    # --- What screens see -------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """All that a screen may see now."""
        self._snapshots += 1
        evening, played_game = self.evening, self.evening.played_game
        return replace(
            public_snapshot.seen(evening, self._name, self._seat_pads.kit, evening.state),
            number=self._snapshots,
            **dealt_hands.shown(self._dealer, evening, self._devices.devices),
            draft=self._so_far,
            errand=Errand(self._errand.seat, self._errand.said, self._errand.moves) if self._errand else None,
            can_undo=evening.to_undo > 0,
            newest=public_snapshot.newest(evening),
            question=self._pending.question(len(evening.header.players)) if self._pending else None,
            history=self._history.history,
            ended=played_game.ended > 0,
            following=match.following(evening),
            devices=self._devices.devices,
            thought=played_game.thinking.seconds,
            since=self._since,
            paused=played_game.thinking.paused,
            speed=self._tempo.speed,
            steps=self._tempo.steps,
            preparation=self._preparation(),
            layout=self._layout() if self._unchecked else (),
            centre=self._centre,
        )

    @property
    def _since(self) -> float | None:
        if self.evening.played_game.finished or self._unchecked:
            return None
        return self._back_at if self._away else self.evening.played_game.thinking.since

    def inform(self, inquiry: Inquiry[A]) -> A:
        """Answer a question. Nothing changes."""
        answer: A = HANDLERS[type(inquiry)](self, inquiry)
        return answer

    @handles(intentions.Peek)
    def _own_view(self, peek: intentions.Peek) -> OwnView:
        return dealt_hands.own_view(self._dealer, self.evening, peek)

    @handles(intentions.Identify)
    def _identify(self, identify: intentions.Identify) -> PieceRead:
        """A piece without an owner is named, no matter who holds it: the answer does not depend on where it is."""
        piece = self._seat_pads.pack.tags.get(self._uid(identify))
        if piece is None or piece.owner not in (None, identify.seat):
            return PieceRead(identify.id, owner=piece.owner if piece else None)
        playable = piece.id != "" and dealt_hands.may_play(self._dealer, self.evening, identify.seat, piece)
        return PieceRead(identify.id, piece, playable=playable)

    @handles(intentions.LookBack)
    def _look_back(self, look_back: intentions.LookBack) -> Past:
        return corrections.past(self.evening, look_back.id)

    @handles(intentions.LookAtTable)
    def _look_at_table(self, look: intentions.LookAtTable) -> SetTable:
        prepare = self.evening.game.preparation
        return SetTable(look.id, tuple(prepare(self.evening.setup)) if prepare else (), self._layout())

    @handles(intentions.ReadBack)
    def _read_back(self, read_back: intentions.ReadBack) -> EarlierLines:
        return EarlierLines(read_back.id, *self._history.earlier(read_back.before))

    @handles(intentions.LookAtGame)
    def _look_at_game(self, look: intentions.LookAtGame) -> EarlierGame:
        if not 1 <= look.game <= len(self.evening.played_games):
            return EarlierGame(look.id, None)
        then = self.evening.up_to_game(look.game)
        if not then.played_game.finished:
            return EarlierGame(look.id, None)
        return EarlierGame(look.id, public_snapshot.seen(then, self._name, then.header.kit, then.state))

    @handles(intentions.AskWhy)
    def _ask_why(self, ask: intentions.AskWhy) -> Thoughts:
        return told_thoughts(self.evening, ask)

    @handles(intentions.Reconsider)
    def _reconsider(self, reconsider: intentions.Reconsider) -> Before:
        return corrections.before(self.evening, reconsider, self._name, self._seat_pads.kit)


def _away(until: float) -> Wanted:
    """Players were away until then."""
    return Wanted("clock", clock_body(runs=True, away=True), HeardAs("", "", until))
