"""The numbers of the PN532 as its user manual has them (NXP UM0701-02): a slip in a constant would be noticed here."""

import pytest

from companion.devices.pn532 import commands, driver, frames
from companion.devices.pn532.simulated_chip import _extended

CODES = {
    "GET_FIRMWARE_VERSION": 0x02,  # 7.2.2
    "SET_PARAMETERS": 0x12,  # 7.2.9
    "RF_CONFIGURATION": 0x32,  # 7.3.1
    "IN_DATA_EXCHANGE": 0x40,  # 7.3.8
    "IN_DESELECT": 0x44,  # 7.3.10
    "IN_LIST_PASSIVE_TARGET": 0x4A,  # 7.3.5
}
STATUSES = {"check sum": 0x02, "parity": 0x03, "framing": 0x05, "collision": 0x06, "field": 0x0A, "protocol": 0x0B}
"""7.1."""


@pytest.mark.parametrize(("name", "code"), CODES.items())
def test_every_command_has_its_code(name: str, code: int) -> None:
    assert getattr(driver, name) == code


def test_the_line_is_opened_as_the_chip_begins() -> None:
    """7.2.8: 115,200 baud; 7.2.1: Diagnose; 7.2.10: SAMConfiguration, normal mode."""
    assert (commands.BAUD, commands.DIAGNOSE, commands.SAM_CONFIGURATION) == (115_200, 0x00, 0x14)
    assert commands.NORMAL_MODE[:1] == b"\x01"
    assert commands.ECHO[:1] == b"\x00"  # 7.2.1, NumTst 00: communication line test
    assert frames.CHIP == 0xD5  # the TFI of an answer


def test_the_parameters_are_those_of_the_manual() -> None:
    """7.2.9: 0x10 would be the automatic RATS; 7.3.1: item 1 is the field, item 5 the retries; 7.3.5: 106 kbit/s, type
    A, two targets at most; 7.2.2: the IC."""
    assert not driver.PARAMETERS[0] & 0x10
    assert (driver.RF_FIELD, driver.FIELD_OFF, driver.MAX_RETRIES[0]) == (1, 0, 5)
    assert (driver.TYPE_A, driver.MOST_AT_ONCE, driver.IC_PN532) == (0, 2, 0x32)
    assert driver.MOST_RETRIES < 0xFF  # which would be for ever
    assert driver.TIME_OUT == 0x01
    assert set(driver.GARBLED) == set(STATUSES.values())


def test_a_wake_up_lasts_two_milliseconds_and_no_echo_is_another_device_s_order() -> None:
    """7.2.11; ten bits a byte."""
    assert len(commands.WAKE_UP) * 10 / commands.BAUD >= 0.002
    for token in commands.TOKENS:
        sent = frames.command_frame(commands.DIAGNOSE, commands.ECHO + bytes([token]))
        assert not {0xFE, 0x7E, 0x7D, 0xC0, 0xDB, 0x0A, 0x0D, 0x03, 0x04, 0x05} & set(sent[3:-1])


def test_the_length_of_a_long_frame_is_two_bytes_and_their_check_sum() -> None:
    """6.2.1.2, the extended information frame: FF FF, the length, and what makes it 0."""
    for size in (0x0102, 0x01FF, 0x0108):
        high, low, check = _extended(size)[2:]
        assert (_extended(size)[:2], high * 256 + low, (high + low + check) & 0xFF) == (b"\xff\xff", size, 0)
