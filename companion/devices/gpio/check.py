"""The Pi's own buttons, lamps and buzzer: is there a way to the pins, is every button up, does everything light up?"""

import threading
import time
from collections.abc import Callable, Iterator

from companion.devices.computer import NO_PI, System, is_local, no_permission
from companion.devices.finding import LIMIT_S, Check, Finding
from companion.devices.gpio.driver import ways, worth_telling
from companion.devices.gpio.gpiod_pins import CONSUMER, users
from companion.devices.gpio.pins import Pins, PinsError, PinsOpened, PinWiring
from companion.devices.gpio.settings import ButtonSettings, PinTable
from companion.stations import at
from companion.troubles import SEVERAL, PinsTrouble

ANSWER_S = 3.0
"""How long a way to the pins may take."""
LIT_S = 0.4
"""How long each lamp is lit, and the buzzer sounds."""
STEADY_US = 10_000


def pin_checks(table: PinTable, system: System, lit_s: float = LIT_S) -> Iterator[Check]:
    """None where nothing is wired to the pins."""
    if not (table.buttons or table.lamps or table.buzzer):
        return
    if table.gpio.backend != "gpiod":
        yield Check("pigpiod", lambda: _network(table, system))
    outputs = _outputs(table)
    yield Check("pins", lambda: _visit(table, outputs, system, lit_s), LIMIT_S + lit_s * len(outputs))


def _outputs(table: PinTable) -> dict[int, str]:
    """Pin → what is wired to it."""
    lamps = {lamp.pin: f"lamp of {at(lamp.station)}" for lamp in table.lamps}
    return lamps | ({table.buzzer.pin: "buzzer"} if table.buzzer else {})


# --- Access from the network ----------------------------------------------------------------------------------


def _network(table: PinTable, system: System) -> Iterator[Finding]:
    """pigpiod knows no passwords: any program that reaches it moves the pins."""
    if not _is_here(table):
        advice = 'have it run on this computer with `-l`, and write host = "127.0.0.1"'
        yield Finding.check(
            "pigpiod", f"the pins are those of {table.gpio.host}, and its daemon knows no passwords", advice
        )
        return
    open_to = [address for address in system.listening(table.gpio.port) if not is_local(address)]
    if open_to:
        advice = "start it with `-l`: `sudo systemctl edit pigpiod`, with ExecStart=/usr/bin/pigpiod -l"
        yield Finding.problem(
            "pigpiod", f"it listens to the whole network ({open_to[0]}) and knows no passwords", advice
        )


def _is_here(table: PinTable) -> bool:
    return table.gpio.host in ("127.0.0.1", "localhost", "::1")


# --- The pins themselves --------------------------------------------------------------------------------------


def _visit(table: PinTable, outputs: dict[int, str], system: System, lit_s: float) -> Iterator[Finding]:
    """The first way that works is the one that the table takes, too."""
    possible = _possible(table, system)
    if not possible:
        yield Finding.problem(
            "pins", "pigpiod cannot run on a Pi 5", 'write backend = "gpiod" under [gpio] in table.toml'
        )
        return
    wiring = PinWiring(tuple(button.pin for button in table.buttons), tuple(outputs), STEADY_US)
    problems: list[PinsTrouble] = []
    for name, way in possible.items():
        pins = way()
        try:
            start = _open(pins, wiring)
            yield Finding.ok("pins", f"reached through {name}")
            yield from (button_finding(button, start.levels[button.pin]) for button in table.buttons)
            yield from (_light(pins, pin, what, lit_s) for pin, what in outputs.items())
            return
        except PinsError as error:
            problems += error.problems
        finally:
            pins.close()
    yield _unreachable(worth_telling(problems), table, system)


def _possible(table: PinTable, system: System) -> dict[str, Callable[[], Pins]]:
    possible = ways(table.gpio.backend, table.gpio.host, table.gpio.port)
    if system.is_pi_5 and _is_here(table):
        possible.pop("pigpiod", None)
    return possible


def _unreachable(problems: list[PinsTrouble], table: PinTable, system: System) -> Finding:
    if PinsTrouble.BUSY in problems and _are_ours(table):
        advice = "`sudo systemctl stop companion@$USER`, run the doctor again, then `start` it"
        return Finding.check("pins", "not tested: Companion's start screen is using them", advice)
    if _is_here(table) and not system.is_pi:
        return Finding.problem("pins", SEVERAL.join(problems), NO_PI)
    denied = no_permission("pins", system, *system.matching("/dev", "gpiochip*"))
    if denied and PinsTrouble.FORBIDDEN in problems:
        return denied
    remedies = dict.fromkeys(problem.remedy for problem in problems)
    return Finding.problem("pins", SEVERAL.join(problems), f"{SEVERAL}or ".join(remedies))


def _are_ours(table: PinTable) -> bool:
    """The start screen listens to the buttons, too."""
    try:
        return CONSUMER in users(button.pin for button in table.buttons)
    except PinsError:
        return False


def _open(pins: Pins, wiring: PinWiring) -> PinsOpened:
    """We disconnect from a daemon that hangs."""
    alarm = threading.Timer(ANSWER_S, pins.abort)
    alarm.start()
    try:
        return pins.open(wiring, lambda pin, level, at_us: None, lambda: None)
    finally:
        alarm.cancel()


def button_finding(button: ButtonSettings, level: int) -> Finding:
    """What the level of its pin says of a button."""
    subject = f"{button.colour} button of {at(button.station)}"
    if level:
        return Finding.ok(subject, f"GPIO{button.pin} is high, as it should be while the button is not pressed")
    advice = "let go of it; else its wires touch, or it is wired to the wrong two of its four legs"
    return Finding.problem(subject, f"GPIO{button.pin} reads as pressed", advice)


def _light(pins: Pins, pin: int, what: str, lit_s: float) -> Finding:
    """Only a person can say whether it is seen or heard."""
    pins.write(pin, 1)
    time.sleep(lit_s)
    pins.write(pin, 0)
    return Finding.ok(
        what, f"GPIO{pin} was on for {lit_s:g} s; if you noticed nothing, check its wires and its polarity"
    )
