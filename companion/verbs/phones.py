"""`companion phones`: lets phones come to a table that is being played, and shows their codes on the terminal."""

import asyncio
import ssl
import sys
import time
from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path

from companion.errors import LinkError
from companion.messages.phones import SPECTATORS
from companion.referee.link import answers
from companion.services.accounts import keep_values_out
from companion.services.arguments import add_phones_place, phones_wish
from companion.services.evenings import find_evening, players_of, running_evening, socket_of
from companion.services.phones import PhonesKeeper, chosen_address, wifi

ADVICE = "Ctrl-C sends all phones away. Press Enter for new codes: the old ones stop working."


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("evening", nargs="?", help="which evening, if several are being played")
    add_phones_place(parser)
    parser.add_argument("--piped", action="store_true", help=SUPPRESS)


def run(said: Namespace) -> int:
    """Raises JournalError, LinkError, ConfigError."""
    path = find_evening(said.evening) if said.evening else running_evening()
    return _serve(path, said) if said.piped else _invite(path, said)


def _serve(path: Path, said: Namespace) -> int:
    """In the process that a keeper starts."""
    from companion.web.server import Listening
    from companion.web.serving import serve

    keep_values_out()
    wish = phones_wish(said)
    address = chosen_address(wish)
    asyncio.run(serve(socket_of(path), Listening(address, wish.port, _tls(address, wish.tls))))
    return 0


def _tls(address: str, wanted: bool) -> "ssl.SSLContext | None":
    from companion.services.certificate import certificate

    return certificate(address) if wanted else None


def _invite(path: Path, said: Namespace) -> int:
    """Codes on a terminal, for a table without a screen."""
    if not answers(socket_of(path)):
        raise LinkError(f"nobody is playing {path.stem} now; `companion resume {path.stem} --phones` goes on with it")
    keeper = PhonesKeeper(path, phones_wish(said), wifi())
    keeper.open()
    try:
        _show(keeper, path)
        while not keeper.problem:
            if sys.stdin.isatty() and sys.stdin.readline():
                for seat in range(_players(path)):
                    keeper.renew(seat)
                _show(keeper, path)
            else:
                time.sleep(1)
        raise LinkError(keeper.problem)
    finally:
        keeper.stop()


def _players(path: Path) -> int:
    return len(players_of(path))


def _show(keeper: PhonesKeeper, path: Path) -> None:
    import segno

    offer = keeper.offer()
    assert offer is not None  # it has just been opened
    names = dict(enumerate(players_of(path))) | {SPECTATORS: "whoever only watches"}
    for seat, name in names.items():
        print(f"\n{name}: {offer.links[seat]}", flush=True)
        segno.make(offer.links[seat], error="l", micro=False).terminal(compact=True, border=2)
    print(f"\n{ADVICE}", flush=True)
    if not offer.encrypted:
        print("Others in this Wi-Fi could listen in: --tls encrypts what phones say.", flush=True)
