"""Finds a game's face when it is first needed. A game without one gets a plain face."""

from functools import cache

from companion.gamekit.default_face import PlainFace
from companion.gamekit.discovery import manifest, part, title
from companion.gamekit.game import no_word
from companion.gamekit.manifest import Manifest
from companion.gamekit.parts import texts_of
from companion.gamekit.screen.face import Face


@cache
def find_face(name: str) -> Face:
    """The face of this game. Raises UsageError, GameError."""
    known = manifest(name)
    face: Face = part(name, known.face) if known.face else _plain_face(known)
    return face


def _plain_face(known: Manifest) -> Face:
    sentences = part(known.name, known.words) if known.words else {}
    word = part(known.name, known.word) if known.word else no_word
    return PlainFace(title(known.name), sentences, texts_of(known.name), word)
