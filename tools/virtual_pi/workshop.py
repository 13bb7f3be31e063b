"""Where the guest is made and runs: a Debian 13 of this machine's own kind, in a folder beside the guest's disk.

It has the guest's kernel, a compiler for modules of it, and a QEMU that emulates a good deal quicker than Debian 12's.
Nothing of it is installed on this machine.
"""

import hashlib
import shutil
import subprocess
from pathlib import Path

from tools.trixie import clear

SUITE = "trixie"
PACKAGES = (
    *("gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "make", "kmod", "xz-utils", "cpio", "device-tree-compiler"),
    *("qemu-system-arm", "ipxe-qemu"),
    *("passwd", "perl-base", "python3-minimal", "systemd", "udev", "openssl"),
)
"""The last line: programs that set the guest's system up (system.py)."""
KERNEL = """\
full=$(apt-cache depends linux-image-arm64-16k:arm64 | sed -n "s/.*Depends: linux-image-\\([^:]*\\).*/\\1/p")
common=${full%-arm64-16k}
apt-get -qq -y install "linux-kbuild-$common"
cd /var/tmp
apt-get -qq download "linux-headers-$full:arm64" "linux-headers-$common-common" "linux-image-$full:arm64"
for headers in linux-headers-*.deb; do dpkg-deb -x "$headers" /; done
dpkg-deb -x linux-image-*.deb /kernel
rm ./*.deb
ln -s usr/lib /kernel/lib
depmod -b /kernel "$full"
"""
"""The guest's kernel and its headers, unpacked only: as packages they would bring a compiler that is an ARM program."""
BUILD = """\
make -s -C /usr/src/linux-headers-*-arm64-16k M=/build ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- modules
aarch64-linux-gnu-gcc -O2 -Wall -Wextra -o /build/cable /build/cable.c
aarch64-linux-gnu-gcc -O2 -Wall -Wextra -static -o /build/init /build/init.c
aarch64-linux-gnu-gcc -O2 -Wall -Wextra -static -o /build/lean /build/lean.c
"""
FIRST = "virtio_pci virtio_blk ext4"
"""The modules that a disk needs. With all that they need themselves, unpacked, they are the initrd."""
INITRD = f"""\
rm -rf /initrd && mkdir -p /initrd/dev /initrd/proc /initrd/disk && cd /initrd
cp /build/init . && mknod dev/console c 5 1
modprobe -d /kernel -S "$(ls /kernel/lib/modules)" -a --show-depends {FIRST} | while read -r kind module; do
    [ "$kind" = insmod ] || continue
    name=$(basename "$module" .xz)
    [ -e "$name" ] || echo "/$name" >>modules
    case $module in *.xz) xz -dc "$module" ;; *) cat "$module" ;; esac >"$name"
done
test -s modules
find . | cpio --quiet -o -H newc >/initrd.cpio
"""
MODEL, REVISION = "Raspberry Pi 5 Model B Rev 1.0", "c04170"
POSE = f"""\
cd /tmp
fdtput pi.dtb / model -t s "{MODEL}"
fdtput pi.dtb / compatible -t s raspberrypi,5-model-b brcm,bcm2712
fdtput -c pi.dtb /system
fdtput pi.dtb /system linux,revision -t x {REVISION}
fdtput -r pi.dtb /gpio-keys
fdtput -r pi.dtb /pl061@9030000
"""
"""A device tree that says what a Pi 5's firmware says, and has no header but the one that a Pi has."""
BOARD = ("-M", "virt,gic-version=3", "-cpu", "cortex-a76", "-smp", "1", "-m", "1024")
"""One core of a Pi 5: of two, one would often wait busily for a lock of the other while our machine lets that sleep."""


class Workshop:
    """`folder` is made if it is not there, which takes a minute or two."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        if not folder.exists():
            fresh = folder.with_name("workshop.new")
            clear(fresh)
            kernel = f"--customize-hook=chroot \"$1\" sh -ec '{KERNEL}'"
            kinds = ("--architectures=amd64,arm64", "--variant=minbase", '--aptopt=Apt::Install-Recommends "false"')
            run("mmdebstrap", "--quiet", *kinds, f"--include={','.join(PACKAGES)}", kernel, SUITE, fresh)
            fresh.rename(folder)

    @staticmethod
    def name() -> str:
        """Of the folder: another recipe has another one."""
        made_of = " ".join((SUITE, *PACKAGES, KERNEL))
        return f"workshop-{hashlib.sha256(made_of.encode()).hexdigest()[:12]}"

    @property
    def kernel(self) -> Path:
        """A folder with boot/vmlinuz-… and lib/modules."""
        return self.root / "kernel"

    def qemu(self) -> list[str]:
        """The command to run it by, with its own libraries and files, and out here."""
        libraries, data = self.root / "usr/lib/x86_64-linux-gnu", self.root / "usr/share/qemu"
        loader = (self.root / "lib64/ld-linux-x86-64.so.2", "--library-path", libraries)
        return [*map(str, loader), str(self.root / "usr/bin/qemu-system-aarch64"), "-L", str(data), *BOARD]

    def surroundings(self) -> dict[str, str]:
        """Where it finds parts of itself."""
        return {"QEMU_MODULE_DIR": str(self.root / "usr/lib/x86_64-linux-gnu/qemu")}

    def built(self, sources: Path) -> Path:
        """Modules, programs and the initrd's first process, from these sources: a folder with them."""
        folder = self.root / "build"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sources, folder, ignore=shutil.ignore_patterns("__pycache__"))
        self._inside(BUILD)
        return folder

    def initrd(self) -> Path:
        """Of what was built."""
        self._inside(INITRD)
        return self.root / "initrd.cpio"

    def device_tree(self) -> Path:
        """What a Pi 5 says of itself, in the tree of the board that QEMU emulates."""
        tree = self.root / "tmp/pi.dtb"
        told = [*self.qemu(), "-M", f"dumpdtb={tree}", "-display", "none"]
        run("env", *(f"{name}={value}" for name, value in self.surroundings().items()), *told)
        self._inside(POSE)
        return tree

    def _inside(self, script: str) -> None:
        mounted = 'mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" && exec chroot "$1" sh -ec "$2"'
        run("unshare", "--mount", "sh", "-c", mounted, "sh", self.root, script)


def run(*words: str | Path) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))[:200]} …\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout
