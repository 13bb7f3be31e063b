"""Pieces for fingers: large type, and notches that tell what kind of piece it is.

The notches depend on the kind alone, never on what is printed: face down, all pieces of a kind feel the same.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from companion.gamekit.paper import BLACK, Lettering, PaperMark, PaperPiece, Plate

LARGER = 1.5
"""How much larger the letters are. A line that would not fit shrinks again."""
NOTCH = 3.0
"""Millimetres, to be cut out from the left edge."""
APART = 6.0


def notches(pieces: Sequence[PaperPiece]) -> dict[str, int]:
    """Kind of piece → how many notches it has."""
    return {kind: number for number, kind in enumerate(dict.fromkeys(piece.kind for piece in pieces), 1)}


def for_fingers(pieces: Sequence[PaperPiece]) -> list[PaperPiece]:
    """The same pieces with large type and notches."""
    count = notches(pieces)
    return [
        replace(piece, front=(*map(_larger, piece.front), *_notched(piece, count[piece.kind])), back=piece.back)
        for piece in pieces
    ]


def _larger(mark: PaperMark) -> PaperMark:
    return replace(mark, height=mark.height * LARGER, bold=True) if isinstance(mark, Lettering) else mark


def _notched(piece: PaperPiece, count: int) -> list[PaperMark]:
    """From the top left corner down, as far apart as there is room."""
    apart = min(APART, (piece.size.height - NOTCH) / count)
    return [Plate(0, 2 + number * apart, NOTCH, min(NOTCH, apart * 0.6), BLACK, "", 0) for number in range(count)]
