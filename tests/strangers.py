"""Packages of strangers, found by their entry points although no pip has installed them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.gamekit import discovery
from tests.ours import GAMES

GOPS = Path(__file__).parents[1] / "examples" / "gops"
"""The game of docs/add-a-game.md."""
ZAPAROO = GOPS.parent / "zaparoo_reader"
"""The reader of docs/add-a-reader.md."""
ESPHOME = GOPS.parent / "esphome_reader"
"""ESPHome boards over MQTT."""
EXAMPLES = ("gops", "sirtommy", "whist")
"""The games of examples/."""
PLAIN_PYTEST = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""A stranger has pytest, and none of our plugins."""


def announce(folder: Path, game: str, module: str, package: str = "") -> None:
    """What pip would leave in a folder of the path: the metadata of a package that brings this game."""
    _announce(folder, package or f"companion-{game}", f"[companion.games]\n{game} = {module}:MANIFEST\n")


def announce_reader(folder: Path, kind: str, where: str, package: str = "") -> None:
    """The same for a package that brings a kind of reader."""
    _announce(folder, package or f"companion-{kind}", f"[companion.readers]\n{kind} = {where}\n")


def _announce(folder: Path, package: str, entry_points: str) -> None:
    info = folder / f"{package.replace('-', '_')}-1.0.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0.0\n")
    (info / "entry_points.txt").write_text(entry_points)


@contextmanager
def gops_installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As a third-party package would be."""
    with example_installed("gops", folder, monkeypatch):
        yield


@contextmanager
def example_installed(game: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A game of examples/, as a third-party package would be."""
    announce(folder, game, game)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.syspath_prepend(str(GOPS.parent / game))
    discovery.found.cache_clear()
    yield
    discovery.found.cache_clear()
    for module in [name for name in sys.modules if name.partition(".")[0] == game]:
        del sys.modules[module]


@contextmanager
def every_title() -> Iterator[tuple[str, ...]]:
    """The games that ship, and those of examples/ as if pip had installed them."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch, ExitStack() as installed:
        for game in EXAMPLES:
            installed.enter_context(example_installed(game, Path(folder), patch))
        yield (*GAMES, *EXAMPLES)


def run_in(folder: Path, *words: str, status: int = 0) -> str:
    """What a Python says that has the packages of this folder, and a home of its own; else its complaint."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "COMPANION_HOME": str(folder / "home")} | PLAIN_PYTEST,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout or done.stderr
