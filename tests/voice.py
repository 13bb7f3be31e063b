"""Ears: listens to announcements in place of a sound card."""

import os
import shutil
import threading
from pathlib import Path

import pytest

from companion.voice import PROGRAM, Heard, listened_to


def need_espeak() -> None:
    """`make test` installs it; elsewhere these tests are left out."""
    if shutil.which(PROGRAM) is None:
        if os.environ.get("COMPANION_NO_SKIP"):
            pytest.fail(f"{PROGRAM} is missing: apt install {PROGRAM}")
        pytest.skip(f"{PROGRAM} is not installed")


class Ears:
    """Takes the place of a player: listens to each file, as soon as it is played."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.heard: list[Heard] = []
        self.may_play = threading.Event()
        self.may_play.set()

    def play(self, path: Path) -> None:
        self.may_play.wait(30)
        kept = self._folder / f"{len(self.heard)}.wav"
        shutil.copy(path, kept)
        self.heard.append(listened_to(kept))
