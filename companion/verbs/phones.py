"""`companion phones`: shows join codes for phones at a running table, on the terminal."""

import asyncio
import socket
import sys
import time
from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path

from companion import crash
from companion.errors import LinkError
from companion.messages.phone_access import SPECTATORS
from companion.processes.evenings import find_evening, people_of, running_evening, socket_of
from companion.processes.phone_server import PhoneServerSupervisor, wifi
from companion.referee.link import answers
from companion.verbs.arguments import add_phone_address, phone_settings

ADVICE = "Ctrl-C sends all phones away. Press Enter for new codes: the old ones stop working."


EXAMPLES = ("companion phones --port 8200",)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("evening", nargs="?", help="which evening, if several are being played")
    add_phone_address(parser)
    parser.add_argument("--piped", action="store_true", help=SUPPRESS)


def run(said: Namespace) -> int:
    """Raises JournalError, LinkError, ConfigError."""
    if said.piped:
        return _serve()
    return _show_codes(find_evening(said.evening) if said.evening else running_evening(), said)


def _serve() -> int:
    """Run the phone server. Its supervisor, or systemd, starts us with a socket as standard input."""
    from companion.web.server_process import serve

    sys.excepthook = lambda _kind, error, _trace: crash.tell(error)
    with socket.socket(fileno=sys.stdin.fileno()) as line:
        asyncio.run(serve(line))
    return 0


def _show_codes(path: Path, said: Namespace) -> int:
    """Show codes on a terminal, for a table without a screen."""
    if not answers(socket_of(path)):
        raise LinkError(f"{path.stem} is not being played now; `companion resume {path.stem} --phones` resumes it")
    supervisor = PhoneServerSupervisor(path, phone_settings(said), wifi())
    supervisor.open()
    try:
        _print_codes(supervisor, path)
        while not supervisor.problem:
            if sys.stdin.isatty() and sys.stdin.readline():
                supervisor.renew_all()
                _print_codes(supervisor, path)
            else:
                time.sleep(1)
        raise LinkError(supervisor.problem)
    finally:
        supervisor.stop()


def _print_codes(supervisor: PhoneServerSupervisor, path: Path) -> None:
    import segno

    offer = supervisor.offer()
    assert offer is not None  # it has just been opened
    if offer.trust:
        print(f"\nNew phones first, once: {offer.trust} explains the warning about the certificate", flush=True)
        segno.make(offer.trust, error="l", micro=False).terminal(compact=True, border=2)
    for person, name in (people_of(path) | {SPECTATORS: "only watching"}).items():
        print(f"\n{name}: {offer.links[person]}", flush=True)
        segno.make(offer.links[person], error="l", micro=False).terminal(compact=True, border=2)
    print(f"\nOn a television: {offer.wall_link}", flush=True)
    print(f"\n{ADVICE}", flush=True)
    if offer.new_certificate:
        print("The certificate is new: each phone warns about it once.", flush=True)
    if not offer.encrypted:
        print("Others in this Wi-Fi could listen in: --tls encrypts what phones say.", flush=True)
