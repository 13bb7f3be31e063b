"""The numbers of the MFRC522 as its data sheet has them (NXP): a slip in a constant is noticed here."""

import pytest

from companion.devices.rc522 import simulated_chip as chip
from companion.devices.rc522.simulated_bus import Board
from companion.devices.rc522.simulated_chip import AFTER_RESET, MEANT, ChipCommand, Register

OVERVIEW = """
01 COMMAND 20        02 COM_IEN 80       03 DIV_IEN 00       04 COM_IRQ 14       05 DIV_IRQ 00
06 ERROR 00          07 STATUS1 21       08 STATUS2 00       09 FIFO_DATA 00     0A FIFO_LEVEL 00
0B WATER_LEVEL 08    0C CONTROL 10       0D BIT_FRAMING 00   0E COLL A0
11 MODE 3F           12 TX_MODE 00       13 RX_MODE 00       14 TX_CONTROL 80    15 TX_ASK 00
16 TX_SEL 10         17 RX_SEL 84        18 RX_THRESHOLD 84  19 DEMOD 4D         1C MF_TX 62
1D MF_RX 00          1F SERIAL_SPEED EB  21 CRC_RESULT_H FF  22 CRC_RESULT_L FF  24 MOD_WIDTH 26
26 RF_CFG 48         27 GS_N 88          28 CW_GS_P 20       29 MOD_GS_P 20      2A T_MODE 00
2B T_PRESCALER 00    2C T_RELOAD_H 00    2D T_RELOAD_L 00    2E T_COUNTER_H 00   2F T_COUNTER_L 00
"""
"""9.2, and the reset values of 9.3: address, register, what it holds after a reset."""
COMMANDS = "0 IDLE  3 CALC_CRC  4 TRANSMIT  7 NO_CHANGE  8 RECEIVE  C TRANSCEIVE  E AUTHENTICATE  F SOFT_RESET"
"""10.3."""
FLAGS = {"TX": 0x40, "RX": 0x20, "TIMER": 0x01, "COLLISION": 0x08, "GARBLING": 0x10 | 0x04 | 0x02 | 0x01}
"""9.3.1.5 TxIRq, RxIRq, TimerIRq; 9.3.1.7 CollErr; BufferOvfl, CRCErr, ParityErr, ProtocolErr."""
SWITCHES = {
    "START_SEND": 0x80,
    "FLUSH": 0x80,
    "CLEAR_FLAGS": 0x7F,
    "POSITION_INVALID": 0x20,
    "LEVEL": 0x7F,
    "ANTENNA_ON": 0x83,
    "ANTENNA_OFF": 0x80,
    "ANTENNA": 0x03,
    "FORCE_ASK": 0x40,
    "MF_TX": 0x1C,
    "MF_RX": 0x1D,
}
"""9.3.1 and 9.3.2."""
MEANT_BITS = {"TX_MODE": 0xF8, "RX_MODE": 0xFC, "TX_CONTROL": 0xFB, "TX_ASK": 0x40, "MODE": 0xAB, "TX_SEL": 0x3F} | {
    "RX_THRESHOLD": 0xF7,
    "RF_CFG": 0x70,
    "CW_GS_P": 0x3F,
    "MOD_GS_P": 0x3F,
    "MF_TX": 0x03,
    "MF_RX": 0x10,
}
"""9.3: the bits that are not reserved."""


def rows() -> dict[str, tuple[int, int]]:
    words = OVERVIEW.split()
    return {name: (int(at, 16), int(held, 16)) for at, name, held in zip(*[iter(words)] * 3, strict=True)}


def test_every_register_is_at_its_address_and_holds_after_a_reset_what_the_data_sheet_says() -> None:
    assert {each.name: each.value for each in Register} == {name: at for name, (at, _) in rows().items()} | {
        "VERSION": 0x37
    }
    held = {name: AFTER_RESET.get(at, 0) for name, (at, _) in rows().items()}
    assert held == {name: value for name, (_, value) in rows().items()}


def test_every_command_has_its_code() -> None:
    words = COMMANDS.split()
    codes = {name: int(code, 16) for code, name in zip(words[::2], words[1::2], strict=True)}
    assert {each.name: each.value for each in ChipCommand} == codes


def test_the_simulated_chip_raises_the_flags_of_the_data_sheet() -> None:
    flags = chip.TX_IRQ, chip.RX_IRQ, chip.IDLE_IRQ, chip.ERR_IRQ, chip.TIMER_IRQ, chip.CRC_IRQ
    assert flags == (0x40, 0x20, 0x10, 0x02, 0x01, 0x04)
    assert (chip.BUFFER_OVERFLOW, chip.COLLISION, chip.CRC_ERROR) == (0x10, 0x08, 0x04)
    assert (chip.COLL_POSITION_INVALID, chip.VALUES_AFTER_COLL, chip.CRYPTO_ON, chip.SPEED) == (0x20, 0x80, 0x08, 0x70)
    assert (chip.START_SEND, chip.ANTENNA, chip.FORCE_ASK) == (0x80, 0x03, 0x40)


@pytest.fixture(scope="module")
def transceiver():
    with Board().installed():
        from companion.devices.rc522 import transceiver

        yield transceiver


@pytest.mark.parametrize(("name", "value"), (FLAGS | SWITCHES).items())
def test_the_driver_uses_the_flags_of_the_data_sheet(transceiver, name: str, value: int) -> None:
    assert getattr(transceiver, name) == value


def test_the_driver_and_the_chip_know_which_bits_are_not_reserved(transceiver) -> None:
    meant = {Register[name].value: bits for name, bits in MEANT_BITS.items()}
    assert meant == transceiver.PROMISED
    assert {at: MEANT[at] for at in meant} == meant


def test_the_driver_expects_of_the_analogue_part_what_the_data_sheet_says(transceiver) -> None:
    """From TxSelReg to ModGsPReg, as listed in 9.3.2."""
    parts = ("TX_SEL", "RX_SEL", "RX_THRESHOLD", "DEMOD", "MF_TX", "MF_RX", "MOD_WIDTH", "RF_CFG", "GS_N")
    assert [rows()[name][1] for name in (*parts, "CW_GS_P", "MOD_GS_P")] == transceiver.DATA_SHEET


def test_the_timer_ticks_every_25_microseconds(transceiver) -> None:
    """8.5: 13.56 MHz divided by twice the prescaler and one."""
    assert pytest.approx(transceiver.TICK_US, rel=0.001) == (2 * transceiver.PRESCALER + 1) / 13.56


def test_simulated_pins_have_the_numbers_of_rpi_gpio() -> None:
    with Board().installed():
        from RPi import GPIO

        numbers = GPIO.BOARD, GPIO.BCM, GPIO.OUT, GPIO.IN, GPIO.LOW, GPIO.HIGH
    assert numbers == (10, 11, 0, 1, 0, 1)


@pytest.mark.parametrize(
    ("reply", "whole"),
    [
        ((0x0344, 16), b"\x44\x03"),
        ((0x0344, 16, True), None),
        ((0x0344, 16, False, True), None),
        ((0xA, 4), None),
        ((0, 0), None),
        ((0, 0, False, True), None),
    ],
)
def test_an_answer_is_whole_if_its_bytes_are_and_nothing_disturbed_it(transceiver, reply, whole) -> None:
    assert transceiver.TagReply(*reply).whole == whole
