"""The fold of a journal: entries in, the evening out. No file and no clock.

Live play appends an entry and takes it here; resuming takes all of them, one after another. It is the same `take`, so
an evening that is resumed is the evening that was played.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from companion.errors import CompanionError, GameError, JournalError, UnplayableError, UsageError
from companion.gamekit import discovery
from companion.gamekit.game import Game, Move, Refusal, Ruling, Seat, Setup, moves
from companion.gamekit.game_start import Header, begin, check, read_action
from companion.gamekit.snapshot import TYPED
from companion.language.wording import plain
from companion.session.actions import CountedAction
from companion.session.entry import Entry, EntryKind
from companion.session.played_game import Ending, PlayedGame, earlier_results
from companion.session.seen_ids import SeenIds
from companion.session.thinking_time import Thinking, Ticking, thinkers
from companion.stations import Kit


class Opening(Header, frozen=True, kw_only=True):
    """The body of a "game" entry: all that a game begins with, so that the journal reproduces the evening alone."""

    box: str
    """The text of the box file."""
    simulated: tuple[Seat, ...] = ()
    levels: dict[str, str] | UnsetType = UNSET
    """How well simulated players play who search for their actions: their seat → "strong", "easy:bold"."""
    kit: Kit = "none"
    stack: int | None = None
    """How the simulated stack was shuffled; None: its pieces are real, or nobody has kept it."""
    package: Annotated[str, Meta(min_length=1)]
    """What has to be installed for this game."""
    people: tuple[int, ...] = ()
    """Who sits where: the seat that each of them had in the evening's first game; empty if they all still sit there."""


class Undoing(Struct, frozen=True):
    """The body of an "undo" entry: the number of the newest entry that counts, and now no longer does: an action, a
    correction or the end of a match."""

    undo: int


class GoingBack(Struct, frozen=True):
    """The body of a "back" entry: the number of an action. It and everything that was done after it no longer counts;
    what was corrected before it stays corrected."""

    back: int


class Replacement(Struct, frozen=True):
    """The body of a "corrected" entry: the number of an action's entry, and what was really done."""

    replaces: int
    action: dict[str, Any]


class Joining(Struct, frozen=True):
    """The body of a "box" entry: the box with a piece that it did not have, in the place of one not seen yet."""

    box: str
    """The text of the box file."""
    now: bool = True
    """It counts in the game that is being played; otherwise from the next one on."""


class Taken(Struct, frozen=True):
    """What one entry did."""

    number: int
    kind: EntryKind
    rulings: tuple[Ruling, ...] = ()
    revealed: tuple[Seat, ...] = ()
    moves: tuple[Move, ...] = ()
    """After an undo: the pieces that hands have to put back."""
    undone: tuple[CountedAction, ...] = ()
    """The actions that no longer count, or no longer in this form, oldest first."""
    counts: CountedAction | None = None
    """After a correction, or when one was taken back: the action as it counts now."""


class Evening:
    """What a journal amounts to, up to its newest entry."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        """Raises JournalError, as `take` does."""
        self.number = 0
        """Of the newest entry."""
        self.played_games: list[PlayedGame] = []
        self.causes = SeenIds()
        """Of all entries, undone ones too: what was heard once is not heard again."""
        self.results: tuple[Ending, ...] = ()
        """The earlier games of this match."""
        self._thinking: Thinking | None = None  # up to the entry that is taken
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
    def header(self) -> Header:
        return self.played_game.header

    @property
    def setup(self) -> Setup:
        return self.played_game.start.setup

    @property
    def opening(self) -> dict[str, Any]:
        return self.played_game.opening

    @property
    def state(self) -> Any:
        return self.played_game.state

    @property
    def last_action(self) -> CountedAction | None:
        """The newest action of the current game that still counts. None if there is none."""
        return self.played_games[-1].played[-1] if self.played_games and self.played_games[-1].played else None

    @property
    def to_undo(self) -> int:
        """The number of the entry that an undo takes back: the end of the match, else the newest action or correction.
        0: none."""
        return self.played_game.newest if self.played_games else 0

    def up_to_game(self, number: int) -> "Evening":
        """As it was when the game of this number (from 1) was the newest. Raises UsageError for one that was not
        played."""
        if not 1 <= number <= len(self.played_games):
            raise UsageError(f"there is no game {number} in this evening; it has {len(self.played_games)}")
        then = Evening()
        then.played_games, then.number = self.played_games[:number], self.number
        then.results = earlier_results(then.played_games)
        return then

    # --- Taking entries ---------------------------------------------------------------------------------------

    def take(self, entry: Entry) -> Taken:
        """Fold one entry. Raises JournalError, which tells no secret, if it does not fit; then nothing has changed."""
        if entry.number != self.number + 1:
            raise JournalError(f"entry {entry.number} follows entry {self.number}")
        thinking = self._thinking = self._thought_until(entry)
        takes: dict[str, Callable[[Entry], Taken]] = {
            "game": self._take_game,
            "prepared": self._take_prepared,
            "action": self._take_action,
            "undo": self._take_undo,
            "back": self._take_back,
            "corrected": self._take_corrected,
            "box": self._take_box,
            "ended": self._take_ended,
            "clock": self._take_clock,
        }
        if entry.kind not in takes:
            raise JournalError(f"entry {entry.number}: there is no kind {entry.kind!r}")
        taken = takes[entry.kind](entry)
        self.number = entry.number
        if entry.kind != "game" and thinking is not None:
            runs = _decode(entry, Ticking).runs if entry.kind == "clock" else entry.kind != "ended"
            self.played_game.thinking = thinking.after(entry, runs)
        if entry.cause:
            self.causes.add(entry.cause)
        return taken

    def _thought_until(self, entry: Entry) -> Thinking | None:
        """Whoever was waited for has thought until this entry came."""
        if not self.played_games or entry.kind == "game":
            return None
        thinking = self.played_game.thinking
        if thinking.since is None or (entry.kind == "clock" and _decode(entry, Ticking).away):
            return thinking
        return thinking.spent(thinkers(self.game, self.state), entry.at)

    def _take_game(self, entry: Entry) -> Taken:
        if self.played_games and self.played_game.ended:
            raise JournalError(f"entry {entry.number}: a game, but the match has ended")
        opening: Opening = _decode(entry, Opening)
        if self.played_games and opening.box == self.opening["box"]:
            opening = replace(opening, box=self.opening["box"])  # one text, however many games
        header = Header(opening.game, opening.players, opening.first, opening.options)
        _check_installed(opening)
        try:
            box = check(header).parse_box(opening.box, f"the box in entry {entry.number}")
            start = begin(header, box)
        except CompanionError as error:
            raise JournalError(f"entry {entry.number}: this game cannot begin: {error}") from None
        if opening.people and sorted(opening.people) != list(range(len(header.players))):
            raise JournalError(f"entry {entry.number}: {list(opening.people)} does not say who sits where")
        if self.played_games:
            self.played_game.close()
        played_game = PlayedGame(entry.number, msgspec.to_builtins(opening), opening.box, header, start)
        played_game.people = opening.people or played_game.people
        self.played_games.append(played_game)
        self.results = earlier_results(self.played_games)
        return Taken(entry.number, "game")

    def _take_prepared(self, entry: Entry) -> Taken:
        """The table was set up: that is told once a game, whatever happens to the computer."""
        if not self.played_games:
            raise JournalError(f"entry {entry.number}: a table that was set up, but no game has begun")
        self.played_game.prepared = True
        return Taken(entry.number, "prepared")

    def _take_action(self, entry: Entry) -> Taken:
        if not self.played_games:
            raise JournalError(f"entry {entry.number}: an action, but no game has begun")
        action = read_action(self.game, _decode(entry, dict[str, Any]))
        following = action if isinstance(action, Refusal) else self.played_game.following(action)
        if isinstance(following, Refusal):
            why = following.rule or following.what
            raise JournalError(f"entry {entry.number}: the rules refuse this action ({why})")
        self.played_game.prepared = True
        thought = self._thinking.seconds if self._thinking else ()
        counted = self.played_game.follow(entry.number, action, entry.how, following, thought)
        return Taken(entry.number, "action", counted.rulings, counted.step.revealed, undone=following.dropped)

    def _take_undo(self, entry: Entry) -> Taken:
        undone: Undoing = _decode(entry, Undoing)
        if not self.to_undo or undone.undo != self.to_undo:
            raise JournalError(
                f"entry {entry.number}: entry {undone.undo} is not the newest action and cannot be undone"
            )
        back = undo_moves(self)
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
        hands = undo_moves(self, back.back)
        self.played_game.ended = 0
        return Taken(entry.number, "back", moves=hands, undone=self.played_game.cut(back.back))

    def _take_corrected(self, entry: Entry) -> Taken:
        """What was played after the corrected action is folded again, and has to come out the same."""
        correcting: Replacement = _decode(entry, Replacement)
        if not self.played_games:
            raise JournalError(f"entry {entry.number}: a correction, but no game has begun")
        action = read_action(self.game, correcting.action)
        tail = action if isinstance(action, Refusal) else self.played_game.corrected(correcting.replaces, action)
        if isinstance(tail, Refusal):
            raise JournalError(f"entry {entry.number}: this correction does not fit ({tail.rule or tail.what})")
        hands = correction_moves(self, correcting.replaces, tail)
        was, now = self.played_game.correct(entry.number, entry.how, tail)
        return Taken(entry.number, "corrected", now.step.rulings, now.step.revealed, hands, (was,), now)

    def _take_ended(self, entry: Entry) -> Taken:
        """L21 The games that were added up have a winner now, and no other game follows."""
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
        """All that was played is folded again with the box as it is now, and comes out the same."""
        joining: Joining = _decode(entry, Joining)
        if not self.played_games:
            raise JournalError(f"entry {entry.number}: a box, but no game has begun")
        try:
            start = begin(self.header, self.game.parse_box(joining.box, f"the box in entry {entry.number}"))
        except CompanionError as error:
            raise JournalError(f"entry {entry.number}: this box cannot be played with: {error}") from None
        if joining.now and not self.played_game.rebox(start, joining.box):
            raise JournalError(f"entry {entry.number}: what was played rests on another box")
        self.played_game.opening["box"] = joining.box
        return Taken(entry.number, "box")


# --- Taking back, and saying anew -----------------------------------------------------------------------------


def undo_moves(evening: Evening, to: int | None = None) -> tuple[Move, ...]:
    """What hands have to put back for an undo: nothing if there is no action, or if it only reopens the match. `to`:
    the action to go back to; it is taken back as well."""
    played_game, last = evening.played_game, evening.last_action
    if last is None or (to is None and played_game.ended):
        return ()
    where = evening.game.whereabouts
    if to is None and (newest := played_game.newest_correction):
        if newest.how in TYPED:
            return ()  # what was typed did not lie there
        return moves(where(last.step.state), where(played_game.uncorrected()[-1].step.state))
    index = -1 if to is None else played_game.find(to)
    return () if index is None else moves(where(last.step.state), where(played_game.played[index].before))


def correction_moves(evening: Evening, number: int, tail: Sequence[CountedAction]) -> tuple[Move, ...]:
    """What hands have to move for a correction: nothing if only a word was wrong, and the piece that was meant lies
    there; if a reader has read the wrong piece, it does."""
    index = evening.played_game.find(number)
    if index is None or evening.played_game.played[index].how in TYPED:
        return ()
    where = evening.game.whereabouts
    return moves(where(evening.state), where(tail[-1].step.state))


def needs_agreement(evening: Evening, to: int | None = None) -> bool:
    """Whether this goes behind a reveal, so that everybody has seen what would be secret again."""
    played_game = evening.played_game
    if to is None and (played_game.ended or not played_game.played):
        return False
    newest = played_game.newest_correction
    index = played_game.find(to if to is not None else newest.of if newest else played_game.played[-1].number)
    return index is not None and any(played.step.revealed for played in played_game.played[index:])


# --- Bodies ---------------------------------------------------------------------------------------------------


def action_body(action: Any) -> bytes:
    return msgspec.json.encode(action)


def undo_body(evening: Evening) -> bytes | None:
    """The body that undoes what an undo takes back; None if there is nothing to undo."""
    return msgspec.json.encode(Undoing(evening.to_undo)) if evening.to_undo else None


def clock_body(*, runs: bool, away: bool = False) -> bytes:
    return msgspec.json.encode(Ticking(runs, away))


def back_body(number: int) -> bytes:
    """The body that takes back this action and everything after it."""
    return msgspec.json.encode(GoingBack(number))


def correction_body(number: int, action: Any) -> bytes:
    """The body that puts an action in the place of the one with this number."""
    return msgspec.json.encode({"replaces": number, "action": action})


def box_body(text: str, *, now: bool) -> bytes:
    """The body that changes the box."""
    return msgspec.json.encode(Joining(text, now))


def game_body(  # noqa: PLR0913 - all that a game begins with
    header: Header,
    box_text: str,
    simulated: Iterable[Seat] = (),
    kit: Kit = "none",
    stack: int | None = None,
    *,
    levels: dict[Seat, str] | None = None,
) -> bytes:
    opening = Opening(
        header.game,
        header.players,
        header.first,
        header.options,
        box=box_text,
        simulated=tuple(simulated),
        levels={str(seat): level for seat, level in levels.items()} if levels else UNSET,
        kit=kit,
        stack=stack,
        package=discovery.found().packages[header.game],
    )
    return msgspec.json.encode(opening)


def _check_installed(opening: Opening) -> None:
    """Raises UnplayableError, which says what to install."""
    try:
        discovery.find(opening.game)
    except GameError as error:
        raise UnplayableError(f"this evening waits for its game: {error}", opening.game) from None
    except UsageError as error:
        if any(broken.name == opening.game for broken in discovery.found().unusable):
            raise UnplayableError(f"this evening waits for its game: {error}", opening.game) from None
        needs = f"pip install {plain(opening.package, 60)}"
        problem = f"this evening waits for its game: {needs}, and it goes on; {error}"
        raise UnplayableError(problem, opening.game, opening.package) from None


def _decode(entry: Entry, kind: Any) -> Any:
    try:
        return msgspec.json.decode(entry.body, type=kind)
    except (ValueError, RecursionError):
        raise JournalError(f"entry {entry.number}: its body cannot be read") from None
