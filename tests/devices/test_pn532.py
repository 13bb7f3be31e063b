"""A PN532 on a modelled line: who lies there, what is on the tags, and whatever goes wrong meanwhile."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.field import Failed, Look, Pages, ReaderError, Written
from companion.devices.ndef import read_text, write_text
from companion.devices.pn532 import DOUBT_LOOKS, Target, awake, targets_in
from companion.devices.pn532_frames import command_frame
from companion.simulation.hardware.pn532 import Pn532Faults
from companion.simulation.hardware.tags import Flicker, Ntag
from companion.table.signals import Connecting, LinkUp, ReaderFault, TagFound, TagPlaced, TagRemoved
from companion.troubles import LineTrouble, Pn532Trouble
from tests.devices.believing import believed, is_ready
from tests.devices.pi import ANNA, BEN, CLEO, KEY_RING, LONG
from tests.devices.pn532_table import Pn532Bench, WatchedPn532

UIDS = (ANNA, BEN, CLEO, KEY_RING, LONG)


@pytest.fixture
def bench() -> Pn532Bench:
    return Pn532Bench()


@pytest.fixture
def table() -> WatchedPn532:
    return WatchedPn532()


# --- Waking it ------------------------------------------------------------------------------------------------


def test_a_chip_that_sleeps_is_woken_and_told_what_it_has_to_know(bench: Pn532Bench) -> None:
    assert bench.open().version == "1.6"
    assert [command[0] for command in bench.chip.commands] == [0x02, 0x14, 0x12, 0x32]


def test_what_is_no_pn532_is_told_nothing_more(bench: Pn532Bench) -> None:
    bench.faults.hung = True
    with pytest.raises(ReaderError, match="no PN532 answers; is it a PN532, and its switches set to HSU"):
        bench.open()
    assert bench.clock.now_us < 1_000_000


def test_a_line_that_is_not_there_is_said_so(bench: Pn532Bench) -> None:
    bench.line.is_plugged = False
    with pytest.raises(ReaderError) as told:
        bench.open()
    assert told.value.problem is LineTrouble.UNPLUGGED


def test_the_first_question_holds_nothing_that_means_something_to_others() -> None:
    """A printer's line ends with a line feed; a prompt of Python is interrupted by 03 and 04, and ended by 05."""
    assert not set(command_frame(0x02)) & {0x03, 0x04, 0x05, 0x0A, 0x0D, 0x1B}


# --- Who is there ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("uids", [(), (ANNA,), (KEY_RING,), (LONG,), (ANNA, BEN), (ANNA, KEY_RING, LONG), UIDS])
def test_everybody_tells_their_whole_number(bench: Pn532Bench, uids: tuple[bytes, ...]) -> None:
    reader = bench.open()
    bench.lay(*uids)
    look = reader.look(())
    assert sorted(look.seen) == sorted(uids)
    assert sorted(reader.inventory(look.seen).seen) == sorted(uids)
    assert sorted(reader.look(look.seen).seen) == sorted(uids)


def test_who_lies_there_is_seen_again_and_again_and_who_was_lifted_is_missed(bench: Pn532Bench) -> None:
    reader = bench.open()
    _, ben = bench.lay(ANNA, BEN)
    for _ in range(20):
        assert set(reader.look((ANNA, BEN)).seen) == {ANNA, BEN}
    bench.field.lift(ben)
    assert reader.look((ANNA, BEN)) == Look((ANNA,), (BEN,), anew=True)
    bench.field.lift()
    assert reader.look((ANNA, BEN)) == Look((), (ANNA, BEN), anew=True)


def test_an_empty_look_costs_two_commands_their_acks_an_answer_and_the_sign_to_end_the_search(
    bench: Pn532Bench,
) -> None:
    reader = bench.open()
    reader.look(())
    assert bench.octets(lambda: reader.look(())) == (11 + 6 + 9) + (11 + 6 + 6)


@given(st.floats(0, 700_000))
def test_whenever_a_tag_comes_it_is_told_soon(moment_us: float) -> None:
    """Also in the very moment in which the chip is told to end its search."""
    table = WatchedPn532().begin().run(0.5)
    comes_us = table.clock.now_us + moment_us
    table.field.place(Ntag(ANNA), at_us=comes_us)
    while not [each for each in table.told if isinstance(each, TagPlaced)]:
        table.turn()
    assert table.clock.now_us - comes_us < 5_000 + 60_000


def test_a_number_that_was_read_once_is_nobody_s(bench: Pn532Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two flipped bits that cancel each other out pass the check sum of a frame."""
    reader = bench.open()
    bench.lay(ANNA)
    nobody = bytes([ANNA[0] ^ 0x10, *ANNA[1:]])
    whole, heard = reader._list, [[Target(1, nobody)]]
    monkeypatch.setattr(reader, "_list", lambda *asked: heard.pop() if heard else whole(*asked))
    look = reader.look(())
    assert (look.seen, look.unclear) == ((), True)
    look = reader.look(())
    assert (look.seen, look.unclear) == ((ANNA,), False)


def test_a_number_that_was_read_once_is_forgotten_after_a_while(
    bench: Pn532Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the same wrong number would have to come only twice in an evening."""
    reader = bench.open()
    whole, heard = reader._list, [[], [Target(1, ANNA)]]
    monkeypatch.setattr(reader, "_list", lambda *asked: heard.pop() if heard else whole(*asked))
    look = reader.look(())
    assert (look.seen, look.unclear) == ((), True)
    for _ in range(DOUBT_LOOKS):
        look = reader.look(())
        assert (look.seen, look.unclear) == ((), False)
    heard += [[], [Target(1, ANNA)]]
    look = reader.look(())
    assert (look.seen, look.unclear) == ((), True)


@pytest.mark.parametrize("looks", [0, DOUBT_LOOKS - 1])
def test_a_number_that_is_read_again_in_time_counts(
    bench: Pn532Bench, monkeypatch: pytest.MonkeyPatch, looks: int
) -> None:
    reader = bench.open()
    whole, heard = reader._list, [[], [Target(1, ANNA)]]
    monkeypatch.setattr(reader, "_list", lambda *asked: heard.pop() if heard else whole(*asked))
    for _ in range(looks + 1):
        assert reader.look(()).seen == ()
    heard += [[Target(1, ANNA)]]
    assert reader.look(()).seen == (ANNA,)


def test_a_tag_in_an_empty_field_is_told_as_soon_as_the_chip_has_found_it(bench: Pn532Bench) -> None:
    reader = bench.open()
    reader.look(())
    began_us = bench.clock.now_us
    bench.field.place(Ntag(ANNA), at_us=began_us + 50_000)
    assert reader.look(()).seen == (ANNA,)
    assert bench.clock.now_us - began_us < 50_000 + 40_000  # it is read twice


@pytest.mark.parametrize(
    "answer", ["", "01", "0101", "01010004000704a1b2c3d4e5", "01010004000504a1b2c3d4", "0201000408041234567802"]
)
def test_half_a_list_is_not_believed(answer: str) -> None:
    with pytest.raises(ValueError, match=r"half a target|no number"):
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
    assert table.begin().run(1).news() == [Connecting, (TagFound, ANNA), LinkUp]
    (ben,) = table.lay(BEN)
    assert table.run(1).news() == [(TagPlaced, BEN)]
    table.field.lift(ben)
    assert table.run(1).news() == [(TagRemoved, BEN)]


def test_a_lifted_tag_is_told_in_half_the_usual_time(table: WatchedPn532) -> None:
    (anna,) = table.lay(ANNA)
    table.begin().run(1).news()
    lifted_ms = table.now_ms()
    table.field.lift(anna)
    table.run(1)
    (removed,) = table.told
    assert removed.at_ms - lifted_ms <= 300, "3 misses and 300 ms, and an inventory, take 400 to 500"


@pytest.mark.parametrize("traits", [{"reliability": 0.7}, {"flicker": Flicker(80, 60)}])
def test_a_weak_or_flickering_tag_is_placed_once_and_never_removed(table: WatchedPn532, traits) -> None:
    table.begin().run(0.5).news()
    table.lay(ANNA, **traits)
    assert table.run(20).news() == [(TagPlaced, ANNA)]


FAULTS = [*Pn532Faults.NAMES]


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_is_a_removal_and_all_is_as_before_when_it_is_over(table: WatchedPn532, fault: str) -> None:
    table.lay(ANNA)
    table.begin().run(1).news()
    setattr(table.faults, fault, True)
    during = table.run(6).news()
    assert (TagRemoved, ANNA) not in during
    assert during[:1] in ([], [ReaderFault])
    table.faults.clear()
    after = table.run(6).news()
    assert after == ([LinkUp] if during and during[-1] is ReaderFault else [])


@pytest.mark.parametrize("fault", ["hung", "deaf", "lost_acks", "lost_answers", "garbled"])
def test_a_fault_that_lasts_is_told_also_over_an_empty_field(table: WatchedPn532, fault: str) -> None:
    table.begin().run(1).news()
    setattr(table.faults, fault, True)
    table.lay(ANNA)
    assert ReaderFault in table.run(6).news()
    table.faults.clear()
    assert table.run(6).news()[-2:] == [(TagFound, ANNA), LinkUp]


def test_a_chip_that_was_reset_is_told_anew_what_it_has_to_know(table: WatchedPn532) -> None:
    table.lay(ANNA)
    table.begin().run(1).news()
    table.chip.reset(table.clock.now_us)
    told = table.run(5).news()
    assert (TagRemoved, ANNA) not in told
    assert told in ([], [ReaderFault, LinkUp])
    table.field.lift()
    assert table.run(2).news() == [(TagRemoved, ANNA)]


def test_unplugged_and_plugged_in_again(table: WatchedPn532) -> None:
    table.lay(ANNA)
    table.begin().run(1)
    table.line.is_plugged = False
    table.told.clear()
    assert [each.problem for each in table.run(10).told] == [LineTrouble.UNPLUGGED]
    table.news()
    table.chip.reset(table.clock.now_us)
    table.line.is_plugged = True
    table.field.lift()
    table.lay(BEN)
    assert table.run(5).news() == [(TagFound, BEN), (TagRemoved, ANNA), LinkUp]


def test_an_answer_that_belongs_to_an_older_question_counts_for_nothing(bench: Pn532Bench) -> None:
    reader = bench.open()
    bench.lay(ANNA)
    reader.read_page(ANNA, 4)
    stale = bytes.fromhex("0000ff") + bytes([0x13, 0xED, 0xD5, 0x41, 0]) + b"?" * 16
    bench.chip.outbox.append((bench.clock.now_us, stale + bytes([-sum(stale[5:]) & 0xFF, 0])))
    assert reader.read_page(ANNA, 3) == Pages(3, b"\xe1\x10\x12\x00\x03\x00\xfe\x00" + bytes(8))


def test_a_chip_that_was_reset_over_an_empty_field_is_noticed(table: WatchedPn532) -> None:
    table.begin().run(1).news()
    table.chip.reset(table.clock.now_us)
    table.lay(ANNA)
    assert (TagPlaced, ANNA) in (told := table.run(5).news()) or (TagFound, ANNA) in told


def test_a_refused_command_is_a_fault() -> None:
    bench = Pn532Bench()
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
    ),
    max_size=14,
)


@settings(max_examples=60)
@given(DEEDS)
def test_what_is_believed_equals_what_lies_there_whatever_happened(deeds) -> None:
    table = WatchedPn532().begin()
    tags = {uid: Ntag(uid) for uid in UIDS[:3]}
    for deed, what in deeds:
        match deed:
            case "lay":
                table.field.now_us = table.clock.now_us
                table.field.place(tags[what])
            case "lift":
                table.field.lift(tags[what])
            case "wait":
                table.run(what)
            case "fault" if what == "reset":
                table.chip.reset(table.clock.now_us)
            case "fault" if what == "unplug":
                table.line.is_plugged = False
            case _:
                setattr(table.faults, what, True)
        table.turn()
    table.faults.clear()
    table.line.is_plugged = True
    table.run(8)
    assert believed(table.told) == {tag.uid.hex().upper() for tag in table.field.tags}
    assert is_ready(table.told)
