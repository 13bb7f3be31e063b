"""`companion tags`: lists, checks and writes the tags of a box, and shares them between tables."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.config import TableSettings
from companion.devices.tag_field import TagField, Uid
from companion.enrolment.course import EnrolmentError
from companion.errors import DeviceError, UsageError
from companion.files import changing
from companion.gamekit import discovery
from companion.gamekit.game import Game, Thing
from companion.home.box_files import FoundBox, find_box
from companion.home.enrolment_progress import half_done
from companion.home.paths import pack_path
from companion.home.tag_packs import (
    keep_token,
    new_token,
    other_packs,
    read_pack,
    store_pack,
    stored_pack,
    taken_by_others,
)
from companion.language.wording import ENGLISH, counted, plain
from companion.processes import tag_taps
from companion.processes.phone_server import link_address
from companion.table.pieces import Pack, PackError, pack_text, parse_pack, piece_from_text, token_link, token_text
from companion.troubles import to_add
from companion.verbs.arguments import add_phone_address, game_name, natural, phone_settings

LENGTH = 120
LISTED = 8
"""How many missing pieces are named; the rest are counted."""
SIMULATED = "0400000000"
"""How every number of the simulated reader starts."""

OUTCOMES = {
    "written": "written",
    "the same": "was written before",
    "no room": "there is no room for the text on this tag",
    "not formatted": "this tag is not formatted for texts: it works by its number",
    "read only": "this tag cannot be written any more: it works by its number",
    "number only": "this tag carries no text (MIFARE Classic): it works by its number",
    "no answer": "it was lifted too early: lay it down again, and leave it there until the result is shown",
    "garbled": "the reader could not read it: lay it down again, alone and flat",
    "refused": "this tag is locked: it works by its number",
}
AGAIN = ("no answer", "garbled")

EXAMPLES = ("companion tags check lascaux", "companion tags export lascaux -o lascaux-tags.toml")


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def add(action: str, about: str, example: str) -> ArgumentParser:
        line: ArgumentParser = actions.add_parser(action, help=about, description=about, examples=(example,))
        return line

    check = add("check", "find tags that are missing, doubled or weak", "companion tags check lascaux --reads 50")
    check.add_argument("--reads", type=natural, default=20, metavar="N", help="how often each is read (default 20)")
    check.add_argument("--without-reader", action="store_true", help="check the pack only, read no tags")
    export = add("export", "write the pack for another table", "companion tags export lascaux -o our-tags.toml")
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")
    export.add_argument("--force", action="store_true", help="overwrite FILE")
    merge = add(
        "merge",
        "add the packs of other tables; changes nothing if they disagree",
        "companion tags merge lascaux their-tags.toml",
    )
    listed = add("list", "every piece with its tag", "companion tags list lascaux")
    write = add(
        "write",
        "write a secret token on each sticker; renews those that name their piece",
        "companion tags write lascaux --links",
    )
    write.add_argument("--links", action="store_true", help="also a link, so that an iPhone can read the piece")
    add_phone_address(write)
    for action in (check, export, merge, listed, write):
        action.add_argument("game", type=game_name, metavar="GAME", help="which game")
    merge.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a pack that `companion tags export` wrote")


def run(said: Namespace) -> int:
    """Raises UsageError, BoxError, PackError, ConfigError, DeviceError."""
    match said.action:
        case "check":
            return check(said.game, said.reads, without_reader=said.without_reader)
        case "export":
            return export(said.game, said.output, force=said.force)
        case "merge":
            return merge(said.game, said.files)
        case "write":
            return write(said.game, link_address(phone_settings(said)) if said.links else "")
    return list_tags(said.game)


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
    known = discovery.find(game)
    return Owned(known, find_box(known))


# --- Listing and checking -------------------------------------------------------------------------------------


def list_tags(name: str) -> int:
    """Every piece of the box, with its tags."""
    own, pack = owned(name), stored_pack(name)
    tags: dict[Thing, list[str]] = {}
    for uid, piece in pack.tags.items():
        tags.setdefault(piece, []).append(uid)
    pieces = own.pieces
    for piece in (*pieces, *(piece for piece in tags if piece not in set(pieces))):
        print(f"{' '.join(tags.get(piece, ['–'])):<20}  {own.called(piece)}")
    print(f"\n{counted(len(pack.tags), 'tag')} on {counted(len(pieces), 'piece')} of {plain(own.found.origin, 500)}")
    for line in _half_done(own):
        print(line)
    return 0


def check(name: str, reads: int, *, without_reader: bool) -> int:
    """Check the tags before the first game. 0: all is well; 1: something is wrong."""
    own = owned(name)
    try:
        pack = stored_pack(name)
    except PackError as error:
        print(plain(str(error), 1000))
        return 1
    wired = TableSettings() if without_reader else tag_taps.readers()
    found = [*findings(own, pack, other_packs(name)), *_half_done(own)]
    for line in found:
        print(line, flush=True)
    weak = _try_each(own, pack, wired, reads) if wired.readers and pack.tags else []
    if not wired.readers and not without_reader:
        print("table.toml has no reader, so no tag was tried: weak ones cannot be found this way.")
    if not found and not weak:
        print(f"All is well: {counted(len(pack.tags), 'tag')} on {counted(len(own.pieces), 'piece')}.")
    return int(bool(found or weak))


def findings(own: Owned, pack: Pack, others: Mapping[str, Pack]) -> Iterator[str]:
    """What is wrong with a pack, as far as it shows without a reader."""
    pieces = own.pieces
    missing = [own.called(piece) for piece in pieces if piece not in set(pack.tags.values())]
    if missing:
        some = ", ".join(missing[:LISTED]) + (f" and {len(missing) - LISTED} more" if len(missing) > LISTED else "")
        yield f"missing: {counted(len(missing), 'piece')} without a tag: {some}"
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
    """An unfinished enrolment: it explains why tags are missing."""
    try:
        told = half_done(own.game)
    except EnrolmentError as error:
        told = str(error)
    if told:
        yield f"half done: {plain(told, 1000)}"


# --- On a reader ----------------------------------------------------------------------------------------------


def _try_each(own: Owned, pack: Pack, wired: TableSettings, reads: int) -> list[str]:
    """Read each tag often, and return the weak ones. A tag may be tried again: its best attempt counts."""
    best: dict[str, int] = {}
    old: list[str] = []

    def visit(field: TagField, uid: Uid) -> None:
        name = uid.hex().upper()
        answered = sum(uid in field.look((uid,)).seen for _ in range(reads))
        if name not in pack.tags:
            print(f"{name}: sits on no piece of {own.game.name}", flush=True)
            return
        best[name] = max(answered, best.get(name, 0))
        if _names_its_piece(field, uid):
            old.append(name)
        told = "good" if answered == reads else "WEAK: lay it flat and try again, or use another sticker"
        print(f"{name}: {own.called(pack.tags[name])}: answered {answered} of {reads}, {told}", flush=True)

    print(f"Lay the {counted(len(pack.tags), 'tag')} on the reader, one after the other. Ctrl-C ends.", flush=True)
    tag_taps.visit_tags(wired, visit, lambda: len(best) == len(pack.tags))
    for uid in old:
        print(f"readable: {uid} names its piece, and every phone can read it: `companion tags write` renews it")
    weak = [uid for uid, answered in best.items() if answered < reads]
    for uid in weak:
        print(f"weak: {uid} on {own.called(pack.tags[uid])} answered {best[uid]} of {reads}")
    if len(best) < len(pack.tags):
        print(f"not tried: {counted(len(pack.tags) - len(best), 'tag')}")
    return weak


def _names_its_piece(field: TagField, uid: Uid) -> bool:
    """Whether an earlier version has written on this tag which piece it is on."""
    try:
        from companion.devices.ndef import PAGED_UID_BYTES, read_text
    except ImportError:
        return False
    text = read_text(field, uid) if len(uid) == PAGED_UID_BYTES else None
    return isinstance(text, str) and piece_from_text(text) is not None


def write(name: str, address: str = "") -> int:
    """Write a token on each tag, and a link to it at this address, if there is one. 0: all were written; 1: some are
    left. What the tokens stand for is in the pack, and nowhere else."""
    own, pack = owned(name), stored_pack(name)
    wired = tag_taps.readers()
    if not pack.tags:
        raise UsageError(f"no tag of {name} is known here; `companion enroll {name}` takes you through the box")
    if not wired.readers:
        raise UsageError(
            "table.toml has no reader to write with; `companion config` writes one for kit one. "
            f"An Android phone writes, too: `companion enroll {name} --phone`"
        )
    try:
        from companion.devices.ndef import write_text
    except ImportError as error:
        raise DeviceError(f"{error.name} is missing: {to_add('usb')}") from None
    done: dict[str, str] = {}
    tokens = dict(pack.tokens)
    if address:
        print(f"The links open {address}. They work as long as the table has this address (docs/tags.md).", flush=True)

    def visit(field: TagField, uid: Uid) -> None:
        number = uid.hex().upper()
        piece = pack.tags.get(number)
        if piece is None:
            print(f"{number}: sits on no piece of {name}; it is left as it is", flush=True)
            return
        token = tokens.setdefault(number, new_token())
        outcome = write_text(field, uid, token_text(token), token_link(address, token))
        if outcome in ("written", "the same"):
            keep_token(name, number, token, address)
        if outcome not in AGAIN:
            done[number] = outcome
        print(f"{number}: {own.called(piece)}: {OUTCOMES[outcome]}", flush=True)

    print(f"Lay the {counted(len(pack.tags), 'tag')} on the reader, one after the other. Ctrl-C ends.", flush=True)
    tag_taps.visit_tags(wired, visit, lambda: len(done) == len(pack.tags))
    written = sum(outcome in ("written", "the same") for outcome in done.values())
    print(f"{written} of {counted(len(pack.tags), 'tag')} now carry a token that only this table knows.")
    return int(written < len(pack.tags))


# --- Between tables -------------------------------------------------------------------------------------------


def export(name: str, output: Path | None, *, force: bool) -> int:
    """Write the pack to a file for another table, or to standard output."""
    pack = stored_pack(discovery.find(name).name)
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
    print(f"Written: {counted(len(pack.tags), 'tag')} of {name} to {plain(str(output), 500)}")
    return 0


def merge(name: str, files: Sequence[Path]) -> int:
    """Add the packs of other tables. If they disagree, every conflict is reported and nothing is written."""
    own = owned(name)
    theirs = {path: parse_pack(pack_text(read_pack(path)), str(path), own.pieces) for path in files}
    path = pack_path(name)
    try:
        with changing(path.parent):  # locks the packs of all games: a tag is on one piece
            before = stored_pack(name)
            merged = _merged(own, before, theirs, taken_by_others(name))
            tokens = {uid: token for pack in (*theirs.values(), before) for uid, token in pack.tokens.items()}
            store_pack(path, replace(before, tags=merged, tokens=tokens))
    except OSError as error:
        raise PackError(f"{path}: nothing was merged: {error.strerror}") from None
    print(f"{counted(len(merged) - len(before.tags), 'new tag')}, {counted(len(merged), 'tag')} in all.")
    return 0


def _merged(own: Owned, before: Pack, packs: Mapping[Path, Pack], taken: Mapping[str, str]) -> dict[str, Thing]:
    """UID → piece, of all packs together. Raises PackError."""
    merged, conflicts = dict(before.tags), []
    where = dict.fromkeys(before.tags, "here")
    for path, theirs in packs.items():
        for uid, piece in theirs.tags.items():
            if merged.setdefault(uid, piece) != piece:
                known = f"{own.called(merged[uid])} {'here' if where[uid] == 'here' else f'in {where[uid]}'}"
                conflicts.append(f"{uid} is on {known} and on {own.called(piece)} in {path}")
            elif uid in taken:
                conflicts.append(f"{uid} is on a piece of {taken[uid]} here and on {own.called(piece)} in {path}")
            where.setdefault(uid, str(path))
    if conflicts:
        raise PackError(
            f"nothing was merged, because {counted(len(conflicts), 'tag')} cannot be: {'; '.join(conflicts)}"
        )
    return merged
