"""Packages of strangers, found by their entry points although no pip has installed them."""

import os
import subprocess
import sys
from pathlib import Path

PLAIN_PYTEST = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""A stranger has pytest, and none of our plugins."""


def announce(folder: Path, game: str, module: str, package: str = "") -> None:
    """What pip would leave in a folder of the path: the metadata of a package that brings this game."""
    package = package or f"companion-{game}"
    info = folder / f"{package.replace('-', '_')}-1.0.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0.0\n")
    (info / "entry_points.txt").write_text(f"[companion.games]\n{game} = {module}:MANIFEST\n")


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
