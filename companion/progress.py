"""How far an owner has come through his box: COMPANION_HOME/enrolments/<game>.json. See docs/tags.md."""

from pathlib import Path
from typing import Any

import msgspec

from companion.boxes import find_box, home
from companion.enrolment.course import Course, EnrolmentError, checked, standing
from companion.errors import CompanionError
from companion.games.game import Game
from companion.storage import load

SIZE_LIMIT = 4 * 1024 * 1024
"""With the box that it began with, the largest real one needs a fiftieth of it."""


def progress_path(game: str) -> Path:
    return home() / "enrolments" / f"{game}.json"


def resumed(game: Game[Any, Any]) -> Course:
    """Where the owner stopped; else the beginning. Raises EnrolmentError, BoxError."""
    path = progress_path(game.name)
    try:
        kept = msgspec.json.decode(load(path, SIZE_LIMIT), type=Course)
        if kept.game != game.name:
            raise EnrolmentError(f"this is an enrolment of {kept.game!r}")
        game.parse_box(kept.base, "the box that it began with")
        return checked(kept)
    except FileNotFoundError:
        return Course(game.name, find_box(game).text)
    except OSError as error:
        raise EnrolmentError(f"{path}: cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, ValueError, CompanionError) as error:
        advice = f"`companion enroll {game.name} --anew` sets it aside and begins from the start"
        raise EnrolmentError(f"{path}: cannot be gone on with: {error}; {advice}") from None


def half_done(game: Game[Any, Any]) -> str:
    """How far an enrolment is that was begun and not ended, in a sentence; else "". Raises EnrolmentError."""
    if not progress_path(game.name).exists():
        return ""
    now = standing(resumed(game))
    if now.next is None:
        return ""
    done = len(now.steps) - len(now.waiting)
    return (
        f"the enrolment of {game.name} is at {done} of {len(now.steps)} steps; `companion enroll {game.name}` goes on"
    )
