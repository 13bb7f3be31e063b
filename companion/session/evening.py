"""The fold of a journal: entries in, the evening out.

Live play appends an entry and takes it here. Resuming takes all of them, one after another. It is the same `take`, so
an evening that is resumed is the evening that was played.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from companion.errors import CompanionError, GameError, JournalError, UnplayableError, UsageError
from companion.gamekit import discovery
from companion.gamekit.game import Game, Move, Refusal, Ruling, Seat, Setup
from companion.gamekit.game_start import Header, begin, check, decoded_action, read_action
from companion.gamekit.simulated import Expectation
from companion.language.wording import plain
from companion.session.actions import CountedAction
from companion.session.bot_thoughts import expected_in
from companion.session.commitments import Commitments, action_in, commitment_problem, has_beside
from companion.session.entry import Entry, EntryKind, GoingBack, Joining, Replacement, Ticking, Undoing
from companion.session.played_game import Ending, JournalHeader, PlayedGame, earlier_results
from companion.session.seen_ids import SeenIds
from companion.session.thinking_time import thinkers, thinking_after
from companion.session.undo import correction_moves, undo_moves
from companion.stations import Kit

REMEMBERED = 5000
"""Entries whose effects are remembered: more than any game has."""


MOST_UNCOVERED = 1000
"""Entries that wait until a commitment needs them: more would take memory."""


class Taken(Struct, frozen=True):
    """What one entry did."""

    number: int
    kind: EntryKind
    how: str = ""
    """How it was entered."""
    rulings: tuple[Ruling, ...] = ()
    revealed: tuple[Seat, ...] = ()
    moves: tuple[Move, ...] = ()
    """After an undo or a correction: the pieces that hands have to move."""
    undone: tuple[CountedAction, ...] = ()
    """The actions that no longer count, or that a correction has replaced, oldest first."""
    counts: CountedAction | None = None
    """After a correction, or when one was undone: the action as it counts now."""


class Evening:
    """What a journal amounts to, up to its newest entry."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        """Raises JournalError, as `take` does."""
        self.number = 0
        """Of the newest entry."""
        self.played_games: list[PlayedGame] = []
        self.causes = SeenIds()
        """Of all entries, also of undone ones: each signal and each intention counts once."""
        self.results: tuple[Ending, ...] = ()
        """The earlier games of this match."""
        self._commitments = Commitments()
        self._uncovered: list[tuple[Entry, Seat | None]] = []
        """The newest entries, which `_commitments` does not cover yet, and who acts in those that have more than an
        action: most evenings have no commitments, and are folded quicker so."""
        self.expectations: dict[int, Expectation] = {}
        """What simulated players who search expected of their actions, by the numbers of their entries."""
        self.taken: deque[Taken] = deque(maxlen=REMEMBERED)
        """What the entries of the current game did."""
        self._thought: tuple[float, ...] = ()  # by each seat, up to the entry that is taken
        for entry in entries:
            self.take(entry)

    # --- Where the evening stands -----------------------------------------------------------------------------

    @property
    def played_game(self) -> PlayedGame:
        """The game that is played now."""
        if not self.played_games:
            raise JournalError("no game has begun in this evening")
        return self.played_games[-1]

    @property
    def game(self) -> Game[Any, Any]:
        return self.played_game.game

    @property
    def header(self) -> JournalHeader:
        return self.played_game.header

    @property
    def setup(self) -> Setup:
        return self.played_game.setup

    @property
    def state(self) -> Any:
        return self.played_game.state

    @property
    def last_action(self) -> CountedAction | None:
        """The newest action of the current game that still counts. None if there is none."""
        return self.played_games[-1].played.last if self.played_games else None

    @property
    def to_undo(self) -> int:
        """The number of the entry that an undo would undo: the end of the match, else the newest action or correction.
        0: there is none."""
        return self.played_game.newest if self.played_games else 0

    @property
    def commitments(self) -> Commitments:
        """All of this evening, up to its newest entry."""
        self._cover()
        return self._commitments

    def _cover(self) -> None:
        for entry, seat in self._uncovered:
            self._commitments = self._commitments.after(entry, seat)
        self._uncovered.clear()

    def up_to_game(self, number: int) -> "Evening":
        """The evening when the game of this number (from 1) was the newest. Raises UsageError if it was not played."""
        if not 1 <= number <= len(self.played_games):
            raise UsageError(f"there is no game {number} in this evening; it has {len(self.played_games)}")
        then = Evening()
        then.played_games, then.number = self.played_games[:number], self.number
        then.results = earlier_results(then.played_games)
        return then

    def beside(self, action: Any, revealed: Sequence[Seat]) -> dict[str, Any]:
        """What the entry of an action has beside it, if it were done now. Secret choices of simulated players are
        committed; each step opens the commitments of those whose secrets it reveals."""
        if not (key := self.header.key):
            return {}
        owner = self.game.conceals(action)
        hides = owner is not None and owner in self.header.simulated and owner not in revealed
        found = self.played_game.find
        opened = [each for each in self.commitments.closed if each.seat in revealed and found(each.number) is not None]
        return self.commitments.beside(key, msgspec.to_builtins(action), hides, opened)

    def misfit(self, entry: Entry) -> str:
        """Why the commitments in the entry of the next action are not what they have to be; "" if they are, or if the
        action itself does not fit."""
        if not self.played_games:
            return ""
        body = _decode(entry)
        action = read_action(self.game, action_in(body))
        following = action if isinstance(action, Refusal) else self.played_game.following(action)
        if isinstance(following, Refusal):
            return ""
        return commitment_problem(body, self.beside(action, following.step.revealed))

    # --- Taking entries ---------------------------------------------------------------------------------------

    def take(self, entry: Entry) -> Taken:
        """Fold one entry. If it does not fit, raises JournalError, which names no secret, and changes nothing."""
        if entry.number != self.number + 1:
            raise JournalError(f"entry {entry.number} follows entry {self.number}")
        thought = self._thought = self._thought_until(entry)
        take = _TAKES.get(entry.kind)
        if take is None:
            raise JournalError(f"entry {entry.number}: there is no kind {entry.kind!r}")
        taken = take(self, entry)
        if taken.how != entry.how:
            taken = replace(taken, how=entry.how)
        newest = self.last_action if entry.kind == "action" and has_beside(entry) else None
        self._uncovered.append((entry, getattr(newest.action, "seat", None) if newest else None))
        if len(self._uncovered) >= MOST_UNCOVERED:
            self._cover()
        self.number = entry.number
        if entry.kind == "game":
            self.taken.clear()
        self.taken.append(taken)
        if entry.kind != "game" and thought:
            runs = _decode(entry, Ticking).runs if entry.kind == "clock" else entry.kind != "ended"
            self.played_games[-1].thinking = thinking_after(thought, entry, runs)
        if entry.cause:
            self.causes.add(entry.cause)
        return taken

    def _thought_until(self, entry: Entry) -> tuple[float, ...]:
        """The seconds of each seat, with the time until this entry for the players whom the table waited for. Empty:
        no game is being played."""
        if not self.played_games or entry.kind == "game":
            return ()
        played_game = self.played_games[-1]
        thinking = played_game.thinking
        if thinking.since is None or (entry.kind == "clock" and _decode(entry, Ticking).away):
            return thinking.seconds
        return thinking.spent(thinkers(played_game.game, played_game.state), entry.at)

    def _take_game(self, entry: Entry) -> Taken:
        if self.played_games and self.played_game.ended:
            raise JournalError(f"entry {entry.number}: a game, but the match has ended")
        header: JournalHeader = _decode(entry, JournalHeader)
        if self.played_games and header.box == self.header.box:
            header = replace(header, box=self.header.box)  # one text in memory, however many games
        _check_installed(header)
        try:
            game = check(header)
            setup, state = begin(header, game.parse_box(header.box, f"the box in entry {entry.number}"))
        except CompanionError as error:
            raise JournalError(f"entry {entry.number}: this game cannot begin: {error}") from None
        if header.people and sorted(header.people) != list(range(len(header.players))):
            raise JournalError(f"entry {entry.number}: {list(header.people)} does not say who sits where")
        if self.played_games:
            self.played_game.close()
        self.played_games.append(PlayedGame(entry.number, header, game, setup, state))
        self.results = earlier_results(self.played_games)
        return Taken(entry.number, "game")

    def _take_prepared(self, entry: Entry) -> Taken:
        """The table was set up: players are told how once per game, also across a restart."""
        if not self.played_games:
            raise JournalError(f"entry {entry.number}: a table that was set up, but no game has begun")
        self.played_game.prepared = True
        return Taken(entry.number, "prepared")

    def _take_action(self, entry: Entry) -> Taken:
        if not self.played_games:
            raise JournalError(f"entry {entry.number}: an action, but no game has begun")
        played_game, body = self.played_games[-1], {}
        beside = has_beside(entry)
        action = None if beside else decoded_action(played_game.game, entry.body)
        if action is None:
            body = _decode(entry)
            action = read_action(played_game.game, action_in(body))
        following = action if isinstance(action, Refusal) else played_game.following(action)
        if isinstance(following, Refusal):
            why = following.rule or following.what
            raise JournalError(f"entry {entry.number}: the rules refuse this action ({why})")
        played_game.prepared = True
        counted = played_game.follow(entry.number, action, entry.how, following, self._thought)
        if beside and (expected := expected_in(body)):
            self.expectations[entry.number] = expected
        return Taken(entry.number, "action", entry.how, counted.rulings, following.step.revealed, (), following.dropped)

    def _take_undo(self, entry: Entry) -> Taken:
        undone: Undoing = _decode(entry, Undoing)
        if not self.to_undo or undone.undo != self.to_undo:
            raise JournalError(
                f"entry {entry.number}: entry {undone.undo} is not the newest action and cannot be undone"
            )
        back = undo_moves(self.played_game)
        if self.played_game.ended:
            self.played_game.ended = 0
            return Taken(entry.number, "undo")
        if self.played_game.newest_correction:
            was, now = self.played_game.uncorrect()
            return Taken(entry.number, "undo", moves=back, undone=(was,), counts=now)
        return Taken(entry.number, "undo", moves=back, undone=self.played_game.cut(undone.undo))

    def _take_back(self, entry: Entry) -> Taken:
        back: GoingBack = _decode(entry, GoingBack)
        if not self.played_games or self.played_game.find(back.back) is None:
            raise JournalError(f"entry {entry.number}: entry {back.back} is no action that counts")
        hands = undo_moves(self.played_game, back.back)
        self.played_game.ended = 0
        return Taken(entry.number, "back", moves=hands, undone=self.played_game.cut(back.back))

    def _take_corrected(self, entry: Entry) -> Taken:
        """The actions after the corrected one are played again, and have to come out the same."""
        correcting: Replacement = _decode(entry, Replacement)
        if not self.played_games:
            raise JournalError(f"entry {entry.number}: a correction, but no game has begun")
        action = read_action(self.game, correcting.action)
        tail = action if isinstance(action, Refusal) else self.played_game.corrected(correcting.replaces, action)
        if isinstance(tail, Refusal):
            raise JournalError(f"entry {entry.number}: this correction does not fit ({tail.rule or tail.what})")
        hands = correction_moves(self.played_game, correcting.replaces, tail)
        was, now = self.played_game.correct(entry.number, entry.how, tail)
        return Taken(entry.number, "corrected", "", now.step.rulings, now.step.revealed, hands, (was,), now)

    def _take_ended(self, entry: Entry) -> Taken:
        """L21 The match has a winner now, and no other game follows."""
        if not self.played_games or not self.played_game.finished or self.played_game.ended:
            raise JournalError(f"entry {entry.number}: a match cannot end here")
        self.played_game.ended = entry.number
        return Taken(entry.number, "ended")

    def _take_clock(self, entry: Entry) -> Taken:
        """A pause, its end, or the first thing after a restart."""
        if not self.played_games:
            raise JournalError(f"entry {entry.number}: a clock, but no game has begun")
        _decode(entry, Ticking)
        return Taken(entry.number, "clock")

    def _take_box(self, entry: Entry) -> Taken:
        """All actions are played again with the new box, and have to come out the same."""
        joining: Joining = _decode(entry, Joining)
        if not self.played_games:
            raise JournalError(f"entry {entry.number}: a box, but no game has begun")
        try:
            box = self.game.parse_box(joining.box, f"the box in entry {entry.number}")
            setup, state = begin(self.header, box)
        except CompanionError as error:
            raise JournalError(f"entry {entry.number}: this box cannot be played with: {error}") from None
        if joining.now and not self.played_game.rebox(setup, state, joining.box):
            raise JournalError(f"entry {entry.number}: what was played rests on another box")
        self.played_game.header = replace(self.header, box=joining.box)
        return Taken(entry.number, "box")


_TAKES: dict[str, Callable[[Evening, Entry], Taken]] = {
    "game": Evening._take_game,
    "prepared": Evening._take_prepared,
    "action": Evening._take_action,
    "undo": Evening._take_undo,
    "back": Evening._take_back,
    "corrected": Evening._take_corrected,
    "box": Evening._take_box,
    "ended": Evening._take_ended,
    "clock": Evening._take_clock,
}


def game_body(  # noqa: PLR0913 - everything that a game starts with
    header: Header,
    box_text: str,
    simulated: Iterable[Seat] = (),
    kit: Kit = "none",
    stack: int | None = None,
    *,
    levels: dict[Seat, str] | None = None,
    deals: bool = False,
    real: bool = False,
    key: str = "",
) -> bytes:
    """The body that starts a game. The box that the header names is replaced by its text."""
    stored = JournalHeader(
        header.game,
        header.players,
        header.first,
        header.options,
        box=box_text,
        simulated=tuple(simulated),
        levels={str(seat): level for seat, level in levels.items()} if levels else UNSET,
        kit=kit,
        stack=stack,
        deals=deals or UNSET,
        real=real or UNSET,
        key=key or UNSET,
        package=discovery.found().packages[header.game],
    )
    return msgspec.json.encode(stored)


def _check_installed(header: JournalHeader) -> None:
    """Raises UnplayableError, which says what to install."""
    try:
        discovery.find(header.game)
    except GameError as error:
        raise UnplayableError(f"this evening waits for its game: {error}", header.game) from None
    except UsageError as error:
        if any(broken.name == header.game for broken in discovery.found().unusable):
            raise UnplayableError(f"this evening waits for its game: {error}", header.game) from None
        problem = f"this evening waits for its game: pip install {plain(header.package, 60)}, and it goes on"
        raise UnplayableError(problem, header.game, header.package) from None


_plain = msgspec.json.Decoder(dict[str, Any])
"""Made once: most entries are actions."""


def _decode(entry: Entry, kind: Any = None) -> Any:
    """As a struct, or as plain data."""
    try:
        return _plain.decode(entry.body) if kind is None else msgspec.json.decode(entry.body, type=kind)
    except (ValueError, RecursionError):
        raise JournalError(f"entry {entry.number}: its body cannot be read") from None
