"""The owner's packs of tags, one for each game. See docs/tags.md."""

import secrets
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.files import changing, load_text, store
from companion.gamekit import discovery
from companion.gamekit.game import Game
from companion.home.paths import club_pack_path, pack_path
from companion.table.pieces import Pack, PackError, pack_text, parse_pack

TOKEN_BYTES = 12
SIZE_LIMIT = 1024 * 1024
"""Bytes: fifty times the largest real pack."""


def find_pack(game: Game[Any, Any], box: Any) -> Pack:
    """The owner's tags that are on pieces of this box, and the club's; none if nothing was enrolled. Raises PackError.

    An evening may have started with another box than the one that was enrolled. Then a tag on a piece that this box
    does not have is an unknown tag. `companion tags check` is stricter."""
    pieces = frozenset(game.pieces(box))
    stored, clubs = stored_pack(game.name), club_pack(game.name)
    tags = clubs.tags | stored.tags
    whole = Pack(tags, clubs.tokens | stored.tokens, stored.links)
    return whole.with_tags({uid: piece for uid, piece in tags.items() if piece in pieces})


def club_pack(game: str) -> Pack:
    """The tags of the club's boxes, which work at this table, too; an empty pack if it belongs to no club, or if the
    file is damaged: the hall sends it again."""
    try:
        return read_pack(club_pack_path(game))
    except PackError:
        return Pack()


def stored_pack(game: str) -> Pack:
    """Every tag in the file, whatever the box; an empty pack if there is no file. Raises PackError."""
    path = pack_path(game)
    try:
        return parse_pack(load_text(path, SIZE_LIMIT, "pack of tags", PackError), str(path))
    except FileNotFoundError:
        return Pack()


def read_pack(path: Path) -> Pack:
    """The pack in this file. Raises PackError."""
    try:
        return parse_pack(load_text(path, SIZE_LIMIT, "pack of tags", PackError), str(path))
    except FileNotFoundError:
        raise PackError(f"{path}: this pack of tags is missing: there is no such file") from None


def store_pack(path: Path, pack: Pack) -> None:
    """Write atomically. Raises PackError."""
    try:
        store(path, pack_text(pack))
    except (OSError, ValueError) as error:
        raise PackError(f"{path}: cannot write this: {getattr(error, 'strerror', None) or error}") from None


def new_token() -> str:
    """For a sticker: it stands for a piece in this owner's pack, and says nothing else."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def keep_token(game: str, uid: str, token: str, links: str = "") -> None:
    """Store what is written on a tag now. Another command may have changed the pack meanwhile. Raises PackError."""
    path = pack_path(game)
    try:
        with changing(path.parent):
            stored = stored_pack(game)
            renewed = replace(stored, tokens=stored.tokens | {uid: token}, links=links or stored.links)
            if uid in stored.tags and renewed != stored:
                store_pack(path, renewed)
    except OSError as error:
        raise PackError(f"{path}: cannot write this: {error.strerror}") from None


def other_packs(game: str) -> dict[str, Pack]:
    """The packs of all other games. Raises PackError."""
    return {other: stored_pack(other) for other in discovery.names() if other != game}


def taken_by_others(game: str) -> dict[str, str]:
    """UID → the other game that uses it. Raises PackError."""
    return {uid: other for other, pack in other_packs(game).items() for uid in pack.tags}
