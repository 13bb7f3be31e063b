"""The guest's disk: a fresh system, as a card is when Imager has written it. Made once, then kept."""

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from tools.trixie import ROOT, CannotError, cache
from tools.virtual_pi.machine import USER

SUITE = "trixie"
PACKAGES = (
    *("systemd-sysv", "udev", "dbus", "libpam-systemd", "linux-image-amd64", "linux-headers-amd64", "initramfs-tools"),
    *("zstd", "gcc", "libc6-dev", "make", "passwd", "login", "sudo", "kmod", "kbd", "iproute2", "procps", "e2fsprogs"),
    *("python3", "python3-venv", "python3-spidev", "cage", "foot", "fonts-dejavu-core", "libgl1-mesa-dri"),
)
"""Of what `make install` asks for all is there: the guest has no network."""
TOOLS = {
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "cc": "gcc libc6-dev",
}
INSIDE = Path(__file__).with_name("guest")
CLOCK = Path(__file__).with_name("slow_clock.c")
FONTS = "usr/share/fonts/truetype/dejavu"
DISK_SIZE = "4G"

AGENT = """\
[Unit]
Description=Does what the outside says
After=systemd-udevd.service
[Service]
ExecStart=/usr/bin/python3 /opt/vm/agent.py
Restart=always
RestartSec=1
[Install]
WantedBy=basic.target
"""
BOARD = """\
[Unit]
Description=What a Pi has soldered on
DefaultDependencies=no
After=systemd-udevd.service local-fs.target
Before=multi-user.target
[Service]
ExecStart=/opt/vm/board start
Restart=always
RestartSec=1
[Install]
WantedBy=sysinit.target
"""
CONFIG_TXT = """\
# For more options and information see http://rptl.io/configtxt
#dtparam=i2c_arm=on
#dtparam=spi=on
dtparam=audio=on
camera_auto_detect=1
display_auto_detect=1
dtoverlay=vc4-kms-v3d
[cm5]
dtoverlay=dwc2,dr_mode=host
[all]
"""
"""Of today's Raspberry Pi OS, as far as it matters here."""
FILES = {
    "etc/systemd/system/companion-agent.service": AGENT,
    "etc/systemd/system/companion-board.service": BOARD,
    "boot/firmware/config.txt": CONFIG_TXT,
    "etc/udev/rules.d/99-com.rules": (
        'SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"\nSUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"\n'
        'SUBSYSTEM=="virtio-ports", ATTR{name}=="hands", MODE="0666"\n'
    ),
    "etc/fstab": "/dev/vda / ext4 defaults 0 1\n/dev/vdb /card ext4 ro,nofail 0 0\n",
    "etc/pip.conf": "[global]\nno-index = true\nfind-links = /card/wheels\n",
    "etc/initramfs-tools/conf.d/small": "MODULES=list\nCOMPRESS=zstd\n",
    "etc/initramfs-tools/modules": "virtio_pci\nvirtio_blk\next4\n",
    "etc/hostname": "table\n",
    "etc/hosts": "127.0.0.1 localhost table\n",
    # Without a graphics driver the panel is drawn by the processor.
    "etc/systemd/system/companion@.service.d/guest.conf": "[Service]\nEnvironment=WLR_RENDERER=pixman\n",
    "etc/machine-id": "",
    f"etc/sudoers.d/{USER}": f"{USER} ALL=(ALL) NOPASSWD: ALL\n",
}
SETTLE = f"""\
set -e
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
groupadd -r spi; groupadd -r gpio; useradd -m -s /bin/bash {USER}
systemctl enable companion-agent.service companion-board.service
systemctl mask systemd-timesyncd.service apt-daily.timer apt-daily-upgrade.timer man-db.timer
gcc -O2 -Wall -Wextra -o /opt/vm/cable /opt/vm/cable.c
ln -s /opt/vm/board /usr/bin/dtparam
make -s -C /lib/modules/*/build M=/opt/vm modules
update-initramfs -u -k all
"""


def made() -> Path:
    """A folder with the guest's disk, vmlinuz, initrd and letters. Raises CannotError where it cannot be made."""
    if os.geteuid():
        raise CannotError("only root can make another system's disk")
    if platform.machine() != "x86_64":
        raise CannotError("the guest is an x86-64 one")
    for tool, package in TOOLS.items():
        if shutil.which(tool) is None:
            raise CannotError(f"there is no {tool} (Debian: {package})")
    image = cache() / "virtual-pi"
    image.mkdir(parents=True, exist_ok=True)
    with (image / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of two at once, one makes it and the other waits
        state = image / "made-of"
        if not state.exists() or state.read_text() != _recipe():
            state.unlink(missing_ok=True)
            _make(image)
            state.write_text(_recipe())
        run("cc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", image / "slow_clock.so", CLOCK)
    return image


def _recipe() -> str:
    """What this file and everything inside are, in a word: a disk of another recipe is made anew."""
    parts = [Path(__file__).read_bytes(), *(path.read_bytes() for path in sorted(INSIDE.iterdir()) if path.is_file())]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _make(image: Path) -> None:
    root = image / "root"
    for seen in image.glob("seen*.json"):  # on another disk
        seen.unlink()
    archive = image / f"{hashlib.sha256(' '.join((SUITE, *PACKAGES)).encode()).hexdigest()[:12]}.tar"
    if not archive.exists():
        fresh = image / "new.tar"
        choice = ("--variant=apt", '--aptopt=Apt::Install-Recommends "false"', f"--include={','.join(PACKAGES)}")
        run("mmdebstrap", "--quiet", *choice, SUITE, fresh)
        fresh.rename(archive)
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    run("tar", "-xf", archive, "-C", root, "--exclude=./dev/*")
    shutil.copytree(INSIDE, root / "opt/vm", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "card").mkdir()
    mounted = 'mount -t proc proc "$1/proc" && exec chroot "$1" sh -c "$2"'
    run("unshare", "--mount", "sh", "-c", mounted, "sh", root, SETTLE)
    (image / "disk.raw").unlink(missing_ok=True)
    run("mke2fs", "-q", "-t", "ext4", "-d", root, image / "disk.raw", DISK_SIZE)
    for name in ("vmlinuz", "initrd.img"):
        shutil.copy(next((root / "boot").glob(f"{name}-*")), image / name.removesuffix(".img"))
    shutil.copytree(root / FONTS, image / "fonts", dirs_exist_ok=True)
    shutil.rmtree(root)
    (image / "disk.qcow2").unlink(missing_ok=True)
    run("qemu-img", "create", "-q", "-f", "qcow2", "-b", image / "disk.raw", "-F", "raw", image / "disk.qcow2")


# --- What is carried into it ----------------------------------------------------------------------------------


def card(image: Path) -> Path:
    """The guest's second disk: this checkout as git knows it, and every wheel that pip will ask for."""
    folder, disk = image / "card", image / "card.raw"
    _checkout(folder / "companion")
    _wheels(folder / "wheels")
    disk.unlink(missing_ok=True)
    run("mke2fs", "-q", "-t", "ext4", "-d", folder, disk, "256M")
    return disk


def _wheels(into: Path) -> None:
    """For the guest's Python, and nothing that has to be compiled."""
    listed = run(sys.executable, "-c", NEEDED, ROOT / "pyproject.toml").split()
    done = into / "of"
    if done.exists() and done.read_text() == " ".join(listed):
        return
    into.mkdir(parents=True, exist_ok=True)
    systems = [
        word
        for tag in ("manylinux_2_28", "manylinux2014", "manylinux_2_17")
        for word in ("--platform", f"{tag}_x86_64")
    ]
    there = ("--python-version", "3.13", "--only-binary=:all:", *systems, "-c", str(ROOT / "constraints.txt"))
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-q", "-d", str(into))
    run(*pip, *there, *listed, "hatchling", "pip")
    run(*pip, *there, "--no-deps", "mfrc522")
    done.write_text(" ".join(listed))


NEEDED = """\
import sys, tomllib
project = tomllib.load(open(sys.argv[1], "rb"))["project"]
extras = project["optional-dependencies"]
for line in project["dependencies"] + extras["pi"] + extras["phones"]:
    print(line.partition(";")[0].replace(" ", ""))
"""


def _checkout(into: Path) -> None:
    """What git knows of this checkout, as it lies there."""
    shutil.rmtree(into, ignore_errors=True)
    for name in run("git", "-C", ROOT, "ls-files", "-z").split("\0"):
        if name and (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name)


def run(*words: str | Path) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))[:200]} …\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout
