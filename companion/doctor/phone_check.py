"""Phones: is everything installed, is there an address where they find this computer, is a port free, and is the
certificate still valid?"""

import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from urllib.parse import urlsplit

from companion.devices.finding import Check, Finding
from companion.troubles import to_add

SUBJECT = "phones"
CERTIFICATE = "certificate for phones"
LINKS = "links on stickers"
INSTALL = to_add("phones")
JOIN = "join a Wi-Fi or make one (docs/phones.md)"


def phones_check(
    missing: Callable[[], Sequence[str]], addresses: Callable[[], Sequence[str]], ports: range, *, wanted: bool
) -> Check:
    """`missing`: what is not installed; `addresses`: the likeliest first; `ports`: those that are tried. `wanted`:
    table.toml names a Wi-Fi for phones, so the owner means to use them."""
    return Check(SUBJECT, lambda: [_look(missing(), addresses(), ports, wanted)])


def links_check(links: Callable[[], Mapping[str, str]], addresses: Callable[[], Sequence[str]]) -> Check:
    """`links`: game → the address in the links on its stickers."""
    return Check(LINKS, lambda: list(_links(links(), addresses())))


def _links(links: Mapping[str, str], addresses: Sequence[str]) -> Iterator[Finding]:
    """A table whose stickers carry no links has nothing to report."""
    for game, link in links.items():
        if urlsplit(link).hostname in addresses:
            yield Finding.ok(LINKS, f"those of {game} open {link}, which is an address of this computer")
        else:
            words = f"those of {game} open {link}, but this computer is now at {', '.join(addresses) or 'no address'}"
            advice = (
                "iPhones find nothing there: give this computer its old address back, or write new links "
                f"(`companion tags write {game} --links`); the Pi's own Wi-Fi always has the same address"
            )
            yield Finding.check(LINKS, words, advice)


def certificate_check(until: Callable[[], datetime | None], now: datetime) -> Check:
    """`until`: when the table's certificate expires; None if it has none."""
    return Check(CERTIFICATE, lambda: list(_certificate(until(), now)))


def _certificate(until: datetime | None, now: datetime) -> Iterator[Finding]:
    """A table that never used TLS has none, and nothing to report."""
    if until is None:
        return
    day = f"{until:%d %b %Y}"
    if until < now:
        yield Finding.check(
            CERTIFICATE, f"it expired on {day}", "the next `--tls` makes a new one, and phones warn once"
        )
    else:
        yield Finding.ok(CERTIFICATE, f"good until {day}; it is replaced a month before")


def _look(missing: Sequence[str], addresses: Sequence[str], ports: range, wanted: bool) -> Finding:
    if missing:
        return _unable(f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing", INSTALL, wanted)
    if not addresses:
        return _unable("this computer is not in a network", JOIN, wanted)
    address, *others = addresses
    port = _free(address, ports)
    if port is None:
        words = f"ports {ports[0]} to {ports[-1]} of {address} are taken"
        return Finding.check(SUBJECT, words, "name another one: `companion play --phones --port 9000`")
    words = f"ready on {_socket(address, port)}; press F4 at the table to start"
    return Finding.ok(SUBJECT, f"{words}{_taken(ports[0], port)}{_elsewhere(others)}")


def _unable(words: str, advice: str, wanted: bool) -> Finding:
    """Phones are optional."""
    if wanted:
        return Finding.problem(SUBJECT, words, advice)
    return Finding.ok(SUBJECT, f"not in use; {words}: {advice}")


def _free(address: str, ports: Iterable[int]) -> int | None:
    """The first free port. It is bound and released at once."""
    for port in ports:
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does
            try:
                probe.bind((address, port))
                probe.listen(1)
            except OSError:
                continue
        return port
    return None


def _socket(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _taken(first: int, port: int) -> str:
    return f"; {first} is taken" if port != first else ""


def _elsewhere(others: Sequence[str]) -> str:
    return f"; also here: {', '.join(others)} (--address)" if others else ""
