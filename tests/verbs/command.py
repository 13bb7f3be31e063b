"""The command line, as a user types it: words in, what was printed and the exit status out."""

from typing import NamedTuple

import pytest

from companion.cli import main


class Said(NamedTuple):
    status: int
    out: str
    err: str


class Command:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> Said:
        try:
            status = main(list(words))
        except SystemExit as leaving:  # argparse's way to say no, and --help
            status = leaving.code if isinstance(leaving.code, int) else 1
        out, err = self._capsys.readouterr()
        return Said(status, out, err)
