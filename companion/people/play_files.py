"""Results as files for other programs: CSV and JSON (docs/statistics.md has the schema), and links for BG Stats.

Earlier plays are read from the same CSV. Pure: texts in, results out.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Struct

from companion.errors import GameError, UsageError
from companion.gamekit import discovery
from companion.gamekit.ending import strengths, teams_of
from companion.gamekit.game import Game
from companion.language.wording import listed, plain
from companion.people.past_games import PastGame, PastSeat
from companion.people.persons import People
from companion.people.statistics import person_at

SCHEMA = 1
COLUMNS = (
    *("play", "game", "began", "ended", "minutes", "finished", "seat", "person", "person_id"),
    *("start", "simulated", "score", "rank", "won", "thinking_s"),
)
NEEDED = ("play", "game", "began", "person", "score")
"""The columns that an import must have."""
MOST_PROBLEMS = 5
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins so would be computed by a spreadsheet. It gets an apostrophe in front."""


class PlayedSeat(Struct, frozen=True):
    """One row of an export: a player of a game."""

    play: str
    game: str
    began: str
    """UTC, 2026-11-18T19:30:00Z; so is the next."""
    ended: str
    minutes: float
    finished: bool
    seat: int
    person: str
    person_id: str
    """Empty for a simulated player."""
    start: bool
    simulated: bool
    score: int
    rank: int
    won: bool
    thinking_s: float


def _rows(games: Iterable[PastGame], people: People) -> Iterator[tuple[PlayedSeat, PastSeat]]:
    for game in games:
        for number, seat in enumerate(game.seats):
            who = people.who(game.evening, seat.name)
            yield (
                PlayedSeat(
                    play=game.id,
                    game=game.game,
                    began=_utc(game.begun_at),
                    ended=_utc(game.ended_at),
                    minutes=round(game.seconds / 60, 1),
                    finished=game.finished,
                    seat=number,
                    person=seat.name if seat.simulated else who.name,
                    person_id="" if seat.simulated else who.id,
                    start=number == game.first,
                    simulated=seat.simulated,
                    score=seat.score,
                    rank=seat.rank,
                    won=seat.won,
                    thinking_s=seat.thought_s,
                ),
                seat,
            )


def _utc(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


# --- Writing --------------------------------------------------------------------------------------------------


def csv_text(games: Iterable[PastGame], people: People) -> str:
    """A line for each player of each game."""
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(COLUMNS)
    for row, _seat in _rows(games, people):
        table.writerow([_cell(getattr(row, name)) for name in COLUMNS])
    return written.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value


def json_text(games: Iterable[PastGame], people: People) -> str:
    """The same with the game's own numbers (`tallies`)."""
    seats = [{**msgspec.structs.asdict(row), "tallies": seat.tallies} for row, seat in _rows(games, people)]
    encoded = msgspec.json.encode({"schema": SCHEMA, "seats": seats})
    return msgspec.json.format(encoded, indent=1).decode() + "\n"


# --- BG Stats -------------------------------------------------------------------------------------------------

BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Companion"
"""BG Stats remembers which of its players and games are ours by this name and the ids, so they never change."""


def bg_stats_link(game: PastGame, people: People) -> str:
    """A link that opens BG Stats with this play; nothing is stored there before the player says so. The format:
    https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/

    Its Android app fails if `winner` or `startPlayer` is left out."""
    players = [
        {
            "name": who.name,
            "sourcePlayerId": who.id,
            "startPlayer": number == game.first,
            "winner": seat.won,
            "rank": seat.rank,
            "score": seat.score,
        }
        for number, seat in enumerate(game.seats)
        for who in (person_at(game, seat, people),)
    ]
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": f"{game.id}-{game.begun_at:.0f}",
        "playDate": f"{datetime.fromtimestamp(game.ended_at, UTC):%Y-%m-%d %H:%M:%S}",
        "durationMin": round(game.seconds / 60),
        "game": {
            "name": discovery.title(game.game),
            "sourceGameId": game.game,
            "highestWins": not game.lowest_wins,
            "noPoints": False,
        },
        "players": players,
    }
    return BG_STATS + quote(msgspec.json.encode(play).decode(), safe="")


# --- Reading --------------------------------------------------------------------------------------------------


def read_plays(text: str, origin: str) -> list[PastGame]:
    """Plays from a CSV file. Raises UsageError, which names the lines that are wrong; then none of it counts."""
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    try:
        separator = ";" if ";" in first and "," not in first else ","  # some spreadsheets write semicolons
        table = csv.DictReader(io.StringIO(text, newline=""), strict=True, delimiter=separator)
        table.fieldnames = [name.strip().lower() for name in table.fieldnames or ()]
        missing = [name for name in NEEDED if name not in table.fieldnames]
        if missing:
            raise UsageError(f"{origin}: the first line has no column {listed(missing)}")
        rows = [(table.line_num, row) for row in table]
    except csv.Error as error:
        raise UsageError(f"{origin}: this is no CSV: {error}") from None
    plays: dict[str, list[tuple[int, Mapping[str, str]]]] = {}
    for line, row in rows:
        plays.setdefault((row["play"] or "").strip(), []).append((line, row))
    games, problems = [], []
    for play, lines in plays.items():
        try:
            games.append(_play(play, lines))
        except ValueError as error:
            problems.append(str(error))
    if problems:
        more = f" (and {len(problems) - MOST_PROBLEMS} more)" if len(problems) > MOST_PROBLEMS else ""
        raise UsageError(f"{origin}: {'; '.join(problems[:MOST_PROBLEMS])}{more}. Nothing was imported")
    return games


def _play(play: str, lines: list[tuple[int, Mapping[str, str]]]) -> PastGame:
    """Raises ValueError, which names the line."""
    first_line, first = lines[0]
    if not play:
        raise ValueError(f"line {first_line}: the column play is empty")
    names = [plain(_uncelled(row["person"] or "")) for _, row in lines]
    scores = [_number(line, row, "score") for line, row in lines]
    for seat, ((line, _), name) in enumerate(zip(lines, names, strict=True)):
        if not name or name in names[:seat]:
            raise ValueError(
                f"line {line}: {name or 'a player without a name'}{' sits twice in ' + play if name else ''}"
            )
    for line, row in lines[1:]:
        for name in ("game", "began"):
            if row[name] != first[name]:
                here, there = plain(row[name] or "", 40), plain(first[name] or "", 40)
                raise ValueError(f"line {line}: {name} of {play} is {here!r}, and {there!r} in line {first_line}")
    game = _game(first_line, first["game"] or "")
    installed = _installed(game)
    fewest = installed is not None and installed.lowest_wins
    strong = strengths(scores, fewest)
    ranks = [
        _number(line, row, "rank") if row.get("rank") else 1 + sum(other > each for other in strong)
        for (line, row), each in zip(lines, strong, strict=True)
    ]
    won = [_yes(line, row, "won", rank == 1) for (line, row), rank in zip(lines, ranks, strict=True)]
    finished = _yes(first_line, first, "finished", True)
    teams = teams_of(installed, len(names)) if installed else ()
    if finished and not any(won) and len(teams) != 1:
        raise ValueError(f"line {first_line}: no player has won {play}")
    began = _moment(first_line, first["began"] or "", "began")
    ended = _moment(first_line, first["ended"], "ended") if first.get("ended") else began
    seats = tuple(
        PastSeat(name, score, rank, is_winner and finished, _yes(line, row, "simulated", False), _thought(line, row))
        for (line, row), name, score, rank, is_winner in zip(lines, names, scores, ranks, won, strict=True)
    )
    starts = [seat for seat, (line, row) in enumerate(lines) if _yes(line, row, "start", False)]
    evening, _, number = play.rpartition("/")
    known = (evening, int(number)) if evening and number.isdecimal() else (play, 1)
    seconds = 60 * _float(first_line, first, "minutes")
    start = starts[0] if len(starts) == 1 else -1
    return PastGame(*known, game, began, ended, seconds, start, seats, finished, lowest_wins=fewest, teams=teams)


def _uncelled(text: str) -> str:
    """Without the apostrophe of `_cell`."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULAS) else text


def _thought(line: int, row: Mapping[str, str]) -> float:
    return _float(line, row, "thinking_s")


def _game(line: int, name: str) -> str:
    """An installed game by its name or title; any other as it is written."""
    for known in discovery.names():
        if name.strip().casefold() in (known.casefold(), discovery.title(known).casefold()):
            return known
    if not plain(name):
        raise ValueError(f"line {line}: the column game is empty")
    return plain(name, 60)


def _installed(name: str) -> Game[Any, Any] | None:
    """It knows whether the fewest points win, and who plays with whom; None: it is not installed."""
    with suppress(UsageError, GameError):
        return discovery.find(name)
    return None


def _number(line: int, row: Mapping[str, str], name: str) -> int:
    try:
        return int(row[name])
    except (TypeError, ValueError):
        raise ValueError(f"line {line}: {name} is {plain(row[name] or '', 40)!r}, not a whole number") from None


def _float(line: int, row: Mapping[str, str], name: str) -> float:
    try:
        value = float(row.get(name) or 0)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise ValueError(f"line {line}: {name} is {plain(str(row[name]), 40)!r}, not a number of 0 or more")
    return value


def _yes(line: int, row: Mapping[str, str], name: str, default: bool) -> bool:
    said = (row.get(name) or "").strip().lower()
    words = {"": default, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if said not in words:
        raise ValueError(f"line {line}: {name} is {plain(said, 40)!r}, not yes or no")
    return words[said]


def _moment(line: int, text: str, name: str) -> float:
    """A day, or a day and a time; without a zone it is the computer's."""
    try:
        return datetime.fromisoformat(text.strip()).astimezone().timestamp()
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"line {line}: {name} is {plain(text, 40)!r}, not a date such as 2026-11-18") from None
