"""The computer on which something is installed: its files under a root, its commands, and how either is changed."""

import grp
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

MODEL = "proc/device-tree/model"


class InstallError(Exception):
    """Why it cannot go on, as a sentence for the user."""


class Machine:
    """`root`: where its files begin. Anywhere but at / no command is run, so a test can look at everything."""

    def __init__(self, root: Path = Path("/"), user: str = "", *, dry: bool = False) -> None:
        self.root, self.dry = root, dry
        self.user = user or os.environ.get("SUDO_USER") or pwd.getpwuid(os.getuid()).pw_name
        self.is_this_one = root == Path("/")
        self.ran: list[tuple[str, ...]] = []

    # --- Looking ----------------------------------------------------------------------------------------------

    def path(self, name: str) -> Path:
        return self.root / name.removeprefix("/")

    def text(self, name: str) -> str:
        try:
            return self.path(name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def has(self, name: str) -> bool:
        return self.path(name).exists()

    @property
    def model(self) -> str:
        """ "Raspberry Pi 5 Model B Rev 1.0"; "" for any other computer."""
        said = self.text(MODEL).strip("\0\n ")
        return said if "Raspberry Pi" in said else ""

    @property
    def system(self) -> str:
        """As it calls itself: "Debian GNU/Linux 13 (trixie)"."""
        told = dict(line.partition("=")[::2] for line in self.text("etc/os-release").splitlines())
        return told.get("PRETTY_NAME", "this system").strip('"')

    def knows_user(self) -> bool:
        """Another system's users are not looked up."""
        return not self.is_this_one or any(entry.pw_name == self.user for entry in pwd.getpwall())

    def home(self) -> Path:
        return Path(pwd.getpwnam(self.user).pw_dir) if self.is_this_one else self.path(f"home/{self.user}")

    def package(self, name: str) -> bool:
        """Whether it is installed."""
        if not self.is_this_one:
            return f"Package: {name}\nStatus: install ok installed" in self.text("var/lib/dpkg/status")
        asked = subprocess.run(
            ("dpkg-query", "-W", "-f", "${Status}", name), capture_output=True, text=True, check=False
        )
        return "ok installed" in asked.stdout

    def groups(self) -> dict[str, bool]:
        """The groups that there are, and whether the user is in them."""
        if self.is_this_one:
            return {group.gr_name: self.user in group.gr_mem for group in grp.getgrall()}
        lines = (line.split(":") for line in self.text("etc/group").splitlines())
        return {name: self.user in members.split(",") for name, _, _, members in lines}

    def target(self, name: str) -> str:
        """What systemd begins with, by the link of this name: "graphical.target"; "" if there is none."""
        path = self.path(name)
        return path.readlink().name if path.is_symlink() else ""

    def file_system(self) -> str:
        """Of what kind the one at / is: "ext4", or "overlay" on a card that is kept from being written."""
        kinds = [line.split(" - ")[1].split()[0] for line in self._mounts() if line.split()[4] == "/"]
        return kinds[-1] if kinds else ""

    def _mounts(self) -> list[str]:
        return [line for line in self.text("proc/self/mountinfo").splitlines() if " - " in line]

    def works(self, *words: str) -> bool:
        """Whether this goes well; it changes nothing."""
        if not self.is_this_one:
            return self.has(words[0])
        try:
            return subprocess.run(words, capture_output=True, check=False).returncode == 0
        except OSError:
            return False

    # --- Changing ---------------------------------------------------------------------------------------------

    def run(self, *words: str, root: bool = True, must: bool = True) -> None:
        """As root, or as the user. Raises InstallError, unless it need not go well."""
        self.ran.append(words)
        if self.dry or not self.is_this_one:
            return
        command = self._as(words, root=root)
        try:
            done = subprocess.run(command, check=False)
        except FileNotFoundError:
            why = "; run this as root, with --user" if command[0] == "sudo" else ""
            raise InstallError(f"`{' '.join(words)}` cannot be run: there is no {command[0]} here{why}") from None
        if must and done.returncode:
            raise InstallError(f"`{' '.join(words)}` failed; mend what it says, then `make install` again")

    def _as(self, words: Sequence[str], *, root: bool) -> Sequence[str]:
        """In a new login of the user: groups that they have joined count from then on."""
        is_root = os.geteuid() == 0
        if root:
            return words if is_root else ("sudo", *words)
        return ("runuser", "-u", self.user, "--", *words) if is_root else ("sudo", "-H", "-u", self.user, "--", *words)

    def write(self, name: str, text: str, mode: int = 0o644) -> None:
        """A file as it should be. One that was different is copied first. Raises InstallError."""
        if self.dry or self.text(name) == text:
            return
        path = self.path(name)
        try:
            if os.access(next(folder for folder in path.parents if folder.exists()), os.W_OK):
                self._write(path, text, mode)
            else:
                self._write_as_root(path, text, mode)
        except OSError as error:
            raise InstallError(f"{path} cannot be written: {error.strerror}") from None

    def _write(self, path: Path, text: str, mode: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            shutil.copy2(path, _copy_of(path))
        fresh = path.with_name(f".{path.name}.new")
        fresh.write_text(text, encoding="utf-8")
        fresh.chmod(mode)
        fresh.replace(path)

    def _write_as_root(self, path: Path, text: str, mode: int) -> None:
        """The same through sudo: `install` keeps the copy, and is asked for nothing that a shell would read."""
        if path.exists():
            self.run("cp", "-a", str(path), str(_copy_of(path)))
        with tempfile.TemporaryDirectory() as ours_alone:  # only root may change what root installs
            fresh = Path(ours_alone) / path.name
            fresh.write_text(text, encoding="utf-8")
            self.run("install", "-D", "-m", f"{mode:o}", str(fresh), str(path))

    def link(self, name: str, to: str) -> None:
        """An existing command of that name from another source is kept beside it."""
        path = self.path(name)
        if path.exists() and not path.is_symlink():
            self.run("mv", str(path), str(_copy_of(path)))
        self.run("ln", "-sfn", to, name)

    def remove(self, name: str) -> None:
        if self.has(name) or self.path(name).is_symlink():
            if self.dry:
                return
            if self.is_this_one:
                self.run("rm", "-r", "--one-file-system", str(self.path(name)))
            elif self.path(name).is_dir():
                shutil.rmtree(self.path(name))
            else:
                self.path(name).unlink()

    def sync(self) -> None:
        """After this, a power cut loses nothing."""
        if self.is_this_one and not self.dry:
            os.sync()

    def say(self, line: str) -> None:
        print(line)
        sys.stdout.flush()


def _copy_of(path: Path) -> Path:
    """A free name."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    return path.with_name(f"{path.name}.before-companion-{stamp}")
