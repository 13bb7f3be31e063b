"""A watch over a simulated chip, on a clock of its own: tags come and go, everything breaks, and mends itself."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.devices.rc522.driver import Rc522
from companion.devices.rc522.settings import Rc522Settings
from companion.devices.rc522.simulated_chip import ANALOGUE, Chip, Register
from companion.devices.reader import FieldWatch
from companion.devices.simulated.tags import Flicker
from companion.devices.tag_field import Pages
from companion.table.signals import (
    Connecting,
    LinkUp,
    ReaderFault,
    TagFound,
    TagIntroduced,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)
from tests.devices.pi import ANNA, BEN, CLEO, KEY_RING, LONG, PLACE, Pi
from tests.devices.watched import Watched

FAULTS = [
    ("gone", 0x00, None),
    ("gone", 0xFF, None),
    ("stuck", 0x92, None),
    ("hung", True, False),
    ("garbled", True, False),
    ("colliding", True, False),
    ("unpowered", True, False),
    ("refused", True, False),
]
"""Name, and how to switch it on and off."""
UNNOTICED = ("garbled", "colliding")
"""The chip works, but what it hears cannot be made out."""


class Table(Pi, Watched):
    """A Pi whose reader is being watched."""

    def __init__(self, chip: Chip | None = None, greet=None) -> None:
        Pi.__init__(self, chip)
        Watched.__init__(
            self, FieldWatch("centre", lambda: Rc522(*PLACE, sleep=self.clock.sleep), Rc522Settings.pace, greet)
        )


@pytest.fixture
def table():
    with Table() as table:
        yield table


# --- First contact --------------------------------------------------------------------------------------------


def test_first_contact_tells_who_lies_there(table: Table) -> None:
    table.lay(ANNA, KEY_RING)
    told = table.begin().turn(5).news()
    assert told[0] is Connecting
    assert sorted(uid for _, uid in told[1:3]) == [ANNA, KEY_RING]
    assert (told[1][0], told[2][0], told[3:]) == (TagFound, TagFound, [LinkUp])


def test_a_reader_that_is_not_there_at_first_is_found_when_it_comes(table: Table) -> None:
    table.chip.faults.gone = 0xFF
    assert table.begin().run(5).news() == [Connecting, ReaderFault]
    table.chip.faults.clear()
    table.lay(ANNA)
    assert table.run(5).news() == [(TagFound, ANNA), LinkUp]


# --- Tags -----------------------------------------------------------------------------------------------------


def test_a_marker_is_laid_down_and_lifted(table: Table) -> None:
    table.begin().turn(3).news()
    (anna,) = table.lay(ANNA)
    assert table.run(5).news() == [(TagPlaced, ANNA)]
    table.field.lift(anna)
    assert table.run(2).news() == [(TagRemoved, ANNA)]


def test_a_tag_is_told_within_one_look_and_gone_within_half_a_second(table: Table) -> None:
    table.begin().turn(3).news()
    (anna,) = table.lay(ANNA)
    laid_ms = table.now_ms()
    assert table.turn().told[0].at_ms - laid_ms <= 15
    table.run(0.2).news()
    table.field.lift(anna)
    lifted_ms = table.now_ms()
    assert 300 <= table.run(1).told[0].at_ms - lifted_ms <= 500, "it was tapped for a fifth of a second: that is enough"


def test_a_tag_that_was_hardly_there_is_gone_within_one_and_a_half_seconds(table: Table) -> None:
    table.begin().turn(4).news()
    (anna,) = table.lay(ANNA)
    table.turn().news()
    table.field.lift(anna)
    lifted_ms = table.now_ms()
    assert 1000 <= table.run(1.5).told[0].at_ms - lifted_ms <= 1300


@settings(max_examples=10, deadline=None)
@given(st.integers(10, 250), st.integers(5, 200), st.sampled_from([ANNA, KEY_RING, LONG]))
def test_a_flickering_tag_is_placed_once_and_stays(on_ms: int, off_ms: int, uid: bytes) -> None:
    with Table() as table:
        table.begin().turn(3).news()
        table.lay(uid, flicker=Flicker(on_ms + 40, off_ms))
        assert table.run(3).news() == [(TagPlaced, uid)]


@pytest.mark.parametrize(
    ("beside", "uid", "off_ms"),
    [
        ((KEY_RING,), LONG, 120),
        ((BEN, KEY_RING), CLEO, 120),
        ((BEN, KEY_RING, ANNA), CLEO, 140),
        ((BEN, KEY_RING, ANNA), LONG, 60),
    ],
)
def test_no_flicker_has_the_rhythm_of_the_looks(beside: tuple[bytes, ...], uid: bytes, off_ms: int) -> None:
    """Looks that follow each other as regularly as a tag loses its power may meet it without power every time."""
    for after_ms in range(0, 60 + off_ms, 10):
        with Table() as table:
            table.begin().turn(3)
            table.lay(*beside)
            table.lay(uid, flicker=Flicker(60, off_ms))
            table.run(0.5)
            table.clock.sleep(after_ms / 1000)
            table.chip.faults.unpowered = True
            table.run(0.1)
            table.chip.faults.clear()
            assert TagRemoved not in [type(each) for each in table.run(3).told], after_ms


@pytest.mark.parametrize("seed", range(4))
def test_a_weak_tag_is_placed_once_and_stays(table: Table, seed: int) -> None:
    table.begin().turn(3).news()
    table.lay(ANNA, reliability=0.7, chance=random.Random(seed))
    assert table.run(15).news() == [(TagPlaced, ANNA)]


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_hands_that_come_and_go_are_told_as_they_were(draw) -> None:
    """Whatever is laid down or lifted, each for long enough to be meant: exactly that is told, in its order."""
    with Table() as table:
        table.begin().turn(3).news()
        tags = dict(zip((ANNA, BEN, CLEO, KEY_RING, LONG), table.lay(ANNA, BEN, CLEO, KEY_RING, LONG), strict=True))
        table.field.lift()
        lying: set[bytes] = set()
        for uid in draw.draw(st.lists(st.sampled_from(sorted(tags)), max_size=6)):
            if uid in lying:
                table.field.lift(tags[uid])
            else:
                table.field.place(tags[uid])
            expected = (TagRemoved if uid in lying else TagPlaced, uid)
            lying ^= {uid}
            assert table.run(0.7).news() == [expected]


def test_too_many_tags_are_unclear_until_they_are_apart(table: Table) -> None:
    table.begin().turn(3)
    (anna,) = table.lay(ANNA)
    table.turn(2).news()
    table.chip.faults.colliding = True
    assert table.run(2).news() == [TagsUnclear]
    table.chip.faults.clear()
    table.field.lift(anna)
    assert table.run(2).news() == [(TagRemoved, ANNA)]


def test_a_newcomer_is_greeted_before_it_is_told() -> None:
    met = []

    def greet(field, uid) -> None:
        met.append((uid, field.read_page(uid, 4), list(table.told)))  # type: ignore[attr-defined] # the one below

    with Table(greet=greet) as table:
        table.begin().turn(3).news()
        table.lay(ANNA)
        assert table.turn(3).news() == [(TagPlaced, ANNA)]
        assert met == [(ANNA, Pages(4, b"\x03\x00\xfe\x00" + bytes(12)), [])]


def test_what_a_newcomer_says_of_itself_is_told_before_it_is() -> None:
    with Table(greet=lambda _field, _uid: "a text") as table:
        table.begin().turn(3).news()
        table.lay(ANNA)
        table.turn(3)
        assert [each.text for each in table.told if isinstance(each, TagIntroduced)] == ["a text"]
        assert table.news() == [(TagIntroduced, ANNA), (TagPlaced, ANNA)]


@pytest.mark.parametrize("mistake", [ValueError("a mistake"), KeyError(7), RecursionError(), TimeoutError()])
def test_whatever_goes_wrong_when_a_newcomer_is_greeted_it_is_told_all_the_same(mistake: Exception) -> None:
    def greet(_field, _uid) -> str | None:
        raise mistake

    with Table(greet=greet) as table:
        table.begin().turn(3).news()
        table.lay(ANNA)
        assert table.run(1).news() == [(TagPlaced, ANNA)]


def test_what_it_says_is_told_later_if_the_look_that_has_shown_it_hangs() -> None:
    asked: list[bytes] = []

    def greet(_field, uid) -> str | None:
        """Asks once, and takes noticeably long for it."""
        if uid in asked:
            return None
        asked.append(uid)
        table.watch.stalled.set()  # type: ignore[attr-defined] # the one below
        return "a text"

    with Table(greet=greet) as table:
        table.begin().turn(3).news()
        table.lay(ANNA)
        told = table.run(2).news()
        assert told[told.index((TagIntroduced, ANNA)) + 1 :][0] in ((TagPlaced, ANNA), (TagFound, ANNA))


# --- Faults ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "on", "off"), FAULTS)
def test_every_fault_is_told_and_mends_itself_and_removes_no_tag(table: Table, name: str, on, off) -> None:
    table.begin().turn(3)
    table.lay(ANNA, KEY_RING)
    table.turn(3).news()
    setattr(table.chip.faults, name, on)
    told = set(table.run(4).news())  # a stuck line is told twice: when it is noticed, and when no setting is kept
    assert told == {TagsUnclear if name in UNNOTICED else ReaderFault}
    setattr(table.chip.faults, name, off)
    assert table.run(4).news() == ([] if name in UNNOTICED else [LinkUp])


@pytest.mark.parametrize("register", [register for register in Register if register is not Register.VERSION])
def test_whatever_a_disturbance_leaves_in_a_register_removes_no_tag(table: Table, register: Register) -> None:
    """The register stays so until the driver notices: a chip that is deaf, or does not send, does not stay ready."""
    table.begin().turn(3)
    (anna,) = table.lay(ANNA)
    for value in (0x00, 0x40, 0x80, 0xFF):
        table.turn(4).news()
        table.chip.disturb(register, value)
        assert {each for each in table.run(2).news() if each is not LinkUp} <= {ReaderFault}
    table.field.lift(anna)
    table.lay(BEN)
    assert (TagPlaced, BEN) in table.run(1).news()


DEAF = (*ANALOGUE, Register.TX_MODE, Register.RX_MODE, Register.TX_ASK, Register.TX_CONTROL)


@pytest.mark.parametrize("register", DEAF)
def test_a_reader_that_goes_deaf_over_an_empty_field_says_so_and_mends_itself(table: Table, register: Register) -> None:
    table.begin().turn(3)
    for bit in range(8):
        table.turn(40).news()
        table.chip.disturb(register, table.chip._values[register] ^ 1 << bit)
        assert table.run(0.5).news() == [ReaderFault, LinkUp], bit
    table.lay(ANNA)
    assert table.run(0.5).news() == [(TagPlaced, ANNA)]


def test_a_reset_that_is_lost_is_a_fault_and_never_an_empty_field(table: Table) -> None:
    table.begin().turn(3)
    table.lay(ANNA)
    table.turn(3).news()
    table.chip.reset = lambda high, now_us: None  # type: ignore[method-assign]  # its reset line is broken, too
    table.chip.faults.stubborn = True
    table.chip.disturb(Register.T_MODE, 0x00)
    assert set(table.run(3).news()) == {ReaderFault}
    table.chip.faults.stubborn = False
    assert table.run(2).news() == [LinkUp]


@pytest.mark.parametrize("register", ANALOGUE)
def test_a_lost_reset_of_a_chip_that_had_no_power_for_a_moment_is_a_fault_as_well(register: Register) -> None:
    """All that it was told is forgotten, as after a reset; what a disturbance leaves in it afterwards is no reset's."""
    with Table() as table:
        table.chip.reset = lambda high, now_us: None  # type: ignore[method-assign]  # its reset pin is not pulled
        table.begin().turn(4).news()
        table.chip.faults.unpowered = True
        table.turn()
        table.chip.faults.unpowered = False
        table.chip.faults.stubborn = True
        table.chip.select(table.clock.now_us)  # it has its power again
        table.chip.disturb(register, table.chip._values[register] ^ 0x08)
        table.lay(ANNA)
        assert set(table.run(2).news()) == {ReaderFault}
        table.chip.faults.stubborn = False
        assert table.run(2).news() == [(TagFound, ANNA), LinkUp]


def test_four_weak_tags_stay(table: Table) -> None:
    table.begin().turn(3).news()
    four = [bytes([4, 0, 0, 0, 0, 0, last]) for last in range(4)]
    for uid in four:
        table.lay(uid, reliability=0.7, chance=random.Random(uid))
    told = table.run(30).news()
    assert sorted(told, key=str) == sorted([(TagPlaced, uid) for uid in four], key=str)


@pytest.mark.parametrize(("name", "on", "off"), [fault for fault in FAULTS if fault[0] not in UNNOTICED])
def test_what_changes_during_a_fault_is_told_when_it_is_over(table: Table, name: str, on, off) -> None:
    table.begin().turn(3)
    (anna,) = table.lay(ANNA)
    table.turn(3).news()
    setattr(table.chip.faults, name, on)
    table.run(3)
    table.field.lift(anna)
    table.lay(BEN)
    table.run(3)
    setattr(table.chip.faults, name, off)
    told = table.run(10).news()
    assert (set(told[:-3]), told[-3:]) == ({ReaderFault}, [(TagFound, BEN), (TagRemoved, ANNA), LinkUp])


def test_a_dead_reader_is_asked_less_and_less_often(table: Table) -> None:
    table.begin().turn(3)
    table.chip.faults.gone = 0x00
    table.pauses.clear()
    table.turn(10)
    assert table.pauses == [0.05, 0.1, 0.2, 0.4, *[0.5] * 6]
    table.chip.faults.clear()
    table.turn(40)
    table.chip.faults.gone = 0x00
    table.pauses.clear()
    assert table.turn(2).pauses == [0.05, 0.1]


def test_a_reader_that_fails_every_moment_is_not_asked_more_often(table: Table) -> None:
    table.begin()
    for _ in range(12):
        table.chip.faults.unpowered = True
        table.chip.faults.unpowered = False
        table.turn(4)
    assert max(table.pauses) == 0.5


class Trap(Chip):
    """A chip to which something happens at certain transfers."""

    def __init__(self) -> None:
        super().__init__(seed=7)
        self.springs: dict[int, tuple] = {}
        self.count = 0

    def select(self, now_us: float) -> None:
        self.count += 1
        if self.count in self.springs:
            name, value = self.springs[self.count]
            if isinstance(name, Register):
                self.disturb(name, value)
            else:
                setattr(self.faults, name, value)
        super().select(now_us)


DISTURBED = st.tuples(
    st.sampled_from([each for each in Register if each is not Register.VERSION]), *[st.integers(0, 255)] * 2
)
"""A register, and what it holds from one transfer on, and from another."""
SPELLS = st.lists(
    st.tuples(st.sampled_from(FAULTS) | DISTURBED, st.integers(0, 400), st.integers(1, 600)), min_size=1, max_size=8
)


@settings(max_examples=40, deadline=None)
@example([(("hung", True, False), 319, 369), ((Register.MOD_WIDTH, 142, 2), 77, 37)], (ANNA, BEN))  # in a restart
@given(SPELLS, st.sampled_from([(ANNA,), (ANNA, BEN), (KEY_RING, CLEO, LONG)]))
def test_no_sequence_of_faults_makes_a_removal_or_a_second_placement(spells, uids: tuple[bytes, ...]) -> None:
    """Faults begin and end between any two transfers, one after another, while tags lie still."""
    chip = Trap()
    with Table(chip) as table:
        table.lay(*uids)
        table.begin().turn(3)
        at = chip.count
        for (name, on, off), pause, length in spells:
            chip.springs[at + pause] = (name, on)
            at += pause + length
            chip.springs[at] = (name, off)
        while chip.count < at:
            table.turn()
            if "refused" in chip.faults.on:  # a transfer that is refused does not reach the chip
                chip.count += 40
                chip.faults.refused = chip.count < at and chip.faults.refused
        chip.springs.clear()
        chip.faults.clear()
        told = table.run(3).news()
        assert [each for each in told if isinstance(each, tuple) and each[0] is TagRemoved] == []
        come = [each[1] for each in told if isinstance(each, tuple)]
        assert sorted(come) == sorted(uids)
        assert table.watch._roll.is_ready
