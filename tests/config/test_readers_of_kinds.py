"""Readers of three kinds in table.toml: what each can be told, and what two of them cannot share."""

from pathlib import Path

import pytest

from companion import config
from companion.config import ReaderSettings, TableSettings, parse_table
from companion.config.sample import table_text
from companion.devices.pcsc.settings import PcscSettings
from companion.devices.pn532.settings import Pn532Settings
from companion.devices.rc522.settings import Rc522Settings
from companion.errors import ConfigError


def test_left_out_a_reader_is_an_rc522_as_ever() -> None:
    assert parse_table("[[reader]]\n", "t").readers == (Rc522Settings(),)


@pytest.mark.parametrize("reader", [Pn532Settings(), PcscSettings()], ids=("pn532", "pcsc"))
def test_what_is_written_reads_back_as_the_same_table(reader: ReaderSettings) -> None:
    table = TableSettings(readers=(reader,))
    text = table_text(table)
    assert parse_table(text, "t") == table
    assert "GPIO" not in text.partition("[[reader]]")[2], "a laptop has no pins"
    assert table.kit == "one"


def test_kinds_may_be_mixed() -> None:
    text = """\
[[reader]]
[[reader]]
kind = "pn532"
station = "pad0"
port = "/dev/ttyUSB1"
[[reader]]
kind = "pcsc"
station = "pad1"
name = "ACR122"
[satellite]
pads = ["pad2"]
"""
    table = parse_table(text, "t")
    assert [reader.kind for reader in table.readers] == ["rc522", "pn532", "pcsc"]
    assert table.kit == "full"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '[[reader]]\nkind = "pn523"',
            r'line 2: kind: expected .*"pcsc", "pn532" .*"rc522".* \(the kinds installed here\), found \'pn523\'',
        ),
        ("[[reader]]\nkind = 5", r'line 2: kind: expected .*"rc522".*, found 5'),
        (
            '[[reader]]\nkind = "pn532"\nbus = 0',
            "line 3: a reader of kind 'pn532' has no 'bus', only kind, station, port",
        ),
        ('[[reader]]\nport = "auto"', "line 2: a reader of kind 'rc522' has no 'port', only kind, station, bus"),
        ('[[reader]]\nkind = "pcsc"\nport = "auto"', "line 3: a reader of kind 'pcsc' has no 'port'"),
        ('[[reader]]\nkind = "pn532"\nport = "ttyUSB0"', 'line 3: port: expected "auto" or a path that begins with /'),
        ('[[reader]]\nkind = "pn532"\nport = 7', 'line 3: port: expected "auto" or a path in quotes'),
        ('[[reader]]\nkind = "pcsc"\nname = 7', "line 3: name: expected the name of a reader in quotes"),
        (
            '[[reader]]\nkind = "pn532"\n[[reader]]\nkind = "pn532"\nstation = "pad0"',
            "the reader of the centre .* has this port already; name the port of each to tell them apart",
        ),
        (
            '[[reader]]\nkind = "pn532"\nport = "/dev/a"\n[satellite]\nport = "/dev/a"',
            r"line 5: the reader of the centre \(line 3\) has this port already; name another",
        ),
        (
            '[[reader]]\nkind = "pcsc"\nname = "ACR"\n[[reader]]\nkind = "pcsc"\nstation = "pad0"\nname = "ACR122"',
            r"line 7: the reader of the centre \(line 3\) may be meant by this name, too",
        ),
        ('[[reader]]\n[[reader]]\nkind = "pn532"', "the reader of the centre is in line 1 already"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_what_to_do(text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        parse_table(text, "table.toml")


def test_a_pin_of_a_reader_that_has_none_is_free() -> None:
    text = '[[reader]]\nkind = "pn532"\n[[button]]\ncolour = "green"\npin = 25\n'
    assert parse_table(text, "t").buttons[0].pin == 25


@pytest.mark.parametrize("file", sorted(Path(config.__file__).parent.glob("*.py")), ids=lambda file: file.name)
def test_no_module_here_names_a_kind_of_reader(file: Path) -> None:
    """Each kind is declared in its own folder of companion/devices, and found by its entry point."""
    text = file.read_text(encoding="utf-8").lower()
    assert [kind for kind in ("rc522", "pn532", "pcsc") if kind in text] == []
