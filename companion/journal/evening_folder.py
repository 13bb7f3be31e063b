"""The folder of the evenings: which there are, which can be resumed, and what a damaged one still holds."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain, count, islice
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from companion.crash import fault_of
from companion.errors import JournalError, UnplayableError
from companion.files import make_folder, move
from companion.gamekit import discovery
from companion.home.table_clock import newest
from companion.journal.ledger import ledger_of
from companion.journal.lock import WriterLock, holder
from companion.journal.soundness import Soundness, inspect
from companion.journal.store import ASIDE, COMPANIONS, SUFFIX, Journal
from companion.session.entry import Entry, EntryKind
from companion.session.evening import Evening
from companion.session.played_game import Ending

LATEST = 3
"""How many of the newest evenings are read to find the time."""
RESULTS = (".txt", ".svg")
"""How the names of saved results end; they are next to their evening."""
ANALYSIS = "-analysis.json"
"""How the names of kept analyses end; they are there, too."""
EveningStanding: TypeAlias = Literal["open", "finished", "empty", "damaged", "refused", "waiting"]


class Summary(Struct, frozen=True):
    """One evening in a list. For a damaged one: what its sound entries say."""

    id: str
    path: Path
    standing: EveningStanding
    """"empty": no game has begun. "refused": it cannot be read at all, or only by another version.
    "waiting": it is sound, but its game is not installed here, or fails."""
    begun_at: float | None = None
    """Unix time in seconds."""
    game: str = ""
    players: tuple[str, ...] = ()
    people: tuple[int, ...] = ()
    """The players: the seat that each of them had in the evening's first game."""
    simulated: tuple[int, ...] = ()
    """The seats that the computer plays."""
    games: int = 0
    """How many games of the evening have begun."""
    actions: int = 0
    """Of the newest game, without those that were undone."""
    result: Ending | None = None
    """Of the newest game, when it is finished."""
    earlier: tuple[Ending, ...] = ()
    """The games before it that are added up with it."""
    ended: bool = False
    """The match has ended: the leader has won it."""
    lowest_wins: bool = False
    """In its game the fewest points win."""
    problem: str = ""
    prepared: bool = False
    """The table of the newest game was set up."""
    package: str = ""
    """The package to install before a "waiting" evening can go on; "" if that would not help, or if it is unknown."""


class Recalled(Struct, frozen=True):
    """An evening as far as its journal is sound, and what is wrong behind that ("" if nothing is)."""

    evening: Evening
    begun_at: float | None
    problem: str


# --- Opening --------------------------------------------------------------------------------------------------


Watched: TypeAlias = Mapping[EntryKind, Callable[[Evening, Entry], None]]
"""Kind → what is called before each entry of this kind, with the evening so far."""
NOTHING_WATCHED: Watched = {}


def recall(path: Path, watched: Watched = NOTHING_WATCHED) -> Recalled:
    """Fold a journal without touching it, even a damaged one. Raises JournalError only where nothing can be read, or
    where its game is not installed."""
    return recalled(inspect(path), watched)


def recalled(finding: Soundness, watched: Watched = NOTHING_WATCHED) -> Recalled:
    """The evening of a journal that was read."""
    evening, misfit = _fold(finding.entries, watched)
    return Recalled(evening, finding.begun_at, misfit or finding.problem)


class Verified(Struct, frozen=True):
    """What `companion games --verify` finds in a journal."""

    entries: int
    """How many are sound and make a game."""
    committed: int
    """Secret choices of simulated players that have a commitment."""
    opened: int
    """Those of them that were revealed."""
    problems: tuple[str, ...]
    """Each names its entry. Nothing in it is secret."""


def verify(path: Path) -> Verified:
    """Read a whole journal, play it again, and check each commitment. Raises JournalError as `recall` does."""
    problems: list[str] = []

    def check(evening: Evening, entry: Entry) -> None:
        if wrong := evening.misfit(entry):
            problems.append(f"entry {entry.number}: {wrong}")

    found = recall(path, {"action": check})
    if found.problem:
        problems.append(found.problem)
    made = found.evening.commitments
    return Verified(found.evening.number, made.count, made.count - len(made.closed), tuple(problems))


def resume(path: Path, *, folder: Path | None = None) -> tuple[Journal, Evening]:
    """Go on with an evening. Raises JournalError if it is damaged, or if its entries do not make a game.

    In that case a file in `folder`, where the evenings are, is set aside; any other is left alone.
    """
    journal = Journal.open(path, folder=folder)
    try:
        evening, misfit = _fold(journal.entries())
    except BaseException:
        journal.close()
        raise
    if misfit:
        journal.set_aside(misfit, evening.number, folder=folder)
    return journal, evening


def _fold(entries: Iterable[Entry], watched: Watched = NOTHING_WATCHED) -> tuple[Evening, str]:
    """The evening up to the first entry that does not fit, and why that one does not. Raises UnplayableError: then
    nothing is wrong with the journal."""
    evening = Evening()
    with without_collecting():
        for entry in entries:
            try:
                if entry.kind in watched:
                    watched[entry.kind](evening, entry)
                evening.take(entry)
            except UnplayableError:
                raise
            except JournalError as error:
                return evening, f"this journal is damaged: its entries make no game: {error}"
            except Exception as error:
                raise _unplayable(error, evening) from error
    return evening, ""


def _unplayable(error: Exception, evening: Evening) -> Exception:
    """A third-party game that fails is reported, and does not affect other evenings; an error of ours is raised."""
    fault = fault_of(error, discovery.strangers())
    if fault is None:
        return error
    game = evening.played_game.game.name if evening.played_games else ""
    words = f"this evening waits for its game: there is a mistake in {fault.package}: {fault.where}"
    return UnplayableError(f"{words}; bring the package up to date, or tell its author", game)


@contextmanager
def without_collecting() -> Iterator[None]:
    """Everything that a fold creates is kept, so searching it for garbage would only take longer and longer."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


# --- Listing ---------------------------------------------------------------------------------------------------


def find(folder: Path, id: str) -> Path:  # noqa: A002  the word that people use for it
    """The journal of this evening. Raises JournalError if there is none."""
    for path in journals(folder):
        if id in (evening_id(path), path.name):
            return path
    raise JournalError(f"there is no evening {id!r} in {folder}; `companion games` lists them")


def evenings(folder: Path) -> list[Summary]:
    """Every evening, newest first, with those that were set aside. Nothing is renamed or changed."""
    return [summary(path) for path in journals(folder)]


def latest_open(folder: Path) -> Summary | None:
    """The newest evening that is not finished. A damaged one counts: if it were skipped, the players would not notice
    the loss."""
    for path in journals(folder):
        if path.suffix == SUFFIX:
            found = summary(path)
            if found.standing in ("open", "damaged"):
                return found
    return None


def newest_at(folder: Path, *also: Path) -> float:
    """Timestamp of the newest entry (not the file's mtime: the clock may be wrong). 0 if there is none; a journal that
    cannot be read is skipped.

    Reads the newest evenings by name, and each that has a ledger: it is being played now, or was when the power was
    cut. All others are closed, and their files are dated by their entries (`Journal.close`).
    """
    try:
        paths = journals(folder)
    except JournalError:
        paths = []
    by_name = islice(filter(None, map(_last_at, paths)), LATEST)
    left_open = (path for path in paths if ledger_of(path).exists())
    return newest((*by_name, *map(_last_at, (*left_open, *also))))


def _last_at(path: Path) -> float:
    with suppress(JournalError):
        return next((entry.at for entry in reversed(inspect(path).entries)), 0.0)
    return 0.0


def summary(path: Path) -> Summary:
    """What this journal says about its evening, or what is wrong with it."""
    name = evening_id(path)
    try:
        finding = inspect(path)
    except JournalError as error:
        return Summary(name, path, "refused", problem=str(error))
    try:
        found = recalled(finding)
    except UnplayableError as error:
        begun_at, package = finding.begun_at, error.package
        return Summary(name, path, "waiting", begun_at, error.game, problem=str(error), package=package)
    evening, problem = found.evening, found.problem
    if not evening.played_games:
        return Summary(name, path, "damaged" if problem else "empty", found.begun_at, problem=problem)
    played_game = evening.played_game
    return Summary(
        id=name,
        path=path,
        standing="damaged" if problem else "finished" if played_game.finished else "open",
        begun_at=found.begun_at,
        game=played_game.game.name,
        players=played_game.header.players,
        people=played_game.people,
        simulated=tuple(played_game.header.simulated),
        games=len(evening.played_games),
        actions=len(played_game.played),
        result=played_game.result if played_game.finished else None,
        earlier=evening.results,
        ended=bool(played_game.ended),
        lowest_wins=played_game.game.lowest_wins,
        problem=problem,
        prepared=played_game.prepared,
    )


def is_idle(summary: Summary) -> bool:
    """Nothing has happened in this evening, and no referee plays it now, so it is not listed."""
    begun = summary.games > 1 or summary.actions or summary.prepared
    return summary.standing in ("empty", "open") and not begun and not holder(summary.path)


# --- Removing -------------------------------------------------------------------------------------------------


def remove(path: Path, folder: Path) -> Path:
    """Move an evening with all its files into the folder for removed ones. Returns where it is now.

    Raises JournalError if it is being played, or if it cannot be moved.
    """
    try:
        with suppress(JournalError):  # a damaged one goes as it is
            Journal.open(path, folder=None).close()  # so that it is a single file
        lock = WriterLock(path) if path.exists() else None
        try:
            make_folder(folder)
            target = _free(folder, path)
            for each in (path, *_beside(path)):
                if each.exists():
                    move(each, target.with_name(target.name + each.name.removeprefix(path.name)))
            for result in path.parent.glob(f"{path.stem}-*.*"):
                if result.name.endswith((*RESULTS, ANALYSIS)):
                    move(result, folder / (target.stem + result.name.removeprefix(path.stem)))
        finally:
            if lock:
                lock.release()
    except OSError as error:
        raise JournalError(f"{path.name}: this evening cannot be removed: {error.strerror}") from None
    return target


def _beside(path: Path) -> list[Path]:
    return [path.with_name(path.name + end) for end in COMPANIONS]


def _free(folder: Path, path: Path) -> Path:
    """The same name there; another evening of this name may have been removed before."""
    names = chain([path.name], (f"{path.stem}~{number}{path.suffix}" for number in count(2)))
    return next(folder / name for name in names if not (folder / name).exists())


def journals(folder: Path) -> list[Path]:
    """The files of all evenings, newest first: by date, then by number. Raises JournalError."""
    try:
        names = list(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        raise JournalError(f"{folder}: cannot look through the evenings: {error.strerror}") from None
    found = {path for path in names if _is_journal(path) and not path.name.endswith(COMPANIONS)}
    return sorted(found | _missed(names), key=_age, reverse=True)


def _missed(names: list[Path]) -> set[Path]:
    """Journals that should exist, because their ledgers do: if they were left out, the players would not notice the
    loss. (A power cut while an evening was set aside may have left its ledger behind.)"""
    end = f"{SUFFIX}-ledger"
    missed = (path.with_name(path.name.removesuffix("-ledger")) for path in names if path.name.endswith(end))
    return {path for path in missed if not any(other.name.startswith(path.name + ASIDE) for other in names)}


def _is_journal(path: Path) -> bool:
    return path.suffix == SUFFIX or SUFFIX + ASIDE in path.name


def _age(path: Path) -> tuple[str, int, str]:
    date, _, number = path.name.partition(SUFFIX)[0].rpartition("-")
    return date, int(number) if number.isdecimal() else 0, path.name


def evening_id(path: Path) -> str:
    """2026-11-16-1, or the whole name of a file that was set aside."""
    return path.stem if path.suffix == SUFFIX else path.name
