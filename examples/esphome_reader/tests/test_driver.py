"""What a board publishes, as the driver reads it."""

import time

import pytest
from esphome_reader import EsphomeSettings
from esphome_reader.driver import EsphomeField, EsphomeTrouble, read_number
from esphome_reader.simulated import SimulatedEsphome

from companion.devices.tag_field import ReaderError

ONE = "04A1B2C3D4E5F6"
UID = bytes.fromhex(ONE)


@pytest.mark.parametrize(
    ("payload", "uid"),
    [
        (b"04-A1-B2-C3-D4-E5-F6", UID),
        (b"74-10-37-94", bytes.fromhex("74103794")),
        (b"74:10:37:94\n", bytes.fromhex("74103794")),
        (b"none", b""),
        (b"None", b""),
        (b"", b""),
        (b"74-10-37", None),
        (b"on", None),
        (b"\xff\xfe", None),
    ],
)
def test_a_number_is_read_as_esphome_writes_it(payload, uid):
    assert read_number(payload) == uid


def test_a_board_that_flaps_keeps_its_tag_and_an_absence_has_to_last(tmp_path):
    now = [100.0]
    with SimulatedEsphome(tmp_path) as board:
        board.lay(ONE)
        field = EsphomeField(board.settings, clock=lambda: now[0])
        _until(lambda: field.look(()).seen == (UID,))
        board.lift(ONE)
        _until(lambda: field._absent_s is not None)
        now[0] += board.settings.gone_s * 0.9
        assert field.look((UID,)).seen == (UID,)
        now[0] += board.settings.gone_s * 0.2
        assert field.look((UID,)).missed == (UID,)
        board.lay(ONE)
        _until(lambda: field.look(()).seen == (UID,))
        board.spoil("flapping")
        for _ in range(10):
            now[0] += board.settings.gone_s * 0.4
            assert field.look((UID,)).seen == (UID,)
        field.close()


def _until(so, within_s=20.0) -> None:
    deadline = time.monotonic() + within_s
    while not so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_board_that_was_never_there_is_offline(tmp_path):
    with SimulatedEsphome(tmp_path) as board:
        other = EsphomeSettings(topic="pads/nobody", port=board.settings.port)
        with pytest.raises(ReaderError) as told:
            EsphomeField(other)
        assert told.value.problem is EsphomeTrouble.OFFLINE


@pytest.mark.parametrize(
    ("keys", "place"),
    [({"topic": "pads/+"}, "topic"), ({"topic": "/pads"}, "topic"), ({"topic": "x", "gone_s": 0.1}, "gone_s")],
)
def test_a_mistake_in_table_toml_is_explained(keys, place):
    (mistake,) = EsphomeSettings(**keys).mistakes()
    assert mistake.place == (place,)
    assert "expected" in mistake.words
