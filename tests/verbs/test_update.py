"""`companion update`: each kind of installation has its own command."""

import socket
from pathlib import Path

import pytest

from companion import __version__
from companion.troubles import INSTALLED, PACKAGED
from companion.verbs.update import installation
from tests.verbs.command import Command


@pytest.mark.parametrize(
    ("marks", "how", "command"),
    [
        (("pipx_metadata.json",), "installed by pipx", "pipx upgrade companion-table"),
        (("uv-receipt.toml",), "installed by uv", "uv tool upgrade companion-table"),
        ((), "installed by pip", "{prefix}/bin/python -m pip install --upgrade companion-table"),
    ],
)
def test_an_environment_says_by_its_marks_who_made_it(
    tmp_path: Path, marks: tuple[str, ...], how: str, command: str
) -> None:
    for mark in marks:
        (tmp_path / mark).touch()
    found = installation(tmp_path, None)
    assert (found.how, found.commands) == (how, (command.format(prefix=tmp_path),))


@pytest.mark.parametrize(
    ("prefix", "last"),
    [
        (PACKAGED, "sudo apt install ./companion-table_NEW-VERSION.deb"),
        (INSTALLED, "make install"),
        ("/home/anna/.cache/uv/archive-v0/x1", "uvx companion-table@latest play"),
    ],
)
def test_a_known_place_says_what_is_installed_there(prefix: str, last: str) -> None:
    assert installation(Path(prefix), None).commands[-1] == last


def test_a_checkout_is_pulled() -> None:
    assert installation(Path(PACKAGED), Path("/src")).commands == ("cd /src", "git pull", "make play")


def test_it_tells_the_version_and_asks_nothing_of_the_network(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(socket, "socket")
    said = Command(capsys)("update")
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith(f"Companion {__version__}, ")
    assert "`companion resume` goes on with an open evening" in said.out
