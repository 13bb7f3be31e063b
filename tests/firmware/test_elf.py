"""The satellite's firmware, as it is flashed, on an emulated board: what players do with it."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from companion.devices.gpio.lamps import CUES, GAP_MS, LIGHTS
from companion.devices.satellite import wire
from companion.devices.satellite.avr_emulator import Pin, PinChanged
from companion.devices.simulated.tags import Flicker, Ntag, Tag
from companion.simulation.emulated_host import EmulatedHost
from companion.table.effects import Cue, Light, Pattern, Sound
from companion.table.signals import (
    Connecting,
    Held,
    LinkUp,
    Pressed,
    ReaderFault,
    Signal,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)
from tests.firmware.conftest import READY_MS, Start

pytestmark = pytest.mark.slow

UIDS = [f"04{number:012X}" for number in range(1, 20)]
SHORT, LONG = "CAFE0042", "0400112233445566778A"
PLACED_MS, BUTTON_MS = 60, 13
REMOVED_MS = 500
STEP_US = 2_500


def kinds(signals: list[Signal]) -> Counter[str]:
    return Counter(type(signal).__name__ for signal in signals)


def since(host: EmulatedHost, before: int) -> list[Signal]:
    return host.signals[before:]


# --- Shaking hands --------------------------------------------------------------------------------------------


def test_it_says_who_it_is_and_looks_at_all_its_pads(start: Start) -> None:
    host = start(serial=0xC0FFEE)
    host.board.lay(2, UIDS[0])
    host.run(READY_MS)
    welcome = host.welcome
    assert welcome is not None
    assert (welcome.version, welcome.serial, welcome.boot, welcome.pads) == (wire.VERSION, 0xC0FFEE, 0, 5)
    assert welcome.features == wire.READERS | wire.HAS_BUTTONS | wire.LAMPS | wire.BUZZER
    assert kinds(host.signals) == {Connecting.__name__: 5, LinkUp.__name__: 5, TagFound.__name__: 1}
    assert host.lying == {UIDS[0]: "pad2"}


def test_it_counts_its_starts_and_a_serial_number_that_was_never_given_is_0(start: Start) -> None:
    host = start()
    for boot in range(3):
        host.run(READY_MS)
        assert host.welcome is not None
        assert (host.welcome.serial, host.welcome.boot) == (0, boot)
        host.board.reset()
        host.run(600)


# --- Tags -----------------------------------------------------------------------------------------------------


def test_tags_come_and_go_on_five_pads_and_the_host_knows_where_each_one_lies(host: EmulatedHost) -> None:
    chance = Random(5)
    lying: dict[str, int] = {}
    deeds = 0
    for _ in range(48):
        uid = chance.choice(UIDS[:6])
        if uid in lying:
            host.board.lift(lying.pop(uid), uid)
        elif (pad := chance.randrange(5)) not in lying.values():
            host.board.lay(pad, uid)
            lying[uid] = pad
        else:
            continue
        deeds += 1
        host.run(chance.uniform(REMOVED_MS, REMOVED_MS + 60))
        assert host.lying == {uid: f"pad{pad}" for uid, pad in lying.items()}
    told = [signal for signal in host.signals if isinstance(signal, TagPlaced | TagRemoved)]
    assert len(told) == deeds > 30


@pytest.mark.parametrize("pad", range(5))
def test_a_tag_is_told_within_60_ms_with_tags_lying_on_all_other_pads(host: EmulatedHost, pad: int) -> None:
    for other in range(5):
        if other != pad:
            host.board.lay(other, UIDS[other])
    host.run(REMOVED_MS)
    for turn in range(3):
        host.board.run(turn * 7.3)
        laid_ms = host.board.now_ms
        host.board.lay(pad, UIDS[10])
        assert host.run_until(lambda: UIDS[10] in host.lying, 2 * PLACED_MS)
        assert host.events[-1].through_us / 1_000 - laid_ms <= PLACED_MS
        host.board.lift(pad, UIDS[10])
        host.run(REMOVED_MS)


def test_uids_of_four_seven_and_ten_bytes_are_read_whole_also_when_they_lie_on_one_another(host: EmulatedHost) -> None:
    for uid in (SHORT, UIDS[0], LONG):
        host.board.lay(1, uid)
        host.run(400)
    assert host.lying == {SHORT: "pad1", UIDS[0]: "pad1", LONG: "pad1"}
    host.board.lift(1, UIDS[0])
    host.run(REMOVED_MS)
    assert host.lying == {SHORT: "pad1", LONG: "pad1"}


def test_tags_that_are_laid_down_together_are_told_apart(host: EmulatedHost) -> None:
    for uid in UIDS[:3]:
        host.board.lay(4, uid)
    host.run(500)
    assert host.lying == dict.fromkeys(UIDS[:3], "pad4")


def test_more_tags_than_can_be_told_apart_are_unclear_and_nothing_is_made_up(host: EmulatedHost) -> None:
    for uid in UIDS[:9]:
        host.board.lay(0, uid)
    host.run(2_000)
    assert TagsUnclear.__name__ in kinds(host.signals)
    assert set(host.lying) <= set(UIDS[:9])
    for uid in UIDS[:9]:
        host.board.lift(0, uid)
    host.run(3_000)
    assert host.lying == {}


def test_a_tag_that_flickers_is_placed_once_and_not_removed(host: EmulatedHost) -> None:
    host.board.lay_tag(3, Ntag(bytes.fromhex(UIDS[0]), flicker=Flicker(on_ms=60, off_ms=40)))
    host.run(3_000)
    assert kinds(host.signals)[TagPlaced.__name__] == 1
    assert kinds(host.signals)[TagRemoved.__name__] == 0


def test_a_weak_tag_is_placed_once_and_not_removed(host: EmulatedHost) -> None:
    host.board.lay_tag(3, Ntag(bytes.fromhex(UIDS[0]), reliability=0.8))
    host.run(3_000)
    assert kinds(host.signals)[TagPlaced.__name__] == 1
    assert kinds(host.signals)[TagRemoved.__name__] == 0


# --- Buttons --------------------------------------------------------------------------------------------------


def test_bouncing_buttons_of_all_pads_are_told_once_each_and_in_order(host: EmulatedHost) -> None:
    chance = Random(3)
    pressed: list[tuple[str, str]] = []
    for _ in range(60):
        pad, button = chance.randrange(5), chance.choice(wire.BUTTONS)
        host.board.press(pad, button, for_ms=chance.uniform(25, 60))
        pressed.append((f"pad{pad}", button))
        host.run(100)
    told = [(signal.station, signal.button) for signal in host.signals if isinstance(signal, Pressed)]
    assert told == pressed


def test_a_press_is_told_within_13_ms_of_letting_go(host: EmulatedHost) -> None:
    for turn in range(20):
        pad = turn % 5
        host.board.run(turn * 0.37)
        host.board.hold(pad, "green", True)
        host.run(50)
        let_go_ms = host.board.now_ms
        host.board.hold(pad, "green", False)
        host.run(50)
        assert host.events[-1].event.kind == wire.PRESSED
        assert host.events[-1].through_us / 1_000 - let_go_ms <= BUTTON_MS


def test_a_press_is_told_within_13_ms_also_while_a_tag_is_being_laid_on_each_pad(host: EmulatedHost) -> None:
    chance = Random(6)
    for turn in range(20):
        host.board.hold(turn % 5, "red", True)
        host.run(20)
        for pad in range(5):
            host.board.chips[pad].field.lift()
            host.board.lay(pad, UIDS[turn % 2 * 5 + pad])
        host.run(chance.uniform(0, 30))
        host.board.run(chance.random())
        let_go_ms, before = host.board.now_ms, len(host.events)
        host.board.hold(turn % 5, "red", False)
        host.run(40)
        (told,) = [told for told in host.events[before:] if told.event.kind == wire.PRESSED]
        assert told.through_us / 1_000 - let_go_ms <= BUTTON_MS
        host.run(REMOVED_MS)


def test_no_step_takes_longer_than_two_and_a_half_ms_whatever_happens_at_a_time(host: EmulatedHost) -> None:
    """Each step begins with a look at all buttons, one pad after the other: no reader's work looks like that."""
    selects = host.board.wiring.selects
    for pin in selects:
        host.board.emulator.watch(pin)
    host.board.edges()
    fallen: list[tuple[float, int]] = []
    for turn in range(600):
        if turn % 100 == 0:
            for pad in range(5):
                host.board.lay_tag(pad, Tag(bytes([8, pad, turn // 100 % 3] + [1] * 7)))
        if turn % 37 == 0:
            for pad in range(5):
                host.board.press(pad, "green", for_ms=20)
                host.board.press(pad, "red", for_ms=20)
        host.step()
        fallen += [
            (edge.at_us, selects.index(edge.pin))
            for edge in host.board.edges()
            if edge.pin in selects and not edge.level
        ]
    steps_us = [
        at_us
        for index, (at_us, _) in enumerate(fallen)
        if [pad for _, pad in fallen[index : index + 5]] == [0, 1, 2, 3, 4]
    ]
    assert len(steps_us) > 500
    assert max(after - before for before, after in pairwise(steps_us)) <= STEP_US


def test_all_ten_buttons_at_a_time_are_ten_presses(host: EmulatedHost) -> None:
    for pad in range(5):
        for button in wire.BUTTONS:
            host.board.press(pad, button)
    host.run(400)
    told = sorted((signal.station, signal.button) for signal in host.signals if isinstance(signal, Pressed))
    assert told == sorted((f"pad{pad}", button) for pad in range(5) for button in wire.BUTTONS)


def test_a_button_that_is_held_is_told_after_two_seconds_and_no_press_follows(host: EmulatedHost) -> None:
    before = len(host.signals)
    down_ms = host.board.now_ms
    host.board.press(2, "red", for_ms=2_500)
    host.run(3_000)
    (held,) = since(host, before)
    assert isinstance(held, Held)
    assert (held.station, held.button) == ("pad2", "red")
    assert held.at_ms - down_ms == pytest.approx(2_000, abs=30)


def test_a_stuck_button_is_a_fault_of_its_pad_and_the_other_buttons_work(host: EmulatedHost) -> None:
    host.board.hold(1, "green", True)
    host.run(11_000)
    before = len(host.signals)
    assert any(isinstance(signal, ReaderFault) and signal.station == "pad1" for signal in host.signals)
    host.board.press(1, "red")
    host.board.press(0, "green")
    host.run(300)
    told = {(signal.station, signal.button) for signal in since(host, before) if isinstance(signal, Pressed)}
    assert told == {("pad1", "red"), ("pad0", "green")}


def test_buttons_go_on_while_tags_are_read_on_all_pads(host: EmulatedHost) -> None:
    for pad in range(5):
        for number in range(3):
            host.board.lay(pad, UIDS[3 * pad + number])
    for turn in range(20):
        host.board.press(turn % 5, "green", for_ms=40)
        host.run(80)
    assert kinds(host.signals)[Pressed.__name__] == 20
    assert len(host.lying) == 15


# --- Lamps and buzzer -----------------------------------------------------------------------------------------


def lengths(edges: list[PinChanged], pin: Pin) -> list[tuple[bool, float]]:
    """How long the pin was on and off, in milliseconds, without what came before the first edge and after the last."""
    own = [edge for edge in edges if edge.pin == pin]
    return [(one.level, (two.at_us - one.at_us) / 1_000) for one, two in pairwise(own)]


@pytest.mark.parametrize("pattern", ["done", "question", "lost"])
def test_a_lamp_blinks_as_the_table_of_lamps_says(host: EmulatedHost, pattern: Pattern) -> None:
    host.board.edges()
    host.show(Light("pad3", pattern))
    host.run(6_500 if pattern == "done" else 3_000)
    seen = lengths(host.board.edges(), host.board.wiring.lamps[3])
    blink = LIGHTS[pattern]
    assert len(seen) >= 3
    for lit, lasted_ms in seen:
        assert lasted_ms == pytest.approx(blink.on_ms if lit else blink.off_ms, abs=2.5)


def test_a_lamp_is_lit_when_it_is_the_pads_turn_and_dark_when_it_is_off(host: EmulatedHost) -> None:
    host.show(Light("pad1", "turn"))
    host.run(200)
    assert [host.board.lamp(pad) for pad in range(5)] == [False, True, False, False, False]
    host.show(Light("pad1", "off"))
    host.run(200)
    assert not host.board.lamp(1)


@pytest.mark.parametrize("cue", ["accepted", "refused", "turn"])
def test_a_cue_is_heard_and_seen_and_then_the_light_goes_on(host: EmulatedHost, cue: Cue) -> None:
    host.show(Light("pad0", "turn"))
    host.run(300)
    host.board.edges()
    host.show(Sound("pad0", cue))
    host.run(1_500)
    edges, wiring, blink = host.board.edges(), host.board.wiring, CUES[cue]
    heard = [lasted for on, lasted in lengths(edges, wiring.buzzer) if on]
    assert heard == [pytest.approx(blink.on_ms, abs=2.5)] * blink.repeats
    seen = lengths(edges, wiring.lamps[0])
    assert [lasted for on, lasted in seen if on] == [pytest.approx(blink.on_ms, abs=2.5)] * blink.repeats
    assert seen[0] == (False, pytest.approx(GAP_MS, abs=2.5))
    assert host.board.lamp(0)
    assert not host.board.buzzes


# --- The emulator ---------------------------------------------------------------------------------------------


def test_it_makes_no_difference_who_reads_the_registers_of_a_chip_that_stands_still(start: Start) -> None:
    boards = [start(serial=7) for _ in range(2)]
    heard: list[list[tuple[int, int]]] = [[], []]

    def hear_all(pad: int, mosi: int, fresh: int, now_us: float) -> int:
        heard[1].append((pad, mosi))
        return boards[1].board.exchange(pad, mosi, fresh, now_us) & 0xFF

    def hear_some(pad: int, mosi: int, fresh: int, now_us: float) -> int:
        heard[0].append((pad, mosi))
        return boards[0].board.exchange(pad, mosi, fresh, now_us)

    for host, hear in zip(boards, (hear_some, hear_all), strict=True):
        host.board.emulator.connect(list(host.board.wiring.selects), hear)
        host.run(READY_MS)
        host.board.lay(0, UIDS[0])
        host.board.press(1, "green")
        host.run(100)
        host.board.chips[0].faults.stuck = 0x92
        host.board.chips[2].faults.gone = 0xFF
        host.board.lay(3, LONG)
        host.run(200.5)
        host.board.chips[0].faults.clear()
        host.go()
        host.board.lay(4, SHORT)
        host.board.run(300)  # all at once: nothing asks anew after each millisecond
        host.come()
        host.run(200)
    some, every = boards
    assert some.signals == every.signals
    assert {TagPlaced.__name__, Pressed.__name__, ReaderFault.__name__} <= {*kinds(some.signals)}
    assert some.board.edges() == every.board.edges()
    assert some.board.emulator.counts() == every.board.emulator.counts()
    assert some.board.emulator.now_us == every.board.emulator.now_us
    assert every.board.emulator.counts().spi_bytes == len(heard[1]) > 2 * len(heard[0])
