"""The simulated PN532 does what NXP's user manual says, frame by frame (UM0701-02)."""

import pytest

from companion.devices.pn532.commands import WAKE_UP
from companion.devices.pn532.frames import command_frame
from companion.devices.pn532.simulated_chip import ACK, BYTE_US, ERROR, NACK, Pn532Chip
from companion.devices.pn532.simulated_reader import ModelledLine
from companion.devices.pn532.source_readings import Pn532Reading, each_reading, questions
from companion.devices.rc522.simulated_bus import ModelledClock
from companion.devices.simulated.tags import Ntag
from tests.devices.pi import ANNA, BEN, KEY_RING, LONG, tag_of

GET_FIRMWARE = "0000FF02FED4022A00"
FIRMWARE = "0000FF06FAD50332010607E800"
SAM = "0000FF05FBD414010000 1700"
SAM_DONE = "0000FF02FED5151600"
LIST_TWO = "0000FF04FCD44A0200E000"
FIELD_OFF = "0000FF04FCD4320100F900"


class Line:
    """Talks to a chip, with a clock."""

    def __init__(self, **readings) -> None:
        self.clock = ModelledClock()
        self.chip = Pn532Chip(reading=Pn532Reading(**readings))
        self._line = ModelledLine(self.chip, self.clock)

    def say(self, frame: str, within_s: float = 0.05) -> str:
        """What comes back, in hexadecimal."""
        self._line.write(bytes.fromhex(frame))
        return self.hear(within_s)

    def hear(self, within_s: float = 0.05) -> str:
        until_us = self.clock.now_us + within_s * 1e6
        heard = b""
        while self.clock.now_us < until_us:
            heard += self._line.read((until_us - self.clock.now_us) / 1e6)
        return heard.hex().upper()

    def awake(self) -> "Line":
        self.say(WAKE_UP.hex())
        assert self.say(SAM) == ACK.hex().upper() + SAM_DONE
        return self

    def lay(self, *uids: bytes) -> "Line":
        self.chip.field.now_us = self.clock.now_us
        self.chip.field.place(*map(tag_of, uids))
        return self


def test_6_3_2_a_chip_that_sleeps_is_woken_by_a_byte_and_loses_what_comes_before_it_is_awake() -> None:
    line = Line()
    assert line.say(GET_FIRMWARE) == "", "the first bytes only woke it"
    assert line.say(GET_FIRMWARE) == ACK.hex().upper() + FIRMWARE


def test_6_3_2_the_wake_up_is_long_enough_for_an_oscillator_that_takes_2_ms() -> None:
    line = Line(wake_us=2_000)
    assert line.say(WAKE_UP.hex() + GET_FIRMWARE) == ACK.hex().upper() + FIRMWARE
    assert len(WAKE_UP) * BYTE_US > 2_000
    assert Line(wake_us=2_000).say("5555" + "00" * 14 + GET_FIRMWARE) == "", "1.39 ms are not enough"


def test_7_2_2_the_firmware_is_told_with_the_frames_of_the_manual() -> None:
    assert Line().awake().say(GET_FIRMWARE) == ACK.hex().upper() + FIRMWARE


@pytest.mark.parametrize("frame", ["0000FF02FDD4022A00", "0000FF02FED4022B00", "0000FF0000", "FF00FF02FE"])
def test_6_2_2_what_is_damaged_is_passed_over_in_silence_and_the_next_frame_is_heard(frame: str) -> None:
    line = Line().awake()
    assert line.say(frame) == ""
    assert line.say("00" * 8 + GET_FIRMWARE).endswith(FIRMWARE)


def test_6_2_1_2_an_extended_frame_is_heard() -> None:
    line = Line().awake()
    assert line.say("0000FFFFFF0002FED4022A00") == ACK.hex().upper() + FIRMWARE


def test_6_2_1_5_what_makes_no_sense_is_answered_by_an_error_frame() -> None:
    assert Line().awake().say("0000FF02FED47AB200") == ACK.hex().upper() + ERROR.hex().upper()
    assert Line().awake().say("0000FF03FDD44A05DD00") == ACK.hex().upper() + ERROR.hex().upper()
    no_item = command_frame(0x32, b"\x09")  # RFConfiguration, 7.3.1
    assert Line().awake().say(no_item.hex()) == ACK.hex().upper() + ERROR.hex().upper()


@pytest.mark.parametrize(("octets", "is_sense"), [(0, True), (4, True), (8, True), (12, True), (1, False), (5, False)])
def test_7_3_5_the_number_that_a_search_begins_with_has_4_8_or_12_bytes(octets: int, is_sense: bool) -> None:
    said = Line().awake().say(command_frame(0x4A, b"\x01\x00" + bytes(octets)).hex(), 0.3)
    assert (ERROR.hex().upper() in said) != is_sense


def test_6_2_1_4_nack_brings_the_last_answer_again() -> None:
    line = Line().awake()
    line.say(GET_FIRMWARE)
    assert line.say(NACK.hex()) == FIRMWARE


def test_6_2_1_3_an_ack_ends_a_search_and_a_new_command_does_too() -> None:
    line = Line().awake()
    assert line.say(LIST_TWO, 0.3) == ACK.hex().upper()
    line.say(ACK.hex())
    line.lay(ANNA)
    assert line.hear(0.3) == ""
    line.chip.field.lift()
    line.say(LIST_TWO, 0.3)
    assert line.say(GET_FIRMWARE) == ACK.hex().upper() + FIRMWARE
    line.lay(ANNA)
    assert line.hear(0.3) == ""


def test_7_3_5_two_tags_are_listed_with_their_whole_numbers_and_no_third() -> None:
    told = Line().awake().lay(ANNA, BEN, KEY_RING).say(LIST_TWO)
    assert told[24:28] == "4B02"[:4] or "4B02" in told
    assert sum(uid.hex().upper() in told for uid in (ANNA, BEN, KEY_RING)) == 2


def test_7_3_5_who_waits_for_a_tag_is_told_when_it_comes() -> None:
    line = Line().awake()
    line.say(LIST_TWO, 0.5)
    line.lay(LONG)
    assert LONG.hex().upper() in line.hear(0.05)


def test_7_3_5_a_wanted_number_names_its_tag_with_cascade_tags() -> None:
    wanted = bytes([0x4A, 1, 0, 0x88]) + ANNA
    body = b"\xd4" + wanted
    frame = bytes([0, 0, 0xFF, len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])
    assert ANNA.hex().upper() in Line().awake().lay(BEN, ANNA).say(frame.hex())


def test_7_3_1_max_retries_end_a_search_by_themselves() -> None:
    line = Line().awake()
    assert line.say("0000FF06FAD43205FF010 1F400".replace(" ", "")).endswith("0000FF02FED533F800")
    assert line.say(LIST_TWO, 0.1) == ACK.hex().upper() + "0000FF03FDD54B00E000"


def test_7_3_1_a_field_that_was_off_is_on_again_with_the_next_search() -> None:
    line = Line().awake().lay(ANNA)
    line.say(LIST_TWO)
    line.say(FIELD_OFF)
    assert line.say("0000FF02FED4042800").startswith(ACK.hex().upper() + "0000FF06FAD505000000".replace("06FA", "06FA"))
    line.clock.sleep(0.006)
    assert ANNA.hex().upper() in line.say(LIST_TWO)


def test_7_2_10_fresh_from_its_reset_it_uses_no_field_before_sam_configuration() -> None:
    line = Line()
    line.say(WAKE_UP.hex())
    assert line.say(LIST_TWO) == ACK.hex().upper() + ERROR.hex().upper()
    line.awake().lay(ANNA)
    assert ANNA.hex().upper() in line.say(LIST_TWO)
    line.chip.reset(line.clock.now_us)
    assert line.say(LIST_TWO) == "", "it sleeps again"


def test_a_tag_whose_power_is_gone_keeps_what_is_written_on_it() -> None:
    line = Line().awake()
    sticker = Ntag(ANNA)
    line.chip.field.place(sticker)
    line.say(LIST_TWO)
    body = bytes([0xD4, 0x40, 1, 0xA2, 4]) + b"abcd"
    frame = bytes([0, 0, 0xFF, len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])
    assert line.say(frame.hex()).endswith("0000FF03FDD54100EA00")
    assert sticker.memory[16:20] == b"abcd"


# --- Where sources disagree or are silent ---------------------------------------------------------------------

ECHO = "0000FF04FCD4000080AC00"
ECHOED = "0000FF04FCD5010080AA00"


def test_every_question_has_a_source_and_more_than_one_reading() -> None:
    for name, (choices, source) in questions().items():
        assert len(source.split()) > 3, f"{name} names no source"
        assert len(choices) > 1
        assert getattr(Pn532Reading(), name) in choices
        assert {getattr(reading, name) for reading in each_reading()} == set(choices)


def test_7_2_1_the_test_of_the_line_is_an_echo() -> None:
    assert Line().awake().say(ECHO) == ACK.hex().upper() + ECHOED


@pytest.mark.parametrize(("reading", "said"), [("external field", "00"), ("own field, too", "01")])
def test_7_2_3_the_byte_field_is_of_others_or_of_all_fields(reading: str, said: str) -> None:
    line = Line(field_byte=reading).awake().lay(ANNA)
    line.say(LIST_TWO)
    assert line.say("0000FF02FED4042800")[24:].startswith("0500" + said)


def test_an_ack_that_is_late_comes_before_the_answer_and_after_another_command() -> None:
    line = Line(late_us=90_000)
    line.say(WAKE_UP.hex())
    assert line.say(ECHO, 0.08) == ""
    assert line.say(GET_FIRMWARE, 0.4) == ACK.hex().upper() * 2 + FIRMWARE, "the first ACK, and the second answer"


def test_a_busy_chip_obeys_at_once_or_later_or_not_at_all() -> None:
    answers = {}
    for reading in ("obeys", "queues", "ignores"):
        line = Line(busy=reading).awake()
        line.say(LIST_TWO)
        at_once = line.say(ECHO)
        line.say(ACK.hex())
        answers[reading] = at_once, line.hear()
    assert answers["obeys"] == (ACK.hex().upper() + ECHOED, "")
    assert answers["queues"][0] == ""
    assert answers["ignores"] == ("", "")


@pytest.mark.parametrize("reading", ["in one try", "in many tries"])
def test_an_activation_takes_its_time_and_needs_as_many_tries(reading: str) -> None:
    line = Line(activation_us=150_000, activation=reading).awake().lay(ANNA)
    line.say("0000FF06FAD43205FF010 1F400".replace(" ", ""))
    told = line.say(LIST_TWO, 0.3)
    assert (ANNA.hex().upper() in told) == (reading == "in one try"), "two tries are over soon"


@pytest.mark.parametrize(("reading", "stays"), [("on", True), ("off", False)])
def test_after_a_search_without_success_the_field_stays_or_goes(reading: str, stays: bool) -> None:
    line = Line(field_after_search=reading).awake()
    line.say("0000FF06FAD43205FF010 1F400".replace(" ", ""))
    line.say(LIST_TWO)
    assert line.chip._is_on == stays


def test_low_battery_is_refused_ignored_or_nothing_special() -> None:
    said = {}
    for reading in ("refuses", "obeys", "is silent"):
        line = Line(low_battery=reading).lay(ANNA)
        line.say(WAKE_UP.hex())
        said[reading] = line.say(LIST_TWO)
    assert said["refuses"] == ACK.hex().upper() + ERROR.hex().upper()
    assert ANNA.hex().upper() in said["obeys"]
    assert said["is silent"] == ""


def test_a_command_too_soon_after_an_answer_or_an_abort_is_not_heard() -> None:
    line = Line(deaf_after_answer_us=1_000).awake()
    assert line.say(ECHO, 0.002) == ACK.hex().upper() + ECHOED
    assert line.say(ECHO) == "", "not 1 ms later"
    assert line.say(ECHO) == ACK.hex().upper() + ECHOED
    line = Line(deaf_after_abort_us=20_000).awake()
    line.say(LIST_TWO)
    assert line.say(ACK.hex() + ECHO) == ""
    assert line.say(ECHO) == ACK.hex().upper() + ECHOED


def test_dtr_resets_the_chip_never_once_or_always() -> None:
    forgets = {}
    for reading in ("nothing", "resets once", "resets always"):
        line = Line(dtr=reading, sleeps=False)
        was_low = []
        for _ in range(2):
            line._line.open()
            line.say(SAM)
            line._line.open()
            was_low.append(line.chip._low_battery)
        forgets[reading] = was_low
    assert forgets == {"nothing": [False] * 2, "resets once": [False] * 2, "resets always": [True] * 2}
