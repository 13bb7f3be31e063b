"""Paper for a game that brings none: a card for each piece that may carry a tag, with its word, its set and its id."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from companion.gamekit.game import Game, Thing
from companion.gamekit.paper import (
    CARD,
    PURPLE,
    QUIET,
    Lettering,
    Paper,
    PaperMark,
    PaperPiece,
    below,
    ground,
    plain_back,
    set_mark,
)
from companion.language.facts import Translate


def plain_paper(game: Game[Any, Any], title: str) -> Paper:
    return partial(_pieces, game, title)


def _pieces(game: Game[Any, Any], title: str, box: Any, _: Translate) -> Sequence[PaperPiece]:
    return [_card(game, title, box, piece, _) for piece in game.pieces(box)]


def _card(game: Game[Any, Any], title: str, box: Any, piece: Thing, _: Translate) -> PaperPiece:
    front = tuple(_front(game, box, piece, _))
    return PaperPiece(piece, piece.kind, CARD, front, plain_back(title, CARD, PURPLE), sticker=below(CARD))


def _front(game: Game[Any, Any], box: Any, piece: Thing, _: Translate) -> Iterator[PaperMark]:
    yield ground(CARD)
    middle = CARD.width / 2
    word = game.word(box, f"{piece.kind}s", piece.id, _) or _in_words(piece.id) or piece.kind
    yield Lettering(word, middle, 26, 11, CARD.width - 10, bold=True)
    yield Lettering(piece.kind, middle, 40, 3, CARD.width - 10, QUIET)
    if piece.owner is not None:
        yield from set_mark(piece.owner, 10, 10, 9)


def _in_words(name: str) -> str:
    """An id as a person would write it: bull-heads-5 is "bull heads 5". The small print has it as it is."""
    return " ".join(name.replace("-", " ").replace("_", " ").split())
