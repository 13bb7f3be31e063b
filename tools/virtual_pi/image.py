"""The guest's disk: a fresh system, as a card is when Imager has written it. Made once, then kept."""

import fcntl
import hashlib
import os
import platform
import shutil
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.install.layout import EXTRAS
from tools.trixie import ROOT, CannotError, cache
from tools.virtual_pi import system
from tools.virtual_pi.machine import INITRD, TREE, USER, VMLINUZ
from tools.virtual_pi.workshop import Workshop, run

TOOLS = {
    "mmdebstrap": "mmdebstrap",
    "arch-test": "arch-test",
    "qemu-aarch64-static": "qemu-user-static",
    "update-binfmts": "binfmt-support",
    "mke2fs": "e2fsprogs",
    "qemu-img": "qemu-utils",
    "cc": "gcc libc6-dev",
}
INSIDE = Path(__file__).with_name("guest")
CLOCK = Path(__file__).with_name("slow_clock.c")
FONTS = "usr/share/fonts/truetype/dejavu"
DISK_SIZE = "4G"
CARD, WHEELS = "card", "wheels"

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
systemctl mask serial-getty@hvc0.service systemd-timesyncd.service apt-daily.timer apt-daily-upgrade.timer man-db.timer
ln -s /opt/vm/board /usr/bin/dtparam
"""


def made() -> Path:
    """A folder with the guest's disk, what it starts from, and letters. Raises CannotError where it cannot be made."""
    if os.geteuid():
        raise CannotError("only root can make another system's disk")
    if platform.machine() != "x86_64":
        raise CannotError("the workshop in which the guest runs is an x86-64 one")
    for tool, package in TOOLS.items():
        if shutil.which(tool) is None:
            raise CannotError(f"there is no {tool} (Debian: {package})")
    image = _place()
    image.mkdir(parents=True, exist_ok=True)
    with (image / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of two at once, one makes it and the other waits
        state = image / "made-of"
        if not state.exists() or state.read_text() != _recipe():
            state.unlink(missing_ok=True)
            _make(image)
            forget_others(image)
            state.write_text(_recipe())
        run("cc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", image / "slow_clock.so", CLOCK)
    return image


def _recipe() -> str:
    """What the disk, everything on it and the saved machine are, in a word: one of another recipe is made again."""
    here = (Path(__file__).with_name(name) for name in ("image.py", "machine.py", "system.py", "workshop.py"))
    parts = [path.read_bytes() for path in (*here, *sorted(INSIDE.iterdir())) if path.is_file()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _make(image: Path) -> None:
    for seen in image.glob("seen-*.json"):  # on another disk
        seen.unlink()
    with ThreadPoolExecutor() as beside:  # most of it waits for what is being fetched
        wheels = beside.submit(_wheels, image / CARD / WHEELS)
        packages = beside.submit(system.fetched, image) if not is_fetched() else None
        shop = workshop(image)
        built = shop.built(INSIDE)
        if packages:
            system.settled(packages.result(), shop)
        wheels.result()
    root = image / "root"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    run("tar", "-xf", system.archive(image), "-C", root, "--exclude=./dev/*")
    shutil.copytree(shop.kernel / "usr/lib/modules", root / "usr/lib/modules", symlinks=True)
    (root / "opt/vm").mkdir()
    for name in ("agent.py", "board", "cable", "lean", "vspi.ko", "vgpio.ko"):
        shutil.copy(built / name, root / "opt/vm")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "card").mkdir()
    mounted = 'mount -t proc proc "$1/proc" && exec chroot "$1" sh -c "$2"'
    run("unshare", "--mount", "sh", "-c", mounted, "sh", root, SETTLE)
    (image / "disk.raw").unlink(missing_ok=True)
    run("mke2fs", "-q", "-t", "ext4", "-d", root, image / "disk.raw", DISK_SIZE)
    starts_from = {
        VMLINUZ: next((shop.kernel / "boot").glob("vmlinuz-*")),
        INITRD: shop.initrd(),
        TREE: shop.device_tree(),
    }
    for name, path in starts_from.items():
        shutil.copy(path, image / name)
    shutil.copytree(root / FONTS, image / "fonts", dirs_exist_ok=True)
    shutil.rmtree(root)
    (image / "disk.qcow2").unlink(missing_ok=True)
    run("qemu-img", "create", "-q", "-f", "qcow2", "-b", image / "disk.raw", "-F", "raw", image / "disk.qcow2")


def forget_others(image: Path) -> None:
    """What was made by recipes before this one: half a gigabyte, and more."""
    for path in (*image.glob("*.tar"), *image.glob("workshop*")):
        if path.name not in (system.archive(image).name, Workshop.name()):
            path.unlink() if path.is_file() else shutil.rmtree(path)


def workshop(image: Path) -> Workshop:
    return Workshop(image / Workshop.name())


def is_fetched() -> bool:
    """Whether Debian itself is here already. Only without it a run shows how long the first one takes."""
    return system.archive(_place()).exists()


def _place() -> Path:
    return cache() / "virtual-pi"


# --- What is carried into it ----------------------------------------------------------------------------------


def card(image: Path) -> Path:
    """The guest's second disk: this checkout as git knows it, and every wheel that pip will ask for."""
    folder, disk = image / CARD, image / "card.raw"
    folder.mkdir(exist_ok=True)
    _checkout(folder / "companion.tar")
    _wheels(folder / WHEELS)
    disk.unlink(missing_ok=True)
    run("mke2fs", "-q", "-t", "ext4", "-d", folder, disk, "256M")
    return disk


def _wheels(into: Path) -> None:
    """For the guest's Python, and nothing that has to be compiled."""
    listed = run(sys.executable, "-c", NEEDED, ROOT / "pyproject.toml", EXTRAS).split()
    done = into / "of"
    if done.exists() and done.read_text() == " ".join(listed):
        return
    into.mkdir(parents=True, exist_ok=True)
    systems = [
        word
        for tag in ("manylinux_2_28", "manylinux2014", "manylinux_2_17")
        for word in ("--platform", f"{tag}_aarch64")
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
for name in sys.argv[2].split(","):
    project["dependencies"] += extras[name]
for line in project["dependencies"]:
    library, _, where = line.partition(";")
    if "darwin" not in where:
        print(library.replace(" ", ""))
"""


def _checkout(into: Path) -> None:
    """What git knows of this checkout, as it lies there."""
    names = [name for name in run("git", "-C", ROOT, "ls-files", "-z").split("\0") if name]
    with tarfile.open(into, "w") as tar:
        for name in names:
            if (ROOT / name).is_file():
                tar.add(ROOT / name, name)
