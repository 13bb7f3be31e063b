"""Kinds of readers are found by their entry points, those of strangers too; one that is broken disturbs no other."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import import_trials
from companion.config import TableSettings, parse_table
from companion.config.sample import table_text
from companion.devices import reader_kinds
from companion.devices.computer import System
from companion.devices.finding import findings
from companion.devices.pn532.settings import Pn532Settings
from companion.devices.reader_contract import ReaderContract
from companion.devices.reader_kinds import UnusableKind
from companion.devices.reader_settings import FieldOpener, ReaderSettings
from companion.devices.tag_field import Look, ReaderError
from companion.errors import ConfigError
from companion.processes.table_devices import equipment
from companion.troubles import ReaderTrouble
from tests.devices.usb_computer import CH340, UsbComputer
from tests.strangers import ZAPAROO, announce_reader
from tests.verbs.command import Command

Install = Callable[[str, str], None]
BROKEN = '[[reader]]\nkind = "stranger"\nstation = "pad0"\nport = "/dev/a"\n[[reader]]\nkind = "pn532"\n'


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """A stranger's package with one module, found as if pip had installed it."""
    site = tmp_path / "site"
    site.mkdir()

    def installed(kind: str, source: str) -> None:
        announce_reader(site, kind, f"{kind}_module:KIND")
        (site / f"{kind}_module.py").write_text(source)
        reader_kinds.look_again()

    monkeypatch.syspath_prepend(str(site))
    yield installed
    monkeypatch.undo()
    reader_kinds.look_again()
    for name in [name for name in sys.modules if name.endswith("_module") or name.startswith("zaparoo_reader")]:
        del sys.modules[name]


@pytest.fixture
def zaparoo(tmp_path: Path, install: Install, monkeypatch: pytest.MonkeyPatch) -> type[ReaderSettings]:
    announce_reader(tmp_path / "site", "zaparoo", "zaparoo_reader:ZaparooSettings")
    monkeypatch.syspath_prepend(str(ZAPAROO))
    reader_kinds.look_again()
    kind = reader_kinds.find("zaparoo")
    assert isinstance(kind, type)
    return kind


def test_ours_are_found_and_can_be_used() -> None:
    assert {"pcsc", "pn532", "rc522"} <= set(reader_kinds.names())
    assert {"pcsc", "pn532", "rc522"} <= {kind.kind for kind in reader_kinds.usable()}
    assert reader_kinds.find("nfc") is None


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import nothing_of_this_name", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit('bye')", "SystemExit: bye"),
        ("KIND = {}", "is not a subclass of ReaderSettings with the kind 'stranger'"),
        ("from companion.devices.pn532.settings import Pn532Settings as KIND", "is not a subclass of ReaderSettings"),
    ],
)
def test_a_package_that_is_broken_is_named_with_the_reason_and_disturbs_no_other(
    install: Install, source: str, reason: str
) -> None:
    install("stranger", source)
    (broken,) = reader_kinds.unusable()
    assert (broken.package, broken.name) == ("companion-stranger", "stranger")
    assert reason in broken.reason
    assert {"pcsc", "pn532", "rc522"} <= {kind.kind for kind in reader_kinds.usable()}
    (finding,) = findings([reader_kinds.kinds_check()])
    assert (finding.subject, finding.verdict) == ("reader kind stranger", "check")
    assert "companion-stranger: stranger_module:KIND" in finding.words
    assert "pip uninstall companion-stranger" in finding.advice


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import os; os._exit(7)", "cannot be imported (it ends the process with status 7)"),
        ("raise KeyboardInterrupt", "cannot be imported (KeyboardInterrupt)"),
        ("class Rude(BaseException): pass\nraise Rude('no')", "cannot be imported (Rude: no)"),
        ("import os; os.kill(os.getpid(), 11)", "cannot be imported (it ends the process by SIGSEGV)"),
        ("while True: pass", "is not imported within 6 seconds, in stranger_module.py, line 1"),
    ],
)
def test_whatever_a_stranger_does_on_import_no_start_screen_ends_or_waits_for_ever(
    install: Install, source: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_trials, "LIMIT_S", 6.0)
    install("stranger", source)
    computer = UsbComputer(tmp_path / "root")
    computer.plug("ttyUSB0", CH340)
    found = reader_kinds.detected(computer.root)
    assert found is not None
    assert found.settings == Pn532Settings()
    (broken,) = reader_kinds.unusable()
    assert reason in broken.reason
    (finding,) = findings([reader_kinds.kinds_check()])
    assert finding.words == f"companion-stranger: {broken.reason}"


def test_a_name_of_ours_cannot_be_taken(install: Install) -> None:
    install("rc522", "raise AssertionError('never imported')")
    assert isinstance(reader_kinds.find("rc522"), type)
    (broken,) = reader_kinds.unusable()
    assert broken == UnusableKind("companion-rc522", "rc522", "the kind 'rc522' is taken by companion-table")


def test_a_reader_of_a_broken_kind_is_a_fault_of_its_station_alone(install: Install) -> None:
    install("stranger", "1 / 0")
    table = parse_table(BROKEN, "table.toml")
    assert [device.stations for device in equipment(table)] == [("pad0",), ("centre",)]
    with pytest.raises(ReaderError, match=r"companion-stranger: .*ZeroDivisionError") as caught:
        FieldOpener(table.readers[0])()
    assert caught.value.problem is ReaderTrouble.NO_DRIVER
    (finding,) = findings([table.readers[0].check(System())])
    assert (finding.subject, finding.verdict) == ("reader of pad0", "problem")
    assert "ZeroDivisionError" in finding.words
    assert parse_table(table_text(table), "written") == table
    with pytest.raises(ConfigError, match="line 3: station: expected one of"):
        parse_table(BROKEN.replace("pad0", "pad9"), "table.toml")


FAILING = """
from companion.devices.reader_settings import ReaderSettings
class KIND(ReaderSettings, frozen=True):
    kind = "stranger"
    @classmethod
    def detect(cls, root): raise RuntimeError("smoke")
    def check(self, system): raise RuntimeError("smoke")
"""


def test_a_stranger_that_fails_at_detecting_hides_no_other_reader(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PCSCLITE_CSOCK_NAME", str(tmp_path / "nowhere"))
    install("stranger", FAILING)
    assert isinstance(reader_kinds.find("stranger"), type)
    computer = UsbComputer(tmp_path / "root")
    assert reader_kinds.detected(computer.root) is None
    computer.plug("ttyUSB0", CH340)
    found = reader_kinds.detected(computer.root)
    assert found is not None
    assert found.settings == Pn532Settings()


def test_a_stranger_that_fails_at_its_check_is_a_finding(install: Install) -> None:
    install("stranger", FAILING)
    (reader,) = parse_table('[[reader]]\nkind = "stranger"', "t").readers
    (finding,) = findings([reader_kinds.reader_check(reader, System())])
    assert (finding.verdict, finding.words) == ("problem", "its check failed: RuntimeError: smoke")


def test_half_an_installation_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a checkout whose environment is older than the entry points."""
    monkeypatch.setattr(reader_kinds, "GROUP", "companion.nothing")
    reader_kinds.look_again()
    try:
        with pytest.raises(ConfigError, match="install Companion again"):
            reader_kinds.usual_reader()
        with pytest.raises(ConfigError, match="expected none"):
            parse_table("[[reader]]", "t")
    finally:
        monkeypatch.undo()
        reader_kinds.look_again()


def test_an_unknown_kind_is_told_with_those_that_are_installed(zaparoo: type[ReaderSettings]) -> None:
    told = r'line 2: kind: expected "pcsc", "pn532", "rc522" or "zaparoo" \(the kinds installed here\), found .nfc.'
    with pytest.raises(ConfigError, match=told):
        parse_table('[[reader]]\nkind = "nfc"', "table.toml")


def test_a_strangers_reader_is_used_like_ours(
    zaparoo: type[ReaderSettings],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    companion, home = Command(capsys), tmp_path / "home"
    monkeypatch.setenv("COMPANION_HOME", str(home))
    assert "written, for one reader (zaparoo)" in companion("config", "--reader", "zaparoo").out
    assert parse_table((home / "table.toml").read_text(), "t").readers == (zaparoo.example(),)
    with zaparoo.simulated(tmp_path) as reader:
        (home / "table.toml").write_text(table_text(TableSettings(readers=(reader.settings,))))
        told = companion("doctor").out
    assert "ok        reader of the centre: a reader with Zaparoo's simple serial protocol answers" in told


def test_a_reader_that_takes_a_fault_for_an_empty_field_breaks_the_contract(
    zaparoo: type[ReaderSettings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zaparoo_reader.driver import SimpleSerial

    honest = SimpleSerial.look

    def careless(field: SimpleSerial, known: tuple[bytes, ...]) -> Look:
        try:
            return honest(field, known)
        except ReaderError:
            return Look(missed=tuple(known))

    monkeypatch.setattr(SimpleSerial, "look", careless)
    contract = ReaderContract()
    contract.kind = zaparoo  # type: ignore[misc]
    with pytest.raises(AssertionError, match="unplug"):
        contract.test_a_fault_is_never_a_removal(tmp_path)
