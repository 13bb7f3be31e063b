"""Forgets a person: their name is replaced in every journal, in imported plays and in the list of people.

The wish is stored first, with the name that takes the place of theirs. So if the process is killed, `companion people`
goes on with it, and all evenings get the same name.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.errors import JournalError, UsageError
from companion.files import changing, load
from companion.home.paths import (
    earlier_plays_path,
    evenings_folder,
    hall_path,
    past_games_path,
    people_path,
    removed_folder,
)
from companion.journal.evening_folder import RESULTS, evening_id, journals
from companion.journal.lock import holder
from companion.journal.soundness import inspect
from companion.journal.store import rewrite
from companion.language.wording import plain
from companion.people.past_games import load_earlier, store_earlier
from companion.people.persons import Erasure, People, change_people, load_people
from companion.session.entry import Entry

RESULT_BYTES = 4 * 1024 * 1024
HALL_BYTES = 1024 * 1024 * 1024


class Erased(Struct, frozen=True):
    """What became of a wish to be forgotten."""

    instead: str
    changed: tuple[str, ...]
    """The evenings in which the name was replaced."""
    waiting: tuple[str, ...]
    """Evenings that are being played: run it again when they are over."""
    damaged: tuple[str, ...]
    """Files that cannot be changed, because they are damaged, and may hold the name."""
    saved: tuple[Path, ...]
    """What holds the name and is not changed: results that were saved as text or picture, and the log of a hall."""
    unsent: tuple[str, ...]
    """Evenings with a result that the club's hall has not got yet: it knows the name, so they wait."""


Renamed: TypeAlias = Callable[[str, str], str]
"""An evening, and a name in it → the name that it has from now on."""
Elsewhere: TypeAlias = Callable[[Renamed, Collection[str]], Sequence[str]]
"""Replaces the name where journals are copied to, except those of some evenings. Returns the evenings that have to
wait."""


def nowhere(_renamed: Renamed, _kept: Collection[str]) -> Sequence[str]:
    return ()


def erase(name: str, elsewhere: Elsewhere = nowhere) -> Erased:
    """Forget this person. Raises UsageError if no evening and no list has the name, JournalError if a disk fails."""
    people = load_people(people_path())
    person = people.called(name) or people.who("", plain(name))
    known = set(_names(people, person.id))
    if person not in people.person and not known:
        raise UsageError(f"no evening has a player {plain(name)}, and no person is called so")
    instead = _free_name(people)
    change_people(people_path(), lambda now: _wished(now, Erasure(person.id, instead)))
    return next(erased for wish, erased in resume_erasures(elsewhere) if wish.id == person.id)


def _wished(people: People, wish: Erasure) -> People:
    if any(each.id == wish.id for each in people.erasure):
        return people
    return replace(people, erasure=(*people.erasure, wish))


def resume_erasures(elsewhere: Elsewhere = nowhere) -> Iterator[tuple[Erasure, Erased]]:
    """Go on with everything that was begun. Raises JournalError."""
    for wish in load_people(people_path()).erasure:
        yield wish, _erased(wish, elsewhere)


def _erased(wish: Erasure, elsewhere: Elsewhere) -> Erased:
    people = load_people(people_path())
    saved = tuple(_saved_results(people, wish.id))
    changed: list[str] = []
    waiting: list[str] = []
    damaged: list[str] = []
    for path in _all_journals():
        evening = evening_id(path)
        try:
            if rewrite(path, partial(_renamed, people, evening, wish)):
                changed.append(evening)
        except JournalError:
            (waiting if path.exists() and holder(path) else damaged).append(evening)
    _rename_earlier(people, wish)
    with changing(past_games_path().parent):
        past_games_path().unlink(missing_ok=True)
    unsent = tuple(elsewhere(partial(_name_now, people, wish), waiting))
    if not waiting and not unsent:
        change_people(people_path(), lambda now: _done(now, wish))
    return Erased(wish.instead, tuple(changed), tuple(waiting), tuple(damaged), saved, unsent)


def _done(people: People, wish: Erasure) -> People:
    kept = people.without(wish.id)
    return replace(kept, erasure=tuple(each for each in kept.erasure if each.id != wish.id))


def _name_now(people: People, wish: Erasure, evening: str, name: str) -> str:
    return wish.instead if people.who(evening, name).id == wish.id else name


def _renamed(people: People, evening: str, wish: Erasure, entry: Entry) -> Entry:
    if entry.kind != "game":
        return entry
    body = _game(entry)
    players = [_name_now(people, wish, evening, name) for name in body.get("players", ())]
    if players == body.get("players"):
        return entry
    return replace(entry, body=msgspec.json.encode({**body, "players": players}))


def _rename_earlier(people: People, wish: Erasure) -> None:
    with changing(earlier_plays_path().parent):
        games = load_earlier(earlier_plays_path())
        renamed = [
            replace(
                game,
                seats=tuple(
                    replace(seat, name=_name_now(people, wish, game.evening, seat.name)) for seat in game.seats
                ),
            )
            for game in games
        ]
        if renamed != games:
            store_earlier(earlier_plays_path(), renamed)


# --- Looking for names ----------------------------------------------------------------------------------------


def _all_journals() -> list[Path]:
    return [*journals(evenings_folder()), *journals(removed_folder())]


def _names(people: People, id: str) -> Iterator[str]:  # noqa: A002  the field's name
    """The names that mean this person, in all evenings and imported plays."""
    for evening, name in _seats():
        if people.who(evening, name).id == id:
            yield name


def _seats() -> Iterator[tuple[str, str]]:
    for path in _all_journals():
        try:
            entries = inspect(path).entries
        except JournalError:
            continue
        for entry in entries:
            if entry.kind == "game":
                yield from ((evening_id(path), name) for name in _game(entry).get("players", ()))
    for game in load_earlier(earlier_plays_path()):
        yield from ((game.evening, seat.name) for seat in game.seats)


def _game(entry: Entry) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(entry.body)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _free_name(people: People) -> str:
    """A name that no person has or had here."""
    taken = {name for _evening, name in _seats()} | {wish.instead for wish in people.erasure}
    taken |= {name for person in people.person for name in (person.name, *person.names)}
    return next(name for number in count(1) if (name := f"Guest {number}") not in taken)


def _saved_results(people: People, id: str) -> Iterator[Path]:  # noqa: A002  the field's name
    """Results that players saved have the name, and are no part of a journal. Nor is the log of a hall: it belongs to
    the club."""
    names = {name.encode() for name in _names(people, id)}
    log = hall_path()
    for path in (log, log.with_name(f"{log.name}-wal")):
        if path.is_file() and any(name in load(path, HALL_BYTES) for name in names):
            yield log
            break
    for path in _all_journals():
        for result in sorted(path.parent.glob(f"{path.stem}-*.*")):
            if result.suffix in RESULTS and any(name in load(result, RESULT_BYTES) for name in names):
                yield result
