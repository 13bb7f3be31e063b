"""The library `mfrc522` 0.0.7, unmodified, on the simulated chip: its known defects show, so the chip is a true one."""

import logging

import pytest

from companion.devices.rc522.simulated_bus import Board
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.simulated.tags import Classic, Ntag, Tag, TagState

ANNA = bytes.fromhex("04A1B2C3D4E5F6")
KEY_RING = bytes.fromhex("12345678")


class Bench:
    def __init__(self) -> None:
        self.board = Board()
        self.chip = self.board.plug(Chip())
        with self.board.installed():
            import mfrc522

            self.library = mfrc522
            self.reader = mfrc522.MFRC522(pin_rst=22)
        self.wait()

    def wait(self) -> None:
        self.board.clock.sleep(0.01)

    def lay(self, *tags) -> None:
        self.chip.field.place(*tags)
        self.wait()

    def sees(self) -> bool:
        status, _ = self.reader.MFRC522_Request(self.reader.PICC_REQIDL)
        return status == self.reader.MI_OK


@pytest.fixture
def bench(monkeypatch) -> Bench:
    monkeypatch.setattr(logging.getLogger("mfrc522Logger"), "handlers", [])
    monkeypatch.setattr(logging.getLogger("mfrc522Logger"), "level", logging.CRITICAL)
    return Bench()


def test_an_empty_field_costs_2013_transfers(bench: Bench) -> None:
    before = bench.board.transfers
    assert not bench.sees()
    assert bench.board.transfers - before == 2013


def test_a_tag_that_lies_still_is_seen_every_second_time(bench: Bench) -> None:
    bench.lay(Ntag(ANNA))
    assert [bench.sees() for _ in range(6)] == [True, False, True, False, True, False]


def test_a_uid_of_four_bytes_is_read_whole(bench: Bench) -> None:
    bench.lay(Classic(KEY_RING))
    assert bench.sees()
    status, told = bench.reader.MFRC522_Anticoll()
    assert (status, bytes(told[:4])) == (bench.reader.MI_OK, KEY_RING)


def test_a_uid_of_seven_bytes_is_cut_to_three(bench: Bench) -> None:
    bench.lay(Ntag(ANNA))
    assert bench.sees()
    status, told = bench.reader.MFRC522_Anticoll()
    assert (status, bytes(told[:4])) == (bench.reader.MI_OK, b"\x88" + ANNA[:3])


def test_two_stickers_that_differ_in_their_last_bytes_look_alike(bench: Bench) -> None:
    told = []
    for uid in (ANNA, ANNA[:3] + b"\x09\x08\x07\x06"):
        bench.chip.field.lift()
        bench.lay(Ntag(uid))
        assert bench.sees()
        told.append(bench.reader.MFRC522_Anticoll())
    assert told[0] == told[1]


def test_two_tags_at_once_are_an_error(bench: Bench) -> None:
    bench.lay(Classic(KEY_RING), Classic(b"\x01\x02\x03\x04"))
    assert bench.sees()
    status, _ = bench.reader.MFRC522_Anticoll()
    assert status == bench.reader.MI_ERR


def test_a_flipped_bit_in_an_answer_to_select_goes_unnoticed(bench: Bench) -> None:
    bench.lay(Classic(KEY_RING))
    assert bench.sees()
    _, told = bench.reader.MFRC522_Anticoll()
    bench.chip.faults.garbled = True
    answers = {bench.reader.MFRC522_SelectTag(told)}
    for _ in range(11):
        bench.sees()
        bench.sees()
        bench.reader.MFRC522_Anticoll()
        answers.add(bench.reader.MFRC522_SelectTag(told))
    assert answers - {0x08, 0x00}  # neither what the tag has said, nor a failure


@pytest.mark.parametrize("value", [0x00, 0xFF])
def test_a_missing_chip_looks_like_an_empty_field(bench: Bench, value: int) -> None:
    bench.lay(Ntag(ANNA))
    bench.chip.faults.gone = value
    assert not bench.sees()


def test_a_selected_tag_of_kind_zero_and_a_failure_look_alike(bench: Bench) -> None:
    tag = Tag(KEY_RING)
    bench.lay(tag)
    assert bench.sees()
    _, told = bench.reader.MFRC522_Anticoll()
    assert (bench.reader.MFRC522_SelectTag(told), tag.state) == (0, TagState.ACTIVE)
    assert (bench.reader.MFRC522_SelectTag([1, 2, 3, 4, 4]), tag.state) == (0, TagState.IDLE)


def test_every_instance_adds_a_log_handler(bench: Bench) -> None:
    logger = logging.getLogger("mfrc522Logger")
    before = len(logger.handlers)
    with bench.board.installed():
        bench.library.MFRC522(pin_rst=22)
    assert len(logger.handlers) == before + 1


def test_closing_cleans_up_all_pins_of_the_process(bench: Bench) -> None:
    with bench.board.installed():
        bench.reader.Close_MFRC522()
    assert bench.board.cleanups == [None]


def test_the_default_reset_pin_is_that_of_the_serial_line() -> None:
    board = Board()
    chip = board.plug(Chip(), reset_pin=15)
    with board.installed():
        import mfrc522

        board.pin_mode = 11  # BCM
        chip.reset(False, 0)
        mfrc522.MFRC522()
        chip.select(1e6)
        assert [chip.exchange(octet, 1e6) for octet in (0x37 << 1 | 0x80, 0)] == [0, 0x92]


def test_a_classic_tag_can_be_read_with_the_default_key(bench: Bench) -> None:
    tag = Classic(KEY_RING)
    tag.memory[8 * 16 : 8 * 16 + 5] = b"hello"
    bench.lay(tag)
    with bench.board.installed():
        simple = bench.library.SimpleMFRC522()
    bench.wait()
    number, text = simple.read_no_block()
    assert (number, text[:5]) == (int.from_bytes([*KEY_RING, 0x12 ^ 0x34 ^ 0x56 ^ 0x78]), "hello")


# --- The Pi around it -----------------------------------------------------------------------------------------


def test_a_bus_without_a_reader_cannot_be_opened(bench: Bench) -> None:
    with bench.board.installed(), pytest.raises(FileNotFoundError):
        bench.library.MFRC522(bus=1, pin_rst=22)


def test_transfers_take_their_time(bench: Bench) -> None:
    before_us, octets = bench.board.clock.now_us, bench.board.octets
    bench.reader.Read_MFRC522(0x37)
    assert bench.board.octets - octets == 2
    assert bench.board.clock.now_us - before_us == pytest.approx(2 * 8 + bench.board.overhead_us)


def test_a_refused_transfer_raises_as_the_kernel_does(bench: Bench) -> None:
    bench.chip.faults.refused = True
    with pytest.raises(OSError, match="Input/output error"):
        bench.reader.Read_MFRC522(0x37)


def test_when_no_board_is_shown_nothing_is_plugged_in(bench: Bench) -> None:
    with pytest.raises(FileNotFoundError):
        bench.library.MFRC522(pin_rst=22)
