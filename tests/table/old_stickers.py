"""Stickers as earlier versions wrote them: their text names the piece. They keep working."""

from urllib.parse import quote

from companion.gamekit.game import Thing


def piece_text(game: str, piece: Thing) -> str:
    """companion:1;GAME;marker;white;2"""
    words = ["companion:1", game, piece.kind, piece.id, "" if piece.owner is None else str(piece.owner)]
    return ";".join(quote(word, safe=":-_. /()+") for word in words)
