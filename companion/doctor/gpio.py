"""The Pi's own buttons, lamps and buzzer: is there a way to the pins, is every button up, does everything light up?"""

import threading
import time
from collections.abc import Callable, Iterator

from companion.config.checks import at
from companion.config.table import Button, Table
from companion.devices import pins as words
from companion.devices.gpio import ways
from companion.devices.pins import Pins, PinsError, Start, Wiring
from companion.devices.trouble import INSTALL
from companion.doctor.finding import LIMIT_S, Check, Finding, doubtful, well, wrong
from companion.doctor.system import NO_PI, System, is_local, no_permission
from companion.table.signals import SEVERAL

ANSWER_S = 3.0
"""How long a way to the pins may take."""
LIT_S = 0.4
"""How long each lamp is lit, and the buzzer sounds."""
STEADY_US = 10_000

REMEDIES = {
    words.NO_PIGPIO: INSTALL,
    words.NO_DAEMON: "`sudo systemctl enable --now pigpiod`",
    words.SILENT: "`sudo systemctl restart pigpiod`",
    words.REFUSED: "look whether another program has the pin (`pinctrl`), then `sudo systemctl restart pigpiod`",
    words.NO_GPIOZERO: INSTALL,
    words.NO_PINS: "gpiozero needs /dev/gpiochip0: bring the Pi's system up to date",
    words.BUSY: "end the other program; `gpioinfo` names it",
    words.UNUSABLE: "look at the kernel's messages (dmesg), and choose another pin in table.toml",
    words.NO_PIPE: "start the program in a folder that you may write in",
}
"""What a person can do about each problem."""


def pin_checks(table: Table, system: System, lit_s: float = LIT_S) -> Iterator[Check]:
    """Nothing, where nothing hangs on the pins."""
    if not (table.buttons or table.lamps or table.buzzer):
        return
    if table.gpio.backend != "gpiozero":
        yield Check("pigpiod", lambda: _network(table, system))
    outputs = _outputs(table)
    yield Check("pins", lambda: _visit(table, outputs, system, lit_s), LIMIT_S + lit_s * len(outputs))


def _outputs(table: Table) -> dict[int, str]:
    """Pin → what hangs there."""
    lamps = {lamp.pin: f"lamp of {at(lamp.station)}" for lamp in table.lamps}
    return lamps | ({table.buzzer.pin: "buzzer"} if table.buzzer else {})


# --- Who else can reach the pins ------------------------------------------------------------------------------


def _network(table: Table, system: System) -> Iterator[Finding]:
    """pigpiod knows no passwords: whoever reaches it moves the pins."""
    if not _is_here(table):
        advice = 'have it run on this computer with `-l`, and write host = "127.0.0.1"'
        yield doubtful("pigpiod", f"the pins are those of {table.gpio.host}, and its daemon knows no passwords", advice)
        return
    open_to = [address for address in system.listening(table.gpio.port) if not is_local(address)]
    if open_to:
        advice = "start it with `-l`: `sudo systemctl edit pigpiod`, with ExecStart=/usr/bin/pigpiod -l"
        yield wrong("pigpiod", f"it listens to the whole network ({open_to[0]}) and knows no passwords", advice)


def _is_here(table: Table) -> bool:
    return table.gpio.host in ("127.0.0.1", "localhost", "::1")


# --- The pins themselves --------------------------------------------------------------------------------------


def _visit(table: Table, outputs: dict[int, str], system: System, lit_s: float) -> Iterator[Finding]:
    """The first way that works is the one that the table takes, too."""
    possible = _possible(table, system)
    if not possible:
        yield wrong("pins", "pigpiod cannot run on a Pi 5", 'write backend = "gpiozero" under [gpio] in table.toml')
        return
    wiring = Wiring(tuple(button.pin for button in table.buttons), tuple(outputs), STEADY_US)
    problems: list[str] = []
    for name, way in possible.items():
        pins = way()
        try:
            start = _open(pins, wiring)
            yield well("pins", f"reached through {name}")
            yield from (_button(button, start) for button in table.buttons)
            yield from (_light(pins, pin, what, lit_s) for pin, what in outputs.items())
            return
        except PinsError as error:
            problems.append(str(error))
        finally:
            pins.close()
    yield _unreachable(problems, table, system)


def _possible(table: Table, system: System) -> dict[str, Callable[[], Pins]]:
    possible = ways(table.gpio.backend, table.gpio.host, table.gpio.port)
    if system.is_pi_5 and _is_here(table):
        possible.pop("pigpiod", None)
    return possible


def _unreachable(problems: list[str], table: Table, system: System) -> Finding:
    if _is_here(table) and not system.is_pi:
        return wrong("pins", SEVERAL.join(problems), NO_PI)
    denied = no_permission("pins", system, *system.matching("/dev", "gpiochip*"))
    if denied and words.NO_PINS in problems:
        return denied
    advice = dict.fromkeys(REMEDIES[problem] for problem in problems)
    return wrong("pins", SEVERAL.join(problems), f"{SEVERAL}or ".join(advice))


def _open(pins: Pins, wiring: Wiring) -> Start:
    """A daemon that hangs is hung up on."""
    alarm = threading.Timer(ANSWER_S, pins.abort)
    alarm.start()
    try:
        return pins.open(wiring, lambda pin, level, at_us: None, lambda: None)
    finally:
        alarm.cancel()


def _button(button: Button, start: Start) -> Finding:
    subject = f"{button.colour} button of {at(button.station)}"
    if start.levels[button.pin]:
        return well(subject, f"GPIO{button.pin} is up, as it should be while nobody presses")
    advice = "let go of it; else its wires touch, or it is wired to the wrong two of its four legs"
    return wrong(subject, f"GPIO{button.pin} says that it is being pressed", advice)


def _light(pins: Pins, pin: int, what: str, lit_s: float) -> Finding:
    """Nobody but a person can say whether it is seen or heard."""
    pins.write(pin, 1)
    time.sleep(lit_s)
    pins.write(pin, 0)
    return well(
        what, f"GPIO{pin} was on for {lit_s:g} s; if you noticed nothing, look at its wires and which way round it is"
    )
