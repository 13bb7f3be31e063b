"""The guest's disk: a fresh system, as a card is when Imager has written it. Made once, then kept."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from tools.trixie import ROOT, CannotError, cache

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
}
INSIDE = Path(__file__).with_name("guest")
USER = "anna"

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
FILES = {
    "etc/systemd/system/companion-agent.service": AGENT,
    "etc/udev/rules.d/99-com.rules": (
        'SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"\nSUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"\n'
    ),
    "etc/fstab": (
        "/dev/vda / ext4 defaults 0 1\n"
        "src /src 9p trans=virtio,ro,nofail 0 0\n"
        "wheels /wheels 9p trans=virtio,ro,nofail 0 0\n"
    ),
    "etc/pip.conf": "[global]\nno-index = true\nfind-links = /wheels\n",
    "etc/modules-load.d/guest.conf": "9p\n9pnet_virtio\n",
    "etc/hostname": "table\n",
    "etc/hosts": "127.0.0.1 localhost table\n",
    # Without a graphics driver the panel is drawn by the processor.
    "etc/systemd/system/companion@.service.d/guest.conf": "[Service]\nEnvironment=WLR_RENDERER=pixman\n",
    "etc/machine-id": "",
    f"etc/sudoers.d/{USER}": f"{USER} ALL=(ALL) NOPASSWD: ALL\n",
}
SETTLE = f"""\
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
groupadd -r spi; groupadd -r gpio; useradd -m -s /bin/bash {USER}
systemctl enable companion-agent.service
exec make -C /lib/modules/*/build M=/opt/vm modules
"""


def made() -> Path:
    """A folder with disk.raw, vmlinuz and initrd. Raises CannotError where it cannot be made."""
    if os.geteuid():
        raise CannotError("only root can make another system's disk")
    if platform.machine() != "x86_64":
        raise CannotError("the guest is an x86-64 one")
    for tool, package in TOOLS.items():
        if shutil.which(tool) is None:
            raise CannotError(f"there is no {tool} (Debian: {package})")
    image = cache() / "virtual-pi"
    if not (image / "disk.raw").exists():
        image.mkdir(parents=True, exist_ok=True)
        _make(image)
    return image


def _make(image: Path) -> None:
    archive, root = image / "root.tar", image / "root"
    if not archive.exists():
        no_more = 'Apt::Install-Recommends "false"'
        fresh = image / "root.new.tar"
        _run(
            "mmdebstrap",
            "--quiet",
            "--variant=apt",
            f"--aptopt={no_more}",
            f"--include={','.join(PACKAGES)}",
            SUITE,
            fresh,
        )
        fresh.rename(archive)
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    _run("tar", "-xf", archive, "-C", root, "--exclude=./dev/*")
    shutil.copytree(INSIDE, root / "opt/vm")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for name in ("src", "wheels"):
        (root / name).mkdir()
    mounted = 'mount -t proc proc "$1/proc" && exec chroot "$1" sh -c "$2"'
    _run("unshare", "--mount", "sh", "-c", mounted, "sh", root, SETTLE)
    _run("mke2fs", "-q", "-t", "ext4", "-d", root, image / "disk.new", "4G")
    for name in ("vmlinuz", "initrd.img"):
        shutil.copy(next((root / "boot").glob(f"{name}-*")), image / name.removesuffix(".img"))
    (image / "disk.new").rename(image / "disk.raw")


def overlay(image: Path) -> None:
    """A disk as new, above the one that is kept."""
    (image / "disk.qcow2").unlink(missing_ok=True)
    _run("qemu-img", "create", "-q", "-f", "qcow2", "-b", image / "disk.raw", "-F", "raw", image / "disk.qcow2")


def wheels(into: Path) -> Path:
    """Everything that pip will ask for in the guest: for its Python, and nothing that has to be compiled."""
    into.mkdir(parents=True, exist_ok=True)
    systems = [
        word
        for tag in ("manylinux_2_28", "manylinux2014", "manylinux_2_17")
        for word in ("--platform", f"{tag}_x86_64")
    ]
    there = ("--python-version", "3.13", "--only-binary=:all:", *systems, "-c", str(ROOT / "constraints.txt"))
    listed = _run(sys.executable, "-c", NEEDED, ROOT / "pyproject.toml").split()
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-q", "-d", str(into))
    _run(*pip, *there, *listed, "hatchling", "pip")
    _run(*pip, *there, "--no-deps", "mfrc522")
    return into


NEEDED = """\
import sys, tomllib
project = tomllib.load(open(sys.argv[1], "rb"))["project"]
for line in project["dependencies"] + project["optional-dependencies"]["pi"]:
    print(line.partition(";")[0].replace(" ", ""))
"""


def checkout(into: Path) -> Path:
    """What git knows of this checkout, as it lies there."""
    shutil.rmtree(into, ignore_errors=True)
    for name in _run("git", "-C", ROOT, "ls-files", "-z").split("\0"):
        if name and (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name)
    return into


def _run(*words: str | Path) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))[:200]} …\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout
