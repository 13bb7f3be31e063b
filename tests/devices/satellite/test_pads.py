"""What events mean at the pads: nothing is believed before all has been told, and a fault takes nothing away."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.satellite import wire
from companion.devices.satellite.pads import LATE_MS, Copy, Pads
from companion.devices.satellite.wire import Event, Welcome
from companion.table.presence import Presence
from companion.table.signals import (
    Connecting,
    Held,
    LinkDown,
    LinkUp,
    Missed,
    Pressed,
    ReaderFault,
    Remarked,
    Signal,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)
from companion.troubles import CopyRemark, LineTrouble, PadTrouble, StartCause

A, B, C = "04A1B2C3D4E5F6", "DEADBEEF", "04000000000000000000"


class Board:
    """Numbers the events and keeps the signals."""

    def __init__(self, stations: dict[int, str] | None = None) -> None:
        self.pads = Pads(stations or {0: "pad0"})
        self._numbers = count()
        self._next = next(self._numbers)
        self.presence = Presence()
        self._believe(self.pads.begin(0))

    def _believe(self, signals: list[Signal]) -> list[Signal]:
        for signal in signals:
            self.presence = self.presence.after(signal)
        return signals

    def meet(self, kept: int = 0, pads: int = 5, features: int = 15) -> list[Signal]:
        """A new session; so many events that follow were kept from before."""
        first = self._next
        welcome = Welcome(1, 1, 9, 2, 1, 0, pads, features, first, first + kept, 24)
        return self._believe(self.pads.welcomed(welcome, 0))

    def say(self, kind: int, content: str = "", *, pad: int = 0, age_ms: int = 0, at_ms: int = 1000) -> list[Signal]:
        number, self._next = self._next, next(self._numbers)
        return self._believe(self.pads.hear(Event(number, age_ms, pad, kind, bytes.fromhex(content)), at_ms))

    def lost(self) -> list[Signal]:
        return self._believe(self.pads.lost(LineTrouble.UNPLUGGED, 0))


def ready(*tags: str) -> Board:
    board = Board()
    board.meet()
    for tag in tags:
        board.say(wire.FOUND, tag)
    board.say(wire.READY)
    return board


def kinds(signals: list[Signal]) -> list[tuple[type, str]]:
    return [(type(signal), getattr(signal, "uid", "")) for signal in signals]


# --- Inventory ------------------------------------------------------------------------------------------------


def test_a_pad_is_connecting_then_tells_what_lies_there_then_is_ready():
    board = Board()
    assert Board().pads.begin(5) == [Connecting("pad0", 5)]
    assert board.meet() == [], "it was told already"
    assert board.say(wire.FOUND, A) == []
    assert board.say(wire.FOUND, B) == []
    assert board.say(wire.READY) == [
        TagFound("pad0", 1000, A, f"9.2.2.{A}"),
        TagFound("pad0", 1000, B, f"9.2.2.{B}"),
        LinkUp("pad0", 1000, "9.2.2"),
    ]
    assert board.say(wire.READY) == []


def test_after_that_only_what_changes_is_told():
    board = ready(A)
    assert board.say(wire.PLACED, B) == [TagPlaced("pad0", 1000, B, "9.2.2")]
    assert board.say(wire.REMOVED, A) == [TagRemoved("pad0", 1000, A, "9.2.3")]
    assert board.say(wire.REMOVED, A) == []
    assert board.say(wire.FOUND, B) == []
    assert kinds(board.say(wire.FOUND, C)) == [(TagFound, C)]


def test_when_it_comes_back_the_differences_are_told_first_what_has_gone():
    board = ready(A, B)
    assert board.lost() == [LinkDown("pad0", 0, LineTrouble.UNPLUGGED)]
    assert board.lost() == [], "told once"
    assert board.presence.at("pad0") == (A, B), "a fault takes nothing away"
    assert board.meet() == [Connecting("pad0", 0)]
    assert board.say(wire.FOUND, B) == board.say(wire.FOUND, C) == []
    assert kinds(board.say(wire.READY)) == [(TagRemoved, A), (TagFound, C), (LinkUp, "")]
    assert board.presence.at("pad0") == (B, C)


def test_a_tag_that_is_found_and_lifted_before_ready_does_not_lie_there():
    board = Board()
    board.meet()
    board.say(wire.FOUND, A)
    board.say(wire.REMOVED, A)
    assert kinds(board.say(wire.READY)) == [(LinkUp, "")]


def test_a_tag_that_is_carried_to_another_pad_before_ready_lies_there():
    board = Board({0: "pad0", 1: "pad1"})
    board.meet()
    board.say(wire.READY, pad=1)
    board.say(wire.FOUND, A, at_ms=1000)
    board.say(wire.PLACED, A, pad=1, at_ms=1200)
    board.say(wire.READY, at_ms=1300)
    assert board.presence.lying == {A: "pad1"}
    board.say(wire.REMOVED, A, at_ms=2300)
    assert board.presence.lying == {A: "pad1"}


def test_what_was_kept_from_before_is_not_taken_for_the_new_look():
    """An inventory broke off; its events are sent again, and A has been lifted since."""
    board = Board()
    board.meet()
    board.lost()
    board.meet(kept=2)
    assert board.say(wire.FOUND, A) == board.say(wire.READY) == [], "old"
    assert kinds(board.say(wire.READY)) == [(LinkUp, "")]
    assert board.presence.at("pad0") == ()


def test_what_was_tapped_while_nothing_listened_has_to_be_done_again():
    board = ready()
    board.lost()
    board.meet(kept=3)
    assert board.say(wire.PLACED, A) == board.say(wire.REMOVED, A) == board.say(wire.PLACED, B) == []
    board.say(wire.FOUND, B)
    assert board.say(wire.READY) == [
        TagFound("pad0", 1000, B, f"9.2.5.{B}"),
        Missed("pad0", 1000, "9.2.1"),
        LinkUp("pad0", 1000, "9.2.5"),
    ]


def away_with_a_tap() -> Board:
    """A player has tapped with A while the satellite was away: it was reported, but not all that is there."""
    board = ready()
    board.lost()
    board.meet(kept=2)
    board.say(wire.PLACED, A)
    board.say(wire.REMOVED, A)
    return board


def test_what_was_tapped_is_not_forgotten_when_the_link_breaks_again_before_ready():
    board = away_with_a_tap()
    board.lost()
    board.meet()
    assert kinds(board.say(wire.READY)) == [(Missed, ""), (LinkUp, "")]
    board.lost()
    board.meet()
    assert kinds(board.say(wire.READY)) == [(LinkUp, "")], "told once"


def test_what_was_tapped_is_not_forgotten_when_the_reader_fails_before_ready():
    board = away_with_a_tap()
    board.say(wire.FAULT, "02")
    assert kinds(board.say(wire.READY)) == [(Missed, ""), (LinkUp, "")]


def test_a_piece_that_was_lifted_and_laid_anew_while_nothing_listened_has_gone_and_is_found():
    board = ready(A)
    board.lost()
    board.meet(kept=2)
    board.say(wire.REMOVED, A)
    board.say(wire.PLACED, A)
    board.say(wire.FOUND, A)
    assert kinds(board.say(wire.READY)) == [(TagRemoved, A), (TagFound, A), (LinkUp, "")]
    board.lost()
    board.meet()
    board.say(wire.FOUND, A)
    assert kinds(board.say(wire.READY)) == [(LinkUp, "")], "told once"


@given(
    st.lists(st.sampled_from([A, B, C]), unique=True),
    st.lists(st.sampled_from([A, B, C]), unique=True),
    st.lists(st.sampled_from([(kind, tag) for kind in (wire.PLACED, wire.REMOVED) for tag in (A, B, C)]), max_size=5),
)
def test_whatever_was_believed_before_at_ready_it_is_what_lies_there(before: list[str], now: list[str], kept: list):
    board = ready(*before)
    board.lost()
    board.meet(kept=len(kept))
    for kind, tag in kept:
        board.say(kind, tag)
    assert set(board.presence.at("pad0")) == set(before)
    for tag in now:
        board.say(wire.FOUND, tag)
    told = board.say(wire.READY)
    assert set(board.presence.at("pad0")) == set(now)
    laid = {tag for kind, tag in kept if kind == wire.PLACED}
    anew = laid & set(before) & set(now)
    changed = [signal for signal in told if isinstance(signal, TagFound | TagRemoved)]
    assert {signal.uid for signal in changed} == set(before) ^ set(now) | anew
    assert len({signal.id for signal in changed}) == len(changed)
    assert any(isinstance(signal, Missed) for signal in told) == (not laid <= set(now)), "whatever was laid is told"


def test_an_event_that_was_taken_and_comes_again_means_nothing_until_the_satellite_starts_anew():
    board = ready()
    press = Event(1, 0, 0, wire.PRESSED, b"\0")
    assert len(board.pads.hear(press, 0)) == 1
    assert len(board.pads.hear(press, 0)) == 1, "it was not taken"
    board.pads.taken(1)
    board.pads.taken(0)  # came again before it
    board.lost()
    board.meet(kept=1)
    assert board.pads.hear(press, 0) == []
    board.pads.welcomed(Welcome(1, 1, 9, 3, 1, 0, 5, 15, 0, 0, 24), 0)
    assert len(board.pads.hear(press, 0)) == 1


@pytest.mark.parametrize(("taken", "kept"), [(300, 0), (5, 0), (5, 2)])
def test_a_satellite_of_the_same_name_that_counts_anew_is_heard(taken: int, kept: int):
    """Without a serial number two of them may have started equally often; or one has a new EEPROM."""
    board = ready()
    board.pads.taken(taken)
    board.lost()
    board.pads.welcomed(Welcome(1, 2, 9, 2, 1, 0, 5, 15, 0, kept, 24), 0)
    press = Event(kept, 0, 0, wire.PRESSED, b"\0")
    assert kinds(board.pads.hear(press, 0)) == [(Pressed, "")]


# --- Faults ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", wire.FAULTS)
def test_a_fault_costs_one_reader_and_takes_nothing_away(code: int):
    board = Board({0: "pad0", 3: "pad3"})
    board.meet()
    for pad in (0, 3):
        board.say(wire.FOUND, (A, "", "", B)[pad], pad=pad)
        board.say(wire.READY, pad=pad)
    assert board.say(wire.FAULT, f"{code:02x}") == [ReaderFault("pad0", 1000, wire.FAULTS[code], "9.2.4")]
    assert kinds(board.say(wire.PLACED, C, pad=3)) == [(TagPlaced, C)]
    assert kinds(board.say(wire.PRESSED, "00")) == [(Pressed, "")], "its buttons go on"
    assert board.presence.at("pad0") == (A,)
    board.say(wire.FOUND, C)
    assert kinds(board.say(wire.READY)) == [(TagRemoved, A), (TagFound, C), (LinkUp, "")]


def test_where_tags_cannot_be_told_apart_none_of_them_is_removed_until_it_is_clear_what_lies_there():
    board = ready(A)
    assert board.say(wire.UNCLEAR) == [TagsUnclear("pad0", 1000, "9.2.2")]
    board.lost()
    board.meet()
    assert board.say(wire.UNCLEAR) == [TagsUnclear("pad0", 1000, "9.2.3")]
    board.say(wire.FOUND, B)
    assert board.presence.at("pad0") == (A,)
    assert kinds(board.say(wire.READY)) == [(TagRemoved, A), (TagFound, B), (LinkUp, "")], "READY: now it is clear"


def test_a_piece_that_is_laid_though_it_lies_there_has_been_lifted_unseen():
    board = ready(A)
    assert board.say(wire.PLACED, A) == [
        TagRemoved("pad0", 1000, A, "9.2.2.lifted"),
        TagPlaced("pad0", 1000, A, "9.2.2"),
    ]
    assert board.presence.at("pad0") == (A,)


def test_lost_events_are_missed_at_every_station_and_all_pads_are_looked_at_anew():
    board = Board({0: "pad0", 1: "pad1"})
    board.meet()
    board.say(wire.FOUND, A)
    board.say(wire.READY)
    board.say(wire.READY, pad=1)
    assert board.say(wire.LOST, "0700", pad=wire.WHOLE) == [
        Missed("pad0", 1000, "9.2.3.0"),
        Missed("pad1", 1000, "9.2.3.1"),
    ]
    assert board.say(wire.FOUND, B) == []
    assert kinds(board.say(wire.READY)) == [(TagRemoved, A), (TagFound, B)], "it was never disconnected"
    assert board.say(wire.READY, pad=1) == []


def test_a_stuck_button_is_a_problem_until_it_is_pressed():
    board = ready()
    assert board.say(wire.STUCK, "01") == [ReaderFault("pad0", 1000, "the red button is stuck", "9.2.1")]
    assert kinds(board.say(wire.PRESSED, "00")) == [(Pressed, "")]
    assert kinds(board.say(wire.HELD, "01")) == [(LinkUp, ""), (Held, "")]
    assert kinds(board.say(wire.PRESSED, "01")) == [(Pressed, "")]


def test_a_reader_that_comes_back_does_not_hide_a_stuck_button():
    board = ready()
    board.say(wire.FAULT, "01")
    board.say(wire.STUCK, "00")
    assert board.say(wire.READY) == []
    assert kinds(board.say(wire.PRESSED, "00")) == [(LinkUp, ""), (Pressed, "")]


def test_of_two_problems_the_one_that_is_left_is_told():
    stuck, hangs = "the green button is stuck", wire.FAULTS[2]
    board = ready()
    board.say(wire.STUCK, "00")
    board.say(wire.FAULT, "02")
    assert board.say(wire.READY) == [ReaderFault("pad0", 1000, stuck, "9.2.3")]
    board.say(wire.FAULT, "02")
    board.say(wire.STUCK, "00")
    assert board.say(wire.PRESSED, "00") == [
        ReaderFault("pad0", 1000, hangs, "9.2.6"),
        Pressed("pad0", 1000, "green", "9.2.6"),
    ]
    assert kinds(board.say(wire.READY)) == [(LinkUp, "")]


def test_of_two_stuck_buttons_the_other_one_is_told():
    board = ready()
    board.say(wire.STUCK, "01")
    board.say(wire.STUCK, "00")
    assert board.say(wire.PRESSED, "00")[0] == ReaderFault("pad0", 1000, "the red button is stuck", "9.2.3")
    assert kinds(board.say(wire.HELD, "01")) == [(LinkUp, ""), (Held, "")]


def test_a_stuck_button_is_forgotten_with_the_session_in_which_it_is_told_again():
    board = ready()
    board.say(wire.STUCK, "01")
    board.lost()
    board.meet()
    assert kinds(board.say(wire.READY)) == [(LinkUp, "")]
    assert kinds(board.say(wire.STUCK, "01")) == [(ReaderFault, "")]
    assert board.say(wire.STUCK, "01") == [], "that is known"


def test_a_pad_that_the_satellite_does_not_have_says_so_and_the_others_go_on():
    board = Board({0: "pad0", 4: "pad4"})
    assert board.meet(pads=4) == [LinkDown("pad4", 0, PadTrouble.NO_PAD)]
    assert kinds(board.say(wire.READY)) == [(LinkUp, "")]


def test_a_satellite_without_readers_has_buttons_and_says_what_it_lacks():
    board = Board()
    assert board.meet(features=15 - wire.READERS) == [LinkDown("pad0", 0, PadTrouble.NO_READER)]
    assert kinds(board.say(wire.PRESSED, "00")) == [(Pressed, "")]
    assert board.say(wire.FOUND, A) == board.say(wire.READY) == []
    board.lost()
    assert board.meet() == [Connecting("pad0", 0)]
    assert kinds(board.say(wire.READY)) == [(LinkUp, "")]


def test_an_event_that_says_nothing_means_nothing():
    assert ready(A).say(wire.NOTHING, pad=wire.WHOLE) == []


# --- Buttons --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "signal"), [(wire.PRESSED, Pressed), (wire.HELD, Held)])
@pytest.mark.parametrize(("code", "button"), [("00", "green"), ("01", "red")])
def test_buttons_are_believed_at_once_unless_they_come_too_late(kind: int, signal: type, code: str, button: str):
    board = Board()
    board.meet(kept=1)
    assert board.say(kind, code, age_ms=LATE_MS) == [signal("pad0", 1000, button, "9.2.0")]
    assert board.say(kind, code, age_ms=LATE_MS + 1) == [Missed("pad0", 1000, "9.2.1")]


def test_pads_without_a_player_say_nothing():
    board = ready()
    assert board.say(wire.PLACED, A, pad=2) == board.say(wire.PRESSED, "00", pad=4) == []


# --- Names ----------------------------------------------------------------------------------------------------


def test_no_name_comes_twice_in_one_life_of_a_satellite_however_long_it_is() -> None:
    pads = Pads({0: "pad0"})
    pads.welcomed(Welcome(1, 1, 9, 2, 1, 0, 5, 15, 0, 0, 24), 0)
    names: set[str] = set()
    for number in range(3 * 0x10000):
        (pressed,) = pads.hear(Event(number % 0x10000, 0, 0, wire.PRESSED, b"\0"), 1000)
        names.add(pressed.id)
        pads.taken(number % 0x10000)
    assert len(names) == 3 * 0x10000


def test_names_at_the_end_of_all_numbers_are_the_same_after_a_new_session_and_after_a_crash() -> None:
    """The satellite's `boot` belongs to the oldest event that it keeps, and counts on with the numbers."""
    kept = [(2, 0xFFFE), (2, 0xFFFF), (3, 0), (3, 1)]

    def names(taken: int, pads: Pads) -> list[str]:
        boot, first = kept[taken]
        pads.welcomed(Welcome(1, 1, 9, boot, 1, 0, 5, 15, first, 2, 24), 0)
        told = []
        for _, number in kept[taken:]:
            told += [signal.id for signal in pads.hear(Event(number, 0, 0, wire.PRESSED, b"\0"), 1000)]
            pads.taken(number)
        return told

    same = Pads({0: "pad0"})
    whole = names(0, same)
    assert whole == ["9.2.65534", "9.2.65535", "9.3.0", "9.3.1"]
    for taken in range(len(kept)):
        assert names(taken, Pads({0: "pad0"})) == whole[taken:], "after a crash"
        assert names(taken, same) == [], "in a new session they were taken already"


# --- Remarks --------------------------------------------------------------------------------------------------


def welcomed(pads: Pads, boot: int) -> None:
    pads.welcomed(Welcome(1, 1, 9, boot, 1, 0, 5, 15, 0, 0, 24), 0)


@pytest.mark.parametrize(
    ("flags", "cause", "at_first", "later"),
    [
        (wire.BY_POWER, StartCause.POWER, False, True),
        (wire.BY_POWER | wire.BY_BROWN_OUT | wire.BY_RESET_PIN, StartCause.POWER, False, True),
        (wire.BY_BROWN_OUT | wire.BY_RESET_PIN, StartCause.BROWN_OUT, True, True),
        (wire.BY_RESET_PIN | wire.BY_WATCHDOG, StartCause.RESET_PIN, False, False),
        (wire.BY_WATCHDOG, StartCause.WATCHDOG, True, True),
        (0xF0, None, False, False),
    ],
)
def test_why_a_satellite_started_is_told_where_people_should_know(
    flags: int, cause: StartCause | None, at_first: bool, later: bool
) -> None:
    pads = Pads({1: "pad1", 2: "pad2"})
    for boot, is_told in enumerate((at_first, later)):
        welcomed(pads, boot)
        told = pads.hear(Event(0, 0, wire.WHOLE, wire.STARTED, bytes([flags])), 5)
        assert told == ([Remarked("pad1", 5, cause, f"9.{boot}.0")] if is_told and cause else [])
        assert pads.started is cause


def test_an_odd_copy_is_named_once_and_other_copies_are_only_known() -> None:
    pads = Pads({0: "pad0", 1: "pad1"})
    welcomed(pads, 0)
    told = [
        pads.hear(Event(number, 0, pad, wire.COPY, content), number)
        for number, (pad, content) in enumerate(
            [(0, b"\x88\0"), (1, b"\x12\1"), (1, b"\x12\1"), (1, b"\x12\2"), (4, b"\0\1")]
        )
    ]
    assert [[type(signal) for signal in signals] for signals in told] == [[], [Remarked], [], [Remarked], []]
    assert told[1] == [Remarked("pad1", 1, CopyRemark.ODD_COPY, "9.0.1")]
    assert pads.copies == {"pad0": Copy(0x88, 0), "pad1": Copy(0x12, 2)}
