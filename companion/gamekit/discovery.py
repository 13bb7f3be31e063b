"""Finds games: every installed package that names one in the entry-point group `companion.games`.

The four games that ship are found in the same way as anybody else's. Asking for names reads manifests, which are
strings; a part is imported when it is first asked for, so a screen never loads the rules.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.errors import GameError, UsageError
from companion.gamekit.game import Game
from companion.gamekit.manifest import Manifest, ManifestError, parts_of, read_manifest

GROUP = "companion.games"
OWN = "companion-table"
"""Our own distribution: its names are taken first."""


class Unusable(Struct, frozen=True):
    """A package that offers a game which cannot be played: why, and what to do."""

    package: str
    name: str
    reason: str


class Found(Struct, frozen=True):
    """All that is installed."""

    manifests: dict[str, Manifest]
    """By name, in the order of lists."""
    packages: dict[str, str]
    """Game → the package that brings it."""
    unusable: tuple[Unusable, ...]


@cache
def found() -> Found:
    """Looked for once per process; `found.cache_clear()` makes it look again."""
    manifests: dict[str, Manifest] = {}
    packages: dict[str, str] = {}
    unusable: list[Unusable] = []
    for entry in sorted(entry_points(group=GROUP), key=_rank):
        package = _package(entry)
        try:
            manifest = _manifest(entry)
            if manifest.name in packages:
                other = packages[manifest.name]
                raise ManifestError(f"the name {manifest.name!r} is taken by {other}: uninstall one of the two")
        except ManifestError as error:
            unusable.append(Unusable(package, entry.name, str(error)))
            continue
        manifests[manifest.name] = manifest
        packages[manifest.name] = package
    order = sorted(manifests.values(), key=lambda each: (each.order, each.name))
    return Found({each.name: each for each in order}, packages, tuple(unusable))


def _rank(entry: EntryPoint) -> tuple[bool, str, str]:
    package = _package(entry)
    return package != OWN, package, entry.name


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else "an unknown package"


def _manifest(entry: EntryPoint) -> Manifest:
    """Whatever a stranger's package does when it is imported, it disturbs nobody else."""
    try:
        data = entry.load()
    except (Exception, SystemExit) as error:
        raise ManifestError(
            f"{entry.value} cannot be imported ({_told(error)}): install it again, or remove it"
        ) from None
    return read_manifest(data)


def _told(error: BaseException) -> str:
    text = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


# --- Games and their parts ------------------------------------------------------------------------------------


def names() -> tuple[str, ...]:
    """Every game that can be played."""
    return tuple(found().manifests)


def manifest(name: str) -> Manifest:
    """Raises UsageError for a name that nobody knows, with the reason if its package is there."""
    known = found()
    if name in known.manifests:
        return known.manifests[name]
    for broken in known.unusable:
        if broken.name == name:
            raise UsageError(f"{name} cannot be played: {broken.package} is installed, but {broken.reason}")
    raise UsageError(f"there is no game {name!r}; Companion knows {', '.join(known.manifests) or 'none'}")


def title(name: str) -> str:
    """What people call a game; also one that is not installed."""
    known = found().manifests.get(name)
    return (known and known.title) or title_of(name)


def title_of(name: str) -> str:
    """hen-party → Hen Party"""
    return " ".join(word.capitalize() for word in name.split("-"))


def find(name: str) -> Game[Any, Any]:
    """The game of this name. Raises UsageError for a name that nobody knows, GameError for one that fails."""
    game: Game[Any, Any] = part(name, manifest(name).rules)
    if not isinstance(game, Game) or game.name != name:
        raise GameError(f"{name}: {manifest(name).rules} is not the Game of that name; its package has to be mended")
    return game


def strangers() -> dict[str, str]:
    """Top-level module → package, for all parts of every game that is not ours."""
    known = found()
    theirs = [each for each in known.manifests.values() if known.packages[each.name] != OWN]
    tops = {where.partition(".")[0].partition(":")[0]: each.name for each in theirs for where in parts_of(each)}
    return {top: known.packages[name] for top, name in tops.items() if top != __name__.partition(".")[0]}


def locale_folder(name: str) -> Path | None:
    """Where a game has its catalogues; None: it speaks English only. Raises UsageError."""
    package = manifest(name).locale
    return Path(str(files(package))) / "locale" if package else None


def playable() -> tuple[Game[Any, Any], ...]:
    """Every game whose rules can be loaded, in the order of lists."""
    return tuple(game for game in map(_loaded, names()) if isinstance(game, Game))


def unusable() -> tuple[Unusable, ...]:
    """Every installed package whose game cannot be played, with the reason."""
    failing = [game for game in map(_loaded, names()) if isinstance(game, Unusable)]
    return (*found().unusable, *failing)


def _loaded(name: str) -> Game[Any, Any] | Unusable:
    try:
        return find(name)
    except GameError as error:
        return Unusable(found().packages[name], name, str(error))


def part(name: str, where: str) -> Any:
    """What stands at "package.module:NAME". Raises GameError."""
    module, _, attribute = where.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (Exception, SystemExit) as error:
        package = found().packages.get(name, "its package")
        raise GameError(f"{name}: {where} of {package} cannot be loaded ({_told(error)}): install it again") from error
