"""Whatever a device says is wrong has words in every language, and something that a person can do about it."""

from pathlib import Path

import msgspec
import pytest

from companion.language.general_sentences import in_words
from companion.language.wording import ENGLISH
from companion.table.signals import LinkDown, Signal
from companion.troubles import (
    AGAIN,
    SEVERAL,
    STUCK,
    TROUBLES,
    LineTrouble,
    PadTrouble,
    PinsTrouble,
    SatelliteTrouble,
    Trouble,
    most_telling,
    remedy,
    to_add,
    to_install,
)


def shout(message: str, context: str = "") -> str:
    return message.upper()


def test_every_trouble_that_there_is_can_be_found_by_its_words_and_none_has_those_of_another() -> None:
    all_of_them = [trouble for kind in Trouble.__subclasses__() for trouble in kind]
    assert list(TROUBLES.values()) == all_of_them
    assert len(all_of_them) > 30


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=str)
def test_every_trouble_is_translated_and_there_is_something_to_do_about_it(trouble: Trouble) -> None:
    assert in_words(trouble, shout) == trouble.upper()
    assert in_words(trouble, ENGLISH.text) == trouble
    assert remedy(str(trouble)) == trouble.remedy != ""


def test_a_trouble_travels_as_its_words() -> None:
    sent = msgspec.json.encode(LinkDown("pad0", 0, LineTrouble.UNPLUGGED))
    assert b'"unplugged"' in sent
    assert msgspec.json.decode(sent, type=Signal) == LinkDown("pad0", 0, "unplugged")


def test_several_troubles_are_translated_one_by_one() -> None:
    both = SEVERAL.join((PinsTrouble.NO_DAEMON, PinsTrouble.NO_PINS))
    assert in_words(both, shout) == both.upper()


def test_a_missing_library_is_brought_to_where_the_program_runs() -> None:
    """`make usb` fills the .venv of a checkout: for the program in /opt/companion that is no help."""
    assert to_install("/opt/companion", "`make usb`") == AGAIN
    assert to_install("/home/pi/companion/.venv", "`make usb`") == "`make usb`"


@pytest.mark.parametrize(
    ("prefix", "mark", "how"),
    [
        ("/opt/companion", "", AGAIN),
        ("/home/anna/.cache/uv/archive-v0/x1", "", "`uvx --from 'companion-table[all]' companion`"),
        ("", "pipx_metadata.json", "`pipx install --force 'companion-table[all]'`"),
        ("", "uv-receipt.toml", "`uv tool install --force 'companion-table[all]'`"),
        ("", "", "`{}/bin/python -m pip install 'companion-table[hall]'`"),
    ],
)
def test_an_extra_is_added_as_this_installation_was_made(tmp_path: Path, prefix: str, mark: str, how: str) -> None:
    if mark:
        (tmp_path / mark).touch()
    place = prefix or str(tmp_path)
    assert to_add("hall", place) == how.format(place)


def test_what_is_unknown_stays_as_it_is() -> None:
    assert in_words("[Errno 5] smoke", shout) == "[Errno 5] smoke"
    assert remedy("[Errno 5] smoke") == ""


@pytest.mark.parametrize(
    ("told", "most"),
    [
        ([LineTrouble.NO_PERMISSION, LineTrouble.UNPLUGGED], LineTrouble.NO_PERMISSION),
        ([SatelliteTrouble.NO_ANSWER, LineTrouble.IN_USE], SatelliteTrouble.NO_ANSWER),
        ([SatelliteTrouble.TOO_OLD, PadTrouble.NO_PAD], PadTrouble.NO_PAD),
        ([], SatelliteTrouble.NO_ANSWER),
    ],
)
def test_of_several_troubles_the_one_that_tells_most_is_told(told: list[Trouble], most: Trouble) -> None:
    assert most_telling(told, SatelliteTrouble.NO_ANSWER) is most


def test_each_button_can_be_stuck() -> None:
    assert {colour: f"the {colour} button is stuck" for colour in ("green", "red")} == STUCK
