"""The scenes, one after the other, each with its time. The picture of the panel stays in docs/pictures."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from tools.trixie import ROOT, CannotError, cache
from tools.virtual_pi import image
from tools.virtual_pi.machine import Guest, booted

PICTURE = ROOT / "docs/pictures/kiosk.png"
PATIENCE_S = 1800.0
"""For whatever takes longest on a busy machine: pip, under emulation."""


def a_header_and_a_bus(guest: Guest) -> None:
    guest.must("insmod /opt/vm/vspi.ko; insmod /opt/vm/vgpio.ko; modprobe spidev; udevadm settle; ls /dev/spidev0.0")


def make_install(guest: Guest) -> None:
    home = f"/home/{image.USER}/companion"
    guest.must(f"mkdir -p {home} && cp -r /src/. {home} && chown -R {image.USER}: {home}")
    guest.must("cd ~/companion && make install", user=image.USER, within_s=PATIENCE_S)


def the_start_screen_is_seen(guest: Guest) -> None:
    """The program runs in foot, and the picture is no longer one of a black screen."""
    deadline = time.monotonic() + PATIENCE_S
    dark = PICTURE.with_suffix(".dark.png")
    guest.picture(dark)
    while guest.run("pgrep -f 'companion play --kiosk'").status or guest.picture(PICTURE).stat().st_size < 12_000:
        if time.monotonic() > deadline:
            raise AssertionError("nothing is to be seen on the panel")
        time.sleep(5)
    dark.unlink()


def the_doctor_finds_all_well(guest: Guest) -> None:
    guest.must("nohup /opt/companion/bin/python /opt/vm/chips.py >/var/log/chips 2>&1 & sleep 10")
    told = guest.must("companion config --kit one --force >/dev/null; companion doctor", user=image.USER)
    assert "PROBLEM" not in told, told
    assert "an RC522, version 2.0, answers" in told, told
    assert "pins: reached through gpiod" in told, told


SCENES: tuple[Callable[[Guest], None], ...] = (
    a_header_and_a_bus,
    make_install,
    the_start_screen_is_seen,
    the_doctor_finds_all_well,
)


def main() -> int:
    try:
        disk = image.made()
    except CannotError as error:
        print(f"companion: not on this machine: {error}", file=sys.stderr)
        return 1
    image.overlay(disk)
    shares = {"src": image.checkout(cache() / "src"), "wheels": image.wheels(Path(cache() / "wheels"))}
    began_s = time.monotonic()
    with booted(disk, shares) as guest:
        print(f"{time.monotonic() - began_s:6.0f} s  the guest is up", flush=True)
        for scene in SCENES:
            began_s = time.monotonic()
            scene(guest)
            print(f"{time.monotonic() - began_s:6.0f} s  {scene.__name__.replace('_', ' ')}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
