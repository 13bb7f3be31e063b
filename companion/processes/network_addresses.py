"""The addresses of this computer in its networks."""

import ipaddress
import socket
import struct
from pathlib import Path

from companion.files import load

try:
    import fcntl
except ImportError:  # not a Unix
    fcntl = None  # type: ignore[assignment]

SIOCGIFADDR = 0x8915
"""linux/sockios.h"""
VIRTUAL = ("lo", "docker", "br-", "veth", "virbr", "tun", "tap", "wg", "zt")
"""How the names of interfaces start that no phone can reach."""
ROUTES = Path("/proc/net/route")
ROUTES_BYTES = 256 * 1024


def addresses() -> list[str]:
    """The IPv4 addresses of this computer in real networks, the likeliest first: that of the default route, then Wi-Fi,
    then cables."""
    found = {name: address for _number, name in socket.if_nameindex() if (address := _address(name))}
    real = {name: address for name, address in found.items() if not name.startswith(VIRTUAL)}
    gate = _gate()
    names = sorted(real, key=lambda name: (name != gate, not name.startswith("wl"), name))
    return [real[name] for name in names]


def is_own(address: str) -> bool:
    """Whether a server can listen on this address here."""
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(address).version == 6 else socket.AF_INET
        with socket.socket(family) as probe:
            probe.bind((address, 0))
    except (OSError, ValueError):
        return False
    return True


def _address(interface: str) -> str:
    if fcntl is None:
        return ""
    request = struct.pack("256s", interface.encode()[:15])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)
        except OSError:  # none, or only an IPv6 address
            return ""
    return socket.inet_ntoa(answer[20:24])


def _gate() -> str:
    """The interface of the default route; "" if there is none, as in a Pi's own Wi-Fi."""
    try:
        lines = load(ROUTES, ROUTES_BYTES).decode("ascii", "replace").splitlines()[1:]
    except OSError:
        return ""
    return next((fields[0] for fields in map(str.split, lines) if len(fields) > 1 and fields[1] == "00000000"), "")
