"""The simulated MFRC522 by its pins: registers, FIFO, flags, timer, bit framing, faults."""

import pytest

from companion.devices.iso14443 import crc_a
from companion.devices.rc522.simulated_chip import Chip, ChipCommand, Register
from companion.devices.simulated.tags import Ntag, Tag

ANNA = bytes.fromhex("04A1B2C3D4E5F6")
OCTET_US = 8.0
"""1 MHz."""


class Wire:
    """Talks to the chip byte by byte, as a microcontroller does."""

    def __init__(self, **chip) -> None:
        self.chip = Chip(**chip)
        self.now_us = 0.0

    def transfer(self, *octets: int) -> list[int]:
        self.chip.select(self.now_us)
        answer = [self._exchange(octet) for octet in octets]
        self.chip.deselect(self.now_us)
        return answer

    def _exchange(self, octet: int) -> int:
        self.now_us += OCTET_US
        return self.chip.exchange(octet, self.now_us)

    def read(self, register: int) -> int:
        return self.transfer(register << 1 | 0x80, 0)[1]

    def write(self, register: int, *values: int) -> None:
        self.transfer(register << 1, *values)

    def wait(self, us: float) -> None:
        self.now_us += us

    def set_up(self, ticks: int = 40) -> "Wire":
        """Timer of 25 µs a tick, 100 % ASK, antenna on, and tags awake."""
        self.write(Register.T_MODE, 0x80)
        self.write(Register.T_PRESCALER, 169)
        self.write(Register.T_RELOAD_L, ticks - 1)
        self.write(Register.TX_ASK, 0x40)
        self.write(Register.TX_CONTROL, 0x83)
        self.wait(6_000)
        return self

    def send(self, data: bytes, framing: int = 0, wait_us: float = 3_000) -> bytes:
        """Transceive; what is in the FIFO afterwards."""
        self.write(Register.COMMAND, ChipCommand.IDLE)
        self.write(Register.FIFO_LEVEL, 0x80)
        self.write(Register.COM_IRQ, 0x7F)
        self.write(Register.FIFO_DATA, *data)
        self.write(Register.BIT_FRAMING, framing)
        self.write(Register.COMMAND, ChipCommand.TRANSCEIVE)
        self.write(Register.BIT_FRAMING, framing | 0x80)
        self.wait(wait_us)
        return bytes(self.read(Register.FIFO_DATA) for _ in range(self.read(Register.FIFO_LEVEL)))


@pytest.fixture
def wire() -> Wire:
    return Wire().set_up()


# --- SPI and registers ----------------------------------------------------------------------------------------


def test_registers_hold_what_the_data_sheet_says_after_a_reset() -> None:
    wire = Wire()
    assert wire.read(Register.VERSION) == 0x92
    assert wire.read(Register.COMMAND) == 0x20
    assert wire.read(Register.TX_CONTROL) == 0x80
    assert wire.read(Register.RF_CFG) == 0x48
    assert wire.read(Register.COM_IRQ) == 0x14


def test_one_transfer_reads_many_registers() -> None:
    wire = Wire()
    registers = (Register.VERSION, Register.MODE, Register.TX_CONTROL)
    assert wire.transfer(*(each << 1 | 0x80 for each in registers), 0)[1:] == [0x92, 0x3F, 0x80]


def test_one_transfer_fills_the_fifo_and_another_empties_it(wire: Wire) -> None:
    wire.write(Register.FIFO_DATA, 1, 2, 3)
    assert wire.read(Register.FIFO_LEVEL) == 3
    assert wire.transfer(*[Register.FIFO_DATA << 1 | 0x80] * 3, 0)[1:] == [1, 2, 3]
    assert wire.read(Register.FIFO_LEVEL) == 0


def test_a_fifo_holds_64_bytes_and_says_when_it_overflows(wire: Wire) -> None:
    wire.write(Register.FIFO_DATA, *range(64))
    assert wire.read(Register.ERROR) & 0x10 == 0
    wire.write(Register.FIFO_DATA, 64)
    assert (wire.read(Register.ERROR) & 0x10, wire.read(Register.FIFO_LEVEL)) == (0x10, 64)
    wire.write(Register.FIFO_LEVEL, 0x80)
    assert (wire.read(Register.ERROR) & 0x10, wire.read(Register.FIFO_LEVEL)) == (0, 0)


def test_flags_are_set_and_cleared_by_the_highest_bit(wire: Wire) -> None:
    wire.write(Register.COM_IRQ, 0x7F)
    wire.write(Register.COM_IRQ, 0x80 | 0x21)
    assert wire.read(Register.COM_IRQ) == 0x21
    wire.write(Register.COM_IRQ, 0x01)
    assert wire.read(Register.COM_IRQ) == 0x20


@pytest.mark.parametrize("register", [Register.VERSION, Register.ERROR, Register.STATUS1])
def test_some_registers_cannot_be_written(register: int) -> None:
    wire = Wire()
    before = wire.read(register)
    wire.write(register, 0x55)
    assert wire.read(register) == before


def test_a_soft_reset_loses_every_setting(wire: Wire) -> None:
    wire.write(Register.COMMAND, ChipCommand.SOFT_RESET)
    assert (wire.read(Register.T_PRESCALER), wire.read(Register.TX_CONTROL)) == (0, 0x80)


def test_the_reset_pin_cuts_the_chip_off_and_resets_it(wire: Wire) -> None:
    wire.chip.reset(False, wire.now_us)
    assert wire.read(Register.VERSION) == 0x00
    wire.chip.reset(True, wire.now_us)
    assert (wire.read(Register.VERSION), wire.read(Register.T_PRESCALER)) == (0x92, 0)


def test_the_coprocessor_calculates_crc_a(wire: Wire) -> None:
    wire.write(Register.MODE, 0x3D)
    wire.write(Register.FIFO_DATA, 0x12, 0x34)
    wire.write(Register.COMMAND, ChipCommand.CALC_CRC)
    assert wire.read(Register.DIV_IRQ) & 0x04
    assert bytes([wire.read(Register.CRC_RESULT_L), wire.read(Register.CRC_RESULT_H)]) == crc_a(b"\x12\x34")
    wire.write(Register.FIFO_DATA, 0x56)  # it goes on until it is stopped
    assert bytes([wire.read(Register.CRC_RESULT_L), wire.read(Register.CRC_RESULT_H)]) == crc_a(b"\x12\x34\x56")


def test_an_unknown_command_ends_at_once_and_idle_says_nothing(wire: Wire) -> None:
    wire.write(Register.COM_IRQ, 0x7F)
    wire.write(Register.COMMAND, ChipCommand.IDLE)
    assert wire.read(Register.COM_IRQ) & 0x10 == 0
    wire.write(Register.COMMAND, 0x05)
    assert (wire.read(Register.COM_IRQ) & 0x10, wire.read(Register.COMMAND) & 0x0F) == (0x10, 0)


# --- Time -----------------------------------------------------------------------------------------------------


def test_silence_is_told_by_the_timer_and_not_before(wire: Wire) -> None:
    wire.send(b"\x26", 0x07, wait_us=900)
    assert wire.read(Register.COM_IRQ) & 0x61 == 0x40  # sent, and nothing yet
    wire.wait(300)
    assert wire.read(Register.COM_IRQ) & 0x61 == 0x41


def test_the_timer_counts_down_and_can_be_started_and_stopped_by_hand(wire: Wire) -> None:
    wire.write(Register.COM_IRQ, 0x7F)
    wire.write(Register.CONTROL, 0x40)
    wire.wait(500)
    assert 15 <= wire.read(Register.T_COUNTER_L) <= 25
    assert wire.read(Register.STATUS1) & 0x08
    wire.write(Register.CONTROL, 0x80)
    wire.wait(2_000)
    assert wire.read(Register.COM_IRQ) & 0x01 == 0
    wire.write(Register.CONTROL, 0x40)
    wire.wait(2_000)
    assert wire.read(Register.COM_IRQ) & 0x01


def test_a_timer_that_restarts_itself_goes_on(wire: Wire) -> None:
    wire.write(Register.T_MODE, 0x90)
    wire.write(Register.CONTROL, 0x40)
    for _ in range(3):
        wire.wait(1_100)
        assert wire.read(Register.COM_IRQ) & 0x01
        wire.write(Register.COM_IRQ, 0x01)


def test_without_tauto_silence_is_not_reported(wire: Wire) -> None:
    wire.write(Register.T_MODE, 0x00)
    wire.send(b"\x26", 0x07)
    assert wire.read(Register.COM_IRQ) & 0x01 == 0


def test_an_answer_takes_its_time_in_the_air(wire: Wire) -> None:
    """REQA 85 µs, frame delay 91 µs, ATQA 189 µs."""
    wire.chip.field.place(Ntag(ANNA))
    wire.wait(6_000)
    wire.send(b"\x26", 0x07, wait_us=320)
    assert wire.read(Register.COM_IRQ) & 0x20 == 0
    wire.wait(60)
    assert wire.read(Register.COM_IRQ) & 0x21 == 0x20  # and the timer has been stopped


def test_start_send_is_an_edge(wire: Wire) -> None:
    wire.chip.field.place(Ntag(ANNA))
    wire.wait(6_000)
    assert wire.send(b"\x26", 0x07) == b"\x44\x00"
    wire.write(Register.COM_IRQ, 0x7F)
    wire.write(Register.FIFO_DATA, 0x93, 0x20)
    wire.write(Register.BIT_FRAMING, 0x80)  # still up from before
    wire.wait(3_000)
    assert wire.read(Register.COM_IRQ) & 0x40 == 0
    wire.write(Register.BIT_FRAMING, 0x00)
    wire.write(Register.BIT_FRAMING, 0x80)
    wire.wait(3_000)
    assert wire.read(Register.COM_IRQ) & 0x60 == 0x60


# --- The field ------------------------------------------------------------------------------------------------


def test_a_tag_needs_the_field_for_five_milliseconds(wire: Wire) -> None:
    wire.read(Register.VERSION)  # so that it knows what time it is
    wire.chip.field.place(Ntag(ANNA))
    assert wire.send(b"\x26", 0x07) == b""
    wire.wait(5_000)
    assert wire.send(b"\x26", 0x07) == b"\x44\x00"


@pytest.mark.parametrize(("register", "value"), [(Register.TX_CONTROL, 0x80), (Register.TX_ASK, 0x00)])
def test_without_antenna_or_full_modulation_nothing_hears(wire: Wire, register: int, value: int) -> None:
    wire.chip.field.place(Ntag(ANNA))
    wire.wait(6_000)
    wire.write(register, value)
    assert wire.send(b"\x26", 0x07) == b""


def test_all_eight_bits_of_reqa_are_no_reqa(wire: Wire) -> None:
    wire.chip.field.place(Ntag(ANNA))
    wire.wait(6_000)
    assert wire.send(b"\x26", 0x00) == b""


@pytest.mark.parametrize(("counts_align", "positions"), [(True, (3, 3, 5)), (False, (3, 1, 2))])
def test_collisions_are_found_bit_by_bit(counts_align: bool, positions: tuple[int, ...]) -> None:
    wire = Wire(position_counts_align=counts_align).set_up()
    wire.chip.field.place(*(Tag(bytes([first, 0, 0, 0])) for first in (0b00010, 0b00110, 0b10110)))
    wire.wait(6_000)
    wire.write(Register.COLL, 0x00)
    wire.send(b"\x26", 0x07)
    assert wire.send(b"\x93\x20") == bytes([0b00010, 0, 0, 0, 0])  # nothing is kept from the collision on
    assert (wire.read(Register.ERROR) & 0x08, wire.read(Register.COLL)) == (0x08, positions[0])
    wire.send(b"\x93\x22\x02", 0x22)  # two bits known: all three have them
    assert wire.read(Register.COLL) == positions[1]
    wire.send(b"\x93\x23\x06", 0x33)  # three bits known: two are left
    assert wire.read(Register.COLL) == positions[2]
    assert wire.send(b"\x93\x25\x16", 0x55) == bytes([0, 0, 0, 0, 0b10110])  # five bits known: one is left
    assert (wire.read(Register.ERROR), wire.read(Register.COLL)) == (0, 0x20)


def test_values_after_a_collision_can_be_kept(wire: Wire) -> None:
    wire.chip.field.place(Tag(b"\x01\x00\xaa\x00"), Tag(b"\x02\x00\xaa\x00"))
    wire.wait(6_000)
    wire.write(Register.COLL, 0x80)
    wire.send(b"\x26", 0x07)
    assert wire.send(b"\x93\x20")[2] == 0xAA


def test_the_chip_can_append_and_check_crc_a_itself(wire: Wire) -> None:
    wire.chip.field.place(Tag(b"\x01\x02\x03\x04"))
    wire.wait(6_000)
    wire.send(b"\x26", 0x07)
    wire.write(Register.TX_MODE, 0x80)
    wire.write(Register.RX_MODE, 0x80)
    assert wire.send(b"\x93\x70\x01\x02\x03\x04\x04") == b"\x00"
    assert wire.read(Register.ERROR) == 0


# --- Faults ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0x00, 0xFF])
def test_a_chip_that_is_gone_hears_nothing_and_keeps_its_registers(wire: Wire, value: int) -> None:
    wire.chip.faults.gone = value
    wire.write(Register.T_PRESCALER, 7)
    assert {wire.read(Register.VERSION), wire.read(Register.T_PRESCALER)} == {value}
    wire.chip.faults.clear()
    assert wire.read(Register.T_PRESCALER) == 169


def test_a_stuck_line_says_the_same_for_ever_but_the_chip_hears(wire: Wire) -> None:
    wire.chip.faults.stuck = 0x92
    wire.write(Register.T_PRESCALER, 7)
    assert wire.read(Register.TX_CONTROL) == 0x92
    wire.chip.faults.clear()
    assert wire.read(Register.T_PRESCALER) == 7


def test_the_shortest_outage_loses_all_registers(wire: Wire) -> None:
    wire.chip.faults.unpowered = True
    wire.chip.faults.unpowered = False
    assert (wire.read(Register.VERSION), wire.read(Register.T_PRESCALER)) == (0x92, 0)


def test_a_hung_chip_never_ends_a_command(wire: Wire) -> None:
    wire.chip.faults.hung = True
    wire.send(b"\x26", 0x07, wait_us=1e6)
    assert wire.read(Register.COM_IRQ) & 0x61 == 0


def test_noise_collides_even_in_an_empty_field(wire: Wire) -> None:
    wire.chip.faults.colliding = True
    wire.send(b"\x26", 0x07)
    assert (wire.read(Register.ERROR) & 0x08, wire.read(Register.COLL) & 0x3F) == (0x08, 1)


def test_a_garbled_answer_has_one_wrong_bit(wire: Wire) -> None:
    wire.chip.field.place(Ntag(ANNA))
    wire.wait(6_000)
    wire.chip.faults.garbled = True
    answer = wire.send(b"\x26", 0x07)
    assert (int.from_bytes(answer, "little") ^ 0x0044).bit_count() == 1


def test_faults_can_be_named_and_cleared() -> None:
    faults = Chip().faults
    faults.gone, faults.hung, faults.unpowered = 0x00, True, True
    assert faults.on == ("gone", "hung", "unpowered")
    faults.clear()
    assert faults.on == ()
