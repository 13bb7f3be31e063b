"""The guest's system: an arm64 Debian of today, made of its packages by their own scripts, on a machine that is no ARM.

Whatever needs no ARM processor is done without one. The packages are unpacked by this machine's own dpkg. Where their
scripts call a program that the workshop has, too, they get the workshop's: the same Debian's, built for this machine.
Under emulation all of it would take seven minutes of a processor. This way it is one, most of it for unpacking.
"""

import hashlib
import shutil
from pathlib import Path

from tools.trixie import clear
from tools.virtual_pi.workshop import SUITE, Workshop, run

PACKAGES = (
    *("systemd-sysv", "udev", "dbus", "libpam-systemd", "make", "passwd", "login", "sudo", "kmod", "kbd", "iproute2"),
    *("procps", "e2fsprogs", "python3", "python3-venv", "python3-spidev", "cage", "foot", "fonts-dejavu-core"),
    *("libgl1-mesa-dri", "pcscd", "libccid", "python3-pyscard", "apt"),
)
"""Of what `make install` asks for all is there: the guest has no network. There is no compiler."""
UNREAD = tuple(f"usr/share/{name}" for name in ("doc", "man", "info", "locale", "lintian", "bug"))
"""Files that are not needed inside."""
FOREIGN = Path("/proc/sys/fs/binfmt_misc")
"""How the kernel is told who runs another processor's programs."""
FETCHED = "var/cache/apt/archives"
LEFT_OUT = ("dpkg", "ldconfig")
"""Programs that begin like this know for which processor they were built, and think that everything is for it."""
ELF = b"\x7fELF"
SETTLE = f"""\
set -e
root=$1 shop=$2
shift 2
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin
printf '#!/bin/sh\\nexit 101\\n' >"$root/usr/sbin/policy-rc.d" # nothing is started in there
chmod 755 "$root/usr/sbin/policy-rc.d"
dpkg --root="$root" --force-depends --force-unsafe-io --unpack "$root/{FETCHED}"/*.deb
mkdir -p "$root/lib64" "$root/usr/lib/x86_64-linux-gnu"
mount --bind "$shop/usr/lib64" "$root/lib64"
mount --bind "$shop/usr/lib/x86_64-linux-gnu" "$root/usr/lib/x86_64-linux-gnu"
for program; do mount --bind "$shop/$program" "$root/$program"; done
chroot "$root" dpkg --force-depends --configure base-passwd # whose users others' files belong to
chroot "$root" dpkg --configure -a
"""
MADE_FOR_THAT = ("usr/sbin/policy-rc.d", "lib64", "usr/lib/x86_64-linux-gnu", FETCHED, "var/lib/apt/lists")


def archive(folder: Path) -> Path:
    """Where it is kept, as a tar file."""
    made_of = " ".join((SUITE, *PACKAGES, *UNREAD, SETTLE))
    return folder / f"system-{hashlib.sha256(made_of.encode()).hexdigest()[:12]}.tar"


def fetched(folder: Path) -> Path:
    """Its packages, unpacked so far that dpkg can be called in there."""
    root = folder / "system.new"
    clear(root)
    choice = ("--arch=arm64", "--variant=extract", '--aptopt=Apt::Install-Recommends "false"')
    kept = "--skip=download/empty,extract/unlink,cleanup/apt"
    wanted = ("--include=?essential", f"--include={','.join(PACKAGES)}")
    run("mmdebstrap", "--quiet", *choice, kept, *wanted, SUITE, root)
    return root


def settled(root: Path, shop: Workshop) -> Path:
    """What was fetched, set up and packed."""
    _lets_arm_run()
    run("unshare", "--mount", "sh", "-c", SETTLE, "sh", root, shop.root, *shared(root, shop.root))
    for name in (*MADE_FOR_THAT, *UNREAD):
        path = root / name
        path.unlink() if path.is_file() else shutil.rmtree(path)
    fresh = root.with_suffix(".tar")
    run("tar", "-C", root, "--one-file-system", "-cf", fresh, ".")
    shutil.rmtree(root)
    return fresh.rename(archive(root.parent))


def shared(root: Path, shop: Path) -> list[str]:
    """Programs that both have."""
    both = (path for folder in ("usr/bin", "usr/sbin") for path in sorted((shop / folder).iterdir()))
    return [
        str(name)
        for path in both
        if not path.name.startswith(LEFT_OUT)
        and all(_is_program(place / (name := path.relative_to(shop))) for place in (shop, root))
    ]


def _is_program(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(ELF)) == ELF


def _lets_arm_run() -> None:
    """Where systemd does not care for it: the kernel hands ARM programs to qemu-user."""
    if not (FOREIGN / "register").exists():
        run("mount", "-t", "binfmt_misc", "binfmt_misc", FOREIGN)
    if not (FOREIGN / "qemu-aarch64").exists():
        run("update-binfmts", "--enable", "qemu-aarch64")
