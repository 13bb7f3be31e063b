"""Stores an enrolment in the owner's files, piece by piece. Only one process at a time can do so."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import msgspec

from companion.devices.device import Device
from companion.enrolment.course import Course, Enrolled, EnrolmentError, Listen, outcome
from companion.errors import CompanionError
from companion.files import changing, held, move, store
from companion.gamekit.game import Game
from companion.home.enrolment_progress import resumed
from companion.home.paths import box_path, pack_path, progress_path
from companion.home.tag_packs import keep_token, new_token, store_pack, stored_pack, taken_by_others
from companion.messages.phone_access import EnrolmentPhones
from companion.stations import CENTRE
from companion.table.effects import Cue, Sound
from companion.table.pieces import PackError


@contextmanager
def alone(game: str) -> Iterator[None]:
    """Lock the enrolment of this game: of two screens, the later one would overwrite what the other has stored. Raises
    EnrolmentError."""
    path = progress_path(game).with_suffix(".lock")
    with ExitStack() as holding:
        try:
            is_alone = holding.enter_context(held(path))
        except OSError as error:
            raise EnrolmentError(f"{path}: cannot be locked: {error.strerror}") from None
        if not is_alone:
            raise EnrolmentError(f"{game} is being enrolled elsewhere: continue there, or quit there with q first")
        yield


def set_aside(game: str) -> None:
    """Rename progress and tags. The box stays and suggests the answers. Raises EnrolmentError."""
    for path in (progress_path(game), pack_path(game)):
        try:
            with changing(path.parent):
                move(path, path.with_name(f"{path.name}.old"))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise EnrolmentError(f"{path}: cannot be set aside: {error.strerror}") from None


class FileEnrolmentStore:
    """Stores the progress after each piece, and box and pack as soon as there are any."""

    def __init__(
        self,
        game: Game[Any, Any],
        devices: Sequence[Device],
        *,
        printed: bool = False,
        phones: EnrolmentPhones | None = None,
        links: str = "",
    ) -> None:
        self._game, self._devices = game, devices
        self.phones, self.links = phones, links
        self._tokens: dict[str, str] = {}
        """What is to be written on which tag."""
        self.course = resumed(game, printed=printed)
        self._outcome = outcome(self.course, game)
        self.taken = taken_by_others(game.name)
        self.readers: Sequence[Listen] = [device.run for device in devices]
        self._catch_up()

    def _catch_up(self) -> None:
        """After a power cut, box and pack may lack what the progress has. Raises EnrolmentError, PackError."""
        now = self._outcome
        if now is None:
            return
        try:
            if not box_path(self._game.name).exists():
                self._write_down(now, None)
            elif now.pack.tags.keys() - stored_pack(self._game.name).tags.keys():
                self._write_down(now, now)
        except OSError as error:
            raise EnrolmentError(f"{box_path(self._game.name)}: cannot be written: {error.strerror}") from None

    def keep(self, course: Course) -> str:
        """Store the progress first, because box and pack follow from it. Returns the problem; "" if there is none."""
        try:
            store(progress_path(course.game), msgspec.json.format(msgspec.json.encode(course)).decode())
            self.course = course
            now = outcome(course, self._game, self._outcome)
            if now is not None and now != self._outcome:
                self._write_down(now, self._outcome)
                self._outcome = now
        except (OSError, CompanionError) as error:
            return (error.strerror or "") if isinstance(error, OSError) else str(error)
        return ""

    def _write_down(self, now: Enrolled, before: Enrolled | None) -> None:
        """Store box and pack. A box without news is not written: its owner may have edited it. Tags from other tables
        stay, as long as the box has their pieces."""
        if before is None or before.box != now.box:
            with changing(box_path(self._game.name).parent):
                store(box_path(self._game.name), now.box)
        pieces = frozenset(now.pieces)
        ours = before.pack.tags if before else {}
        with changing(pack_path(self._game.name).parent):
            stored = stored_pack(self._game.name)
            others = {uid: piece for uid, piece in stored.tags.items() if uid not in ours and piece in pieces}
            store_pack(pack_path(self._game.name), stored.with_tags(others | now.pack.tags))

    def token(self, uid: str) -> str:
        """The one that the pack has, or a new one."""
        if uid not in self._tokens:
            self._tokens[uid] = stored_pack(self._game.name).tokens.get(uid) or new_token()
        return self._tokens[uid]

    def keep_token(self, uid: str) -> str:
        try:
            keep_token(self._game.name, uid, self.token(uid), self.links)
        except PackError as error:
            return str(error)
        return ""

    def cue(self, cue: Cue) -> None:
        for device in self._devices:
            device.show(Sound(CENTRE, cue))
