"""`companion tags`: what is known about the tags of a box; before game one, and between tables."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion import games
from companion.boxes import FoundBox, find_box
from companion.config import Table
from companion.devices.field import TagField, Uid
from companion.enrolment.course import EnrolmentError
from companion.errors import DeviceError, UsageError
from companion.games.game import Game, Thing
from companion.packs import pack_path, read_pack, store_pack, stored_pack
from companion.progress import half_done
from companion.table.pieces import Pack, PackError, pack_text, parse_pack, piece_text
from companion.verbs import tapping
from companion.wording import ENGLISH, plain

LENGTH = 120
LISTED = 8
"""So many pieces of one kind are named, the rest is counted."""
SIMULATED = "0400000000"
"""How the numbers begin that the simulated reader makes up."""

OUTCOMES = {
    "written": "written",
    "the same": "written before",
    "no room": "there is no room for the text on this tag",
    "not formatted": "this tag is not formatted for texts: it works by its number",
    "read only": "this tag cannot be written any more: it works by its number",
    "number only": "this tag carries no text (MIFARE Classic): it works by its number",
    "no answer": "it was lifted too early: lay it down again, and leave it there until it is told",
    "garbled": "it lies badly: lay it down again, alone and flat",
    "refused": "this tag is locked: it works by its number",
}
AGAIN = ("no answer", "garbled")


class Owned(Struct, frozen=True):
    """A game with the owner's box."""

    game: Game[Any, Any]
    found: FoundBox

    @property
    def pieces(self) -> Sequence[Thing]:
        return self.game.pieces(self.found.box)

    def called(self, piece: Thing) -> str:
        """card mammoth-brown-green (mammoth brown/green); marker white of set 3"""
        word = self.game.word(self.found.box, f"{piece.kind}s", piece.id, ENGLISH.text)
        words = [piece.kind, plain(piece.id, 60), f"({word})" if word and word != piece.id else ""]
        owner = "" if piece.owner is None else f"of set {piece.owner + 1}"
        return plain(" ".join(part for part in (*words, owner) if part), LENGTH)


def owned(game: str) -> Owned:
    """Raises UsageError, BoxError."""
    known = games.find(game)
    return Owned(known, find_box(known))


# --- Looking --------------------------------------------------------------------------------------------------


def list_tags(name: str) -> int:
    """Every piece of the box, with its tags."""
    own, pack = owned(name), stored_pack(name)
    tags: dict[Thing, list[str]] = {}
    for uid, piece in pack.tags.items():
        tags.setdefault(piece, []).append(uid)
    pieces = own.pieces
    for piece in (*pieces, *(piece for piece in tags if piece not in set(pieces))):
        print(f"{' '.join(tags.get(piece, ['–'])):<20}  {own.called(piece)}")
    print(f"\n{_counted(len(pack.tags), 'tag')} on {_counted(len(pieces), 'piece')} of {plain(own.found.origin, 500)}")
    for line in _half_done(own):
        print(line)
    return 0


def check(name: str, reads: int, *, without_reader: bool) -> int:
    """What a first game would stumble over. 0: nothing; 1: something."""
    own = owned(name)
    try:
        pack = stored_pack(name)
    except PackError as error:
        print(plain(str(error), 1000))
        return 1
    wired = Table() if without_reader else tapping.readers()
    found = [*findings(own, pack, _other_packs(name)), *_half_done(own)]
    for line in found:
        print(line, flush=True)
    weak = _try_each(own, pack, wired, reads) if wired.readers and pack.tags else []
    if not wired.readers and not without_reader:
        print("table.toml has no reader, so no tag was tried: weak ones are not found like this.")
    if not found and not weak:
        print(f"All is well: {_counted(len(pack.tags), 'tag')} on {_counted(len(own.pieces), 'piece')}.")
    return int(bool(found or weak))


def findings(own: Owned, pack: Pack, others: Mapping[str, Pack]) -> Iterator[str]:
    """What is wrong with a pack, without a reader."""
    pieces = own.pieces
    missing = [own.called(piece) for piece in pieces if piece not in set(pack.tags.values())]
    if missing:
        some = ", ".join(missing[:LISTED]) + (f" and {len(missing) - LISTED} more" if len(missing) > LISTED else "")
        yield f"missing: {_counted(len(missing), 'piece')} without a tag: {some}"
    for uid, piece in pack.tags.items():
        if piece not in set(pieces):
            yield f"foreign: {uid} sits on {own.called(piece)}, which is not in {plain(own.found.origin, 500)}"
        if uid.startswith(SIMULATED):
            yield f"made up: {uid} on {own.called(piece)} comes from the simulated reader: enrol a real tag"
        for other, theirs in others.items():
            if uid in theirs.tags:
                taken = theirs.tags[uid]
                yield f"doubled: {uid} sits on {own.called(piece)} and, in {other}, on {taken.kind} {plain(taken.id)}"


def _half_done(own: Owned) -> Iterator[str]:
    """A box that is being enrolled looks as if tags were missing."""
    try:
        told = half_done(own.game)
    except EnrolmentError as error:
        told = str(error)
    if told:
        yield f"half done: {plain(told, 1000)}"


def _other_packs(name: str) -> dict[str, Pack]:
    return {other: stored_pack(other) for other in games.NAMES if other != name}


def taken_by_others(name: str) -> dict[str, str]:
    """UID → game, of all other games' packs. Raises PackError."""
    return {uid: other for other, pack in _other_packs(name).items() for uid in pack.tags}


# --- Trying each on a reader ----------------------------------------------------------------------------------


def _try_each(own: Owned, pack: Pack, wired: Table, reads: int) -> list[str]:
    """The weak ones. A tag may be tried as often as you like: its best counts."""
    best: dict[str, int] = {}

    def greet(field: TagField, uid: Uid) -> None:
        name = uid.hex().upper()
        answered = sum(uid in field.look((uid,)).seen for _ in range(reads))
        if name not in pack.tags:
            print(f"{name}: sits on no piece of {own.game.name}", flush=True)
            return
        best[name] = max(answered, best.get(name, 0))
        told = "well" if answered == reads else "WEAK: lay it down flat and try again; else take another sticker"
        print(f"{name}: {own.called(pack.tags[name])}: answered {answered} of {reads}, {told}", flush=True)

    print(f"Lay the {_counted(len(pack.tags), 'tag')} on the reader, one after the other. Ctrl-C ends.", flush=True)
    tapping.meet(wired, greet, lambda: len(best) == len(pack.tags))
    weak = [uid for uid, answered in best.items() if answered < reads]
    for uid in weak:
        print(f"weak: {uid} on {own.called(pack.tags[uid])} answered {best[uid]} of {reads}")
    if len(best) < len(pack.tags):
        print(f"not tried: {_counted(len(pack.tags) - len(best), 'tag')}")
    return weak


def write(name: str) -> int:
    """Each sticker gets a text that names its piece. 0: all of them; 1: some are left."""
    own, pack = owned(name), stored_pack(name)
    wired = tapping.readers()
    if not pack.tags:
        raise UsageError(f"no tag of {name} is known here; `companion enroll {name}` takes you through the box")
    if not wired.readers:
        raise UsageError("table.toml has no reader to write with; `companion config` writes one for kit one")
    try:
        from companion.devices.ndef import write_text
    except ImportError as error:
        raise DeviceError(f"{error.name} is missing; pip install 'companion-table[pi]' installs it") from None
    done: dict[str, str] = {}

    def greet(field: TagField, uid: Uid) -> None:
        number = uid.hex().upper()
        piece = pack.tags.get(number)
        if piece is None:
            print(f"{number}: sits on no piece of {name}; it is left as it is", flush=True)
            return
        outcome = write_text(field, uid, piece_text(name, piece))
        if outcome not in AGAIN:
            done[number] = outcome
        print(f"{number}: {own.called(piece)}: {OUTCOMES[outcome]}", flush=True)

    print(f"Lay the {_counted(len(pack.tags), 'tag')} on the reader, one after the other. Ctrl-C ends.", flush=True)
    tapping.meet(wired, greet, lambda: len(done) == len(pack.tags))
    written = sum(outcome in ("written", "the same") for outcome in done.values())
    print(f"{written} of {_counted(len(pack.tags), 'tag')} say now what they are on.")
    return int(written < len(pack.tags))


# --- Between tables -------------------------------------------------------------------------------------------


def export(name: str, output: Path | None, *, force: bool) -> int:
    """The pack as a file for another table, or on the standard output."""
    pack = stored_pack(games.find(name).name)
    if not pack.tags:
        raise UsageError(f"no tag of {name} is known here; `companion enroll {name}` takes you through the box")
    if output is None:
        print(pack_text(pack), end="")
        return 0
    if not output.parent.is_dir():
        raise UsageError(f"there is no folder {output.parent}: make it first, or name another file")
    if output.exists() and not force:
        raise UsageError(f"{output} is there already; --force overwrites it")
    store_pack(output, pack)
    print(f"Written: {_counted(len(pack.tags), 'tag')} of {name} to {plain(str(output), 500)}")
    return 0


def merge(name: str, files: Sequence[Path]) -> int:
    """Add what other tables know. Where they disagree all is told, and nothing is written."""
    own, before = owned(name), stored_pack(name)
    merged, conflicts = dict(before.tags), []
    where = dict.fromkeys(before.tags, "here")
    taken = taken_by_others(name)
    for path in files:
        theirs = parse_pack(pack_text(read_pack(path)), str(path), own.pieces)
        for uid, piece in theirs.tags.items():
            if merged.setdefault(uid, piece) != piece:
                known = f"{own.called(merged[uid])} {'here' if where[uid] == 'here' else f'in {where[uid]}'}"
                conflicts.append(f"{uid} is on {known} and on {own.called(piece)} in {path}")
            elif uid in taken:
                conflicts.append(f"{uid} is on a piece of {taken[uid]} here and on {own.called(piece)} in {path}")
            where.setdefault(uid, str(path))
    if conflicts:
        raise PackError(
            f"nothing was merged, because {_counted(len(conflicts), 'tag')} cannot be: {'; '.join(conflicts)}"
        )
    store_pack(pack_path(name), Pack(merged))
    print(f"{_counted(len(merged) - len(before.tags), 'new tag')}, {_counted(len(merged), 'tag')} in all.")
    return 0


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
