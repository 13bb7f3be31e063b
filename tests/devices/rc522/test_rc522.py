"""The RC522 driver on a simulated chip: who is in the field, by their whole UIDs."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.iso14443 import NVB_WHOLE, SELECTS, cascade
from companion.devices.rc522.driver import MOST_TAGS
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.simulated.tags import Answer, Flicker, Frame, Ntag, Tag, TagState
from companion.devices.tag_field import Failed, Look, Pages, Written
from tests.devices.pi import ANNA, BEN, CLEO, KEY_RING, LONG, Pi, tag_of
from tests.devices.test_iso14443 import uids


@pytest.fixture
def pi():
    with Pi() as pi:
        yield pi


# --- Newcomers ------------------------------------------------------------------------------------------------


def test_an_empty_field_costs_ten_transfers(pi: Pi) -> None:
    reader = pi.open()
    assert reader.look(()) == Look()
    assert pi.transfers(lambda: reader.look(())) == 10


@pytest.mark.parametrize("uid", [KEY_RING, ANNA, LONG])
def test_a_newcomer_tells_its_whole_uid(pi: Pi, uid: bytes) -> None:
    reader = pi.open()
    pi.lay(uid)
    assert reader.look(()) == Look(seen=(uid,))


def test_a_tag_that_lies_still_is_seen_every_time(pi: Pi) -> None:
    reader = pi.open()
    pi.lay(ANNA)
    assert reader.look(()).seen == (ANNA,)
    assert [reader.look((ANNA,)) for _ in range(10)] == [Look(seen=(ANNA,))] * 10


@st.composite
def crowds(draw):
    """One to five tags, some of them alike but for a bit: that is where collisions come late."""
    crowd = draw(st.lists(uids(), min_size=1, max_size=5, unique=True))
    for place in range(1, len(crowd)):
        bit = draw(st.none() | st.integers(0, len(crowd[0]) * 8 - 1))
        if bit is not None:
            twin = (int.from_bytes(crowd[0]) ^ 1 << bit).to_bytes(len(crowd[0]))
            crowd[place] = crowd[place] if twin in crowd else twin
    return crowd


@settings(max_examples=120, deadline=None)
@given(crowds(), st.booleans())
def test_every_tag_in_a_field_is_found_whatever_their_uids(crowd: list[bytes], counts_align: bool) -> None:
    """Also with a chip that counts the bits of a collision in the other way that its data sheet can be read."""
    with Pi(Chip(position_counts_align=counts_align)) as pi:
        reader = pi.open()
        tags = pi.lay(*crowd)
        first = reader.look(())
        assert (sorted(first.seen), first.unclear) == (sorted(crowd), False)
        assert {tag.state for tag in tags} == {TagState.HALT}
        assert sorted(reader.look(crowd).seen) == sorted(crowd)
        assert sorted(reader.inventory(()).seen) == sorted(crowd)


def test_more_tags_than_a_chip_can_feed_are_unclear(pi: Pi) -> None:
    reader = pi.open()
    pi.lay(*(bytes([number, 1, 2, 3]) for number in range(MOST_TAGS + 1)))
    look = reader.look(())
    assert (len(look.seen), look.unclear) == (MOST_TAGS, True)


# --- Known tags -----------------------------------------------------------------------------------------------


def test_who_is_lifted_is_missed_and_the_others_are_seen(pi: Pi) -> None:
    reader = pi.open()
    anna, _, _ = pi.lay(ANNA, BEN, KEY_RING)
    all_tags = reader.look(()).seen
    pi.field.lift(anna)
    look = reader.look(all_tags)
    assert (look.missed, sorted(look.seen), look.unclear) == ((ANNA,), sorted((BEN, KEY_RING)), False)


class Counted(Tag):
    """It writes down which tags are selected, whether it is meant or not."""

    def __init__(self, uid: bytes, *others: bytes) -> None:
        super().__init__(uid)
        self.calls: list[bytes] = []
        self._others = {bytes([SELECTS[0], NVB_WHOLE]) + cascade(other)[0]: other for other in others}

    def hear(self, frame: Frame, now_us: float) -> Answer | None:
        if (called := self._others.get(frame.data[:6])) is not None:
            self.calls.append(called)
        return super().hear(frame, now_us)


def test_who_is_missing_is_called_in_turn_with_others_who_are(pi: Pi) -> None:
    """So no call of one waits until another has been given up."""
    reader = pi.open()
    witness = Counted(ANNA, CLEO, KEY_RING)
    pi.field.place(witness)
    pi.clock.sleep(0.006)
    reader.look(())
    reader.look((ANNA, CLEO, KEY_RING))
    assert witness.calls == [CLEO, KEY_RING] * 3


def test_when_all_are_lifted_all_are_missed(pi: Pi) -> None:
    reader = pi.open()
    pi.lay(ANNA, BEN)
    reader.look(())
    pi.field.lift()
    assert reader.look((ANNA, BEN)) == Look(missed=(ANNA, BEN))


def test_a_newcomer_does_not_hide_the_known_nor_they_it(pi: Pi) -> None:
    reader = pi.open()
    pi.lay(ANNA)
    reader.look(())
    pi.lay(BEN)
    assert sorted(reader.look((ANNA,)).seen) == [ANNA, BEN]


def test_who_was_lifted_and_laid_down_between_two_looks_is_seen(pi: Pi) -> None:
    reader = pi.open()
    (anna,) = pi.lay(ANNA)
    reader.look(())
    pi.field.lift(anna)
    pi.field.place(anna)
    pi.clock.sleep(0.006)
    assert reader.look((ANNA,)) == Look(seen=(ANNA,), hardly=(ANNA,)), "it had no power: it may be weak"


def test_who_answers_an_inventory_had_to_lose_its_power(pi: Pi) -> None:
    reader = pi.open()
    pi.lay(ANNA)
    assert reader.inventory((ANNA,)) == Look(seen=(ANNA,))


class Mumbler(Tag):
    """Its answers are lost at the moments that are listed, counted from when it begins to mumble."""

    def mumbles(self, *lost: int) -> None:
        self._answers, self._lost = itertools.count(), lost

    def hear(self, frame: Frame, now_us: float) -> Answer | None:
        answer = super().hear(frame, now_us)
        lost = answer is not None and hasattr(self, "_answers") and next(self._answers) in self._lost
        return None if lost else answer


@pytest.mark.parametrize("lost", [(1,), (2,), (1, 2)])
def test_of_a_tag_that_is_called_only_the_last_answer_is_needed(pi: Pi, lost: tuple[int, ...]) -> None:
    """It has heard all that was said, so it goes on; but it may be weak."""
    reader = pi.open()
    pi.lay(KEY_RING)
    mumbler = Mumbler(LONG)
    pi.field.place(mumbler)
    pi.clock.sleep(0.006)
    assert set(reader.look(()).seen) == {KEY_RING, LONG}
    mumbler.mumbles(*lost)
    assert reader.look((LONG, KEY_RING)) == Look(seen=(LONG, KEY_RING), hardly=(LONG,))


@pytest.mark.parametrize("lost", [(1,), (1, 2), (2,), (4,), (6,), (6, 7), (1, 3, 5, 7)])
def test_a_newcomer_of_which_some_answers_are_lost_is_read_at_once(pi: Pi, lost: tuple[int, ...]) -> None:
    reader = pi.open()
    mumbler = Mumbler(LONG)
    mumbler.mumbles(*lost)
    pi.field.place(mumbler)
    pi.clock.sleep(0.006)
    assert reader.look(()) == Look(seen=(LONG,))
    assert mumbler.state is TagState.HALT


def test_a_stranger_is_not_taken_for_the_one_who_is_called(pi: Pi) -> None:
    """Both begin alike: the stranger falls back at the last level."""
    reader = pi.open()
    pi.lay(ANNA)
    reader.look(())
    assert reader.look((ANNA, BEN)) == Look(seen=(ANNA,), missed=(BEN,))


def test_a_weak_tag_that_answers_half_way_is_not_missed(pi: Pi) -> None:
    """A tag wakes up, and no other one could: that is no miss, and not unclear either."""
    reader = pi.open()
    (anna,) = pi.lay(ANNA)
    reader.look(())
    anna.reliability = 0.4
    looks = [reader.look((ANNA,)) for _ in range(200)]
    missed = sum(bool(look.missed) for look in looks)
    assert missed < 100  # silence on all of three calls, which is 0.6³ = 22 %, and what newcomers disturb
    assert sum(bool(look.seen) for look in looks) > 20


def test_a_tag_that_was_halted_by_mistake_is_found_when_nothing_else_is_there_or_in_an_inventory(pi: Pi) -> None:
    reader = pi.open()
    anna, ben = pi.lay(ANNA, BEN)
    reader.look(())
    assert {anna.state, ben.state} == {TagState.HALT}
    assert reader.look((BEN,)) == Look(seen=(BEN,))
    assert sorted(reader.inventory((BEN,)).seen) == [ANNA, BEN]
    pi.field.lift(ben)
    assert reader.look(()) == Look(seen=(ANNA,))


def test_a_flickering_tag_is_seen_whenever_it_has_power(pi: Pi) -> None:
    reader = pi.open()
    pi.lay(ANNA, flicker=Flicker(on_ms=100, off_ms=100))
    known: tuple[bytes, ...] = ()
    seen = 0
    for _ in range(40):
        look = reader.look(known)
        known = known or look.seen
        seen += bool(look.seen)
        pi.clock.sleep(0.03)
    assert 15 < seen < 25


# --- What cannot be made out ----------------------------------------------------------------------------------


def test_garbled_answers_are_unclear_and_nothing_is_missed(pi: Pi) -> None:
    reader = pi.open()
    pi.lay(ANNA)
    reader.look(())
    pi.chip.faults.garbled = True
    for _ in range(50):
        look = reader.look((ANNA,))
        assert (look.missed, look.unclear) == ((), not look.seen)


def test_a_garbled_newcomer_is_unclear_and_never_another_tag(pi: Pi) -> None:
    reader = pi.open()
    pi.chip.faults.garbled = True
    pi.lay(ANNA, KEY_RING)
    for _ in range(50):
        look = reader.look(())
        assert set(look.seen) <= {ANNA, KEY_RING}
        assert look.unclear or look.seen


def test_noise_in_an_empty_field_is_unclear_and_ends(pi: Pi) -> None:
    reader = pi.open()
    pi.chip.faults.colliding = True
    assert reader.look((ANNA,)) == Look(unclear=True)
    assert pi.transfers(lambda: reader.look((ANNA,))) < 1500
    pi.chip.faults.clear()
    assert reader.look(()) == Look()


# --- Memory ---------------------------------------------------------------------------------------------------


def test_pages_are_read_and_written(pi: Pi) -> None:
    reader = pi.open()
    (anna,) = pi.lay(ANNA)
    reader.look(())
    assert reader.read_page(ANNA, 3) == Pages(3, bytes.fromhex("E1101200 0300FE00 00000000 00000000"))
    assert reader.write_page(ANNA, 5, b"mark") == Written(5)
    assert isinstance(anna, Ntag)
    assert anna.memory[20:24] == b"mark"
    assert reader.look((ANNA,)) == Look(seen=(ANNA,))


def test_of_several_tags_only_the_one_that_is_meant_is_written(pi: Pi) -> None:
    reader = pi.open()
    anna, ben = pi.lay(ANNA, BEN)
    assert reader.write_page(BEN, 4, b"ben!") == Written(4)
    assert (anna.memory[16:20], ben.memory[16:20]) == (b"\x03\x00\xfe\x00", b"ben!")


@pytest.mark.parametrize(
    ("uid", "page", "why"), [(ANNA, 45, "refused"), (KEY_RING, 4, "no answer"), (CLEO, 4, "no answer")]
)
def test_what_cannot_be_read_says_why(pi: Pi, uid: bytes, page: int, why: str) -> None:
    """No such page; a Classic tag, which does not answer; a tag that is not there."""
    reader = pi.open()
    pi.lay(ANNA, KEY_RING)
    assert reader.read_page(uid, page) == Failed(why)


def test_a_locked_page_refuses(pi: Pi) -> None:
    reader = pi.open()
    (anna,) = pi.lay(ANNA)
    anna.lock(6)
    assert reader.write_page(ANNA, 6, b"nope") == Failed("refused")
    assert reader.read_page(ANNA, 6) == Pages(6, bytes(16))


def test_garbled_memory_is_never_believed(pi: Pi) -> None:
    reader = pi.open()
    pi.lay(ANNA)
    sound = reader.read_page(ANNA, 0)
    pi.chip.faults.garbled = True
    read = [reader.read_page(ANNA, 0) for _ in range(30)]
    assert {type(each) for each in read if each != sound} == {Failed}


def test_a_weak_tag_is_asked_again(pi: Pi) -> None:
    reader = pi.open()
    pi.lay(ANNA, reliability=0.9)
    answers = [reader.read_page(ANNA, 4) for _ in range(100)]
    assert sum(isinstance(answer, Pages) for answer in answers) > 85


@pytest.mark.parametrize("data", [b"", b"abc", b"abcde"])
def test_a_page_has_four_bytes(pi: Pi, data: bytes) -> None:
    with pytest.raises(ValueError, match=f"4 bytes, not {len(data)}"):
        pi.open().write_page(ANNA, 4, data)


def test_a_pi_lays_down_whatever_tag_has_such_a_uid() -> None:
    assert [type(tag_of(uid)).__name__ for uid in (KEY_RING, ANNA, LONG)] == ["Classic", "Ntag", "Tag"]
