"""Faults that look like an empty field, and tags that are hard to hear: none is a removal, none stays unseen."""

from functools import partial
from random import Random

import pytest

from companion.devices.rc522.simulated_chip import AFTER_RESET, ANALOGUE, Chip, Register
from companion.devices.satellite import wire
from companion.devices.satellite.wire import FAULT, FOUND, PLACED, PRESSED, READY, REMOVED
from companion.devices.simulated.tags import Flicker, Ntag, Tag
from tests.firmware.core import Core
from tests.firmware.test_core_pads import FOUR, LOOK_MS, NTAG, ROOM, greeted, ntag, ready

WRONG = "03"
NOTICED_MS = 100
"""By then a reader that has gone deaf is noticed, whatever lies there."""


# --- Tags that are not heard ----------------------------------------------------------------------------------


@pytest.mark.parametrize("others", range(4))
def test_a_tag_that_was_told_gone_while_it_had_power_is_found_again(others: int) -> None:
    """It was not heard for too long to believe in it. It rests, halted, and a request alone would never wake it."""
    chip = Chip()
    chip.field.place(*map(ntag, FOUR[: others + 1]))
    core = ready(chip)
    core.run(1500)
    chip.faults.muffled = True
    core.run(1500)
    told = core.told(0)
    assert sorted(told) == sorted((REMOVED, uid.hex().upper()) for uid in FOUR[: others + 1])
    chip.faults.muffled = False
    core.run(150)
    assert sorted(core.told(0)[len(told) :]) == sorted((PLACED, uid.hex().upper()) for uid in FOUR[: others + 1])


def test_a_tag_that_is_not_heard_for_a_moment_stays() -> None:
    chip = Chip()
    chip.field.place(ntag())
    core = ready(chip)
    for _ in range(20):
        chip.faults.muffled = True
        core.run(200)
        chip.faults.muffled = False
        core.run(60)
    assert core.told(0) == []


def test_of_four_tags_one_that_loses_its_power_for_a_moment_stays() -> None:
    """There is no room for a fifth, and it is none."""
    chip = Chip()
    four = [ntag(uid) for uid in FOUR]
    chip.field.place(*four)
    core = ready(chip)
    for number in range(40):
        four[number % 4].lose_power()
        core.run(37)
    core.run(500)
    assert core.told(0) == []


def test_four_tags_that_flicker_stay() -> None:
    chip = Chip()
    chip.field.place(*(Ntag(uid, flicker=Flicker(60 + 20 * place, 50)) for place, uid in enumerate(FOUR)))
    core = ready(chip)
    core.run(10_000)
    assert core.told(0) == []


@pytest.mark.parametrize("reliability", [0.7, 0.8, 0.9])
def test_four_weak_tags_stay(reliability: float) -> None:
    chip = Chip()
    core = ready(chip)
    chip.field.place(*(Ntag(uid, reliability=reliability, chance=Random(uid)) for uid in FOUR))
    core.run(30_000)
    assert sorted(core.told(0)) == sorted((PLACED, uid.hex().upper()) for uid in FOUR)


def test_a_weak_tag_is_found_by_every_look() -> None:
    for seed in range(30):
        chip = Chip()
        chip.field.place(Ntag(NTAG, reliability=0.7, chance=Random(seed)))
        core = greeted(chip, None, None, None, None)
        core.run(2000)
        assert core.told(0)[:2] == [(FOUND, NTAG.hex().upper()), (READY, "")], seed


@pytest.mark.parametrize("at", [1, 2, 4, 5, 6, 7, 8, 9])
def test_of_a_ten_byte_uid_any_plain_byte_may_look_like_the_cascade_tag(at: int) -> None:
    uid = bytearray(range(0x10, 0x1A))
    uid[at] = 0x88
    chip, tag = Chip(), Tag(bytes(uid))
    core = ready(chip)
    chip.field.place(tag)
    core.run(2000)
    chip.field.lift(tag)
    core.run(1000)
    assert core.told(0) == [(PLACED, uid.hex().upper()), (REMOVED, uid.hex().upper())]


# --- Readers that are deaf ------------------------------------------------------------------------------------

SETTINGS = (Register.TX_MODE, Register.RX_MODE, Register.TX_ASK, Register.TX_CONTROL, Register.T_MODE)


@pytest.mark.parametrize("lies_there", [True, False])
@pytest.mark.parametrize("register", [*ANALOGUE, *SETTINGS, Register.MODE])
def test_one_wrong_bit_that_makes_a_reader_deaf_is_a_fault_and_no_removal(register: Register, lies_there: bool) -> None:
    for bit in range(8):
        chip = Chip()
        if lies_there:
            chip.field.place(ntag())
        core = ready(chip)
        chip.disturb(register, chip._values[register] ^ 1 << bit)
        core.run(NOTICED_MS)
        assert core.told(0) == [(FAULT, WRONG)], bit
        core.run(LOOK_MS)
        found = [(FOUND, NTAG.hex().upper())] if lies_there else []
        assert core.told(0) == [(FAULT, WRONG), *found, (READY, "")], bit


def test_the_firmware_knows_what_the_data_sheet_says_of_a_reset() -> None:
    """A chip that holds something else is believed when two resets agree about it."""
    chip = Chip()
    core = greeted(chip, None, None, None, None)
    core.run(LOOK_MS)
    assert core.told(0) == [(READY, "")]


class Copy(Chip):
    """Another maker's chip: a register that changes nothing there begins with another value."""

    def _reset_registers(self) -> None:
        super()._reset_registers()
        self._values[Register.MODE] = AFTER_RESET[Register.MODE] ^ 0x10


def test_a_copy_of_the_chip_that_begins_in_another_way_works() -> None:
    chip = Copy()
    chip.field.place(ntag())
    core = greeted(chip, None, None, None, None)
    core.run(LOOK_MS + 200)
    assert core.told(0)[-2:] == [(FOUND, NTAG.hex().upper()), (READY, "")]


@pytest.mark.parametrize("lasts_ms", [1, 3, 5, 6, 8, 20])
def test_a_reset_that_is_lost_is_a_fault_and_never_an_empty_field(lasts_ms: int) -> None:
    """The tag was halted: without a reset the field stays on, and it would not answer."""
    for before_ms in range(6):
        chip = Chip()
        chip.field.place(ntag())
        core = ready(chip)
        core.run(before_ms)
        chip.faults.stubborn = True
        core.greet(session=2)
        core.run(lasts_ms)
        chip.faults.stubborn = False
        core.run(LOOK_MS + 200)
        assert core.told(0) == [(FAULT, WRONG), (FOUND, NTAG.hex().upper()), (READY, "")]


@pytest.mark.parametrize("register", ANALOGUE)
def test_a_lost_reset_of_a_chip_that_had_no_power_for_a_moment_is_a_fault_as_well(register: Register) -> None:
    """All that it was told is forgotten, as after a reset; what a disturbance leaves in it afterwards is no reset's."""
    chip = Chip()
    core = ready(chip)
    chip.faults.unpowered = True
    core.run(NOTICED_MS)
    chip.faults.unpowered = False
    chip.faults.stubborn = True
    chip.select(core.now_ms * 1000)  # it has its power again
    chip.disturb(register, chip._values[register] ^ 0x08)
    chip.field.place(ntag())
    core.run(2000)
    assert {kind for kind, _ in core.told(0)} == {FAULT}
    chip.faults.stubborn = False
    core.run(2 * LOOK_MS)
    assert core.told(0)[-2:] == [(FOUND, NTAG.hex().upper()), (READY, "")]


class Unwritable(Chip):
    """A chip that answers, and takes nothing down, for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.takes = True
        self._writers = [partial(self._take, write, address) for address, write in enumerate(self._writers)]

    def _take(self, write, address: int, value: int) -> None:
        if self.takes and write:
            write(value)
        elif self.takes:
            self._values[address] = value


def test_a_chip_that_takes_no_question_cannot_pass_off_an_old_silence_as_a_new_one() -> None:
    chip = Unwritable()
    chip.field.place(ntag())
    core = ready(chip)
    for _ in range(30):
        chip.takes = False
        core.run(150)
        chip.takes = True
        core.run(20)
    kinds = [kind for kind, _ in core.told(0)]
    assert FAULT in kinds
    assert REMOVED not in kinds


# --- Room for what happens ------------------------------------------------------------------------------------


def press(core: Core, times: int) -> None:
    for _ in range(times):
        for down in (True, False):
            core.hold(4, green=down)
            core.run(20)


def test_looks_of_sessions_that_are_over_take_no_room() -> None:
    core = greeted(*(Chip(seed=pad) for pad in range(wire.PADS)))
    for pad, chip in enumerate(core.chips):
        chip.field.place(*(ntag(bytes([4, pad, last, 0, 0, 0, 0])) for last in range(4)))
    core.acknowledges = False
    for session in range(2, 30):
        core.greet(session)
        core.run(100)
    core.pings = False
    core.run(3100)
    press(core, 8)
    core.acknowledges = True
    core.greet(99)
    core.run(2000)
    kinds = [event.kind for event in core.events]
    assert kinds.count(PRESSED) == 8
    assert wire.LOST not in kinds
    fresh = next(message.fresh for message in reversed(core.received) if isinstance(message, wire.Welcome))
    told = [event.kind for event in core.events if event.number >= fresh]
    assert (told.count(FOUND), told.count(READY)) == (4 * wire.PADS, wire.PADS)


def test_a_reader_that_fails_while_nothing_listens_takes_no_room() -> None:
    chip = Chip()
    chip.field.place(ntag())
    core = ready(chip)
    core.pings = False
    core.run(3100)
    for _ in range(30):
        chip.faults.gone = 0x00
        core.run(300)
        chip.faults.gone = None
        core.run(700)
    press(core, ROOM)
    core.received.clear()
    core.pings = True
    core.greet(session=2)
    core.run(1000)
    kinds = [event.kind for event in core.events]
    assert (kinds.count(PRESSED), wire.LOST in kinds) == (ROOM, False)
    assert core.told(0) == [(FOUND, NTAG.hex().upper()), (READY, "")]
