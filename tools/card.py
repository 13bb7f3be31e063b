"""`make card`: what turns a card with today's Raspberry Pi OS (Trixie, cloud-init) into a table at its first start.

Flash the official image, then copy everything in dist/card to the card's boot partition. cloud-init reads user-data
(name and login) and network-config (Wi-Fi, or an access point of the Pi's own). vendor-data calls companion/first-boot,
which installs the Debian package and what it needs from the same folder, without a network. Raspberry Pi Imager
replaces user-data and network-config with what its own dialog asks for, and leaves vendor-data alone.

`--image` copies the folder into an image and writes the manifest with which Imager offers it.
"""

import getpass
import hashlib
import json
import lzma
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from companion import __version__
from companion.config.table_settings import WifiSettings
from companion.toml import toml_text
from tools import deb, release

CARD = release.DIST / "card"
OURS = "companion"
"""The folder with everything that is not for cloud-init itself."""
FIRST_BOOT = release.ROOT / "hardware" / "card" / "first-boot"
BOOT = "/boot/firmware"
"""Where Raspberry Pi OS has the boot partition."""
SUITE = "trixie"
ACCESS_POINT = "Companion"
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Nothing that can be mistaken for something else."""
GROUPS = ("adm", "dialout", "audio", "users", "sudo", "video", "plugdev", "games", "input", "gpio", "spi", "render")
EVERYWHERE = ("required", "important")
"""Priorities of packages that every Debian has already, Raspberry Pi OS Lite among them."""
DEVICES = ("pi5-64bit", "pi4-64bit", "pi3-64bit")
"""Imager's tags for the Pis that Companion is for."""


class CardError(Exception):
    """Why there is no card."""


class Wifi(NamedTuple):
    name: str
    password: str
    country: str
    """Two letters: without it a Pi keeps its radio off."""
    is_own: bool
    """An access point of the Pi's own, not a network that is there already."""


class Login(NamedTuple):
    name: str
    password: str
    """Hashed."""
    key: str
    """A public key for ssh."""


# --- What cloud-init reads ------------------------------------------------------------------------------------


def seed(wifi: Wifi | None, login: Login | None, hostname: str = "table") -> dict[str, str]:
    """The files of cloud-init's NoCloud, by name."""
    return {
        "meta-data": f"dsmode: local\ninstance-id: companion-{__version__}\n",
        "user-data": f"#cloud-config\n{_yaml(_user_data(login, hostname))}",
        "network-config": _yaml({"network": _network(wifi)}),
        "vendor-data": f"#!/bin/sh\nexec sh {BOOT}/{OURS}/first-boot\n",
    }


def _user_data(login: Login | None, hostname: str) -> dict[str, Any]:
    """With a user of its own, so that Raspberry Pi OS asks for none on the screen."""
    user: dict[str, Any] = {"name": login.name if login else "table", "groups": list(GROUPS), "shell": "/bin/bash"}
    user["lock_passwd"] = not (login and login.password)
    if login and login.password:
        user["passwd"] = login.password
    if login and login.key:
        user["ssh_authorized_keys"] = [login.key]
    found: dict[str, Any] = {"hostname": hostname, "manage_etc_hosts": True, "users": [user], "ssh_pwauth": False}
    if login and login.key:
        found["runcmd"] = [["systemctl", "enable", "--now", "ssh"]]
    return found


def _network(wifi: Wifi | None) -> dict[str, Any]:
    """As netplan has it. An access point of NetworkManager gives its guests their addresses."""
    found: dict[str, Any] = {"version": 2, "ethernets": {"eth0": {"dhcp4": True, "optional": True}}}
    if wifi:
        point = {"password": wifi.password} if wifi.password else {}
        point |= {"mode": "ap"} if wifi.is_own else {}
        wlan = {"optional": True, "regulatory-domain": wifi.country, "access-points": {wifi.name: point}}
        found["wifis"] = {"wlan0": wlan | ({} if wifi.is_own else {"dhcp4": True})}
    return found


def _yaml(what: dict[str, Any], indent: int = 0) -> str:
    """Names as they are, values as JSON has them: without quotes, Norway (NO) would be no."""
    lines = []
    for key, value in what.items():
        name = key if re.fullmatch(r"[a-z][a-z0-9_-]*", key) else json.dumps(key, ensure_ascii=False)
        if isinstance(value, dict) and value:
            lines.append(f"{' ' * indent}{name}:\n{_yaml(value, indent + 2)}")
        else:
            lines.append(f"{' ' * indent}{name}: {json.dumps(value, ensure_ascii=False)}\n")
    return "".join(lines)


# --- What first-boot installs ---------------------------------------------------------------------------------


def write(folder: Path, files: dict[str, str], wifi: Wifi | None, packages: Path) -> None:
    """The folder that is copied to the boot partition. `packages`: Debian packages, ours among them."""
    ours = folder / OURS
    ours.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copy(FIRST_BOOT, ours)
    if wifi:
        (ours / "country").write_text(f"{wifi.country}\n", encoding="ascii")
        settings = {"wifi": {"name": wifi.name, "password": wifi.password}}
        (ours / "wifi.toml").write_text(f"\n{toml_text(settings)}", encoding="utf-8")
    for package in sorted(packages.glob("*.deb")):
        shutil.copy(package, ours / plain_name(package.name))
    index(ours)


def plain_name(name: str) -> str:
    """As apt names a downloaded package, without what a FAT partition does not take: `1%3a2.0` is version 1:2.0."""
    return re.sub(r"%3a|:", "+", name)


def index(folder: Path) -> None:
    """What apt reads in a folder of packages."""
    paragraphs = []
    for package in sorted(folder.glob("*.deb")):
        content = package.read_bytes()
        control = _run("dpkg-deb", "--field", str(package))
        lines = (
            f"Filename: ./{package.name}",
            f"Size: {len(content)}",
            f"SHA256: {hashlib.sha256(content).hexdigest()}",
        )
        paragraphs.append("\n".join((control, *lines, "")))
    (folder / "Packages").write_text("\n".join(paragraphs), encoding="utf-8")


def fetch(
    into: Path, architecture: str, wanted: Sequence[str] = deb.RECOMMENDS, spared: Sequence[str] = EVERYWHERE
) -> None:
    """All that our package recommends and what that needs, from Debian's archive, without `spared` priorities."""
    kept = "--skip=download/empty,extract/unlink,cleanup/apt"
    choice = (f"--arch={architecture}", "--variant=extract", '--aptopt=Apt::Install-Recommends "false"', kept)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        _run("mmdebstrap", "--quiet", *choice, f"--include={','.join(wanted)}", SUITE, str(root))
        for package in (root / "var/cache/apt/archives").glob("*.deb"):
            if _run("dpkg-deb", "--field", str(package), "Priority") not in spared:
                shutil.copy(package, into)


# --- An image, and how Imager offers it -----------------------------------------------------------------------


def into_image(card: Path, image: Path, finished: Path) -> None:
    """A copy of an image with the folder in its boot partition, packed. `finished` ends with .img.xz."""
    raw = finished.with_suffix("")
    with lzma.open(image) if image.suffix == ".xz" else image.open("rb") as packed, raw.open("wb") as file:
        shutil.copyfileobj(packed, file, 1 << 20)
    at = f"{raw}@@{boot_offset(raw)}"
    _run("mcopy", "-Q", "-o", "-s", "-i", at, *map(str, sorted(card.iterdir())), "::", MTOOLS_SKIP_CHECK="1")
    with raw.open("rb") as file, lzma.open(finished, "wb", preset=3) as packed:
        shutil.copyfileobj(file, packed, 1 << 20)


def boot_offset(image: Path) -> int:
    """Where the first FAT partition begins, in bytes. Raises CardError."""
    with image.open("rb") as file:
        sector = file.read(512)
    for entry in (sector[446 + 16 * number :][:16] for number in range(4)):
        if sector[510:] == b"\x55\xaa" and entry[4] in (0x0B, 0x0C, 0x0E):
            return int.from_bytes(entry[8:12], "little") * 512
    raise CardError(f"{image.name} has no boot partition that can be written to")


def manifest(finished: Path, url: str) -> str:
    """An `os_list` for Imager (`rpi-imager --repo FILE`): github.com/raspberrypi/rpi-imager, doc/json-schema."""
    raw = finished.with_suffix("")
    with raw.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    entry = {
        "name": f"Companion {__version__} (Raspberry Pi OS Lite, 64-bit)",
        "description": "A referee for real board-game tables, which starts with the Pi",
        "icon": f"{url.rpartition('/')[0]}/companion.svg",
        "url": url,
        "extract_size": raw.stat().st_size,
        "extract_sha256": digest,
        "image_download_size": finished.stat().st_size,
        "release_date": datetime.fromtimestamp(release.built_at(), UTC).strftime("%Y-%m-%d"),
        "init_format": "cloudinit-rpi",
        "devices": list(DEVICES),
    }
    return json.dumps({"os_list": [entry]}, indent=2) + "\n"


# --- The command line -----------------------------------------------------------------------------------------


def arguments() -> ArgumentParser:
    parser = ArgumentParser("make card", description="Files for the boot partition of a card with Raspberry Pi OS.")
    network = parser.add_mutually_exclusive_group()
    network.add_argument("--wifi", metavar="NAME", help="join this network; its password is asked for")
    network.add_argument(
        "--access-point", metavar="NAME", help=f"the name of the Pi's own Wi-Fi (default: {ACCESS_POINT})"
    )
    network.add_argument("--no-wifi", action="store_true", help="only a cable, or what Imager asks for")
    parser.add_argument("--country", metavar="XX", help="where the radio is used: DE, GB … (default: as your language)")
    parser.add_argument("--user", metavar="NAME", help="who may log in; the password is asked for")
    parser.add_argument("--ssh-key", type=Path, metavar="FILE", help="a public key with which that user may log in")
    parser.add_argument("--hostname", default="table", help="the computer's name (default: table)")
    parser.add_argument("--image", type=Path, metavar="FILE", help="also put all of it into this image (.img, .img.xz)")
    parser.add_argument("--url", metavar="URL", help="where that image will be published, for Imager's manifest")
    parser.add_argument("--architecture", choices=deb.PROCESSORS, default="arm64", help="of the packages")
    return parser


def chosen_wifi(said: Namespace) -> Wifi | None:
    if said.no_wifi or (said.image and not (said.wifi or said.access_point)):
        return None  # an image is for many: Imager asks each of them
    named = re.search(r"_([A-Z]{2})", os.environ.get("LC_ALL") or os.environ.get("LANG") or "")
    country = said.country or (named[1] if named else "")
    if not re.fullmatch(r"[A-Z]{2}", country):
        raise CardError("in which country is the radio used? --country DE, GB, …")
    if said.wifi:
        wifi = Wifi(said.wifi, _secret(f"Password of {said.wifi}"), country, is_own=False)
    else:
        made_up = "".join(secrets.choice(LETTERS) for _ in range(12))
        wifi = Wifi(said.access_point or ACCESS_POINT, made_up, country, is_own=True)
    if not (1 <= len(wifi.name.encode()) <= 32 and (not wifi.password or 8 <= len(wifi.password) <= 63)):
        raise CardError("the name of a Wi-Fi has 1 to 32 letters, its password 8 to 63 or none")
    WifiSettings(wifi.name, wifi.password)
    return wifi


def chosen_login(said: Namespace) -> Login | None:
    if not (said.user or said.ssh_key):
        return None
    key = said.ssh_key.read_text(encoding="utf-8").strip() if said.ssh_key else ""
    password = _secret(f"Password of {said.user} at the table") if said.user else ""
    hashed = _run("openssl", "passwd", "-6", "-stdin", given=password) if password else ""
    return Login(said.user or "table", hashed, key)


def _secret(asked: str) -> str:
    """Typed unseen; without a terminal, the next line."""
    return getpass.getpass(f"{asked}: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


def _run(*words: str, given: str = "", **environment: str) -> str:
    done = subprocess.run(words, input=given, env=os.environ | environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CardError(f"{' '.join(words[:8])}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def made(said: Namespace) -> Iterator[str]:
    """What to do with it, in words."""
    wifi, login = chosen_wifi(said), chosen_login(said)
    shutil.rmtree(CARD, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        packages = Path(folder)
        deb.built(packages, said.architecture)
        fetch(packages, said.architecture)
        write(CARD, seed(wifi, login, said.hostname), wifi, packages)
    size = sum(path.stat().st_size for path in CARD.rglob("*") if path.is_file()) // 1_000_000
    yield f"Copy everything in {CARD} ({size} MB) to the boot partition of a card with Raspberry Pi OS Lite (64-bit)."
    if wifi:
        kind = "The Pi's own Wi-Fi is" if wifi.is_own else "It joins the Wi-Fi"
        yield f"{kind} {wifi.name}" + (f", password {wifi.password}." if wifi.is_own else ".")
    yield f"{login.name} may log in." if login else "No user can log in: add one with --user or --ssh-key."
    if said.image:
        finished = release.DIST / f"{deb.PACKAGE}-{__version__}.img.xz"
        into_image(CARD, said.image, finished)
        offer = finished.with_name("os_list.json")
        offer.write_text(manifest(finished, said.url or finished.as_uri()), encoding="utf-8")
        finished.with_suffix("").unlink()
        yield f"Or flash {finished}; rpi-imager --repo {offer} offers it."


def main() -> int:
    try:
        release.DIST.mkdir(exist_ok=True)
        for line in made(arguments().parse_args()):
            print(line)
    except (CardError, OSError, release.ReleaseError) as problem:
        print(f"no card: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
