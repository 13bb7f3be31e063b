"""The simulated MFRC522 where models of it like to differ from the chip: flags, the timer, deafness, lost resets."""

from random import Random

import pytest

from companion.devices.iso14443 import HALT, REQA, WUPA, cascade, select
from companion.devices.rc522.simulated_chip import ANALOGUE, Chip, ChipCommand, Register
from companion.devices.simulated.tags import Ntag, TagState
from tests.devices.rc522.test_simulated_chip import ANNA, OCTET_US, Wire

TX, RX, IDLE, TIMER = 0x40, 0x20, 0x10, 0x01


def asked(**chip) -> Wire:
    """A chip with Anna's tag in its field."""
    wire = Wire(**chip).set_up()
    wire.chip.field.place(Ntag(ANNA))
    wire.wait(6_000)
    return wire


def flags(wire: Wire) -> int:
    return wire.read(Register.COM_IRQ)


def test_that_a_frame_was_sent_is_told_after_its_last_bit() -> None:
    wire = asked()
    wire.send(bytes([REQA]), 0x07, wait_us=0)
    assert not flags(wire) & TX
    wire.wait(9 * 9.44)
    assert flags(wire) & TX


def test_transceive_does_not_become_idle_by_itself() -> None:
    wire = asked()
    assert len(wire.send(bytes([REQA]), 0x07)) == 2
    assert flags(wire) & (TX | RX | IDLE) == TX | RX
    assert wire.read(Register.COMMAND) & 0x0F == ChipCommand.TRANSCEIVE


def test_idle_stops_the_timer() -> None:
    wire = Wire().set_up(ticks=250)
    wire.send(bytes([REQA]), 0x07, wait_us=500)
    wire.write(Register.COMMAND, ChipCommand.IDLE)
    wire.wait(20_000)
    assert not flags(wire) & TIMER


def test_a_halted_tag_rests_for_as_long_as_it_has_power() -> None:
    wire = asked()
    wire.send(bytes([REQA]), 0x07)
    for level, four in enumerate(cascade(ANNA)):
        wire.send(select(level, four))
    wire.send(HALT)
    assert wire.chip.field.tags[0].state is TagState.HALT
    for _ in range(5):
        assert wire.send(bytes([REQA]), 0x07) == b""
    assert len(wire.send(bytes([WUPA]), 0x07)) == 2


@pytest.mark.parametrize("register", [*ANALOGUE, Register.TX_MODE, Register.RX_MODE])
def test_one_wrong_bit_in_what_tunes_it_makes_a_chip_deaf(register: Register) -> None:
    bit = 0x40 if register in (Register.TX_MODE, Register.RX_MODE) else 0x01
    wire = asked()
    wire.chip.disturb(register, wire.read(register) ^ bit)
    assert wire.send(bytes([REQA]), 0x07) == b""
    assert flags(wire) & (TX | TIMER) == TX | TIMER, "and it looks like an empty field"


def test_an_antenna_that_a_spark_switches_off_feeds_no_tag() -> None:
    wire = asked()
    wire.chip.disturb(Register.TX_CONTROL, 0x80)
    assert wire.send(bytes([REQA]), 0x07) == b""


def test_a_reset_that_is_lost_leaves_everything_as_it_was() -> None:
    wire = asked()
    wire.chip.faults.stubborn = True
    wire.write(Register.COMMAND, ChipCommand.SOFT_RESET)
    assert wire.read(Register.TX_CONTROL) == 0x83
    wire.chip.faults.clear()
    wire.write(Register.COMMAND, ChipCommand.SOFT_RESET)
    assert wire.read(Register.TX_CONTROL) == 0x80


@pytest.mark.parametrize("level", [0x00, 0xFF])
def test_a_bus_that_nothing_drives_reads_as_it_is_pulled(level: int) -> None:
    wire = Wire(open_level=level)
    wire.chip.faults.unpowered = True
    assert wire.read(Register.VERSION) == level
    wire.chip.faults.unpowered = False
    wire.chip.reset(False, wire.now_us)
    assert wire.read(Register.VERSION) == level


def test_answers_that_are_muffled_are_missing_and_nothing_else_is() -> None:
    wire = asked()
    wire.chip.faults.muffled = True
    assert wire.send(bytes([REQA]), 0x07) == b""
    assert wire.chip.field.tags[0].state is TagState.READY, "it has heard, and has answered"


def test_sparks_spoil_bytes_in_both_directions() -> None:
    wire = Wire(seed=1)
    wire.chip.faults.sparks = 0.5
    assert len({wire.read(Register.VERSION) for _ in range(50)}) > 3
    wire.chip.faults.clear()
    assert {wire.read(Register.VERSION) for _ in range(50)} == {0x92}


def test_a_spark_also_spoils_what_the_chip_says(monkeypatch: pytest.MonkeyPatch) -> None:
    chip = Wire(seed=1).chip
    chip.faults.sparks = 1.0
    chip.exchange(0, 0.0)
    monkeypatch.setattr(chip, "_exchange", lambda _mosi, _now_us: 0x92)
    assert {chip._exchange_disturbed(0, 0.0) for _ in range(200)} == {0x92 ^ 1 << bit for bit in range(8)}


REQUEST = (
    *((Register.T_MODE, 0x80), (Register.TX_ASK, 0x40), (Register.TX_CONTROL, 0x83), (Register.COMMAND, 0x00)),
    *((Register.FIFO_LEVEL, 0x80), (Register.FIFO_DATA, WUPA), (Register.BIT_FRAMING, 0x07)),
    *((Register.COMMAND, ChipCommand.TRANSCEIVE), (Register.BIT_FRAMING, 0x87)),
)
"""What has to be written, and where, for tags to answer."""


def chattering(chance: Random) -> list[list[int]]:
    """Asks for tags, then writes and reads registers at random."""
    asks = [[register << 1, value] for register, value in REQUEST]
    chatter = [[chance.choice([*Register]) << 1 | chance.choice((0x00, 0x80))] for _ in range(20)]
    return asks + [each + chance.choices(range(256), k=chance.randint(1, 20)) for each in chatter]


@pytest.mark.parametrize("fault", ["", "sparks", "stuck", "unpowered", "hung", "colliding"])
def test_a_transfer_is_its_bytes_one_after_another(fault: str) -> None:
    chance = Random(fault)
    whole, piecemeal = Chip(), Wire()
    for chip in (whole, piecemeal.chip):
        chip.field.place(Ntag(ANNA))
    answered = 0
    for number, data in enumerate(each for _ in range(20) for each in chattering(chance)):
        for chip in (whole, piecemeal.chip):
            if number % 50 == 20 and fault:
                setattr(chip.faults, fault, True)
            elif number % 50 == 40:
                chip.faults.clear()
        began_us = piecemeal.now_us
        told = piecemeal.transfer(*data)
        assert whole.transfer(data, began_us, OCTET_US) == told
        assert whole.registers == piecemeal.chip.registers
        answered += bool(piecemeal.chip.registers[Register.COM_IRQ] & RX)
        piecemeal.wait(chance.choice((0, 100, 6_000)))
    assert answered


def test_a_chip_stands_still_while_nothing_is_under_way_and_nothing_new_is_wrong() -> None:
    wire = asked()
    assert wire.chip.is_still
    wire.send(bytes([WUPA]), 0x07, wait_us=0)
    assert not wire.chip.is_still
    wire.wait(3_000)
    assert flags(wire) & RX
    assert wire.chip.is_still
    wire.chip.faults.stuck = 0x92
    assert not wire.chip.is_still, "it has not noticed yet"
    wire.read(Register.VERSION)
    assert not wire.chip.is_still
    wire.chip.faults.clear()
    wire.read(Register.VERSION)
    assert wire.chip.is_still
