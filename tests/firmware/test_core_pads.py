"""Tags on the pads, found by the core on simulated readers: who comes, who goes, and what is only a fault."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.iso14443 import SHORT_FRAME_BITS, UID_LENGTHS
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.satellite import wire
from companion.devices.satellite.wire import FAULT, FOUND, PLACED, READY, REMOVED, UNCLEAR
from companion.devices.simulated.shared_field import Received, SimulatedField
from companion.devices.simulated.tags import Answer, Classic, Flicker, Frame, Ntag, Tag, TagState
from tests.firmware.core import Core

NO_CHIP, HANGS, WRONG = "01", "02", "03"
LOOK_MS = 500
"""By then a look is over, with four tags on each pad."""
GONE_MS, WEAK_MS = 300, 1000
ANEW_MS = 200
"""Every tag has to answer again before one is reported as gone."""

ROOM = 15
"""Events that are kept."""

NTAG = bytes.fromhex("04A1B2C3D4E5F6")
CLASSIC = bytes.fromhex("DEADBEEF")
TRIPLE = bytes.fromhex("04112233445566778899")


def ntag(uid: bytes = NTAG) -> Ntag:
    return Ntag(uid)


def greeted(*chips: Chip | None) -> Core:
    core = Core(chips=chips)
    core.pings = True
    core.greet()
    return core


def ready(*chips: Chip) -> Core:
    """A satellite in a session that has told all that lies there. The other pads have no reader."""
    core = greeted(*chips, *[None] * (wire.PADS - len(chips)))
    core.run(LOOK_MS)
    assert [event.kind for event in core.events].count(READY) == len(chips)
    core.received.clear()
    return core


def all_ready() -> Core:
    return ready(*(Chip(seed=pad) for pad in range(wire.PADS)))


# --- Looking --------------------------------------------------------------------------------------------------


def test_a_look_tells_all_that_lies_there_and_then_that_this_was_all() -> None:
    chip = Chip()
    chip.field.place(ntag(), Classic(CLASSIC), Tag(TRIPLE))
    core = greeted(Chip(), chip, Chip(), Chip(), Chip())
    core.run(LOOK_MS)
    assert sorted(core.told(1)[:-1]) == sorted([(FOUND, uid.hex().upper()) for uid in (NTAG, CLASSIC, TRIPLE)])
    assert core.told(1)[-1] == (READY, "")
    assert all(core.told(pad) == [(READY, "")] for pad in (0, 2, 3, 4))


def test_a_new_session_looks_anew() -> None:
    chip = Chip()
    chip.field.place(ntag())
    core = ready(chip)
    core.greet(session=2)
    core.run(LOOK_MS)
    assert core.told(0) == [(FOUND, NTAG.hex().upper()), (READY, "")]


def test_a_hello_in_the_middle_of_a_look_begins_it_anew() -> None:
    chip = Chip()
    chip.field.place(*(ntag(bytes([4, 0, 0, 0, 0, 0, last])) for last in range(3)))
    for after_ms in range(1, 60):
        core = greeted(chip, None, None, None, None)
        core.run(after_ms)
        core.received.clear()
        core.greet(session=2)
        core.run(LOOK_MS)
        fresh = next(message.fresh for message in core.received if isinstance(message, wire.Welcome))
        told = [event.kind for event in core.events if event.pad == 0 and event.number >= fresh]
        assert told == [FOUND] * 3 + [READY], after_ms


def test_a_look_that_fills_all_room_leaves_some_for_presses_and_nothing_is_lost() -> None:
    core = greeted(*(Chip(seed=pad) for pad in range(wire.PADS)))
    core.acknowledges = False
    for pad, chip in enumerate(core.chips):
        chip.field.place(*(ntag(bytes([4, pad, last, 0, 0, 0, 0])) for last in range(4)))
    core.run(500)
    for down in (True, False):
        core.hold(2, green=down, red=down)
        core.run(50)
    core.acknowledges = True
    core.run(1000)
    told = Counter(event.kind for event in core.events)
    assert told == {FOUND: 4 * wire.PADS, READY: wire.PADS, wire.PRESSED: 2}
    kinds = [event.kind for event in core.events]
    assert kinds.index(wire.PRESSED) == room_of(core) - 2, "the look had stopped there"


def room_of(core: Core) -> int:
    return next(message.room for message in core.received if isinstance(message, wire.Welcome))


# --- Coming and going -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", [ntag(), Classic(CLASSIC), Tag(TRIPLE)], ids=["7 bytes", "4 bytes", "10 bytes"])
def test_a_tag_is_told_once_when_it_comes_and_once_when_it_goes(tag: Tag) -> None:
    chip = Chip()
    core = ready(chip)
    chip.field.place(tag)
    core.run(2000)
    chip.field.lift(tag)
    core.run(GONE_MS + ANEW_MS)
    assert core.told(0) == [(PLACED, tag.uid.hex().upper()), (REMOVED, tag.uid.hex().upper())]


def test_it_is_told_within_40_ms_also_with_tags_on_all_pads() -> None:
    core = all_ready()
    for pad, chip in enumerate(core.chips):
        chip.field.place(*(Tag(bytes([8, pad, last] + [1] * 7)) for last in range(3)))
    core.run(300)
    worst_ms = 0
    for attempt in range(30):
        core.run(attempt)
        core.received.clear()
        tag = ntag(bytes([4, 1, 2, 3, 4, 5, attempt]))
        core.chips[attempt % 5].field.place(tag)
        worst_ms = max(worst_ms, core.run_until(core.told, 100))
        assert core.told() == [(PLACED, tag.uid.hex().upper())]
        core.chips[attempt % 5].field.lift(tag)
        core.run(GONE_MS + 2 * ANEW_MS)
    assert worst_ms <= 40


uids = st.sampled_from(UID_LENGTHS).flatmap(
    lambda size: st.lists(st.integers(0, 255) | st.just(0x88), min_size=size, max_size=size).map(bytes)
)
"""Any byte may look like the cascade tag."""


@settings(max_examples=30, deadline=None)
@given(st.lists(uids, min_size=1, max_size=4, unique=True), st.booleans())
def test_up_to_four_tags_of_any_kind_are_told_apart(several: list[bytes], position_counts_align: bool) -> None:
    """Whichever way the data sheet is to be read about where a collision was."""
    chip = Chip(position_counts_align=position_counts_align)
    core = ready(chip)
    chip.field.place(*map(Tag, several))
    core.run(2500)
    assert sorted(core.told(0)) == sorted((PLACED, uid.hex().upper()) for uid in several)
    first = chip.field.tags[0]
    chip.field.lift(first)
    core.received.clear()
    core.run(GONE_MS + 2 * ANEW_MS)  # known tags are asked for one after the other
    assert core.told(0) == [(REMOVED, first.uid.hex().upper())]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 31), st.integers(0, 31), st.booleans())
def test_three_tags_that_differ_in_any_two_bits_are_told_apart(one: int, two: int, counts_align: bool) -> None:
    base = 0x40302010
    several = {value.to_bytes(4, "little") for value in (base, base ^ 1 << one, base ^ 1 << two)}
    chip = Chip(position_counts_align=counts_align)
    core = ready(chip)
    chip.field.place(*map(Classic, sorted(several)))
    core.run(300)
    assert sorted(core.told(0)) == sorted((PLACED, uid.hex().upper()) for uid in several)


class Mumbler(Tag):
    """Every second answer of a tag that is selected level by level is lost: the first, but not the last one."""

    def _anticollision(self, frame: Frame) -> Answer | None:
        answer = super()._anticollision(frame)
        return None if self.state is not TagState.ACTIVE and frame.bits > 56 else answer


def test_of_a_tag_that_is_called_only_the_last_answer_is_needed() -> None:
    """It has heard all that was said, so it goes on. But it may be weak, and is not soon believed to be gone."""
    chip = Chip()
    core, mumbler = ready(chip), Mumbler(TRIPLE)
    chip.field.place(mumbler, Classic(CLASSIC))
    core.run(5000)
    assert sorted(core.told(0)) == sorted((PLACED, uid.hex().upper()) for uid in (TRIPLE, CLASSIC))
    chip.field.lift(mumbler)
    core.run(GONE_MS + 2 * ANEW_MS)
    assert len(core.told(0)) == 2
    core.run(WEAK_MS - GONE_MS)
    assert core.told(0)[2:] == [(REMOVED, TRIPLE.hex().upper())]


@pytest.mark.parametrize(("lies_ms", "gone_ms"), [(100, WEAK_MS), (300, GONE_MS)])
def test_a_newcomer_has_to_prove_itself_before_it_is_soon_believed_to_be_gone(lies_ms: int, gone_ms: int) -> None:
    chip, tag = Chip(), ntag()
    core = ready(chip)
    chip.field.place(tag)
    core.run_until(lambda: core.told(0), 100)
    core.run(lies_ms)
    chip.field.lift(tag)
    took_ms = core.run_until(lambda: len(core.told(0)) == 2, 2000)
    assert gone_ms <= took_ms <= gone_ms + ANEW_MS


def test_who_was_missed_has_to_prove_itself_for_much_longer() -> None:
    chip, tag = Chip(), ntag()
    core = ready(chip)
    chip.field.place(tag)
    core.run(1000)
    chip.field.lift(tag)
    core.run(100)
    chip.field.place(tag)
    core.run(1000)
    chip.field.lift(tag)
    assert core.run_until(lambda: len(core.told(0)) == 2, 2000) >= WEAK_MS - ANEW_MS
    assert core.told(0) == [(PLACED, NTAG.hex().upper()), (REMOVED, NTAG.hex().upper())]


FOUR = [bytes([4, 0, 0, 0, 0, 0, last]) for last in range(4)]


def test_a_fifth_tag_is_unclear_and_takes_the_place_of_one_that_goes() -> None:
    chip = Chip()
    core, field = ready(chip), chip.field
    four, fifth = [ntag(uid) for uid in FOUR], Classic(CLASSIC)
    field.place(*four)
    core.run(500)
    core.received.clear()
    field.place(fifth)
    core.run(5000)
    assert core.told(0) == [(UNCLEAR, "")]
    field.lift(four[0])
    core.run(GONE_MS + 2 * ANEW_MS)
    assert core.told(0) == [(UNCLEAR, ""), (REMOVED, FOUR[0].hex().upper()), (PLACED, CLASSIC.hex().upper())]
    core.received.clear()
    core.run(1000)
    field.lift(fifth)
    core.run(GONE_MS + 2 * ANEW_MS)
    assert core.told(0) == [(REMOVED, CLASSIC.hex().upper())]


def test_a_look_at_five_tags_ends_when_one_of_them_goes() -> None:
    chip = Chip()
    chip.field.place(*map(ntag, FOUR), Classic(CLASSIC))
    core = greeted(chip, None, None, None, None)
    core.run(5000)
    told = core.told(0)
    found = [uid for kind, uid in told if kind == FOUND]
    assert (len(found), told[-1], len(told)) == (4, (UNCLEAR, ""), 5)
    core.received.clear()
    first = next(tag for tag in chip.field.tags if tag.uid.hex().upper() == found[0])
    left = next(tag for tag in chip.field.tags if tag.uid.hex().upper() not in found)
    chip.field.lift(first)
    core.run(GONE_MS + 2 * ANEW_MS + LOOK_MS)
    assert core.told(0) == [(REMOVED, found[0]), (FOUND, left.uid.hex().upper()), (READY, "")]


class Damaged(Tag):
    """Its check byte is wrong, so it answers every request and can never be read."""

    def __init__(self, uid: bytes) -> None:
        super().__init__(uid)
        self._levels = [level ^ 1 << 32 for level in self._levels]


def beside_a_damaged_sticker(core: Core, chip: Chip) -> Ntag:
    """A sound tag, and a pad that has said that it is unclear."""
    sound = ntag()
    chip.field.place(sound)
    core.run(300)
    chip.field.place(Damaged(CLASSIC))
    core.run(1500)
    assert core.told(0)[-1] == (UNCLEAR, "")
    core.received.clear()
    return sound


def test_beside_a_damaged_sticker_a_tag_that_lies_still_stays() -> None:
    chip = Chip()
    core = ready(chip)
    beside_a_damaged_sticker(core, chip)
    core.run(20_000)
    assert core.told(0) == []


def test_beside_a_damaged_sticker_a_tag_that_goes_is_removed_when_the_sticker_has_gone_too() -> None:
    """A tag that cannot be read may drown out others, as long as it is there."""
    chip = Chip()
    core = ready(chip)
    sound = beside_a_damaged_sticker(core, chip)
    chip.field.lift(sound)
    core.run(20_000)
    assert core.told(0) == []
    chip.field.lift()
    core.run(WEAK_MS + ANEW_MS)
    assert core.told(0) == [(REMOVED, NTAG.hex().upper())]


def test_a_look_beside_a_damaged_sticker_ends_with_the_sticker_and_then_tells_what_has_gone() -> None:
    chip, sound, damaged = Chip(), ntag(), Damaged(CLASSIC)
    chip.field.place(sound)
    core = greeted(chip, None, None, None, None)
    core.run_until(lambda: core.told(0), 100)
    chip.field.place(damaged)
    core.run(1500)
    chip.field.lift(sound)
    core.run(5000)
    uid = NTAG.hex().upper()
    assert core.told(0) == [(FOUND, uid), (UNCLEAR, "")]
    chip.field.lift(damaged)
    core.run(LOOK_MS + WEAK_MS + ANEW_MS)
    assert core.told(0)[2:] == [(READY, ""), (REMOVED, uid)]


class Noise(SimulatedField):
    """Something that answers requests, and nothing else."""

    def ask(self, frame: Frame, now_us: float) -> Received | None:
        return Received(Frame(0x0044, 16), None, frame.delay_us) if frame.bits == SHORT_FRAME_BITS else None


def test_a_look_at_noise_that_answers_requests_only_is_unclear_and_ends_with_the_noise() -> None:
    chip = Chip()
    quiet, chip.field = chip.field, Noise()
    core = greeted(chip, Chip(), None, None, None)
    core.run(2000)
    assert core.told(0) == [(UNCLEAR, "")]
    assert core.told(1) == [(READY, "")]
    chip.field = quiet
    core.run(LOOK_MS)
    assert core.told(0) == [(UNCLEAR, ""), (READY, "")]


def test_unclear_is_told_again_when_it_begins_again() -> None:
    chip = Chip()
    core = ready(chip)
    for _ in range(3):
        core.received.clear()
        chip.faults.colliding = True
        core.run(2500)
        chip.faults.colliding = False
        core.run(LOOK_MS)
        assert core.told(0) == [(UNCLEAR, "")]


def test_a_look_at_what_is_unclear_is_not_over_until_it_is_clear() -> None:
    chip = Chip()
    chip.field.place(ntag())
    chip.faults.garbled = True
    core = greeted(chip, None, None, None, None)
    core.run(1000)
    assert core.told(0) == [(UNCLEAR, "")]
    chip.faults.garbled = False
    core.run(LOOK_MS)
    assert core.told(0) == [(UNCLEAR, ""), (FOUND, NTAG.hex().upper()), (READY, "")]


@pytest.mark.parametrize("off_ms", [60, 120, 150])
@pytest.mark.parametrize("uid", [CLASSIC, NTAG, TRIPLE])
def test_a_look_is_not_over_while_a_flickering_tag_cannot_be_read(uid: bytes, off_ms: int) -> None:
    """Whenever it has power it is garbled, and in between it is away for most of a look."""
    chip = Chip()
    chip.field.place(Tag(uid, flicker=Flicker(60, off_ms)))
    chip.faults.garbled = True
    core = greeted(chip, None, None, None, None)
    core.run(10_000)
    assert core.told(0) == [(UNCLEAR, "")]
    chip.faults.garbled = False
    core.run(LOOK_MS + 60 + off_ms)
    assert core.told(0) == [(UNCLEAR, ""), (FOUND, uid.hex().upper()), (READY, "")]


def test_a_look_that_has_told_of_trouble_does_not_tell_again_when_a_tag_is_read_meanwhile() -> None:
    chip = Chip()
    chip.field.place(ntag())
    chip.faults.garbled = True
    core = greeted(chip, None, None, None, None)
    core.run(1000)
    chip.faults.garbled = False
    core.run_until(lambda: len(core.told(0)) == 2, LOOK_MS)
    core.run(20)
    chip.faults.garbled = True
    chip.field.place(Tag(CLASSIC, flicker=Flicker(60, 90)))
    core.run(5000)
    assert core.told(0) == [(UNCLEAR, ""), (FOUND, NTAG.hex().upper())]
    chip.faults.garbled = False
    core.run(LOOK_MS + 150)
    assert core.told(0)[2:] == [(FOUND, CLASSIC.hex().upper()), (READY, "")]


def test_a_tag_that_flickers_is_placed_once_and_never_removed() -> None:
    chip = Chip()
    core = ready(chip)
    chip.field.place(Ntag(NTAG, flicker=Flicker(on_ms=60, off_ms=150)))
    core.run(5000)
    assert core.told(0) == [(PLACED, NTAG.hex().upper())]


def test_a_weak_tag_is_placed_once_and_never_removed() -> None:
    chip = Chip()
    core = ready(chip)
    chip.field.place(Ntag(NTAG, reliability=0.8, chance=Random(3)))
    core.run(10_000)
    assert core.told(0) == [(PLACED, NTAG.hex().upper())]


def test_a_tag_that_is_waved_over_a_pad_is_no_trouble() -> None:
    chip, tag = Chip(), ntag()
    core = ready(chip)
    for _ in range(50):
        chip.field.place(tag)
        core.run(7)
        chip.field.lift(tag)
        core.run(5)
    assert {kind for kind, _ in core.told(0)} <= {PLACED}


# --- Faults ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "value", "code"),
    [
        ("gone", 0x00, NO_CHIP),
        ("gone", 0xFF, NO_CHIP),
        ("stuck", 0x00, NO_CHIP),
        ("stuck", 0xFF, NO_CHIP),
        ("stuck", 0x21, WRONG),
        ("stuck", 0x01, WRONG),
        ("hung", True, HANGS),
        ("unpowered", True, NO_CHIP),
    ],
)
def test_a_fault_is_told_once_and_afterwards_what_lies_there(fault: str, value: int, code: str) -> None:
    chip = Chip()
    chip.field.place(ntag())
    core = ready(chip)
    setattr(chip.faults, fault, value)
    core.run(10_000)
    assert core.told(0) == [(FAULT, code)]
    chip.faults.clear()
    core.run(1000)
    assert core.told(0) == [(FAULT, code), (FOUND, NTAG.hex().upper()), (READY, "")]


def test_a_pad_without_a_reader_says_that_no_chip_answers() -> None:
    core = greeted(None, Chip(), None, None, None)
    core.run(5000)
    assert [core.told(pad) for pad in range(3)] == [[(FAULT, NO_CHIP)], [(READY, "")], [(FAULT, NO_CHIP)]]


def test_a_short_loss_of_power_is_a_fault_and_no_removal() -> None:
    chip = Chip()
    chip.field.place(ntag())
    core = ready(chip)
    chip.faults.unpowered = True
    chip.faults.unpowered = False
    core.run(500)
    assert core.told(0) == [(FAULT, WRONG), (FOUND, NTAG.hex().upper()), (READY, "")]


def test_a_fault_in_the_middle_of_a_look_makes_void_what_it_had_told() -> None:
    chip, left = Chip(), Classic(CLASSIC)
    chip.field.place(left)
    core = ready(chip)
    chip.faults.gone = 0xFF
    core.run(100)
    chip.faults.gone = None
    core.run_until(lambda: (FOUND, CLASSIC.hex().upper()) in core.told(0), 500)
    chip.faults.gone = 0xFF
    chip.field.lift(left)
    chip.field.place(ntag())
    core.run(100)
    chip.faults.gone = None
    core.run(1000)
    first, second = ((FOUND, uid.hex().upper()) for uid in (CLASSIC, NTAG))
    assert core.told(0) == [(FAULT, NO_CHIP), first, (FAULT, NO_CHIP), second, (READY, "")]


def test_a_power_loss_of_an_empty_reader_is_noticed_too() -> None:
    chip = Chip()
    core = ready(chip)
    chip.faults.unpowered = True
    chip.faults.unpowered = False
    core.run(500)
    assert core.told(0) == [(FAULT, WRONG), (READY, "")]


def test_a_reader_that_fails_again_and_again_is_asked_less_and_less_often() -> None:
    chip = Chip()
    core = ready(chip)
    times = []
    for _ in range(6):
        chip.faults.hung = True
        core.run(10)
        chip.faults.hung = False
        core.received.clear()
        times.append(core.run_until(lambda: core.told(0), 5000))
    assert all(later >= earlier - 5 for earlier, later in pairwise(times))
    assert times[0] < 350
    assert 550 < times[-1] < 700, "but soon after it works again, what lies there is known"


@pytest.mark.parametrize("fault", ["gone", "hung", "stuck"])
def test_a_bad_reader_delays_no_other(fault: str) -> None:
    core = all_ready()
    setattr(core.chips[1].faults, fault, 0xFF if fault != "hung" else True)
    core.run(20)
    core.received.clear()
    for pad in (0, 2, 3, 4):
        core.chips[pad].field.place(ntag())
    core.run(40)
    assert sorted(event.pad for event in core.events if event.kind == PLACED) == [0, 2, 3, 4]


def test_what_was_dropped_is_made_up_for_by_a_look() -> None:
    chip = Chip()
    core = ready(chip)
    core.acknowledges = False
    for _ in range(ROOM):
        core.library.events_tell(core.now_ms, 4, wire.PRESSED, b"\0", 1)
    chip.field.place(ntag())
    core.run(500)
    core.acknowledges = True
    core.run(500)
    numbers = [event.number for event in core.events]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert [(event.kind, event.uid) for event in core.events if event.pad in (0, wire.WHOLE)] == [
        (wire.LOST, "0100"),
        (FOUND, NTAG.hex().upper()),
        (READY, ""),
    ]


FAULTS = st.sampled_from(
    [
        ("gone", 0x00),
        ("gone", 0xFF),
        ("stuck", 0x00),
        ("stuck", 0xFF),
        ("stuck", 0x20),
        ("stuck", 0x92),
        ("hung", True),
        ("garbled", True),
        ("colliding", True),
        ("unpowered", True),
    ]
)


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(FAULTS, st.integers(1, 500), st.integers(0, 300)), min_size=1, max_size=5))
def test_no_sequence_of_faults_removes_or_doubles_a_tag(faults: list[tuple[tuple[str, int], int, int]]) -> None:
    """Tags lie still. All that may be told is that something is wrong, and after that what lies there."""
    chip = Chip()
    chip.field.place(ntag(), Classic(CLASSIC))
    core = ready(chip)
    for (name, value), bad_ms, well_ms in faults:
        setattr(chip.faults, name, value)
        core.run(bad_ms)
        chip.faults.clear()
        core.run(well_ms)
    core.run(3500)
    told = core.told(0)
    assert {kind for kind, _ in told} <= {FAULT, UNCLEAR, FOUND, READY}
    if any(kind == FAULT for kind, _ in told):
        last = max(index for index, (kind, _) in enumerate(told) if kind == FAULT)
        found = [uid for kind, uid in told[last:] if kind == FOUND]
        assert sorted(found) == sorted([NTAG.hex().upper(), CLASSIC.hex().upper()])
        assert told[-1] == (READY, "")
