"""The radio half of a reader that finds tags by itself (ISO 14443-3, type A): asks a field, and takes its time for it.

The RC522 leaves this to its driver; a PN532 does it in its firmware, and so does every reader behind pcscd. Source: the
reader's half of ISO/IEC 14443-3, 6.5.3. The two times below are guesses: a reader's maker need not say them.
"""

from typing import Literal, NamedTuple

from companion.devices import iso14443 as iso
from companion.devices.simulated.shared_field import Received, SimulatedField
from companion.devices.simulated.tags import Frame

SILENCE_US = 300.0
"""How long a reader waits for an answer that does not begin. Source: none; by ISO 14443-3, 6.2.1.1 it does in 91 µs."""
EXCHANGE_US = 12_000.0
"""The same for memory, which may take its time. Source: data sheet of NTAG213/215/216, WRITE: 10 ms at most."""


class FoundTag(NamedTuple):
    uid: bytes
    atqa: bytes
    sak: int


class Coupler:
    """`now_us`: set it before something is asked; what is asked moves it on."""

    def __init__(self, field: SimulatedField) -> None:
        self.field = field
        self.now_us = 0.0

    def find(self) -> FoundTag | None:
        """Wake the tags that are new, and select one of them."""
        woken = self._ask(Frame(iso.REQA, iso.SHORT_FRAME_BITS))
        return self._identify(woken.frame.data) if woken else None

    def summon(self, uid: bytes) -> FoundTag | None:
        """Wake all tags, and select this one."""
        for _ in range(2):  # one that was left half-way takes the first request for an error
            woken = self._ask(Frame(iso.WUPA, iso.SHORT_FRAME_BITS))
            if woken is None:
                continue
            saks = [self._select(level, four) for level, four in enumerate(iso.cascade(uid))]
            if None not in saks:
                return FoundTag(uid, woken.frame.data, saks[-1] or 0)
        return None

    def halt(self) -> None:
        self._ask(Frame.of(iso.HALT))

    def exchange(self, command: bytes) -> bytes | Literal["silent", "garbled", "refused"]:
        """What the selected tag answers: data without their check sum, nothing for a bare yes, or what went wrong."""
        reply = self._ask(Frame.of(iso.with_crc(command)), EXCHANGE_US)
        if reply is None:
            return "silent"
        if reply.frame.bits == iso.ACK_BITS:
            return b"" if reply.frame.value == iso.ACK else "refused"
        data = iso.without_crc(reply.frame.data)
        return "garbled" if data is None or reply.collision is not None else data

    def _ask(self, frame: Frame, silence_us: float = SILENCE_US) -> Received | None:
        self.now_us += frame.air_us
        reply = self.field.ask(frame, self.now_us)
        self.now_us += reply.delay_us + reply.frame.air_us if reply else silence_us
        return reply

    def _identify(self, atqa: bytes) -> FoundTag | None:
        levels: list[bytes] = []
        for level in range(len(iso.SELECTS)):
            four = self._resolve(level)
            sak = None if four is None else self._select(level, four)
            if four is None or sak is None:
                return None
            levels.append(four)
            if not sak & iso.CASCADE_BIT:
                uid = iso.uid_of(levels)
                return FoundTag(uid, atqa, sak) if uid else None
        return None

    def _resolve(self, level: int) -> bytes | None:
        """Where answers collide those with a 1 go on."""
        known, bits = 0, 0
        while bits < iso.LEVEL_BITS + 8:
            octets, odd = iso.anticollision(level, known, bits)
            size = len(octets) * 8 - (8 - odd if odd else 0)
            reply = self._ask(Frame(int.from_bytes(octets, "little"), size))
            if reply is None:
                return None
            if reply.collision is None:
                whole = known | reply.frame.value << bits
                return iso.level_of(whole.to_bytes(5, "little")) if reply.frame.bits == 40 - bits else None
            below = reply.frame.value & (1 << reply.collision) - 1
            known |= (below | 1 << reply.collision) << bits
            bits += reply.collision + 1
        return None

    def _select(self, level: int, four: bytes) -> int | None:
        reply = self._ask(Frame.of(iso.select(level, four)))
        return iso.sak_of(reply.frame.data) if reply and reply.collision is None else None
