"""The results of games, folded from journals; nothing else is stored. So undo and corrections are right by themselves.

A fold takes milliseconds, so the results of each journal are kept in one file until that journal changes. The file is
only a cache: without it the journals are folded again, and the results are the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion import __version__
from companion.errors import JournalError, UsageError
from companion.files import changing, load, store
from companion.gamekit import discovery
from companion.gamekit.ending import Teams, sides, strengths, teams_of
from companion.gamekit.game import Ruling, Tally
from companion.gamekit.snapshot import AWAY_S
from companion.journal.evening_folder import evening_id, journals, recalled, without_collecting
from companion.journal.soundness import inspect
from companion.journal.store import COMPANIONS, SUFFIX
from companion.language.wording import counted
from companion.session.entry import Entry, Ticking
from companion.session.evening import Evening
from companion.session.played_game import PlayedGame

CACHE_BYTES = 256 * 1024 * 1024
EARLIER_BYTES = 64 * 1024 * 1024


class PastSeat(Struct, frozen=True, omit_defaults=True):
    """One player of a game, by the name in its journal."""

    name: str
    score: int = 0
    rank: int = 1
    """1 for all who have won; equal points are an equal rank."""
    won: bool = False
    simulated: bool = False
    thought_s: float = 0.0
    tallies: dict[str, int] = {}
    """The game's own numbers: see `Tally`."""


class PastGame(Struct, frozen=True, omit_defaults=True):
    """A game that was played."""

    evening: str
    number: int
    """Of the games of this evening, from 1."""
    game: str
    begun_at: float
    """Unix time in seconds; so is the next."""
    ended_at: float
    seconds: float
    """How long it was played, without pauses."""
    first: int
    """The seat that started; -1 if that is unknown."""
    seats: tuple[PastSeat, ...]
    finished: bool = True
    rulings: tuple[str, ...] = ()
    """The ids of all rulings of a finished game, each once: so that rare ones can be told."""
    lowest_wins: bool = False
    """The fewest points win."""
    teams: Teams = ()
    """The seats of each team; empty: all played for themselves."""

    @property
    def id(self) -> str:
        return f"{self.evening}/{self.number}"

    @property
    def is_simulated(self) -> bool:
        """Whether the computer played along."""
        return any(seat.simulated for seat in self.seats)


RUNS = Ticking(runs=True)

# --- Folding one journal --------------------------------------------------------------------------------------


class _RulingCounts:
    """What a game's own table counts."""

    def __init__(self, played: PlayedGame, made: Iterable[Sequence[Ruling]]) -> None:
        self.table: list[dict[str, int]] = [{} for _ in played.header.players]
        self.seen: dict[str, Sequence[Tally]] = {}
        """The rulings that were made, each with the lines that count it."""
        tallies: dict[str, list[Tally]] = {}
        for tally in played.game.tallies:
            for what in tally.rulings:
                tallies.setdefault(what, []).append(tally)
        seen = self.seen
        for rulings in made:
            for ruling in rulings:
                what = ruling.what
                if what not in seen:
                    seen[what] = tallies.get(what, ())
                for tally in seen[what]:
                    for seat in seats_in(ruling.facts.get(tally.who)):
                        _count(self.table[seat], tally, _amount(ruling.facts, tally))


class _Games:
    """Collects the games of an evening while it is folded."""

    def __init__(self, evening: str, entries: Sequence[Entry]) -> None:
        self._evening = evening
        self._moments = _moments(entries)
        self.games: list[PastGame] = []

    def close(self, evening: Evening, _next_game: Entry | None = None) -> None:
        """The game that was played until now. It is folded no further: before another one begins, its actions are
        packed."""
        if evening.played_games:
            self.games.append(self._past(evening, evening.played_game, len(evening.played_games)))

    def _past(self, evening: Evening, played: PlayedGame, number: int) -> PastGame:
        ended_at, spent = self._moments[played.played[-1].number if played.played else played.number]
        counts = _RulingCounts(played, _rulings_made(evening, played))
        return PastGame(
            self._evening,
            number,
            played.game.name,
            self._moments[played.number][0],
            ended_at,
            round(spent, 3),
            played.header.first,
            tuple(_seats(played, counts.table)),
            played.finished,
            tuple(sorted(counts.seen)),
            played.game.lowest_wins,
            _teams(played),
        )


def _moments(entries: Sequence[Entry]) -> list[tuple[float, float]]:
    """For each entry, by its number: when it was made, and how long its game had been played."""
    moments = [(0.0, 0.0)]
    since, played = None, 0.0
    for entry in entries:
        kind, at, runs, away = entry.kind, entry.at, True, False
        if kind == "game":
            since, played = None, 0.0
        elif kind == "clock":
            ticking = _ticking(entry)
            runs, away = ticking.runs, ticking.away
        if since is not None and not away and 0.0 < at - since <= AWAY_S:
            played += at - since
        since = at if runs else None
        moments.append((at, played))
    return moments


def _rulings_made(evening: Evening, played: PlayedGame) -> Iterable[Sequence[Ruling]]:
    """What counts of a finished game that is still the newest. Where nothing was undone or corrected, that is what each
    entry did; otherwise all actions are looked at again."""
    if not played.finished:
        return ()
    if any(taken.undone or taken.kind == "corrected" for taken in evening.taken):
        return (action.rulings for action in played.played)
    return (taken.rulings for taken in evening.taken)


def _ticking(entry: Entry) -> Ticking:
    try:
        return msgspec.json.decode(entry.body, type=Ticking)
    except ValueError:
        return RUNS


class FoldedJournal(Struct, frozen=True):
    identity: bytes
    """Of the journal: random, and the same for ever."""
    entries: int
    games: tuple[PastGame, ...]
    """Oldest first; of a damaged journal those that are sound."""


class FoldedEvening(Struct, frozen=True):
    """A journal that was folded, and its games as they went: that takes memory."""

    journal: FoldedJournal
    played: tuple[PlayedGame, ...]

    @property
    def games(self) -> tuple[PastGame, ...]:
        return self.journal.games


def fold_evening(path: Path) -> FoldedEvening:
    """Raises JournalError if the journal cannot be read, or if its game is not installed."""
    finding = inspect(path)
    games = _Games(evening_id(path), finding.entries)
    evening = recalled(finding, {"game": games.close}).evening
    games.close(evening)
    journal = FoldedJournal(finding.identity, evening.number, tuple(games.games))
    return FoldedEvening(journal, tuple(evening.played_games))


def fold_journal(path: Path) -> FoldedJournal:
    """Raises as `fold_evening` does."""
    with without_collecting():  # until the evening itself is dropped
        return fold_evening(path).journal


def fold(path: Path) -> tuple[PastGame, ...]:
    """All games of a journal, oldest first. Raises as `fold_evening` does."""
    return fold_journal(path).games


def _seats(played: PlayedGame, tallies: Sequence[dict[str, int]]) -> Iterator[PastSeat]:
    result = played.result
    ranks = [1] * len(result.totals)
    if result.finished:
        ranks = _ranks(result.totals, result.winners, played.game.lowest_wins, _teams(played))
        _add_parts(played, tallies)
    for seat, name in enumerate(played.header.players):
        yield PastSeat(
            name,
            result.totals[seat],
            ranks[seat],
            seat in result.winners,
            seat in played.header.simulated,
            round(played.thinking.seconds[seat], 3),
            tallies[seat],
        )


def _teams(played: PlayedGame) -> Teams:
    return teams_of(played.game, len(played.header.players))


def _ranks(totals: Sequence[int], winners: Sequence[int], lowest_wins: bool, teams: Teams) -> list[int]:
    """Winners are first, whatever broke the tie; the others by their points. A team has one rank; where all play
    together, it is 1."""
    strength = [(seat in winners, each) for seat, each in enumerate(strengths(totals, lowest_wins))]
    first = [side[0] for side in sides(teams, len(totals))]
    return [
        1 if seat in winners else 1 + sum(strength[other] > strength[seat] for other in first)
        for seat in range(len(totals))
    ]


def _add_parts(played: PlayedGame, table: Sequence[dict[str, int]]) -> None:
    """What the game's own table counts in the parts of its scores."""
    tallies = [tally for tally in played.game.tallies if tally.parts]
    for score in played.game.scores(played.state) if tallies else ():
        for part in score.parts:
            for tally in tallies:
                if part.for_ in tally.parts:
                    _count(table[score.seat], tally, part.points)


def seats_in(seats: object) -> tuple[int, ...]:
    """The players whom a fact names: one, or several."""
    found = seats if isinstance(seats, tuple) else (seats,)
    return tuple(seat for seat in found if isinstance(seat, int))


def _amount(facts: Any, tally: Tally) -> int:
    value = facts.get(tally.fact, 0) if tally.fact else 1
    return value if isinstance(value, int) else len(value) if isinstance(value, tuple) else 0


def _count(numbers: dict[str, int], tally: Tally, amount: int) -> None:
    before = numbers.get(tally.label)
    numbers[tally.label] = amount if before is None else max(before, amount) if tally.most else before + amount


# --- All journals ---------------------------------------------------------------------------------------------


class _Kept(Struct, frozen=True, omit_defaults=True):
    """What one journal said, and how its file looked then."""

    stamp: tuple[int, ...]
    games: tuple[PastGame, ...] = ()
    problem: str = ""


class _Cache(Struct, frozen=True):
    versions: dict[str, str]
    journals: dict[str, _Kept]


class PastGames(Struct, frozen=True):
    """Every game that was played, oldest first."""

    games: tuple[PastGame, ...]
    problems: tuple[str, ...] = ()
    """Which journals could not be read, and why: a line for each reason."""


def past_games(folder: Path, cache: Path | None = None, earlier: Path | None = None) -> PastGames:
    """The games of all journals in a folder, and those that were imported. Raises JournalError if the folder cannot be
    read, UsageError if the imported plays cannot."""
    current = versions()
    known = _load_cache(cache, current)
    kept: dict[str, _Kept] = {}
    for path in journals(folder):
        if path.suffix == SUFFIX:
            kept[path.name] = _current(path, known.get(path.name))
    if cache is not None and kept != known:
        _store_cache(cache, _Cache(current, kept))
    games = [game for each in kept.values() for game in each.games]
    if earlier is not None:
        own = {game.id for game in games}
        games += [game for game in load_earlier(earlier) if game.id not in own]
    games.sort(key=lambda game: (game.ended_at, game.evening, game.number))
    return PastGames(tuple(games), tuple(_problems(kept)))


def _problems(kept: Mapping[str, "_Kept"]) -> Iterator[str]:
    """Evenings with the same problem share a line: there may be a hundred of a game that is not installed."""
    evenings: dict[str, list[str]] = {}
    for name, each in sorted(kept.items(), reverse=True):
        if each.problem:
            evenings.setdefault(each.problem, []).append(evening_id(Path(name)))
    for problem, ids in evenings.items():
        more = f" and {counted(len(ids) - 1, 'other evening')}" if len(ids) > 1 else ""
        yield f"{ids[0]}{more}: {problem}"


def _current(path: Path, known: _Kept | None) -> _Kept:
    stamp = journal_stamp(path)
    if known is not None and known.stamp == stamp and stamp:
        return known
    try:
        return _Kept(stamp, fold(path))
    except JournalError as error:
        return _Kept((), (), str(error))  # tried again: its game may be installed by then


def journal_stamp(path: Path) -> tuple[int, ...]:
    """Different whenever a journal or a file next to it has changed. (The time of change, not of modification: that is
    set to the newest entry's.) Empty if the file is not there."""
    stamp: list[int] = []
    for end in ("", *COMPANIONS[:-1]):
        with suppress(OSError):
            found = path.with_name(path.name + end).stat()
            stamp += (len(end), found.st_ino, found.st_size, found.st_ctime_ns)
    return tuple(stamp)


def versions() -> dict[str, str]:
    """Of Companion and of every package with a game: other rules may fold differently."""
    found = {"companion": __version__}
    for package in sorted({*discovery.found().packages.values()}):
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def _load_cache(path: Path | None, versions: dict[str, str]) -> dict[str, _Kept]:
    if path is not None:
        with suppress(OSError, ValueError):  # msgspec's errors are ValueErrors; what is damaged is made again
            cache = msgspec.json.decode(load(path, CACHE_BYTES), type=_Cache)
            if cache.versions == versions:
                return cache.journals
    return {}


def _store_cache(path: Path, cache: _Cache) -> None:
    with suppress(OSError), changing(path.parent):
        store(path, msgspec.json.encode(cache))


# --- Imported plays -------------------------------------------------------------------------------------------


def load_earlier(path: Path) -> list[PastGame]:
    """Plays that were imported; the file may be missing. Raises UsageError if it cannot be read."""
    try:
        return msgspec.json.decode(load(path, EARLIER_BYTES), type=list[PastGame])
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UsageError(f"{path}: cannot read the imported plays: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"{path}: cannot read the imported plays: {error}") from None


def store_earlier(path: Path, games: Iterable[PastGame]) -> None:
    """Replace all imported plays. Call it in `changing`. Raises OSError."""
    store(path, msgspec.json.format(msgspec.json.encode(list(games)), indent=1))


def day(at: float) -> str:
    """The day of a moment, as the players' calendar has it: 2026-11-18."""
    return f"{datetime.fromtimestamp(at, UTC).astimezone():%Y-%m-%d}"
