"""The referee: hears one signal or intention at a time, asks the rules, keeps the journal, answers.

No clock, no socket and no device in here: time comes in with what is heard. An accepted action is durable before
`hear` or `heed` returns, so nobody can see an effect that a power cut could take away.
"""

from collections import deque
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.errors import JournalError
from companion.games.beginning import begin, read_action
from companion.games.game import Aside, Awaiting, Draft, Fact, Facts, Move, Refusal, Ruling, Seat
from companion.journal.entry import EntryKind
from companion.journal.evening import Evening, Played, action_body, needs_agreement, undo_body, undo_moves
from companion.journal.store import Journal
from companion.referee.watch import Watch
from companion.snapshot import (
    Act,
    Agree,
    Decline,
    Intention,
    Kind,
    LookedOver,
    Lying,
    NextGame,
    Player,
    Question,
    Result,
    Snapshot,
    Told,
    Undo,
)
from companion.table.interpreter import Again, Agreement, Desk, Disagreement, Do, TakeBack, interpret
from companion.table.presence import Presence
from companion.table.signals import Held, Pressed, Signal, TagRemoved

QUOTED = 300
"""How much of a text from outside an answer quotes."""
HISTORY = 60
"""How many lines a snapshot carries: more than any screen shows at once."""


class Referee:
    """One table. All methods answer at once; only one thing is heard at a time."""

    def __init__(self, journal: Journal, evening: Evening, desk: Desk, *, resumed: bool = False) -> None:
        """`resumed`: pieces may have moved since, so persons are asked to look the table over before play goes on."""
        self._journal = journal
        self._evening = evening
        self._desk = desk
        self._presence = Presence()
        self._pending: _Pending | None = None
        self._so_far: Any = None
        """Half an action, as far as hands have said it. It is in no journal: after a restart it is said anew."""
        self._answered: set[str] = set()
        """The ids of what was said about a question: that is in no journal, and counts once all the same."""
        self._unseen = resumed and evening.last_action is not None and _has_persons(evening)
        """Nobody has looked the table over yet."""
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

    # --- Hearing ----------------------------------------------------------------------------------------------

    def hear(self, signal: Signal, at: float) -> Told:
        """Answer a signal from a device. `at` is the time of day, for the journal."""
        said = _Said("button" if isinstance(signal, Pressed | Held) else "tag", signal.id, at)
        if self._knows(said):
            return self._tell("repeated", said, _note("heard already"))
        self._watch = self._watch.after(signal)
        evening = self._evening
        asked = self._pending is not None
        self._presence, meaning = interpret(
            self._desk, self._presence, evening.game, evening.state, asked, signal, self._so_far
        )
        match meaning:
            case Do(action):
                return self._act(action, said)
            case TakeBack():
                return self._take_back(said)
            case Again():
                return self._next_game(said)
            case Agreement(seat):
                return self._agree(seat, said)
            case Disagreement():
                return self._decline(said)
            case Draft(so_far, what, facts):
                self._so_far = so_far
                self._answered.add(said.cause)
                return self._tell("noted", said, Ruling(None, what, facts), quiet=True)
            case Aside(kind, what, facts):
                return self._tell(kind, said, Ruling(None, what, facts), quiet=isinstance(signal, TagRemoved))

    def heed(self, intention: Intention, at: float) -> Told:
        """Answer what somebody wants on a screen."""
        said = _Said("screen", intention.id, at)
        if self._knows(said):
            return self._tell("repeated", said, _note("heard already"))
        match intention:
            case Act(_, data):
                action = read_action(self._evening.game, data)
                return self._refuse(action, said) if isinstance(action, Refusal) else self._act(action, said)
            case Undo(_, entry) if entry is not None and entry != self._evening.number:
                return self._refuse(Refusal(None, "the table has changed"), said)
            case Undo():
                return self._take_back(said)
            case Agree(question=number) | Decline(question=number) if not self._is_open(number):
                return self._tell("idle", said, _note("no question is open"))
            case Agree(_, seat):
                return self._agree(seat, said)
            case Decline():
                return self._decline(said)
            case NextGame():
                return self._next_game(said)
            case LookedOver():
                self._unseen = False
                return self._tell("noted", said, _note("looked over"), quiet=True)

    def _knows(self, said: "_Said") -> bool:
        return said.cause != "" and (said.cause in self._evening.causes or said.cause in self._answered)

    # --- Acting -----------------------------------------------------------------------------------------------

    def _act(self, action: Any, said: "_Said") -> Told:
        if self._pending:
            return self._tell("refused", said, _note("a question is open"))
        game = self._evening.game
        outcome = game.apply(self._evening.state, action)
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
            return self._tell("refused", said, _note("a question is open"))
        if self._evening.last_action is None:
            return self._tell("refused", said, _note("nothing to undo"))
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
        self._pending = pending = _Pending(self._questions, kind, moves, frozenset(), action)
        self._answered.add(said.cause)
        return self._tell("noted", said, _note(f"{pending.kind} needs everybody"))

    def _is_open(self, question: int | None) -> bool:
        return self._pending is not None and question in (None, self._pending.number)

    def _agree(self, seat: Seat | None, said: "_Said") -> Told:
        pending = self._pending
        if pending is None:
            return self._tell("idle", said, _note("no question is open"))
        missing = self._missing(pending)
        if seat is None:
            seat = missing[0]
        last = len(self._evening.header.players) - 1
        if not 0 <= seat <= last:
            return self._tell("refused", said, _note("no such seat", number=seat, last=last))
        if seat not in missing:
            return self._tell("repeated", said, _note("has agreed already", seat=seat))
        told = self._tell("noted", said, _note("agrees", seat=seat))
        if missing == (seat,):
            return self._conclude(pending, said)
        self._pending = replace(pending, agreed=pending.agreed | {seat})
        self._answered.add(said.cause)
        return told

    def _conclude(self, pending: "_Pending", said: "_Said") -> Told:
        """All agree. If that cannot be written down the question stays, and the last answer can be given again."""
        told = self._undo(said) if pending.action is None else self._carry_out(pending.action, said)
        self._pending = pending if told.kind == "refused" else None
        return told

    def _decline(self, said: "_Said") -> Told:
        if self._pending is None:
            return self._tell("idle", said, _note("no question is open"))
        self._pending = None
        self._answered.add(said.cause)
        return self._tell("noted", said, _note("declined"))

    def _missing(self, pending: "_Pending") -> tuple[Seat, ...]:
        return tuple(seat for seat in range(len(self._evening.header.players)) if seat not in pending.agreed)

    # --- The match --------------------------------------------------------------------------------------------

    def _next_game(self, said: "_Said") -> Told:
        """One more game with the same people; who starts and which way round is the game's to say."""
        evening = self._evening
        if self._pending:
            return self._tell("refused", said, _note("a question is open"))
        if evening.game.awaiting(evening.state) is not None:
            return self._tell("refused", said, _note("the game is not over"))
        first, changed = evening.game.rematch(evening.setup)
        header = replace(evening.header, first=first, options=evening.header.options | changed)
        begin(header, evening.setup.box)  # raises what would otherwise be found out only after it is written down
        opening = evening.opening | {"first": header.first, "options": header.options}
        return self._record("game", msgspec.json.encode(opening), said)

    # --- Writing down and telling -----------------------------------------------------------------------------

    def _record(self, kind: EntryKind, body: bytes, said: "_Said") -> Told:
        last = self._evening.last_action
        try:
            entry = self._journal.append(kind, body, said.how, said.cause, said.at)
        except JournalError as error:
            return self._tell("refused", said, _note("cannot be written", problem=str(error)))
        taken = self._evening.take(entry)
        said = replace(said, entry=entry.number)
        self._so_far, self._unseen = None, False
        if kind == "undo":
            seat = None if last is None or taken.moves else self._evening.game.conceals(last.action)
            note = _note("undone") if seat is None else _note("earlier choice counts", seat=seat)
            return self._tell("undone", said, note, taken.moves)
        if kind == "game":
            return self._tell("noted", said, _note("a new game", seat=self._evening.header.first))
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
        """Answer, and keep it in the history unless it is `quiet`: a lifted piece, or half an action that all see, is
        nothing to read about."""
        self._lines += not quiet
        told = Told(self._lines, kind, ruling.what, ruling.rule, _short(ruling.facts), moves, said.how, said.entry)
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
            players=_players(evening.header.players, evening.opening.get("simulated", ())),
            kit=self._desk.kit,
            options=msgspec.to_builtins(evening.setup.options),
            box=evening.setup.box,
            table=game.view(state),
            awaiting=awaiting and Awaiting(awaiting.seats, tuple(dict.fromkeys(_do(action) for action in offered))),
            settled=game.settled(state) if awaiting and game.settled else (),
            offered=offered,
            secret=tuple(dict.fromkeys(_do(action) for action in offered if game.conceals(action) is not None)),
            draft=self._so_far,
            can_undo=evening.last_action is not None,
            newest=_first_line(evening.last_action),
            question=self._question(),
            history=tuple(self._history),
            scores=game.scores(state) if awaiting is None else (),
            winners=game.winners(state) if awaiting is None else (),
            match=tuple(Result(result.totals, result.winners) for result in evening.results),
            course=_course(evening) if awaiting is None else (),
            devices=self._watch.devices,
            layout=_layout(evening) if self._unseen else (),
        )

    def _question(self) -> Question | None:
        pending = self._pending
        if pending is None:
            return None
        return Question(
            pending.number, pending.kind, tuple(sorted(pending.agreed)), self._missing(pending), pending.moves
        )


class _Said(Struct, frozen=True):
    """By what something was said, the id of that very signal or intention, and when."""

    how: str
    cause: str
    at: float
    entry: int = 0
    """The journal's entry that it became; 0 if it changed nothing."""


class _Pending(Struct, frozen=True):
    """Something that everybody is being asked: an action, or an undo (no action)."""

    number: int
    kind: str
    moves: tuple[Move, ...]
    agreed: frozenset[Seat]
    action: Any


def _short(facts: Facts) -> Facts:
    """A screen may send anything, and what is refused is quoted: not at any length, to everybody, sixty lines long."""
    if all(not isinstance(fact, str) or len(fact) <= QUOTED for fact in facts.values()):
        return facts
    return {name: fact[:QUOTED] if isinstance(fact, str) else fact for name, fact in facts.items()}


def _note(what: str, **facts: Fact) -> Ruling:
    """What the referee says by itself, without a ruling."""
    return Ruling(None, what, facts)


def _first_line(played: Played | None) -> Told | None:
    """What somebody did, without what followed from it."""
    if played is None:
        return None
    ruling = played.step.rulings[0]
    return Told(0, "accepted", ruling.what, ruling.rule, ruling.facts, (), played.how, played.number)


def _course(evening: Evening) -> tuple[tuple[int, ...], ...]:
    """What the game looks back at, each time that it changed."""
    look = evening.game.course
    if look is None:
        return ()
    states = (evening.sitting.start.state, *(played.step.state for played in evening.sitting.played))
    return tuple(numbers for numbers, _same in groupby(map(look, states)))


def _has_persons(evening: Evening) -> bool:
    return len(evening.opening.get("simulated", ())) < len(evening.header.players)


def _layout(evening: Evening) -> tuple[Lying, ...]:
    """Made of what everybody can see, so it holds no secret."""
    game = evening.game
    lying = game.layout(game.view(evening.state)) if game.layout else {}
    return tuple(Lying(thing, count, place) for (thing, place), count in lying.items() if count > 0)


def _do(action: Any) -> str:
    return str(action.__struct_config__.tag)


def _players(names: Sequence[str], simulated: Sequence[Seat]) -> tuple[Player, ...]:
    return tuple(Player(name, seat in simulated) for seat, name in enumerate(names))
