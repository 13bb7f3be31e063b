"""The table's outbox: results that the hall gets exactly once, even if it is away for a week.

    outbox/taken-….json     an assignment: the hall gave this table these players, and the evening they play
    outbox/KEY.json         a result, and which revision of it the hall has confirmed

An assignment is stored before its evening begins, and a result before it is sent. A table that is killed in between
finds both again: the evening by its players, the result by its key. The hall ignores what it has already, so sending
once more is harmless.
"""

import secrets
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.errors import JournalError
from companion.files import changing, load, make_folder, store
from companion.hall.hall_client import HallAwayError, HallRefusedError
from companion.hall.hall_messages import GameReport, Stored, TablePlan
from companion.hall.hall_state import ReportedSeat
from companion.journal.evening_folder import evening_id, journals
from companion.journal.store import SUFFIX
from companion.people.past_games import FoldedJournal, PastGame, fold_journal, journal_stamp

FILE_BYTES = 1024 * 1024
TAKEN = "taken-"
EARLY_S = 600.0
"""An evening may begin so long before its assignment, if the clock was set in between."""


class Assignment(Struct, frozen=True):
    """The hall gave this table these players."""

    club_id: str
    night: int
    round: int
    game: str
    players: tuple[str, ...]
    taken_at: float
    evening: str = ""
    """Its id, once it has begun."""


class OutboxResult(Struct, frozen=True, omit_defaults=True):
    key: str
    report: GameReport
    confirmed: int = 0
    """The newest revision that the hall has committed."""
    refused: int = 0
    """The revision that the hall has refused."""
    problem: str = ""
    """Why."""

    @property
    def is_waiting(self) -> bool:
        return self.report.revision > max(self.confirmed, self.refused)


Send = Callable[[str, GameReport], Stored]
"""`HallClient.report`."""


class Outbox:
    """One process at a time writes a file: `changing` locks the folder."""

    def __init__(self, folder: Path, evenings: Path) -> None:
        self._folder, self._evenings = folder, evenings
        self._folded: dict[str, tuple[tuple[int, ...], FoldedJournal]] = {}
        """Evening → its journal as it was folded last."""

    # --- Assignments ------------------------------------------------------------------------------------------

    def take(self, club_id: str, plan: TablePlan, now: float) -> str:
        """Store that the hall gave us these players. Returns the name of the assignment. Raises OSError."""
        name = f"{TAKEN}{plan.night}-{plan.round}-{secrets.token_hex(4)}"
        made = Assignment(club_id, plan.night, plan.round, plan.game, plan.players, now)
        with changing(self._folder):
            store(self._folder / f"{name}.json", msgspec.json.encode(made))
        return name

    def bind(self, name: str, evening: str) -> None:
        """This evening plays the assignment. Raises OSError."""
        path = self._folder / f"{name}.json"
        with changing(self._folder):
            made = msgspec.json.decode(load(path, FILE_BYTES), type=Assignment)
            store(path, msgspec.json.encode(replace(made, evening=evening)))

    def drop(self, name: str) -> None:
        """Its evening could not begin. Raises OSError."""
        (self._folder / f"{name}.json").unlink(missing_ok=True)

    def assignments(self) -> Iterator[tuple[str, Assignment]]:
        for path in sorted(self._folder.glob(f"{TAKEN}*.json")):
            with suppress(OSError, ValueError):
                yield path.stem, msgspec.json.decode(load(path, FILE_BYTES), type=Assignment)

    # --- Results ----------------------------------------------------------------------------------------------

    def collect(self) -> None:
        """Put all results of assigned evenings into the outbox: new ones, and those that were corrected. Raises
        OSError."""
        make_folder(self._folder)
        bound = {made.evening for _, made in self.assignments()}
        for name, made in list(self.assignments()):
            evening = made.evening or self._lost_evening(made, bound)
            if evening and not made.evening:
                self.bind(name, evening)
            if evening:
                self._collect_from(evening, made)

    def _lost_evening(self, made: Assignment, bound: set[str]) -> str:
        """The evening of an assignment whose table was killed before it could note which one it is."""
        for path in journals(self._evenings):
            if path.suffix != SUFFIX or evening_id(path) in bound:
                continue
            games = self._fold(path).games
            if games and games[0].begun_at >= made.taken_at - EARLY_S and _is_of(made, games[0]):
                bound.add(evening_id(path))
                return evening_id(path)
        return ""

    def _fold(self, path: Path) -> FoldedJournal:
        """Folded again only if the journal has changed. One that cannot be read has no games now."""
        stamp = journal_stamp(path)
        known = self._folded.get(path.name)
        if known is None or known[0] != stamp:
            try:
                known = stamp, fold_journal(path)
            except JournalError:
                known = (), FoldedJournal(b"", 0, ())
            self._folded[path.name] = known
        return known[1]

    def _collect_from(self, evening: str, made: Assignment) -> None:
        folded = self._fold(self._evenings / f"{evening}{SUFFIX}")
        for game in folded.games:
            if not _is_of(made, game):
                continue
            key = result_key(folded.identity, game.number)
            report = game_report(made, game, folded.entries)
            self._put(key, partial(_collected, key, report))

    def _put(self, key: str, change: Callable[[OutboxResult | None], OutboxResult | None]) -> None:
        """What it was → what it is to be, with nobody in between; None: it stays."""
        with changing(self._folder):
            changed = change(self.result(key))
            if changed is not None:
                store(self._folder / f"{key}.json", msgspec.json.encode(changed))

    def result(self, key: str) -> OutboxResult | None:
        with suppress(OSError, ValueError):
            return msgspec.json.decode(load(self._folder / f"{key}.json", FILE_BYTES), type=OutboxResult)
        return None

    def results(self) -> list[OutboxResult]:
        found = [self.result(path.stem) for path in sorted(self._folder.glob("*.json"))]
        return [each for each in found if each is not None]

    # --- Forgetting a person ----------------------------------------------------------------------------------

    def rename(self, renamed: Callable[[str, str], str], kept: Collection[str]) -> list[str]:
        """Replace names: `renamed` says what a name in an evening becomes; the evenings in `kept` are left alone. The
        hall knows a result by its players, so one that it has not got yet waits. Returns the evenings that do. Raises
        OSError."""
        waiting = []
        for name, made in list(self.assignments()):
            players = tuple(renamed(made.evening, player) for player in made.players)
            if made.evening in kept or players == made.players:
                continue
            results = [each for each in self.results() if _is_result_of(made, each.report)]
            if any(each.is_waiting for each in results):
                waiting.append(made.evening)
                continue
            for each in results:
                self._put(each.key, partial(_renamed, partial(renamed, made.evening)))
            with changing(self._folder):
                store(self._folder / f"{name}.json", msgspec.json.encode(replace(made, players=players)))
        return waiting

    # --- Sending ----------------------------------------------------------------------------------------------

    def deliver(self, club_id: str, send: Send) -> str:
        """Send what is waiting for this club. Returns what is wrong; "" if all is delivered. Raises OSError."""
        problem = ""
        for result in self.results():
            if not result.is_waiting:
                problem = problem or result.problem
            elif result.report.club_id != club_id:
                problem = problem or "results wait for another club's hall"
            else:
                try:
                    stored = send(result.key, result.report)
                except HallAwayError as error:
                    return str(error)
                except HallRefusedError as error:
                    problem = problem or str(error)
                    self._put(result.key, partial(_marked, refused=result.report.revision, problem=str(error)))
                else:
                    self._put(result.key, partial(_marked, confirmed=stored.revision, problem=""))
        return problem


def _collected(key: str, report: GameReport, known: OutboxResult | None) -> OutboxResult | None:
    """A new result, or one that was corrected since."""
    if known is None:
        return OutboxResult(key, report) if report.finished else None
    is_same = replace(known.report, revision=0) == replace(report, revision=0)
    return None if is_same or report.revision < known.report.revision else replace(known, report=report)


def _renamed(renamed: Callable[[str], str], known: OutboxResult | None) -> OutboxResult | None:
    if known is None:
        return None
    seats = tuple(replace(seat, name=renamed(seat.name)) for seat in known.report.seats)
    return replace(known, report=replace(known.report, seats=seats))


def _marked(known: OutboxResult | None, **marks: int | str) -> OutboxResult | None:
    """What the hall has said. A correction that came meanwhile stays, and is sent next."""
    return None if known is None else replace(known, **marks)


def _is_of(made: Assignment, game: PastGame) -> bool:
    return game.game == made.game and sorted(seat.name for seat in game.seats) == sorted(made.players)


def _is_result_of(made: Assignment, report: GameReport) -> bool:
    of = (report.club_id, report.night, report.round, report.game)
    named = sorted(seat.name for seat in report.seats)
    return of == (made.club_id, made.night, made.round, made.game) and named == sorted(made.players)


def result_key(identity: bytes, game: int) -> str:
    """Hash of journal and game."""
    return sha256(identity + game.to_bytes(4, "big")).hexdigest()


def game_report(made: Assignment, game: PastGame, entries: int) -> GameReport:
    """The revision is the length of the journal: a correction after the end makes it longer."""
    seats = tuple(ReportedSeat(seat.name, seat.score, seat.rank) for seat in game.seats)
    ended = round(game.ended_at, 3)
    return GameReport(
        made.club_id, entries, made.night, made.round, made.game, ended, seats, game.finished, game.lowest_wins
    )
