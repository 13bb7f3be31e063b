"""What a computer is, as its files describe it."""

import ipaddress
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.computer import LISTENING, System, is_local, no_permission, sockets
from tests.devices.computer import PI_4, PI_5, Computer

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"


def row(address: str, port: int, state: str = LISTENING) -> str:
    """A line as the kernel writes it."""
    raw = ipaddress.ip_address(address).packed
    words = "".join(raw[at : at + 4][::-1].hex().upper() for at in range(0, len(raw), 4))
    nobody = "0" * len(words)
    return f"   0: {words}:{port:04X} {nobody}:0000 {state} 00000000:00000000 00:00000000 00000000  0  0 1 1\n"


@pytest.mark.parametrize(
    ("model", "is_pi", "is_pi_5"),
    [
        (PI_4, True, False),
        (PI_5, True, True),
        ("Raspberry Pi Compute Module 5 Rev 1.0\0", True, True),
        ("Raspberry Pi 500 Rev 1.0\0", True, True),
        ("Raspberry Pi Zero 2 W Rev 1.0\0", True, False),
        ("Raspberry Pi 3 Model B Plus Rev 1.3\0", True, False),
        ("Some Board 5\0", False, False),
        ("", False, False),
    ],
)
def test_a_pi_is_known_by_its_model(tmp_path: Path, model: str, is_pi: bool, is_pi_5: bool) -> None:
    system = Computer(tmp_path, model).system
    assert (system.is_pi, system.is_pi_5) == (is_pi, is_pi_5)


def test_who_listens_is_read_from_both_tables(tmp_path: Path) -> None:
    computer = Computer(tmp_path)
    computer.write("/proc/net/tcp", HEAD + row("127.0.0.1", 8888) + row("0.0.0.0", 22) + row("10.0.0.7", 8888, "01"))
    computer.write("/proc/net/tcp6", HEAD + row("::", 8888) + row("::ffff:127.0.0.1", 8888) + row("::1", 8888))
    told = computer.system.listening(8888)
    assert told == [*map(ipaddress.ip_address, ("127.0.0.1", "::", "::ffff:127.0.0.1", "::1"))]
    assert [is_local(address) for address in computer.system.listening(8888)] == [True, False, True, True]


@given(st.ip_addresses(), st.integers(0, 65535))
def test_any_address_is_read_as_the_kernel_writes_it(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int
) -> None:
    assert list(sockets(HEAD + row(str(address), port), LISTENING)) == [(address, port)]


@given(st.text())
def test_a_table_that_cannot_be_read_has_nothing_in_it(text: str) -> None:
    assert list(sockets(HEAD + text.replace(":", ""), LISTENING)) == []


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="no /proc here")
def test_a_socket_of_this_very_computer_is_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert System().listening(server.getsockname()[1]) == [ipaddress.ip_address("127.0.0.1")]


def test_the_doctor_never_advises_to_join_the_group_root(tmp_path: Path) -> None:
    """On a plain Debian the devices of a Pi are root's."""
    computer = Computer(tmp_path)
    computer.write("/dev/spidev0.0", forbidden=True)
    computer.group = "root"
    finding = no_permission("reader", computer.system, "/dev/spidev0.0")
    assert finding is not None
    assert "usermod" not in finding.advice
    assert "`make install` brings a rule" in finding.advice


def test_a_file_that_is_not_ours_is_told_with_its_group(tmp_path: Path) -> None:
    computer = Computer(tmp_path)
    computer.group = "spi"
    computer.write("/dev/fine")
    computer.write("/dev/theirs", forbidden=True)
    assert no_permission("reader", computer.system, "/dev/absent", "/dev/fine") is None
    finding = no_permission("reader", computer.system, "/dev/fine", "/dev/theirs")
    assert finding is not None
    assert finding.words == "no permission on /dev/theirs"
    assert finding.advice == "`sudo usermod -aG spi $USER`, then log out and in again"
