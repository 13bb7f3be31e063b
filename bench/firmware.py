"""The satellite's firmware, as it is flashed, on an emulated board: how soon it tells what hands do, and what a bad
wire costs. All times are emulated, so they are the same on every machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import NamedTuple

from bench.figures import WHOLE, Effort, Figure
from companion.devices.satellite import wire
from companion.devices.satellite.avr_emulator import EmulatorError
from companion.devices.satellite.emulated_board import EmulatedBoard
from companion.devices.satellite.firmware_build import FirmwareBuild, build
from companion.devices.satellite.simulated_board import Weather
from companion.simulation.emulated_host import EmulatedHost

PLACED_MS, BUTTON_MS = 60, 13
PLACEMENTS, PRESSES, EVENTS = 50, 200, 10_000
FLIPPED = 0.01
STEADY_MS = 20
"""Longer than the debouncing takes."""
TELLING_MS = 30
"""This long after they were laid, tags are being read and told."""
GONE_MS = 400
"""After this long it has been told that tags have gone."""
AHEAD = 4
"""How many presses may be under way before hands wait for the host."""


def figures(effort: Effort = WHOLE) -> Iterator[Figure]:
    try:
        built = build()
    except EmulatorError as problem:
        print(f"skipped: {problem}")
        return
    yield placed(built, effort.of(PLACEMENTS))
    yield pressed(built, effort.of(PRESSES))
    yield arrived(built, effort.of(EVENTS))


class Around(NamedTuple):
    """What is on the pads when a tag is laid on one of them."""

    own: int
    others: int
    hung: bool = False
    """The reader beside it hangs."""


SITUATIONS = {
    "all empty": Around(0, 0),
    "a tag on each other one": Around(0, 1),
    "three tags on each other one": Around(0, 3),
    "two on the same pad": Around(2, 1),
    "one reader hangs": Around(0, 1, hung=True),
}


def placed(built: FirmwareBuild, placements: int) -> Figure:
    """Laid at any moment of a round."""
    worst = {name: _slowest_placement(built, around, placements) for name, around in SITUATIONS.items()}
    detail = ", ".join(f"{name} {ms:.1f}" for name, ms in worst.items())
    return Figure(
        "ms from a tag laid on one of five polled readers to its event on the wire, at worst",
        max(worst.values()),
        PLACED_MS,
        False,
        f"{detail}; {placements} placements each, 5 ms of it the tag takes to wake up",
    )


def _slowest_placement(built: FirmwareBuild, around: Around, placements: int) -> float:
    chance = Random(1)
    slowest_ms = 0.0
    with ready(built) as host:
        for turn in range(placements):
            pad, beside = turn % 5, host.board.chips[(turn + 1) % 5]
            beside.faults.hung = around.hung
            for other in range(5):
                for tag in range(around.own if other == pad else around.others):
                    host.board.lay(other, _uid(3 * other + tag))
            host.run(300 + chance.uniform(0, 50))
            laid_us, known = host.board.emulator.now_us, len(host.events)
            host.board.lay(pad, _uid(99))
            host.run(2 * PLACED_MS)
            told = [told for told in host.events[known:] if told.event.uid == _uid(99)]
            slowest_ms = max(slowest_ms, (told[0].through_us - laid_us) / 1_000 if told else 2.0 * PLACED_MS)
            beside.faults.hung = False
            for chip in host.board.chips:
                chip.field.lift()
            host.run(500)
    return slowest_ms


def pressed(built: FirmwareBuild, presses: int) -> Figure:
    """Let go at any moment: while tags lie on all pads, and while one is being laid on each of them."""
    worst = {"three tags lie on each of five pads": _slowest_press(built, presses, 3, laid=False)}
    worst["one is being laid on each of them"] = _slowest_press(built, presses, 1, laid=True)
    detail = ", ".join(f"{name} {ms:.1f}" for name, ms in worst.items())
    return Figure(
        "ms from a button's edge to its event on the wire, at worst",
        max(worst.values()),
        BUTTON_MS,
        False,
        f"{detail}; {presses} presses each, 10 ms of it are debouncing",
    )


def _slowest_press(built: FirmwareBuild, presses: int, tags: int, *, laid: bool) -> float:
    chance = Random(2)
    slowest_ms = 0.0
    with ready(built) as host:
        for turn in range(presses):
            pad, button = turn % 5, wire.BUTTONS[turn // 5 % 2]
            host.board.hold(pad, button, True)
            host.run(STEADY_MS + chance.random())
            if laid or turn == 0:
                _lay_anew(host, tags, turn)
            host.run(chance.uniform(0, TELLING_MS) if laid else TELLING_MS)
            host.board.run(chance.random())  # hands know nothing of the host's milliseconds
            let_go_us, known = host.board.emulator.now_us, len(host.events)
            host.board.hold(pad, button, False)
            host.run(2 * STEADY_MS)
            told = [told for told in host.events[known:] if told.event.kind == wire.PRESSED]
            slowest_ms = max(slowest_ms, (told[0].through_us - let_go_us) / 1_000 if told else 2.0 * STEADY_MS)
            host.run(GONE_MS if laid else 0)
    return slowest_ms


def _lay_anew(host: EmulatedHost, tags: int, turn: int) -> None:
    """Other tags on each pad than those before."""
    for pad, chip in enumerate(host.board.chips):
        chip.field.lift()
        for tag in range(tags):
            host.board.lay(pad, _uid((turn % 2 * 5 + pad) * tags + tag))


def arrived(built: FirmwareBuild, count: int) -> Figure:
    """Presses as quickly as the wire takes them, with some bits of what both sides say flipped."""
    chance = Random(3)
    buttons: list[tuple[int, int]] = []
    with ready(built) as host:
        host.weather = Weather(flipped=FLIPPED)
        begun, began_ms = len(host.events), host.board.now_ms
        while len(buttons) < count:
            pad, button = chance.randrange(5), chance.randrange(2)
            host.board.press(pad, wire.BUTTONS[button], for_ms=STEADY_MS, bounce_ms=0)
            buttons.append((pad, button))
            host.run(STEADY_MS + STEADY_MS)
            host.run_until(lambda: len(buttons) - (len(host.events) - begun) < AHEAD, 10_000)
        host.run(1_000)
        events = [told.event for told in host.events[begun:]]
        seconds = (host.board.now_ms - began_ms) / 1_000
        bad = host.session.bad + host.session.status.bad if host.session else 0
    came = [(event.pad, event.content[0]) for event in events if event.kind == wire.PRESSED]
    return Figure(
        f"{count:,} events that arrive once each and in order, 1 % of the bytes flipped: part of them",
        sum(one == other for one, other in zip(came, buttons, strict=False)) / max(len(came), count),
        1,
        True,
        f"{len(came):,} came, {len(events) - len(came)} others, in {seconds:.0f} s; {bad:,} frames were not readable",
    )


@contextmanager
def ready(built: FirmwareBuild) -> Iterator[EmulatedHost]:
    with EmulatedBoard(built) as board:
        host = EmulatedHost(board)
        host.run(400)
        yield host


def _uid(number: int) -> str:
    return f"04{number + 1:012X}"
