"""What a game's package says about itself before any of its parts is imported: strings, and nothing else."""

from typing import Any

import msgspec
from msgspec import Struct

API = 1
"""The version of this kit. A game that was written for another one is not loaded. docs/game-recipes.md says what it
promises; a new version comes only when a game of the old one would have to be changed."""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """Where each part of a game is, as "package.module:NAME". What is left out is made by the kit: see `defaults`."""

    name: str
    """What commands, transcripts and box files call it: lower-case letters, digits and hyphens. Example: `"gops"`"""
    api: int
    """The version of the kit that it was written for. Example: `1`"""
    rules: str
    """Its `Game`. Example: `"gops.rules:GAME"`"""
    title: str = ""
    """What people read. Left out: the words of the name, capitalised. Example: `"GOPS"`"""
    about: str = ""
    """What players do in it, in one line of English. Its catalogues translate it. Left out: nothing is said. Example:
    `"Bid for prizes in secret"`"""
    picture: str = ""
    """The name of the figure that stands for it on the start screen. Left out: one of the kit's. Example: `"hearts"`"""
    face: str = ""
    """Its `Face`. Left out: plain looks. Example: `"gops.face:FACE"`"""
    players: str = ""
    """The class of its simulated `Players`. Left out: they choose by chance, or search. Example:
    `"gops.players:Players"`"""
    judgement: str = ""
    """The class of its `Judgement`, with which the search player thinks about it. Left out: one that knows only the
    rules. Example: `"gops.judgement:GopsJudgement"`"""
    enrolment: str = ""
    """Its `EnrolmentPlan`. Left out: one that asks for the tag of each piece. Example: `"gops.enrolment:PLAN"`"""
    paper: str = ""
    """Its `Paper`: the function that describes its pieces for `companion print`. Left out: a card for each piece.
    Example: `"gops.paper:pieces"`"""
    words: str = ""
    """Its sentences for a face that the kit makes: a mapping from message ids to English. Left out: there are none; a
    `face` brings its own. Example: `"gops.sentences:SENTENCES"`"""
    word: str = ""
    """Its words for facts, as in `Game.word`, for a face that the kit makes: a function that screens can import without
    the rules. Left out: every fact is shown as it is; a `face` brings its own. Example: `"gops.sentences:word"`"""
    locale: str = ""
    """The package that holds its catalogues in a folder `locale`. Left out: English only. Example: `"gops"`"""
    figures: str = ""
    """The package that holds its figures, SVG files, in a folder `figures`. Left out: the kit's own shapes only.
    Example: `"gops"`"""
    order: int = 1000
    """Its place in lists; games with the same number are sorted by name. Example: `50`"""


class ManifestError(Exception):
    """A manifest that cannot be used: what is wrong, and what to do."""


def read_manifest(data: Any) -> Manifest:
    """Raises ManifestError."""
    api = data.get("api") if isinstance(data, dict) else None
    if isinstance(api, int) and not isinstance(api, bool) and api != API:
        newer = "bring Companion up to date" if api > API else "ask its author for a newer version"
        raise ManifestError(f"it speaks api {api}, and this Companion speaks api {API}: {newer}")
    try:
        manifest = msgspec.convert(data, Manifest)
    except msgspec.ValidationError as error:
        raise ManifestError(
            f"its manifest cannot be read: {error}; docs/add-a-game.md says what belongs there"
        ) from None
    if not _is_name(manifest.name):
        raise ManifestError(
            f"its manifest has the name {manifest.name!r}: a name is made of lower-case letters, digits and hyphens"
        )
    return manifest


PARTS = {
    "rules": "a Game",
    "face": "a Face",
    "players": "a class whose objects are made of a seed, seats and a kit",
    "judgement": "a class of Judgement",
    "enrolment": "an EnrolmentPlan",
    "paper": "a function of a box and a translator",
    "words": "a mapping of sentences",
    "word": "a function of a box, the name of a fact, its value and a translator",
}
"""The fields that name a part, and what is expected there."""


def parts_of(manifest: Manifest) -> dict[str, str]:
    """Where its parts are, those that it has, by their fields."""
    return {field: getattr(manifest, field) for field in PARTS if getattr(manifest, field)}


def _is_name(name: str) -> bool:
    return name.replace("-", "").isalnum() and name.isascii() and name == name.lower()
