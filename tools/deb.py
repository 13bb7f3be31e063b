"""`make deb`: a Debian package of the program and all its libraries, for Debian 12 and 13 and Ubuntu 24.04 and 26.04.

The program has an environment of its own below /usr/lib/companion. It fits each of Debian's Pythons: compiled modules
bear the version in their names, so those for several versions lie side by side. Nothing is made or fetched when the
package is installed. tools/install/layout.py says what else is in it, and where.
"""

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from companion import __version__
from tools import bill_of_materials, manual, release
from tools.install.layout import DEBIAN, EXTRAS, SOURCES, parts
from tools.install.steps import FOR_A_PANEL

PACKAGE = "companion-table"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""Of Debian 12, Ubuntu 24.04, Debian 13 and Ubuntu 26.04."""
PROCESSORS = {"amd64": "x86_64", "arm64": "aarch64"}
UNUSED = ("bin", ".lock", "reportlab/fonts/*.pfb")
"""Commands of the libraries, and fonts that are neither free nor needed: PDFs name the standard ones."""
FROM_DEBIAN = ("PIL", "pillow.libs", "pillow-*.dist-info", "psycopg_binary*")
"""Debian's own: a picture library and PostgreSQL's libpq are large, and get security updates there."""
OF_ONE_VERSION = ("RECORD", "WHEEL", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json", "top_level.txt")
"""What pip records about one wheel: in a Debian package dpkg does that."""
MAINTAINER = f"The Companion developers <{os.environ.get('DEBEMAIL', 'companion@localhost')}>"
"""DEBEMAIL: who publishes the package."""
SITE = f"{DEBIAN.program}/lib/python3/site-packages"
CONTROL = """\
Package: {package}
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Section: misc
Priority: optional
Depends: python3 (>= 3.11), python3 (<< 3.15), adduser, debconf (>= 0.5) | debconf-2.0, libc6 (>= 2.28)
Recommends: {recommends}
Suggests: espeak-ng, alsa-utils, mosquitto, openssl, libpq5
Description: referee for real board-game tables
 Companion reads tagged pieces, adjudicates secret choices, reveals, bids and
 scores, keeps secrets and explains its rulings. A screen beside the table
 mirrors the game. Phones can be pads. Missing hardware is simulated.
 .
 The package brings a service, companion@companion, which shows the table on
 this computer's own screen. It is not started unless you enable it.
"""
RECOMMENDS = ("pcscd", "libccid", "python3-pil", "python3-pyscard", "python3-spidev", *FOR_A_PANEL)
POSTINST = f"""\
#!/bin/sh
set -e
case "$1" in
configure)
    for group in spi gpio; do
        getent group "$group" >/dev/null || addgroup --quiet --system "$group"
    done
    if ! getent passwd companion >/dev/null; then
        adduser --quiet --system --group --home /var/lib/companion --gecos "Companion table" companion
    fi
    chmod 0750 /var/lib/companion
    for group in spi gpio dialout video render input; do
        if getent group "$group" >/dev/null && ! id -nG companion | grep -qw "$group"; then
            adduser --quiet companion "$group" >/dev/null
        fi
    done
    ;;
esac
case "$1" in
configure | triggered)
    python3 -m compileall -q {SITE} >/dev/null || true
    ;;
esac
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
    systemctl daemon-reload || true
    udevadm control --reload || true
    # Every accepted action is on the disk: the table comes back with the same evening.
    systemctl try-restart 'companion@*.service' || true
fi
"""
PRERM = f"""\
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl stop 'companion@*.service' 'companion-phones@*.socket' || true
fi
find {DEBIAN.program} -depth -name __pycache__ -type d -exec rm -r {{}} +
"""
POSTRM = """\
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload || true
fi
if [ "$1" = purge ]; then
    forget=false
    if [ -e /usr/share/debconf/confmodule ]; then
        . /usr/share/debconf/confmodule
        db_version 2.0
        db_input high companion-table/remove-evenings || true
        db_go || true
        db_get companion-table/remove-evenings && forget=$RET
        db_purge
        db_stop
    fi
    if [ "$forget" = true ]; then
        rm -rf /var/lib/companion
        if getent passwd companion >/dev/null && command -v deluser >/dev/null; then
            deluser --quiet --system companion || true
        fi
    fi
fi
"""
TEMPLATES = """\
Template: companion-table/remove-evenings
Type: boolean
Default: false
Description: Remove all evenings, boxes and tags of this table?
 They are in /var/lib/companion. If you keep them, Companion finds them
 when it is installed again.
Description-de.UTF-8: Alle Abende, Schachteln und Tags dieses Tisches entfernen?
 Sie liegen in /var/lib/companion. Wenn sie bleiben, findet Companion sie
 nach der nächsten Installation wieder.
"""
TRIGGERS = "interest-noawait /usr/bin/python3\n"
"""A new Python compiles again."""
CONFIG = """\
#!/bin/sh
# The one question is asked when the package is purged.
set -e
. /usr/share/debconf/confmodule
"""
COMMAND = f"""\
#!/bin/sh
# -P: a folder called companion in the current folder is not the program.
exec {DEBIAN.program}/bin/python3 -P -m companion "$@"
"""


def built(into: Path, architecture: str, wheel: Path | None = None) -> Path:
    """The package, in this folder."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if wheel is None:
            (wheel,) = release.built(place, "--wheel")
        root = place / "root"
        _program(root, wheel, architecture, place)
        _files(root)
        _documents(root)
        _control(root, architecture)
        for path in (*root.rglob("*"), root):
            os.utime(path, (release.built_at(),) * 2, follow_symlinks=False)
        package = into / f"{PACKAGE}_{_version()}_{architecture}.deb"
        _run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(package))
    return package


def _version() -> str:
    return f"{__version__}-1"


# --- The program ----------------------------------------------------------------------------------------------


def _program(root: Path, wheel: Path, architecture: str, place: Path) -> None:
    site = _at(root, SITE)
    site.mkdir(parents=True)
    for python in PYTHONS:
        one = place / python
        _libraries(one, wheel, python, f"{PROCESSORS[architecture]}-manylinux_2_28")
        _merge(one, site)
    compiled = (str(path) for path in sorted(site.rglob("*.so*")))
    _run(f"{PROCESSORS[architecture]}-linux-gnu-strip", "--strip-unneeded", "--preserve-dates", *compiled)
    for python in PYTHONS:
        (site.parents[1] / f"python{python}").symlink_to("python3")
    program = site.parents[2]
    (program / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = true\n", encoding="ascii")
    (program / "bin").mkdir()
    (program / "bin" / "python3").symlink_to("/usr/bin/python3")
    (program / "bin" / "python").symlink_to("python3")
    (program / "bin" / "companion").write_text(COMMAND, encoding="ascii")
    (program / "bin" / "companion").chmod(0o755)
    command = _at(root, DEBIAN.command)
    command.parent.mkdir(parents=True)
    command.symlink_to(os.path.relpath(f"{DEBIAN.program}/bin/companion", Path(DEBIAN.command).parent))


def _libraries(folder: Path, wheel: Path, python: str, platform: str) -> None:
    where = ("--target", str(folder), "--python-version", python, "--python-platform", platform)
    common = ("pip", "install", "--quiet", *where, "--only-binary", ":all:", "-c", "constraints.txt")
    release.uv(*common, f"{PACKAGE}[{EXTRAS}] @ {wheel.as_uri()}")
    release.uv(*common, "--no-deps", "mfrc522")
    for name in (*UNUSED, *FROM_DEBIAN):
        for path in folder.glob(name):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in folder.rglob("*.dist-info/*"):
        if path.name in OF_ONE_VERSION:
            path.unlink()


def _merge(one: Path, site: Path) -> None:
    """The libraries of one Python, beside those of the others. Raises ReleaseError if a file is not the same."""
    for path in sorted(one.rglob("*")):
        target = site / path.relative_to(one)
        if path.is_dir():
            target.mkdir(exist_ok=True)
        elif not target.exists():
            shutil.copyfile(path, target)
        elif target.read_bytes() != path.read_bytes():
            raise release.ReleaseError(f"{path.relative_to(one)} differs from Python to Python")


# --- Everything else ------------------------------------------------------------------------------------------


def _files(root: Path) -> None:
    for part in parts():
        path = _at(root, part.place(DEBIAN))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(part.text(DEBIAN, release.ROOT / SOURCES), encoding="utf-8")
        path.chmod(part.mode)
    for path in manual.write(_at(root, DEBIAN.share)):
        if path.suffix == ".1":
            _packed(path)


def _documents(root: Path) -> None:
    folder = _at(root, f"{DEBIAN.share}/doc/{PACKAGE}")
    folder.mkdir(parents=True)
    (folder / "copyright").write_text(_copyright(_at(root, SITE)), encoding="utf-8")
    when = format_datetime(datetime.fromtimestamp(release.built_at(), UTC))
    words = f"{PACKAGE} ({_version()}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- {MAINTAINER}  {when}\n"
    (folder / "changelog.Debian").write_text(words, encoding="utf-8")
    _packed(folder / "changelog.Debian")


def _copyright(site: Path) -> str:
    """Debian's format 1.0, with the licence of each library; its own text is in its dist-info folder."""
    lines = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
        "\nFiles: *\nCopyright: The Companion developers\nLicense: GPL-3.0-or-later",
        " On Debian the text of this licence is in /usr/share/common-licenses/GPL-3.",
    ]
    for each in bill_of_materials.components(site)[1:]:
        author = f"the authors of {each.name} {each.version}"
        lines.append(f"\nFiles: {each.name}/*\nCopyright: {author}\nLicense: {each.licence}")
    return "\n".join((*lines, ""))


def _control(root: Path, architecture: str) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    folder = root / "DEBIAN"
    folder.mkdir()
    size = sum(path.stat().st_size for path in files) // 1024
    values = {"package": PACKAGE, "version": _version(), "architecture": architecture, "maintainer": MAINTAINER}
    control = CONTROL.format(**values, size=size, recommends=", ".join(RECOMMENDS))
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files)
    texts = {"control": control, "md5sums": sums, "templates": TEMPLATES, "triggers": TRIGGERS}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, text in {"config": CONFIG, "postinst": POSTINST, "prerm": PRERM, "postrm": POSTRM}.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)
    for path in (root, *root.rglob("*")):
        if path.is_dir():
            path.chmod(0o755)
        elif not path.is_symlink():
            path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def _packed(path: Path) -> None:
    """gzip without a name and a time: the same bytes each time."""
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    path.unlink()


def _at(root: Path, name: str) -> Path:
    return root / name.removeprefix("/")


def _run(*words: str) -> str:
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(release.built_at())}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise release.ReleaseError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def main() -> int:
    parser = ArgumentParser("make deb", description="A Debian package of Companion.")
    parser.add_argument("--architecture", choices=PROCESSORS, help="whose libraries it brings (default: this one's)")
    said = parser.parse_args()
    try:
        release.DIST.mkdir(exist_ok=True)
        print(built(release.DIST, said.architecture or _run("dpkg", "--print-architecture")))
    except release.ReleaseError as problem:
        print(f"not yet: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
