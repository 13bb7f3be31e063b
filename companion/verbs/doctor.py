"""`companion doctor`: tests every device in table.toml, and says what is wrong and how to fix it."""

import os
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.config import NAME, TableSettings, find_table
from companion.devices.computer import System
from companion.devices.finding import LENGTH, Check, Finding, Health, Hung, findings, told
from companion.devices.gpio.check import pin_checks
from companion.devices.reader_kinds import kinds_check, reader_check
from companion.devices.satellite.check import satellite_check
from companion.doctor.broker_check import broker_check
from companion.doctor.installation import installation_checks
from companion.doctor.owner_files import box_checks, game_checks, home_checks, running
from companion.doctor.phone_check import certificate_check, links_check, phones_check
from companion.doctor.voice_check import voice_check
from companion.gamekit import discovery
from companion.home.paths import certificate_path, home, looks_path
from companion.home.preferences import LooksFile
from companion.home.tag_packs import stored_pack
from companion.language.wording import plain
from companion.messages.looks import SPEECH
from companion.messages.phone_access import PORT, PORTS
from companion.processes.certificate import facts
from companion.processes.live_table import own_broker
from companion.processes.network_addresses import addresses
from companion.processes.phone_server import missing
from companion.table.pieces import PackError
from companion.verbs.arguments import add_table


class Report(Struct, frozen=True):
    """What --json prints."""

    table: str
    kit: str
    verdict: Health
    findings: tuple[Finding, ...]


EXAMPLES = ("companion doctor", "companion doctor --json")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the findings as one JSON object")
    parser.add_argument("--root", type=Path, default=Path("/"), help=SUPPRESS)
    add_table(parser)


def run(said: Namespace) -> int:
    """Run all checks. 0: no problem, though a person may have to check something; 1: a problem. Raises ConfigError."""
    table = find_table(home(), said.table)
    origin = str(said.table or home() / NAME)
    found: list[Finding] = []
    if not said.json:
        print(f"{plain(origin, LENGTH)}: {_headline(table)}\n")
    for finding in findings(checks(table, System(said.root))):
        found.append(finding)
        if not said.json:
            print(told(finding), flush=True)
    worst = _worst(found)
    if said.json:
        print(msgspec.json.encode(Report(origin, table.kit, worst, tuple(found))).decode())
    else:
        print(f"\n{_summary(found)}")
    return _leave(int(worst == "problem"), found)


def checks(table: TableSettings, system: System) -> Iterator[Check]:
    """Devices first. They are not touched while a referee uses them."""
    played = running(home())
    if played:
        yield Check("devices", lambda: [_in_use(played)])
    else:
        yield from (reader_check(reader, system) for reader in table.readers)
        yield from pin_checks(table, system)
        if table.satellite:
            yield satellite_check(table.satellite, system)
    yield from installation_checks(system)
    yield from home_checks(home(), datetime.now(UTC), system)
    yield voice_check(LooksFile(looks_path()).recall().speech or SPEECH[0])
    if table.hall is not None and table.hall.broker and not played:  # it says that the table is offline
        yield broker_check(partial(own_broker, table.hall))
    yield phones_check(missing, addresses, range(PORT, PORT + PORTS), wanted=table.wifi is not None)
    yield certificate_check(_certified_until, datetime.now(UTC))
    yield links_check(_links_on_stickers, addresses)
    yield kinds_check()
    yield from game_checks()
    yield from box_checks(discovery.playable())


def _links_on_stickers() -> dict[str, str]:
    """Packs that cannot be read are reported with the boxes."""
    found: dict[str, str] = {}
    for game in discovery.names():
        with suppress(PackError):
            found[game] = stored_pack(game).links
    return {game: link for game, link in found.items() if link}


def _certified_until() -> datetime | None:
    """Raises LinkError without openssl."""
    known = facts(certificate_path())
    return known.until if known else None


def _in_use(played: list[str]) -> Finding:
    words = f"not looked at: the referee of {', '.join(played)} has them"
    return Finding.check("devices", words, "end that evening, then ask again")


def _headline(table: TableSettings) -> str:
    if table == TableSettings():
        return "nothing is wired; `companion config` writes a table to begin with"
    return f"{'the full kit' if table.kit == 'full' else f'kit {table.kit}'}, with {', '.join(table.stations)}"


def _worst(found: list[Finding]) -> Health:
    verdicts = {finding.verdict for finding in found}
    return "problem" if "problem" in verdicts else "check" if "check" in verdicts else "ok"


def _summary(found: list[Finding]) -> str:
    counts = Counter(finding.verdict for finding in found)
    problems, checks = counts["problem"], counts["check"]
    words = [f"{problems} problem{'s' if problems > 1 else ''}"] if problems else []
    words += [f"{checks} to check"] if checks else []
    return f"{' and '.join(words)}, {counts['ok']} ok." if words else "Everything is ok."


def _leave(status: int, found: list[Finding]) -> int:
    """Leave without waiting for the threads of a check that hangs: they cannot be stopped."""
    if any(isinstance(finding, Hung) for finding in found):
        sys.stdout.flush()
        os._exit(status)
    return status
