"""The card of `make card`: what cloud-init reads, what first-boot finds, and an image with all of it.

`make fresh-debian` lets cloud-init itself read it and install from it.
"""

import hashlib
import json
import lzma
import re
import shutil
import stat
import subprocess
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion import __version__
from companion.toml import read_toml
from tools import card, deb, release

OWN = card.Wifi("Game night", 'mammoth "and" rhino', "DE", is_own=True)
HOMES = card.Wifi("Böhme: 2. Stock", "12345678", "NO", is_own=False)
ANNA = card.Login("anna", "$6$salt$hash", "ssh-ed25519 AAAA anna")


def read(name: str, *given: Any) -> Any:
    return yaml.safe_load(card.seed(*given)[name])


def options(*words: str) -> Namespace:
    return card.arguments().parse_args(words)


# --- What cloud-init reads ------------------------------------------------------------------------------------


def test_the_pi_makes_a_wifi_of_its_own() -> None:
    wifi = read("network-config", OWN, None)["network"]["wifis"]["wlan0"]
    assert wifi["access-points"] == {OWN.name: {"mode": "ap", "password": OWN.password}}
    assert wifi["regulatory-domain"] == "DE"


def test_or_it_joins_one_and_a_cable_always_works() -> None:
    network = read("network-config", HOMES, None)["network"]
    assert network["wifis"]["wlan0"]["access-points"] == {HOMES.name: {"password": HOMES.password}}
    assert network["wifis"]["wlan0"]["dhcp4"] is True
    assert "wifis" not in read("network-config", None, None)["network"]
    assert network["ethernets"] == {"eth0": {"dhcp4": True, "optional": True}}


def test_norway_is_a_country() -> None:
    """NO without quotes is a no in YAML."""
    assert read("network-config", HOMES, None)["network"]["wifis"]["wlan0"]["regulatory-domain"] == "NO"


def test_there_is_a_user_so_that_the_pi_asks_for_none_and_no_one_can_log_in_unless_told() -> None:
    (user,) = read("user-data", None, None)["users"]
    assert user["lock_passwd"] is True
    assert {"passwd", "ssh_authorized_keys"}.isdisjoint(user)
    (anna,) = read("user-data", None, ANNA)["users"]
    assert (anna["name"], anna["passwd"], anna["lock_passwd"]) == ("anna", ANNA.password, False)
    assert anna["ssh_authorized_keys"] == [ANNA.key]
    assert card.seed(None, ANNA)["user-data"].startswith("#cloud-config\n")


def test_imager_may_replace_user_data_and_network_config_and_the_table_is_installed_all_the_same() -> None:
    files = card.seed(OWN, ANNA)
    assert [name for name, text in files.items() if "first-boot" in text] == ["vendor-data"]
    assert files["vendor-data"].startswith("#!/bin/sh\n")


# --- What is chosen -------------------------------------------------------------------------------------------


def test_without_a_word_it_is_an_access_point_with_a_password_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    one, two = card.chosen_wifi(options()), card.chosen_wifi(options())
    assert one is not None
    assert two is not None
    assert (one.name, one.country, one.is_own) == ("Companion", "DE", True)
    assert one.password != two.password
    assert len(one.password) == 12


def test_without_a_country_there_is_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    with pytest.raises(card.CardError, match="country"):
        card.chosen_wifi(options())
    assert card.chosen_wifi(options("--no-wifi")) is None


def test_an_image_has_no_password_that_all_who_download_it_would_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert card.chosen_wifi(options("--image", "raspios.img")) is None
    assert card.chosen_login(options("--image", "raspios.img")) is None


def test_a_password_that_is_too_short_for_a_wifi_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card, "_secret", lambda _asked: "short")
    with pytest.raises(card.CardError, match="8 to 63"):
        card.chosen_wifi(options("--wifi", "Home", "--country", "DE"))


# --- What first-boot finds ------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With one package, which is not ours."""
    root, packages = tmp_path / "root", tmp_path / "packages"
    (root / "DEBIAN").mkdir(parents=True)
    packages.mkdir()
    control = (
        "Package: thing\nVersion: 1:2.0\nArchitecture: all\nMaintainer: Anna <a@b.c>\nDescription: a thing\n more\n"
    )
    (root / "DEBIAN/control").write_text(control)
    words = ("dpkg-deb", "--build", str(root), str(packages / "thing_1%3a2.0_all.deb"))
    subprocess.run(words, check=True, capture_output=True)
    card.write(tmp_path / "card", card.seed(OWN, None), OWN, packages)
    return tmp_path / "card"


def test_apt_can_read_the_folder(folder: Path) -> None:
    (package,) = (folder / "companion").glob("*.deb")
    listed = (folder / "companion/Packages").read_text()
    assert package.name == "thing_1+2.0_all.deb"  # a FAT partition takes no colon
    assert f"Filename: ./{package.name}\nSize: {package.stat().st_size}\n" in listed
    assert f"SHA256: {hashlib.sha256(package.read_bytes()).hexdigest()}\n" in listed
    assert "Version: 1:2.0\n" in listed


def test_the_table_shows_phones_the_code_of_the_wifi(folder: Path) -> None:
    told = read_toml((folder / "companion/wifi.toml").read_text())
    assert told == {"wifi": {"name": OWN.name, "password": OWN.password}}
    assert (folder / "companion/country").read_text() == "DE\n"


def test_first_boot_installs_the_package_and_starts_the_service_that_it_brings(folder: Path) -> None:
    script = (folder / "companion/first-boot").read_text()
    assert re.search(rf"^    apt-get .* install .* {deb.PACKAGE}$", script, re.MULTILINE)
    assert "systemctl enable companion@companion.service" in script
    assert (folder / "companion/first-boot").stat().st_mode & stat.S_IXUSR


def test_first_boot_begins_again_after_a_power_cut_until_the_table_is_there(folder: Path) -> None:
    """Its service goes only after everything else is done."""
    script = (folder / "companion/first-boot").read_text()
    assert script.splitlines()[-5:] == ["packages", "spi", "radio", "settings", "table"]
    assert script.index("systemctl enable companion-card.service") < script.index(
        "systemctl disable companion-card.service"
    )
    service = script.partition("\nservice() {")[2].partition("\n}")[0]
    assert service.index("systemctl enable") < service.index("sync") < service.index("systemctl start")
    table = script.partition("\ntable() {")[2].partition("\n}")[0]
    assert table.index("enable companion@companion") < table.index("disable companion-card")


# --- An image -------------------------------------------------------------------------------------------------


def image(path: Path) -> Path:
    """A disk with one FAT partition, which begins after a megabyte, as small as FAT32 can be."""
    at, sectors = 2048, 70_000
    table = bytearray(512)
    table[446:462] = bytes((0, 0, 0, 0, 0x0C, 0, 0, 0)) + at.to_bytes(4, "little") + sectors.to_bytes(4, "little")
    table[510:] = b"\x55\xaa"
    with path.open("wb") as file:
        file.write(table)
        file.truncate((at + sectors) * 512)
    subprocess.run(["mformat", "-i", f"{path}@@{at * 512}", "-F", "-T", str(sectors), "::"], check=True)
    return path


@pytest.mark.skipif(shutil.which("mcopy") is None, reason="there is no mcopy (Debian: mtools)")
def test_an_image_gets_the_folder_and_imager_a_manifest_of_it(folder: Path, tmp_path: Path) -> None:
    official, finished = image(tmp_path / "official.img"), tmp_path / "companion.img.xz"
    card.into_image(folder, official, finished)
    raw = tmp_path / "companion.img"
    inside = subprocess.run(
        ["mtype", "-i", f"{raw}@@{card.boot_offset(raw)}", "::vendor-data"], capture_output=True, text=True, check=True
    )
    assert inside.stdout == (folder / "vendor-data").read_text()
    (entry,) = json.loads(card.manifest(finished, "https://example.org/companion.img.xz"))["os_list"]
    with lzma.open(finished) as unpacked:
        content = unpacked.read()
    assert (entry["extract_size"], entry["extract_sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
    assert entry["image_download_size"] == finished.stat().st_size
    assert entry["init_format"] == "cloudinit-rpi"
    assert entry["icon"] == "https://example.org/companion.svg"
    assert __version__ in entry["name"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", entry["release_date"])


def test_an_image_without_a_boot_partition_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.img").write_bytes(bytes(1024))
    with pytest.raises(card.CardError, match=r"empty\.img has no boot partition"):
        card.boot_offset(tmp_path / "empty.img")


def test_the_icon_that_the_manifest_names_is_in_the_repository() -> None:
    assert (release.ROOT / "hardware/pi/companion.svg").is_file()
