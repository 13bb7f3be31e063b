"""Finds games: every installed package that names one in the entry-point group `companion.games`.

The four games that ship are found in the same way as third-party ones. Asking for names reads manifests, which are
strings; a part is imported when it is first asked for, so a screen never loads the rules. A third-party package is
first tried in another process (`import_trials`), so whatever its import does harms nothing else.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.crash import fault_of
from companion.errors import GameError, UsageError
from companion.gamekit.game import Game
from companion.gamekit.manifest import PARTS, Manifest, ManifestError, parts_of, read_manifest

GROUP = "companion.games"
OWN = "companion-table"
"""Our own distribution: its names are taken first."""


class Unusable(Struct, frozen=True):
    """A package that offers a game which cannot be played: why, and what to do."""

    package: str
    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name} cannot be played: {self.package} is installed, but {self.reason}"


class Found(Struct, frozen=True):
    """All that is installed."""

    manifests: dict[str, Manifest]
    """By name, in the order of lists."""
    packages: dict[str, str]
    """Game → the package that brings it."""
    unusable: tuple[Unusable, ...]

    def only(self, name: str) -> "Found":
        """What is known about this game."""
        return Found(
            {name: self.manifests[name]} if name in self.manifests else {},
            {name: self.packages[name]} if name in self.packages else {},
            tuple(each for each in self.unusable if each.name == name),
        )


_given: list[Found] = []


def rely_on(known: Found) -> None:
    """Take what another process of ours has found. From now on this process looks for no package and tries none."""
    _given[:] = [known]
    found.cache_clear()


@cache
def found() -> Found:
    """Looked for once per process; `found.cache_clear()` makes it look again."""
    if _given:
        return _given[0]
    manifests: dict[str, Manifest] = {}
    packages: dict[str, str] = {}
    unusable: list[Unusable] = []
    for entry, said, problem in _said():
        package = _package(entry)
        try:
            if said is None:
                raise ManifestError(problem)
            manifest = read_manifest(said)
            if manifest.name in packages:
                other = packages[manifest.name]
                raise ManifestError(f"the name {manifest.name!r} is taken by {other}: uninstall one of the two")
            if problem:
                raise ManifestError(problem)
        except ManifestError as error:
            unusable.append(Unusable(package, entry.name, str(error)))
            continue
        manifests[manifest.name] = manifest
        packages[manifest.name] = package
    order = sorted(manifests.values(), key=lambda each: (each.order, each.name))
    return Found({each.name: each for each in order}, packages, tuple(unusable))


def look_again() -> None:
    """Try every stranger's package once more, also one that failed before."""
    from companion.import_trials import forget

    forget()
    found.cache_clear()


def _said() -> Iterator[tuple[EntryPoint, Any, str]]:
    """What each package says about itself, ours first (None where it says nothing), and why it cannot be played."""
    every = sorted(entry_points(group=GROUP), key=lambda entry: (_package(entry), entry.name))
    for entry in (entry for entry in every if _package(entry) == OWN):
        try:
            yield entry, attribute(entry.value), ""
        except Exception as error:  # half of an installation
            yield entry, None, f"{entry.value} cannot be imported ({told_of(error, entry.value)}): install it again"
    theirs = [entry for entry in every if _package(entry) != OWN]
    if not theirs:
        return
    from companion.import_trials import outcomes

    for entry, outcome in zip(theirs, outcomes(theirs, f"{__name__}:rehearse"), strict=True):
        yield entry, outcome.manifest, outcome.problem


def rehearse(value: str, say: Callable[..., None]) -> None:
    """In a process of its own: import the manifest at this place, and every part that it names, and read its
    catalogues."""
    from companion.import_trials import AGAIN
    from companion.language.po_file import CatalogueError, read_po
    from companion.language.screen_language import claimed, po_path

    at = value
    try:
        say(at=at)
        data = attribute(at)
        manifest = read_manifest(data)
        say(manifest=data)
        for field, at in parts_of(manifest).items():
            say(at=at)
            check_part(field, attribute(at), manifest)
        at = manifest.figures
        if (folder := folder_in(at, "figures")) and not folder.is_dir():
            raise GameError(f"its manifest names {at} as figures, and there is no folder {folder}")
        at = manifest.locale
        if folder := folder_in(at, "locale"):
            for language in claimed(folder):
                read_po(po_path(folder, language))
        say(problem="")
    except (ManifestError, GameError, CatalogueError) as error:
        say(problem=str(error))
    except BaseException as error:
        say(problem=f"{at} cannot be imported ({told_of(error, at)}): {AGAIN}")


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else "an unknown package"


def attribute(where: str) -> Any:
    """The object at "package.module:NAME". Raises whatever its import raises."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


def told_of(error: BaseException, where: str) -> str:
    """ZeroDivisionError: division by zero, in hen/rules.py, line 45"""
    text = str(error).partition("\n")[0]
    top = where.partition(":")[0].partition(".")[0]
    fault = fault_of(error, {top: top})
    place = fault.where.partition(" in ")[2] if fault else ""
    return f"{type(error).__name__}{f': {text}' if text else ''}{f', in {place}' if place else ''}"


# --- Games and their parts ------------------------------------------------------------------------------------


def names() -> tuple[str, ...]:
    """Every game that can be played."""
    return tuple(found().manifests)


def manifest(name: str) -> Manifest:
    """Raises UsageError for an unknown name, with the reason if its package is there."""
    known = found()
    if name in known.manifests:
        return known.manifests[name]
    for broken in known.unusable:
        if broken.name == name:
            raise UsageError(str(broken))
    alike = get_close_matches(name.lower(), known.manifests, 1)
    rather = f"did you mean {alike[0]}? " if alike else ""
    raise UsageError(f"there is no game {name!r}; {rather}Companion knows {', '.join(known.manifests) or 'none'}")


def title(name: str) -> str:
    """What people call a game; also one that is not installed."""
    known = found().manifests.get(name)
    return (known and known.title) or title_of(name)


def title_of(name: str) -> str:
    """hen-party → Hen Party"""
    return " ".join(word.capitalize() for word in name.split("-"))


def check_is_game(made: object, manifest: Manifest) -> None:
    """Raises GameError."""
    if not isinstance(made, Game) or made.name != manifest.name:
        raise GameError(f"{manifest.name}: {manifest.rules} is not the Game of that name; its package has to be mended")


def check_part(field: str, made: object, manifest: Manifest) -> None:
    """Raises GameError for a part of another kind than this field of the manifest names."""
    if field == "rules":
        check_is_game(made, manifest)
    elif not _is_part(field, made):
        where = parts_of(manifest)[field]
        raise GameError(f"its manifest names {where} as {field}: expected {PARTS[field]}, found {_kind(made)}")


def _is_part(field: str, made: object) -> bool:
    match field:
        case "face":  # its module has been imported if it is one; we import no screen
            return isinstance(made, getattr(sys.modules.get("companion.gamekit.screen.face"), "Face", ()))
        case "enrolment":
            from companion.gamekit.enrolment import EnrolmentPlan

            return isinstance(made, EnrolmentPlan)
        case "words":
            return isinstance(made, Mapping)
        case "judgement":
            from companion.gamekit.search import Judgement

            return issubclass(made, Judgement) if isinstance(made, type) else _takes(made, 1)
        case _:
            return _takes(made, {"players": 3, "word": 4}.get(field, 2))


def _takes(made: object, arguments: int) -> bool:
    """Whether it can be called with so many."""
    import inspect

    try:
        inspect.signature(made).bind(*range(arguments))  # type: ignore[arg-type]  # what is no function raises
    except (TypeError, ValueError):
        return False
    return True


def _kind(made: object) -> str:
    name = type(made).__name__
    return f"the class {made.__name__}" if isinstance(made, type) else f"a{'n' * (name[0] in 'aeiou')} {name}"


def find(name: str) -> Game[Any, Any]:
    """The game of this name. Raises UsageError for an unknown name, GameError for one that fails."""
    game: Game[Any, Any] = part(name, manifest(name).rules)
    check_is_game(game, manifest(name))
    return game


def strangers() -> dict[str, str]:
    """Top-level module → package, for all parts of every game that is not ours."""
    known = found()
    theirs = [each for each in known.manifests.values() if known.packages[each.name] != OWN]
    tops = {
        where.partition(".")[0].partition(":")[0]: each.name for each in theirs for where in parts_of(each).values()
    }
    return {top: known.packages[name] for top, name in tops.items() if top != __name__.partition(".")[0]}


def author_of(sentence: str) -> str | None:
    """The third-party package that this English sentence is from; None: it is ours, or unknown."""
    known = found()
    for name, package in known.packages.items():
        with suppress(GameError):
            if package != OWN and sentence in (*find(name).sentences.values(), find(name).unit):
                return package
    return None


def locale_folder(name: str) -> Path | None:
    """Where a game has its catalogues; None: it speaks English only. Raises UsageError."""
    return folder_in(manifest(name).locale, "locale")


def folder_in(package: str, called: str) -> Path | None:
    """A folder that ships with a package; None: no package was named."""
    return Path(str(files(package))) / called if package else None


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
    """The object at "package.module:NAME". Raises GameError for whatever the import raises; KeyboardInterrupt only
    if Ctrl-C was pressed."""
    with _interrupts() as pressed:
        try:
            return attribute(where)
        except BaseException as error:
            if pressed.is_set():
                raise
            package = found().packages.get(name, "its package")
            told = told_of(error, where)
            raise GameError(f"{name}: {where} of {package} cannot be loaded ({told}): install it again") from error


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """Whether Ctrl-C was pressed meanwhile: any other KeyboardInterrupt was raised by the package."""
    pressed = threading.Event()
    heard = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or heard is not signal.default_int_handler:
        yield pressed  # here no Ctrl-C raises anything
        return

    def press(_number: int, _frame: object) -> None:
        pressed.set()
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, heard)
