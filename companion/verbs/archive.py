"""`companion games` and `companion export`: what was played."""

import sys
from datetime import datetime
from pathlib import Path

from companion.boxes import find_box
from companion.errors import JournalError, UsageError
from companion.journal import shelf
from companion.journal.evening import Evening
from companion.journal.export import transcript, write_export
from companion.journal.shelf import Summary
from companion.verbs.evenings import evenings_folder, find_evening
from companion.wording import listed, plain


def list_evenings() -> int:
    """One line an evening, newest first."""
    summaries = shelf.evenings(evenings_folder())
    if not summaries:
        print("No evening has been played yet. `companion play` begins one.")
    for summary in summaries:
        print(_line(summary))
    return 0


def _line(summary: Summary) -> str:
    if summary.problem:
        return f"{summary.id}  {summary.problem}"
    if summary.begun_at is None or summary.standing == "empty":
        return f"{summary.id}  no game has begun"
    began = f"{datetime.fromtimestamp(summary.begun_at).astimezone():%d %b %Y, %H:%M}"
    which = f" (game {summary.games} of a match)" if summary.games > 1 else ""
    return f"{summary.id}  {began}  {summary.game}{which}: {_standing(summary)}"


def _standing(summary: Summary) -> str:
    names = [plain(name) for name in summary.players]
    if summary.result is None:
        return f"{listed(names)}, {summary.actions} {'action' if summary.actions == 1 else 'actions'} so far"
    totals = zip(names, summary.result.totals, strict=True)
    won = listed([names[seat] for seat in summary.result.winners])
    return f"{', '.join(f'{name} {total}' for name, total in totals)}; won by {won}"


def export(named: str | None, output: Path | None, game: int | None, *, force: bool) -> int:
    """Write a transcript, to a file with its box beside it, or to the standard output."""
    recalled = shelf.recall(find_evening(named))
    if recalled.problem:
        print(f"companion: {recalled.problem}; this is what can still be told", file=sys.stderr)
    if output is not None:
        return _export_to(output, recalled.evening, game, force=force)
    text = transcript(recalled.evening, game=game)
    sitting = recalled.evening.sittings[(game or 0) - 1]
    if find_box(sitting.game).text != sitting.box_text:
        raise UsageError(
            "this game was played with another box than yours now: name a file with -o, its box goes beside it"
        )
    print(text, end="")
    return 0


def _export_to(path: Path, evening: Evening, game: int | None, *, force: bool) -> int:
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder: name a file in it")
        written = write_export(evening, path, game=game, force=force)
    except OSError as error:  # a name that is too long for a file
        raise JournalError(f"{path}: cannot write the transcript: {error.strerror}") from None
    except ValueError as error:  # a name that no file can have
        raise JournalError(f"{path}: cannot write the transcript: {error}") from None
    print(f"Written: {written.transcript} and its box {written.box}")
    return 0
