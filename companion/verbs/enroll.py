"""`companion enroll`: an owner goes through his own box, with a screen and, if there is one, a reader."""

import fcntl
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.boxes import home
from companion.config import find_table
from companion.devices.device import Device
from companion.enrolment.clerk import Listen
from companion.enrolment.course import Course, EnrolmentError, Outcome, outcome, standing
from companion.errors import CompanionError, LinkError
from companion.games.game import Game
from companion.packs import pack_path, store_pack, stored_pack
from companion.progress import progress_path, resumed
from companion.storage import store
from companion.table.effects import Cue, Sound
from companion.table.pieces import Pack
from companion.table.signals import CENTRE
from companion.verbs.equipment import equipment
from companion.verbs.play import Looks
from companion.verbs.tags import taken_by_others
from companion.verbs.tapping import refuse_while_playing


def enroll(name: str, looks: Looks, *, anew: bool) -> int:
    """Raises UsageError, EnrolmentError, BoxError, PackError, ConfigError, DeviceError, LinkError."""
    game = games.find(name)
    wired = find_table(home())
    refuse_while_playing(wired)
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise LinkError("enrolling needs a terminal: there is something to look at and to choose")
    with alone(name):
        if anew:
            set_aside(name)
        clerk = TableClerk(game, equipment(wired) if wired.readers or wired.satellite else ())
        from companion.screen.enroll.app import run

        run(clerk, **looks.of())
    print(_told(clerk))
    return 0


@contextmanager
def alone(game: str) -> Iterator[None]:
    """One screen for each game: of two, the one that writes last would take away what the other has kept. The kernel
    releases the lock when the process dies, however it dies; the empty file stays. Raises EnrolmentError."""
    path = progress_path(game).with_suffix(".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o600)
    except OSError as error:
        raise EnrolmentError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        _lock(descriptor, game)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, game: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise EnrolmentError(f"{game} is being enrolled elsewhere: go on there, or stop there with q first") from None


def set_aside(game: str) -> None:
    """Progress and tags, under another name; the box stays, what is likely comes from it. Raises EnrolmentError."""
    for path in (progress_path(game), pack_path(game)):
        try:
            path.replace(path.with_name(f"{path.name}.old"))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise EnrolmentError(f"{path}: cannot be set aside: {error.strerror}") from None


class TableClerk:
    """Keeps the course after each piece, and the box and the pack as soon as there are any."""

    def __init__(self, game: Game[Any, Any], devices: Sequence[Device]) -> None:
        self._game, self._devices = game, devices
        self.course = resumed(game)
        self._outcome = outcome(self.course, game)
        self.taken = taken_by_others(game.name)
        self.readers: Sequence[Listen] = [device.run for device in devices]
        self._catch_up()

    def _catch_up(self) -> None:
        """After a power cut the newest entry may be kept, and not written down. Raises EnrolmentError, PackError."""
        now = self._outcome
        if now is None:
            return
        try:
            if not self._box_path.exists():
                self._write_down(now, None)
            elif now.pack.tags.keys() - stored_pack(self._game.name).tags.keys():
                self._write_down(now, now)
        except OSError as error:
            raise EnrolmentError(f"{self._box_path}: cannot be written: {error.strerror}") from None

    @property
    def _box_path(self) -> Path:
        return home() / "boxes" / f"{self._game.name}.toml"

    def keep(self, course: Course) -> str:
        """The progress first: box and pack follow from it."""
        try:
            store(progress_path(course.game), msgspec.json.format(msgspec.json.encode(course)).decode())
            self.course = course
            now = outcome(course, self._game)
            if now is not None and now != self._outcome:
                self._write_down(now, self._outcome)
                self._outcome = now
        except (OSError, CompanionError) as error:
            return (error.strerror or "") if isinstance(error, OSError) else str(error)
        return ""

    def _write_down(self, now: Outcome, before: Outcome | None) -> None:
        """A box that is as before is left alone: somebody may have changed it by hand. Tags that came from other
        tables stay, as long as the box has their pieces."""
        if before is None or before.box != now.box:
            store(self._box_path, now.box)
        pieces = frozenset(self._game.pieces(self._game.parse_box(now.box, "the enrolled box")))
        ours = before.pack.tags if before else {}
        others = {
            uid: piece
            for uid, piece in stored_pack(self._game.name).tags.items()
            if uid not in ours and piece in pieces
        }
        store_pack(pack_path(self._game.name), Pack(others | now.pack.tags))

    def cue(self, cue: Cue) -> None:
        for device in self._devices:
            device.show(Sound(CENTRE, cue))


def _told(clerk: TableClerk) -> str:
    """What is there now, in a sentence or two."""
    now, name = standing(clerk.course), clerk.course.game
    if now.next is not None:
        done = len(now.steps) - len(now.waiting)
        return f"{done} of {len(now.steps)} steps are done. `companion enroll {name}` goes on where you were."
    return f"The box of {name} is enrolled. `companion tags check {name}` looks for missing, doubled and weak tags."
