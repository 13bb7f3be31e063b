"""Tags that this table has never seen, but that say themselves what they sit on (`companion tags write`)."""

from typing import Any

from companion.devices.reader import Greet
from companion.games.game import Game
from companion.table.pieces import Pack, piece_from_text


def introductions(game: Game[Any, Any], box: Any, pack: Pack) -> Greet | None:
    """For `equipment(table, greet=…)`: an unknown tag with a text that names a piece of this box joins the pack.

    It does so in the reader's thread, before the tag is told: whoever interprets the signal finds it there. Without
    ndeflib there are no introductions, and such a tag stays unknown. A satellite's pads do not read texts."""
    try:
        from companion.devices.ndef import Introductions
    except ImportError:
        return None
    pieces = frozenset(game.pieces(box))

    def introduce(uid: str, text: str) -> None:
        named = piece_from_text(text)
        if named is not None and named[0] == game.name and named[1] in pieces:
            pack.tags[uid] = named[1]

    return Introductions(lambda uid: uid in pack.tags, introduce)
