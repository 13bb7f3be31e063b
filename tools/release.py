"""`make release`: from a version number to files that can be published. docs/release.md has the rest.

The version and the changelog agree, the files are built and checked, the wheel holds all that the package needs, and
installed into an empty environment it plays a game: the same one that this checkout plays. The same commit gives the
same bytes, wherever and whenever it is built.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from tools import bill_of_materials

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PACKAGE = "companion"
GAME = ("demo", "lascaux", "--seed", "1", "--headless")


class ReleaseError(Exception):
    """Why this cannot be published."""


# --- Version and changelog ------------------------------------------------------------------------------------


def version(root: Path = ROOT) -> str:
    """As the package says it, if the changelog begins with the same one."""
    said = re.search(
        r'^__version__ = "(.+)"$', (root / PACKAGE / "__init__.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    newest = re.search(r"^## (\S+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if said is None or newest is None:
        raise ReleaseError("companion/__init__.py names no version, or CHANGELOG.md has no entry")
    if waiting := sorted(path.name for path in (root / "news").glob("*.*.md")):
        how = f"run towncrier build --version {said[1]}"
        if said[1] == newest[1]:  # it would begin a second entry of this version
            how = f"put that into the entry {said[1]} of CHANGELOG.md by hand, or raise the version"
        raise ReleaseError(f"news/ still has {', '.join(waiting)}: {how}")
    if said[1] != newest[1]:
        raise ReleaseError(f"companion/__init__.py says {said[1]}, but CHANGELOG.md begins with {newest[1]}")
    return said[1]


def is_committed(root: Path = ROOT) -> bool:
    return not _run("git", "status", "--porcelain", cwd=root)


# --- The files ------------------------------------------------------------------------------------------------


def built(into: Path, *what: str, source: Path = ROOT) -> list[Path]:
    """`what`: --wheel, --sdist; without it both."""
    words = ("--installer", "uv", "--outdir", str(into), *what, str(source))
    _run(sys.executable, "-m", "build", *words, cwd=into, env=_for_uv() | {"SOURCE_DATE_EPOCH": str(built_at(source))})
    return sorted(path for path in into.iterdir() if path.suffix in (".whl", ".gz"))


def built_at(source: Path = ROOT) -> int:
    """The time that every built file bears, in Unix seconds: that of the commit, or of the changelog without git."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    try:
        return int(_run("git", "log", "-1", "--format=%ct", cwd=source))
    except (ReleaseError, ValueError):
        dated = re.search(r"^## \S+ \((\d{4}-\d\d-\d\d)\)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
        return int(datetime.fromisoformat(f"{dated[1] if dated else '2026-01-01'}T00:00Z").timestamp())


def checked(files: list[Path]) -> None:
    """What an index would refuse is refused here."""
    _run(sys.executable, "-m", "twine", "check", "--strict", *map(str, files), cwd=ROOT)


def missing(wheel: Path) -> list[str]:
    """Files of the package that are missing in the wheel: texts, styles, catalogues, boxes, and code as well."""
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    return [path for path in _package_files() if path not in inside]


def _package_files() -> Iterator[str]:
    for path in sorted((ROOT / PACKAGE).rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(ROOT).as_posix()


# --- The first game -------------------------------------------------------------------------------------------


def installed(wheel: Path, folder: Path) -> Path:
    """The `companion` of an environment in which there is nothing else."""
    venv.create(folder, with_pip=False)
    install(folder, str(wheel))
    return folder / "bin" / "companion"


def install(folder: Path, *packages: str) -> None:
    """Into the environment in this folder, which needs no pip of its own."""
    where = ("--python", str(folder / "bin" / "python"), "-c", str(ROOT / "constraints.txt"))
    uv("pip", "install", "--quiet", *where, *packages)


def uv(*words: str) -> str:
    """As pip, in a tenth of its time."""
    return _run(str(Path(sys.executable).with_name("uv")), *words, cwd=ROOT, env=_for_uv())


def _for_uv() -> dict[str, str]:
    """uv trusts the same certificates as pip."""
    trusted = {"SSL_CERT_FILE": os.environ["PIP_CERT"]} if "PIP_CERT" in os.environ else {}
    beside = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    return os.environ | trusted | {"PATH": beside}


def with_every_extra(wheel: Path, folder: Path) -> Path:
    """The site-packages of an environment with all that people may install, and the library of a Pi's reader."""
    venv.create(folder, with_pip=False)
    install(folder, f"companion-table[all] @ {wheel.as_uri()}")
    install(folder, "--no-deps", "mfrc522")
    (site,) = folder.glob("lib/python3*/site-packages")
    return site


def listed(wheel: Path, folder: Path) -> str:
    """The bill of materials. Raises ReleaseError for a licence that the GPL does not allow."""
    components = bill_of_materials.components(with_every_extra(wheel, folder))
    if refused := bill_of_materials.forbidden(components):
        raise ReleaseError(f"not compatible with the GPL, or without a known licence: {', '.join(refused)}")
    return bill_of_materials.document(components, built_at())


def told(command: Path, home: Path, *words: str) -> str:
    """What a command says, far from the checkout."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "COMPANION_HOME")}
    home.mkdir(exist_ok=True)
    return _run(str(command), *words, cwd=home, env=kept | {"COMPANION_HOME": str(home), "LANGUAGE": "en"})


def played(command: Path, home: Path) -> str:
    """A whole game as text."""
    return told(command, home, *GAME)


def _run(*words: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


# --- All of it ------------------------------------------------------------------------------------------------


def main() -> int:
    try:
        number = version()
        if not is_committed():
            raise ReleaseError("there are changes that are not committed")
        shutil.rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        files = built(DIST)
        checked(files)
        (wheel,) = (path for path in files if path.suffix == ".whl")
        if gone := missing(wheel):
            raise ReleaseError(f"{wheel.name} lacks {', '.join(gone)}")
        with tempfile.TemporaryDirectory() as folder:
            bill = DIST / f"{wheel.name.removesuffix('-py3-none-any.whl')}.cdx.json"
            bill.write_text(listed(wheel, Path(folder) / "all"), encoding="utf-8")
            score = played(installed(wheel, Path(folder) / "venv"), Path(folder) / "home").strip().splitlines()[-1]
    except ReleaseError as problem:
        print(f"not yet: {problem}", file=sys.stderr)
        return 1
    names = ", ".join(path.name for path in (*files, bill))
    print(f"{number} is ready: {names}; installed alone it played a game ({score})")
    if "\n[project.urls]\n" not in (ROOT / "pyproject.toml").read_text(encoding="utf-8"):
        print("pyproject.toml has no [project.urls] yet: an index will show no way to the project")
    print("docs/release.md says how it is tagged and published")
    return 0


if __name__ == "__main__":
    sys.exit(main())
