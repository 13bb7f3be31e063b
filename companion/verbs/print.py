"""`companion print`: writes the pieces of a box as a PDF to cut out."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import BoxError, UsageError
from companion.files import store
from companion.gamekit import discovery
from companion.gamekit.game import Game
from companion.gamekit.paper import PaperPiece
from companion.gamekit.parts import paper_of
from companion.home.box_files import FoundBox, find_box
from companion.home.enrolment_progress import note_print
from companion.home.paths import box_path, looks_path
from companion.home.preferences import LooksFile
from companion.language.screen_language import LANGUAGES, load, preferred
from companion.language.wording import Language, counted, plain
from companion.troubles import to_add
from companion.verbs.arguments import game_name

if TYPE_CHECKING:
    from companion.paper.book import PrintedBox

PAPERS = {"a4": "A4", "letter": "Letter"}
LENGTH = 500
"""How many letters of a path are printed."""


EXAMPLES = ("companion print lascaux --paper letter --grey",)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", type=game_name, help="which game")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: GAME-PAPER-LANGUAGE.pdf, here")
    parser.add_argument("--paper", choices=tuple(PAPERS), default="a4", help="paper size (default: a4)")
    parser.add_argument("--language", choices=tuple(LANGUAGES), help="of the words (default: the screen's language)")
    parser.add_argument("--grey", action="store_true", help="for a printer without colours; keeps shapes and words")
    parser.add_argument("--backs", action="store_true", help="a page of backs behind each page, to print on both sides")
    parser.add_argument("--tactile", action="store_true", help="large type, and notches for each kind of piece")
    parser.add_argument("--box", type=Path, metavar="FILE", help="the box file (default: your own, else the stand-in)")
    parser.add_argument("--force", action="store_true", help="overwrite FILE")


def run(said: Namespace) -> int:
    """Raises UsageError, GameError, BoxError."""
    game = discovery.find(said.game)
    found = find_box(game, said.box)
    code = said.language or LooksFile(looks_path()).recall().language or preferred(os.environ)
    how = ("-grey" if said.grey else "") + ("-tactile" if said.tactile else "")
    path: Path = said.output or Path(f"{game.name}-{said.paper}-{code}{how}.pdf")
    _check_free(path, force=said.force)
    pieces, language = pieces_of(game, found.box, code)
    printed = _printed(said, found, pieces, language)
    try:
        store(path, printed.pdf)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from None
    print(f"Written: {plain(str(path), LENGTH)}, {counted(len(pieces), 'piece')} on {counted(printed.pages, 'page')}")
    if printed.unknown:
        print(f"No font here has these letters, question marks stand for them: {plain(''.join(printed.unknown), 60)}")
    print(f"Print it on {PAPERS[said.paper]} at 100 %. {_enrolling(game, found, pieces)}")
    return 0


def pieces_of(game: Game[Any, Any], box: Any, code: str) -> tuple[list[PaperPiece], Language]:
    """Every piece of a box that is printed, in this language. Raises UsageError."""
    folder = discovery.locale_folder(game.name)
    language = load(code, *([folder] if folder else []))
    pieces = list(paper_of(game.name)(box, language.text))
    if not pieces:
        raise UsageError(f"there is nothing to print: {game.name} has no pieces, and brings no paper of its own")
    return pieces, language


def _check_free(path: Path, *, force: bool) -> None:
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file in it")
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}: make it first, or name another file")
    if path.exists() and not force:
        raise UsageError(f"{path} is there already; --force overwrites it")


def _printed(said: Namespace, found: FoundBox, pieces: list[PaperPiece], language: Language) -> "PrintedBox":
    try:
        from companion.paper.book import PaperBox, Printing, print_box
    except ImportError as error:
        missing = (error.name or "reportlab").partition(".")[0]
        raise UsageError(f"{missing} is missing: {to_add('print')}") from None
    standin = getattr(found.box, "provenance", "") == "stand-in"
    content = PaperBox(discovery.title(said.game), pieces, standin)
    try:
        return print_box(content, language, Printing(said.paper, said.grey, said.backs, said.tactile))
    except ValueError as error:
        raise UsageError(f"{said.game} cannot be printed: {error}") from None


def _is_in_use(game: Game[Any, Any], found: FoundBox) -> bool:
    try:
        return find_box(game).text == found.text
    except BoxError:  # the owner's own box cannot be read, and is not the one to print
        return False


def _enrolling(game: Game[Any, Any], found: FoundBox, pieces: list[PaperPiece]) -> str:
    """What to do next. Remembers which box was printed."""
    stickers = sum(piece.sticker is not None for piece in pieces)
    if not stickers:
        return "Nothing of it carries a tag."
    how = f"`companion enroll {game.name}`"
    try:
        note_print(game.name, found.text)
    except OSError:
        how = f"`companion enroll {game.name} --printed`"
    if not _is_in_use(game, found):
        how = f"make this box yours ({plain(str(box_path(game.name)), LENGTH)}), and {how}"
    return f"{counted(stickers, 'sticker')} go into the frames; {how} then asks for the tags alone."
