"""`companion try FOLDER`: shows the table of a game that you are writing, and shows it again whenever you save a file.

The game need not be installed: its entry point is read from its pyproject.toml. Each time a new process plays it by
chance up to an action, so a mistake in it ends nothing else.
"""

import os
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.errors import UsageError
from companion.files import PYTHON, load_text, store
from companion.gamekit import discovery
from companion.language.wording import plain
from companion.toml import read_toml

EXAMPLES = ("companion try ./companion-hen-party", "companion try . --seed 3 --action 20")
LENGTH = 500
LOOK_S = 0.25
"""How often the files are looked at."""
CLEAR = "\x1b[2J\x1b[H"
SKIPPED = {"__pycache__", ".git", ".venv", ".pytest_cache", ".ruff_cache", ".mypy_cache"}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="the folder with the game's pyproject.toml")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which game of chance (default: 0)")
    parser.add_argument("--action", type=int, default=5, metavar="K", help="the table before this action (default: 5)")
    parser.add_argument("--once", action="store_true", help="show it once, and do not wait for a change")


def run(said: Namespace) -> int:
    """The status of the last try. Raises UsageError."""
    folder: Path = said.folder
    with TemporaryDirectory(prefix="companion-try-") as site:
        name = _announce(folder, Path(site))
        words = ["check", name, "--seed", str(said.seed), "--action", str(said.action)]
        while True:
            before = dict(_stamps(folder))
            if sys.stdout.isatty() and not said.once:
                print(CLEAR, end="")
            status = _tried(folder, site, words)
            if said.once:
                return status
            print(f"\nWaiting for a change in {plain(str(folder), LENGTH)} (Ctrl-C ends)", flush=True)
            while dict(_stamps(folder)) == before:
                time.sleep(LOOK_S)


def _announce(folder: Path, site: Path) -> str:
    """The name of the game in this folder; it is found from now on by a process that has `site` on its path. Raises
    UsageError."""
    path = folder / "pyproject.toml"
    try:
        project: dict[str, Any] = read_toml(load_text(path, 1024 * 1024, "pyproject.toml", UsageError))["project"]
        ((name, where),) = project["entry-points"][discovery.GROUP].items()
        package = project["name"]
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file; `companion new-game` writes a folder") from None
    except (KeyError, ValueError, AttributeError, TypeError):
        raise UsageError(f'{path}: expected a project with one entry in "{discovery.GROUP}"') from None
    info = site / "companion_try-0.dist-info"
    store(info / "METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 0\n")
    store(info / "entry_points.txt", f"[{discovery.GROUP}]\n{name} = {where}\n")
    return str(name)


def _tried(folder: Path, site: str, words: list[str]) -> int:
    """Play it in a process of its own, which finds this game before one of the same name that is installed."""
    path = os.pathsep.join([site, str(folder.resolve()), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([*PYTHON, "-m", "companion", *words], env=env, check=False).returncode


def _stamps(folder: Path) -> Iterator[tuple[str, int]]:
    """Each file with the time of its last change."""
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for name in files:
            path = Path(place, name)
            try:
                yield str(path), path.stat().st_mtime_ns
            except OSError:  # an editor has just replaced it
                continue
