"""The folder of evenings: lists them, resumes one, reads what is left of a damaged one, removes one."""

import gc
from collections.abc import Iterable, Iterator
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
from companion.session.entry import Entry
from companion.session.evening import Evening
from companion.session.played_game import Ending

LATEST = 3
"""How many of the newest evenings are asked for their time."""
RESULTS = (".txt", ".svg")
"""The suffixes of a saved result, which is a file beside its evening."""
EveningStanding: TypeAlias = Literal["open", "finished", "empty", "damaged", "refused", "waiting"]


class Summary(Struct, frozen=True):
    """One evening in a list; of a damaged one, what its sound entries say."""

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
    """Who they are: for each seat, the seat its player had in the evening's first game."""
    games: int = 0
    """How many games of the evening have begun."""
    actions: int = 0
    """Of the newest game, without those that were undone."""
    result: Ending | None = None
    """Of the newest game, when it is finished."""
    earlier: tuple[Ending, ...] = ()
    """The games before it that are added up with it."""
    ended: bool = False
    """The match has ended, and the leader has won it."""
    problem: str = ""
    prepared: bool = False
    """The table of the newest game was set up."""
    package: str = ""
    """What has to be installed before a "waiting" one can go on; "" if that would not help, or is not known."""


class Recalled(Struct, frozen=True):
    """An evening as far as its journal is sound, and what is wrong behind that ("" if nothing is)."""

    evening: Evening
    begun_at: float | None
    problem: str


# --- Opening --------------------------------------------------------------------------------------------------


def recall(path: Path) -> Recalled:
    """Fold a journal without changing it, even a damaged one. Raises JournalError only if nothing can be read, or if
    its game is not installed."""
    return _recalled(inspect(path))


def _recalled(finding: Soundness) -> Recalled:
    evening, misfit = _fold(finding.entries)
    return Recalled(evening, finding.begun_at, misfit or finding.problem)


def resume(path: Path, *, folder: Path | None = None) -> tuple[Journal, Evening]:
    """Resume an evening. Raises JournalError if it is damaged, or if its entries do not make a game.

    Then the file is set aside if it is in `folder`, where the evenings are; any other file is left alone.
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


def _fold(entries: Iterable[Entry]) -> tuple[Evening, str]:
    """The evening up to the first entry that does not fit, and why it does not. Raises UnplayableError if the game is
    the problem and not the journal."""
    evening = Evening()
    with _without_collecting():
        for entry in entries:
            try:
                evening.take(entry)
            except UnplayableError:
                raise
            except JournalError as error:
                return evening, f"this journal is damaged: its entries make no game: {error}"
            except Exception as error:
                raise _unplayable(error, evening) from error
    return evening, ""


def _unplayable(error: Exception, evening: Evening) -> Exception:
    """If a game that is not ours fails, its package is named, and other evenings still work. A bug of ours stays as it
    is."""
    fault = fault_of(error, discovery.strangers())
    if fault is None:
        return error
    game = evening.played_game.game.name if evening.played_games else ""
    words = f"this evening waits for its game: there is a mistake in {fault.package}: {fault.where}"
    return UnplayableError(f"{words}; bring the package up to date, or tell its author", game)


@contextmanager
def _without_collecting() -> Iterator[None]:
    """A fold keeps all that it makes: to search it for garbage again and again would take ever longer."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


# --- The list -------------------------------------------------------------------------------------------------


def find(folder: Path, id: str) -> Path:  # noqa: A002  the word that players use for it
    """The journal of this evening. Raises JournalError if there is none."""
    for path in _journals(folder):
        if id in (_id(path), path.name):
            return path
    raise JournalError(f"there is no evening {id!r} in {folder}; `companion games` lists them")


def evenings(folder: Path) -> list[Summary]:
    """Every evening, newest first, with those that were set aside. Nothing is renamed or changed."""
    return [summary(path) for path in _journals(folder)]


def latest_open(folder: Path) -> Summary | None:
    """The newest evening that is not finished. A damaged one counts: skipping it would hide the damage."""
    for path in _journals(folder):
        if path.suffix == SUFFIX:
            found = summary(path)
            if found.standing in ("open", "damaged"):
                return found
    return None


def newest_at(folder: Path, *also: Path) -> float:
    """Timestamp of the newest entry (not the file's mtime: the clock may be wrong). 0 where there is none; a journal
    that cannot be read is skipped.

    It reads the newest evenings by name, and each one that has a ledger: that one is being played, or was when the
    power failed. All others are at rest, and their files are dated by their entries (`Journal.close`)."""
    try:
        journals = _journals(folder)
    except JournalError:
        journals = []
    by_name = islice(filter(None, map(_last_at, journals)), LATEST)
    left_open = (path for path in journals if ledger_of(path).exists())
    return newest((*by_name, *map(_last_at, (*left_open, *also))))


def _last_at(path: Path) -> float:
    with suppress(JournalError):
        return next((entry.at for entry in reversed(inspect(path).entries)), 0.0)
    return 0.0


def summary(path: Path) -> Summary:
    """What this journal says about its evening, or what is wrong with it."""
    name = _id(path)
    try:
        finding = inspect(path)
    except JournalError as error:
        return Summary(name, path, "refused", problem=str(error))
    try:
        recalled = _recalled(finding)
    except UnplayableError as error:
        begun_at, package = finding.begun_at, error.package
        return Summary(name, path, "waiting", begun_at, error.game, problem=str(error), package=package)
    evening, problem = recalled.evening, recalled.problem
    if not evening.played_games:
        return Summary(name, path, "damaged" if problem else "empty", recalled.begun_at, problem=problem)
    played_game = evening.played_game
    return Summary(
        id=name,
        path=path,
        standing="damaged" if problem else "finished" if played_game.finished else "open",
        begun_at=recalled.begun_at,
        game=played_game.game.name,
        players=played_game.header.players,
        people=played_game.people,
        games=len(evening.played_games),
        actions=len(played_game.played),
        result=played_game.result if played_game.finished else None,
        earlier=evening.results,
        ended=bool(played_game.ended),
        problem=problem,
        prepared=played_game.prepared,
    )


def is_idle(summary: Summary) -> bool:
    """Nothing has happened in this evening, and no referee plays it: a list leaves it out."""
    begun = summary.games > 1 or summary.actions or summary.prepared
    return summary.standing in ("empty", "open") and not begun and not holder(summary.path)


# --- Removing -------------------------------------------------------------------------------------------------


def remove(path: Path, folder: Path) -> Path:
    """Move an evening, with the files beside it, into the folder for removed ones. Returns where it is now.

    Raises JournalError if it is being played, or if it cannot be moved."""
    try:
        with suppress(JournalError):  # a damaged one is moved as it is
            Journal.open(path, folder=None).close()  # so that it is a single file
        lock = WriterLock(path) if path.exists() else None
        try:
            make_folder(folder)
            target = _free(folder, path)
            for each in (path, *_beside(path)):
                if each.exists():
                    move(each, target.with_name(target.name + each.name.removeprefix(path.name)))
            for result in path.parent.glob(f"{path.stem}-*.*"):
                if result.suffix in RESULTS:
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
    """The same name, unless another evening of this name was removed before."""
    names = chain([path.name], (f"{path.stem}~{number}{path.suffix}" for number in count(2)))
    return next(folder / name for name in names if not (folder / name).exists())


def _journals(folder: Path) -> list[Path]:
    """Newest first: by date, then by number."""
    try:
        names = list(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        raise JournalError(f"{folder}: cannot look through the evenings: {error.strerror}") from None
    journals = {path for path in names if _is_journal(path) and not path.name.endswith(COMPANIONS)}
    return sorted(journals | _missed(names), key=_age, reverse=True)


def _missed(names: list[Path]) -> set[Path]:
    """Journals that should be there, because their ledgers are: leaving them out would hide the loss. (If the power
    failed while one was set aside, its ledger may have stayed.)"""
    end = f"{SUFFIX}-ledger"
    missed = (path.with_name(path.name.removesuffix("-ledger")) for path in names if path.name.endswith(end))
    return {path for path in missed if not any(other.name.startswith(path.name + ASIDE) for other in names)}


def _is_journal(path: Path) -> bool:
    return path.suffix == SUFFIX or SUFFIX + ASIDE in path.name


def _age(path: Path) -> tuple[str, int, str]:
    date, _, number = path.name.partition(SUFFIX)[0].rpartition("-")
    return date, int(number) if number.isdecimal() else 0, path.name


def _id(path: Path) -> str:
    """2026-11-16-1, or the whole name of a file that was set aside."""
    return path.stem if path.suffix == SUFFIX else path.name
