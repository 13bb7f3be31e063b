"""`companion export`: writes a game as a transcript, to standard output or to a file with its box beside it; or results
as CSV, JSON, a web page, a picture or a link for BG Stats."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import JournalError, UsageError
from companion.files import store_all
from companion.home.box_files import find_box
from companion.home.paths import earlier_plays_path, evenings_folder, past_games_path, people_path
from companion.journal import evening_folder
from companion.language.screen_language import LANGUAGES
from companion.language.wording import plain
from companion.people.past_games import PastGames, fold_evening, past_games
from companion.people.persons import load_people
from companion.people.play_files import bg_stats_link, csv_text, json_text
from companion.people.recap import courses
from companion.processes.evenings import find_evening
from companion.session.evening import Evening
from companion.session.transcript_export import chosen_game, transcript, untold
from companion.verbs.arguments import natural

if TYPE_CHECKING:
    from companion.people.result_pages import EveningResults

RESULT_FORMATS = ("csv", "json", "html", "picture", "bgstats")
LENGTH = 1000
"""How many letters of a path are printed."""


EXAMPLES = ("companion export -o game.jsonl", "companion export --format csv -o plays.csv")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("evening", nargs="?", help="which evening (default: the newest), or the path of a journal")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the transcript; its box goes next to it")
    parser.add_argument("--game", type=natural, metavar="N", help="which game of a match (default: the newest)")
    parser.add_argument(
        "--format",
        choices=("transcript", *RESULT_FORMATS),
        default="transcript",
        help="csv and json: the results of all evenings, or of one; html: an evening as a page; picture: as one SVG; "
        "bgstats: a link",
    )
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="of the page (default: en)")
    parser.add_argument("--force", action="store_true", help="overwrite FILE")


def run(said: Namespace) -> int:
    """Raises UsageError, JournalError, BoxError."""
    if said.format != "transcript":
        return _export_results(said)
    recalled = evening_folder.recall(find_evening(said.evening))
    if recalled.problem and not recalled.evening.played_games:
        raise JournalError(f"{recalled.problem}; nothing of it can be exported")
    if recalled.problem:
        print(f"companion: {plain(recalled.problem, LENGTH)}; this is what can still be read", file=sys.stderr)
    if hidden := untold(recalled.evening, game=said.game):
        what = "the newest action is" if hidden == 1 else f"the newest {hidden} actions are"
        print(f"companion: {what} left out: something in them is still hidden at the table", file=sys.stderr)
    if said.output is not None:
        return _export_to(said.output, recalled.evening, said.game, force=said.force)
    text = transcript(recalled.evening, game=said.game)
    played_game = recalled.evening.played_games[(said.game or 0) - 1]
    if find_box(played_game.game).text != played_game.box_text:
        raise UsageError(
            "this game was played with another box than yours now: name a file with -o, its box goes beside it"
        )
    print(text, end="")
    return 0


# --- Results --------------------------------------------------------------------------------------------------


def _export_results(said: Namespace) -> int:
    text = _results(said.format, said.evening, said.game, said.language)
    if said.output is None:
        print(text, end="")
        return 0
    write_results(said.output, text, force=said.force)
    print(f"Written: {plain(str(said.output), LENGTH)}")
    return 0


def _results(wanted: str, evening: str | None, number: int | None, language: str) -> str:
    people = load_people(people_path())
    past = past_games(evenings_folder(), past_games_path(), earlier_plays_path())
    for problem in past.problems:
        print(f"companion: {plain(problem, LENGTH)}; it is left out", file=sys.stderr)
    if evening is None and wanted in ("csv", "json"):
        games = list(past.games)
    else:
        folded = fold_evening(find_evening(evening or _default(wanted, past)))
        games = [game for game in folded.games if number in (None, game.number)]
        if wanted in ("html", "picture"):
            from companion.people.result_pages import EveningResults  # noqa: PLC0415 — a face takes long to load

            return _evening(wanted, EveningResults(games, past.games, people, courses(folded)), language)
    match wanted:
        case "csv":
            return csv_text(games, people)
        case "json":
            return json_text(games, people)
    finished = [game for game in games if game.finished]
    if not finished:
        raise UsageError("BG Stats takes finished games: there is none in this evening")
    return "".join(f"{bg_stats_link(game, people)}\n" for game in (finished if number else finished[-1:]))


def _default(wanted: str, past: PastGames) -> str | None:
    """The newest evening; for what shows finished games, the newest one that has any."""
    own = [evening_folder.evening_id(path) for path in evening_folder.journals(evenings_folder())]
    finished = [game.evening for game in past.games if game.finished and game.evening in own]
    return finished[-1] if finished and wanted != "html" else None


def _evening(wanted: str, evening: "EveningResults", language: str) -> str:
    from companion.people.result_pages import evening_page, evening_picture  # noqa: PLC0415 — as above

    if not evening.games:
        raise UsageError("there is no such game in this evening")
    if wanted == "html":
        return evening_page(evening, language)
    if not any(game.finished for game in evening.games):
        raise UsageError("a picture shows finished games: there is none in this evening")
    return evening_picture(evening, language)


def write_results(path: Path, text: str, *, force: bool) -> None:
    """Raises UsageError rather than overwrite a file, unless forced."""
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder: name a file in it")
        if not force and (path.exists() or path.is_symlink()):
            raise UsageError(f"{path}: there is such a file already; --force overwrites it")
        store_all({path: text})
    except OSError as error:
        raise UsageError(f"{path}: cannot write the results: {error.strerror}") from None
    except ValueError as error:  # a name that no file can have
        raise UsageError(f"{path}: cannot write the results: {error}") from None


# --- Transcripts ----------------------------------------------------------------------------------------------


def _export_to(path: Path, evening: Evening, game: int | None, *, force: bool) -> int:
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder: name a file in it")
        box = write_export(evening, path, game=game, force=force)
    except OSError as error:  # a name that is too long for a file
        raise JournalError(f"{path}: cannot write the transcript: {error.strerror}") from None
    except ValueError as error:  # a name that no file can have
        raise JournalError(f"{path}: cannot write the transcript: {error}") from None
    print(f"Written: {plain(str(path), LENGTH)} and its box {plain(str(box), LENGTH)}")
    return 0


def write_export(evening: Evening, path: Path, *, game: int | None = None, force: bool = False) -> Path:
    """Write the transcript and, beside it, its box, whose path is returned. Raises UsageError rather than overwrite a
    file, unless forced."""
    box = path.with_name(f"{path.stem}.box.toml")
    for file in () if force else (path, box):
        if file.exists() or file.is_symlink():
            raise UsageError(f"{file}: there is such a file already; --force overwrites it")
    try:
        store_all({box: chosen_game(evening, game).box_text, path: transcript(evening, box.name, game=game)})
    except OSError as error:
        raise JournalError(f"{path}: cannot write the transcript: {error.strerror}") from None
    return box
