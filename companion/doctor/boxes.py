"""What owners have told about their boxes: each box and each pack of tags is read once, as a game would read it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.doctor.finding import Check, Finding
from companion.errors import CompanionError
from companion.gamekit.game import Game
from companion.home.boxes import find_box
from companion.home.packs import read_pack
from companion.home.paths import pack_path
from companion.home.progress import half_done
from companion.table.pieces import Pack

LISTED = 3
"""How many tags are named; the rest are counted."""


def box_checks(games: Sequence[Game[Any, Any]]) -> Iterator[Check]:
    yield Check("boxes", lambda: _boxes(games))
    yield Check("tags", lambda: _tags(games))


def _boxes(games: Sequence[Game[Any, Any]]) -> Iterator[Finding]:
    """A box that is wrong stops every game that uses it."""
    for game in games:
        try:
            find_box(game)
        except CompanionError as error:
            advice = f"fix that line, or move the file away: then the stand-in box of {game.name} is played with"
            yield Finding.problem(f"box of {game.name}", str(error), advice)
        try:
            if waiting := half_done(game):
                yield Finding.check(
                    f"box of {game.name}", waiting, "until then, enter pieces without a tag on the screen"
                )
        except CompanionError as error:
            yield Finding.check(f"box of {game.name}", str(error), "the box and its known tags stay as they are")


def _tags(games: Sequence[Game[Any, Any]]) -> Iterator[Finding]:
    packs: dict[str, Pack] = {}
    for game in games:
        path = pack_path(game.name)
        if not path.exists():
            continue
        try:
            packs[game.name] = read_pack(path)
        except CompanionError as error:
            advice = f"fix that entry, or move the file away: `companion enroll {game.name}` writes a new one"
            yield Finding.problem(f"tags of {game.name}", str(error), advice)
            continue
        if not packs[game.name].tags:
            advice = f"`companion enroll {game.name}` takes you through the box, piece by piece"
            yield Finding.check(f"tags of {game.name}", f"{path} has no tag in it", advice)
    yield from _doubled(packs)
    yield _known([name for name, pack in packs.items() if pack.tags])


def _doubled(packs: Mapping[str, Pack]) -> Iterator[Finding]:
    """A tag sits on one piece, so one of two games is wrong about it."""
    names = list(packs)
    for number, name in enumerate(names):
        for other in names[number + 1 :]:
            both = sorted(packs[name].tags.keys() & packs[other].tags.keys())
            if both:
                more = f" and {len(both) - LISTED} more" if len(both) > LISTED else ""
                words = f"both know {', '.join(both[:LISTED])}{more}; a tag sits on one piece"
                advice = f"`companion tags check {name}` names the pieces; take the wrong entry out of its pack"
                yield Finding.check(f"tags of {name} and {other}", words, advice)


def _known(names: Sequence[str]) -> Finding:
    if names:
        return Finding.ok("tags", f"there are packs for {', '.join(names)}; `companion tags check GAME` looks closer")
    advice = "`companion enroll GAME` takes you through a box, piece by piece"
    return Finding.check("tags", "no tags are known for any game", advice)
