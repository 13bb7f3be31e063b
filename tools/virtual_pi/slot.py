"""A slot for disks, into which one after the other is put, mounted and examined: two thousand of them in a minute.

The same loop device and the same folder serve all of them, with system calls only: starting `mount` and `umount` for
each would take longer than the examination.
"""

import ctypes
import errno
import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.virtual_pi.workshop import run

BLKFLSBUF = 0x1261
CLONE_NEWNS, MS_REC, MS_PRIVATE = 0x0002_0000, 0x4000, 0x0004_0000
"""linux/fs.h, linux/sched.h, linux/mount.h."""
TORN = (errno.EINVAL, errno.EUCLEAN, errno.EBADMSG)
"""What mount says of a file system whose first block is not one, or does not agree with itself."""
_libc = ctypes.CDLL(None, use_errno=True)


class Slot:
    """For disks of this size, in the thread that makes it. `repaired`: how many could not be mounted before that."""

    def __init__(self, size: int) -> None:
        self.repaired = 0
        _be_apart()
        self._place = Path(tempfile.mkdtemp(prefix="companion-slot-", dir="/dev/shm"))
        self._folder, self._file = self._place / "mounted", self._place / "disk"
        self._folder.mkdir()
        with self._file.open("wb") as file:
            file.truncate(size)
        try:
            self._device = run("losetup", "--show", "-f", self._file).strip()
        except BaseException:
            shutil.rmtree(self._place)
            raise

    def close(self) -> None:
        run("losetup", "-d", self._device)
        shutil.rmtree(self._place)

    def __enter__(self) -> "Slot":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def mounted(self, disk: bytes | bytearray) -> Iterator[Path]:
        """Where it cannot be, it is repaired first: Raspberry Pi OS starts with fsck.repair=yes."""
        with self._file.open("r+b") as file:
            file.write(disk)
        self._forget()
        try:
            self._mount()
        except OSError as error:
            if error.errno not in TORN:
                raise
            self.repaired += 1
            subprocess.run(["e2fsck", "-y", self._device], capture_output=True, check=False)  # it says what it found
            self._mount()
        try:
            yield self._folder
        finally:
            _done(_libc.umount(bytes(self._folder)))

    def _forget(self) -> None:
        """Another program may read the device between two disks, and leave blocks of the one before in its cache."""
        with Path(self._device).open("rb", buffering=0) as device:
            fcntl.ioctl(device, BLKFLSBUF)

    def _mount(self) -> None:
        _done(_libc.mount(self._device.encode(), bytes(self._folder), b"ext4", 0, None))


def _be_apart() -> None:
    """From now on mounts of this thread are its own. Otherwise a process that begins with a copy of all mounts, as
    containers do, keeps the disk that is mounted then, and the kernel hands it out in place of the next one."""
    _done(_libc.unshare(CLONE_NEWNS))
    _done(_libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None))


def _done(status: int) -> None:
    if status:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
