"""Where tags lie: faults take nothing away, and one movement of the hand counts once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.stations import CENTRE
from companion.table.presence import PRESS_AGAIN_MS, REPEAT_MS, TAP_AGAIN_MS, DeviceStatus, Presence
from companion.table.signals import (
    Held,
    LinkDown,
    LinkUp,
    Pressed,
    ReaderFault,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagTapped,
)

TAG, OTHER = "04A1B2C3D4E5F6", "DEADBEEF"


def after(*signals) -> Presence:
    presence = Presence()
    for signal in signals:
        presence = presence.after(signal)
    return presence


def test_a_tag_lies_where_it_was_placed_until_it_is_removed():
    lying = after(TagPlaced("pad0", 0, TAG), TagPlaced("pad0", 10, OTHER))
    assert lying.at("pad0") == (TAG, OTHER)
    assert lying.after(TagRemoved("pad0", 900, TAG)).at("pad0") == (OTHER,)


@pytest.mark.parametrize(
    "fault", [ReaderFault("pad0", 5, "silent"), LinkDown("pad0", 5, "unplugged"), LinkUp("pad0", 5)]
)
def test_a_fault_never_removes_a_tag(fault):
    assert after(TagPlaced("pad0", 0, TAG), fault).at("pad0") == (TAG,)


def test_a_tag_that_lies_there_already_is_repeated_however_late():
    placed = TagPlaced("pad0", 0, TAG)
    assert not Presence().repeats(placed)
    assert after(placed).repeats(TagPlaced("pad0", 99_000, TAG))
    assert not after(placed).repeats(TagPlaced("pad0", 99_000, OTHER))


def test_a_tag_that_wanders_is_news_and_its_late_removal_does_not_remove_it_from_the_new_place():
    lying = after(TagPlaced("pad0", 0, TAG))
    assert not lying.repeats(TagPlaced(CENTRE, 100, TAG))
    wandered = lying.after(TagPlaced(CENTRE, 100, TAG)).after(TagRemoved("pad0", 300, TAG))
    assert wandered.at(CENTRE) == (TAG,)
    assert wandered.at("pad0") == ()


def test_a_tag_that_is_carried_elsewhere_and_back_before_it_is_missed_lies_where_it_lay():
    """The first reader has not missed it, and so tells nothing."""
    away = after(TagPlaced("pad0", 0, TAG), TagPlaced("pad1", 100, TAG), TagPlaced(CENTRE, 200, TAG))
    assert away.lying == {TAG: CENTRE}
    back = away.after(TagRemoved(CENTRE, 600, TAG))
    assert back.lying == {TAG: "pad1"}
    assert back.after(TagRemoved("pad1", 700, TAG)).lying == {TAG: "pad0"}
    gone = back.after(TagRemoved("pad0", 700, TAG)).after(TagRemoved("pad1", 800, TAG))
    assert gone == replace(after(LinkUp("pad0", 0)), tapped=gone.tapped, found=gone.found, met=gone.met)


def test_a_tag_that_was_found_before_it_was_laid_elsewhere_lies_there():
    """A reader tells what it has found when it has found all; that may be too late."""
    placed = after(TagPlaced("pad2", 300, TAG))
    found = placed.after(TagFound("pad3", 200, TAG))
    assert found.lying == {TAG: "pad2"}
    assert found.found.get("pad3", ()) == (), "it was not laid there since"
    assert found.after(TagRemoved("pad3", 900, TAG)).lying == {TAG: "pad2"}
    assert found.after(TagRemoved("pad2", 900, TAG)).lying == {TAG: "pad3"}, "it was carried back"
    assert placed.after(TagFound("pad3", 400, TAG)).lying == {TAG: "pad3"}


def test_a_station_that_is_believed_again_is_believed_as_of_when_it_told():
    """What the other one told, and has taken back, makes nothing old."""
    back = after(TagPlaced("pad0", 0, TAG), TagPlaced("pad1", 1000, TAG), TagRemoved("pad1", 1500, TAG))
    assert back.after(TagFound("pad2", 900, TAG)).lying == {TAG: "pad2"}
    assert back.after(TagFound("pad2", 900, TAG)).found == {"pad1": (), "pad2": (TAG,)}


def test_of_several_stations_the_one_that_told_last_is_believed_when_the_last_has_taken_it_back():
    placed = (TagPlaced("pad0", 500, TAG), TagPlaced("pad1", 1000, TAG))
    for found_ms, believed in ((900, "pad2"), (100, "pad0")):
        late = after(*placed, TagFound("pad2", found_ms, TAG))
        assert late.lying == {TAG: "pad1"}
        assert late.after(TagRemoved("pad1", 1500, TAG)).lying == {TAG: believed}


def test_what_was_placed_last_is_believed_though_its_clock_is_behind():
    placed = after(TagPlaced("pad0", 5000, TAG), TagPlaced("pad1", 4900, TAG))
    assert placed.lying == {TAG: "pad1"}
    assert placed.after(TagFound("pad1", 100, TAG)).lying == {TAG: "pad1"}, "it lies there already"
    assert placed.after(TagFound("pad2", 4950, TAG)).lying == {TAG: "pad2"}


@pytest.mark.parametrize("before", [(), (TagPlaced("pad0", 0, OTHER),)])
def test_of_a_tag_that_was_removed_and_never_known_nothing_is_kept(before):
    gone = after(*before, TagRemoved("pad3", 5, TAG))
    assert gone.told == after(*before).told
    assert gone.lying == after(*before).lying


def test_a_tag_that_flickers_is_repeated_but_one_laid_again_is_not():
    lifted = after(TagPlaced(CENTRE, 0, TAG), TagRemoved(CENTRE, 100, TAG))
    assert lifted.repeats(TagPlaced(CENTRE, REPEAT_MS - 1, TAG))
    assert not lifted.repeats(TagPlaced(CENTRE, REPEAT_MS, TAG))


@pytest.mark.parametrize("press", [Pressed, Held])
def test_the_same_button_again_is_repeated_for_a_moment(press):
    pressed = after(press(CENTRE, 1000, "green"))
    assert pressed.repeats(Pressed(CENTRE, 1000 + PRESS_AGAIN_MS - 1, "green"))
    assert not pressed.repeats(Pressed(CENTRE, 1000 + PRESS_AGAIN_MS, "green"))
    assert not pressed.repeats(Pressed(CENTRE, 1100, "red"))
    assert not pressed.repeats(Pressed("pad1", 1100, "green"))


def test_drumming_on_a_button_does_not_hold_it_off_for_ever():
    pressed = after(*[Pressed(CENTRE, at, "green") for at in (0, 300)])
    assert not pressed.repeats(Pressed(CENTRE, 600, "green"))


def test_a_press_by_an_earlier_clock_counts():
    assert not after(Pressed(CENTRE, 5000, "green")).repeats(Pressed(CENTRE, 4900, "green"))


# --- Phones -----------------------------------------------------------------------------------------------------

STATIONS, TAGS = st.sampled_from(["pad0", "pad1", CENTRE]), st.sampled_from([TAG, OTHER])
TAPS = st.builds(TagTapped, STATIONS, st.integers(0, 9000), TAGS)
READS = st.builds(TagPlaced, STATIONS, st.integers(0, 9000), TAGS) | st.builds(
    TagRemoved, STATIONS, st.integers(0, 9000), TAGS
)


@given(st.lists(READS | TAPS))
def test_a_phone_reports_no_removal_and_none_is_inferred(signals):
    """Whatever a phone touches, all tags lie where the readers have reported them, and no device appears."""
    without = after(*(signal for signal in signals if not isinstance(signal, TagTapped)))
    assert after(*signals).told == without.told
    assert after(*signals).found == without.found
    status = DeviceStatus()
    for signal in signals:
        if isinstance(signal, TagTapped):
            assert status.after(signal) == status
        status = status.after(signal)


def test_a_tag_that_stays_under_a_phone_is_tapped_once_and_later_again():
    first = TagTapped("pad0", 0, TAG)
    assert not Presence().repeats(first)
    flickering = after(first, TagTapped("pad0", 1000, TAG), TagTapped("pad0", 2000, TAG))
    assert flickering.repeats(TagTapped("pad0", 2000 + TAP_AGAIN_MS - 1, TAG))
    assert not flickering.repeats(TagTapped("pad0", 2000 + TAP_AGAIN_MS, TAG))
    assert not flickering.repeats(TagTapped("pad0", 2001, OTHER))
    assert not flickering.repeats(TagTapped(CENTRE, 2001, TAG))
