"""The PN532 reader on USB, or on a Pi's UART (HSU, 115,200 baud), and the tags in its field.

A board on USB needs nothing but its plug; its switches have to stand on HSU (often both on 0). On a Pi: 3.3 V or 5 V as
printed, TXD of one to RXD of the other. Sections below are those of NXP's user manual, UM0701-02.

**No tag is missed unless the chip says so.** It searches for a bounded number of tries (7.3.1), and then answers that
there is none. Silence, a damaged answer or a search that ended too early prove nothing: the look begins again, with a
field that was off. How long a try lasts no source says, so it is measured, and the number of tries follows.

Known quirks: the chip takes care of two tags at a time (7.3.5), so after two it is asked whether there are more, and so
it is where a known one is missing: it ends its search with the first one, even if a weak tag drowned others; a tag that
it has found stays selected and hears nothing else, so every look begins with the field off; after a reset it has no
bound for its tries and may sleep, so it is known by a search without an end, by a refusal, or by silence, and is told
everything again (`pn532_link`). What GetGeneralStatus says is not needed: its byte *Field* is of other readers.
"""

import math
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from itertools import cycle
from threading import RLock
from typing import NamedTuple, TypeVar

from companion.devices import iso14443 as iso
from companion.devices.pn532.commands import NORMAL_MODE, SAM_CONFIGURATION, Pn532Link, Setting
from companion.devices.tag_field import Failed, Look, Pages, ReaderError, Uid, Written
from companion.troubles import Pn532Trouble

GET_FIRMWARE_VERSION = 0x02  # 7.2.2
SET_PARAMETERS = 0x12  # 7.2.9
RF_CONFIGURATION = 0x32  # 7.3.1
IN_DATA_EXCHANGE = 0x40  # 7.3.8
IN_DESELECT = 0x44  # 7.3.10
IN_LIST_PASSIVE_TARGET = 0x4A  # 7.3.5

IC_PN532 = 0x32
PARAMETERS = bytes([0x04])
"""SetParameters without the automatic RATS: a bank card that lies on the table is asked for its number alone."""
RF_FIELD, FIELD_OFF = 0x01, 0x00
MAX_RETRIES = bytes([0x05, 0xFF, 0x01])
"""RFConfiguration. Its last byte follows: how often to try again to find a tag."""
TYPE_A = 0x00
MOST_AT_ONCE = 2
MOST_TAGS = 8
"""More than an antenna can feed. If so many seem to be there, something is wrong with what is heard."""

FIRST_RETRIES, LIKELY_RETRIES, MOST_RETRIES = 24, 96, 0xFE
"""Fewer than at first are not enough for a weak tag, unless the chip is very slow. A chip whose tries last 3 ms needs
the second number, which may be reached in one step; beyond it a step doubles at most. FF would be for ever."""
PROVING_RETRIES = 48
"""If so many find no tag, there is none. A chip with long tries makes fewer in its time, and a weak tag may fail in
all of them: such a chip has to call each known tag by its number, which asks less of a tag."""
SEARCH_S = (0.26, 0.29, 0.5)
"""How long a search without success takes: at least, as aimed at, and at most. A tag that lies there may take 150 ms to
be found, and the ACK from which this is measured may be 100 ms late."""
SEARCH_LIMIT_S = 1.2
"""A chip that is silent for so long has forgotten when to end, or its answer was lost."""
LOOK_S = 3.0
"""For so long a look is started again, if it cannot be finished."""
RESTS_S = (0.020, 0.033, 0.011, 0.027)
"""Between two looks while a tag lies there, in turn: looks that follow each other as regularly as a flickering tag
loses its power would never meet it."""
OFF_S = 0.006
"""Tags forget everything when the field is off for 5 ms (ISO 14443-3, 5.1)."""
EXCHANGE_S = 0.5
TIME_OUT = 0x01
GARBLED = (0x02, 0x03, 0x05, 0x06, 0x0A, 0x0B)
"""Statuses of 7.1: check sum, parity, framing, collision, field, protocol. All others mean that the tag refused."""

_Done = TypeVar("_Done")


class Target(NamedTuple):
    number: int
    uid: Uid


class _Thoroughness:
    """How often the chip has to try again, so that its searches last as long as they should."""

    def __init__(self) -> None:
        self.retries = FIRST_RETRIES

    def was_enough(self, lasted_s: float, since_asked_s: float) -> bool:
        """Whether a search that ended without success took its time: since its ACK, which may have come late and hide
        how long it took. If not, the next ones will. It took no longer than since it was asked for."""
        least_s, aim_s, most_s = SEARCH_S
        before = self.retries
        if not least_s <= lasted_s <= most_s:
            wanted = math.ceil(before * min(aim_s / max(lasted_s, 0.001), 2.0))
            if lasted_s < least_s:
                wanted = max(wanted, min(math.ceil(before * aim_s / max(since_asked_s, 0.001)), LIKELY_RETRIES))
            self.retries = min(max(wanted, min(before, FIRST_RETRIES)), MOST_RETRIES)
        return lasted_s >= least_s or before == MOST_RETRIES

    def was_too_much(self) -> None:
        """A search had no end. Perhaps the answer was lost; perhaps it would have come too late."""
        self.retries = max(1, self.retries // 2)


class Pn532:
    """One reader. May be used by several threads; each call is whole."""

    def __init__(self, open_link: Callable[[], Pn532Link], *, sleep: Callable[[float], None] = time.sleep) -> None:
        """`open_link`: finds the chip's line. Raises ReaderError where no chip answers."""
        self._open_link, self._sleep = open_link, sleep
        self._lock = RLock()
        self._link: Pn532Link | None = None
        self._selected: Target | None = None
        self._anyone, self._named = _Thoroughness(), _Thoroughness()
        """A try takes longer where tags lie that are not the one that is called by its number."""
        self._rests_s = cycle(RESTS_S)
        self.version = ""
        """Of its firmware: "1.6"."""
        self.restart()

    def restart(self) -> None:
        """A line that has gone is looked for again."""
        with self._lock:
            self.close()
            link = self._open_link()
            try:
                self.version = awake(link, self._anyone.retries)
            except BaseException:
                link.close()
                raise
            self._link = link

    def close(self) -> None:
        """Idempotent."""
        with self._lock:
            link, self._link, self._selected = self._link, None, None
            if link is not None:
                link.close()

    # --- Tags in the field ------------------------------------------------------------------------------------

    def look(self, known: Collection[Uid]) -> Look:
        """Newcomers, at once; else which of the known tags are still there. An empty field is watched for a while."""
        with self._lock:
            if known:
                self._sleep(next(self._rests_s))
            return self._looked(known)

    def inventory(self, known: Collection[Uid]) -> Look:
        """All that lie there. Every look has the field go off and on; this one goes on until there are no newcomers."""
        with self._lock:
            newcomers: list[Uid] = []
            look = self._looked(known)
            while any(uid not in (*known, *newcomers) for uid in look.seen) and len(newcomers) < MOST_TAGS:
                newcomers += [uid for uid in look.seen if uid not in (*known, *newcomers)]
                look = self._looked((*known, *newcomers))
            return Look(
                look.seen,
                tuple(uid for uid in look.missed if uid in known),
                look.unclear,
                is_inventory=look.is_inventory,
            )

    def _looked(self, known: Collection[Uid]) -> Look:
        until = self._linked.clock() + LOOK_S
        while self._linked.clock() < until:
            if (look := self._attempt(known)) is not None:
                return look
        raise self._linked.failure()

    def _attempt(self, known: Collection[Uid]) -> Look | None:
        """None: it could not be brought to its end, and says nothing."""
        self._switch_off()
        seen: list[Uid] = []
        is_hard = False
        found = self._search()
        while found and len(seen) < MOST_TAGS:
            uids = [target.uid for target in found if target.uid not in seen]
            if newcomers := [uid for uid in uids if uid not in known]:
                return self._met(newcomers, [uid for uid in (*seen, *uids) if uid in known])
            seen += uids
            if len(found) < MOST_AT_ONCE:  # all of them, unless a known one is missing: a weak one may drown the others
                is_hard = is_hard or any(uid not in seen for uid in known)
            if not uids or (len(found) < MOST_AT_ONCE and not is_hard):
                break
            self._command(IN_DESELECT, b"\x00")
            found = self._search()
        if found is None:
            return None
        proves = not found and self._anyone.retries >= PROVING_RETRIES
        missed: list[Uid] = []
        for uid in (uid for uid in known if uid not in seen):
            answer = [] if proves else self._search(uid)
            if answer is None:
                return None
            (seen if answer else missed).append(uid)
        return Look(tuple(seen), tuple(missed), unclear=len(seen) >= MOST_TAGS, is_inventory=True)

    def _met(self, newcomers: list[Uid], seen: list[Uid]) -> Look | None:
        """A newcomer counts when the chip finds it again by its number: the check sum of a frame has eight bits, and on
        a noisy line a UID that no tag has comes through now and then. About others this look says nothing."""
        met: list[Uid] = []
        for uid in newcomers:
            self._switch_off()
            found = self._search(uid, self._anyone)
            if found is None:
                return None
            met += [target.uid for target in found]
        return Look((*seen, *met), unclear=len(met) < len(newcomers))

    def _switch_off(self) -> None:
        """The next search switches the field on again."""
        self._selected = None
        self._command(RF_CONFIGURATION, bytes([RF_FIELD, FIELD_OFF]))
        self._sleep(OFF_S)

    def _search(self, wanted: Uid | None = None, thorough: _Thoroughness | None = None) -> "list[Target] | None":
        """Which tags the chip finds, of all, or this one; None: unknown."""
        named = b"" if wanted is None else b"".join(iso.cascade(wanted))
        most = 1 if named else MOST_AT_ONCE
        thorough = thorough or (self._named if named else self._anyone)
        while True:
            self._bound(thorough.retries)
            answer = self._asked(IN_LIST_PASSIVE_TARGET, bytes([most, TYPE_A]) + named, SEARCH_LIMIT_S)
            if answer is None:
                thorough.was_too_much()
                return None
            try:
                found = list(targets_in(answer))
            except ValueError:
                found = [Target(0, b"")]
            if any(not target.uid or target.uid != (wanted or target.uid) for target in found):
                self._linked.doubt()
                return None
            now_s, link = self._linked.clock(), self._linked
            if found or thorough.was_enough(now_s - link.acknowledged_s, now_s - link.asked_s):
                return found

    def _bound(self, retries: int) -> None:
        if self._linked.settings != settings(retries):
            self._linked.settings = settings(retries)
            self._command(RF_CONFIGURATION, MAX_RETRIES + bytes([retries]))

    # --- Its memory -------------------------------------------------------------------------------------------

    def read_page(self, uid: Uid, page: int) -> Pages | Failed:
        """Four pages of an NTAG or Ultralight, beginning with this one. A MIFARE Classic tag does not answer."""

        def read(target: Target) -> Pages | Failed:
            data = self._exchange(target, bytes([iso.READ, page]))
            if isinstance(data, Failed):
                return data
            return Pages(page, data) if len(data) == iso.READ_PAGES * iso.PAGE_BYTES else Failed("garbled")

        return self._with(uid, read)

    def write_page(self, uid: Uid, page: int, data: bytes) -> Written | Failed:
        """The four bytes of one page. Acknowledged means stored."""
        if len(data) != iso.PAGE_BYTES:
            raise ValueError(f"a page has {iso.PAGE_BYTES} bytes, not {len(data)}")

        def write(target: Target) -> Written | Failed:
            answer = self._exchange(target, bytes([iso.WRITE, page]) + data)
            return answer if isinstance(answer, Failed) else Written(page)

        return self._with(uid, write)

    def _with(self, uid: Uid, act: Callable[[Target], _Done | Failed]) -> _Done | Failed:
        """Select, and act; once more if the tag was not heard."""
        outcome: _Done | Failed = Failed("no answer")
        with self._lock:
            for _ in range(2):
                target = self._select(uid)
                outcome = act(target) if target else Failed("no answer")
                if not isinstance(outcome, Failed):
                    return outcome
                self._selected = None  # a refusal sends the tag back
                if outcome.why == "refused":
                    break
        return outcome

    def _select(self, uid: Uid) -> Target | None:
        """This very tag, beside any others (7.3.5, InitiatorData). One that is selected stays so."""
        if self._selected is None or self._selected.uid != uid:
            self._switch_off()
            self._selected = next(iter(self._search(uid, self._anyone) or ()), None)
        return self._selected

    def _exchange(self, target: Target, data: bytes) -> bytes | Failed:
        status, *answer = self._asked(IN_DATA_EXCHANGE, bytes([target.number]) + data, EXCHANGE_S) or [TIME_OUT]
        if not status & 0x3F:
            return bytes(answer)
        why = status & 0x3F
        return Failed("no answer" if why == TIME_OUT else "garbled" if why in GARBLED else "refused")

    # --- The chip ---------------------------------------------------------------------------------------------

    @property
    def _linked(self) -> Pn532Link:
        if self._link is None:
            raise ReaderError(Pn532Trouble.SILENT, "The PN532")
        return self._link

    def _command(self, code: int, data: bytes = b"") -> bytes:
        with self._settings_lost():
            return self._linked.command(code, data)

    def _asked(self, code: int, data: bytes, answer_s: float) -> bytes | None:
        with self._settings_lost():
            return self._linked.ask(code, data, answer_s)

    @contextmanager
    def _settings_lost(self) -> Iterator[None]:
        """All that is asked here makes sense to a chip that has its settings."""
        try:
            yield
        except ReaderError as error:
            if error.problem is Pn532Trouble.REFUSES:
                raise ReaderError(Pn532Trouble.WITHOUT_POWER, self._linked.where) from None
            raise


def settings(retries: int) -> tuple[Setting, ...]:
    """All that the chip has to know."""
    return (
        (SAM_CONFIGURATION, NORMAL_MODE),
        (SET_PARAMETERS, PARAMETERS),
        (RF_CONFIGURATION, MAX_RETRIES + bytes([retries])),
    )


def awake(link: Pn532Link, retries: int = FIRST_RETRIES) -> str:
    """Wake and configure the chip; return its firmware version. Raises ReaderError if it is no PN532."""
    if not link.in_step:
        link.greet()
    version = link.command(GET_FIRMWARE_VERSION)
    if len(version) < 3 or version[0] != IC_PN532:
        raise ReaderError(Pn532Trouble.NO_PN532, link.where)
    link.settings = settings(retries)
    for code, data in link.settings:
        link.command(code, data)
    return f"{version[1]}.{version[2]}"


def targets_in(answer: bytes) -> Iterator[Target]:
    """Listed tags, type A: number, SENS_RES, SEL_RES, length, UID (7.3.5). Raises ValueError where an answer makes
    no sense. An ATS comes only where RATS was asked for, which `PARAMETERS` forbid."""
    if not answer:
        raise ValueError("no number of targets")
    rest = answer[1:]
    for number in range(1, answer[0] + 1):
        head, uid = rest[:5], rest[5 : 5 + (rest[4] if len(rest) > 4 else 0)]
        if len(head) < 5 or head[0] != number or len(uid) != head[4] or len(uid) not in iso.UID_LENGTHS:
            raise ValueError("half a target")
        yield Target(number, uid)
        rest = rest[5 + len(uid) :]
    if rest:
        raise ValueError("more than the targets")
