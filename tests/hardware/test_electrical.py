"""Every electrical proof holds over its corners, and notices when what it proves is taken away."""

import os
from pathlib import Path

import pytest

from hardware.circuits.catalogue import REGULATOR
from hardware.proofs import answers, lines, loads, matrix, models, presses, rest, spice, supply
from hardware.proofs.__main__ import PAGE
from hardware.proofs.every import PROOFS, Kit
from hardware.proofs.spice import WorstCase, crossings, ohms, settled
from tests.firmware.tools import need
from tests.hardware.planted import another, without


@pytest.fixture(autouse=True)
def _ngspice() -> None:
    need("ngspice", "ngspice")


def broken(findings: list[WorstCase]) -> list[str]:
    return [str(finding) for finding in findings if not finding.holds]


def shown() -> dict[str, float]:
    """What → its worst value, as the page has it."""
    table = [line.split("|") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]
    return {what.strip(): float(worst.split()[0]) for _, what, worst, *_ in table}


@pytest.mark.parametrize("name", PROOFS)
def test_it_holds_in_every_corner_and_the_page_says_so(name: str, kit: Kit) -> None:
    findings = PROOFS[name](kit)
    assert findings
    assert broken(findings) == []
    page = shown()
    assert {what for what in page if what.startswith(f"{name}: ")} == {f"{name}: {each.what}" for each in findings}
    for finding in findings:
        assert page[f"{name}: {finding.what}"] == pytest.approx(finding.worst, rel=0.05, abs=0.02)


# --- A planted fault each ---------------------------------------------------------------------------------------


def test_without_its_resistor_the_clock_is_beyond_the_readers_limits(kit: Kit) -> None:
    """What the pages had before: 4 MHz, and no resistor."""
    wrong = broken(lines.line(without(kit.satellite, "R2"), "SCK", "SCK_3V3", "P0_SCK", 4000))
    assert any("lowest at a reader" in line for line in wrong)
    assert any("highest at a reader" in line for line in wrong)


def test_without_a_resistor_the_jumper_wires_of_kit_one_ring_and_the_page_says_how_far(kit: Kit) -> None:
    """As every guide wires it. It still counts one edge a clock."""
    bare = {finding.what: finding for finding in lines.kit_one(0)}
    assert not bare["kit one, SCK and MOSI, highest at a reader"].holds
    assert bare["kit one, SCK and MOSI, edges in a period"].holds
    low, high = (bare[f"kit one, SCK and MOSI, {end} at a reader"].worst for end in ("lowest", "highest"))
    page = " ".join((PAGE.parents[1] / "kit-one.md").read_text(encoding="utf-8").split())
    assert f"{high:.1f} V and {low:.1f} V".replace("-", "−") in page


def test_at_4_mhz_an_answer_over_a_metre_comes_too_late(kit: Kit) -> None:
    wrong = broken(answers.proof(kit.pad, kit.satellite, 4000, 20e-9))
    assert any("from the falling clock" in line for line in wrong)


def test_with_an_ams1117_the_readers_starve(kit: Kit) -> None:
    """Behind the Nano's diode, as the pages had it."""
    other = REGULATOR._replace(value="AMS1117-3.3", number="AMS1117-3.3")
    usb = supply.USB._replace(volts=(4.75, 5.25))
    before = supply.of(another(kit.satellite, "U3", other), "five pads", 5, usb)
    now = supply.of(kit.satellite, "five pads", 5, usb)
    assert any("3.3 V at a reader" in line for line in broken(before))
    assert not any("3.3 V at a reader" in line for line in broken(now))


def test_more_than_one_pad_on_the_usb_port_alone_is_too_much_for_the_nano(kit: Kit) -> None:
    assert broken(supply.of(kit.satellite, "five pads", 5, supply.USB))


@pytest.mark.parametrize("network", ["RN1", "RN2"])
def test_without_a_network_the_inputs_of_the_shifter_float(kit: Kit, network: str) -> None:
    assert broken(rest.floating(without(kit.satellite, network)))


def test_without_its_network_a_select_is_not_held_at_the_readers(kit: Kit) -> None:
    assert broken(rest.unselected(kit.satellite)) == []
    assert broken(rest.unselected(without(kit.satellite, "RN1")))


def test_without_its_pull_up_a_line_is_not_read_right(kit: Kit) -> None:
    assert ohms(without(kit.satellite, "R26"), "3V3", "GREEN_3V3") < 1
    assert broken(matrix.levels(matrix.Kits(without(kit.satellite, "R26"), kit.pad), volts=(3.3,)))


def test_without_the_resistor_beside_its_diode_a_press_lifts_the_select_of_its_own_reader(kit: Kit) -> None:
    """As the pads were before: 2.9 V for one button, 3.4 V for two. A reader takes that for the end of a transfer."""
    bare = without(without(kit.pad, "R2"), "R3")
    for buttons in (1, 2):
        (lifted,) = [
            each for each in presses.proof(kit.satellite, bare, [("press", buttons)]) if "go down" in each.what
        ]
        assert lifted.worst > models.READER_HIGH * 3.3
        assert not lifted.holds


def test_with_any_charger_five_pads_are_one_too_many_for_the_nano(kit: Kit) -> None:
    wrong = broken(supply.of(kit.satellite, "five pads", 5, supply.CHARGER))
    assert any("5 V at the Nano" in line for line in wrong)


def test_the_fuse_is_in_the_way_of_every_ampere_from_the_socket(kit: Kit) -> None:
    """Without it the Nano has more volts, and nothing ends a short."""
    assert supply.fused(kit.satellite)
    assert not supply.fused(without(kit.satellite, "F1"))
    least = {
        name: next(each for each in supply.of(board, "", 5, supply.SUPPLY) if "5 V at the Nano" in each.what).worst
        for name, board in (("with", kit.satellite), ("without", without(kit.satellite, "F1")))
    }
    assert least["without"] - least["with"] > 0.1


def test_a_circuit_that_ngspice_cannot_finish_is_an_error_and_no_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A simulator that never ends, in the place of ngspice."""
    endless = tmp_path / "ngspice"
    endless.write_text("#!/bin/sh\nexec sleep 600\n", encoding="utf-8")
    endless.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(spice, "SECONDS", 0.2)
    with pytest.raises(RuntimeError, match="did not finish within"):
        spice.operating_point(["r1 a 0 1", "v1 a 0 1", "* never simulated elsewhere"], "v(a)")


def test_without_its_diode_the_buzzer_kicks_the_transistor(kit: Kit) -> None:
    assert any("kick" in line for line in broken(loads.buzzer(without(kit.satellite, "D2"))))


def test_without_its_resistor_a_lamp_takes_too_much(kit: Kit) -> None:
    assert broken(loads.lamp(without(kit.satellite, "R5"), "lamp", ("LAMP0", "P0_LAMP"), (4.4, 5.25), 20))


def test_with_a_weaker_pull_up_a_button_of_kit_one_is_not_read_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "PI_PULL_UP", (500e3, 650e3))
    assert any("that is released" in line for line in broken(rest.pi_buttons()))


def test_a_supply_that_gives_less_than_all_of_it_takes_is_noticed(kit: Kit) -> None:
    wrong = broken(supply.of(kit.satellite, "five pads", 5, supply.SUPPLY._replace(ampere=0.5)))
    assert any("what all of it takes" in line for line in wrong)


# --- How waves are read -----------------------------------------------------------------------------------------


def test_a_wave_that_rings_back_through_the_thresholds_is_counted_as_another_edge() -> None:
    assert crossings([0, 3.3, 0.5, 3.3], 1, 2.3) == 3
    assert crossings([0, 1.5, 1.2, 1.6, 3.3], 1, 2.3) == 1


def test_a_wave_has_settled_when_it_does_not_come_back() -> None:
    assert settled([0, 1, 2, 3, 4], [0, 3, 1, 3, 3], 2, rising=True) == 3
    assert settled([0, 1], [0, 1], 2, rising=True) == float("inf")
