"""One unplugged satellite is one complaint, which says what to do; and pads are called after people."""

from pathlib import Path

import pytest

from companion.gamekit.snapshot import Told
from companion.language.screen_language import OWN_TEXTS, speak
from companion.language.wording import pad_of
from companion.table.signals import Connecting, LinkDown, LinkUp, ReaderFault
from tests.referee.table import Table

PADS = ("pad0", "pad1", "pad2")


def lines(table: Table) -> list[str]:
    return [table.words(told) for told in table.referee.snapshot().history]


def whats(table: Table) -> list[str]:
    return [told.what for told in table.referee.snapshot().history]


def test_an_unplugged_satellite_is_one_complaint_that_says_plug_it_in(tmp_path: Path) -> None:
    table = Table(tmp_path)
    before = len(lines(table))
    for pad in PADS:
        table.hear(LinkDown(pad, table.now_ms, "unplugged"))
    (told,) = lines(table)[before:]
    assert "Plug it in" in told
    for pad in PADS:
        table.hear(LinkUp(pad, table.now_ms))
    assert lines(table)[before + 1 :] == ["Anna's pad, Ben's pad and Cleo's pad are connected"]


def test_every_pad_is_still_known_to_be_lost_by_itself(tmp_path: Path) -> None:
    table = Table(tmp_path)
    for pad in PADS:
        table.hear(LinkDown(pad, table.now_ms, "unplugged"))
    assert [(device.station, device.state) for device in table.referee.snapshot().devices] == [
        (pad, "lost") for pad in PADS
    ]


def test_a_reader_on_usb_says_plug_it_in_as_well(tmp_path: Path) -> None:
    table = Table(tmp_path)
    told = table.hear(LinkDown("centre", table.now_ms, "unplugged"))
    assert table.words(told) == "centre is unplugged. Plug it in. The pieces there still count"


def test_what_has_different_reasons_or_comes_later_stays_apart(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.hear(LinkDown("pad0", table.now_ms, "does not answer"))
    table.hear(LinkDown("pad1", table.now_ms, "no permission"))
    table.hear(ReaderFault("pad2", table.now_ms, "the chip hangs"))
    assert whats(table)[-3:] == ["link down", "link down", "reader fault"]
    table.hear(Connecting("pad0", table.now_ms))
    table.hear(Connecting("pad1", table.now_ms))
    assert whats(table)[-1] == "links connecting"
    table.hear(Connecting("centre", table.now_ms))
    assert whats(table)[-2:] == ["links connecting", "connecting"], "the centre hangs on another cable"


def test_lines_keep_growing_numbers(tmp_path: Path) -> None:
    table = Table(tmp_path)
    numbers = [table.hear(LinkDown(pad, table.now_ms, "does not answer")).number for pad in PADS]
    assert numbers == sorted(set(numbers))
    newest: Told = table.referee.snapshot().history[-1]
    assert (newest.number, newest.facts["stations"]) == (numbers[-1], PADS)


@pytest.mark.parametrize(
    ("name", "english", "german"),
    [("Anna", "Anna's pad", "Annas Pad"), ("Hans", "Hans's pad", "Hans’ Pad"), ("Max", "Max's pad", "Max’ Pad")],
)
def test_a_pad_is_called_after_the_player_who_sits_there(name: str, english: str, german: str) -> None:
    try:
        for code, words in (("en", english), ("de", german)):
            speak(code)
            assert pad_of(name, OWN_TEXTS.language()) == words
    finally:
        speak("en")
