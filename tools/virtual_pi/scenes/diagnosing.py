"""`companion doctor` on a table that is well, and on one fault after the other."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from tools.virtual_pi.bench import PINS
from tools.virtual_pi.machine import USER, Start
from tools.virtual_pi.scenes.installing import INSTALLED
from tools.virtual_pi.stage import Stage

Findings = dict[str, tuple[str, str]]
Spoil = Callable[[Stage], AbstractContextManager[tuple[str, ...]]]
"""Something goes wrong for a while: what the doctor has to say of which subject."""
SPI_ON, CONFIG = "dtparam=spi=on", "/boot/firmware/config.txt"
CENTRE, GREEN = "reader of the centre", "green button of the centre"


def doctor(stage: Stage) -> None:
    """All well first; then SPI off, wrong groups, a reader without contact, a shorted pin, a missing satellite."""
    with stage.on(Start(kept=INSTALLED)):
        stage.guest.must("companion config --kit one --force", USER)
        verdict, words = _well(stage)["pins"]
        assert (verdict, "Companion's start screen is using them" in words) == ("check", True), words
        stage.saw(f"While the start screen is on the panel: “pins: {words}”")
        stage.guest.must(f"systemctl stop companion@{USER}")
        found = _well(stage)
        assert "an RC522, version 2.0, answers" in found[CENTRE][1], found
        assert found["pins"] == ("ok", "reached through gpiod"), found
        ok = sum(verdict == "ok" for verdict, _ in found.values())
        stage.saw(f"All well, {ok} times ok: through a real /dev/spidev0.0 and a real /dev/gpiochip0.", line="R2")
        for name, spoil in FAULTS.items():
            with spoil(stage) as (subject, *wanted):
                found = stage.doctor()
                verdict, words = found.get(subject, ("", "nothing"))
                assert verdict == "problem", f"{name}: {found}"
                assert all(word in words for word in wanted), f"{name}: {subject}: {words}"
                line = "R3" if subject == CENTRE and "chip" in words else ""
                stage.saw(f"{name}: “{subject}: {words}”", "", line, f"{name}: named, with what to do.")
        _well(stage)
        _satellite(stage)


def _well(stage: Stage) -> Findings:
    found = stage.doctor()
    assert not [each for each in found.items() if each[1][0] == "problem"], found
    return found


@contextmanager
def _spi_off(stage: Stage) -> Iterator[tuple[str, ...]]:
    stage.guest.must(f"sed -i 's/^{SPI_ON}/#&/' {CONFIG}; dtparam spi=off")
    yield CENTRE, "there is no /dev/spidev0.0: SPI bus 0 is switched off", "switch SPI on: `make install` does"
    stage.guest.must(f"sed -i 's/^#{SPI_ON}/{SPI_ON}/' {CONFIG}; dtparam spi=on")


@contextmanager
def _not_started_again(stage: Stage) -> Iterator[tuple[str, ...]]:
    stage.guest.must("dtparam spi=off")
    yield CENTRE, f"SPI bus 0 is switched on in {CONFIG}, but not yet here", "start the Pi again"
    stage.guest.must("dtparam spi=on")


def _not_in(group: str, subject: str, file: str) -> Spoil:
    @contextmanager
    def spoil(stage: Stage) -> Iterator[tuple[str, ...]]:
        stage.guest.must(f"gpasswd -d {USER} {group}")
        yield subject, f"no permission on {file}", f"sudo usermod -aG {group} $USER"
        stage.guest.must(f"gpasswd -a {USER} {group}")

    return spoil


def _without_contact(level: int) -> Spoil:
    @contextmanager
    def spoil(stage: Stage) -> Iterator[tuple[str, ...]]:
        stage.bench.chip.faults.gone = level
        yield CENTRE, f"0x{level:02X}"
        stage.bench.chip.faults.clear()

    return spoil


@contextmanager
def _shorted(stage: Stage) -> Iterator[tuple[str, ...]]:
    stage.bench.hold(PINS["green"])
    yield GREEN, "GPIO5 reads as pressed", "let go of it; else its wires touch"
    stage.bench.let_go(PINS["green"])


FAULTS: dict[str, Spoil] = {
    "SPI off": _spi_off,
    "SPI on, and not started again since": _not_started_again,
    "Not in the group spi": _not_in("spi", CENTRE, "/dev/spidev0.0"),
    "Not in the group gpio": _not_in("gpio", "pins", "/dev/gpiochip0"),
    "The reader without power": _without_contact(0x00),
    "The reader's MISO without contact": _without_contact(0xFF),
    "A pin connected to ground": _shorted,
}


def _satellite(stage: Stage) -> None:
    """Wired in table.toml and not plugged in; then plugged in."""
    stage.guest.must("companion config --kit full --force", USER)
    verdict, words = stage.doctor()["satellite"]
    assert verdict == "problem", words
    stage.saw(f"A satellite that is missing: “satellite: {words}”")
    stage.bench.plug_satellite(stage.guest, 1)
    stage.guest.awaits("ls /dev/companion/*")
    verdict, words = stage.doctor()["satellite"]
    assert verdict != "problem", words
    assert "answers" in words, words
    named = stage.guest.must("ls /dev/companion").strip()
    stage.saw(f"Plugged in: “satellite: {words}”, as /dev/companion/{named}.")
    stage.bench.unplug_satellite(stage.guest)
