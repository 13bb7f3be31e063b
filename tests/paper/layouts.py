"""How the pieces of each game are laid out on paper, as text. `python -m tests.paper.layouts` writes it to tests/data:
look at a printed page before you commit the difference."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import msgspec

from companion.gamekit import discovery
from companion.gamekit.figure import Figure
from companion.gamekit.paper import FigureMark, Lettering, PaperMark, PaperPiece
from companion.gamekit.parts import paper_of
from companion.language.wording import ENGLISH
from tests.ours import GAMES

FOLDER = Path(__file__).parents[1] / "data"
FILE = "paper.txt"


def layout(game: str) -> str:
    """Every piece with its size and its marks, in millimetres; of pieces that are alike the first, and a back where it
    is another than before."""
    known = discovery.find(game)
    box = known.parse_box(known.standin(), "the box that ships")
    pieces = [piece for piece in paper_of(game)(box, ENGLISH.text) if piece.copy < 2]
    return "".join(
        f"{line}\n" for before, piece in pairwise([None, *pieces]) if piece for line in _piece(piece, before)
    )


def _piece(piece: PaperPiece, before: PaperPiece | None) -> Iterator[str]:
    places = [f"sticker {piece.sticker}"] * (piece.sticker is not None)
    places += [f"label {piece.label_at}"] * (piece.label_at is not None) + ["folded"] * piece.folded
    yield f"{piece.label}: {piece.size.width:g} x {piece.size.height:g} {' '.join(places)}".rstrip()
    yield from (f"  front {_mark(mark)}" for mark in piece.front)
    if before is None or before.back != piece.back:
        yield from (f"  back {_mark(mark)}" for mark in piece.back)


def _mark(mark: PaperMark) -> str:
    fields = msgspec.structs.asdict(mark)
    if isinstance(mark, FigureMark):
        fields["figure"] = _figure(mark.figure)
    elif isinstance(mark, Lettering):
        fields["text"] = repr(mark.text)
    values = (f"{value:.4g}" if isinstance(value, float) else str(value) for value in fields.values())
    return f"{type(mark).__name__} {' '.join(value or '-' for value in values)}"


def _figure(figure: Figure) -> str:
    """A short digest, of numbers that are as exact as a printer."""
    return sha256(repr(_rounded(msgspec.to_builtins(figure))).encode()).hexdigest()[:8]


def _rounded(part: object) -> object:
    if isinstance(part, dict):
        return {key: _rounded(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_rounded(value) for value in part]
    return round(part, 2) + 0.0 if isinstance(part, float) else part


if __name__ == "__main__":
    for each in GAMES:
        (FOLDER / each / FILE).write_text(layout(each), encoding="utf-8")
