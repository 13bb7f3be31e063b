"""A card of `make card`: the system is fresh, its boot partition has our folder, and cloud-init does the rest.

The guest is plain Debian, whose image lacks cloud-init: it is installed first, and set up as on Raspberry Pi OS.
"""

import shutil
import tempfile
from pathlib import Path

from tools import card, deb
from tools.fresh_debian import AS_ON_A_PI, NETWORK
from tools.virtual_pi.machine import Start
from tools.virtual_pi.scenes.installing import HEADLINE
from tools.virtual_pi.stage import PATIENCE_S, Stage
from tools.virtual_pi.workshop import run

CLOUD_INIT = ("cloud-init", "netplan.io", "network-manager")
SERVICE = "companion@companion.service"
BROUGHT, SIZE = "/brought", "400M"
"""A disk with the folder, and with cloud-init's packages."""
FETCH = f"""\
set -e
rm -f /etc/apt/sources.list.d/*
mkdir -p {BROUGHT}
mount -o ro /dev/vdc {BROUGHT}
cp -r {BROUGHT}/card/. /boot/firmware
echo "deb [trusted=yes] file:{BROUGHT}/cloud-init ./" >/etc/apt/sources.list
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends {" ".join(CLOUD_INIT)}
: >/etc/apt/sources.list
"""


def from_a_card(stage: Stage) -> None:
    """A fresh system with the folder of `make card` on its boot partition: at its first start it becomes a table."""
    _set_up(stage)
    _first_start(stage)


def _set_up(stage: Stage) -> None:
    with stage.on(Start(disks=_disk(stage.place))) as guest:
        guest.must("systemctl is-system-running --wait || :")
        guest.must(FETCH, within_s=PATIENCE_S)
        for name, text in AS_ON_A_PI.items():
            if not name.startswith("boot/"):
                guest.must(f"mkdir -p $(dirname /{name}) && cat >/{name} <<'END'\n{text}END")
        guest.must("sync; cloud-init clean; umount /brought; sync")
        guest.switch_off()


def _first_start(stage: Stage) -> None:
    """Without that disk, and without a network."""
    with stage.on() as guest:
        guest.awaits("systemctl is-enabled companion-card && pgrep -x dpkg", within_s=PATIENCE_S)
        guest.cut_power()
    stage.saw("cloud-init has started the installation from the boot partition; the power failed in the middle of it.")
    with stage.on() as guest:
        guest.awaits("systemctl is-enabled companion@companion", within_s=PATIENCE_S)
        stage.reads(*HEADLINE)
        stage.at_rest()
        took_s = guest.must("cut -d' ' -f1 /proc/uptime")
        stage.saw(
            "Switched on again, it goes on by itself, and the panel shows the start screen. That was "
            f"{float(took_s):.0f} s after the kernel began, by the guest's clock; there is no network.",
            stage.keep_picture("first-start"),
        )
        table = guest.must("cat /var/lib/companion/.local/share/companion/table.toml")
        assert "[[reader]]" in table, table
        assert NETWORK.name in table, table
        point = guest.must("cat /run/NetworkManager/system-connections/netplan-wlan0-*")
        assert "mode=ap" in point, point
        stage.saw("The reader was found, and NetworkManager has the access point; there is no radio to try it with.")
        began = guest.must(f"systemctl show -p ExecMainPID {SERVICE}")
        guest.must(
            f"DEBIAN_FRONTEND=noninteractive dpkg -i /boot/firmware/companion/{deb.PACKAGE}_*.deb", within_s=PATIENCE_S
        )
        guest.awaits(f"systemctl is-active {SERVICE}")
        assert guest.must(f"systemctl show -p ExecMainPID {SERVICE}") != began
        stage.reads(*HEADLINE)
        stage.saw("Installed again as an update is, the package starts the running table again.")


def _disk(place: Path) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory(dir=place) as name:
        folder, packages = Path(name) / "brought", Path(name) / "packages"
        for each in (folder / "cloud-init", packages):
            each.mkdir(parents=True)
        deb.built(packages, "arm64")
        card.fetch(packages, "arm64")
        card.write(folder / "card", card.seed(NETWORK, None), NETWORK, packages)
        card.fetch(folder / "cloud-init", "arm64", CLOUD_INIT, spared=())
        card.index(folder / "cloud-init")
        disk = place / "brought.raw"
        run("mke2fs", "-q", "-t", "ext4", "-d", folder, disk, SIZE)
        shutil.rmtree(folder)
    return ("-drive", f"file={disk},if=virtio,format=raw,readonly=on")
