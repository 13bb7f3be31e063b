"""The codes by which phones come to an evening: kept beside its journal, for its owner's eyes only.

They outlive every process: a phone that was let in stays in after a power cut, and when the evening is resumed another
day. They are removed with the evening.
"""

from contextlib import suppress
from pathlib import Path

import msgspec

from companion.errors import JournalError, LinkError
from companion.files import PRIVATE, appended, is_private, load, store_all
from companion.journal.lock import WriterLock
from companion.referee.link import make_private
from companion.services.evenings import codes_of, socket_of
from companion.web.guests import WATCHING, Guest, new_code, new_codes

SEATS = 12
"""More than any game has; a code that is never shown is worth nothing."""
BYTES = 16 * 1024


class Codes:
    """Held by one keeper at a time: with two of them, one would let in what the other has sent away."""

    def __init__(self, evening: Path) -> None:
        """Those that are kept, else new ones. Raises LinkError."""
        self._path = codes_of(evening)
        self._lock = _lock(evening)
        self.all = _kept(self._path) or new_codes(range(SEATS))
        self._store()

    def renew(self, guest: Guest) -> str:
        self.all = self.all | {guest: new_code()}
        self._store()
        return self.all[guest]

    def release(self) -> None:
        """May be called twice."""
        self._lock.release()

    def _store(self) -> None:
        """A disk that is full or only read costs phones their codes at the next start, and nothing now. But an old
        code must not come back: then there are none."""
        try:
            store_all({self._path: msgspec.json.encode(self.all)}, PRIVATE)
        except OSError:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


def _lock(evening: Path) -> WriterLock:
    held = socket_of(evening).with_suffix(".phones")
    try:
        make_private(held.parent)
        with appended(held):
            pass
        return WriterLock(held)
    except JournalError:
        words = "another screen of this evening already shows codes for phones (F4 there); use those"
        raise LinkError(words) from None
    except OSError as error:
        raise LinkError(f"{held}: phones cannot be let in: {error.strerror}") from None


def _kept(path: Path) -> dict[Guest, str]:
    """Nothing, if there are none, or if others could have read or written them."""
    try:
        if not is_private(path):
            return {}
        found = msgspec.json.decode(load(path, BYTES), type=dict[Guest, str])
    except (OSError, ValueError):
        return {}
    return found if found.keys() == {*range(SEATS), WATCHING} and all(map(len, found.values())) else {}
