"""Readers of every make: NXP's, copies that keep the data sheet's promises in any way, and odd ones that break a few.

The Pi's driver, the firmware's core and the whole firmware have to live with all of them.
"""

import pytest
from msgspec.structs import replace

from companion.devices.rc522.simulated_chip import BROKEN_PROMISES, COPIES, NXP_1, NXP_2, Chip, Make, Register
from companion.devices.satellite import wire
from companion.devices.satellite.emulated_board import EmulatedBoard
from companion.devices.satellite.firmware_build import FirmwareBuild
from companion.devices.simulated.tags import Ntag
from companion.devices.tag_field import ReaderError
from companion.simulation.emulated_host import EmulatedHost
from companion.table.signals import Remarked, TagRemoved
from companion.troubles import CopyRemark
from tests.campaign.chips import READINGS
from tests.devices.pi import ANNA, Pi
from tests.firmware.conftest import check
from tests.firmware.core import Core

ODD = [replace(COPIES[1], **broken) for broken in BROKEN_PROMISES]
KNOWN = 1_000
"""By then a copy is, whose analogue part begins in its own way: two resets have to agree."""
NAMED = 4_000
"""The same for an odd one: five do."""


def told(make: Make) -> str:
    broken = [f"{register:#04x}" for register in sorted({*make.unreadable, *make.unsteady})]
    return "-".join([f"{make.version:#04x}", make.reserved, *(["tuned"] if make.after_reset else []), *broken])


# --- On the Pi ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", READINGS, ids=told)
def test_the_pi_reads_tags_with_every_make(make: Make) -> None:
    with Pi(Chip(make=make)) as pi:
        reader = pi.open()
        assert (reader.version, reader.odd, reader.remark) == (make.version, (), None)
        pi.lay(ANNA)
        assert reader.look(()).seen == (ANNA,)
        for _ in range(30):
            assert reader.look((ANNA,)).seen == (ANNA,)
        reader.restart()
        assert reader.inventory((ANNA,)).seen == (ANNA,)


@pytest.mark.parametrize("make", ODD, ids=told)
def test_the_pi_names_an_odd_copy_and_reads_tags_with_it(make: Make) -> None:
    with Pi(Chip(make=make)) as pi:
        reader = pi.open()
        assert len(reader.odd) == len(make.unreadable | make.unsteady)
        assert reader.remark is CopyRemark.ODD_COPY
        pi.lay(ANNA)
        assert reader.look(()).seen == (ANNA,)
        reader.restart()
        assert reader.look((ANNA,)).seen == (ANNA,)


def test_a_chip_that_keeps_next_to_nothing_is_broken_and_no_odd_copy() -> None:
    lost = frozenset({Register.T_MODE, Register.T_PRESCALER, Register.T_RELOAD_L})
    with Pi(Chip(make=replace(NXP_2, unreadable=lost))) as pi, pytest.raises(ReaderError, match="keep its settings"):
        pi.open()


# --- On the satellite -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", READINGS, ids=told)
def test_the_core_reads_tags_with_every_make_and_names_copies_once(make: Make) -> None:
    chip = Chip(make=make)
    core = Core(chips=[chip, None, None, None, None])
    core.pings = True
    core.greet()
    core.run(KNOWN)
    assert core.told(0)[-1] == (wire.READY, "")
    chip.field.place(Ntag(ANNA))
    core.run(2_000)
    assert core.told(0)[-1] == (wire.PLACED, ANNA.hex().upper())
    copies = [uid for kind, uid in core.told(0) if kind == wire.COPY]
    assert copies == ([] if make.version in (0x91, 0x92) else [f"{make.version:02X}00"])
    chip.field.lift()
    core.run(1_500)
    assert core.told(0)[-1] == (wire.REMOVED, ANNA.hex().upper())


@pytest.mark.parametrize("make", ODD, ids=told)
def test_the_core_names_an_odd_copy_and_reads_tags_with_it(make: Make) -> None:
    chip = Chip(make=make)
    core = Core(chips=[chip, None, None, None, None])
    core.pings = True
    core.greet()
    core.run(NAMED)
    odd = len(make.unreadable | make.unsteady)
    assert [content for kind, content in core.told(0) if kind == wire.COPY] == [f"{make.version:02X}{odd:02X}"]
    assert core.told(0)[-1] == (wire.READY, "")
    chip.field.place(Ntag(ANNA))
    core.run(300)
    assert core.told(0)[-1] == (wire.PLACED, ANNA.hex().upper())


def test_a_pad_whose_chip_keeps_next_to_nothing_stays_faulty() -> None:
    lost = frozenset({Register.T_MODE, Register.T_PRESCALER, Register.T_RELOAD_L})
    core = Core(chips=[Chip(make=replace(NXP_2, unreadable=lost)), None, None, None, None])
    core.pings = True
    core.greet()
    core.run(NAMED)
    assert core.told(0) == [(wire.FAULT, "03")]


def test_a_copy_that_keeps_its_promises_again_is_looked_after_again() -> None:
    """What looked like an odd copy was a bad contact."""
    chip = Chip(make=replace(NXP_2, unsteady=frozenset({Register.MOD_WIDTH})))
    core = Core(chips=[chip, None, None, None, None])
    core.pings = True
    core.greet()
    core.run(NAMED)
    assert core.told(0)[-1] == (wire.READY, "")
    chip._readers[Register.MOD_WIDTH] = None
    for session in (2, 3):
        core.greet(session=session)
        core.run(KNOWN)
    before = len(core.told(0))
    chip.disturb(Register.MOD_WIDTH, 0x00)
    core.run(200)
    assert (wire.FAULT, "03") in core.told(0)[before:]


@pytest.mark.slow
@pytest.mark.parametrize(
    "makes", [READINGS[n : n + 5] for n in range(0, len(READINGS) - 4, 5)], ids=lambda makes: told(makes[0])
)
def test_the_whole_firmware_reads_tags_with_every_make(built: FirmwareBuild, makes: list[Make]) -> None:
    chips = [Chip(seed=pad, make=make) for pad, make in enumerate(makes)]
    with EmulatedBoard(built, serial=7, chips=chips) as board:
        host = EmulatedHost(board)
        assert host.run_until(lambda: host.ready == set(host.stations), KNOWN)
        for pad in range(5):
            board.lay(pad, f"04A1B2C3D4E5F{pad}")
        host.run(2_000)
        assert len(host.lying) == 5
        assert not any(isinstance(signal, TagRemoved) for signal in host.signals)
        copies = {f"pad{pad}": make.version for pad, make in enumerate(makes) if make.version not in (0x91, 0x92)}
        assert {station: copy.version for station, copy in host.pads.copies.items()} == copies
        check(host)


@pytest.mark.slow
def test_the_whole_firmware_names_odd_copies_once_and_goes_on(built: FirmwareBuild) -> None:
    makes = [*ODD, NXP_1, NXP_2]
    with EmulatedBoard(built, serial=7, chips=[Chip(make=make) for make in makes]) as board:
        host = EmulatedHost(board)
        assert host.run_until(lambda: host.ready == set(host.stations), NAMED)
        host.come()
        host.run(NAMED)
        remarks = [(signal.station, signal.problem) for signal in host.signals if isinstance(signal, Remarked)]
        assert sorted(remarks) == [(f"pad{pad}", CopyRemark.ODD_COPY) for pad in range(len(ODD))]
        for pad in range(5):
            board.lay(pad, f"04A1B2C3D4E5F{pad}")
        host.run(500)
        assert len(host.lying) == 5
        check(host)
