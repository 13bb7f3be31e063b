"""The owner's packs of tags: one for each game, in COMPANION_HOME/tags/<game>.toml. See docs/tags.md."""

from pathlib import Path
from typing import Any

from companion.boxes import home
from companion.games.game import Game
from companion.storage import load, store
from companion.table.pieces import Pack, PackError, pack_text, parse_pack

SIZE_LIMIT = 1024 * 1024
"""The largest real pack needs a fiftieth of it."""


def pack_path(game: str) -> Path:
    return home() / "tags" / f"{game}.toml"


def find_pack(game: Game[Any, Any], box: Any) -> Pack:
    """The owner's tags, as far as they sit on pieces of this box; none if nothing was enrolled. Raises PackError.

    An evening may have been begun with another box than the one that the tags are for. Then it goes on: a tag on a
    piece that this box does not have is an unknown tag, no more. `companion tags check` is stricter."""
    pieces = frozenset(game.pieces(box))
    return Pack({uid: piece for uid, piece in stored_pack(game.name).tags.items() if piece in pieces})


def stored_pack(game: str) -> Pack:
    """All that the file has, whatever the box; an empty pack if there is no file. Raises PackError."""
    path = pack_path(game)
    return read_pack(path) if path.exists() else Pack()


def read_pack(path: Path) -> Pack:
    """The pack in this file. Raises PackError."""
    try:
        data = load(path, SIZE_LIMIT)
        if len(data) > SIZE_LIMIT:
            raise PackError(f"{path}: this is too long for a pack of tags; one has at most {SIZE_LIMIT // 1024} KiB")
        return parse_pack(data.decode(), str(path))
    except OSError as error:
        raise PackError(f"{path}: cannot read this pack of tags: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PackError(f"{path}: this pack of tags is not UTF-8 text") from None
    except ValueError:
        raise PackError(f"there is no file {str(path)!r}") from None


def store_pack(path: Path, pack: Pack) -> None:
    """Whole, or as it was before. Raises PackError."""
    try:
        store(path, pack_text(pack))
    except (OSError, ValueError) as error:
        raise PackError(f"{path}: cannot write this: {getattr(error, 'strerror', None) or error}") from None
