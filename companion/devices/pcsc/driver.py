"""Readers behind the daemon pcscd (PC/SC), by the library pyscard: the ACR122U, and every other that reads without
contact and that pcscd knows.

One tag at a time: such a reader shows one of several tags and says nothing of the others. The daemon tells when a card
comes or goes, so we need not poll. What a card is asked is PC/SC part 3 (2.01.09, 3.2.2.1): FF CA for
its UID, FF B0 and FF D6 for its pages.

Known quirks: pcscd itself looks for changes every 400 ms where a reader cannot tell them; after pcscd has died every
handle is void; a tag so weak that the reader itself loses it for a second counts as lifted; the ACR122U beeps at each
tag unless it is told not to (its API manual, FF 00 52), which it takes only while a card is there.
"""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import RLock
from typing import NamedTuple

from msgspec import Struct
from smartcard import scard

from companion.devices import iso14443 as iso
from companion.devices.tag_field import Failed, Look, Pages, ReaderError, Uid, Written
from companion.troubles import PcscTrouble

WAIT_MS = 400
"""How long a look waits for something to happen while nothing is in doubt."""
SETTLE_S = 1.2
"""How long a card may take to be noticed by a reader that has just come: three looks of pcscd."""
DOUBT_MS = 60
"""The same while a tag is missed."""
GET_UID = (0xFF, 0xCA, 0x00, 0x00, 0x00)
BEEP_OFF = (0xFF, 0x00, 0x52, 0x00, 0x00)
READ_BINARY, UPDATE_BINARY = (0xFF, 0xB0, 0x00), (0xFF, 0xD6, 0x00)
DONE = (0x90, 0x00)
CONTACTLESS = ("picc", "contactless", "nfc", " cl ", "acr122", "scl0", "scl3711", "5427", "5022", "rfid")
"""What stands in the names of readers without contacts."""
BEEPING = "acr122"
PROTOCOLS = scard.SCARD_PROTOCOL_T0 | scard.SCARD_PROTOCOL_T1

_PROBLEMS = {
    scard.SCARD_E_NO_SERVICE: PcscTrouble.NO_SERVICE,
    scard.SCARD_E_SERVICE_STOPPED: PcscTrouble.NO_SERVICE,
    scard.SCARD_W_SECURITY_VIOLATION: PcscTrouble.FORBIDDEN,
    scard.SCARD_E_NO_READERS_AVAILABLE: PcscTrouble.NO_READER,
    scard.SCARD_E_UNKNOWN_READER: PcscTrouble.NO_READER,
    scard.SCARD_E_READER_UNAVAILABLE: PcscTrouble.NO_READER,
    scard.SCARD_E_SHARING_VIOLATION: PcscTrouble.IN_USE,
}
_GONE = scard.SCARD_STATE_UNKNOWN | scard.SCARD_STATE_UNAVAILABLE | scard.SCARD_STATE_IGNORE


class _Event(Struct, frozen=True):
    """What pcscd says of a reader: its flags, and behind them how often a card came or went."""

    state: int

    @property
    def is_present(self) -> bool:
        return bool(self.state & scard.SCARD_STATE_PRESENT)

    @property
    def number(self) -> int:
        return self.state >> 16


def reader_names() -> list[str]:
    """Every reader that pcscd knows. Raises ReaderError."""
    with _context() as context:
        return _names(context)


def chosen(names: Sequence[str], wanted: str) -> str | None:
    """The reader whose name holds what is wanted; if nothing is, one without contacts, else the only one."""
    if wanted:
        return next((name for name in names if wanted.lower() in name.lower()), None)
    without = [name for name in names if is_contactless(name)]
    return next(iter(without or names), None)


def is_contactless(name: str) -> bool:
    """As far as its name tells."""
    return any(word in f"{name.lower()} " for word in CONTACTLESS)


class Pcsc:
    """One reader. May be used by several threads; each call is whole."""

    def __init__(self, name: str = "", *, clock: Callable[[], float] = time.monotonic) -> None:
        """`name`: a part of it is enough. Raises ReaderError where there is no such reader."""
        self._wanted, self._clock = name, clock
        self._lock = RLock()
        self._context: int | None = None
        self.name = ""
        """How pcscd calls it."""
        self.restart()

    def restart(self) -> None:
        """Where that fails nothing stays open: pcscd has room for some two hundred connections in all."""
        with self._lock:
            self.close()
            try:
                self._begin()
            except BaseException:
                self.close()
                raise

    def _begin(self) -> None:
        self._context = _established()
        name = chosen(_names(self._context), self._wanted)
        if name is None:
            raise ReaderError(PcscTrouble.NO_READER, self._where)
        self.name = name
        self._seen = _Event(scard.SCARD_STATE_UNAWARE)
        self._card: tuple[int, Uid] | None = None
        self._is_quiet = BEEPING not in name.lower()
        self._settle()

    def _settle(self) -> None:
        """A daemon or a reader that has just come knows nothing yet of a card that lies there, and calls that empty."""
        until = self._clock() + SETTLE_S
        self._seen = self._wait(0)
        while not self._seen.is_present and (left_s := until - self._clock()) > 0:
            self._seen = self._wait(int(left_s * 1000) + 1)

    def close(self) -> None:
        """Idempotent."""
        with self._lock:
            context, self._context = self._context, None
            if context is not None:
                scard.SCardReleaseContext(context)

    # --- Tags in the field ------------------------------------------------------------------------------------

    def look(self, known: Collection[Uid]) -> Look:
        """Which tag has come, and whether the known one is still there. While nothing is in doubt it waits for news."""
        with self._lock:
            settled = set(known) == ({self._card[1]} if self._card else set())
            event = self._wait(WAIT_MS if settled else DOUBT_MS)
            if settled and event == self._seen:
                self._card = None  # asked again: pcscd overlooks a card that takes another's place between its looks
            self._seen = event
            return self._look(event, known)

    def inventory(self, known: Collection[Uid]) -> Look:
        """The same, but from the beginning: a card that is there loses its power, and has to tell its UID again."""
        with self._lock:
            self._card = None
            with suppress(ReaderError), self._connected(scard.SCARD_UNPOWER_CARD):
                pass
            self._seen = self._wait(0, unaware=True)
            return self._look(self._seen, known)

    def _look(self, event: _Event, known: Collection[Uid]) -> Look:
        uid = self._uid(event) if event.is_present else None
        if event.is_present and uid is None:
            return Look(unclear=True)
        seen = () if uid is None else (uid,)
        return Look(seen, tuple(each for each in known if each not in seen))

    def _wait(self, for_ms: int, *, unaware: bool = False) -> _Event:
        """What pcscd says as soon as it differs from what was seen, or at the end of this time."""
        before = scard.SCARD_STATE_UNAWARE if unaware else self._seen.state
        result, states = scard.SCardGetStatusChange(self._opened, for_ms, [(self.name, before)])
        if result not in (scard.SCARD_S_SUCCESS, scard.SCARD_E_TIMEOUT):
            raise self._trouble(result)
        _, state, _ = states[0]
        if state & _GONE:
            raise ReaderError(PcscTrouble.NO_READER, self._where)
        return _Event(state & ~scard.SCARD_STATE_CHANGED)

    def _uid(self, event: _Event) -> Uid | None:
        """Of the card that came with this event; None: it cannot be made out, or is gone again."""
        if self._card is None or self._card[0] != event.number:
            self._card = None
            uid = self._ask_uid()
            if uid is None:
                return None
            self._card = event.number, uid
        return self._card[1]

    def _ask_uid(self) -> Uid | None:
        with self._connected() as card:
            if card is None:
                return None
            self._hush(card)
            uid = card.ask(GET_UID)
        return uid if uid is not None and len(uid) in iso.UID_LENGTHS else None

    def _hush(self, card: "_Card") -> None:
        """Once, with the first card. A reader without this command says so, and goes on beeping."""
        if not self._is_quiet:
            self._is_quiet = card.ask(BEEP_OFF) is not None

    # --- Its memory -------------------------------------------------------------------------------------------

    def read_page(self, uid: Uid, page: int) -> Pages | Failed:
        """Four pages of an NTAG or Ultralight, beginning with this one."""
        data = self._command(uid, (*READ_BINARY, page, iso.READ_PAGES * iso.PAGE_BYTES))
        if isinstance(data, Failed):
            return data
        return Pages(page, data) if len(data) == iso.READ_PAGES * iso.PAGE_BYTES else Failed("garbled")

    def write_page(self, uid: Uid, page: int, data: bytes) -> Written | Failed:
        """The four bytes of one page."""
        if len(data) != iso.PAGE_BYTES:
            raise ValueError(f"a page has {iso.PAGE_BYTES} bytes, not {len(data)}")
        answer = self._command(uid, (*UPDATE_BINARY, page, len(data), *data))
        return answer if isinstance(answer, Failed) else Written(page)

    def _command(self, uid: Uid, command: Sequence[int]) -> bytes | Failed:
        """What this card answers. One that still tells its UID afterwards has refused."""
        with self._lock:
            for _ in range(2):
                known = self._card == (self._wait(0, unaware=True).number, uid)
                with self._connected() as card:
                    if card is None or (not known and card.ask(GET_UID) != uid):
                        continue
                    answer = card.ask(command)
                    if answer is not None:
                        return answer
                    if card.ask(GET_UID) == uid:
                        return Failed("refused")
        return Failed("no answer")

    # --- pcscd ------------------------------------------------------------------------------------------------

    @contextmanager
    def _connected(self, farewell: int = scard.SCARD_LEAVE_CARD) -> "Iterator[_Card | None]":
        """A card to talk to; None: there is none, or it is gone by now. Raises ReaderError."""
        result, handle, protocol = scard.SCardConnect(self._opened, self.name, scard.SCARD_SHARE_SHARED, PROTOCOLS)
        if result in _PROBLEMS:
            raise self._trouble(result)
        if result != scard.SCARD_S_SUCCESS:
            yield None
            return
        try:
            yield _Card(handle, protocol)
        finally:
            scard.SCardDisconnect(handle, farewell)

    @property
    def _opened(self) -> int:
        if self._context is None:
            raise ReaderError(PcscTrouble.NO_SERVICE, self._where)
        return self._context

    @property
    def _where(self) -> str:
        return f"The PC/SC reader {self.name or self._wanted}".strip()

    def _trouble(self, result: int) -> ReaderError:
        return ReaderError(_PROBLEMS.get(result, PcscTrouble.FAILED), self._where, scard.SCardGetErrorMessage(result))


class _Card(NamedTuple):
    handle: int
    protocol: int

    def ask(self, command: Sequence[int]) -> bytes | None:
        """What it answers; None: it, or its reader, did not do it."""
        pci = scard.SCARD_PCI_T0 if self.protocol == scard.SCARD_PROTOCOL_T0 else scard.SCARD_PCI_T1
        result, answer = scard.SCardTransmit(self.handle, pci, list(command))
        if result != scard.SCARD_S_SUCCESS or tuple(answer[-2:]) != DONE:
            return None
        return bytes(answer[:-2])


def _established() -> int:
    result, context = scard.SCardEstablishContext(scard.SCARD_SCOPE_SYSTEM)
    if result != scard.SCARD_S_SUCCESS:
        problem = _PROBLEMS.get(result, PcscTrouble.NO_SERVICE)
        raise ReaderError(problem, "PC/SC", scard.SCardGetErrorMessage(result))
    return int(context)


@contextmanager
def _context() -> Iterator[int]:
    context = _established()
    try:
        yield context
    finally:
        scard.SCardReleaseContext(context)


def _names(context: int) -> list[str]:
    """In the order of pcscd. None is no error."""
    result, names = scard.SCardListReaders(context, [])
    if result not in (scard.SCARD_S_SUCCESS, scard.SCARD_E_NO_READERS_AVAILABLE):
        problem = _PROBLEMS.get(result, PcscTrouble.FAILED)
        raise ReaderError(problem, "PC/SC", scard.SCardGetErrorMessage(result))
    return list(names)
