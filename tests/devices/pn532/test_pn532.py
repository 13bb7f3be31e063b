"""A PN532 on a modelled line: who lies there, what is on the tags, and whatever goes wrong meanwhile.

Every test that has a `bench` or a `table` runs in every reading of the sources (`pn532_readings`). The property at the
end draws readings by chance.
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.ndef import read_text, write_text
from companion.devices.pn532.driver import Target, awake, targets_in
from companion.devices.pn532.simulated_reader import Pn532Faults
from companion.devices.pn532.source_readings import Pn532Reading, any_reading, each_reading, told
from companion.devices.simulated.tags import Answer, Flicker, Frame, Ntag
from companion.devices.tag_field import Failed, Look, Pages, ReaderError, Written
from companion.table.signals import (
    Connecting,
    LinkUp,
    ReaderFault,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)
from companion.troubles import LineTrouble, Pn532Trouble
from tests.devices.believing import believed, is_ready
from tests.devices.pi import ANNA, BEN, CLEO, KEY_RING, LONG
from tests.devices.pn532.pn532_table import Pn532Bench, WatchedPn532

UIDS = (ANNA, BEN, CLEO, KEY_RING, LONG)
REMOVED_MS = 4000
"""A tag that was taken away is told gone by then, whatever the sources mean…"""
USUALLY_MS = 800
"""…and by then, if they mean what they seem to, and it went between two looks…"""
MIDWAY_MS = 1000
"""…or by then, at any moment."""


@pytest.fixture(params=each_reading(), ids=told)
def reading(request: pytest.FixtureRequest) -> Pn532Reading:
    return request.param


@pytest.fixture
def bench(reading: Pn532Reading) -> Pn532Bench:
    return Pn532Bench(reading)


@pytest.fixture
def table(reading: Pn532Reading) -> WatchedPn532:
    return WatchedPn532(reading=reading)


# --- Waking it ------------------------------------------------------------------------------------------------


def test_a_chip_that_sleeps_is_woken_and_told_what_it_has_to_know(bench: Pn532Bench) -> None:
    assert bench.open().version == "1.6"
    last = [command[0] for command in bench.chip.commands][-5:]
    assert last == [0x00, 0x02, 0x14, 0x12, 0x32]


def test_a_chip_that_is_awake_is_asked_for_an_echo_and_its_settings_are_left_alone(bench: Pn532Bench) -> None:
    link = bench.link()
    link.greet()
    before = len(bench.chip.commands)
    link.greet()
    assert [command[0] for command in bench.chip.commands[before:]] == [0x00]


def test_what_is_no_pn532_is_told_nothing_more(bench: Pn532Bench) -> None:
    bench.faults.hung = True
    with pytest.raises(ReaderError, match="no PN532 answers; check that it is a PN532 with its switches set to HSU"):
        bench.open()
    assert bench.clock.now_us < 2_000_000


def test_a_line_that_is_not_there_is_said_so(bench: Pn532Bench) -> None:
    bench.line.is_plugged = False
    with pytest.raises(ReaderError) as told:
        bench.open()
    assert told.value.problem is LineTrouble.UNPLUGGED


@pytest.mark.parametrize("under_way", ["0000FF04FCD44A0100E100", "0000FF04FCD44A0200E000"])
def test_a_chip_that_another_program_left_searching_is_found(bench: Pn532Bench, under_way: str) -> None:
    """nfcpy#203: a program that crashed leaves the chip in the middle of a command."""
    awake(bench.link())
    bench.line.write(bytes.fromhex(under_way))
    assert bench.open().version == "1.6"


# --- Who is there ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("uids", [(), (ANNA,), (KEY_RING,), (LONG,), (ANNA, BEN), (ANNA, KEY_RING, LONG), UIDS])
def test_every_tag_tells_its_whole_number(bench: Pn532Bench, uids: tuple[bytes, ...]) -> None:
    reader = bench.open()
    bench.lay(*uids)
    assert set(reader.look(()).seen) <= set(uids)
    look = reader.inventory(())
    assert sorted(look.seen) == sorted(uids)
    assert sorted(reader.inventory(look.seen).seen) == sorted(uids)
    assert sorted(reader.look(look.seen).seen) == sorted(uids)


def test_who_lies_there_is_seen_again_and_again_and_who_was_lifted_is_missed(bench: Pn532Bench) -> None:
    reader = bench.open()
    _, ben = bench.lay(ANNA, BEN)
    for _ in range(20):
        assert set(reader.look((ANNA, BEN)).seen) == {ANNA, BEN}
    bench.field.lift(ben)
    assert reader.look((ANNA, BEN)) == Look((ANNA,), (BEN,), is_inventory=True)
    bench.field.lift()
    assert reader.look((ANNA, BEN)) == Look((), (ANNA, BEN), is_inventory=True)


def test_a_newcomer_is_told_together_with_the_known_tags_that_were_found_beside_it(bench: Pn532Bench) -> None:
    reader = bench.open()
    bench.lay(ANNA)
    reader.inventory(())
    bench.lay(BEN)
    for _ in range(20):
        look = reader.look((ANNA,))
        assert BEN in look.seen
        if ANNA in look.seen:
            return
    raise AssertionError("the tag that lies there was never seen beside the newcomer")


def test_an_empty_look_costs_two_commands_their_acks_and_answers(bench: Pn532Bench) -> None:
    reader = bench.open()
    for _ in range(20):  # until the chip searches for as long as it should
        reader.look(())
    assert bench.octets(lambda: reader.look(())) == (11 + 6 + 9) + (11 + 6 + 10)


def test_an_empty_table_never_faults(table: WatchedPn532) -> None:
    """Whatever the byte Field of GetGeneralStatus says over it."""
    assert table.begin().run(30).news() == [Connecting, LinkUp]


def test_tags_at_rest_are_neither_removed_nor_unclear_nor_a_fault(table: WatchedPn532) -> None:
    """However long the chip takes to find them, and however late it says so."""
    table.lay(ANNA)
    assert table.begin().run(5).news() == [Connecting, (TagFound, ANNA), LinkUp]
    table.lay(BEN)
    assert table.run(30).news() == [(TagPlaced, BEN)]


@pytest.mark.parametrize("answers", [1, 2, 3])
def test_an_answer_that_is_lost_is_no_miss(table: WatchedPn532, answers: int) -> None:
    """Nor is a search that was ended before it began, or one that may not have been heard."""
    table.lay(ANNA)
    table.begin().run(3).news()
    for fault in ("lost_answers", "lost_acks", "hung") * 2:
        said = len(table.chip.commands)
        setattr(table.faults, fault, True)
        until_us = table.clock.now_us + 400_000
        while len(table.chip.commands) < said + answers and table.clock.now_us < until_us:
            table.turn()
        table.faults.clear()
        table.run(1)
    assert {type(each) for each in table.told} <= {ReaderFault, LinkUp}
    assert is_ready(table.run(5).told) or not table.told


def test_a_weak_tag_beside_two_known_ones_is_met_soon_although_it_drowns_one_of_them(reading: Pn532Reading) -> None:
    """The chip ends its search with the first tag that it finds. If one that it cannot make out drowned another, only a
    search that finds nothing proves that all were found."""
    for seed in range(4):
        bench = Pn532Bench(reading, Random(seed))
        reader = bench.open()
        bench.lay(KEY_RING, BEN)
        bench.lay(LONG, reliability=0.8, chance=Random(seed))
        looks = [reader.look((KEY_RING, BEN)) for _ in range(2)]
        assert any(LONG in look.seen for look in looks)
        assert not any(look.missed for look in looks)


@pytest.mark.parametrize("seed", range(2))
def test_a_weak_tag_is_not_missed_by_a_chip_that_makes_few_tries(seed: int) -> None:
    """One with 10 bytes has to answer seven times in a row to be found, and four times when it is called."""
    bench = Pn532Bench(Pn532Reading(try_us=15_000, field_after_search="off"))
    reader = bench.open()
    bench.lay(LONG, reliability=0.8, chance=Random(seed))
    assert not [look for look in (reader.look((LONG,)) for _ in range(300)) if look.missed]


@pytest.mark.parametrize(
    ("late_us", "third"),
    [
        *((late_us, traits) for late_us in (200, 100_000) for traits in ({}, {"reliability": 0.8})),
        (200, {"flicker": Flicker(90, 40)}),
    ],
)
def test_two_flickering_tags_do_not_hide_a_third_one(late_us: int, third) -> None:
    """Three that flicker together cannot be found if ACKs are late: the chip lists two at a time."""
    for uids in ((KEY_RING, LONG, ANNA), (ANNA, KEY_RING, LONG), (LONG, ANNA, KEY_RING)):
        table = WatchedPn532(reading=Pn532Reading(late_us=late_us)).begin().run(2)
        table.lay(*uids[:2], flicker=Flicker(90, 40))
        table.run(2)
        table.lay(uids[2], **third)
        table.run(8)
        assert believed(table.told) == {uid.hex().upper() for uid in uids}
        assert not [each for each in table.told if isinstance(each, TagRemoved)]


@given(st.floats(0, 700_000))
def test_whenever_a_tag_comes_it_is_told_soon(moment_us: float) -> None:
    """Also in the very moment in which the chip is told to end its search."""
    table = WatchedPn532().begin().run(1.5)
    comes_us = table.clock.now_us + moment_us
    table.field.place(Ntag(ANNA), at_us=comes_us)
    while not [each for each in table.told if isinstance(each, TagPlaced)]:
        table.turn()
    assert table.clock.now_us - comes_us < 5_000 + 60_000


def test_a_number_that_was_read_once_belongs_to_no_tag(bench: Pn532Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two flipped bits that cancel each other out pass the check sum of a frame."""
    reader = bench.open()
    bench.lay(ANNA)
    no_tag = bytes([ANNA[0] ^ 0x10, *ANNA[1:]])
    whole, heard = reader._search, [[Target(1, no_tag)]]
    monkeypatch.setattr(reader, "_search", lambda *asked: heard.pop() if heard else whole(*asked))
    look = reader.look(())
    assert (look.seen, look.unclear) == ((), True)
    look = reader.look(())
    assert (look.seen, look.unclear) == ((ANNA,), False)


def test_a_tag_in_an_empty_field_is_told_as_soon_as_the_chip_has_found_it() -> None:
    bench = Pn532Bench()
    reader = bench.open()
    for _ in range(5):
        reader.look(())
    began_us = bench.clock.now_us
    bench.field.place(Ntag(ANNA), at_us=began_us + 50_000)
    assert reader.look(()).seen == (ANNA,)
    assert bench.clock.now_us - began_us < 50_000 + 45_000  # it is read twice


@pytest.mark.parametrize(
    "answer",
    [
        *("", "01", "0101", "01010004000704a1b2c3d4e5", "01010004000504a1b2c3d4", "0201000408041234567802"),
        *("01020004080412345678", "0101000420041234567806757781", "0001000408041234567802"),
    ],
)
def test_half_a_list_or_more_than_one_is_not_believed(answer: str) -> None:
    with pytest.raises(ValueError, match=r"half a target|no number|more than"):
        list(targets_in(bytes.fromhex(answer)))


# --- Memory ---------------------------------------------------------------------------------------------------


def test_pages_are_read_and_written(bench: Pn532Bench) -> None:
    reader = bench.open()
    bench.lay(ANNA, BEN)
    assert reader.write_page(ANNA, 4, b"mine") == Written(4)
    assert reader.write_page(BEN, 4, b"thin") == Written(4)
    assert reader.read_page(ANNA, 4) == Pages(4, b"mine" + bytes(12))
    assert reader.read_page(BEN, 4) == Pages(4, b"thin" + bytes(12))


def test_a_tag_may_refuse_or_be_gone_or_have_no_pages(bench: Pn532Bench) -> None:
    reader = bench.open()
    anna, _, _ = bench.lay(ANNA, KEY_RING, LONG)
    anna.lock(5)
    assert reader.write_page(ANNA, 5, b"nono") == Failed("refused")
    assert reader.read_page(ANNA, 200) == Failed("refused")
    assert reader.read_page(ANNA, 4) == Pages(4, b"\x03\x00\xfe\x00" + bytes(12))
    assert reader.read_page(KEY_RING, 4) == Failed("no answer")
    assert reader.read_page(LONG, 4) == Failed("no answer")
    assert reader.read_page(BEN, 4) == Failed("no answer")
    with pytest.raises(ValueError, match="a page has 4 bytes"):
        reader.write_page(ANNA, 4, b"long enough")


def test_a_text_is_written_on_a_sticker_and_read_from_it(bench: Pn532Bench) -> None:
    reader = bench.open()
    bench.lay(ANNA, BEN)
    text = "companion:lascaux marker white 1 " + "x" * 60
    assert write_text(reader, ANNA, text) == "written"
    assert read_text(reader, ANNA) == text
    assert read_text(reader, BEN) is None
    assert write_text(reader, ANNA, text) == "the same"


def test_a_selected_tag_stays_selected_from_page_to_page(bench: Pn532Bench) -> None:
    reader = bench.open()
    bench.lay(ANNA)
    reader.read_page(ANNA, 4)
    assert bench.octets(lambda: reader.read_page(ANNA, 8)) < 60


# --- Watching -------------------------------------------------------------------------------------------------


def test_tags_are_found_placed_and_removed(table: WatchedPn532) -> None:
    table.lay(ANNA)
    assert table.begin().run(5).news() == [Connecting, (TagFound, ANNA), LinkUp]
    (ben,) = table.lay(BEN)
    assert table.run(4).news() == [(TagPlaced, BEN)]
    table.field.lift(ben)
    assert table.run(4).news() == [(TagRemoved, BEN)]


@pytest.mark.parametrize("others", [(), (BEN,), (BEN, CLEO)])
def test_a_lifted_tag_is_told_within_the_time_that_is_stated(table: WatchedPn532, others: tuple[bytes, ...]) -> None:
    (anna,) = table.lay(ANNA)
    table.lay(*others)
    table.begin().run(15).news()
    lifted_ms = table.now_ms()
    table.field.lift(anna)
    table.run(6)
    (removed,) = table.told
    assert isinstance(removed, TagRemoved)
    assert removed.at_ms - lifted_ms <= (USUALLY_MS if table.chip.reading == Pn532Reading() else REMOVED_MS)


class _Leaving(Ntag):
    """A hand takes it away in the middle of something."""

    leaves_us = float("inf")

    def hear(self, frame: Frame, now_us: float) -> Answer | None:
        return super().hear(frame, now_us) if now_us < self.leaves_us else None


@settings(max_examples=25)
@given(st.floats(0, 700_000), st.sampled_from([(), (BEN,), (BEN, CLEO)]))
def test_a_tag_that_is_lifted_at_any_moment_is_told_within_the_time_that_is_stated(
    after_us: float, others: tuple[bytes, ...]
) -> None:
    table = WatchedPn532()
    table.field.place(anna := _Leaving(ANNA))
    table.lay(*others)
    table.begin().run(4).news()
    anna.leaves_us = table.clock.now_us + after_us
    table.run(2)
    (removed,) = table.told
    assert isinstance(removed, TagRemoved)
    assert removed.at_ms - anna.leaves_us / 1000 <= MIDWAY_MS


@pytest.mark.parametrize("traits", [{"reliability": 0.7}, {"flicker": Flicker(80, 60)}])
def test_a_weak_or_flickering_tag_is_placed_once_and_never_removed(table: WatchedPn532, traits) -> None:
    table.begin().run(3).news()
    table.lay(ANNA, **traits)
    assert table.run(20).news() == [(TagPlaced, ANNA)]


FAULTS = [*Pn532Faults.NAMES]


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_is_a_removal_and_all_is_as_before_when_it_is_over(table: WatchedPn532, fault: str) -> None:
    table.lay(ANNA)
    table.begin().run(4).news()
    setattr(table.faults, fault, True)
    during = table.run(8).news()
    assert set(during) <= {ReaderFault, LinkUp, TagsUnclear}
    table.faults.clear()
    after = table.run(8).news()
    assert after in ([LinkUp], [ReaderFault, LinkUp]) if during and during[-1] is ReaderFault else after == []


@pytest.mark.parametrize("fault", ["hung", "deaf", "lost_answers", "garbled"])
def test_a_fault_that_lasts_is_told_also_over_an_empty_field(table: WatchedPn532, fault: str) -> None:
    table.begin().run(4).news()
    setattr(table.faults, fault, True)
    table.lay(ANNA)
    assert ReaderFault in table.run(6).news()
    table.faults.clear()
    assert table.run(8).news()[-2:] == [(TagFound, ANNA), LinkUp]


def test_lost_acks_are_told_or_done_without(table: WatchedPn532) -> None:
    table.begin().run(4).news()
    table.faults.lost_acks = True
    table.lay(ANNA)
    table.run(6)
    table.faults.clear()
    table.run(8)
    assert {type(each) for each in table.told} <= {ReaderFault, LinkUp, TagFound, TagPlaced}
    assert believed(table.told) == {ANNA.hex().upper()}


def test_a_chip_that_was_reset_is_told_anew_what_it_has_to_know(table: WatchedPn532) -> None:
    """Once something is to be found or missed, at the latest."""
    table.lay(ANNA)
    table.begin().run(4).news()
    table.chip.reset(table.clock.now_us)
    told = table.run(8).news()
    assert told in ([], [ReaderFault, LinkUp])
    table.field.lift()
    table.lay(BEN)
    assert set(table.run(8).news()) - {ReaderFault, LinkUp} <= {
        (TagRemoved, ANNA),
        (TagPlaced, BEN),
        (TagFound, BEN),
    }
    table.field.lift()
    table.run(8)
    assert table.chip._parameters == 0x04
    assert table.chip._retries != 0xFF


def test_a_bank_card_on_a_chip_that_was_reset_is_read_by_its_number_alone(table: WatchedPn532) -> None:
    """Until its settings are restored, the chip asks such a card for more, and lists that, too."""
    card, _ = table.lay(KEY_RING, ANNA)
    card.sak = 0x20
    table.begin().run(5).news()
    table.chip.reset(table.clock.now_us)
    assert set(table.run(10).news()) <= {ReaderFault, LinkUp}
    assert table.chip._parameters == 0x04


def test_unplugged_and_plugged_in_again(table: WatchedPn532) -> None:
    table.lay(ANNA)
    table.begin().run(4)
    table.line.is_plugged = False
    table.told.clear()
    assert [each.problem for each in table.run(10).told] == [LineTrouble.UNPLUGGED]
    table.news()
    table.chip.reset(table.clock.now_us)
    table.line.is_plugged = True
    table.field.lift()
    table.lay(BEN)
    assert sorted(map(str, table.run(10).news())) == sorted(map(str, [(TagFound, BEN), (TagRemoved, ANNA), LinkUp]))


@pytest.mark.parametrize("later_us", [0, 3_000])
def test_an_answer_that_belongs_to_an_older_question_counts_for_nothing(bench: Pn532Bench, later_us: int) -> None:
    """Before the next command, or in one piece right after it: some converters hold bytes back."""
    reader = bench.open()
    bench.lay(ANNA)
    reader.read_page(ANNA, 4)
    stale = bytes.fromhex("0000ff") + bytes([0x13, 0xED, 0xD5, 0x41, 0]) + b"?" * 16
    bench.chip.outbox.append((bench.clock.now_us + later_us, stale + bytes([-sum(stale[5:]) & 0xFF, 0])))
    assert reader.read_page(ANNA, 3) == Pages(3, b"\xe1\x10\x12\x00\x03\x00\xfe\x00" + bytes(8))


def test_a_chip_that_was_reset_over_an_empty_field_is_noticed(table: WatchedPn532) -> None:
    table.begin().run(4).news()
    table.chip.reset(table.clock.now_us)
    table.lay(ANNA)
    assert (TagPlaced, ANNA) in (told := table.run(8).news()) or (TagFound, ANNA) in told


def test_a_refused_command_is_a_fault(bench: Pn532Bench) -> None:
    link = bench.link()
    awake(link)
    with pytest.raises(ReaderError) as told:
        link.command(0x7A)
    assert told.value.problem is Pn532Trouble.REFUSES


# --- What is believed equals what lies there -------------------------------------------------------------------

DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("lay"), st.sampled_from(UIDS[:3])),
        st.tuples(st.just("lift"), st.sampled_from(UIDS[:3])),
        st.tuples(st.just("fault"), st.sampled_from([*Pn532Faults.NAMES, "reset", "unplug"])),
        st.tuples(st.just("wait"), st.floats(0.0, 1.5)),
        st.tuples(st.just("well"), st.none()),
    ),
    max_size=14,
)


@settings(max_examples=60)
@given(DEEDS, st.randoms(use_true_random=False))
def test_what_is_believed_equals_what_lies_there_whatever_happened(deeds, chance: Random) -> None:
    table = WatchedPn532(reading=any_reading(chance), chance=chance).begin()
    table.faults.chance = chance
    tags = {uid: Ntag(uid) for uid in UIDS[:3]}
    lifted = set()
    for deed, what in deeds:
        match deed:
            case "lay":
                table.field.now_us = table.clock.now_us
                table.field.place(tags[what])
            case "lift":
                table.field.lift(tags[what])
                lifted.add(what.hex().upper())
            case "wait":
                table.run(what)
            case "fault" if what == "reset":
                table.chip.reset(table.clock.now_us)
            case "fault" if what == "unplug":
                table.line.is_plugged = False
            case "fault":
                setattr(table.faults, what, True)
            case _:
                table.faults.clear()
        table.turn()
    table.faults.clear()
    table.line.is_plugged = True
    table.run(12)
    assert believed(table.told) == {tag.uid.hex().upper() for tag in table.field.tags}
    assert is_ready(table.told)
    assert {each.uid for each in table.told if isinstance(each, TagRemoved)} <= lifted, "no hand made that removal"
