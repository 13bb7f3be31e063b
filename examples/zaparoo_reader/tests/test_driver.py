"""What lines mean, and what table.toml may say."""

import os
import tty
from collections.abc import Iterator

import pytest
from zaparoo_reader import ZaparooSettings
from zaparoo_reader.driver import Scan, SimpleSerial, read_line

from companion.config import parse_table
from companion.errors import ConfigError

ANNA, BEN = bytes.fromhex("04A1B2C3D4E5F6"), bytes.fromhex("12345678")


@pytest.mark.parametrize(
    ("line", "scan"),
    [
        (b"SCAN\tuid=04a1b2c3d4e5f6", Scan(ANNA)),
        (b"SCAN\tuid=04:A1:B2:C3:D4:E5:F6\ttext=Genesis/Sonic\r", Scan(ANNA)),
        (b"SCAN\tremovable=no\tuid=12345678", Scan(BEN, is_removable=False)),
        (b"SCAN", Scan(is_empty=True)),
        (b"SCAN\t", Scan(is_empty=True)),
        (b"SCAN\ttext=only a text", Scan()),
        (b"SCAN\tuid=abc123", Scan()),
        (b"SCAN\tuid=no number", Scan()),
        (b"CAN\tuid=12345678", None),
        (b"\xff\xfe", None),
        (b"", None),
    ],
)
def test_what_a_line_says(line: bytes, scan: Scan | None) -> None:
    assert read_line(line) == scan


class Board:
    """The other end of a line, and a clock that moves by hand."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self._own, self._hosts = os.openpty()
        tty.setraw(self._hosts)
        self.reader = SimpleSerial(os.ttyname(self._hosts), clock=lambda: self.now_s)

    def says(self, *lines: str) -> tuple[bytes, ...]:
        """The tags that are seen afterwards."""
        os.write(self._own, "".join(f"{line}\n" for line in lines).encode())
        return self.reader.look(()).seen

    def close(self) -> None:
        self.reader.close()
        os.close(self._own)
        os.close(self._hosts)


@pytest.fixture
def board() -> Iterator[Board]:
    board = Board()
    yield board
    board.close()


def test_a_number_counts_when_it_has_come_twice_in_a_row(board: Board) -> None:
    assert board.says("SCAN\tuid=12345678") == ()
    assert board.says("SCAN\tuid=12345679") == ()
    assert board.says("SCAN\tuid=12345678", "SCAN\tuid=12345678") == (BEN,)


def test_a_tag_that_is_not_repeated_for_a_second_is_gone(board: Board) -> None:
    assert board.says(*["SCAN\tuid=12345678"] * 2) == (BEN,)
    board.now_s += 0.9
    assert board.reader.look((BEN,)).seen == (BEN,)
    board.now_s += 0.2
    assert board.reader.look((BEN,)).missed == (BEN,)


def test_a_tag_that_cannot_be_removed_stays_until_that_is_said(board: Board) -> None:
    assert board.says("SCAN\tuid=12345678\tremovable=no") == (BEN,)
    board.now_s += 60
    assert board.reader.look((BEN,)).seen == (BEN,)
    assert board.says("SCAN") == ()


def test_a_tag_without_a_number_is_unclear_and_takes_nothing_away(board: Board) -> None:
    board.says(*["SCAN\ttext=hello"] * 2)
    look = board.reader.look((BEN,))
    assert (look.unclear, look.missed) == (True, ())


def test_table_toml_names_it_and_its_port() -> None:
    text = '[[reader]]\nkind = "zaparoo"\nport = "/dev/ttyACM0"\n'
    assert parse_table(text, "t").readers == (ZaparooSettings(port="/dev/ttyACM0"),)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("", "line 1: 'port' is missing in .*: a path in quotes"),
        ('port = "COM3"', "line 3: port: expected a path that begins with /"),
        ("port = 3", "line 3: port: expected a path in quotes"),
        ('port = "/dev/a"\nbaud = 9600', "line 4: unknown key 'baud'"),
        ('port = "/dev/a"\n[satellite]\nport = "/dev/a"', "line 5: the reader of the centre .* has this port already"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(keys: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        parse_table(f'[[reader]]\nkind = "zaparoo"\n{keys}\n', "table.toml")
