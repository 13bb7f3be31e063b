"""How far an enrolment has got, and which box was printed. See docs/tags.md."""

import hashlib
from typing import Any

import msgspec

from companion.enrolment.course import Course, EnrolmentError, checked, standing
from companion.errors import CompanionError
from companion.files import load, store
from companion.gamekit.game import Game
from companion.home.box_files import find_box
from companion.home.paths import print_path, progress_path
from companion.toml import read_toml, toml_text

# --- The box that was printed last ----------------------------------------------------------------------------
# Enrolling that one asks only for tags.

PRINT_SIZE_LIMIT = 4096
"""Bytes: the file has one line."""


def note_print(game: str, box: str) -> None:
    """Remember that the box with this text was printed. Raises OSError."""
    store(print_path(game), toml_text({"box": _digest(box)}))


def was_printed(game: str, box: str) -> bool:
    """Whether the box with this text was printed last. False if that cannot be read."""
    try:
        return read_toml(load(print_path(game), PRINT_SIZE_LIMIT).decode()).get("box") == _digest(box)
    except (OSError, ValueError):
        return False


def _digest(box: str) -> str:
    return hashlib.sha256(box.encode()).hexdigest()


# --- Progress -------------------------------------------------------------------------------------------------

SIZE_LIMIT = 4 * 1024 * 1024
"""Bytes: fifty times the largest real enrolment, with the box that it started from."""


def resumed(game: Game[Any, Any], *, printed: bool = False) -> Course:
    """The enrolment where the owner stopped, or a new one. Raises EnrolmentError, BoxError."""
    path = progress_path(game.name)
    try:
        kept = msgspec.json.decode(load(path, SIZE_LIMIT), type=Course)
        if kept.game != game.name:
            raise EnrolmentError(f"this is an enrolment of {kept.game!r}")
        game.parse_box(kept.base, "the box that it began with")
        return checked(kept)
    except FileNotFoundError:
        return Course(game.name, find_box(game).text, printed=printed)
    except OSError as error:
        raise EnrolmentError(f"{path}: cannot be read: {error.strerror}") from None
    except RecursionError:
        raise _useless(game, "it is nested too deeply") from None
    except (ValueError, CompanionError) as error:
        raise _useless(game, str(error)) from None


def _useless(game: Game[Any, Any], why: str) -> EnrolmentError:
    advice = f"`companion enroll {game.name} --start-over` sets it aside and starts over"
    return EnrolmentError(f"{progress_path(game.name)}: this enrolment cannot be continued: {why}; {advice}")


def half_done(game: Game[Any, Any]) -> str:
    """How far an unfinished enrolment has got, in a sentence; "" if there is none. Raises EnrolmentError."""
    if not progress_path(game.name).exists():
        return ""
    now = standing(resumed(game))
    if now.next is None:
        return ""
    done = len(now.steps) - len(now.waiting)
    return (
        f"the enrolment of {game.name} is at {done} of {len(now.steps)} steps; `companion enroll {game.name}` goes on"
    )
