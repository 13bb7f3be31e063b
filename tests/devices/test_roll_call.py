"""Who lies in a field: looks and times in, signals out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.roll_call import (
    INVENTORIES,
    MISSES,
    MISSING_MS,
    PROVING_LATER,
    PROVING_LOOKS,
    UNCLEAR_MS,
    WEAK_MS,
    RollCall,
)
from companion.devices.tag_field import Look
from companion.table.signals import (
    Connecting,
    LinkUp,
    ReaderFault,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)

ANNA, BEN = bytes.fromhex("04A1B2C3D4E5F6"), bytes.fromhex("12345678")
GONE = "the chip answers 0x00"


class Station:
    """A roll call with a clock, and what it has reported since the last call."""

    def __init__(self, *lying: bytes) -> None:
        self.roll = RollCall("pad0")
        self.at_ms = 0
        self.told = self.roll.begin(0)
        self.looks(Look(seen=lying), times=INVENTORIES + PROVING_LOOKS)
        self.news()

    def look(self, look: Look, after_ms: int = 30) -> None:
        self.at_ms += after_ms
        self.told += self.roll.take(look, self.at_ms, inventory=self.roll.wants_inventory)

    def looks(self, look: Look, times: int = 1, after_ms: int = 30) -> "Station":
        for _ in range(times):
            self.look(look, after_ms)
        return self

    def for_ms(self, look: Look, ms: int) -> "Station":
        return self.looks(look, times=ms // 30 + 1)

    def fault(self, problem: str = GONE) -> "Station":
        self.at_ms += 30
        self.told += self.roll.fault(problem, self.at_ms)
        return self

    def news(self) -> list[str]:
        """Kinds of signals, with the UID or the problem."""
        told, self.told = self.told, []
        return [
            " ".join([type(each).__name__, getattr(each, "uid", getattr(each, "problem", ""))]).strip() for each in told
        ]


def removed(uid: bytes) -> str:
    return f"TagRemoved {uid.hex().upper()}"


def placed(uid: bytes) -> str:
    return f"TagPlaced {uid.hex().upper()}"


def found(uid: bytes) -> str:
    return f"TagFound {uid.hex().upper()}"


# --- First contact --------------------------------------------------------------------------------------------


def test_what_lies_there_at_first_is_found_and_then_the_station_is_ready() -> None:
    roll = RollCall("pad0")
    told = [*roll.begin(0), *roll.take(Look(seen=(ANNA,)), 10, inventory=True)]
    told += roll.take(Look(seen=(ANNA, BEN)), 40, inventory=True)
    told += roll.take(Look(seen=(ANNA, BEN)), 70, inventory=True)
    assert told == [
        Connecting("pad0", 0),
        TagFound("pad0", 10, "04A1B2C3D4E5F6"),
        TagFound("pad0", 40, "12345678"),
        LinkUp("pad0", 70),
    ]


def test_before_it_is_ready_only_inventories_count() -> None:
    roll = RollCall("pad0")
    assert roll.wants_inventory
    for at_ms in range(10):
        roll.take(Look(), at_ms, inventory=False)
    assert not roll.is_ready


def test_a_station_that_is_unclear_from_the_beginning_says_so_and_is_ready() -> None:
    station = Station()
    station.fault()
    station.news()
    assert station.for_ms(Look(unclear=True), UNCLEAR_MS).news() == ["TagsUnclear", "LinkUp"]


# --- Coming and going -----------------------------------------------------------------------------------------


def test_a_newcomer_is_placed_once() -> None:
    assert Station().looks(Look(seen=(ANNA,)), times=100).news() == [placed(ANNA)]


def test_a_signal_has_station_time_and_whole_uid() -> None:
    station = Station()
    assert station.roll.take(Look(seen=(ANNA,)), 5000, inventory=False) == [TagPlaced("pad0", 5000, "04A1B2C3D4E5F6")]


def test_a_tag_is_removed_after_several_misses_and_a_minimum_time() -> None:
    station = Station(ANNA)
    seen_ms = station.at_ms
    for _ in range(100):
        station.look(Look(missed=(ANNA,)))
        if station.told:
            break
    assert station.news() == [removed(ANNA)]
    assert MISSING_MS <= station.at_ms - seen_ms <= MISSING_MS + 60


def test_a_long_time_alone_is_no_removal() -> None:
    """A machine that was busy elsewhere for a minute has not looked."""
    station = Station(ANNA)
    station.look(Look(missed=(ANNA,)), after_ms=60_000)
    for _ in range(MISSES - 2):
        station.look(Look(missed=(ANNA,)))
    assert station.looks(Look(seen=(ANNA,)), times=20).news() == []


def test_many_misses_alone_are_no_removal() -> None:
    assert Station(ANNA).looks(Look(missed=(ANNA,)), times=50, after_ms=5).news() == []


def test_the_last_miss_is_that_of_an_inventory() -> None:
    station = Station(ANNA)
    station.looks(Look(missed=(ANNA,)), times=MISSING_MS // 30 + 1)
    assert (station.news(), station.roll.wants_inventory) == ([], True)
    station.look(Look(seen=(ANNA,)))
    assert (station.news(), station.roll.wants_inventory) == ([], False)


def test_of_two_tags_only_the_one_that_is_missed_goes() -> None:
    station = Station(ANNA, BEN)
    assert station.for_ms(Look(seen=(BEN,), missed=(ANNA,)), WEAK_MS + 60).news() == [removed(ANNA)]
    assert station.roll.known == (BEN,)


def test_who_was_removed_can_be_placed_again() -> None:
    station = Station(ANNA).for_ms(Look(missed=(ANNA,)), MISSING_MS + 60)
    assert station.looks(Look(seen=(ANNA,))).news() == [removed(ANNA), placed(ANNA)]


@given(st.lists(st.integers(1, 8), max_size=40))
def test_a_flickering_tag_neither_goes_nor_comes(spells: list[int]) -> None:
    """It is missed for less than the minimum time, seen, missed…"""
    station = Station(ANNA)
    for misses in spells:
        station.looks(Look(missed=(ANNA,)), times=misses)
        station.look(Look(seen=(ANNA,)))
    assert station.news() == []


# --- Who is proven, and is soon believed to be gone -----------------------------------------------------------


def gone_after_ms(station: Station) -> int:
    """How long Anna is missed until that is told."""
    since_ms = station.at_ms
    while removed(ANNA) not in station.news():
        station.look(Look(missed=(ANNA,)))
    return station.at_ms - since_ms


def is_proven(station: Station) -> bool:
    return gone_after_ms(station) < WEAK_MS


@pytest.mark.parametrize(("looks", "proven"), [(1, False), (PROVING_LOOKS, False), (PROVING_LOOKS + 1, True)])
def test_a_newcomer_has_to_prove_itself(looks: int, proven: bool) -> None:
    assert is_proven(Station().looks(Look(seen=(ANNA,)), times=looks)) is proven


def test_a_tag_that_hardly_answers_is_never_proven() -> None:
    station = Station()
    for _ in range(50):
        station.looks(Look(seen=(ANNA,)), times=PROVING_LOOKS - 1).look(Look(seen=(ANNA,), hardly=(ANNA,)))
    assert not is_proven(station.looks(Look(seen=(ANNA,))))


@pytest.mark.parametrize("proves_nothing", [Look(seen=(ANNA,), hardly=(ANNA,)), Look()])
def test_a_tag_that_falters_and_is_seen_again_has_to_prove_itself_again(proves_nothing: Look) -> None:
    assert not is_proven(Station(ANNA).looks(proves_nothing).looks(Look(seen=(ANNA,)), times=PROVING_LOOKS))
    assert is_proven(Station(ANNA).looks(proves_nothing).looks(Look(seen=(ANNA,)), times=PROVING_LOOKS + 1))


@pytest.mark.parametrize("proves_nothing", [Look(seen=(ANNA,), hardly=(ANNA,)), Look()])
def test_a_hand_that_takes_a_proven_tag_away_may_begin_by_disturbing_it(proves_nothing: Look) -> None:
    assert is_proven(Station(ANNA).looks(proves_nothing))


@pytest.mark.parametrize(("looks", "proven"), [(PROVING_LATER, False), (PROVING_LATER + 1, True)])
def test_who_was_missed_has_to_prove_itself_for_much_longer(looks: int, proven: bool) -> None:
    station = Station(ANNA).looks(Look(missed=(ANNA,))).looks(Look(seen=(ANNA,)), times=looks)
    assert is_proven(station) is proven


def test_after_a_fault_no_tag_is_proven() -> None:
    station = Station(ANNA).fault()
    assert not is_proven(station.looks(Look(seen=(ANNA,)), times=INVENTORIES))


def test_looks_follow_quickly_while_a_newcomer_proves_itself() -> None:
    station = Station(ANNA)
    assert not station.roll.hurries
    station.look(Look(seen=(ANNA, BEN)))
    assert station.roll.hurries
    assert not station.looks(Look(seen=(ANNA, BEN)), times=10).roll.hurries


def test_looks_follow_quickly_while_a_tag_is_missing() -> None:
    station = Station(ANNA, BEN)
    station.looks(Look(seen=(ANNA, BEN)), times=10)
    assert station.looks(Look(seen=(ANNA,), missed=(BEN,))).roll.hurries
    assert not station.looks(Look(seen=(ANNA, BEN))).roll.hurries
    assert not station.for_ms(Look(seen=(ANNA,), missed=(BEN,)), WEAK_MS + 60).roll.hurries, "it has gone"


# --- Stacks ---------------------------------------------------------------------------------------------------


def test_a_stack_that_stays_unclear_is_told_once() -> None:
    assert Station().for_ms(Look(unclear=True), 5000).news() == ["TagsUnclear"]


def test_a_hand_that_disturbs_the_field_for_a_moment_is_no_stack() -> None:
    station = Station(ANNA)
    for _ in range(20):
        station.looks(Look(unclear=True), times=5).looks(Look(seen=(ANNA,)))
    assert station.news() == []


def test_what_was_known_still_counts_while_it_is_unclear() -> None:
    station = Station(ANNA)
    station.for_ms(Look(missed=(ANNA,), unclear=True), 5000)
    assert (station.news(), station.roll.known) == (["TagsUnclear"], (ANNA,))


def test_misses_before_and_after_something_unclear_do_not_add_up() -> None:
    station = Station(ANNA)
    for _ in range(10):
        station.looks(Look(missed=(ANNA,)), times=MISSES - 1, after_ms=150).looks(Look(unclear=True))
    assert station.news() == []


def test_when_it_is_clear_again_who_is_missing_goes_and_the_next_stack_is_told() -> None:
    station = Station(ANNA).for_ms(Look(unclear=True), 1000)
    station.for_ms(Look(missed=(ANNA,)), WEAK_MS + 60).for_ms(Look(unclear=True), 1000)
    assert station.news() == ["TagsUnclear", removed(ANNA), "TagsUnclear"]


def test_a_tag_that_is_made_out_in_a_stack_is_placed() -> None:
    assert Station().looks(Look(seen=(BEN,), unclear=True)).news() == [placed(BEN)]


# --- Faults ---------------------------------------------------------------------------------------------------


def test_a_fault_is_told_once_and_again_when_it_is_another_one() -> None:
    station = Station(ANNA)
    for problem in (GONE, GONE, "the bus fails", "the bus fails", GONE):
        station.fault(problem)
    assert station.news() == [f"ReaderFault {problem}" for problem in (GONE, "the bus fails", GONE)]


def test_a_reader_that_is_begun_anew_tells_its_fault_anew() -> None:
    """Its driver was started again, and a signal has said that it is connecting."""
    station = Station(ANNA).fault()
    station.told += station.roll.begin(station.at_ms)
    assert station.fault().fault().news() == [f"ReaderFault {GONE}", "Connecting", f"ReaderFault {GONE}"]


def test_after_a_fault_who_lies_there_still_is_not_told_anew() -> None:
    station = Station(ANNA).fault()
    assert station.looks(Look(seen=(ANNA,)), times=INVENTORIES).news() == [f"ReaderFault {GONE}", "LinkUp"]


def test_after_a_fault_differences_are_found_and_removed_and_then_it_is_ready() -> None:
    station = Station(ANNA).fault()
    station.for_ms(Look(seen=(BEN,), missed=(ANNA,)), WEAK_MS + 60)
    assert station.news() == [f"ReaderFault {GONE}", found(BEN), removed(ANNA), "LinkUp"]


def test_after_a_fault_absence_counts_from_the_first_look_on() -> None:
    station = Station(ANNA).looks(Look(missed=(ANNA,)), times=5)
    station.at_ms += 3_600_000
    station.fault()
    station.looks(Look(missed=(ANNA,)), times=MISSES)
    assert removed(ANNA) not in station.news()


def test_a_fault_between_two_misses_breaks_the_row() -> None:
    station = Station(ANNA)
    for _ in range(20):
        station.looks(Look(missed=(ANNA,)), times=MISSES - 1, after_ms=200).fault()
    assert {each.partition(" ")[0] for each in station.news()} == {"ReaderFault"}


def test_looking_for_a_reader_anew_keeps_the_list() -> None:
    station = Station(ANNA)
    station.told += station.roll.begin(station.at_ms)
    assert station.looks(Look(seen=(ANNA,)), times=INVENTORIES).news() == ["Connecting", "LinkUp"]


# --- Whatever happens -----------------------------------------------------------------------------------------

UIDS = st.lists(st.sampled_from([ANNA, BEN]), unique=True).map(tuple)
LOOKS = st.builds(Look, seen=UIDS, missed=UIDS, unclear=st.booleans())
STEPS = st.lists(LOOKS | st.sampled_from([GONE, "the bus fails"]), max_size=60)


@given(STEPS, st.lists(st.integers(1, 400), min_size=60, max_size=60))
def test_signals_tell_a_story_that_makes_sense(steps: list, pauses: list[int]) -> None:
    """No tag comes twice, none goes that has not come, and none is placed before the station is ready."""
    roll = RollCall("pad0")
    told = roll.begin(0)
    at_ms = 0
    for step, pause_ms in zip(steps, pauses, strict=False):
        at_ms += pause_ms
        if isinstance(step, str):
            told += roll.fault(step, at_ms)
        else:
            told += roll.take(step, at_ms, inventory=roll.wants_inventory)
    lying: set[str] = set()
    ready = False
    for signal in told:
        match signal:
            case TagPlaced(uid=uid) | TagFound(uid=uid):
                assert uid not in lying
                assert ready == isinstance(signal, TagPlaced)
                lying.add(uid)
            case TagRemoved(uid=uid):
                lying.remove(uid)
            case LinkUp():
                assert not ready
                ready = True
            case ReaderFault() | Connecting():
                ready = False
            case TagsUnclear():
                pass
    assert lying == {uid.hex().upper() for uid in roll.known}


@pytest.mark.parametrize("seen", [(), (ANNA,), (ANNA, BEN)])
def test_a_station_with_nothing_wrong_is_ready_after_a_few_inventories(seen: tuple[bytes, ...]) -> None:
    roll = RollCall("pad0")
    for _ in range(INVENTORIES):
        assert not roll.is_ready
        roll.take(Look(seen=seen), 0, inventory=True)
    assert roll.is_ready
