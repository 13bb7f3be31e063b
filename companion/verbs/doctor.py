"""`companion doctor`: tries every device of table.toml and says, in words, what is wrong and what to do."""

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from companion import games
from companion.boxes import home
from companion.config import NAME, Table, find_table
from companion.doctor.boxes import box_checks
from companion.doctor.finding import Check, Finding, Hung, Verdict, doubtful, findings
from companion.doctor.gpio import pin_checks
from companion.doctor.home import home_checks, running
from companion.doctor.readers import reader_check
from companion.doctor.satellite import satellite_check
from companion.doctor.system import System
from companion.wording import plain

SIGNS: dict[Verdict, str] = {"well": "well", "doubtful": "doubtful", "wrong": "WRONG"}
LENGTH = 500
"""Devices and drivers are quoted, so what is told may be endless."""


class Report(Struct, frozen=True):
    """What --json prints."""

    table: str
    kit: str
    verdict: Verdict
    findings: tuple[Finding, ...]


def examine(named: Path | None, root: Path, *, json: bool) -> int:
    """Look at everything. 0: all is well, or only doubtful; 1: something is wrong. Raises ConfigError."""
    table = find_table(home(), named)
    origin = str(named or home() / NAME)
    found: list[Finding] = []
    if not json:
        print(f"{plain(origin, LENGTH)}: {_headline(table)}\n")
    for finding in findings(checks(table, System(root))):
        found.append(finding)
        if not json:
            print(_told(finding), flush=True)
    worst = _worst(found)
    if json:
        print(msgspec.json.encode(Report(origin, table.kit, worst, tuple(found))).decode())
    else:
        print(f"\n{_summary(found)}")
    return _leave(int(worst == "wrong"), found)


def checks(table: Table, system: System) -> Iterator[Check]:
    """Devices first. They are left alone while a referee has them."""
    played = running(home())
    if played:
        yield Check("devices", lambda: [_in_use(played)])
    else:
        yield from (reader_check(reader, system) for reader in table.readers)
        yield from pin_checks(table, system)
        if table.satellite:
            yield satellite_check(table.satellite, system)
    yield from home_checks(home(), datetime.now(UTC))
    yield from box_checks([games.find(name) for name in games.NAMES])


def _in_use(played: list[str]) -> Finding:
    words = f"not looked at: the referee of {', '.join(played)} has them"
    return doubtful("devices", words, "end that evening, then ask again")


def _headline(table: Table) -> str:
    if table == Table():
        return "nothing is wired; `companion config` writes a table to begin with"
    return f"{'the full kit' if table.kit == 'full' else f'kit {table.kit}'}, with {', '.join(table.stations)}"


def _told(finding: Finding) -> str:
    """A line, and what to do on a second one."""
    line = f"{SIGNS[finding.verdict]:<8}  {finding.subject}: {plain(finding.words, LENGTH)}"
    return f"{line}\n{'':<8}  → {plain(finding.advice, LENGTH)}" if finding.advice else line


def _worst(found: list[Finding]) -> Verdict:
    verdicts = {finding.verdict for finding in found}
    return "wrong" if "wrong" in verdicts else "doubtful" if "doubtful" in verdicts else "well"


def _summary(found: list[Finding]) -> str:
    counts = {verdict: sum(finding.verdict == verdict for finding in found) for verdict in SIGNS}
    told = [f"{counts[verdict]} {verdict}" for verdict in ("wrong", "doubtful") if counts[verdict]]
    return f"{' and '.join(told)}, {counts['well']} well." if told else "All is well."


def _leave(status: int, found: list[Finding]) -> int:
    """A check that hangs has threads that cannot be ended, and Python would wait for them."""
    if any(isinstance(finding, Hung) for finding in found):
        sys.stdout.flush()
        os._exit(status)
    return status
