"""Which tag is on which piece: a pack, as TOML. Set k of the pieces that have an owner belongs to seat k.

[[tags]]
uid = "04A1B2C3D4E5F6"
kind = "marker"
id = "white"
owner = 2
token = "c2l4dGVlbi1ieXRl"
"""

import re
from collections.abc import Collection
from typing import Any, TypeVar
from urllib.parse import unquote

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.errors import CompanionError
from companion.gamekit.box import explained, shown
from companion.gamekit.game import Game, Seat, Thing
from companion.toml import TooIntricateError, read_toml, toml_text

T = TypeVar("T")
UID_BYTES = (4, 7, 10)
"""Single, double and triple size UIDs (ISO 14443-3, 6.5.4)."""
_WHOLE_BYTES = re.compile(r"(?:[0-9A-Fa-f]{2})+")


class PackError(CompanionError):
    """A pack of tags is wrong."""


class Pack(Struct, frozen=True):
    """UID → piece. A piece may carry several tags; a tag is on one piece."""

    tags: dict[str, Thing] = {}
    tokens: dict[str, str] = {}
    """UID → the token that is written on this tag: only the owner's pack knows what it stands for."""
    links: str = ""
    """The address of the table in the links on these tags, such as http://10.42.0.1:8137; "": they carry none."""

    def uid_of(self, piece: Thing) -> str | None:
        return next((uid for uid, thing in self.tags.items() if thing == piece), None)

    def uid_with(self, text: str) -> str | None:
        """The tag that carries this text; None: it holds no token of this pack."""
        token = token_in(text)
        return next((uid for uid, known in self.tokens.items() if token == known), None) if token else None

    def with_tags(self, tags: dict[str, Thing]) -> "Pack":
        """These tags in place of those it has. What is written on those that stay is known as before."""
        return replace(self, tags=tags, tokens={uid: token for uid, token in self.tokens.items() if uid in tags})


class _Tag(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    uid: str
    kind: str
    id: str = ""
    owner: Seat | None = None
    token: str = ""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    links: str = ""
    tags: tuple[dict[str, Any], ...] = ()


def parse_pack(text: str, origin: str, pieces: Collection[Thing] | None = None) -> Pack:
    """Read a pack. With `pieces` (`game.pieces(box)`) every tag must be on one of them.

    Raises PackError, which names the origin, the entry and what was expected.
    """
    try:
        content = read_toml(text)
    except TooIntricateError as error:
        raise PackError(f"{origin}: this is no pack of tags: {error}") from None
    except ValueError as error:
        raise PackError(f"{origin}: this is not valid TOML: {error}") from None
    file = _read(content, _File, origin)
    known = None if pieces is None else frozenset(pieces)
    tags: dict[str, Thing] = {}
    tokens: dict[str, str] = {}
    for number, data in enumerate(file.tags, 1):
        entry = f"{origin}: tags, entry {number} ({shown(data['uid']) if 'uid' in data else 'without uid'})"
        tag = _read(data, _Tag, entry)
        piece = Thing(tag.kind, tag.id, tag.owner)
        problem = _problem(tag, piece, tags, known) or _token_problem(tag, tokens)
        if problem:
            raise PackError(f"{entry}: {problem}")
        tags[tag.uid.upper()] = piece
        if tag.token:
            tokens[tag.uid.upper()] = tag.token
    return Pack(tags, tokens, file.links)


def _read(data: dict[str, Any], kind: type[T], place: str) -> T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise PackError(f"{place}: {explained(str(error), data, kind)}") from None


def is_uid(uid: str) -> bool:
    """Whether a pack can hold it."""
    return bool(_WHOLE_BYTES.fullmatch(uid)) and len(uid) // 2 in UID_BYTES


def _problem(tag: _Tag, piece: Thing, tags: dict[str, Thing], known: frozenset[Thing] | None) -> str | None:
    if not _WHOLE_BYTES.fullmatch(tag.uid):
        return "uid: expected whole bytes in hexadecimal, like 04A1B2C3D4E5F6"
    if len(tag.uid) // 2 not in UID_BYTES:
        return f"uid: expected 4, 7 or 10 bytes, found {len(tag.uid) // 2}"
    if tag.uid.upper() in tags:
        return "uid: another entry has it already; a tag sits on one piece"
    if known is not None and piece not in known:
        return f"the box has no {_described(piece)}"
    return None


def _token_problem(tag: _Tag, tokens: dict[str, str]) -> str | None:
    if tag.token and not re.fullmatch(TOKEN, tag.token):
        return "token: expected 16 to 64 letters, digits, - and _, as `companion tags write` makes them"
    if tag.token in tokens.values():
        return "token: another entry has it already; each tag has its own"
    return None


def _described(piece: Thing) -> str:
    words = " ".join(word for word in (piece.kind, piece.id) if word)
    return words if piece.owner is None else f"{words} of set {piece.owner + 1}"


def pack_text(pack: Pack) -> str:
    """The TOML that `parse_pack` reads back."""
    tags = [_Tag(uid, piece.kind, piece.id, piece.owner, pack.tokens.get(uid, "")) for uid, piece in pack.tags.items()]
    links = {"links": pack.links} if pack.links else {}
    return toml_text(links | {"tags": msgspec.to_builtins(tags)} if tags else links)


# --- The text on a tag ------------------------------------------------------------------------------------------

TEXT = "companion:1"
"""The start of a text that names the piece, as earlier versions wrote it."""
OPAQUE = "companion:2"
"""The start of a text that holds a token: what it stands for is in the owner's pack and nowhere else."""
TOKEN = r"[A-Za-z0-9_-]{16,64}"
LINK = "/t#"
"""Between the table's address and a tag's token, in a link."""


def token_text(token: str) -> str:
    """What `companion tags write` writes: it says nothing to a neighbour's phone."""
    return f"{OPAQUE};{token}"


def token_link(address: str, token: str) -> str:
    """The link before that text, which iPhones open; "" without an address."""
    return f"{address}{LINK}{token}" if address else ""


def token_in(text: str) -> str | None:
    """The token that a text holds; None: it holds none."""
    start, _, token = text.partition(";")
    return token if start == OPAQUE and re.fullmatch(TOKEN, token) else None


def piece_from_text(text: str) -> tuple[str, Thing] | None:
    """The game and the piece that an old text names (companion:1;lascaux;marker;white;2); None: it names none."""
    parts = text.split(";")
    if len(parts) != 5 or parts[0] != TEXT:
        return None
    game, kind, id_, owner = (unquote(part) for part in parts[1:])
    if not game or not kind or not re.fullmatch(r"[0-9]{0,2}", owner):
        return None
    return game, Thing(kind, id_, int(owner) if owner else None)


def introduced(pack: Pack, game: Game[Any, Any], box: Any, uid: str, text: str) -> Pack:
    """The pack with a tag whose text holds a token of the pack or names a piece of this box; otherwise as it was. Known
    tags stay as they are: the owner's pack counts more than a sticker's text."""
    if uid in pack.tags:
        return pack
    if (written := pack.uid_with(text)) is not None and written in pack.tags:
        return replace(pack, tags=pack.tags | {uid: pack.tags[written]})
    named = piece_from_text(text)
    if named is None or named[0] != game.name or named[1] not in game.pieces(box):
        return pack
    return replace(pack, tags=pack.tags | {uid: named[1]})


# --- Without hardware -------------------------------------------------------------------------------------------


def simulated_pack(game: Game[Any, Any], box: Any) -> Pack:
    """A tag for every piece of the box. The same box gives the same tags."""
    return Pack({f"04{number:012X}": piece for number, piece in enumerate(game.pieces(box), 1)})
