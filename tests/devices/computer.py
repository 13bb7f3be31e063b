"""A computer for the doctor to look at: files laid out in a folder, some of which not every user may read."""

from pathlib import Path

from companion.devices.computer import MODEL, System
from companion.devices.finding import Check, Finding, findings

PI_4 = "Raspberry Pi 4 Model B Rev 1.5\0"
PI_5 = "Raspberry Pi 5 Model B Rev 1.0\0"


class Computer:
    def __init__(self, root: Path, model: str = PI_4) -> None:
        self.root = root
        self._forbidden: set[Path] = set()
        self.group = "dialout"
        if model:
            self.write(f"/{MODEL}", model)

    def write(self, name: str, text: str = "", *, forbidden: bool = False) -> None:
        path = self.root / name.removeprefix("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if forbidden:
            self._forbidden.add(path)

    def program(self, name: str, says: str) -> None:
        """One that prints this, whatever it is asked."""
        self.write(name, f"#!/bin/sh\ncat <<'END'\n{says}\nEND\n")
        (self.root / name.removeprefix("/")).chmod(0o755)

    def link(self, name: str, target: str) -> None:
        path = self.root / name.removeprefix("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    @property
    def system(self) -> System:
        return System(self.root, lambda path: path not in self._forbidden, lambda path: self.group)


def found(*checks: Check) -> list[Finding]:
    return list(findings(checks))


def one(*checks: Check) -> Finding:
    (finding,) = found(*checks)
    return finding
