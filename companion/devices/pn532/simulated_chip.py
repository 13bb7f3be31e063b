"""A PN532 at the level of its frames: what it hears byte by byte, what it does about it, and what it says when.

After NXP's user manual, UM0701-02; sections in brackets are its. Where it and other sources disagree or are silent, a
`Pn532Reading` says which of them is true of this chip. It owns no clock: its callers say what time it is.
"""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from companion.devices.iso14443 import uid_of
from companion.devices.pn532.source_readings import LONGEST_US, SHORTEST_US, Pn532Reading
from companion.devices.simulated.coupler import Coupler, FoundTag
from companion.devices.simulated.shared_field import SimulatedField
from companion.devices.simulated.tags import POWER_UP_US

ACK, NACK = bytes.fromhex("0000FF00FF00"), bytes.fromhex("0000FFFF0000")
"""Source: UM 6.2.1.3 and 6.2.1.4."""
ERROR = bytes.fromhex("0000FF01FF7F8100")
"""Source: UM 6.2.1.5."""
FIRMWARE = bytes([0x32, 0x01, 0x06, 0x07])
"""Source: UM 7.2.2, the example of version 1.6."""
BYTE_US = 10e6 / 115_200
"""Start, eight bits, stop. Source: UM 7.2.8, the speed after a reset."""
WORK_US = 300.0
"""For a command that asks no tag. Source: none, assumed; UM 6.2.3 has only the 15 ms until the ACK."""
FOR_EVER = 0xFF
"""As MxRtyPassiveActivation, and its default. Source: UM 7.3.1."""
AUTOMATIC_RATS = 0x10
"""A bit of SetParameters, on after a reset. Source: UM 7.2.9."""
ISO_14443_4 = 0x20
"""A bit of SEL_RES: such a tag understands RATS. Source: ISO 14443-3, 6.5.3.4."""
ATS = bytes.fromhex("067577810280")
"""What it answers to RATS, with its length. Source: UM 7.3.5, the example of a DESFire card."""
OK, TIME_OUT, CRC_ERROR, NO_TARGET = 0x00, 0x01, 0x02, 0x27
"""Source: UM 7.1."""
REFUSED = 0x13
"""Status of a tag that says no. Source: none, assumed; UM 7.1 calls 13 a data format that does not match."""


class TagSearch(NamedTuple):
    """InListPassiveTarget while it lasts."""

    most: int
    wanted: bytes
    tries: int
    next_us: float
    begun_us: float
    activation_us: float


class Pn532Chip:
    """With its supply it begins to sleep in LowVbat mode (7.2.10)."""

    def __init__(
        self, field: SimulatedField | None = None, reading: Pn532Reading | None = None, chance: Random | None = None
    ) -> None:
        self.field = field or SimulatedField()
        self.reading = reading or Pn532Reading()
        self.outbox: list[tuple[float, bytes]] = []
        """Frames, each with the moment from which it is sent."""
        self.commands: list[bytes] = []
        """Everything that was understood as one, newest last."""
        self._chance = chance or Random(0)
        self._coupler = Coupler(self.field)
        self.reset(0.0)
        self._deaf_until_us = 0.0

    def reset(self, now_us: float) -> None:
        """Without power for a moment, or by its pin: everything is forgotten."""
        self._unread = bytearray()
        self._awake_us: float | None = None if self.reading.sleeps else now_us
        self._low_battery = True
        self._retries = FOR_EVER
        self._parameters = AUTOMATIC_RATS
        self._search: TagSearch | None = None
        self._busy_us = now_us
        """Until then it works on a command other than a search."""
        self._waiting: list[bytes] = []
        """Commands for later."""
        self._targets: dict[int, FoundTag] = {}
        self._active: int | None = None
        self._last = ERROR
        self._deaf_until_us = now_us + self.reading.start_us
        self._said_us = now_us
        """When its last byte is on the line."""
        self.outbox.clear()
        self._switch(False, now_us)

    # --- Hearing (6.2) ----------------------------------------------------------------------------------------

    def hear(self, octet: int, now_us: float) -> None:
        """One byte has arrived. Before the chip is awake it only wakes it."""
        self.advance(now_us)
        turning = self._said_us <= now_us < self._said_us + self.reading.deaf_after_answer_us
        if turning or now_us < self._deaf_until_us:
            return
        if self._awake_us is None:
            self._awake_us = now_us + self.reading.wake_us
        if now_us < self._awake_us:
            return
        self._unread.append(octet)
        while self._take_frame(now_us):
            pass

    def _take_frame(self, now_us: float) -> bool:
        """The frame at the beginning of what was heard, if there is a whole one. What is damaged is passed over in
        silence, as 6.2.2.1 has it."""
        start = self._unread.find(b"\x00\xff")
        del self._unread[: max(0, len(self._unread) - 1) if start < 0 else start]
        heard = bytes(self._unread)
        if start < 0 or len(heard) < 4:
            return False
        if heard[2:4] in (ACK[3:5], NACK[3:5]):
            del self._unread[:4]
            self._hear_sign(heard[2:4] == ACK[3:5], now_us)
            return True
        body = 4
        size, check = heard[2], sum(heard[2:4]) & 0xFF
        if heard[2:4] == b"\xff\xff":
            body = 7
            if len(heard) < body:
                return False
            size, check = heard[4] << 8 | heard[5], sum(heard[4:7]) & 0xFF
        if check or not 0 < size <= 265:
            del self._unread[:2]
            return True
        if len(heard) < body + size + 1:
            return False
        content = heard[body : body + size]
        sound = not sum(heard[body : body + size + 1]) & 0xFF
        del self._unread[: body + size + 1 if sound else 2]
        if sound:
            self._obey(content, now_us)
        return True

    def _hear_sign(self, is_ack: bool, now_us: float) -> None:
        """ACK ends what is under way, without an answer (6.2.1.3); NACK asks for the last answer again (6.2.1.4)."""
        if not is_ack:
            self.outbox.append((now_us, self._last))
            return
        if not self._is_busy(now_us):
            return
        begun = self._search is None or self._search.begun_us <= now_us
        if begun or self.reading.abort == "any time":
            self._end(now_us)
            self._deaf_until_us = now_us + self.reading.deaf_after_abort_us

    def _is_busy(self, now_us: float) -> bool:
        return self._search is not None or now_us < self._busy_us

    def _end(self, now_us: float) -> None:
        """The command under way. An ACK that was promised still comes."""
        self._search = None
        self._busy_us = now_us
        self.outbox[:] = [(at_us, frame) for at_us, frame in self.outbox if at_us <= now_us or frame == ACK]

    # --- Speaking ---------------------------------------------------------------------------------------------

    def _answer(self, at_us: float, code: int, data: bytes = b"") -> None:
        content = bytes([0xD5, code + 1]) + data
        size = len(content)
        head = bytes([size, -size & 0xFF]) if size < 0x100 else _extended(size)
        self._say(at_us, b"\x00\x00\xff" + head + content + bytes([-sum(content) & 0xFF, 0x00]))

    def _say(self, at_us: float, frame: bytes) -> None:
        """Not before the ACK of the same command."""
        at_us = max([at_us, *(ready_us for ready_us, _ in self.outbox)])
        self._last = frame
        self._busy_us = at_us
        self._said_us = at_us + BYTE_US * (len(frame) + (len(ACK) if self.outbox else 0))
        self.outbox.append((at_us, frame))

    # --- Obeying (7) ------------------------------------------------------------------------------------------

    def _obey(self, content: bytes, now_us: float) -> None:
        """Every command is acknowledged; what becomes of the one before is a matter of reading."""
        if self._is_busy(now_us):
            if self.reading.busy != "obeys":
                self._waiting += [content] if self.reading.busy == "queues" else []
                return
            self._end(now_us)
        code, data = content[1:2], content[2:]
        obey = _COMMANDS.get(code[0]) if code and content[0] == 0xD4 else None
        if self._low_battery and self.reading.low_battery == "is silent" and code != b"\x14":
            return
        acknowledged_us = max([now_us + self._some_us("late_us"), *(ready_us for ready_us, _ in self.outbox)])
        self.outbox.append((acknowledged_us, ACK))
        at_us = WORK_US + (now_us if self.reading.starts == "at once" else acknowledged_us)
        if obey is None or (self._low_battery and self.reading.low_battery == "refuses" and code[0] >= 0x30):
            self._say(at_us, ERROR)
            return
        self.commands.append(content[1:])
        obey(self, data, at_us)

    def _some_us(self, name: str) -> float:
        """A time of this reading; by chance if it leaves that open."""
        us = float(getattr(self.reading, name))
        return us if us >= 0 else self._chance.uniform(SHORTEST_US[name], LONGEST_US[name])

    def _diagnose(self, data: bytes, at_us: float) -> None:
        """Only the test of the line, which is an echo (7.2.1)."""
        self._say(at_us, ERROR) if data[:1] != b"\x00" else self._answer(at_us, 0x00, data)

    def _tell_firmware(self, _: bytes, at_us: float) -> None:
        self._answer(at_us, 0x02, FIRMWARE)

    def _tell_status(self, _: bytes, at_us: float) -> None:
        targets = self._targets if self.reading.targets_counted else {}
        listed = b"".join(bytes([number, 0, 0, 0x10]) for number in targets)
        field = self._is_on and self.reading.field_byte == "own field, too"
        self._answer(at_us, 0x04, bytes([0, field, len(targets)]) + listed + b"\x00")

    def _set_parameters(self, data: bytes, at_us: float) -> None:
        if len(data) != 1:
            self._say(at_us, ERROR)
            return
        self._parameters = data[0]
        self._answer(at_us, 0x12)

    def _configure_sam(self, data: bytes, at_us: float) -> None:
        if not 1 <= len(data) <= 3 or not 1 <= data[0] <= 4:
            self._say(at_us, ERROR)
            return
        self._low_battery = False
        if self.reading.sam_switches_off:
            self._switch(False, at_us)
        self._answer(at_us, 0x14)

    def _power_down(self, data: bytes, at_us: float) -> None:
        self._answer(at_us, 0x16, b"\x00")
        self._awake_us = None
        self._switch(False, at_us)

    def _configure_rf(self, data: bytes, at_us: float) -> None:
        match data[:1], data[1:]:
            case b"\x01", field if len(field) == 1:
                self._switch(bool(field[0] & 1), at_us)
            case b"\x05", retries if len(retries) == 3:
                self._retries = retries[2]
            case ((b"\x02" | b"\x04" | b"\x0a" | b"\x0b" | b"\x0c" | b"\x0d"), _):
                pass
            case _:
                self._say(at_us, ERROR)
                return
        self._answer(at_us, 0x32)

    def _switch(self, on: bool, now_us: float) -> None:
        self._is_on = on
        self.field.switch(on, now_us)
        if not on:
            self._targets, self._active = {}, None

    # --- Tags (7.3) -------------------------------------------------------------------------------------------

    def _begin_search(self, data: bytes, at_us: float) -> None:
        if len(data) < 2 or data[0] not in (1, 2) or data[1] != 0 or len(data) - 2 not in (0, 4, 8, 12):
            self._say(at_us, ERROR)
            return
        self._targets = {}
        begun_us = at_us
        if not self._is_on:
            self._switch(True, at_us)  # esphome's pn532 relies on that after it has switched the field off
            at_us += POWER_UP_US
        self._search = TagSearch(data[0], data[2:], 0, at_us, begun_us, self._some_us("activation_us"))

    @property
    def due_us(self) -> float | None:
        """When the chip does something by itself."""
        moments = [self._search.next_us] if self._search else []
        if self._waiting and not self._search:
            moments.append(self._busy_us)
        return min(moments, default=None)

    def advance(self, now_us: float) -> None:
        while self._search and self._search.next_us <= now_us:
            self._ask_round(self._search)
        while self._waiting and not self._is_busy(now_us):
            self._obey(self._waiting.pop(0), now_us)

    def _ask_round(self, search: TagSearch) -> None:
        self._coupler.now_us = search.next_us
        ready_us = search.begun_us + search.activation_us
        in_one = self.reading.activation == "in one try"
        found = self._found(search) if in_one or search.next_us >= ready_us else []
        tries = search.tries + 1
        if found or (self._retries != FOR_EVER and tries > self._retries):
            self._search = None
            self._targets = dict(enumerate(found, 1))
            listed = b"".join(self._listed(number, tag) for number, tag in self._targets.items())
            done_us = self._coupler.now_us + WORK_US + (search.activation_us if found and in_one else 0.0)
            self._answer(done_us, 0x4A, bytes([len(found)]) + listed)
            if not found and self.reading.field_after_search == "off":
                self._switch(False, done_us)
        else:
            self._search = search._replace(tries=tries, next_us=self._coupler.now_us + self.reading.try_us)

    def _listed(self, number: int, tag: FoundTag) -> bytes:
        """7.3.5: number, SENS_RES with its high byte first, SEL_RES, length, UID, and the ATS if it was asked for."""
        ats = ATS if self._parameters & AUTOMATIC_RATS and tag.sak & ISO_14443_4 else b""
        return bytes([number, *reversed(tag.atqa), tag.sak, len(tag.uid)]) + tag.uid + ats

    def _found(self, search: TagSearch) -> list[FoundTag]:
        """One after the other; a tag that was found sleeps while the next is looked for."""
        self._active = None
        if search.wanted:
            levels = [search.wanted[place : place + 4] for place in range(0, len(search.wanted), 4)]
            uid = uid_of(levels)
            tag = self._coupler.summon(uid) if uid else None
            self._active = 1 if tag else None
            return [tag] if tag else []
        found: list[FoundTag] = []
        while len(found) < search.most and (tag := self._coupler.find()):
            found.append(tag)
            self._active = len(found)
            if len(found) < search.most:
                self._coupler.halt()
                self._active = None
        return found

    def _exchange(self, data: bytes, at_us: float) -> None:
        target = self._targets.get(data[0] & 0x3F) if data else None
        if target is None or len(data) < 2:
            self._answer(at_us, 0x40, bytes([NO_TARGET]))
            return
        self._coupler.now_us = at_us
        if self._active != data[0]:
            if self._active is not None:
                self._coupler.halt()
            if self._coupler.summon(target.uid) is None:
                self._answer(self._coupler.now_us, 0x40, bytes([TIME_OUT]))
                return
            self._active = data[0]
        answer = self._coupler.exchange(data[1:])
        statuses = {"silent": TIME_OUT, "garbled": CRC_ERROR, "refused": REFUSED}
        said = bytes([statuses[answer]]) if isinstance(answer, str) else bytes([OK]) + answer
        self._answer(self._coupler.now_us + WORK_US, 0x40, said)

    def _deselect(self, data: bytes, at_us: float) -> None:
        self._coupler.now_us = at_us
        if self._active is not None:
            self._coupler.halt()
        self._active = None
        self._answer(self._coupler.now_us + WORK_US, 0x44, bytes([OK if self._targets else NO_TARGET]))

    def _release(self, data: bytes, at_us: float) -> None:
        self._coupler.now_us = at_us
        if self._active is not None:
            self._coupler.halt()
        self._targets, self._active = {}, None
        self._answer(self._coupler.now_us + WORK_US, 0x52, bytes([OK]))


_COMMANDS: dict[int, Callable[[Pn532Chip, bytes, float], None]] = {
    0x00: Pn532Chip._diagnose,
    0x02: Pn532Chip._tell_firmware,
    0x04: Pn532Chip._tell_status,
    0x12: Pn532Chip._set_parameters,
    0x14: Pn532Chip._configure_sam,
    0x16: Pn532Chip._power_down,
    0x32: Pn532Chip._configure_rf,
    0x40: Pn532Chip._exchange,
    0x44: Pn532Chip._deselect,
    0x4A: Pn532Chip._begin_search,
    0x52: Pn532Chip._release,
}


def _extended(size: int) -> bytes:
    return bytes([0xFF, 0xFF, size >> 8, size & 0xFF, -((size >> 8) + (size & 0xFF)) & 0xFF])
