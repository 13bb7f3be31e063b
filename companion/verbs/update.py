"""`companion update`: says how this installation is updated. It changes nothing and asks nothing of the network."""

import json
import sys
from argparse import ArgumentParser, Namespace
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from companion import __version__
from companion.troubles import INSTALLED, PACKAGED

PACKAGE = "companion-table"


class Installation(NamedTuple):
    how: str
    """How Companion was installed here."""
    commands: tuple[str, ...]
    """What brings a newer version."""


def arguments(parser: ArgumentParser) -> None:
    """It has none."""


def run(_said: Namespace) -> int:
    found = installation(Path(sys.prefix), _folder())
    print(f"Companion {__version__}, {found.how}. To update it:\n")
    for command in found.commands:
        print(f"    {command}")
    print("\nEvenings, boxes and tags stay. `companion resume` goes on with an open evening.")
    return 0


def _folder() -> Path | None:
    """The checkout that is run, if it is one."""
    try:
        said = distribution(PACKAGE).read_text("direct_url.json")
    except PackageNotFoundError:  # run from a folder, without having been installed
        return Path(__file__).parents[2]
    found = json.loads(said or "{}")
    is_editable = found.get("dir_info", {}).get("editable", False)
    return Path(found["url"].removeprefix("file://")) if is_editable else None


def installation(prefix: Path, checkout: Path | None) -> Installation:
    """`prefix`: the environment that Python runs in."""
    if checkout is not None:
        return Installation(f"run from {checkout}", (f"cd {checkout}", "git pull", "make play"))
    if prefix == Path(PACKAGED):
        files = f"sudo apt install ./{PACKAGE}_NEW-VERSION.deb"
        return Installation("installed as a Debian package", (files,))
    if prefix == Path(INSTALLED):
        words = ("cd THE-FOLDER-THAT-YOU-INSTALLED-FROM", "git pull", "make install")
        return Installation("installed by `make install`", words)
    if (prefix / "pipx_metadata.json").exists():
        return Installation("installed by pipx", (f"pipx upgrade {PACKAGE}",))
    if (prefix / "uv-receipt.toml").exists():
        return Installation("installed by uv", (f"uv tool upgrade {PACKAGE}",))
    if any(part.startswith("archive-v") for part in prefix.parts):  # in uv's cache
        return Installation("run by uvx", (f"uvx {PACKAGE}@latest play",))
    return Installation("installed by pip", (f"{prefix / 'bin' / 'python'} -m pip install --upgrade {PACKAGE}",))
